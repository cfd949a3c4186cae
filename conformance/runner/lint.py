"""``check``: everything that must hold of the corpus as data."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from . import nulls
from .model import (
    CORE,
    PACKAGE,
    Case,
    Corpus,
    CorpusError,
    canonical_file,
    corpus_digest,
    directory_of,
    load_corpus,
    manifest_problems,
    read_json,
    read_manifest,
)
from .operations import OPERATIONS, WITH_SPANS, judge_answer, lint_expectation
from .text import Malformed, digest, sizes
from .values import STRICT, Host, bits_of

HOLLOW = re.compile(r"\b(should|correctly|properly|works|test|check|handles?|edge case)\b", re.IGNORECASE)


def check(root: Path, fix: bool = False, manifest: Path | None = None) -> tuple[Corpus, list[str]]:
    """The corpus below ``root`` and one line for each thing wrong with it. With ``fix``, canonical form is written first."""
    if fix:
        for path in sorted(root.rglob("*.json")):
            fix_file(path, root)
    corpus = load_corpus(root)
    problems = [] if corpus.cases else [f"{root}: no cases"]
    problems += [problem for path in sorted(root.rglob("*.json")) for problem in file_problems(path, root)]
    if not problems:
        for case in corpus.cases:
            problems += [f"{case.file}: {case.id}: {problem}" for problem in case_problems(case, corpus)]
        problems += twins(corpus)
        problems += set_problems(corpus, root.parent / "sets")
        problems += rising_floors(corpus, root.parent / "dist" / "floors.json")
    if manifest and manifest.exists():
        digests = read_manifest(manifest)
        problems += manifest_problems(corpus, digests)
        problems += [
            f"{name}: not in the manifest; `check --write-manifest` adds it"
            for name in corpus.by_id
            if name not in digests
        ]
    elif manifest and corpus.cases:
        problems.append(f"{manifest.name}: missing; `check --write-manifest` writes it")
    return corpus, problems


def fix_file(path: Path, root: Path) -> None:
    """Rewrite a case file in canonical form, with the size and digest of its builds."""
    content = read_json(path.read_bytes(), path.relative_to(root).as_posix())
    if not isinstance(content, dict) or not isinstance(content.get("cases"), list):
        return
    for record in content["cases"]:
        given = record.get("input") if isinstance(record, dict) else None
        if isinstance(given, dict) and "build" in given:
            record["input"] = {
                "build": given["build"],
                **build_facts(record),
                **{k: given[k] for k in given if k == "chunks"},
            }
    text = canonical_file(content)
    if path.read_text("ascii") != text:
        path.write_text(text, "ascii", newline="\n")


def build_facts(record: dict[str, Any]) -> dict[str, Any]:
    """What stands beside a build: its size in three units and its digest."""
    text = Case(record, "").text or ""
    return {"size": sizes(text), "sha256": digest(text)}


def file_problems(path: Path, root: Path) -> Iterator[str]:
    """Schema and canonical form."""
    name = path.relative_to(root).as_posix()
    raw = path.read_bytes()
    content = read_json(raw, name)
    errors = sorted(validator("case").iter_errors(content), key=lambda error: list(map(str, error.absolute_path)))
    for error in errors:
        yield f"{name}: {describe(error, content)}"
    if not errors and canonical_file(content).encode("ascii") != raw:
        yield f"{name}: not in canonical form; `check --fix` writes it"


def describe(error: Any, content: Any) -> str:
    """A schema error, with the id of its case and the branch that fits best."""
    from jsonschema.exceptions import best_match

    steps = list(error.absolute_path)
    place = ""
    if len(steps) >= 2 and steps[0] == "cases":
        case = content["cases"][steps[1]]
        place = f"{case.get('id', steps[1]) if isinstance(case, dict) else steps[1]}: "
    inner = best_match([error]) or error
    where = "/".join(map(str, list(inner.absolute_path)[2:]))
    return f"{place}{where + ': ' if where else ''}{inner.message[:300]}"


def validator(name: str) -> Any:
    """The jsonschema validator of schema/<name>.json. Raises CorpusError when jsonschema is not installed."""
    try:
        from jsonschema import Draft202012Validator
    except ImportError:
        raise CorpusError(["check needs the jsonschema package: pip install jsonschema"]) from None
    return Draft202012Validator(json.loads((PACKAGE / "schema" / f"{name}.json").read_text("ascii")))


def case_problems(case: Case, corpus: Corpus) -> Iterator[str]:
    """Everything about one case that a schema cannot say."""
    yield from place_problems(case)
    yield from title_problems(case, corpus)
    yield from input_problems(case)
    wrong = lint_expectation(case)
    yield from wrong
    yield from reference_problems(case, corpus)
    yield from number_problems(case.record["expect"])
    if not wrong:
        yield from floor_problems(case, corpus)
        yield from unit_problems(case)


def unusable(case: Case) -> Iterator[str]:
    """What of a case would keep it from being asked or judged: all that `run` insists on, `check` wants more."""
    if case.operation not in OPERATIONS:
        yield f"no such operation: {case.operation[:40]!a}"
        return
    if case.level not in ("must", "should", "host"):
        yield f"no such level: {case.level[:40]!a}"
    if not case.record["title"].isprintable() or not case.record.get("why", "").isprintable():
        yield "title and why are one line of printable characters"
    if not set(case.needs) <= Host.VOCABULARY.keys():
        yield f"needs: only {', '.join(Host.VOCABULARY)}"
    given = case.record["input"]
    if len(given.keys() & {"text", "utf16", "build", "bytes", "value"}) != 1:
        yield "input: one of text, utf16, build, bytes, value"
        return
    limit = case.record.get("limits", {}).get("deadline_ms", 1000)
    if type(limit) is not int or not 100 <= limit <= 120_000:
        yield "limits: deadline_ms from 100 to 120000"
    try:
        assert case.request_tail and (case.text is None or isinstance(case.text, str))  # both are made here
        problems = lint_expectation(case)
    except (Malformed, LookupError, TypeError, ValueError, AttributeError, RecursionError, MemoryError) as error:
        problems = [f"input: {error}"]
    yield from problems


def place_problems(case: Case) -> Iterator[str]:
    prefix = case.file[: -len(".json")].replace("/", ".")
    if not case.id.startswith(prefix + "."):
        yield f"the id must start with {prefix}."
    if case.file.split("/")[0] != directory_of(case.operation):
        yield f"cases of {case.operation} live in {directory_of(case.operation)}/"
    if (case.level == "host") != ("value" in case.record["input"]):
        yield "level host is for inputs that are no string, and for them alone"


def title_problems(case: Case, corpus: Corpus) -> Iterator[str]:
    title = case.record["title"]
    hollow = HOLLOW.search(title)
    if "title" not in case.record.get("waive", {}) and (hollow or title.endswith(".") or len(title.split()) < 3):
        yield f"the title must state behaviour in three words or more{f', without {hollow[0]!r}' if hollow else ''}, and no full stop"


def input_problems(case: Case) -> Iterator[str]:
    given = case.record["input"]
    if "build" in given and build_facts(case.record) != {name: given.get(name) for name in ("size", "sha256")}:
        yield "input: size and sha256 are not the build's; `check --fix` writes them"
    if case.operation == "stream" and "chunks" not in given:
        yield "input: a stream case says in which chunks the input arrives"
    if case.operation != "stream" and "chunks" in given:
        yield "input: chunks are for stream alone"


def reference_problems(case: Case, corpus: Corpus) -> Iterator[str]:
    for member in ("contrast", "replaces"):
        name = case.record.get(member)
        if name is not None and (name == case.id or name not in corpus.by_id):
            yield f"{member}: no other case has the id {name}"
    known = rule_ids()
    for rule in case.record.get("rules", []):
        if known and rule not in known:
            yield f"rules: none of {', '.join(RULES)} has a rule {rule}"


RULES = ("RULES.md", "REPAIR.md", "STREAM.md")


def rule_ids() -> set[str]:
    """The rule ids that those files mention; empty when there are no such files."""
    paths = [path for path in map(PACKAGE.joinpath, RULES) if path.exists()]
    return {rule for path in paths for rule in re.findall(r"\b[A-Z][A-Z0-9]*-[0-9]+[a-z]?\b", path.read_text("utf-8"))}


def number_problems(wire: Any) -> Iterator[str]:
    """Number tokens whose bits are not theirs."""
    queue = [wire]
    while queue:
        item = queue.pop()
        if isinstance(item, list):
            queue += item
        elif isinstance(item, dict) and item.keys() == {"$n", "$b"}:
            if bits_of(float(item["$n"].replace("Infinity", "inf"))) != item["$b"]:
                yield f"expect: {item['$n'][:40]} has not the bits {item['$b']}"
        elif isinstance(item, dict):
            queue += item.values()


def floor_of(case: Case) -> list[str]:
    """The null implementations that pass a case."""
    return [name for name in nulls.NULLS if passes(case, nulls.ANSWERS[name](case.operation, case.wire_input))]


def passes(case: Case, answer: dict[str, Any]) -> bool:
    """Whether an answer meets the case on a host that loses nothing."""
    try:
        return judge_answer(case, answer, STRICT)[0] is None
    except Malformed:
        return False


def floor_problems(case: Case, corpus: Corpus) -> Iterator[str]:
    """An expectation must differ from what doing nothing scores, or point at a twin that does."""
    floor = floor_of(case)
    if not floor or "floor" in case.record.get("waive", {}):
        return
    twin = corpus.by_id.get(case.record.get("contrast", ""))
    if twin is None:
        yield f"{' and '.join(floor)} passes it: name a `contrast` case that it fails, or waive the floor with a reason"
    elif twin.operation != case.operation:
        yield "contrast: must be a case of the same operation"
    elif set(floor_of(twin)) & set(floor):
        yield f"contrast: {', '.join(sorted(set(floor_of(twin)) & set(floor)))} passes {twin.id} as well"


def unit_problems(case: Case) -> Iterator[str]:
    """A span in an answer must have non-ASCII text before it, or the three units are one."""
    if case.operation not in WITH_SPANS or case.text is None or "span-ascii" in case.record.get("waive", {}):
        return
    for span in spans_in(case.record["expect"]):
        if span["codepoints"][0] > 0 and span["codepoints"][0] == span["utf8"][0]:
            yield "expect: no non-ASCII text before a span, so its unit does not show"
            return


def spans_in(wire: Any) -> Iterator[dict[str, list[int]]]:
    """The spans of an expectation, those of values aside."""
    if isinstance(wire, list):
        for item in wire:
            yield from spans_in(item)
    elif isinstance(wire, dict):
        for name, item in wire.items():
            if name == "span":
                yield item
            elif name in ("any_of", "matches", "final"):
                yield from spans_in(item)


def twins(corpus: Corpus) -> Iterator[str]:
    """Cases that ask the same as an earlier one."""
    asked: dict[str, str] = {}
    for case in corpus.cases:
        question = json.dumps([case.operation, case.record["input"], case.options], sort_keys=True)
        if question in asked:
            yield f"{case.file}: {case.id}: asks the same as {asked[question]}"
        asked.setdefault(question, case.id)


def set_problems(corpus: Corpus, directory: Path) -> Iterator[str]:
    """Frozen sets: every case is there, as it was."""
    for path in sorted(directory.glob("*.json")) if directory.is_dir() else ():
        for problem in manifest_problems(corpus, read_manifest(path)):
            yield f"sets/{path.name}: {problem}"


def shares(corpus: Corpus) -> dict[str, int]:
    """Of a thousand core cases, how many each null implementation passes, rounded down."""
    core = [case for case in corpus.cases if case.operation in CORE and case.level != "host"]
    passed = Counter(name for case in core for name in floor_of(case))
    return {name: 1000 * passed[name] // max(1, len(core)) for name in nulls.NULLS}


def rising_floors(corpus: Corpus, path: Path) -> Iterator[str]:
    """What doing nothing scores may only fall. Nothing is said where no floors were written yet."""
    if path.exists():
        lowest = read_json(path.read_bytes(), path.name)
        for name, share in shares(corpus).items():
            if share > lowest.get(name, 0):
                yield f"{path.name}: {name} passes {share} of 1000 core cases now, it was {lowest.get(name, 0)}; write cases that it fails"


def write_floors(corpus: Corpus, path: Path) -> None:
    """Write the floors; check has seen that none rises."""
    path.write_text(json.dumps(shares(corpus), indent=1) + "\n", "ascii", newline="\n")


def write_manifest(corpus: Corpus, path: Path) -> None:
    """Write the digests of every case."""
    digests = {name: case.digest for name, case in sorted(corpus.by_id.items())}
    content = {"corpus": corpus_digest(digests), "count": len(digests), "cases": digests}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1) + "\n", "ascii", newline="\n")

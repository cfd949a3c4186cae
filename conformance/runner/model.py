"""Cases and adapters as data: loading, selecting, digests. Knows nothing of processes."""

from __future__ import annotations

import fnmatch
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from .text import expand, from_hex16, read_string, well_formed, write_string
from .values import names_merge, read_events, values_in

PACKAGE = Path(__file__).resolve().parent.parent

#: Whether this is a checkout, whose files are there to be changed. Installed, the package has another name (setup.py) and is pip's.
CHECKOUT = PACKAGE.name == "conformance"

CORE = ("json_parse", "extract_json_object", "extract_json", "try_extract_json")

#: Members of a case in canonical order; ``options`` and the like are left out when empty.
MEMBERS = (
    "id", "title", "why", "level", "operation", "input", "options", "expect", "rules", "needs", "limits", "source",
    "kills", "contrast", "replaces", "waive",
)  # fmt: skip


#: What kind of value each member is; those that a case may leave out.
KINDS: dict[str, type] = {
    "id": str, "title": str, "why": str, "level": str, "operation": str, "input": dict, "options": dict, "expect": dict,
    "rules": list, "needs": list, "limits": dict, "source": dict, "kills": list, "contrast": str, "replaces": str, "waive": dict,
}  # fmt: skip
OPTIONAL = KINDS.keys() - {"id", "title", "level", "operation", "input", "expect"}
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*){2}\Z")


class CorpusError(Exception):
    """The corpus is not what it should be; exit 3. ``problems`` holds one line each."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class UsageError(Exception):
    """The command line asks for something that is not there; exit 2."""


def to_be_written(path: Path, instead: str) -> Path:
    """``path``, which is about to be written. Raises UsageError, saying what to do ``instead``, where it is part of an installation."""
    if not CHECKOUT and path.resolve().is_relative_to(PACKAGE):
        raise UsageError(f"{path} is part of the installed package, which is left as it is: {instead}")
    return path


@dataclass
class Case:
    """One case. ``record`` is the case as it stands in its file, ``file`` that file's path below cases/."""

    record: dict[str, Any]
    file: str
    read: dict[tuple[int, str], list[Any]] = field(default_factory=dict, repr=False)

    @cached_property
    def id(self) -> str:
        return self.record["id"]

    @cached_property
    def operation(self) -> str:
        return self.record["operation"]

    @property
    def level(self) -> str:
        return self.record["level"]

    @property
    def topic(self) -> str:
        return self.id.split(".")[1]

    @property
    def options(self) -> dict[str, Any]:
        return self.record.get("options", {})

    @property
    def needs(self) -> list[str]:
        return self.record.get("needs", [])

    @property
    def expectations(self) -> list[dict[str, Any]]:
        """The acceptable answers, one or more."""
        expect = self.record["expect"]
        return expect.get("any_of", [expect])

    @cached_property
    def deadline(self) -> float | None:
        """The case's own deadline in seconds, if it has one."""
        own = self.record.get("limits", {}).get("deadline_ms")
        return own / 1000 if own else None

    @cached_property
    def text(self) -> str | None:
        """The input as a string; None for bytes that are no UTF-8 and for values that are no string."""
        given = self.record["input"]
        if "text" in given:
            return read_string(given["text"])
        if "utf16" in given:
            return from_hex16(given["utf16"])
        if "build" in given:
            return expand(given["build"])
        if "bytes" in given:
            try:
                return bytes.fromhex(given["bytes"]).decode("utf-8")
            except UnicodeDecodeError:
                return None
        return None

    @property
    def ill_formed_input(self) -> bool:
        """Whether the input holds a raw lone surrogate."""
        return self.text is not None and not well_formed(self.text)

    @property
    def needs_ill_formed(self) -> bool:
        """Whether a host that loses lone surrogates cannot be asked: for the input, or for names that are told apart by nothing else."""
        return self.ill_formed_input or any(
            names_merge(self.events(value, "kept")) for expect in self.expectations for value in values_in(expect)
        )

    @cached_property
    def wire_input(self) -> dict[str, Any]:
        """The input as the protocol sends it: builds expanded."""
        given = self.record["input"]
        if "build" not in given:
            return given
        wire = write_string(self.text or "")
        sent = {"text": wire} if isinstance(wire, str) else {"utf16": wire["$u16"]}
        return sent | {name: given[name] for name in ("chunks",) if name in given}

    @cached_property
    def request_tail(self) -> bytes:
        """The request line after its id."""
        members = {"op": self.operation, "input": self.wire_input, "options": self.options}
        return (json.dumps(members, separators=(",", ":"))[1:] + "\n").encode("ascii")

    def events(self, wire: Any, order: str) -> list[Any]:
        """The events of a value of this case's expectations, read once."""
        key = (id(wire), order)
        if key not in self.read:
            self.read[key] = read_events(wire, order, corpus=True)
        return self.read[key]

    @property
    def digest(self) -> str:
        """SHA-256 of the canonical form."""
        return hashlib.sha256(canonical_case(self.record).encode("ascii")).hexdigest()


@dataclass
class Corpus:
    """All cases, in the order of their files and places."""

    cases: list[Case]
    root: Path
    by_id: dict[str, Case] = field(init=False)

    def __post_init__(self) -> None:
        self.by_id = {case.id: case for case in self.cases}

    @cached_property
    def digest(self) -> str:
        """One digest of every case, whatever file it stands in."""
        return corpus_digest({case.id: case.digest for case in self.cases})


def corpus_digest(digests: dict[str, str]) -> str:
    """The digest of a corpus from those of its cases."""
    lines = "".join(f"{name} {digests[name]}\n" for name in sorted(digests))
    return hashlib.sha256(lines.encode("ascii")).hexdigest()


def canonical_case(record: dict[str, Any]) -> str:
    """A case in canonical form: one member a line, in the order of MEMBERS, empty optional members left out."""
    rows = [
        f"      {json.dumps(name)}: {json.dumps(record[name])}"
        for name in sorted(record, key=lambda name: MEMBERS.index(name) if name in MEMBERS else len(MEMBERS))
        if name not in ("options", "rules", "needs", "limits", "kills", "waive") or record[name]
    ]
    return "    {\n" + ",\n".join(rows) + "\n    }"


def canonical_file(content: dict[str, Any]) -> str:
    """A case file in canonical form."""
    about = f'  "about": {json.dumps(content["about"])},\n' if "about" in content else ""
    return "{\n" + about + '  "cases": [\n' + ",\n".join(map(canonical_case, content["cases"])) + "\n  ]\n}\n"


def read_json(raw: bytes, where: str) -> Any:
    """I-JSON from bytes: ASCII, no duplicate members, no lone surrogates, no floats, no integer beyond 2^53. Raises CorpusError."""
    try:
        text = raw.decode("ascii")
    except UnicodeDecodeError as error:
        raise CorpusError([f"{where}: byte {error.start} is no ASCII; write \\uXXXX"]) from None
    problems: list[str] = []

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            problems.append(f"{where}: an object has a member twice: {sorted(name for name, _ in pairs)}")
        for name, value in pairs:
            if not well_formed(name) or (isinstance(value, str) and not well_formed(value)):
                problems.append(f"{where}: a lone surrogate; write it as UTF-16 code units in hex")
        return found

    def integer(digits: str) -> int:
        if digits == "-0" or len(digits) > 17 or abs(int(digits)) >= 2**53:
            problems.append(f"{where}: {digits[:30]} is no plain integer below 2^53")
            return 0
        return int(digits)

    def other(token: str) -> None:
        problems.append(f"{where}: {token[:30]} is no integer; write a number with its token and bits")

    try:
        value = json.loads(text, object_pairs_hook=members, parse_int=integer, parse_float=other, parse_constant=other)
    except (ValueError, RecursionError) as error:
        raise CorpusError([f"{where}: no JSON: {error}"]) from None
    if problems:
        raise CorpusError(problems)
    return value


def load_file(path: Path, root: Path) -> list[Case]:
    """The cases of one file. Raises CorpusError when it has not the shape of a case file."""
    name = path.relative_to(root).as_posix()
    content = read_json(path.read_bytes(), name)
    cases = content.get("cases") if isinstance(content, dict) else None
    if not isinstance(cases, list):
        raise CorpusError([f'{name}: no "cases" list'])
    for place, record in enumerate(cases, 1):
        if not isinstance(record, dict):
            raise CorpusError([f"{name}: case {place} is no object"])
        missing = [member for member in KINDS if member not in record and member not in OPTIONAL]
        if missing:
            raise CorpusError([f"{name}: case {place} has no {', '.join(missing)}"])
        wrong = [member for member, kind in KINDS.items() if not isinstance(record.get(member, kind()), kind)]
        if wrong:
            raise CorpusError([f"{name}: case {place}: {', '.join(wrong)}: of the wrong kind"])
        if not _ID.match(record["id"]):
            raise CorpusError([f"{name}: case {place}: {record['id'][:80]!a} is no id: directory.file.slug"])
    return [Case(record, name) for record in cases]


def load_corpus(root: Path) -> Corpus:
    """Every case below ``root``. Raises CorpusError listing all that is wrong with the files as such."""
    problems: list[str] = []
    cases: list[Case] = []
    for path in sorted(root.rglob("*.json")):
        try:
            if not path.is_file():
                raise CorpusError([f"{path.relative_to(root).as_posix()}: no file"])
            cases += load_file(path, root)
        except CorpusError as error:
            problems += error.problems
        except OSError as error:
            problems.append(f"{path.relative_to(root).as_posix()}: {error.strerror}")
    seen: dict[str, str] = {}
    for case in cases:
        if case.id in seen:
            problems.append(f"{case.file}: the id {case.id} is taken already, in {seen[case.id]}")
        seen[case.id] = case.file
    if problems:
        raise CorpusError(problems)
    return Corpus(cases, root)


def read_manifest(path: Path) -> dict[str, str]:
    """The digests of a manifest, by case id. Raises CorpusError when the file is damaged."""
    content = read_json(path.read_bytes(), path.name)
    digests = content.get("cases") if isinstance(content, dict) else None
    if not isinstance(digests, dict) or content.get("corpus") != corpus_digest(digests):
        raise CorpusError([f"{path.name}: damaged: its digest is not that of its cases"])
    return digests


def manifest_problems(corpus: Corpus, digests: dict[str, str]) -> list[str]:
    """One line for each case that is gone or changed since the manifest was written, and for each directory whose cases are all gone.
    New cases are no problem."""
    listed = Counter(name.split(".")[0] for name in digests)
    emptied = listed.keys() - {name.split(".")[0] for name in corpus.by_id}
    problems = [f"{name}: the directory has no cases; {listed[name]} are in the manifest" for name in sorted(emptied)]
    for name, wanted in digests.items():
        case = corpus.by_id.get(name)
        if name.split(".")[0] in emptied:
            continue
        if case is None:
            problems.append(f"{name}: in the manifest, but no longer in the corpus")
        elif case.digest != wanted:
            problems.append(f"{name}: changed since the manifest was written ({case.file})")
    return problems


def select(
    cases: Iterable[Case],
    patterns: Iterable[str] = (),
    operations: Iterable[str] = (),
    levels: Iterable[str] = (),
) -> list[Case]:
    """The cases whose id matches any pattern (shell style, or a prefix that ends at a dot), of these operations and levels."""
    patterns, operations, levels = list(patterns), set(operations), set(levels)

    def wanted(case: Case) -> bool:
        return (
            (not operations or case.operation in operations)
            and (not levels or case.level in levels)
            and (not patterns or any(matches(case.id, pattern) for pattern in patterns))
        )

    return [case for case in cases if wanted(case)]


def matches(name: str, pattern: str) -> bool:
    """Whether a case id is meant by a pattern."""
    return fnmatch.fnmatchcase(name, pattern) or name.startswith(pattern.rstrip(".") + ".")


def directory_of(operation: str) -> str:
    """The directory below cases/ that holds an operation's cases, also the first part of their ids."""
    return operation.replace("_", "-")

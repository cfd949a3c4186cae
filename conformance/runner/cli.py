"""The command: ``python -m conformance`` in a checkout, ``jsonscan-conformance`` once installed.

Exit: 0 as expected, 1 unexpected result, 2 usage, 3 corpus invalid, 4 adapter did not start, 5 incomplete or no cases at all,
6 stale or expired known failures only.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import shlex
import signal
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from . import adapters, diff, doctor, export, lint, scaffold, selftest
from .drive import Limits
from .log import BESIDE, MEANING, Log, LogError, Report, read_log
from .model import (
    PACKAGE,
    Case,
    Corpus,
    CorpusError,
    UsageError,
    canonical_case,
    load_corpus,
    manifest_problems,
    read_manifest,
    select,
    to_be_written,
)
from .operations import OPERATIONS, preview, size_of, unit_of
from .report import badge, html, junit, markdown, terminal
from .run import Options, run

OK, UNEXPECTED, USAGE, INVALID, NOT_STARTED, INCOMPLETE, STALE = range(7)
BROKEN = 70
OWN_CORPUS = "name a directory of cases of your own with --corpus DIR"
PROGRAM = "python -m conformance" if __package__.startswith("conformance.") else "jsonscan-conformance"


def main(argv: list[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    arguments = parser().parse_args(argv)
    try:
        with contextlib.suppress(ValueError):  # not the main thread of somebody's program
            # the adapters are ended on the way
            signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
        code: int = arguments.action(arguments)
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # whoever read the report has had enough; the interpreter is not to try again
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return complain(f"{PROGRAM}: standard output was closed before all was said", USAGE)
    except CorpusError as error:
        return complain("\n".join([*error.problems, f"corpus invalid: {len(error.problems)} problem(s)"]), INVALID)
    except UsageError as error:
        return complain(f"{PROGRAM}: {error}", USAGE)
    except adapters.StartError as error:
        return complain(f"{PROGRAM}: {error}", NOT_STARTED)
    except LogError as error:
        return complain(f"{PROGRAM}: {error}", INCOMPLETE)
    except OSError as error:
        return complain(f"{PROGRAM}: {error.filename or ''}: {error.strerror}", USAGE)
    except KeyboardInterrupt:
        return complain("interrupted", 130)
    except Exception:
        traceback.print_exc()
        return complain(f"{PROGRAM}: this is a fault of the runner, and says nothing about any adapter", BROKEN)


def complain(text: str, code: int) -> int:
    print(text, file=sys.stderr)
    return code


def parser() -> argparse.ArgumentParser:
    """The argument parser."""
    shape: Any = {"epilog": epilog(), "formatter_class": argparse.RawDescriptionHelpFormatter}
    top = argparse.ArgumentParser(prog=PROGRAM, description=__doc__, **shape)
    verbs = top.add_subparsers(dest="verb", required=True, metavar="VERB")

    verb = verbs.add_parser("run", help="run adapters against the corpus", **shape)
    verb.add_argument(
        "adapters", nargs="*", metavar="ADAPTER", help="a name, or a path to a directory with an adapter.json"
    )
    verb.add_argument("--all", action="store_true", help="every reference and port")
    add_selection(verb)
    verb.add_argument("--passes", type=int, default=2, help="times through the cases, shuffled after the first (2)")
    verb.add_argument("--seed", type=int, default=0, help="of the shuffling")
    verb.add_argument("--window", type=int, default=256, help="requests in flight (256)")
    verb.add_argument("--deadline", type=float, default=20.0, help="seconds for a case without a limit of its own (20)")
    verb.add_argument("--patience", type=float, default=1.0, help="factor on every deadline, for slow machines")
    verb.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1), help="adapters run at a time")
    verb.add_argument("--update-known", action="store_true", help="write the failures of this run to <name>.known")
    verb.add_argument("--log", type=Path, help="write the event log here")
    verb.add_argument("--no-progress", action="store_true")
    add_renderings(verb)
    verb.set_defaults(action=do_run)

    verb = verbs.add_parser("report", help="render an event log", **shape)
    verb.add_argument("log", type=Path)
    add_renderings(verb)
    verb.set_defaults(action=do_report)

    verb = verbs.add_parser("check", help="lint the corpus")
    verb.add_argument("--fix", action="store_true", help="write canonical form, sizes and digests of builds first")
    verb.add_argument("--write-manifest", action="store_true", help="write dist/manifest.json when all else is right")
    verb.add_argument("--corpus", type=Path, default=PACKAGE / "cases", help="another directory of cases")
    verb.set_defaults(action=do_check)

    verb = verbs.add_parser(
        "selftest", help="run the adapters that misbehave on purpose: each must get the exit code due to it"
    )
    verb.add_argument("names", nargs="*", metavar="SABOTEUR")
    verb.add_argument("--patience", type=float, default=1.0)
    verb.set_defaults(action=do_selftest)

    verb = verbs.add_parser("adapter", help="write a skeleton of an adapter, or examine one")
    inner = verb.add_subparsers(dest="what", required=True, metavar="WHAT")
    verb = inner.add_parser("init", help="write a skeleton that runs and fails honestly")
    verb.add_argument("language", choices=scaffold.LANGUAGES)
    verb.add_argument("directory", nargs="?", type=Path, help="empty, or not there yet (./LANGUAGE-adapter)")
    verb.set_defaults(action=do_init)
    verb = inner.add_parser("doctor", help="one conversation, step by step, to the first wrong byte")
    verb.add_argument("adapter", metavar="ADAPTER")
    verb.add_argument(
        "--patience", type=float, default=10.0, help="seconds to wait for an answer (10), for hello three times as long"
    )
    verb.set_defaults(action=do_doctor)

    verb = verbs.add_parser("new", help="append a draft of a case to its file")
    verb.add_argument("operation", choices=list(OPERATIONS))
    verb.add_argument("topic")
    verb.add_argument("slug")
    verb.add_argument("--text", help="the input; standard input when left out")
    verb.add_argument("--corpus", type=Path, default=PACKAGE / "cases", help="another directory of cases")
    verb.set_defaults(action=do_new)

    verb = verbs.add_parser(
        "export", help="write the corpus for use without this program: corpus.jsonl, schemas, protocol"
    )
    verb.add_argument("directory", type=Path)
    add_selection(verb)
    verb.set_defaults(action=do_export)

    verb = verbs.add_parser("diff", help="find where two adapters part, over the corpus and made-up inputs")
    verb.add_argument("one", metavar="A", help="the adapter whose answer the printed case expects")
    verb.add_argument("other", metavar="B")
    verb.add_argument("--operation", action="append", default=[], choices=list(OPERATIONS))
    verb.add_argument("--seconds", type=float, default=60.0, help="when to stop (60)")
    verb.add_argument("--inputs", type=int, default=20_000, help="made-up inputs for each operation (20,000)")
    verb.add_argument("--seed", type=int, default=0)
    verb.add_argument("--corpus", type=Path, default=PACKAGE / "cases", help="another directory of cases")
    verb.set_defaults(action=do_diff)

    verb = verbs.add_parser(
        "mutants", help="wrong implementations made from jsonscan's pure build: the corpus must notice each"
    )
    verb.add_argument(
        "names", nargs="*", metavar="NAME", help="named mutants; all, and the automatic ones, when left out"
    )
    verb.add_argument("--quick", action="store_true", help="the named ones, and of the cases only those that name them")
    verb.add_argument("--sample", type=int, metavar="N", help="so many of the automatic ones")
    verb.add_argument("--seed", type=int, default=0, help="of the sample")
    verb.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    verb.add_argument("--matrix", type=Path, metavar="FILE", help="where a whole run writes (dist/kill-matrix.json)")
    verb.add_argument("--corpus", type=Path, default=PACKAGE / "cases", help="another directory of cases")
    verb.set_defaults(action=do_mutants)

    verb = verbs.add_parser("list", help="list the ids of cases, or the adapters")
    add_selection(verb)
    verb.add_argument("--adapters", action="store_true", help="list adapters instead")
    verb.set_defaults(action=do_list)

    verb = verbs.add_parser("show", help="show a case")
    verb.add_argument("id")
    verb.add_argument("--corpus", type=Path, default=PACKAGE / "cases")
    verb.add_argument("--request", action="store_true", help="the request line alone, to pipe into an adapter")
    verb.set_defaults(action=do_show)
    return top


def epilog() -> str:
    """What the table of a run holds."""
    rows = [f"  {name:<13}{text}" for name, text in {**MEANING, **BESIDE}.items()]
    return "\n".join(["the table of a run counts, for each adapter:", *rows])


def add_selection(verb: argparse.ArgumentParser) -> None:
    """The options that select cases."""
    verb.add_argument(
        "--id",
        action="append",
        default=[],
        metavar="PATTERN",
        help="ids, * as in a shell, or a prefix such as json-parse.numbers",
    )
    verb.add_argument("--operation", action="append", default=[], choices=list(OPERATIONS))
    verb.add_argument("--level", action="append", default=[], choices=["must", "should", "host"])
    verb.add_argument("--set", metavar="NAME", help="a frozen set of cases, such as 2026.1")
    verb.add_argument("--corpus", type=Path, default=PACKAGE / "cases", help="another directory of cases")


def add_renderings(verb: argparse.ArgumentParser) -> None:
    """The options that say what is rendered where."""
    verb.add_argument("--junit", type=Path, metavar="FILE")
    verb.add_argument("--markdown", type=Path, metavar="FILE")
    verb.add_argument("--badge", type=Path, metavar="FILE", help="with several adapters, the first one's")
    verb.add_argument(
        "--html", type=Path, metavar="FILE", help="one page that needs nothing else (jinja2 must be installed)"
    )
    verb.add_argument(
        "--failures", type=int, default=terminal.SHOWN, metavar="N", help="failures shown for each adapter (20)"
    )


def corpus_of(arguments: argparse.Namespace) -> Corpus:
    """The corpus, unchanged since its manifest was written. Raises CorpusError, UsageError."""
    root = arguments.corpus
    if not root.is_dir():
        raise CorpusError([f"{root}: no such directory"])
    corpus = load_corpus(root)
    problems = [] if corpus.cases else [f"{root}: no cases"]
    manifest = root.parent / "dist" / "manifest.json"
    listed: dict[str, str] = {}
    if manifest.exists():
        listed = read_manifest(manifest)
        problems += manifest_problems(corpus, listed)
    elif root == PACKAGE / "cases":
        problems.append(f"{manifest}: missing; without it nobody can tell whether a case was changed")
    problems += [
        f"{case.file}: {case.id}: {problem}"
        for case in corpus.cases
        if case.id not in listed
        for problem in lint.unusable(case)
    ]
    if problems:
        raise CorpusError(problems)
    return corpus


def selected(arguments: argparse.Namespace, corpus: Corpus) -> list[Case]:
    """The cases the options select. Raises UsageError for a pattern that selects nothing."""
    for pattern in arguments.id:
        if not select(corpus.cases, [pattern]):
            raise UsageError(f"no case has an id like {pattern!r}")
    cases = select(corpus.cases, arguments.id, arguments.operation, arguments.level)
    if arguments.set:
        path = arguments.corpus.parent / "sets" / f"{arguments.set}.json"
        if not path.exists():
            raise UsageError(f"no set {arguments.set!r}: {path} does not exist")
        members = read_manifest(path)
        problems = manifest_problems(corpus, members)
        if problems:
            raise CorpusError(problems)
        cases = [case for case in cases if case.id in members]
    return cases


def do_run(arguments: argparse.Namespace) -> int:
    """``run``."""
    corpus = corpus_of(arguments)
    cases = selected(arguments, corpus)
    specs = [adapters.find_spec(name) for name in arguments.adapters]
    if arguments.all:
        named = {spec.name for spec in specs}
        # the references first: what takes longest is not what is begun last
        specs += [
            spec
            for kind in ("reference", "port")
            for spec in adapters.all_specs()
            if spec.kind == kind and spec.name not in named
        ]
    if not specs:
        raise UsageError("name an adapter, or --all")
    if len({spec.name for spec in specs}) != len(specs):
        raise UsageError(f"two adapters have one name: {', '.join(f'{spec.name} in {spec.here}' for spec in specs)}")
    if min(arguments.passes, arguments.window, arguments.jobs) < 1 or min(arguments.deadline, arguments.patience) <= 0:
        raise UsageError("--passes, --window, --jobs, --deadline and --patience must be positive")
    if not cases:
        return complain("no case is selected", INCOMPLETE)
    if arguments.update_known:
        for spec in specs:
            to_be_written(spec.known_path, "copy the adapter's directory, and run the copy by its path")
    options = Options(
        limits=Limits(deadline=arguments.deadline, patience=arguments.patience, window=arguments.window),
        passes=arguments.passes,
        jobs=arguments.jobs,
        seed=arguments.seed,
        update_known=arguments.update_known,
    )
    how = {name: getattr(arguments, name) for name in ("id", "operation", "level", "set") if getattr(arguments, name)}
    paths = {spec.name: name for spec, name in zip(specs, arguments.adapters)}
    elsewhere = "" if arguments.corpus == PACKAGE / "cases" else f" --corpus {shlex.quote(str(arguments.corpus))}"
    header = {"selection": how, "repeat": f"{PROGRAM} run{elsewhere}", "command": sys.argv[1:], "paths": paths}
    progress = terminal.Progress(wanted=not arguments.no_progress)
    with log_to(arguments.log) as log:
        code = run(specs, cases, corpus, options, log, header, progress)
    progress.end()
    show_report(Report.of(log.events), arguments)
    return code


@contextlib.contextmanager
def log_to(path: Path | None) -> Iterator[Log]:
    """A log that is also written to ``path``."""
    if path is None:
        yield Log()
    else:
        with path.open("wb") as sink:
            yield Log(sink)


def show_report(report: Report, arguments: argparse.Namespace) -> None:
    """Render what the options ask for; the terminal's report to standard output."""
    if arguments.junit:
        arguments.junit.write_text(junit.render(report), "utf-8")
    if arguments.markdown:
        arguments.markdown.write_text(markdown.render(report), "utf-8")
    if arguments.badge:
        arguments.badge.write_text(badge.render(report, next(iter(report.columns.values()))), "utf-8")
    if arguments.html:
        arguments.html.write_text(html.render(report), "utf-8")
    sys.stdout.write(terminal.render(report, arguments.failures))


def do_report(arguments: argparse.Namespace) -> int:
    """``report``: the exit code is that of the run."""
    events = read_log(arguments.log)
    try:
        report = Report.of(events)
        show_report(report, arguments)
    except (LookupError, TypeError, AttributeError) as error:
        raise LogError(f"{arguments.log}: no log that this program wrote: {error!r:.100}") from None
    return report.exit


def do_check(arguments: argparse.Namespace) -> int:
    """``check``."""
    if arguments.fix or arguments.write_manifest:
        to_be_written(arguments.corpus, OWN_CORPUS)
    manifest = arguments.corpus.parent / "dist" / "manifest.json"
    corpus, problems = lint.check(arguments.corpus, arguments.fix, None if arguments.write_manifest else manifest)
    if problems:
        raise CorpusError(problems)
    if arguments.write_manifest:
        lint.write_manifest(corpus, manifest)
        lint.write_floors(corpus, manifest.with_name("floors.json"))
    print(f"{len(corpus.cases)} cases, corpus {corpus.digest[:12]}: all right")
    return OK


def do_selftest(arguments: argparse.Namespace) -> int:
    """``selftest``."""
    everyone = selftest.names()
    unknown = set(arguments.names) - set(everyone)
    if unknown:
        raise UsageError(f"no such saboteur: {', '.join(sorted(unknown))}")
    wrong = 0
    chosen = arguments.names or everyone
    for trial in selftest.trials(chosen, arguments.patience):
        print(selftest.row(trial), flush=True)
        wrong += not trial.right
    print(f"{len(chosen)} saboteurs, {wrong} judged wrongly")
    return UNEXPECTED if wrong else OK


def do_init(arguments: argparse.Namespace) -> int:
    """``adapter init``."""
    directory = arguments.directory or Path(f"{arguments.language}-adapter")
    for path in scaffold.init(arguments.language, directory):
        print(path)
    # a bare name could be that of an adapter that ships
    where = shlex.quote(f"./{directory}" if directory.name == str(directory) else str(directory))
    print(f"\nnext:  {PROGRAM} adapter doctor {where}\n       {PROGRAM} run {where}")
    return OK


def do_doctor(arguments: argparse.Namespace) -> int:
    """``adapter doctor``."""
    well = doctor.examine(
        adapters.find_spec(arguments.adapter), arguments.patience, lambda text: print(text, flush=True)
    )
    return OK if well else UNEXPECTED


def do_new(arguments: argparse.Namespace) -> int:
    """``new``."""
    for name in (arguments.topic, arguments.slug):
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
            raise UsageError(f"{name!r} is no part of an id: small letters, digits and single hyphens")
    to_be_written(arguments.corpus, OWN_CORPUS)
    text = sys.stdin.read() if arguments.text is None else arguments.text
    path = scaffold.new(arguments.corpus, arguments.operation, arguments.topic, arguments.slug, text)
    print(f"{path}\ncomplete it, record its expectation, then: {PROGRAM} check --fix")
    return OK


def do_export(arguments: argparse.Namespace) -> int:
    """``export``."""
    corpus = corpus_of(arguments)
    cases = selected(arguments, corpus)
    if not cases:
        return complain("no case is selected", INCOMPLETE)
    for path in export.export(corpus, cases, arguments.directory):
        print(path)
    return OK


def do_diff(arguments: argparse.Namespace) -> int:
    """``diff``: 1 when there is a difference."""
    one, other = adapters.find_spec(arguments.one), adapters.find_spec(arguments.other)
    corpus = corpus_of(arguments)
    found = 0
    for difference in diff.diff(
        one, other, corpus, arguments.operation, arguments.seconds, arguments.seed, arguments.inputs
    ):
        found += 1
        operation = difference.case.operation
        size = size_of(difference.case.text or "", operation)
        print(f"{operation}: {size:,} {unit_of(operation)} ({difference.found_in})")
        print(f"    input: {preview(difference.case, 400)}")
        for spec, said in ((one, difference.said), (other, difference.other)):
            print(f"    {spec.name}: {said.brief}")
        print("a case for the corpus, expecting the answer of the first:")
        print(canonical_case(diff.ready_case(difference, one.name, other.name)) + "\n", flush=True)
    print(f"{found} operation(s) differ" if found else "no difference found")
    return UNEXPECTED if found else OK


def do_mutants(arguments: argparse.Namespace) -> int:
    """``mutants``."""
    from . import mutants

    plan = mutants.Plan(arguments.names, arguments.quick, arguments.sample, arguments.seed, arguments.jobs)
    matrix = arguments.matrix or arguments.corpus.parent / "dist" / "kill-matrix.json"
    if not plan.quick and not plan.names:
        to_be_written(matrix, "name a file of your own with --matrix FILE, or some mutants")
    return mutants.run(corpus_of(arguments), plan, lambda line: print(line, flush=True), matrix)


def do_list(arguments: argparse.Namespace) -> int:
    """``list``."""
    if arguments.adapters:
        for spec in adapters.all_specs():
            print(f"{spec.name}\t{spec.kind}\t{spec.about}")
        return OK
    cases = selected(arguments, corpus_of(arguments))
    for case in cases:
        print(f"{case.id}\t{case.level}\t{case.record['title']}")
    return OK if cases else INCOMPLETE


def do_show(arguments: argparse.Namespace) -> int:
    """``show``."""
    case = corpus_of(arguments).by_id.get(arguments.id)
    if case is None:
        raise UsageError(f"no case has the id {arguments.id!r}")
    if arguments.request:
        sys.stdout.write(f'{{"id":1,{case.request_tail.decode("ascii")}')
        return OK
    record: dict[str, Any] = case.record
    print(f"{case.id}  ({case.level}, {case.file})")
    print(f"  {record['title']}")
    print(f"  catches: {record.get('why', '')}")
    for name in ("rules", "kills", "needs"):
        if record.get(name):
            print(f"  {name}: {', '.join(record[name])}")
    print(f"  input ({', '.join(record['input'])}): {preview(case, 400)}")
    print(f"  options: {json.dumps(case.options)}")
    for expect in case.expectations:
        print(f"  expect: {json.dumps(expect)[:2000]}")
    print(f"  run it: {PROGRAM} run ADAPTER --id {shlex.quote(case.id)}")
    return OK

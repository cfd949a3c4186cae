"""A structure-aware fuzzer and a stateful one, both with hypothesis: the compiled build against the pure one.

    python -m tests.fuzz.structured --seconds 60

Documents are values written out and then damaged where damage is likely: at a token, not at a random character. `Texts` asks every
entry about one; `Streams` is a stream fed, looked at, emptied of items and closed in any order. What differs is printed as hypothesis
minimised it. Exit status: 0 nothing differs, 1 something does, 2 there is no compiled build.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from ..options import OPTIONS_AND_BIG_INT as OPTIONS

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BATCH = 40
PACKAGES: list[ModuleType] = []  # compiled, pure

SCALARS = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False) | st.text(max_size=8)
NAMES = st.text(max_size=4) | st.sampled_from(["a", "key", "sixteen chars ok", "__proto__", "</think>"])
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4), max_leaves=12)
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[-\w.+]+|[\[\]{}:,]|\s+')
# What may stand instead of a token, by its first character.
DAMAGE: dict[str, list[str]] = {
    '"': ["'{}'", "{}", "“{}”", '"{}', '{}"', '"{} "x" {}"', '"""{}"""', '\\"{}\\"', '"{}\n"', '"{}" + "{}"', '"{}\\x"'],
    ",": ["", ";", ",,", ", // x\n", " /* y */,", ",}", ",]", "\n", "，"],
    ":": ["", "=", "=>", "::", " :\n", "："],
    "{": ["", "{{", "dict(", "{ // x\n", "{,", "["],
    "}": ["", "}}", "]", ",}", ")", "...}"],
    "[": ["", "[[", "(", "[,", "{", "["],
    "]": ["", "]]", "}", ",]", ")", ", ...]"],
    "t": ["True", "TRUE", "tru", "yes"],
    "f": ["False", "fals", "no"],
    "n": ["None", "undefined", "NaN", "nul"],
}
NUMBERS = ["+{}", "{}.", ".{}", "0{}", "{}e", "1,{}", "{} mg", "Infinity", "-{}", "0x{}"]
AROUND = ["{}", "{}", "Sure:\n```json\n{}\n```\nbye", "<think>{{x}}</think>\n{}", "<answer>{}</answer>", "a {} b", "```\n{}",
          "{}\n{}", '"a": {}']  # fmt: skip


@st.composite
def documents(draw: Callable[[Any], Any]) -> str:
    """A value in JSON, some of its tokens damaged, in a response, which may be cut."""
    text = json.dumps(draw(VALUES), ensure_ascii=draw(st.booleans()), indent=draw(st.sampled_from([None, 1])))
    tokens = TOKEN.findall(text)
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(tokens) - 1))
        ways = DAMAGE.get(tokens[at][:1], NUMBERS if tokens[at].strip() else ["", "\n", "\t", "\u00a0", "# x\n"])
        tokens[at] = draw(st.sampled_from(ways)).replace("{}", tokens[at].strip('"'))
    text = draw(st.sampled_from(AROUND)).replace("{}", "".join(tokens)).replace("{{", "{").replace("}}", "}")
    return text[: draw(st.integers(0, len(text)))] if draw(st.integers(0, 4)) == 0 else text


def said(call: Callable[[], Any], package: ModuleType) -> Any:
    """What a call gives or raises, in a form that compares between the builds."""
    try:
        return repr(call()).replace("jsonscan_pure", "jsonscan")
    except package.JSONScanError as error:
        return type(error).__name__, error.code, error.pos, str(error), repr(getattr(error, "partial", None)), getattr(error, "path", None)


def asked(package: ModuleType, text: str, options: dict[str, Any]) -> list[Any]:
    scanner = package.compile(**options)
    found = [said(lambda call=call: call(text), package) for call in (
        package.loads, package.extract_json, package.extract_json_object, package.try_extract_json, scanner.loads, scanner.findall,
        scanner.search, scanner.repair)]  # fmt: skip
    return [*found, said(lambda: [(each.span(), each.value, repr(each.repairs)) for each in scanner.finditer(text)], package)]


def outline(match: Any) -> Any:
    return match and (match.span(), match.value, match.complete)


class Streams(RuleBasedStateMachine):
    """Two streams, one of each build, to which the same is done."""

    def __init__(self) -> None:
        super().__init__()
        self.streams: list[Any] = []
        self.text, self.taken, self.closed = "", False, False
        self.options: dict[str, Any] = {}

    def both(self, call: Callable[[Any], Any]) -> list[Any]:
        """What the call gives for each stream; it must be the same."""
        if not self.streams:
            self.streams = [package.Stream() for package in PACKAGES]
        answers = [said(lambda stream=stream: call(stream), package) for stream, package in zip(self.streams, PACKAGES, strict=True)]
        assert answers[0] == answers[1], answers
        return answers

    @rule(options=OPTIONS)
    def open(self, options: dict[str, Any]) -> None:
        if not self.streams:
            options.pop("fragments", None)
            self.options, self.streams = options, [package.Stream(**options) for package in PACKAGES]

    @rule(text=documents(), sizes=st.lists(st.integers(1, 12), min_size=1, max_size=6), encoded=st.booleans())
    def feed(self, text: str, sizes: list[int], encoded: bool) -> None:
        if self.closed:
            return
        try:
            data: Any = text.encode() if encoded else text
        except UnicodeEncodeError:
            data = text
        at, turn = 0, 0
        while at < len(data):
            piece = data[at : at + sizes[turn % len(sizes)]]
            self.both(lambda stream, piece=piece: (stream.feed(piece) and None, stream.value, stream.state))
            at, turn = at + len(piece), turn + 1
        self.text += text

    @rule(path=st.sampled_from(["", "/a", "/key", "/0", "/a/0"]))
    def look(self, path: str) -> None:
        self.both(lambda stream: (stream.is_complete(path), stream.snapshot(), stream.state))

    @rule(append=st.booleans())
    def delta(self, append: bool) -> None:
        self.both(lambda stream: stream.delta(append=append))

    @rule(path=st.sampled_from(["", "", "/a", "/key"]))
    def take(self, path: str) -> None:
        self.taken = True
        self.both(lambda stream: stream.items(path))

    def teardown(self) -> None:
        answers = self.both(lambda stream: outline(stream.close()))
        if not self.taken:
            whole = said(lambda: outline(PACKAGES[0].search(self.text, **self.options)), PACKAGES[0])
            assert (answers[0] if isinstance(answers[0], str) else answers[0][:2]) == (whole if isinstance(whole, str) else whole[:2])


def calm(examples: int, steps: int = 12) -> Any:
    return settings(max_examples=examples, stateful_step_count=steps, deadline=None, database=None, print_blob=False,
                    suppress_health_check=list(HealthCheck), phases=[Phase.generate, Phase.shrink])  # fmt: skip


def texts_differ(number: int) -> int:
    """How many texts were tried."""
    tried = 0

    @seed(number)
    @calm(BATCH)
    @given(documents(), OPTIONS)
    def compare(text: str, options: dict[str, Any]) -> None:
        nonlocal tried
        tried += 1
        one, other = (asked(package, text, options) for package in PACKAGES)
        assert one == other, (text, options, [pair for pair in zip(one, other, strict=True) if pair[0] != pair[1]])

    compare()
    return tried


def streams_differ(number: int) -> int:
    """How many streams were tried."""
    tried = 0

    class Counted(Streams):
        def teardown(self) -> None:
            nonlocal tried
            tried += 1
            super().teardown()

    run_state_machine_as_test(seed(number)(Counted), settings=calm(BATCH // 2))
    return tried


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.structured", description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=60, help="how long (default %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="which texts (default %(default)s)")
    parser.add_argument("--only", choices=["texts", "streams"], help="one of the two")
    options = parser.parse_args(argv)
    checkout = os.path.dirname(TESTS)
    sys.path[:] = [TESTS, *(path for path in sys.path if os.path.abspath(path) != checkout), checkout]
    import builds

    if "compiled" not in builds.BUILDS:
        print("error: the jsonscan that is installed is the pure build", file=sys.stderr)
        return 2
    PACKAGES[:] = [builds.package_of("compiled"), builds.package_of("pure")]
    ends, number, counts = time.monotonic() + options.seconds, options.seed, {"texts": 0, "streams": 0}
    while time.monotonic() < ends:
        if options.only != "streams":
            counts["texts"] += texts_differ(number)
        if options.only != "texts":
            counts["streams"] += streams_differ(number)
        number += 1
    print(f"{counts['texts']:,} structured texts and {counts['streams']:,} streams (seeds {options.seed} to {number - 1}), none differs")
    return 0


if __name__ == "__main__":
    sys.exit(main())

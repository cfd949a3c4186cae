"""Reports made up event by event: what no adapter in the checkout does, and what nobody should be able to do to a page."""

from __future__ import annotations

from typing import Any

from jsonscan_conformance.runner.log import FORMAT, Log, Report

VERDICTS = ("pass", "weakened", "fail", "crash", "timeout", "unstable", "known", "differs", "not-run")
HOST = {"strings": "codepoints", "ill_formed": "kept", "integers": "exact", "numbers": "typed", "key_order": "kept"}
#: Text that would like to be more than text.
HOSTILE = (
    "</pre></code></details></style></script><script>document.title='owned'</script>"
    "<img src=x onerror=\"document.title='owned'\">{{ 7*7 }}"
)
INVISIBLE = "a \t\r\n\x00\x1b\x7f\x85\u00a0\u00ad\u180e\u200b\u200d\u202e\u2028\u2066\ufeff\ufffe\U000e0001e\u0301"


def case(slug: str, **members: Any) -> dict[str, Any]:
    """A case of extract_json_object."""
    return {
        "id": f"extract-json-object.page.{slug}",
        "title": f"what {slug} shows",
        "why": "a page must show it",
        "level": "must",
        "operation": "extract_json_object",
        "input": {"text": "x {} y"},
        "expect": {"outcome": "unchanged"},
        "rules": ["OBJECT-1"],
        "source": {"kind": "written"},
        **members,
    }


def span(start: int, end: int) -> dict[str, list[int]]:
    return {unit: [start, end] for unit in ("codepoints", "utf16", "utf8")}


CASES = [
    case("plain", input={"text": "x {} y"}, expect={"outcome": "found", "text": "{}", "span": span(2, 4)}),
    case("hostile", title=HOSTILE, why=HOSTILE, input={"text": HOSTILE}, kills=["string-blind"]),
    case("invisible", input={"text": INVISIBLE}),
    case("lone", input={"utf16": "d83d0061dc00"}),
    case("bytes", input={"bytes": "7bff7d"}),
    case("value", input={"value": None}, level="host"),
    case("long", input={"build": {"repeat": ['{"abcdefghij":', 20000]}, "size": {}, "sha256": ""}),
    case("unbroken", input={"text": "x" * 3000}),
    case(
        "either", expect={"any_of": [{"outcome": "unchanged"}, {"outcome": "found", "text": "{}", "span": span(2, 4)}]}
    ),
    *(case(f"calm-{number}", input={"text": f"{number}"}) for number in range(30)),
]


def log(**verdicts: str) -> Log:
    """A log in which each adapter came to its verdict on every case but one, which is passed; ``gone`` did not start."""
    made = Log()
    ids = [record["id"] for record in CASES]
    made.write(
        "header",
        format=FORMAT,
        corpus={"digest": "0" * 64, "cases": len(CASES)},
        selection={"digest": "1" * 64, "cases": len(CASES)},
        seed=0,
        passes=1,
        environment={"python": "3.11", "platform": HOSTILE},
        started="2026-01-01T00:00:00+00:00",
        repeat="jsonscan-conformance run",
        command=["run", HOSTILE],
    )
    for record in CASES:
        made.write("case", case=record)
    made.write("floor", name="identity", passed=ids[1:])
    for name, verdict in verdicts.items():
        made.write("adapter", adapter=name, kind="port", about=HOSTILE, setup=HOSTILE, command=[name], path=name)
        if name == "gone":
            made.write("not-started", adapter=name, detail=HOSTILE)
        else:
            hello = {
                "implementation": HOSTILE + "\u202e\ud800",
                "version": INVISIBLE,
                "language": HOSTILE,
                "operations": [],
                "host": HOST,
            }
            made.write("hello", adapter=name, hello=hello, overstated=[], hints=[HOSTILE])
            made.write("fault", adapter=name, kind="stray-line", detail=HOSTILE)
            made.write("pass", adapter=name, number=1, cases=len(CASES), seconds=0.5, restarts=0)
        counts: dict[str, int] = {}
        for at, identity in enumerate(ids):
            mine = "not-run" if name == "gone" else verdict if at % 3 else "pass"
            counts[mine] = counts.get(mine, 0) + 1
            more = (
                {}
                if mine == "pass"
                else {"difference": HOSTILE, "note": HOSTILE, "known": HOSTILE, "weakened": ["integers"]}
            )
            answer = {} if mine == "pass" else {"answer": {"outcome": HOSTILE, "value": {HOSTILE: "\u202e"}}}
            made.write("result", adapter=name, id=identity, verdict=mine, **more, **answer)
        made.write("done", adapter=name, counts=counts, exit=1)
    made.close(1)
    return made


def report(**verdicts: str) -> Report:
    """The report of such a log; with nothing said, one adapter for each verdict, and one that did not start."""
    return Report.of(log(**(verdicts or {**{verdict: verdict for verdict in VERDICTS}, "gone": "not-run"})).events)

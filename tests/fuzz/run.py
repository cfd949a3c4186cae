"""All fuzzers, one after the other, for some minutes: how much each tried, what it covered, what it found.

    python -m tests.fuzz.run --minutes 30 [--only libfuzzer] [--corpus DIRECTORY]

libfuzzer    coverage-guided, the compiled machine alone under AddressSanitizer and UndefinedBehaviourSanitizer (libfuzzer.c; needs
             clang-19 and Debian's python3.11-dev). Its corpus starts from the conformance cases and the hostile families; a directory
             named by --corpus is gone on with and kept.
bodies       the two bodies of the machine, step by step
repair       the two builds on damaged documents, down to the last edit
floats       numbers, to the last bit, as float() reads them
structured   the two builds on values damaged token by token, and on streams used in any order (hypothesis)
linear       texts at several lengths: steps and time for each character do not grow
original     this library and the original modules under Node; only where JSONSCAN_ORIGINALS names them

Exit status: 0 nothing was found, 1 something was (it is printed; a text that was at fault becomes a case of the corpus or a row of
finds.json), 2 a fuzzer cannot run.
"""

from __future__ import annotations

import argparse
import collections
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

from tests.wall.build import KINDS, ROOT, built

HERE = pathlib.Path(__file__).parent
SHARES = {"libfuzzer": 50, "structured": 20, "bodies": 10, "repair": 10, "linear": 10, "floats": 2, "original": 10}
DONE = re.compile(r"^(?:compiled build: )?([\d,]+) (?:cases|damaged texts|texts|numbers|structured texts and ([\d,]+) streams)", re.M)
MOST = 1500  # bytes of an input


def seeds() -> Iterator[bytes]:
    """Inputs for libfuzzer.c: every text of the corpus and of the families, in each way the harness has."""
    sys.path.append(str(HERE.parent))
    from families import FAMILIES

    texts = [make(200) for make in FAMILIES.values()]
    for file in sorted((ROOT / "conformance" / "cases").glob("*/*.json")):
        texts += [case["input"]["text"] for case in json.loads(file.read_text("utf-8"))["cases"] if "text" in case["input"]]
    options = {1: (0, 16, 12), 3: (0, 128 + 16, 32 + 1)}
    for text in texts:
        encoded = text.encode("utf-8", "surrogatepass")
        for way in range(8):
            script = bytes([7, 6, 8, 18]) if way == 4 else b""
            for each in options.get(way, (0,)):
                yield (bytes([way, each, len(script)]) + script + encoded)[:MOST]


class Harness:
    """libfuzzer.c, built with the extension it drives."""

    def __init__(self, where: pathlib.Path) -> None:
        build = built("libfuzzer", where)
        kind, self.program, self.where = KINDS["libfuzzer"], where / "harness", where
        # The harness imports the extension without the package: no Python runs but what it calls.
        (extension,) = (build / "jsonscan").glob("_machine*.so")
        alone = where / "alone"
        alone.mkdir(exist_ok=True)
        extension.replace(alone / extension.name)
        config = [
            subprocess.run([f"{kind.python}-config", *asked], check=True, capture_output=True, text=True).stdout.split()
            for asked in (["--includes"], ["--embed", "--ldflags"])
        ]
        subprocess.run([kind.compiler, "-O1", "-g", "-fsanitize=fuzzer,address,undefined", *config[0], HERE / "libfuzzer.c",
                        "-o", self.program, "-Wl,--export-dynamic", *config[1]], check=True)  # fmt: skip
        self.environment = os.environ | {"JSONSCAN_FUZZ_BUILD": str(alone), "PYTHONMALLOC": "malloc", "ASAN_OPTIONS": "detect_leaks=0"}
        self.environment.pop("PYTHONPATH", None)

    def run(self, *arguments: str | pathlib.Path) -> subprocess.CompletedProcess[str]:
        command = [self.program, f"-max_len={MOST}", "-rss_limit_mb=2500", f"-artifact_prefix={self.where}/", *arguments]
        return subprocess.run(command, env=self.environment, stderr=subprocess.PIPE, errors="replace", text=True, check=False)

    def seeded(self) -> pathlib.Path:
        into = self.where / "seeds"
        into.mkdir(exist_ok=True)
        for seed in seeds():
            (into / hashlib.sha1(seed).hexdigest()).write_bytes(seed)
        return into

    def fuzz(self, corpus: pathlib.Path, seconds: float) -> tuple[str, int]:
        corpus.mkdir(parents=True, exist_ok=True)
        ran = self.run(f"-max_total_time={seconds:.0f}", "-timeout=20", "-print_final_stats=1", f"-dict={HERE / 'fuzz.dict'}", corpus,
                       self.seeded())  # fmt: skip
        executions = re.findall(r"stat::number_of_executed_units: (\d+)", ran.stderr)
        covered = re.findall(r"cov: (\d+) ft: (\d+) corp: (\d+)", ran.stderr)
        counters = re.findall(r"\((\d+) inline 8-bit counters\)", ran.stderr)
        if not covered or ran.returncode:
            print(ran.stderr[-4000:])
        edges, features, inputs = covered[-1] if covered else ("?",) * 3
        total = counters[0] if counters else "?"
        said = f"{int(executions[0] if executions else 0):,} executions, {edges} of {total} edges, {features} features, {inputs} inputs"
        return said, ran.returncode


def differential(name: str, seconds: float, seed: int) -> tuple[str, int]:
    """Run one of the Python fuzzers again and again, each time with the next seed."""
    given = {"bodies": ["--count", "4000"], "repair": ["--count", "1000"], "structured": ["--seconds", f"{seconds:.0f}"],
             "linear": ["--seconds", f"{seconds:.0f}"],
             "floats": ["--count", "100000"], "original": ["--count", "500", "--build", "compiled"]}  # fmt: skip
    tried: collections.Counter[str] = collections.Counter()
    ends, status = time.monotonic() + seconds, 0
    while status == 0 and time.monotonic() < ends:
        command = [sys.executable, "-m", f"tests.fuzz.{name}", "--seed", str(seed), *given[name]]
        ran = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        status, seed = ran.returncode, seed + 1
        if status:
            print(ran.stdout[-4000:])
        for texts, streams in DONE.findall(ran.stdout):
            tried["texts"] += int(texts.replace(",", ""))
            tried["streams"] += int(streams.replace(",", "") or 0)
    return ", ".join(f"{count:,} {what}" for what, count in tried.items() if count) or "nothing", status


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.run", description=__doc__.split("\n")[0])
    parser.add_argument("--minutes", type=float, default=10, help="for all together (default %(default)s)")
    parser.add_argument("--only", choices=SHARES, action="append", help="this one (may be repeated)")
    parser.add_argument("--corpus", type=pathlib.Path, help="libFuzzer's inputs, kept there")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="which texts (default: others every time)")
    options = parser.parse_args()
    chosen = options.only or [name for name in SHARES if name != "original" or os.environ.get("JSONSCAN_ORIGINALS")]
    whole, worst = sum(SHARES[name] for name in chosen), 0
    for name in chosen:
        seconds = options.minutes * 60 * SHARES[name] / whole
        if name == "libfuzzer":
            with tempfile.TemporaryDirectory() as scratch:
                where = pathlib.Path(scratch)
                harness = Harness(where)
                said, status = harness.fuzz(options.corpus.resolve() if options.corpus else where / "corpus", seconds)
                for input_at_fault in [*where.glob("crash-*"), *where.glob("timeout-*"), *where.glob("oom-*")]:
                    print(f"{input_at_fault.name}: {input_at_fault.read_bytes()!r}")
        else:
            said, status = differential(name, seconds, options.seed)
        found = {0: "nothing found", 2: "cannot run"}.get(status, "SOMETHING FOUND")
        print(f"{name}: {seconds:.0f} s, {said}; {found} (seed {options.seed})", flush=True)
        worst = max(worst, min(status, 2) if status in (0, 2) else 1)
    return worst


if __name__ == "__main__":
    sys.exit(main())

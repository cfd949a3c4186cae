"""``export``: the corpus for those who have their own runner, in one directory and without placeholders.

``corpus.jsonl`` has one case a line with its request beside it: ``request`` is what an adapter would be sent (builds expanded), so
that a test in any language needs no more than JSON.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from .model import PACKAGE, Case, Corpus

DOCUMENTS = ("PROTOCOL.md", "RULES.md", "REPAIR.md", "STREAM.md")


def export(corpus: Corpus, cases: list[Case], directory: Path) -> list[Path]:
    """Write the cases, the schemas and the documents; the files written."""
    (directory / "schema").mkdir(parents=True, exist_ok=True)
    written = [directory / "corpus.jsonl", directory / "manifest.json"]
    with written[0].open("w", encoding="ascii", newline="\n") as lines:
        for case in cases:
            request = json.loads(b"{" + case.request_tail)
            lines.write(json.dumps({**case.record, "request": request}, separators=(",", ":")) + "\n")
    digests = {case.id: case.digest for case in cases}
    content = {"corpus": corpus.digest, "selected": len(cases), "cases": digests}
    written[1].write_text(json.dumps(content, indent=1) + "\n", "ascii", newline="\n")
    for source in [*sorted((PACKAGE / "schema").glob("*.json")), *(PACKAGE / name for name in DOCUMENTS)]:
        if source.exists():
            target = directory / source.relative_to(PACKAGE)
            shutil.copyfile(source, target)
            written.append(target)
    return written

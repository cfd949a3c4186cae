"""``adapter init`` writes a skeleton that runs and fails honestly; ``new`` a draft of a case."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from .diff import corpus_input
from .model import PACKAGE, UsageError, canonical_file, directory_of, read_json
from .text import read_string

SKELETONS = PACKAGE / "runner" / "skeletons"
LANGUAGES = ("go", "rust", "node", "python", "java")


def init(language: str, directory: Path) -> list[Path]:
    """Write the skeleton of an adapter into a directory that is empty or not there yet; the files. Raises UsageError."""
    if directory.exists() and any(directory.iterdir()):
        raise UsageError(f"{directory} is not empty")
    name = re.sub(r"[^a-z0-9]+", "-", directory.resolve().name.lower()).strip("-") or "adapter"
    written = []
    source = SKELETONS / language
    for path in sorted(source.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            target = directory / path.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(path.read_text("utf-8").replace("NAME", name), "utf-8", newline="\n")
            written.append(target)
    return written


def draft(operation: str, topic: str, slug: str, text: str) -> dict[str, Any]:
    """A case that still has to be completed."""
    return {
        "id": f"{directory_of(operation)}.{topic}.{slug}",
        "title": "TODO: the behaviour, as a statement",
        "why": "TODO: the mistake that this case catches",
        "level": "must",
        "operation": operation,
        "input": corpus_input(text),
        "expect": {"outcome": "TODO: record it, do not type it"},
        "source": {"kind": "written"},
    }


def new(root: Path, operation: str, topic: str, slug: str, text: str) -> Path:
    """Append a draft to its file below ``root``; the file. Raises UsageError when the id is taken."""
    path = root / directory_of(operation) / f"{topic}.json"
    content = read_json(path.read_bytes(), str(path)) if path.exists() else {"cases": []}
    case = draft(operation, topic, slug, read_string(text))
    if any(one.get("id") == case["id"] for one in content["cases"]):
        raise UsageError(f"{case['id']} exists")
    content["cases"].append(case)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(canonical_file(content), "ascii", newline="\n")
    return path

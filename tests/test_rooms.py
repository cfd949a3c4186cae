"""Who never imports whom: the arrows of the house may not turn round."""

from __future__ import annotations

import ast
import pathlib
import re
import sys

import pytest

import jsonscan

SOURCES = pathlib.Path(__file__).parents[1]
PACKAGE = SOURCES / "jsonscan"
HARNESS = SOURCES / "conformance" / "runner"

MACHINE = {"machine", "_machine", "_machine_py"}
EDGES = {"cli", "__main__", "arrow", "page", "strategies"}
# A room, and the rooms it never imports. `"*"` is every room but those named after it.
NEVER = {
    "__init__": EDGES,
    "machine": ("*", *MACHINE, "errors"),
    "_machine": ("*", "errors"),
    "_plain": ("*", "errors"),
    "_entries": ("*", "errors"),
    "_machine_py": ("*", "errors"),
    "ecma": ("*",),
    "originals": {"answers", "scanner", "repairs", "stream", *EDGES},
    "landmarks": {*MACHINE, "repairs", "mending", "guessing", "scanner", *EDGES},
    "patterns": ("*",),
    "shapes": ("*", "patterns"),
    "candidates": {"choosing", "answers", "scanner", "stream", "whole_text", *EDGES},
    "choosing": {"answers", "scanner", "stream", "whole_text", *EDGES},
    "answers": {"scanner", *EDGES},
    "scanner": EDGES,
    "repairs": {"answers", "scanner", "stream", "whole_text", *EDGES},
    "whole_text": {"answers", "scanner", "stream", *EDGES},
    # the rooms of the policy, each seen by those before it
    "guessing": {"repairs", "answers", "scanner", "stream", "whole_text", *EDGES},
    "mending": {"guessing", "repairs", "answers", "scanner", "stream", "whole_text", *EDGES},
    "bare_values": {"mending", "guessing", "repairs", "answers", "scanner", "stream", "whole_text", *EDGES},
    "tolerant_strings": {"bare_values", "mending", "guessing", "repairs", "answers", "scanner", "stream", *EDGES},
    "stream": EDGES,
    "watching": {"stream", "kept_text", "scanner", "repairs", "whole_text", *EDGES},
    "kept_text": {"stream", "watching", "scanner", "repairs", "whole_text", *EDGES},
    "model": ("*", "errors", "records"),
    "records": ("*",),
    "errors": ("*", "scanner"),  # a hint tries other options on the text, when it is asked for
    "cli": EDGES - {"cli", "page"},
    "page": EDGES - {"page"},
    "rows": {"stream", "whole_text", *EDGES},
    "page_words": {"answers", "scanner", "stream", *EDGES},
    "page_survey": {"stream", *EDGES},
    "page_style": ("*",),
    "__main__": EDGES - {"cli"},
    "arrow": EDGES - {"arrow"},
    "strategies": EDGES - {"strategies"},
}
# Optional libraries, imported only inside functions of these rooms.
MAY_IMPORT = {
    "model": {"msgspec", "cattrs"},
    "arrow": {"pyarrow"},
    "strategies": {"hypothesis"},
    "cli": {"pyarrow", "argcomplete", "zstandard", "compression"},
}

CYTHON_IMPORT = re.compile(r"^\s*(?:from\s+(\.+)(\w*)\s+c?import\s+(.+)|c?import\s+(\w+))", re.MULTILINE)


def room_of(path: pathlib.Path) -> str:
    return path.relative_to(PACKAGE).parts[0].partition(".")[0]


FILES = sorted(path for path in PACKAGE.rglob("*") if path.suffix in (".py", ".pyx", ".pxi"))
ROOMS = sorted({room_of(path) for path in FILES})


class Arrows(ast.NodeTransformer):
    """Leaves out the imports that are no arrows: those for the type checker alone, and of the machine what reads no JSON: the counter of
    steps and the leaf that passes over prose."""

    def visit_If(self, node: ast.If):
        return node.orelse if ast.unparse(node.test) == "TYPE_CHECKING" else self.generic_visit(node)

    def visit_ImportFrom(self, node: ast.ImportFrom):
        return None if node.module == "machine" and {alias.name for alias in node.names} <= {"count", "mark"} else node


def python_imports(path: pathlib.Path):
    """Yield (level, dotted name, whether at the top of the module) for each module that is imported."""
    tree = Arrows().visit(ast.parse(path.read_text(encoding="utf-8")))
    top = {id(node) for node in ast.iter_child_nodes(tree)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((0, alias.name, id(node) in top) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.level, node.module, id(node) in top
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.level, alias.name, id(node) in top) for alias in node.names)


def cython_imports(path: pathlib.Path):
    """The same for a `.pyx`, which `ast` cannot read: its import lines are kept one to a line."""
    for dots, name, names, plain in CYTHON_IMPORT.findall(path.read_text(encoding="utf-8")):
        for each in [name or plain] if name or plain else re.findall(r"\w+", names):
            yield len(dots), each, True


def imports(path: pathlib.Path):
    return list((cython_imports if path.suffix != ".py" else python_imports)(path))


def rooms_used(room: str) -> set[str]:
    """The other rooms of jsonscan that the files of one room import."""
    used = set()
    for path in FILES:
        if room_of(path) == room:
            depth = len(path.relative_to(PACKAGE).parts)
            used |= {name.partition(".")[0] for level, name, _ in imports(path) if level == depth}
    return used - {room}


def test_every_module_has_a_room_in_the_table():
    assert set(ROOMS) - set(NEVER) == set()


@pytest.mark.parametrize("room", sorted(set(ROOMS) & set(NEVER)))
def test_no_room_imports_what_it_must_not(room):
    never = NEVER[room]
    banned = set(ROOMS) - set(never[1:]) if isinstance(never, tuple) else never
    assert rooms_used(room) & banned - {"__init__"} == set()


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_the_package_names_itself_only_relatively(path):
    # or a second copy of the package, as the tests load it, would reach into the first
    assert [name for level, name, _ in imports(path) if not level and name.partition(".")[0] == "jsonscan"] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_the_standard_library_is_imported_and_the_edges_import_the_rest_late(path):
    known = {*sys.stdlib_module_names, "cpython", "libc", "cython"}
    strangers = [(name.partition(".")[0], top) for level, name, top in imports(path) if not level]
    allowed = MAY_IMPORT.get(room_of(path), set())
    assert [name for name, top in strangers if name not in known and (top or name not in allowed)] == []


def test_no_room_bears_the_name_of_a_public_function():
    assert set(jsonscan.__all__) & set(ROOMS) == set()


@pytest.mark.parametrize("path", sorted(HARNESS.rglob("*.py")), ids=lambda path: str(path.relative_to(HARNESS)))
def test_the_harness_never_imports_jsonscan(path):
    assert [
        name for level, name, _ in imports(path) if not level and name.partition(".")[0].startswith("jsonscan")
    ] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_jsonscan_never_imports_the_harness(path):
    assert [name for _, name, _ in imports(path) if "conformance" in name] == []

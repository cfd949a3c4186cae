"""Automatic mutants: small changes of a syntax tree, one at a time.

Each has an id that survives moves of its line: file, function, operator, and the code before and after. What no answer depends on
is left out: annotations, docstrings, and the counting of steps.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

BOUNDARY = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
OPPOSITE = {
    ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
ARITHMETIC = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Pow: ast.Mult}
COUNTING = ("count", "steps")


@dataclass(frozen=True)
class Site:
    """One change. ``apply`` makes it in the tree it was found in."""

    id: str
    line: int
    function: str
    apply: Callable[[], None]


def sites(tree: ast.Module, file: str) -> list[Site]:
    """Every change of a module's tree, in text order."""
    seen: Counter[str] = Counter()
    found = []
    for node, function, statement in nodes(tree, "module", ""):
        for operator, after, apply in changes(node):
            before = brief(node)
            place = "" if before == statement else f"{statement}: "
            name = f"{file}:{function}: {place}{operator}: {before} -> {after}"
            seen[name] += 1
            number = f" #{seen[name]}" if seen[name] > 1 else ""
            found.append(Site(name + number, getattr(node, "lineno", 0), function, apply))
    return found


def brief(node: ast.AST) -> str:
    """A node's code on one line, the head of a statement with a body."""
    text = ast.unparse(node).split("\n")[0]
    return text if len(text) <= 90 else text[:87] + "..."


def nodes(node: ast.AST, function: str, statement: str) -> Iterator[tuple[ast.AST, str, str]]:
    """The nodes below one whose change could show in an answer, each with its function and the head of its statement."""
    for child in ast.iter_child_nodes(node):
        if idle(child):
            continue
        if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
            name = child.name if function == "module" else f"{function}.{child.name}"
            yield from nodes(ast.Module(child.body, []), name, "")
            continue
        if isinstance(child, ast.AnnAssign):
            child.annotation = ast.Constant(None)
        inside = brief(child) if isinstance(child, ast.stmt) else statement
        yield child, function, inside
        yield from nodes(child, function, inside)


def idle(node: ast.AST) -> bool:
    """Whether no answer depends on it: imports, docstrings, ``__slots__``, and the counting of steps."""
    if isinstance(node, (ast.Import, ast.ImportFrom, ast.Global, ast.arguments, ast.expr_context, ast.operator)):
        return True
    if isinstance(node, ast.FunctionDef) and node.name in COUNTING:
        return True
    if (
        isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and node.targets[0].id in ("__slots__", "_looked_at")
    ):
        return True
    if not isinstance(node, ast.Expr):
        return False
    value = node.value
    return isinstance(value, ast.Constant) or (
        isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in COUNTING
    )


def changes(node: ast.AST) -> Iterator[tuple[str, str, Callable[[], None]]]:
    """The changes of one node: operator, what it looks like after, and how to make it."""
    if isinstance(node, ast.Compare):
        for at, operator in enumerate(node.ops):
            for name, table in (("boundary", BOUNDARY), ("opposite", OPPOSITE)):
                if type(operator) in table:
                    yield change(node, "ops", [*node.ops[:at], table[type(operator)](), *node.ops[at + 1 :]], name)
    elif isinstance(node, ast.BoolOp):
        yield change(node, "op", ast.Or() if isinstance(node.op, ast.And) else ast.And(), "and-or")
    elif (isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC) or (
        isinstance(node, ast.AugAssign) and type(node.op) in ARITHMETIC
    ):
        yield change(node, "op", ARITHMETIC[type(node.op)](), "arithmetic")
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield change(node, "op", ast.UAdd(), "not", "bool of it")
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield change(node, "value", not node.value, "constant")
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        for value in (node.value + 1, node.value - 1):
            yield change(node, "value", value, "constant")
    elif isinstance(node, ast.Slice):
        for bound in ("lower", "upper"):
            if getattr(node, bound) is not None:
                yield change(node, bound, None, "slice")
    if isinstance(node, (ast.If, ast.While, ast.IfExp)):
        yield change(node, "test", ast.UnaryOp(ast.Not(), node.test), "negate", f"not ({brief(node.test)})")
    if isinstance(node, (ast.Assign, ast.AugAssign, ast.Expr, ast.Raise, ast.Break, ast.Continue)):
        yield "delete", "nothing", lambda: become_pass(node)
    if (
        isinstance(node, ast.Return)
        and node.value is not None
        and not (isinstance(node.value, ast.Constant) and node.value.value is None)
    ):
        yield change(node, "value", None, "return")


def change(
    node: ast.AST, member: str, value: Any, operator: str, after: str = ""
) -> tuple[str, str, Callable[[], None]]:
    """The change that gives a node's member another value, described by what the node then looks like."""
    before = getattr(node, member)
    setattr(node, member, value)
    looks = after or brief(node)
    setattr(node, member, before)
    return operator, looks, lambda: setattr(node, member, value)


def become_pass(node: ast.AST) -> None:
    """Make a statement do nothing, in place."""
    node.__class__ = ast.Pass  # type: ignore[assignment]
    for member in ("targets", "target", "value", "exc", "cause", "op", "type_comment"):
        node.__dict__.pop(member, None)

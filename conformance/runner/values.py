"""Tagged values: reading them into events, and comparing an answer with an expectation as a host model allows.

A value becomes a flat list of events in text order, so that depth costs nothing and the first difference has a place:
``"["  "]"  "{"  "}"``, ``("k", key)`` and scalars ``("c", None | False | True)``, ``("s", text)``, ``("i", digits)`` (an
integer as it was sent), ``("f", bits)`` (a binary64) and, in expectations, ``("n", token, bits)``.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from .text import Malformed, plain, quoted, read_string, weaken

DEPTH = 256
EXACT = 2**53
LONGEST_INTEGER = 4300

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)\Z")
_BITS = re.compile(r"[0-9a-f]{16}\Z")
_INDEX = re.compile(r"(?:0|[1-9][0-9]{0,9})\Z")
_CONSTANTS = {None: ("c", None), True: ("c", True), False: ("c", False)}


@dataclass(frozen=True)
class Host:
    """What an implementation's language can represent, as its handshake says."""

    strings: str = "codepoints"
    ill_formed: str = "kept"
    integers: str = "exact"
    numbers: str = "typed"
    key_order: str = "kept"

    #: For each member its allowed values, strongest first (``strings`` is a unit and has no order).
    VOCABULARY = {
        "strings": ("codepoints", "utf16", "utf8"),
        "ill_formed": ("kept", "lost"),
        "integers": ("exact", "binary64"),
        "numbers": ("typed", "untyped"),
        "key_order": ("kept", "integers-first", "lost"),
    }

    @classmethod
    def read(cls, wire: Any) -> Host:
        """The host model of a handshake. Raises Malformed."""
        if not isinstance(wire, dict):
            raise Malformed("host must be an object")
        for name, allowed in cls.VOCABULARY.items():
            if wire.get(name) not in allowed:
                raise Malformed(f"host.{name} must be one of {', '.join(allowed)}")
        return cls(**{name: wire[name] for name in cls.VOCABULARY})

    def lacks(self, needs: list[str]) -> list[str]:
        """Those of ``needs`` that this host does not have at their strongest."""
        return [name for name in needs if getattr(self, name) != self.VOCABULARY[name][0]]


STRICT = Host()


def bits_of(number: float) -> str:
    """Sixteen hex digits of a binary64."""
    return struct.pack(">d", number).hex()


def is_integer(token: str) -> bool:
    """Whether a number token stands for an integer that every exact host keeps."""
    return bool(_INTEGER.match(token)) and token != "-0" and len(token.lstrip("-")) <= LONGEST_INTEGER


def read_events(wire: Any, order: str = "kept", corpus: bool = False, most: int = 100_000_000) -> list[Any]:
    """The events of a tagged value, members put in ``order``. Raises Malformed, also when a ``$flat`` unfolds to more than
    ``most`` events. Linear, but for members out of order."""
    out: list[Any] = []
    _Reader(out, order, corpus, most).value(wire, 0)
    return out


class _Reader:
    def __init__(self, out: list[Any], order: str, corpus: bool, most: int) -> None:
        self.out = out
        self.most = most
        self.order = None if order == "kept" else _ORDERS[order]
        self.corpus = corpus

    def value(self, wire: Any, depth: int) -> None:
        kind = type(wire)
        if kind is str:
            self.out.append(("s", read_string(wire)))
        elif wire is None or kind is bool:
            self.out.append(_CONSTANTS[wire])
        elif kind is int:
            self.out.append(self.integer(wire))
        elif kind is dict:
            self.tagged_or_object(wire, depth)
        elif kind is list:
            self.array(wire, depth)
        else:
            raise Malformed('a number that is no plain integer must be sent as {"$f": ...}')

    def array(self, items: list[Any], depth: int) -> None:
        if depth >= DEPTH:
            raise Malformed('a value nested deeper than 200 must be sent as {"$flat": ...}')
        self.out.append("[")
        for item in items:
            self.value(item, depth + 1)
        self.out.append("]")

    def tagged_or_object(self, wire: dict[str, Any], depth: int) -> None:
        for key in wire:
            if key.startswith("$"):
                self.tagged(wire, depth)
                return
        self.object(wire.items(), depth)

    def object(self, members: Any, depth: int) -> None:
        if depth >= DEPTH:
            raise Malformed('a value nested deeper than 200 must be sent as {"$flat": ...}')
        out = self.out
        out.append("{")
        starts = []
        for key, value in members:
            text = key if type(key) is str and key.isascii() else read_string(key, self.corpus)
            starts.append((text, len(out)))
            out.append(("k", text))
            self.value(value, depth + 1)
        self.close(starts)

    def close(self, starts: list[tuple[str, int]]) -> None:
        """End an object whose members start at these indices: put them in order, append the closing event."""
        out = self.out
        if self.order and len(starts) > 1:
            wanted = self.order(starts)
            if wanted != starts:
                ends = dict(zip((at for _, at in starts), [at for _, at in starts[1:]] + [len(out)]))
                out[starts[0][1] :] = [event for _, at in wanted for event in out[at : ends[at]]]
        out.append("}")

    def integer(self, number: int) -> Any:
        if not -EXACT < number < EXACT:
            raise Malformed('an integer of magnitude 2^53 or more must be sent as {"$i": ...} or {"$f": ...}')
        digits = str(number)
        return ("n", digits, bits_of(float(number))) if self.corpus else ("i", digits)

    def tagged(self, wire: dict[str, Any], depth: int) -> None:
        tags = set(wire)
        if tags == {"$u16"} or (self.corpus and tags == {"$build"}):
            self.out.append(("s", read_string(wire, self.corpus)))
        elif tags == {"$o"}:
            self.object(_pairs(wire["$o"]), depth)
        elif tags == {"$flat"}:
            self.flat(wire["$flat"])
        else:
            self.out.append(self.number(wire, tags))

    def number(self, wire: dict[str, Any], tags: set[str]) -> Any:
        if self.corpus and tags == {"$n", "$b"}:
            return ("n", wire["$n"], _bits(wire["$b"]))
        if not self.corpus and tags == {"$f"}:
            return ("f", _bits(wire["$f"]))
        if not self.corpus and tags == {"$i"}:
            digits = wire["$i"]
            if not isinstance(digits, str) or not _INTEGER.match(digits) or digits == "-0":
                raise Malformed("$i must hold decimal digits with an optional -")
            return ("i", digits)
        raise Malformed(f"no such form of value: {{{', '.join(sorted(tags))[:60]}}}")

    def flat(self, wire: Any) -> None:
        """Append the events of a ``$flat``, checking that they make one value."""
        out = self.out
        frames: list[list[tuple[str, int]] | None] = []
        pending = False  # a key waits for its value
        unfolded = _unfold(wire, self.most)
        for at, event in enumerate(unfolded):
            inside = bool(frames) and frames[-1] is not None
            if event == "[" or event == "{":
                if inside and not pending:
                    raise Malformed("$flat has a member without a key")
                pending = False
                out.append(event)
                frames.append([] if event == "{" else None)
                continue
            if event == "]" or event == "}":
                if pending or not frames or (event == "}") != inside:
                    raise Malformed(f"$flat has a {event} where none can stand")
                starts = frames.pop()
                if starts is None:
                    out.append("]")
                else:
                    self.close(starts)
            elif _kind(event) == "k":
                if not inside or pending:
                    raise Malformed("$flat has a key where none can stand")
                key = read_string(event[1], self.corpus)
                frames[-1].append((key, len(out)))  # type: ignore[union-attr]
                out.append(("k", key))
                pending = True
                continue
            else:
                if inside and not pending:
                    raise Malformed("$flat has a member without a key")
                pending = False
                self.scalar(event[1])
            if not frames:
                if at + 1 < len(unfolded):
                    raise Malformed("$flat goes on after its value")
                return
        raise Malformed("$flat ends inside its value")

    def scalar(self, wire: Any) -> None:
        if isinstance(wire, (list,)) or (
            isinstance(wire, dict) and not wire.keys() & {"$u16", "$build", "$n", "$f", "$i"}
        ):
            raise Malformed("$flat has a container where a scalar must stand")
        self.value(wire, 0)


def _bits(wire: Any) -> str:
    if not isinstance(wire, str) or not _BITS.match(wire):
        raise Malformed("a binary64 is sixteen lower-case hex digits")
    return wire


def _pairs(wire: Any) -> Any:
    if not isinstance(wire, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in wire):
        raise Malformed("$o must be a list of [key, value]")
    return wire


def _kind(event: Any) -> str:
    if isinstance(event, list) and len(event) == 2 and event[0] in ("k", "v"):
        return event[0]
    raise Malformed('a $flat event is a bracket, ["k", key], ["v", scalar] or ["*", events, times]')


def _unfold(wire: Any, most: int) -> list[Any]:
    """The events of a ``$flat``, runs unfolded, at most ``most``. A run holds plain events only."""
    if not isinstance(wire, list):
        raise Malformed("$flat must be a list of events")
    unfolded: list[Any] = []
    for event in wire:
        if isinstance(event, list) and len(event) == 3 and event[0] == "*":
            _, run, times = event
            if not isinstance(run, list) or type(times) is not int or times < 0:
                raise Malformed('a $flat run is ["*", events, times]')
            if len(unfolded) + len(run) * times > most:
                raise Malformed(f"$flat holds more than {most:,} events")
            unfolded += run * times
        else:
            unfolded.append(event)
    return unfolded


def _index_key(key: str) -> bool:
    return bool(_INDEX.match(key)) and int(key) < 2**32 - 1


def _integers_first(starts: list[tuple[str, int]]) -> list[tuple[str, int]]:
    numbered = sorted((start for start in starts if _index_key(start[0])), key=lambda start: int(start[0]))
    return numbered + [start for start in starts if not _index_key(start[0])] if numbered else starts


_ORDERS = {"integers-first": _integers_first, "lost": sorted}


def values_in(answer: dict[str, Any]) -> list[Any]:
    """The tagged values of an answer or expectation, wherever its operation has them."""
    parts = [part for part in (answer, answer.get("final"), *(answer.get("matches") or ())) if isinstance(part, dict)]
    return [part["value"] for part in parts if "value" in part] + list(answer.get("snapshots") or ())


def names_merge(events: list[Any]) -> bool:
    """Whether two names of one object become one where each lone surrogate becomes U+FFFD."""
    objects: list[set[str]] = []  # of an array too, to which no names are added
    for event in events:
        if event in ("[", "{"):
            objects.append(set())
        elif event in ("]", "}"):
            objects.pop()
        elif event[0] == "k":
            name = weaken(event[1])
            if name in objects[-1]:
                return True
            objects[-1].add(name)
    return False


def same_skeleton(want: Any, got: Any, most: int = 100_000_000) -> bool:
    """Whether two ``$flat`` values are plainly the same: the same events, none of them a value. False proves nothing."""
    if not all(isinstance(wire, dict) and wire.keys() == {"$flat"} for wire in (want, got)):
        return False
    events = _unfold(want["$flat"], most)
    return events == _unfold(got["$flat"], len(events)) and all(
        type(event) is str or event[0] == "k" for event in events
    )


def compare(expected: list[Any], answer: list[Any], host: Host) -> tuple[str | None, set[str]]:
    """Where the events of an answer first differ from an expectation's (None: nowhere), and what was weakened meanwhile.

    Both lists must have been read with ``host.key_order``.
    """
    weakened: set[str] = set()
    if expected == answer:
        return None, weakened
    for at, (want, got) in enumerate(zip(expected, answer)):
        if want == got or (
            got[0] == "i" and want[:2] == ("n", got[1]) and len(got[1]) < 16
        ):  # plainly the same integer
            continue
        loss = scalar_loss(want, got, host)
        if loss is None:
            return f"at {path(expected, at)}: expected {show(expected, at)}, got {show(answer, at)}", weakened
        weakened.update(loss)
    if len(expected) != len(answer):
        return "the answer goes on where the expected value ends", weakened
    return None, weakened


def scalar_loss(want: Any, got: Any, host: Host) -> tuple[str, ...] | None:
    """What a host model gives up to make ``got`` equal ``want``; None when it is different all the same."""
    if want[0] == "n" and got[0] in ("i", "f"):
        return number_loss(want[1], want[2], got, host)
    if want[0] in ("s", "k") and got[0] == want[0]:
        return text_loss(want[1], got[1], host)
    return None


def text_loss(want: str, got: str, host: Host) -> tuple[str, ...] | None:
    """As scalar_loss, for strings."""
    if want == got:
        return ()
    return ("ill_formed",) if host.ill_formed == "lost" and weaken(want) == got else None


def number_loss(token: str, bits: str, got: Any, host: Host) -> tuple[str, ...] | None:
    """As scalar_loss, for the number written ``token``."""
    if got[0] == "f":
        if got[1] != bits:
            return None
        if not is_integer(token):
            return ()
        if host.integers == "exact" and host.numbers == "typed":
            return None
        return ("integers",) if abs(int(token)) >= EXACT else ("numbers",)
    digits = got[1]
    if digits == token:
        return () if is_integer(token) else None
    loose = host.numbers == "untyped" or host.integers == "binary64"
    if is_integer(token) or not loose or len(digits) > LONGEST_INTEGER:
        return None
    try:
        return ("numbers",) if bits_of(float(int(digits))) == bits else None
    except OverflowError:
        return None


def glimpse(wire: Any) -> Iterator[Any]:
    """The events of a tagged value, of an expectation or an answer, made as they are asked for. Raises Malformed when it comes to
    something that has no meaning."""
    if isinstance(wire, list):
        yield "["
        for item in wire:
            yield from glimpse(item)
        yield "]"
    elif isinstance(wire, dict) and wire.keys() == {"$flat"}:
        for event in _runs(wire["$flat"]):
            if isinstance(event, str):
                yield event
            elif _kind(event) == "k":
                yield ("k", read_string(event[1], corpus=True))
            else:
                yield from glimpse(event[1])
    elif isinstance(wire, dict) and (wire.keys() == {"$o"} or not any(key.startswith("$") for key in wire)):
        yield "{"
        for key, item in _pairs(wire["$o"]) if "$o" in wire else wire.items():
            yield ("k", read_string(key, corpus=True))
            yield from glimpse(item)
        yield "}"
    else:
        yield from read_events(wire, corpus=isinstance(wire, dict) and bool(wire.keys() & {"$n", "$build"}))


def _runs(events: Any) -> Iterator[Any]:
    """The events of a ``$flat`` with its runs unfolded, as they are asked for."""
    for event in events if isinstance(events, list) else ():
        if isinstance(event, list) and len(event) == 3 and isinstance(event[1], list) and type(event[2]) is int:
            for _ in range(event[2] if event[1] else 0):
                yield from event[1]
        else:
            yield event


def spelled(events: Iterable[Any], most: int) -> str:
    """The value that starts the events, as JSON for people, cut after ``most`` characters."""
    out = ""
    depth = 0
    comma = False
    for event in events:
        out += (", " if comma and event not in ("]", "}") else "") + _word(event, most)
        if len(out) > most:
            return out[:most] + "..."
        depth += (event in ("[", "{")) - (event in ("]", "}"))
        comma = event not in ("[", "{") and event[0] != "k"
        if depth == 0 and comma:
            break
    return out


def _word(event: Any, most: int) -> str:
    if isinstance(event, str):
        return event[:1]
    kind, of = event[:2]
    if kind in ("s", "k"):
        return quoted(of[: most + 1]) + (": " if kind == "k" else "")
    if kind == "f":
        return repr(struct.unpack(">d", bytes.fromhex(of))[0])
    return {None: "null", True: "true", False: "false"}[of] if kind == "c" else of


def show(events: list[Any], at: int) -> str:
    """What stands at one place of the events, for people."""
    event = events[at]
    if event in ("[", "{"):
        return ("array " if event == "[" else "object ") + spelled(events[at : at + 60], 60)
    if event in ("]", "}"):
        return "the array's end" if event == "]" else "the object's end"
    word = spelled([event], 60) if event[0] != "k" else "key " + quoted(event[1][:60])
    if event[0] == "n":
        return f"number {word} (bits {event[2]})"
    if event[0] == "i":
        return f"integer {word}"
    return f"binary64 {word} (bits {event[1]})" if event[0] == "f" else word


def path(events: list[Any], at: int) -> str:
    """A JSONPath-like name of the place of ``events[at]``."""
    steps: list[Any] = []
    for event in events[:at]:
        if event in ("[", "{"):
            steps.append(0 if event == "[" else None)
            continue
        if event[0] == "k":
            steps[-1] = event[1]
            continue
        if event in ("]", "}"):
            steps.pop()
        if steps and isinstance(steps[-1], int):
            steps[-1] += 1
    named = [f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps if step is not None]
    text = "$" + "".join(named[:20]) + ("..." if len(named) > 20 else "")
    return plain(text)

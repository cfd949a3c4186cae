"""Adapters that misbehave on purpose, and a few that are only odd: ``python saboteur.py NAME``.

Each is the honest adapter below with one habit changed, and answers for a tiny implementation of its own that is right on
everything in ``cases/``. ``conformance selftest`` runs them all: the faulty must come out red, the merely noisy green.
"""

from __future__ import annotations

import json
import os
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import time
from typing import Any

VICTIM = '{"a":"}","n":4}'
OTHER = '{"a":"}","n":7}'
LONE = re.compile("[\ud800-\udfff]")


def string(text: str) -> Any:
    """A STRING of the protocol."""
    return {"$u16": text.encode("utf-16-be", "surrogatepass").hex()} if LONE.search(text) else text


def value(item: Any) -> Any:
    """A value of the protocol."""
    if isinstance(item, str):
        return string(item)
    if isinstance(item, float):
        return {"$f": struct.pack(">d", item).hex()}
    if type(item) is int:
        return item if abs(item) < 2**53 else {"$i": str(item)}
    if isinstance(item, list):
        return [value(one) for one in item]
    if isinstance(item, dict):
        pairs = [[string(name), value(one)] for name, one in item.items()]
        odd = any(not isinstance(name, str) or name.startswith("$") for name, _ in pairs)
        return {"$o": pairs} if odd else dict(pairs)
    return item


def number(digits: str) -> Any:
    return -0.0 if digits == "-0" else int(digits)


DECODER = json.JSONDecoder(parse_int=number)


def json_parse(text: str) -> dict[str, Any]:
    """Right on the cases here: Python's own parser, and one depth it does not reach."""
    levels = len(text) // 2
    if levels > 250 and text == "[" * levels + "]" * levels:
        return {"outcome": "value", "value": {"$flat": [["*", ["["], levels], ["*", ["]"], levels]]}}
    try:
        return {"outcome": "value", "value": value(DECODER.decode(text))}
    except (ValueError, RecursionError):
        return {"outcome": "error", "code": "syntax"}


def extract_json_object(text: str) -> dict[str, Any]:
    """The first object that parses."""
    for at in (at for at, char in enumerate(text) if char == "{"):
        try:
            end = DECODER.raw_decode(text, at)[1]
        except ValueError:
            continue
        found = text[at:end]
        return {"outcome": "unchanged"} if found == text else {"outcome": "found", "text": string(found)}
    return {"outcome": "unchanged"}


def given(request: dict[str, Any]) -> str:
    """The input."""
    if "utf16" in request["input"]:
        return bytes.fromhex(request["input"]["utf16"]).decode("utf-16-be", "surrogatepass")
    return request["input"]["text"]


class Honest:
    """Does everything right; the others change one habit each."""

    def __init__(self) -> None:
        self.asked = 0

    def hello(self) -> dict[str, Any]:
        return {
            "protocol": 1,
            "implementation": "saboteur",
            "version": "1",
            "language": "python",
            "operations": ["json_parse", "extract_json_object"],
            "host": {
                "strings": "codepoints",
                "ill_formed": "kept",
                "integers": "exact",
                "numbers": "typed",
                "key_order": "kept",
            },
        }

    def operate(self, operation: str, text: str) -> dict[str, Any]:
        known = {"json_parse": json_parse, "extract_json_object": extract_json_object}
        return known[operation](text) if operation in known else {"outcome": "unsupported"}

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        return {"id": request["id"], **self.operate(request["op"], given(request))}

    def line(self, message: dict[str, Any]) -> bytes:
        return json.dumps(message).encode("ascii") + b"\n"

    def reply(self, request: dict[str, Any]) -> None:
        self.write(self.line(self.answer(request)))

    def greet(self) -> None:
        self.write(self.line(self.hello()))

    def part(self) -> int:
        return 0

    def write(self, data: bytes) -> None:
        while data:
            data = data[os.write(1, data) :]

    def run(self) -> int:
        for line in sys.stdin.buffer:
            message = json.loads(line)
            if "hello" in message:
                self.greet()
            elif "bye" in message:
                return self.part()
            else:
                self.asked += 1
                self.reply(message)
        return 1

    @staticmethod
    def is_later() -> bool:
        """Whether a process of this name was there before this one, in every other one of a run."""
        mark = os.path.join(tempfile.gettempdir(), f"saboteur-{sys.argv[1]}-{os.getppid()}")
        try:
            os.unlink(mark)
            return True
        except FileNotFoundError:
            open(mark, "w").close()
            return False

    @staticmethod
    def is_victim(request: dict[str, Any]) -> bool:
        return VICTIM in given(request)


# Faulty at the handshake


class HangsAtHello(Honest):
    def greet(self) -> None:
        time.sleep(600)


class EndsAtHello(Honest):
    def greet(self) -> None:
        sys.exit(0)


class GarbageAtHello(Honest):
    def greet(self) -> None:
        self.write(b"Welcome to the adapter!\n")


class HelloWithoutLineEnd(Honest):
    def greet(self) -> None:
        self.write(self.line(self.hello()).rstrip(b"\n"))


class OtherProtocol(Honest):
    def hello(self) -> dict[str, Any]:
        return {**super().hello(), "protocol": 2}


class OffersNothing(Honest):
    def hello(self) -> dict[str, Any]:
        return {**super().hello(), "operations": []}


class NoHost(Honest):
    def hello(self) -> dict[str, Any]:
        return {name: member for name, member in super().hello().items() if name != "host"}


class TalksFirst(Honest):
    def greet(self) -> None:
        self.write(b'{"id":1,"outcome":"unchanged"}\n' + self.line(self.hello()))


class DropsOperations(Honest):
    def hello(self) -> dict[str, Any]:
        return {**super().hello(), "operations": ["json_parse"]}


class OverstatesHost(Honest):
    """Declares weaknesses it does not have, so that comparisons are weakened."""

    def hello(self) -> dict[str, Any]:
        weak = {
            "strings": "codepoints",
            "ill_formed": "lost",
            "integers": "binary64",
            "numbers": "untyped",
            "key_order": "lost",
        }
        return {**super().hello(), "host": weak}


class EscapesInHello(Honest):
    """A name that would write a verdict of its own over the report."""

    def hello(self) -> dict[str, Any]:
        return {**super().hello(), "implementation": "\u001b[2J\u001b[32mall cases pass\r", "version": "\ud800"}


class EscapesAtHello(Honest):
    def greet(self) -> None:
        os.write(2, b"\x1b[2J\x1b[32mall cases pass\r\0\n")
        sys.exit(1)


class HugeHello(Honest):
    def hello(self) -> dict[str, Any]:
        return {**super().hello(), "version": "1" * 1_000_000}


class AnotherHelloLater(Honest):
    """Another host in the second process, so that other comparisons would be right."""

    def hello(self) -> dict[str, Any]:
        hello = super().hello()
        return {**hello, "host": {**hello["host"], "strings": "utf8" if self.is_later() else "codepoints"}}


class AnswersAhead(Honest):
    """Answers before it was asked."""

    def greet(self) -> None:
        super().greet()
        time.sleep(0.1)
        self.write(b"".join(b'{"id":%d,"outcome":"unchanged"}\n' % number for number in range(1, 40)))


class Daemonizes(Honest):
    """Goes at once; a child in a session of its own answers in its place."""

    def run(self) -> int:
        if os.fork():
            os._exit(0)
        os.setsid()
        time.sleep(0.2)
        return super().run()


# Faulty answers


class WrongOnOne(Honest):
    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        answer = super().answer(request)
        return {**answer, "text": answer["text"] + " "} if self.is_victim(request) else answer


class AllUnsupported(Honest):
    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        return {"id": request["id"], "outcome": "unsupported"}


class AcceptsEverything(Honest):
    def operate(self, operation: str, text: str) -> dict[str, Any]:
        answer = super().operate(operation, text)
        return {"outcome": "value", "value": None} if answer["outcome"] == "error" else answer


class RefusesEverything(Honest):
    def operate(self, operation: str, text: str) -> dict[str, Any]:
        return {"outcome": "error", "code": "syntax"} if operation == "json_parse" else {"outcome": "unchanged"}


class OutcomeOfLines(Honest):
    """An outcome that would be a line of its own in a file of known failures."""

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        forged = "x\nj.a.b x # i until=2999-01-01"
        return {"id": request["id"], "outcome": forged} if self.is_victim(request) else super().answer(request)


class SwapsTwo(Honest):
    """Gives two requests each other's answer."""

    held: dict[str, Any] | None = None

    def reply(self, request: dict[str, Any]) -> None:
        if self.is_victim(request):
            self.held = request
            return
        if self.held:
            held, self.held = self.held, None
            for one, other in ((held, request), (request, held)):
                self.write(self.line({**self.answer(one), "id": other["id"]}))
            return
        super().reply(request)


class TwoOnALine(Honest):
    def line(self, message: dict[str, Any]) -> bytes:
        line = super().line(message)
        return line[:-1] + line if message.get("id") == 7 else line


class NotANumber(Honest):
    def line(self, message: dict[str, Any]) -> bytes:
        return super().line(message).replace(b'"value": 7', b'"value": NaN')


class HugeInteger(Honest):
    def line(self, message: dict[str, Any]) -> bytes:
        return super().line(message).replace(b'"value": 7', b'"value": ' + b"7" * 5000)


class LeadingZeros(Honest):
    """In the second process ids are written ``07``, which is no JSON; all else is what it was."""

    def greet(self) -> None:
        self.zero = b"0" if self.is_later() else b""
        super().greet()

    def line(self, message: dict[str, Any]) -> bytes:
        return super().line(message).replace(b'"id": ', b'"id":' + self.zero)


class FirstProcessOnly(Honest):
    """Right in its first process."""

    def greet(self) -> None:
        self.later = self.is_later()
        super().greet()

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        wrong = self.later and self.is_victim(request)
        return {"id": request["id"], "outcome": "unchanged"} if wrong else super().answer(request)


class Echoes(Honest):
    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        return request


class BothOutcomes(Honest):
    """Hedges: an error that carries a value, so that one of the two is right."""

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        answer = super().answer(request)
        return {**answer, "value": None} if answer["outcome"] == "error" else answer


class FoundForUnchanged(Honest):
    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        answer = super().answer(request)
        text = given(request)
        return {"id": request["id"], "outcome": "found", "text": text} if answer["outcome"] == "unchanged" else answer


class FloatsForIntegers(Honest):
    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        answer = super().answer(request)
        if answer.get("value") == 7:
            answer["value"] = value(7.0)
        return answer


class LosesOrder(Honest):
    def operate(self, operation: str, text: str) -> dict[str, Any]:
        answer = super().operate(operation, text)
        if isinstance(answer.get("value"), dict) and not any(name.startswith("$") for name in answer["value"]):
            answer["value"] = dict(sorted(answer["value"].items()))
        return answer


class MemberTwice(Honest):
    def line(self, message: dict[str, Any]) -> bytes:
        return super().line(message).replace(b'{"a": 3, "b": 2}', b'{"a": 1, "b": 2, "a": 3}')


class LoneSurrogateRaw(Honest):
    def line(self, message: dict[str, Any]) -> bytes:
        return super().line(message).replace(b'{"$u16": "d800"}', b'"\\ud800"')


class PlainFractions(Honest):
    def line(self, message: dict[str, Any]) -> bytes:
        return super().line(message).replace(b'{"$f": "3ff8000000000000"}', b"1.5")


class RawUtf8(Honest):
    def line(self, message: dict[str, Any]) -> bytes:
        return json.dumps(message, ensure_ascii=False).encode("utf-8") + b"\n"


class CarriageReturns(Honest):
    def line(self, message: dict[str, Any]) -> bytes:
        return super().line(message)[:-1] + (b"\r\n" if "id" in message else b"\n")


class ShiftedIds(Honest):
    """Gives each request the answer to the one before."""

    last: dict[str, Any] = {"outcome": "unchanged"}

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        before, self.last = self.last, self.operate(request["op"], given(request))
        return {**before, "id": request["id"]}


class Flaky(Honest):
    """Wrong on a quarter of its answers, others in each process."""

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        answer = super().answer(request)
        return {"id": request["id"], "outcome": "unchanged"} if os.urandom(1)[0] < 64 else answer


class Stateful(Honest):
    """Wrong on one input once it has seen another that stands after it in the corpus."""

    seen = False

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        text = given(request)
        self.seen = self.seen or OTHER in text
        return (
            {"id": request["id"], "outcome": "unchanged"}
            if self.seen and self.is_victim(request)
            else super().answer(request)
        )


class SecondTime(Honest):
    """Wrong when it has seen an input before."""

    def __init__(self) -> None:
        super().__init__()
        self.known: set[str] = set()

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        text = given(request)
        again = text in self.known
        self.known.add(text)
        return (
            {"id": request["id"], "outcome": "unchanged"}
            if again and self.is_victim(request)
            else super().answer(request)
        )


class Tires(Honest):
    """Right on its first requests."""

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        return super().answer(request) if self.asked < 34 else {"id": request["id"], "outcome": "unchanged"}


# Faulty processes


class CrashesOnOne(Honest):
    def reply(self, request: dict[str, Any]) -> None:
        if self.is_victim(request):
            os.kill(os.getpid(), signal.SIGSEGV)
        super().reply(request)


class ExitsOnOne(Honest):
    def reply(self, request: dict[str, Any]) -> None:
        if self.is_victim(request):
            sys.exit(0)
        super().reply(request)


class HangsOnOne(Honest):
    def reply(self, request: dict[str, Any]) -> None:
        if self.is_victim(request):
            time.sleep(600)
        super().reply(request)


class StopsItself(Honest):
    def reply(self, request: dict[str, Any]) -> None:
        if self.is_victim(request):
            os.kill(os.getpid(), signal.SIGSTOP)
        super().reply(request)


class SwallowsOne(Honest):
    def reply(self, request: dict[str, Any]) -> None:
        if not self.is_victim(request):
            super().reply(request)


class SwallowsTheLast(Honest):
    """Keeps back what it is asked last."""

    held: bytes = b""

    def reply(self, request: dict[str, Any]) -> None:
        held, self.held = self.held, self.line(self.answer(request))
        self.write(held)


class ExitsMidway(Honest):
    """Leaves with status 0 after ten requests, in every process."""

    def reply(self, request: dict[str, Any]) -> None:
        if self.asked > 10:
            sys.exit(0)
        super().reply(request)


class DiesOnce(Honest):
    """Dies in the first process only, as if something had killed it."""

    @staticmethod
    def mark() -> str:
        return os.path.join(tempfile.gettempdir(), f"saboteur-dies-once-{os.getppid()}")

    def reply(self, request: dict[str, Any]) -> None:
        mark = self.mark()
        if self.asked > 20 and not os.path.exists(mark):
            open(mark, "w").close()
            os.kill(os.getpid(), signal.SIGKILL)
        super().reply(request)

    def part(self) -> int:
        mark = self.mark()
        if os.path.exists(mark):
            os.unlink(mark)
        return 0


class ClosesOutput(Honest):
    def reply(self, request: dict[str, Any]) -> None:
        if self.is_victim(request):
            os.close(1)
            time.sleep(600)
        super().reply(request)


class StopsReading(Honest):
    """Reads nothing more after ten requests, while requests pile up in the pipe."""

    def reply(self, request: dict[str, Any]) -> None:
        super().reply(request)
        if self.asked > 10:
            time.sleep(600)


class ClosesInput(Honest):
    """Hears nothing more after a certain request."""

    def reply(self, request: dict[str, Any]) -> None:
        super().reply(request)
        if self.is_victim(request):
            os.close(0)
            time.sleep(600)


class Drips(Honest):
    """A byte at a time, and the deadline passes meanwhile."""

    def reply(self, request: dict[str, Any]) -> None:
        if not self.is_victim(request):
            super().reply(request)
            return
        for byte in self.line(self.answer(request)):
            os.write(1, bytes([byte]))
            time.sleep(0.2)


class ComplainsForever(Honest):
    """Hangs, but never falls silent."""

    def reply(self, request: dict[str, Any]) -> None:
        while self.is_victim(request):
            os.write(2, b"x" * 65536)
        super().reply(request)


class LeavesThePipe(Honest):
    """Dies, while a child of its own holds the pipes open."""

    def reply(self, request: dict[str, Any]) -> None:
        if self.is_victim(request):
            if not os.fork():
                time.sleep(600)
            os._exit(0)
        super().reply(request)


class OnePerProcess(Honest):
    """Gives one answer, and goes."""

    def reply(self, request: dict[str, Any]) -> None:
        super().reply(request)
        sys.exit(0)


class CutsALine(Honest):
    def reply(self, request: dict[str, Any]) -> None:
        if self.is_victim(request):
            self.write(self.line(self.answer(request))[:20])
            sys.exit(0)
        super().reply(request)


class AnswersTwice(Honest):
    def reply(self, request: dict[str, Any]) -> None:
        super().reply(request)
        if self.is_victim(request):
            super().reply(request)


class AnswersTwiceDifferently(Honest):
    """Two answers, one of them right."""

    def reply(self, request: dict[str, Any]) -> None:
        super().reply(request)
        if self.is_victim(request):
            self.write(self.line({"id": request["id"], "outcome": "unchanged"}))


class UnknownId(Honest):
    def reply(self, request: dict[str, Any]) -> None:
        super().reply(request)
        if self.is_victim(request):
            self.write(self.line({"id": 10**6, "outcome": "unchanged"}))


class IdAsText(Honest):
    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        return {**super().answer(request), "id": str(request["id"])}


class IdAsBoolean(Honest):
    """``true`` for 1, which some hosts cannot tell apart."""

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        return {**super().answer(request), "id": True if request["id"] == 1 else request["id"]}


class Prints(Honest):
    """A debug line on standard output."""

    def reply(self, request: dict[str, Any]) -> None:
        if self.is_victim(request):
            self.write(b"DEBUG: here\n")
        super().reply(request)


class BlankLines(Honest):
    def line(self, message: dict[str, Any]) -> bytes:
        return super().line(message) + (b"\n" if "id" in message else b"")


class Floods(Honest):
    def reply(self, request: dict[str, Any]) -> None:
        while True:
            self.write(b'{"id":0,"outcome":"unchanged"}\n' * 1000)


class EndlessLine(Honest):
    def reply(self, request: dict[str, Any]) -> None:
        while True:
            self.write(b" " * 65536)


class DeepAnswer(Honest):
    def line(self, message: dict[str, Any]) -> bytes:
        deep = b"[" * 100_000 + b"]" * 100_000
        return super().line(message).replace(b'"value": 7', b'"value": ' + deep)


class AtTheEdge(Honest):
    """Members that mean nothing, each nested a little deeper: to what a reader may just read, and a writer not write."""

    def line(self, message: dict[str, Any]) -> bytes:
        depth = 900 + 4 * self.asked
        more = b', "more": ' + b"[" * depth + b"]" * depth + b"}\n"
        return super().line(message)[:-2] + more if "id" in message else super().line(message)


class VastAnswer(Honest):
    """A short answer that unfolds to more than any memory holds."""

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        answer = super().answer(request)
        if answer.get("value") == 7:
            answer["value"] = {"$flat": ["[", ["*", [["v", 7]], 10**15], "]"]}
        return answer


class TalksAfterBye(Honest):
    def part(self) -> int:
        self.write(b'{"id":1,"outcome":"unchanged"}\n')
        return 0


class FailsAtBye(Honest):
    def part(self) -> int:
        return 3


class ChildTalksAfterBye(Honest):
    """Goes in good order, and leaves a child that has something to add."""

    def part(self) -> int:
        if not os.fork():
            time.sleep(0.2)
            self.write(b'{"id":1,"outcome":"unchanged"}\n')
            os._exit(0)
        return 0


class StaysAfterBye(Honest):
    def part(self) -> int:
        time.sleep(600)
        return 0


class LeavesBeforeBye(Honest):
    """Goes once it has given a certain answer."""

    def reply(self, request: dict[str, Any]) -> None:
        super().reply(request)
        if self.is_victim(request):
            time.sleep(0.05)
            sys.exit(0)


class ChangesItsHello(Honest):
    """After a crash another version answers."""

    def hello(self) -> dict[str, Any]:
        return {**super().hello(), "version": str(os.getpid())}

    def reply(self, request: dict[str, Any]) -> None:
        if self.is_victim(request):
            os.abort()
        super().reply(request)


# Merely noisy


class ComplainsALot(Honest):
    """Floods standard error."""

    def reply(self, request: dict[str, Any]) -> None:
        os.write(2, b"WARNING: something of no interest \xff\xfe\n" * 500)
        super().reply(request)


class NoStandardError(Honest):
    def greet(self) -> None:
        os.close(2)
        super().greet()


class OutOfOrder(Honest):
    """Answers all that has arrived, the last first."""

    def run(self) -> int:
        rest = b""
        while chunk := os.read(0, 1 << 16):
            *lines, rest = (rest + chunk).split(b"\n")
            messages = [json.loads(line) for line in lines]
            for message in reversed([one for one in messages if "id" in one]):
                self.reply(message)
            if any("hello" in message for message in messages):
                self.greet()
            if any("bye" in message for message in messages):
                return 0
        return 1


class Dribbles(Honest):
    """Writes a byte at a time."""

    def write(self, data: bytes) -> None:
        for at in range(len(data)):
            os.write(1, data[at : at + 1])


class Hoards(Honest):
    """Answers only when nothing more is waiting on standard input."""

    held = b""

    def reply(self, request: dict[str, Any]) -> None:
        self.held += self.line(self.answer(request))

    def run(self) -> int:
        rest = b""
        while chunk := os.read(0, 512):
            *lines, rest = (rest + chunk).split(b"\n")
            for message in map(json.loads, lines):
                if "hello" in message:
                    self.greet()
                elif "bye" in message:
                    return 0
                else:
                    self.reply(message)
            if not select.select([0], [], [], 0)[0]:
                self.write(self.held)
                self.held = b""
        return 1


class Slow(Honest):
    """Takes its time over each answer, within every deadline."""

    def reply(self, request: dict[str, Any]) -> None:
        time.sleep(0.02)
        super().reply(request)


class SlowStart(Honest):
    def greet(self) -> None:
        time.sleep(0.5)
        super().greet()


class OddJson(Honest):
    """White space, members in another order, every character escaped, members that mean nothing."""

    def line(self, message: dict[str, Any]) -> bytes:
        turned = dict(reversed([*message.items(), ("elapsed", "3 ms")]))
        text = json.dumps(turned, separators=("  ,\t", " :  "))
        return b"  " + re.sub(r"(?<!\\)\"outcome\"", '"\\\\u006futcome"', text).encode("ascii") + b" \n"


class LeavesAChild(Honest):
    """Starts a process of its own that holds the pipes and does not go."""

    def part(self) -> int:
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        return 0


class IgnoresSignals(Honest):
    def greet(self) -> None:
        for one in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(one, signal.SIG_IGN)
        super().greet()


def name_of(kind: type) -> str:
    """``WrongOnOne`` is ``wrong-on-one``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", kind.__name__).lower()


KINDS = {name_of(kind): kind for kind in Honest.__subclasses__()} | {"honest": Honest}

if __name__ == "__main__":
    sys.exit(KINDS[sys.argv[1]]().run())

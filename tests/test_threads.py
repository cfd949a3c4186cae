"""Threads, interpreters, forks and signals: the machine keeps nothing but the names it saw, and those under the interpreter's lock."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Any

import pytest

import jsonscan

DOCUMENTS = [
    f'Text {number}.\n```json\n{{"name_{number}": [{number}, "é中😀\\n", {{"k{number % 7}": -0.5}}], "rest": "{"x" * number}"}}\n```\n'
    for number in range(40)
]
THREADS = 8
FOUND = [str(pathlib.Path(jsonscan.__file__).parents[1])]


@pytest.fixture
def switching():
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def in_threads(work: Any) -> list[Any]:
    """What each of the threads gives; they start together."""
    barrier = threading.Barrier(THREADS)

    def started(number: int) -> Any:
        barrier.wait()
        return work(number)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(started, range(THREADS)))


def test_documents_shared_among_threads(js: ModuleType, switching):
    scanner = js.compile(expect="object")
    wanted = [js.loads(text) for text in DOCUMENTS]

    def work(number: int) -> list[Any]:
        return [scanner.loads(text) if number % 2 else js.loads(text) for _ in range(10) for text in DOCUMENTS]

    assert all(found == wanted * 10 for found in in_threads(work))


def test_each_thread_its_stream(js: ModuleType, switching):
    wanted = [js.loads(text) for text in DOCUMENTS]

    def work(number: int) -> list[Any]:
        found = []
        for text in DOCUMENTS:
            stream = js.Stream()
            for at in range(0, len(text), number + 1):
                stream.feed(text[at : at + number + 1])
            found.append(stream.close().value)
        return found

    assert all(found == wanted for found in in_threads(work))


def test_walks_that_let_other_threads_run(js: ModuleType, switching):
    """From 32,768 characters on, `extract_json_object` of the compiled build does not hold the lock."""
    text = 'So: {"a": "' + "x" * 40_000 + '", "b": [' + "1, " * 10_000 + "2]}."
    assert in_threads(lambda _: {js.extract_json_object(text) for _ in range(20)}) == [{text[4:-1]}] * THREADS


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_a_fork_while_threads_scan(js: ModuleType):
    """The child has one thread and a whole machine. It leaves without the ceremony that belongs to its parent."""
    stop = threading.Event()

    def scan() -> None:
        while not stop.is_set():
            for text in DOCUMENTS:
                js.loads(text)

    threads = [threading.Thread(target=scan) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(10):
            child = fork()
            if child == 0:
                os._exit(0 if js.loads(DOCUMENTS[5]) == js.loads(DOCUMENTS[5]) != js.loads(DOCUMENTS[6]) else 1)
            assert os.waitpid(child, 0)[1] == 0
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def fork() -> int:
    with warnings.catch_warnings():  # 3.12 and later: a fork beside threads may go wrong, if a lock is held. None is here.
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


SIGNAL = """
import signal
from jsonscan import machine

class Heard(Exception):
    pass

def handler(*_):
    raise Heard

text = <text>
signal.signal(signal.SIGALRM, handler)
signal.setitimer(signal.ITIMER_REAL, 0.005)
try:
    machine.<read>
except Heard:
    pass
else:
    raise SystemExit("read to the end")
assert machine.steps() < len(text)
assert machine.parse_at("[1]", 0) == ([1], 3)
"""

SIGNAL_IN_A_STRING = """
import signal
from jsonscan.machine import Machine

class Heard(Exception):
    pass

def look(*_):
    if not machine.depth:  # it came before the read began
        signal.setitimer(signal.ITIMER_REAL, 0.002)
        return
    for attempt in (machine.run, lambda: machine.feed("]"), lambda: machine.extend("]"), lambda: machine.goto(0), machine.retract,
                    lambda: machine.put(1, 0), lambda: machine.punct("]", 0)):
        try:
            attempt()
        except RuntimeError as error:
            refused.append(str(error))
    seen.append((list(machine.snapshot()), machine.path()))

def leave(*_):
    raise Heard

def read(text, handler, delay=0.002):
    global machine
    machine = Machine(text)
    signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, delay)
    try:
        return machine.run()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)

for value in ("x" * 50_000_000, "\\u00e9" * 8_000_000):
    text = '[1, "' + value.replace("\\u00e9", "\\\\u00e9") + '"]'
    refused, seen = [], []
    assert read(text, look) == "done"
    assert machine.value == [1, value.replace("\\u00e9", "é")]
    assert seen == [([1], [1])] and len(refused) == 7 and set(refused) == {refused[0]}, (refused, str(seen)[:200])
    delay, stop = 0.002, ""
    while stop != "done":  # while it is scanned, then while it is copied
        try:
            stop = read(text, leave, delay)
        except Heard:
            if machine.phase == "end":  # it came between the end and the caller
                break
            assert machine.snapshot([1]) in ([1], [1, value.replace("\\u00e9", "é")])
            delay *= 1.6
        assert delay > 0.002, "read to the end"
    machine = Machine(text)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.002)
        machine.run()
    except Heard:
        pass
    assert machine.run() == "done"
    assert machine.value == [1, value.replace("\\u00e9", "é")]
"""

SUBINTERPRETER = """
import importlib
for name in ("_interpreters", "_xxsubinterpreters"):
    try:
        interpreters = importlib.import_module(name)
        break
    except ImportError:
        pass
import jsonscan
assert jsonscan.BUILD == "<build>", jsonscan.BUILD
code = '''
try:
    import jsonscan
    assert jsonscan.BUILD == "<build>", jsonscan.BUILD
    assert jsonscan.loads('x {"a": 1}') == {"a": 1}
except ImportError as error:
    assert not isinstance(error, ModuleNotFoundError), error
'''
one = interpreters.create()
failed = (interpreters.run_string if hasattr(interpreters, "run_string") else interpreters.exec)(one, code)
assert failed is None, failed
interpreters.destroy(one)
assert jsonscan.loads('x {"a": 1}') == {"a": 1}
"""


def run_alone(script: str, room: pathlib.Path) -> None:
    """Run a script under a Python of its own, which finds the package that is installed and not the checkout."""
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=room, env=os.environ | {"PYTHONPATH": os.pathsep.join(FOUND)}, capture_output=True, text=True,
        check=False, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers")
@pytest.mark.skipif(jsonscan.BUILD == "pure", reason="the standard library's scanner, which is asked first, looks for no signals")
@pytest.mark.parametrize(
    ("read", "text"),
    [
        ("parse_at(text, 0)", '"[" + "[1, 2, 3], " * 3_000_000 + "4]"'),
        ("walk(text, 0, {})", '"[" + "[1, 2, 3], " * 3_000_000 + "4]"'),
        ("mark(text, 0)", '"word " * 80_000_000'),
    ],
)
def test_a_signal_is_heard_in_the_middle(tmp_path: pathlib.Path, read: str, text: str):
    """The handler raises, and the caller gets that long before the text has been read."""
    run_alone(SIGNAL.replace("<read>", read).replace("<text>", text), tmp_path)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers")
@pytest.mark.skipif(jsonscan.BUILD == "pure", reason="the pure machine reads a string with one pattern")
def test_a_signal_is_heard_inside_a_string(tmp_path: pathlib.Path):
    """Its handler can look at what was read, and cannot read on; and if it raises, the string can be read again."""
    run_alone(SIGNAL_IN_A_STRING, tmp_path)


def test_another_interpreter_gets_the_same_build_or_none(tmp_path: pathlib.Path):
    """The compiled machine serves one interpreter of a process; another is refused it, and not given the pure one in silence."""
    run_alone(SUBINTERPRETER.replace("<build>", jsonscan.BUILD), tmp_path)

"""The command: what it prints, where, and its exit status."""

from __future__ import annotations

import functools
import json
import os
import pathlib
import runpy
import signal
import subprocess
import sys
from collections.abc import Callable

import pytest
from commands import COMMAND, Done, Stream, one_line, runner

SAMPLE = pathlib.Path(__file__).parents[1] / "examples" / "response.txt"


@pytest.fixture
def run(module, monkeypatch) -> Callable[..., Done]:
    """Run one command line inside this process, on the build under test."""
    return runner(module, monkeypatch)


class TestExtract:
    @pytest.mark.parametrize("argv", [(str(SAMPLE),), ("extract", str(SAMPLE)), ("--", str(SAMPLE))])
    def test_the_shipped_sample(self, run, argv):
        done = run(*argv)
        assert (done.status, done.err) == (0, "")
        assert json.loads(done.out)["price"] == {"amount": 39.9, "currency": "EUR"}

    @pytest.mark.parametrize("argv", [(), ("-",), ("extract",), ("extract", "-")])
    def test_standard_input_by_default(self, run, argv):
        assert run(*argv, stdin='Sure: {"a": 1}.') == (0, b'{\n  "a": 1\n}\n', "")

    def test_the_default_verb_takes_its_options(self, run):
        assert run("-c", stdin='x {"a": [1, 2]} y') == (0, b'{"a":[1,2]}\n', "")

    @pytest.mark.parametrize(("width", "inner"), [("0", b""), ("1", b" "), ("16", b" " * 16)])
    def test_indent(self, run, width, inner):
        done = run("--indent", width, stdin="[1, {}, []]")
        assert done.out == b"[\n" + inner + b"1,\n" + inner + b"{},\n" + inner + b"[]\n]\n"

    @pytest.mark.parametrize("width", ["-1", "17", "1.5", "", "٣", "100000000000000000000"])
    def test_an_odd_indent_is_a_usage_error(self, run, width):
        done = run(f"--indent={width}", stdin="[1]")
        assert (done.status, done.out) == (2, b"")
        assert "--indent" in done.err

    def test_layouts_exclude_each_other(self, run):
        assert run("-c", "--indent", "2", stdin="[1]").status == 2

    @pytest.mark.parametrize(
        "value",
        [
            None,
            True,
            False,
            0,
            -1,
            2**70,
            1.5,
            -0.0,
            1e22,
            "",
            "é ☃ 🙂",
            'a"b\\c\n\t\x00\x1f',
            [],
            {},
            [[]],
            {"": {"": [None]}},
            [1, "1"],
        ],
    )
    @pytest.mark.parametrize("layout", [[], ["-c"], ["--indent", "3"]])
    def test_the_output_is_the_value_again(self, run, value, layout):
        done = run(*layout, stdin=json.dumps([value]))
        assert (done.status, done.err) == (0, "")
        assert repr(json.loads(done.out)) == repr([value])
        assert done.out.count(b"\n") == 1 or layout != ["-c"]

    @pytest.mark.parametrize("layout", [{"indent": None, "separators": (",", ":")}, {"indent": 2}, {"indent": 4}])
    def test_the_layout_is_that_of_the_json_module(self, run, layout):
        value = {"a": [1, {"b": [[], {}, "é"]}, None], "c": {}, "d": {"e": [2.5]}}
        argv = ["-c"] if layout["indent"] is None else ["--indent", str(layout["indent"])]
        assert (
            run(*argv, stdin=json.dumps(value)).out.decode() == json.dumps(value, ensure_ascii=False, **layout) + "\n"
        )

    def test_members_keep_their_order(self, run):
        assert run("-c", stdin='{"b": 1, "a": 2, "10": 3, "9": 4}').out == b'{"b":1,"a":2,"10":3,"9":4}\n'

    def test_infinities_stay_json(self, run):
        done = run("-c", stdin="[1e400, -1e400]")
        assert json.loads(done.out, parse_constant=pytest.fail) == [float("inf"), float("-inf")]

    def test_lone_surrogates_come_out_as_escapes(self, run):
        assert (
            run("-c", stdin=r'{"\udc00": "a\ud83dz", "ok": "\ud83d\ude42"}').out
            == '{"\\udc00":"a\\ud83dz","ok":"🙂"}\n'.encode()
        )

    def test_what_could_steer_a_terminal_comes_out_as_escapes(self, run):
        hostile = "\x1b]0;x\x07\x7f\x9b31m\u202e\u2066"
        done = run("-c", stdin=json.dumps([hostile], ensure_ascii=True))
        assert done.out.isascii()
        assert not set(done.out[:-1]) & {*range(32), 127}
        assert json.loads(done.out) == [hostile]

    def test_deep_nesting_does_not_recurse(self, module):
        depth, value = 100_000, []
        for _ in range(depth - 1):
            value = [value]
        assert "".join(module("cli.output").dump(value, None)) == "[" * depth + "]" * depth

    def test_deep_nesting_is_not_indented_to_its_square(self, run):
        depth = 1_000
        done = run(stdin="[" * depth + "]" * depth)
        assert done.status == 0
        assert len(done.out) < 2 * depth + 20_000
        assert done.out.translate(None, b" \n") == b"[" * depth + b"]" * depth

    def test_values_are_mended_as_the_library_does(self, run):
        assert run("-c", stdin="```json\n{'a': 1,}\n```").out == b'{"a":1}\n'

    @pytest.mark.parametrize(
        ("options", "text", "out"),
        [
            (["--select", "last"], '{"a": 1} then {"b": 2}', b'{"b":2}\n'),
            (["--select", "first"], '{"a": 1} then {"b": 2}', b'{"a":1}\n'),
            (["--expect", "array"], '{"a": 1}\n\n[{"b": 2}]', b'[{"b":2}]\n'),
            (["--expect", "any"], "12", b"12\n"),
            (["--truncated", "keep"], '{"a": [1, 2', b'{"a":[1]}\n'),
        ],
    )
    def test_options_are_those_of_the_library(self, run, options, text, out):
        assert run("-c", *options, stdin=text) == (0, out, "")

    @pytest.mark.parametrize(
        ("options", "text"),
        [
            (["--select", "sole"], '{"a": 1} then {"b": 2}'),
            (["--repair", "off"], '{"a": 1,}'),
            (["--expect", "object"], "[1, 2]"),
            (["--truncated", "raise"], '{"a": [1, 2'),
        ],
    )
    def test_options_that_leave_no_answer(self, run, options, text):
        done = run(*options, stdin=text)
        assert (done.status, done.out) == (1, b"")
        assert one_line(done.err)

    @pytest.mark.parametrize("option", ["--select", "--expect", "--repair", "--truncated"])
    def test_a_choice_that_is_none_is_a_usage_error(self, run, option):
        done = run(option, "nonsense", stdin="[]")
        assert (done.status, done.out) == (2, b"")
        assert option in done.err


class TestRaw:
    def test_the_slice_as_it_stands(self, run):
        assert run("--raw", stdin='so {"a":  [1 , 2]}\r\n!') == (0, b'{"a":  [1 , 2]}\n', "")

    @pytest.mark.parametrize("text", ['{"a": 1}', "{}", '{"a": 1}\n'])
    def test_a_bare_object(self, run, text):
        assert run("--raw", stdin=text) == (0, text.rstrip().encode() + b"\n", "")

    def test_the_slice_is_not_mended(self, run):
        assert run("--raw", stdin="so:\n{'a':  1,}\n") == (0, b"{'a':  1,}\n", "")

    @pytest.mark.parametrize("text", ["no braces", "{no"])
    def test_nothing_found(self, run, text):
        done = run("--raw", stdin=text)
        assert (done.status, done.out) == (1, b"")
        assert one_line(done.err)

    def test_a_terminal_is_not_steered_by_the_slice(self, run):
        text = '{"a":\t"\x9b31m\x7f\u202e",\r\n"b": 1}'
        shown = run("--raw", stdin=text, terminal=True).out.decode()
        assert shown == '{"a":\t"\\u009b31m\\u007f\\u202e",\n"b": 1}\n'
        assert json.loads(shown) == json.loads(text)
        assert run("--raw", stdin=text).out.decode() == text + "\n"


class TestNothing:
    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ("I cannot help with that.", "no JSON"),
            (" \n", "no JSON"),
            ('{"a": [1', "/a/0"),
            ('{"a" = 1; }', "line 1 column"),
        ],
    )
    def test_status_1_and_one_line_that_says_why(self, run, text, why):
        done = run(stdin=text)
        assert (done.status, done.out) == (1, b"")
        assert one_line(done.err)
        assert why in done.err

    def test_the_line_names_the_file(self, run, tmp_path):
        (tmp_path / "answer.txt").write_text("none", encoding="utf-8")
        assert str(tmp_path / "answer.txt") in run(str(tmp_path / "answer.txt")).err


class TestTrouble:
    def check(self, done: Done, *words: str) -> None:
        assert (done.status, done.out) == (2, b"")
        assert one_line(done.err)
        assert [word for word in words if word not in done.err] == []

    def test_a_missing_file(self, run, tmp_path):
        self.check(run(str(tmp_path / "absent")), str(tmp_path / "absent"), "No such file")

    def test_a_directory(self, run, tmp_path):
        self.check(run(str(tmp_path)), str(tmp_path))

    def test_an_empty_file(self, run, tmp_path):
        (tmp_path / "empty").touch()
        self.check(run(str(tmp_path / "empty")), "empty: empty")

    def test_empty_standard_input(self, run):
        self.check(run(), "standard input: empty")

    @pytest.mark.parametrize(
        ("data", "where"),
        [
            (b'{"a": "\xff"}', "0xff at offset 7"),
            (b"\xed\xa0\x80", "0xed at offset 0"),
            (b"{}\xc3", "0xc3 at offset 2"),
        ],
    )
    def test_bytes_that_are_no_utf8(self, run, data, where):
        self.check(run(stdin=data), "standard input: not UTF-8", where)

    def test_a_name_cannot_steer_the_terminal(self, run, tmp_path):
        self.check(run(str(tmp_path / "\x1b[31m\udcff\nx")), "\\u001b[31m\\udcff\\u000ax")

    @pytest.mark.parametrize("stream", ["stdin", "stdout"])
    def test_a_closed_stream(self, module, monkeypatch, capsys, stream):
        main = module("cli").main
        monkeypatch.setattr(sys, "stdin", Stream(b"[1]"))
        monkeypatch.setattr(sys, stream, None)
        assert main([]) == 2
        assert "closed" in capsys.readouterr().err

    def test_a_closed_standard_error_puts_nothing_on_standard_output(self, module, monkeypatch, capsys):
        monkeypatch.setattr(sys, "stdin", Stream(b"none"))
        monkeypatch.setattr(sys, "stderr", None)
        assert module("cli").main([]) == 1
        assert capsys.readouterr().out == ""

    @pytest.mark.parametrize(
        "argv",
        [("--nonsense",), ("stream", "a", "b"), ("doctor", "x"), ("--comp",), ("stream", "\x1b[31m", "\x1b[31m")],
    )
    def test_usage(self, run, argv):
        done = run(*argv)
        assert (done.status, done.out) == (2, b"")
        assert "usage:" in done.err
        assert "\x1b" not in done.err


class TestAbout:
    @pytest.mark.parametrize("argv", [("--help",), ("-h",), ("extract", "--help"), ("doctor", "--help")])
    def test_help_has_an_example(self, run, argv):
        done = run(*argv)
        assert (done.status, done.err) == (0, "")
        assert b"example: jsonscan" in done.out

    def test_version_tells_the_build(self, run, js):
        assert run("--version") == (0, f"jsonscan {js.__version__} ({js.BUILD})\n".encode(), "")

    def test_doctor(self, run, js):
        done = run("doctor")
        assert (done.status, done.err) == (0, "")
        facts = dict(line.split(": ", 1) for line in done.out.decode().splitlines())
        assert list(facts) == ["jsonscan", "build", "python", "platform", "installed in", "beside it"]
        assert (facts["jsonscan"], facts["build"]) == (js.__version__, js.BUILD)

    def test_doctor_finds_a_broken_installation(self, run, module, monkeypatch):
        monkeypatch.setattr(module("cli.doctor"), "loads", lambda raw: None)
        done = run("doctor")
        assert done.status == 1
        assert "broken" in done.err

    def test_a_person_at_a_terminal_is_told_what_is_waited_for(self, run):
        done = run("-c", stdin="[1]", terminal=True)
        assert (done.status, done.out) == (0, b"[1]\n")
        assert one_line(done.err)


class TestEnds:
    """How a command ends that is cut short, on each build; as processes below."""

    @pytest.fixture
    def main(self, module, monkeypatch):
        def main(stdout, data: bytes = b"[1]") -> int:
            with stdout:
                monkeypatch.setattr(sys, "stdin", Stream(data))
                monkeypatch.setattr(sys, "stdout", stdout)
                return module("cli").main(["-c"])

        return main

    def test_a_reader_that_goes_away(self, main, capsys):
        read_end, write_end = os.pipe()
        os.close(read_end)
        assert main(open(write_end, "w", encoding="utf-8")) == 141
        assert capsys.readouterr().err == ""

    @pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no device that is full")
    def test_a_full_disk(self, main, capsys):
        assert main(open("/dev/full", "w", encoding="utf-8")) == 2
        assert one_line(capsys.readouterr().err)

    @pytest.mark.skipif(sys.platform == "win32", reason="there are no pipes that do not wait")
    def test_a_pipe_that_is_full(self, module):
        read_end, write_end = os.pipe()
        os.set_blocking(write_end, False)
        with open(read_end, "rb", buffering=0) as reader, open(write_end, "wb", buffering=0) as raw:
            with pytest.raises(BlockingIOError):
                module("cli.edges").write_all(raw, b"x" * 1_000_000)
            assert 0 < len(reader.read(1_000_000)) < 1_000_000

    def test_an_interrupt(self, main, monkeypatch, module, capsys, tmp_path):
        def interrupt(*_: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(module("cli.extract"), "read_text", interrupt)
        assert main(open(tmp_path / "out", "w", encoding="utf-8")) == 130
        assert capsys.readouterr().err == ""

    def test_no_memory_left(self, main, monkeypatch, module, capsys, tmp_path):
        def no_memory(*_: object) -> None:
            raise MemoryError

        monkeypatch.setattr(module("cli.extract"), "read_text", no_memory)
        assert main(open(tmp_path / "out", "w", encoding="utf-8")) == 2
        assert one_line(capsys.readouterr().err)

    def test_an_interrupt_without_a_standard_output(self, module, monkeypatch):
        def interrupt(*_: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(module("cli.extract"), "read_text", interrupt)
        monkeypatch.setattr(sys, "stdout", None)
        assert module("cli").main([]) == 130

    def test_help_without_a_standard_output(self, module, monkeypatch, capsys):
        monkeypatch.setattr(sys, "stdout", None)
        with pytest.raises(SystemExit) as end:
            module("cli").main(["--help"])
        assert end.value.code == 0


class TestProcess:
    """The installed command as a process of its own; it has one build only."""

    def command(self, *argv: str, **options) -> subprocess.CompletedProcess:
        return subprocess.run([COMMAND, *argv], capture_output=True, check=False, **options)

    def test_the_console_script(self):
        done = self.command("-c", input=b'x {"a": 1} y')
        assert (done.returncode, done.stdout, done.stderr) == (0, b'{"a":1}\n', b"")

    def test_python_dash_m(self, monkeypatch):
        monkeypatch.setattr(sys, "argv", ["jsonscan", "--version"])
        # pytest's import hook takes what is installed with a plugin, and has not the method that runpy asks for
        finders = [each for each in sys.meta_path if type(each).__name__ != "AssertionRewritingHook"]
        monkeypatch.setattr(sys, "meta_path", finders)
        with pytest.raises(SystemExit) as end:
            runpy.run_module("jsonscan", run_name="__main__", alter_sys=True)
        assert end.value.code == 0

    def test_output_is_utf8_whatever_the_locale(self):
        environment = os.environ | {
            "LC_ALL": "C",
            "PYTHONUTF8": "0",
            "PYTHONCOERCECLOCALE": "0",
            "PYTHONIOENCODING": "ascii",
        }
        assert self.command("-c", input='["é🙂"]'.encode(), env=environment).stdout == '["é🙂"]\n'.encode()

    @pytest.mark.skipif(sys.platform == "win32", reason="there is no limit to set for a file's length")
    @pytest.mark.parametrize("unbuffered", ["", "1"])
    @pytest.mark.parametrize(
        "words", [["-c"], ["repair"], ["find", "--html", "-"], ["stream"], ["batch", "-q", "--column", "0"]], ids=" ".join
    )
    def test_output_that_is_cut_short_is_never_taken_for_whole(self, tmp_path, words, unbuffered):
        import resource

        most = 20_000

        def limited() -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

        row = {"0": json.dumps(["x" * most])} if "batch" in words else ["x" * most]
        environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
        with open(tmp_path / "out", "wb") as out:
            done = subprocess.run(
                [COMMAND, *words],
                input=json.dumps(row).encode(), stdout=out, stderr=subprocess.PIPE, env=environment, preexec_fn=limited, check=False,
            )  # fmt: skip
        assert done.returncode == 2
        assert one_line(done.stderr.decode()) and "standard output: File too large" in done.stderr.decode()
        assert (tmp_path / "out").stat().st_size <= most

    @pytest.mark.skipif(sys.platform == "win32", reason="there are no pipes that do not wait")
    def test_output_that_would_have_to_wait_and_must_not(self):
        read_end, write_end = os.pipe()
        os.set_blocking(write_end, False)
        with open(read_end, "rb"), open(write_end, "wb") as out:
            done = subprocess.run(
                [COMMAND, "-c"],
                input=json.dumps(["x" * 1_000_000]).encode(), stdout=out, stderr=subprocess.PIPE,
                env=os.environ | {"PYTHONUNBUFFERED": "1"}, timeout=60, check=False,
            )  # fmt: skip
        assert done.returncode == 2
        assert one_line(done.stderr.decode())

    @pytest.mark.parametrize("unbuffered", ["", "1"])
    def test_a_reader_that_goes_away_is_no_error_message(self, unbuffered):
        # more than a pipe holds, so that the command is still writing when the reader closes
        text = json.dumps(["x" * 1000] * 1000).encode()
        with subprocess.Popen(
            [COMMAND],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=os.environ | {"PYTHONUNBUFFERED": unbuffered},
        ) as process:
            process.stdin.write(text)
            process.stdin.close()
            assert process.stdout.read(1) == b"["
            process.stdout.close()
            assert process.stderr.read() == b""
        assert process.returncode == 141

    def test_help_into_a_closed_pipe(self):
        read_end, write_end = os.pipe()
        os.close(read_end)
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
        done = subprocess.run(
            [COMMAND, "--help"], stdout=write_end, stderr=subprocess.PIPE, env=environment, check=False
        )
        os.close(write_end)
        assert (done.returncode, done.stderr) == (141, b"")

    @pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no device that is full")
    @pytest.mark.parametrize("words", [["--help"], ["--version"], ["batch", "--help"]], ids=" ".join)
    def test_help_to_a_full_disk(self, words):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([COMMAND, *words], stdout=full, stderr=subprocess.PIPE, check=False)
        assert done.returncode == 2
        assert one_line(done.stderr.decode())

    def test_an_interrupt_while_it_loads_ends_it_as_quietly(self):
        script = """
import sys
from jsonscan.__main__ import entry
class Interrupting:
    def find_spec(self, name, *_):
        if name == late:
            raise KeyboardInterrupt
late = sys.argv.pop()
sys.meta_path.insert(0, Interrupting())
entry()"""
        for name in ("jsonscan.cli", "jsonscan.cli.extract", "jsonscan.scanner"):
            done = subprocess.run([sys.executable, "-c", script, name], input=b"[1]", capture_output=True)
            assert (done.returncode, done.stdout, done.stderr) == (130, b"", b""), name

    @pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send")
    def test_an_interrupt_ends_with_130_and_quietly(self):
        # Under a shell's job in the background the signal is ignored, and children inherit that.
        heed = functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        with subprocess.Popen([COMMAND], preexec_fn=heed, **pipes) as process:
            # Standard input is read only once everything is loaded: a pipe that takes this is being read.
            process.stdin.write(b" " * 200_000)
            process.stdin.flush()
            process.send_signal(signal.SIGINT)
            out, err = process.communicate()
        assert (process.returncode, out, err) == (130, b"", b"")

    @pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="this system has no device without an end")
    @pytest.mark.parametrize("verb", ["extract", "find", "repair", "check"])
    def test_an_input_without_an_end(self, verb):
        with open("/dev/zero", "rb") as endless:
            argv = [COMMAND, verb, "--max-bytes", "100000"]
            done = subprocess.run(argv, stdin=endless, capture_output=True, check=False, timeout=60)
        assert (done.returncode, done.stdout) == (2, b"")
        assert done.stderr == b"jsonscan: standard input: longer than 100000 bytes: see --max-bytes\n"

    def test_how_long_an_input_may_be(self, run, module, monkeypatch, tmp_path):
        monkeypatch.setattr(module("cli.edges"), "MOST", 3)
        (tmp_path / "a").write_bytes(b"[12]")
        assert run("extract", tmp_path / "a").err == f"jsonscan: {tmp_path / 'a'}: longer than 3 bytes: see --max-bytes\n"
        assert run("extract", "--max-bytes", 4, "-c", tmp_path / "a").out == b"[12]\n"
        assert run("extract", "-c", stdin="[1]").out == b"[1]\n"
        for wrong in ("0", "-1", "1e3", "", "9" * 19):
            assert run("extract", f"--max-bytes={wrong}").status == 2

    @pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no device that is full")
    def test_a_full_disk(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([COMMAND], input=b"[1]", stdout=full, stderr=subprocess.PIPE, check=False)
        assert done.returncode == 2
        assert one_line(done.stderr.decode())

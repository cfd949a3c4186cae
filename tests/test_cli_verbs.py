"""The verbs beside `extract` of one response: what each prints, and its exit status."""

from __future__ import annotations

import json
import os
import pathlib
import stat
import subprocess
import sys
from collections.abc import Callable

import pytest
from commands import COMMAND, Done, Stream, maker, one_line, runner

EXAMPLES = pathlib.Path(__file__).parents[1] / "examples"
FENCED = 'So:\n```json\n{"a": 1,}\n```\nor [{"b": 2}] too'
HOSTILE = "\x1b]0;x\x07\u202e"


@pytest.fixture
def run(module, monkeypatch) -> Callable[..., Done]:
    """Run one command line inside this process, on the build under test."""
    return runner(module, monkeypatch)


@pytest.fixture
def file(tmp_path) -> Callable[..., pathlib.Path]:
    """Make a file of this text."""
    return maker(tmp_path, "in.txt")


def lines(done: Done) -> list[object]:
    return [json.loads(line) for line in done.out.splitlines()]


class TestExtractMany:
    def test_one_answer_after_the_other(self, run, file):
        assert run("-c", file('x {"a": 1}', "1"), file("[[2]]", "2")) == (0, b'{"a":1}\n[[2]]\n', "")

    @pytest.mark.parametrize(("bad", "status"), [("none", 1), (b"\xff", 2), ("", 2)])
    def test_what_is_wrong_with_one_does_not_stop_the_next(self, run, file, bad, status):
        done = run("-c", file(bad, "1"), file("[[2]]", "2"))
        assert (done.status, done.out) == (status, b"[[2]]\n")
        assert one_line(done.err)

    @pytest.mark.parametrize(("text", "status"), [("none", 0), ("", 2)])
    def test_exit_zero_is_for_findings_not_for_trouble(self, run, text, status):
        assert run("--exit-zero", stdin=text).status == status


class TestExtractLines:
    def test_a_field_of_each_line(self, run):
        done = run("--lines", "--field", "choices.0.message.content", EXAMPLES / "chat.jsonl")
        assert (done.status, done.err) == (0, "")
        assert done.out == b'{"city":"Oslo","days":3}\n{"city":"Rome","days":2}\n'

    def test_lines_that_are_strings(self, run):
        assert run("--lines", stdin='\ufeff"so {\\"a\\": 1}"\r\n\n"[[2]]"').out == b'{"a":1}\n[[2]]\n'

    def test_a_line_without_json_is_null_and_said(self, run):
        done = run("--lines", "--field", "r", stdin='{"r": "none"}\n{"r": "[[2]]"}\n{"r": 3}\n{}\n')
        assert (done.status, done.out) == (1, b"null\n[[2]]\nnull\nnull\n")
        assert [line.partition("standard input: ")[2] for line in done.err.splitlines()] == [
            "line 1: no JSON", "line 3: no text at r", "line 4: no text at r"
        ]  # fmt: skip

    @pytest.mark.parametrize(
        ("stdin", "why"),
        [
            ('"[]"\n{"a"', "line 2: not JSON"),
            ("[] x", "line 1: not JSON"),
            (b'"\xff"', "line 1: not UTF-8 (byte 0xff at offset 1)"),
        ],
    )
    def test_a_line_that_is_no_json_is_trouble(self, run, stdin, why):
        done = run("--lines", stdin=stdin)
        assert done.status == 2
        assert why in done.err

    def test_an_object_wants_a_field(self, run):
        done = run("--lines", stdin='{"a": "[]"}')
        assert (done.status, done.out) == (1, b"null\n")
        assert "--field" in done.err

    @pytest.mark.parametrize("field", ["x", "a.9", "a.-1", "a.x", "a.0.x", "a.99999999999999999999", "a.²"])
    def test_a_field_that_leads_nowhere(self, run, field):
        assert run("--lines", "--field", field, stdin='{"a": ["[]"]}').out == b"null\n"

    @pytest.mark.parametrize("argv", [("--field", "a"), ("--lines", "--raw")])
    def test_options_that_do_not_go_together(self, run, argv):
        done = run(*argv, stdin="[]")
        assert (done.status, done.out) == (2, b"")
        assert one_line(done.err)

    @pytest.mark.parametrize("argv", [(), ("--max-bytes", "9")])
    def test_a_line_beyond_all_bounds_is_refused(self, run, module, monkeypatch, argv):
        monkeypatch.setattr(module("cli.extract"), "LONGEST", 9)
        done = run("--lines", *argv, stdin='"[123]"\n"[123456]"')
        assert (done.status, done.out) == (2, b"[123]\n")
        assert done.err == "jsonscan: standard input: line 2 is longer than 9 bytes: see --max-bytes\n"
        assert run("--lines", "--max-bytes", "10", stdin='"[123]"\n"[1234]"').status == 0

    def test_lines_go_out_as_they_come_in(self):
        pipes = dict.fromkeys(("stdin", "stdout"), subprocess.PIPE)
        with subprocess.Popen([COMMAND, "--lines"], **pipes) as process:
            for number in (b"1", b"2"):
                process.stdin.write(b'"[%s]"\n' % number)
                process.stdin.flush()
                assert process.stdout.readline() == b"[%s]\n" % number
            process.stdin.close()

    def test_a_reader_that_goes_away(self, module, monkeypatch, capsys):
        read_end, write_end = os.pipe()
        os.close(read_end)
        with open(write_end, "w", encoding="utf-8") as stdout:
            monkeypatch.setattr(sys, "stdin", Stream(b'"[]"\n' * 3))
            monkeypatch.setattr(sys, "stdout", stdout)
            assert module("cli").main(["--lines"]) == 141
        assert capsys.readouterr().err == ""


class TestFind:
    def test_each_value_with_its_place(self, run, file):
        path = file(FENCED)
        assert run("find", path) == (
            0, f"{path}:3:1: object fence trailing-comma\n{path}:5:4: array prose strict\n".encode(), ""
        )  # fmt: skip

    def test_a_text_beyond_the_limits(self, run):
        done = run("find", stdin="[" * 1001 + "]" * 1001)
        assert (done.status, done.out) == (1, b"")
        assert one_line(done.err)

    def test_several_files_and_none_in_one(self, run, file):
        empty, full = file("none", "1"), file("[[1]]", "2")
        assert run("find", empty, full) == (1, f"{full}:1:1: array bare strict\n".encode(), "")
        assert run("find", "--exit-zero", empty).status == 0

    @pytest.mark.parametrize(
        ("argv", "text", "found"),
        [
            (["--repair", "off"], "{'a': 1} [2, {}]", b"array prose strict"),
            (["--expect", "object"], '[1, 2] {"a": 1}', b"object prose strict"),
            (["--truncated", "keep"], '{"a": [1, 2', b"object bare truncated"),
            (["--truncated", "keep", "--repair", "off"], '{"a": [1, 2', b"object bare truncated"),
            (["--fragments", "--repair", "off"], '{"a": {"b": 1} ???', b"object fragment strict"),
            (["--expect", "any"], "12", b"number bare strict"),
        ],
    )
    def test_options(self, run, argv, text, found):
        done = run("find", *argv, stdin=text)
        assert done.status == 0
        assert [line.split(b": ", 1)[1] for line in done.out.splitlines()] == [found]

    def test_json_lines(self, js, run, file):
        found = lines(run("find", "--format", "jsonl", file(FENCED)))
        match = next(js.finditer(FENCED))
        assert [each["text"] for each in found] == ['{"a": 1,}', '[{"b": 2}]']
        assert (found[0]["start"], found[0]["end"], found[0]["line"], found[0]["fence"]) == (*match.span(), 3, "json")
        assert found[0]["repairs"] == [
            {
                "code": "trailing-comma",
                "start": 19,
                "end": 20,
                "removed": ",",
                "inserted": "",
                "path": "",
                "risk": "lossless",
            }
        ]

    def test_github(self, run, file):
        path = file("[{}]", "a,b:c%.txt")
        assert run("find", "--format", "github", path).out.decode() == (
            f"::notice file={path.parent}/a%2Cb%3Ac%25.txt,line=1,col=1::array bare strict\n"
        )

    @pytest.mark.parametrize("how", ["text", "jsonl", "github"])
    def test_nothing_steers_the_terminal(self, run, file, how):
        path = file('\x1b\x07\n{"a": "\x9b\u202e"}\n', "\x1b[31m\nx")
        out = run("find", "--format", how, path, terminal=True).out.decode()
        assert not set(out) & set("\x1b\x9b\u202e")
        assert out.count("\n") == 1

    def test_html(self, run, file, tmp_path):
        page = tmp_path / "page.html"
        assert run("find", "--html", page, file(FENCED)) == (0, b"", "")
        text = page.read_text("utf-8")
        assert text.startswith("<!")
        assert run("find", "--html", "-", file(FENCED)).out.decode() == text
        assert run("find", "--html", page, "a", "b").status == 2
        assert run("find", "--html", tmp_path / "none" / "page.html", file(FENCED)).status == 2


    @pytest.mark.parametrize(
        ("argv", "left"),
        [
            ([], "1 broken and 1 cut off"),
            (["--truncated", "keep"], "1 broken"),
            (["--repair", "full"], "1 cut off"),
            (["--repair", "full", "--truncated", "keep"], ""),
            (["--fragments"], "1 broken and 1 cut off"),
        ],
    )
    def test_what_is_left_out_is_said(self, run, argv, left):
        done = run("find", *argv, stdin='x {"a": 5 mg} and [{"b": 2}] or\n\n {"c": [1')
        assert (done.status, b"array prose strict" in done.out) == (0, True)
        said = f"jsonscan: standard input: left out: {left}; see --repair, --truncated and --fragments\n"
        assert done.err == (said if left else "")


class TestRepair:
    def test_prints_strict_text(self, run):
        assert run("repair", stdin="{'a': 1, /* x */ b: [2,]}\n") == (0, b'{"a": 1,  "b": [2]}\n', "")

    def test_what_is_json_comes_out_as_it_is(self, run):
        text = b'{"a":\r\n 1.00,"a":2}'
        assert run("repair", stdin=text).out == text + b"\n"

    @pytest.mark.parametrize(
        ("argv", "text"), [((), '{"a": 5 mg}'), (("--repair", "off"), "[1,]"), (("--expect", "object"), "[]")]
    )
    def test_what_cannot_be_mended_is_said(self, run, argv, text):
        done = run("repair", *argv, stdin=text)
        assert (done.status, done.out) == (1, b"")
        assert one_line(done.err)

    def test_options(self, run):
        assert run("repair", "--repair", "full", stdin='{"a": 5 mg}').out == b'{"a": "5 mg"}\n'
        assert run("repair", "--truncated", "keep", stdin='{"a": [1, 2').out == b'{"a": [1]}\n'

    def test_report(self, run, file, tmp_path):
        path = file("[1,]")
        assert run("repair", "--report", tmp_path / "r", path, file("{'a': 2}", "2")).out == b'[1]\n{"a": 2}\n'
        report = [json.loads(line) for line in (tmp_path / "r").read_text("utf-8").splitlines()]
        assert [(each["file"], each["code"], each["start"]) for each in report] == [
            (str(path), "trailing-comma", 2), (str(tmp_path / "2"), "single-quotes", 1)
        ]  # fmt: skip

    @pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes to make")
    def test_a_pipe_gets_the_report_and_stays_a_pipe(self, run, tmp_path):
        os.mkfifo(tmp_path / "pipe")
        reading = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
        assert run("repair", "--report", tmp_path / "pipe", stdin="[1,]").status == 0
        assert b'"trailing-comma"' in os.read(reading, 1000)
        os.close(reading)
        assert [each.name for each in tmp_path.iterdir()] == ["pipe"]

    def test_diff_applies_as_a_patch(self, run, file):
        path = file('{\n "a": 1,\n}\n', "data.json")
        done = run("repair", "--diff", path)
        assert done.status == 0
        assert done.out.decode().splitlines() == [
            f"--- {path}", f"+++ {path} (repaired)", "@@ -1,3 +1,3 @@", " {", '- "a": 1,', '+ "a": 1', " }"
        ]  # fmt: skip
        assert path.read_text("utf-8") == '{\n "a": 1,\n}\n'

    def test_a_diff_marks_a_last_line_without_its_end(self, run):
        assert run("repair", "--diff", stdin="[1,]").out.decode().splitlines()[2:] == [
            "@@ -1 +1 @@", "-[1,]", "\\ No newline at end of file", "+[1]", "\\ No newline at end of file"
        ]  # fmt: skip

    def test_a_diff_of_nothing_is_empty(self, run):
        assert run("repair", "--diff", stdin="[1]\n") == (0, b"", "")

    @pytest.mark.parametrize(
        ("terminal", "environment", "coloured"),
        [(True, {}, True), (False, {}, False), (True, {"NO_COLOR": "1"}, False), (True, {"TERM": "dumb"}, False)],
    )
    def test_colour_is_for_terminals_that_like_it(self, run, monkeypatch, terminal, environment, coloured):
        for name in ("NO_COLOR", "TERM"):
            monkeypatch.delenv(name, raising=False)
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        out = run("repair", "--diff", stdin='["\x9b31m",]\n', terminal=terminal).out.decode()
        assert ("\x1b[31m-[" in out) == coloured
        assert ("\x9b" in out) != terminal

    def test_in_place(self, run, file):
        path, good = file("[1,]", "1"), file("[2]", "2")
        path.chmod(0o640)
        before = good.stat()
        assert run("repair", "-i", path, good) == (0, b"", "")
        assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"[1]", 0o640)
        assert good.stat().st_mtime_ns == before.st_mtime_ns  # what needs no change is not touched
        assert sorted(each.name for each in path.parent.iterdir()) == ["1", "2"]

    def test_in_place_goes_through_a_link(self, run, file, tmp_path):
        path, link = file("[1,]"), tmp_path / "link"
        link.symlink_to(path)
        run("repair", "-i", link)
        assert link.is_symlink()
        assert path.read_bytes() == b"[1]"

    def test_in_place_is_all_or_nothing(self, run, file, module, monkeypatch):
        path = file("[1,]")

        def full(*_: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(module("cli.edges").os, "fsync", full)
        done = run("repair", "-i", path)
        assert done.status == 2
        assert one_line(done.err) and "No space left" in done.err
        assert path.read_bytes() == b"[1,]"
        assert [each.name for each in path.parent.iterdir()] == ["in.txt"]

    @pytest.mark.parametrize("argv", [("-i",), ("-i", "-"), ("-i", "--diff", "x")])
    def test_in_place_wants_a_file(self, run, argv):
        assert run("repair", *argv, stdin="[1]").status == 2

    def test_surrogates_come_out_as_escapes(self, run):
        assert run("repair", "--repair", "full", stdin="{'a': '\\ud800'}").out == b'{"a": "\\ud800"}\n'


class TestOutputsAndInputs:
    """An output that names what is read would end it: nothing is read then, and nothing written."""

    @pytest.mark.parametrize("kind", ["same", "dotted", "symbolic", "hard"])
    @pytest.mark.parametrize(
        "argv", [["repair", "--report"], ["repair", "--diff", "--report"], ["repair", "-i", "--report"], ["find", "--html"]], ids=" ".join
    )
    def test_an_output_that_is_the_input_is_refused(self, run, file, tmp_path, argv, kind):
        path, link = file("[1,]"), tmp_path / "link"
        if kind == "symbolic":
            link.symlink_to(path)
        elif kind == "hard":
            os.link(path, link)
        output = {"same": path, "dotted": f"{tmp_path}/./in.txt"}.get(kind, link)
        done = run(*argv, output, path)
        assert (done.status, done.out) == (2, b"")
        assert done.err == f"jsonscan: {output}: the output would take the place of the input\n"
        assert path.read_bytes() == b"[1,]"

    def test_one_of_several_inputs(self, run, file):
        first, second = file("[1,]", "1"), file("[2,]", "2")
        assert run("repair", "--report", second, first, second).status == 2
        assert second.read_bytes() == b"[2,]"

    @pytest.mark.parametrize("words", [["repair", "--report"], ["find", "--html"], ["batch", "--format", "jsonl", "-o"]], ids=" ".join)
    def test_standard_input_that_is_the_output(self, file, words):
        path = file('{"response": "[1]"}')
        with open(path, "rb") as stdin:
            done = subprocess.run([COMMAND, *words, path], stdin=stdin, capture_output=True, check=False)
        assert (done.returncode, done.stdout) == (2, b"")
        assert one_line(done.stderr.decode()) and "would take the place of the input" in done.stderr.decode()
        assert path.read_bytes() == b'{"response": "[1]"}'

    @pytest.mark.parametrize(("argv", "status"), [([], 2), (["--diff"], 2), (["-i"], 0)])
    def test_a_report_that_is_standard_output(self, file, tmp_path, argv, status):
        path, out = file("[1,]"), tmp_path / "out"
        with open(out, "wb") as stdout:
            done = subprocess.run(
                [COMMAND, "repair", *argv, "--report", out, path], stdout=stdout, stderr=subprocess.PIPE, check=False
            )
        assert done.returncode == status
        assert one_line(done.stderr.decode()) == bool(status)
        assert (b"trailing-comma" in out.read_bytes()) != bool(status)

    def test_a_report_that_is_standard_output_of_this_process(self, module, monkeypatch, capsys, file, tmp_path):
        with open(tmp_path / "out", "w", encoding="utf-8") as stdout:
            monkeypatch.setattr(sys, "stdout", stdout)
            assert module("cli").main(["repair", "--report", str(tmp_path / "out"), str(file("[1,]"))]) == 2
        assert "what goes to standard output" in capsys.readouterr().err

    def test_a_device_is_no_input_that_could_be_lost(self, run):
        assert run("find", "--html", os.devnull, stdin="[1]").status == 0
        with open(os.devnull, "rb") as null:
            argv = [COMMAND, "repair", "--report", os.devnull]
            done = subprocess.run(argv, stdin=null, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        assert done.stderr == b"jsonscan: standard input: empty\n"

    def test_a_closed_standard_input_is_no_file(self, module, monkeypatch, capsys, tmp_path):
        monkeypatch.setattr(sys, "stdin", None)
        assert module("cli").main(["repair", "--report", str(tmp_path / "r")]) == 2
        assert "standard input is closed" in capsys.readouterr().err


class TestCheck:
    @pytest.mark.parametrize("text", ['{"a": 1}', " [] \n", "12", '"x"', "{}"])
    def test_strict_is_clean(self, run, text):
        assert run("check", stdin=text) == (0, b"", "")

    def test_every_deviation_with_its_place(self, run, file):
        path = file('{\n "a": True,\n}')
        assert run("check", path) == (
            1,
            f"{path}:2:7: python-literal: 'True' should be 'true'\n{path}:2:11: trailing-comma: ',' should be nothing\n".encode(),
            "",
        )

    def test_allowed_deviations_are_none(self, run):
        assert run("check", "--allow", "trailing-comma", stdin="[1,]").status == 0
        done = run("check", "--allow", "trailing-comma", stdin="[True,]")
        assert (done.status, done.out.count(b"\n")) == (1, 1)
        assert b"python-literal" in done.out

    @pytest.mark.parametrize(
        ("text", "about"),
        [
            ("x {", b"1:1"),
            ('{"a": 6 * 7}', b": 1:9: unexpected: "),
            ("prose", b": no-json: "),
            ('{"a": [1', b": truncated: "),
        ],
    )
    def test_what_nothing_mends_is_one_finding(self, run, text, about):
        done = run("check", stdin=text)
        assert (done.status, done.err) == (1, "")
        assert len(done.out.splitlines()) == 1

    def test_a_code_that_is_none_is_a_usage_error(self, run):
        done = run("check", "--allow", "nonsense", stdin="[]")
        assert done.status == 2
        assert "trailing-comma" in done.err

    def test_expect(self, run):
        assert run("check", "--expect", "object", stdin="[]").status == 1

    def test_words_that_are_no_numbers_can_be_allowed(self, run):
        done = run("check", stdin='[NaN, -Infinity, 1,]')
        assert done.out.decode().splitlines() == [
            "standard input:1:2: nonfinite: 'NaN' should be 'null'",
            "standard input:1:7: nonfinite: '-Infinity' should be 'null'",
            "standard input:1:19: trailing-comma: ',' should be nothing",
        ]
        assert run("check", "--allow", "nonfinite", stdin="[NaN, -Infinity]") == (0, b"", "")

    def test_a_cut_can_be_allowed(self, run):
        assert run("check", "--allow", "truncated", stdin='{"a": [1') == (0, b"", "")
        assert run("check", "--allow", "truncated", stdin='{"a": [True, 1').status == 1

    def test_names_that_stand_twice(self, run):
        assert run("check", stdin='{"a": 1, "a": 2}').status == 0
        done = run("check", "--duplicate-keys", "raise", stdin='{"a": 1, "a": 2}')
        assert (done.status, done.out.startswith(b"standard input:1:10: duplicate-key: ")) == (1, True)

    def test_github(self, run):
        assert run("check", "--format", "github", stdin="[1,]").out == (
            b"::error file=standard input,line=1,col=3::trailing-comma: ',' should be nothing\n"
        )

    def test_nothing_steers_the_terminal(self, run, file):
        out = run("check", file(f"['{HOSTILE}']", "\x1b[31m"), terminal=True).out.decode()
        assert not set(out) & set("\x1b\x07\u202e")

    def test_many_files(self, run, file):
        done = run("check", file("[1,]", "1"), file("[1]", "2"), "absent", file("{", "4"))
        assert done.status == 2
        assert len(done.out.splitlines()) == 2
        assert one_line(done.err)


class TestStream:
    @pytest.fixture
    def feed(self, run, module, monkeypatch):
        """Run `stream` with these chunks arriving one by one."""

        def feed(chunks: list[str], *argv: str) -> Done:
            monkeypatch.setattr(module("cli.stream"), "arriving", lambda path: (chunk.encode() for chunk in chunks))
            return run("stream", *argv)

        return feed

    CHUNKS = ['Here: {"a": "b', "", 'c", "d": [1', ', 2, {"e": 3}]', "} bye"]

    def test_a_line_for_each_new_value(self, feed):
        done = feed(self.CHUNKS)
        assert (done.status, done.err) == (0, "")
        assert lines(done) == [{"a": "b"}, {"a": "bc", "d": []}, {"a": "bc", "d": [1, 2, {"e": 3}]}]

    def test_deltas_lead_to_the_value(self, feed):
        assert lines(feed(self.CHUNKS, "--delta")) == [
            [{"op": "replace", "path": "", "value": {"a": "b"}}],
            [{"op": "replace", "path": "/a", "value": "bc"}, {"op": "add", "path": "/d", "value": []}],
            [{"op": "add", "path": f"/d/{at}", "value": value} for at, value in enumerate([1, 2, {"e": 3}])],
        ]  # fmt: skip

    @pytest.mark.parametrize(
        ("path", "text", "out", "said"),
        [
            ("/typo", '{"a": [1]}', [], "no array at /typo"),
            ("/a/0", '{"a": [1]}', [], "no array at /a/0"),
            ("/b", '{"a": [1], "b": {}}', [], "no array at /b"),
            ("", '{"a": [1]}', [], "no array at the root"),
            ("/a", '{"a": [1]}', [1], ""),
            ("/a", '{"a": []}', [], ""),
            ("", "[[1]]", [[1]], ""),
            ("/a~1b/0", '{"a/b": [[2]]}', [2], ""),
        ],
    )
    def test_items_of_an_array_that_is_not_there(self, run, path, text, out, said):
        done = run("stream", "--items", path, stdin=text)
        assert (done.status, lines(done)) == (int(bool(said)), out)
        assert done.err == (f"jsonscan: standard input: {said}\n" if said else "")
        assert run("stream", "--exit-zero", "--items", path, stdin=text).status == 0

    def test_items(self, feed):
        assert lines(feed(self.CHUNKS, "--items", "/d")) == [1, 2, {"e": 3}]

    def test_the_last_line_is_the_answer(self, feed):
        assert lines(feed(['{"a": 1}\n```json\n', '{"b": ', "2}\n```"]))[-1] == {"b": 2}
        assert lines(feed(["{'a': ", "1}"]))[-1] == {"a": 1}

    @pytest.mark.parametrize(("chunks", "status"), [(["none"], 1), (['{"a": ['], 1), ([], 1)])
    def test_no_answer(self, feed, chunks, status):
        done = feed(chunks)
        assert done.status == status
        assert one_line(done.err)

    def test_options_are_those_of_the_library(self, feed):
        assert lines(feed(['{"a": [1, 2'], "--truncated", "keep"))[-1] == {"a": [1]}
        assert feed(["{'a': 1}"], "--repair", "off").status == 1

    @pytest.mark.parametrize("path", ["a", "a/b"])
    def test_a_path_is_a_pointer(self, feed, path):
        assert feed([], "--items", path).status == 2

    def test_bytes_that_are_no_utf8(self, run):
        done = run("stream", stdin=b'{"a": "\xff"}')
        assert done.status == 2
        assert one_line(done.err)

    def test_nothing_steers_the_terminal(self, run):
        out = run("stream", stdin=json.dumps([HOSTILE], ensure_ascii=False), terminal=True).out
        assert out.isascii()
        assert not set(out[:-1]) & {*range(32)}

    def test_lines_come_while_the_response_still_arrives(self):
        pipes = dict.fromkeys(("stdin", "stdout"), subprocess.PIPE)
        with subprocess.Popen([COMMAND, "stream"], **pipes) as process:
            for chunk, line in [(b'so {"a": "\xc3', b'{"a":""}\n'), (b"\xa9", '{"a":"é"}\n'.encode())]:
                process.stdin.write(chunk)
                process.stdin.flush()
                assert process.stdout.readline() == line
            process.stdin.write(b'"}')
            process.stdin.close()
            assert process.stdout.read() == b""
        assert process.returncode == 0


def test_doctor_tells_what_is_beside_it(run, module, monkeypatch):
    monkeypatch.setattr(module("cli.doctor"), "OPTIONAL", ("pytest", "nonsense"))
    assert f"beside it: pytest {pytest.__version__}, nonsense (not installed)\n" in run("doctor").out.decode()


class TestStartUp:
    """What is loaded is counted, since time cannot be asserted."""

    def loaded(self, *argv: str) -> set[str]:
        script = "import sys; from jsonscan.__main__ import entry\n"
        script += "try: entry()\nexcept SystemExit: print(*sys.modules, file=sys.stderr)"
        done = subprocess.run([sys.executable, "-c", script, *argv], input=b"[1]", capture_output=True, check=True)
        return set(done.stderr.decode().splitlines()[-1].split())

    @pytest.mark.parametrize("argv", [("--version",), ("extract", "--help"), ("--nonsense",)])
    def test_usage_and_help_of_a_verb_load_no_other_verb(self, argv):
        loaded = self.loaded(*argv)
        assert not loaded & {
            f"jsonscan.cli.{verb}" for verb in ("find", "repair", "check", "stream", "batch", "doctor")
        }
        assert not loaded & {
            "multiprocessing",
            "concurrent",
            "csv",
            "gzip",
            "difflib",
            "pyarrow",
            "zstandard",
            "argcomplete",
        }

    @pytest.mark.parametrize("argv", [("--help",), ("--version",)])
    def test_help_loads_no_verb_and_no_reader(self, argv):
        loaded = self.loaded(*argv)
        assert {name for name in loaded if name.startswith("jsonscan.cli.")} == {"jsonscan.cli.edges"}
        assert "jsonscan.scanner" not in loaded

    def test_extract_loads_little(self):
        assert not self.loaded() & {
            "multiprocessing",
            "concurrent",
            "csv",
            "gzip",
            "difflib",
            "pyarrow",
            "dataclasses",
            "inspect",
            "locale",
            "shutil",
            "jsonscan.stream",
            "jsonscan.page",
        }


class TestOptions:
    """Those that the library has, where they make a difference."""

    @pytest.mark.parametrize(
        ("argv", "stdin", "out"),
        [
            (["extract", "-c", "--nonfinite", "null"], 'x {"a": NaN}', b'{"a":null}\n'),
            (["extract", "-c", "--duplicate-keys", "first"], '{"a": 1, "a": 2}', b'{"a":1}\n'),
            (["extract", "-c", "--big-int", "str"], "[9007199254740993]", b'["9007199254740993"]\n'),
            (["stream", "--nonfinite", "null"], "[NaN]", b"[null]\n"),
            (["repair", "--nonfinite", "null"], "[NaN]", b"[null]\n"),
            (["find", "--nonfinite", "null"], "[NaN]", b"standard input:1:1: array bare nonfinite\n"),
        ],
    )
    def test_they_are_heeded(self, run, argv, stdin, out):
        done = run(*argv, stdin=stdin)
        assert (done.status, done.out.splitlines()[-1:], done.err) == (0, out.splitlines(), "")

    def test_batch(self, run):
        rows = '{"response": "[NaN]"}\n{"response": "{\\"a\\": 1, \\"a\\": 2}"}\n'
        assert [(row["json"], row["error"]) for row in lines(run("batch", "-q", stdin=rows))] == [
            (None, "unexpected"), ('{"a": 1, "a": 2}', None)
        ]  # fmt: skip
        strict = lines(run("batch", "-q", "--nonfinite", "null", "--duplicate-keys", "raise", stdin=rows))
        assert [(row["json"], row["error"]) for row in strict] == [("[null]", None), (None, "duplicate-key")]

    @pytest.mark.parametrize("verb", ["extract", "stream", "repair", "find", "batch"])
    def test_a_float_that_json_has_no_word_for_is_no_choice(self, run, verb):
        assert run(verb, "--nonfinite", "allow", stdin="[]").status == 2

    @pytest.mark.parametrize("verb", ["repair", "find", "batch", "check"])
    def test_what_makes_no_difference_is_no_option(self, run, verb):
        assert run(verb, "--big-int", "str", stdin="[]").status == 2
        assert run(verb, "--duplicate-keys", "first", stdin="[]").status == 2

    @pytest.mark.parametrize(
        ("verb", "stdin", "said"),
        [
            ("extract", "42", "no JSON; --expect any would read it"),
            ("extract", "I cannot help with 42.", "no JSON"),
            ("extract", '{"a": NaN}', "; --nonfinite null would read it"),
            ("extract", '{"a": 5 mg}', "; --repair full would read it"),
            ("extract", '{"a": NaN, "b": 5 mg}', "; --nonfinite null --repair full would read it"),
            ("extract", '{"a": 6 * 7}', "line 1 column 9 (char 8)"),
            ("extract", '{"a": [1', "line 1 column 9 (char 8)"),
            ("repair", '{"a": NaN}', "; --nonfinite null would read it"),
            ("repair", '{"a": 5 mg}', "; --repair full would read it"),
            ("repair", '{"a": 6 * 7}', "line 1 column 9 (char 8)"),
            ("repair", "I cannot help with that.", "line 1 column 1 (char 0)"),
        ],
    )
    def test_an_error_names_what_would_have_read_it(self, run, verb, stdin, said):
        done = run(verb, stdin=stdin)
        assert (done.status, done.out) == (1, b"")
        assert one_line(done.err) and done.err.endswith(said + "\n")
        assert ("would read it" in done.err) == ("would read it" in said)

    def test_what_was_asked_for_already_is_not_named(self, run):
        assert run("--repair", "off", stdin="{'a': 1}").err.endswith("; --repair safe would read it\n")
        said = run("--repair", "full", "--select", "sole", stdin='{"a": NaN, "b": 5 mg}').err
        assert said.endswith("; --nonfinite null would read it\n")
        assert "would" not in run("--repair", "full", "--nonfinite", "null", stdin='{"a": 6 * 7}').err


class TestCompletion:
    def test_the_whole_command_line_is_offered(self, module, monkeypatch):
        seen = []

        class Argcomplete:
            @staticmethod
            def autocomplete(parser):
                seen.append(parser.format_help())
                raise SystemExit(0)

        monkeypatch.setitem(sys.modules, "argcomplete", Argcomplete)
        monkeypatch.setenv("_ARGCOMPLETE", "1")
        with pytest.raises(SystemExit):
            module("cli").entry()
        assert "doctor" in seen[0]

    def test_the_choices_are_the_library_s(self, module):
        model, options = module("model"), module("cli.options")
        assert {name: choices for name, (choices, _) in options.CHOICES.items()} == {
            name: tuple(each for each in model._CHOICES[name] if (name, each) != ("nonfinite", "allow"))  # which is no JSON
            for name in model._CHOICES
            if name != "fragments"
        }

    def test_the_defaults_are_the_library_s(self, module):
        defaults, options = module("model").Options(), module("cli.options")
        assert {name: getattr(defaults, name) for name in options.CHOICES} == options.DEFAULTS

    @pytest.mark.parametrize(
        ("verb", "about"),
        [
            ("extract", {"select": "answer", "expect": "container", "repair": "safe", "truncated": "raise", "duplicate-keys": "last"}),
            ("stream", {"nonfinite": "raise", "big-int": "exact"}),
            ("batch", {"expect": "container", "nonfinite": "raise"}),
            ("find", {"expect": "container"}),
            ("repair", {"expect": "any", "repair": "safe"}),
            ("check", {"expect": "any"}),
        ],
    )  # fmt: skip
    def test_help_says_the_defaults(self, run, monkeypatch, verb, about):
        monkeypatch.setenv("COLUMNS", "300")
        lines = run(verb, "--help").out.decode().splitlines()
        for name, default in about.items():
            (line,) = [line for line in lines if line.strip().startswith(f"--{name} HOW ")]
            assert line.endswith(f"(default: {default})")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no device that is full")
def test_a_full_disk_is_said_once_for_many_files(file):
    paths = [file("[1]", str(number)) for number in range(3)]
    with open("/dev/full", "wb") as full:
        done = subprocess.run([COMMAND, *paths], stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert one_line(done.stderr.decode())


def test_find_places_every_value_as_its_match_does():
    """It counts on from the value before, which must come to what counting from the start gives."""
    from jsonscan import finditer
    from jsonscan.cli.find import places

    text = 'é {"a": 1}\n\n x {"b": 2} and {"c": 3}\n{"d": [\n4]}, then {"e": 5}\n'
    found = list(finditer(text))
    assert len(found) == 5
    assert list(places(text, found)) == [(match.lineno, match.colno) for match in found]

"""`jsonscan batch`: what comes out, in each format; how it goes on after a crash; what is said when something is wrong."""

from __future__ import annotations

import contextlib
import csv
import gzip
import io
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import time
import types
import zlib
from collections import Counter
from collections.abc import Callable

import pytest
from batches import EXPECTED, NEW, RESPONSES, csv_of, interrupted, jsonl, killed_at, new_columns
from commands import COMMAND, Done, Stream, batch_runner, maker, one_line

from jsonscan.cli import batch_pool as pool
from jsonscan.cli.batch_work import Job
from jsonscan.cli.edges import Trouble


@pytest.fixture
def run(module, monkeypatch) -> Callable[..., Done]:
    """Run `batch` inside this process, on the build under test."""
    return batch_runner(module, monkeypatch)


@pytest.fixture
def file(tmp_path) -> Callable[..., pathlib.Path]:
    """Make a file of this content."""
    return maker(tmp_path, "in.jsonl")


class TestJsonl:
    def test_the_columns_behind_the_row_as_it_was(self, run, file):
        text = jsonl(RESPONSES)
        done = run("-q", file(text))
        assert (done.status, done.err) == (0, "")
        assert new_columns(done.out) == EXPECTED
        for old, new in zip(text.splitlines(), done.out.decode().split("\n")):
            assert new.startswith(old[:-1] + ',"json":')

    def test_the_values_are_those_of_the_library(self, js, run, file):
        out = run("-q", file(jsonl(RESPONSES))).out.splitlines()
        found = [js.search(response) for response in RESPONSES if response not in ('{"c": [1, 2',)]
        assert [json.loads(json.loads(line)["json"]) for line in out if json.loads(line)["ok"]] == [
            each.value for each in found if each
        ]

    @pytest.mark.parametrize(
        "text",
        [
            '\ufeff{"response": "[[1]]"}\r\n\r\n  {"response": "[[1]]"} \n\n{"response":"[[1]]"}',
            '{"response": "[[1]]"}\n' * 3 + "\n",
        ],
    )
    def test_blanks_around_rows(self, run, file, text):
        out = run("-q", file(text)).out
        assert [row[0] for row in new_columns(out)] == ["[[1]]"] * 3

    def test_a_row_without_a_response(self, run, file):
        rows = '{"response": "[[1]]"}\n{"response": null}\n{"response": 1}\n{}\n'
        assert [row[-1] for row in new_columns(run("-q", file(rows)).out)] == [None, "null", "not-text", "null"]

    @pytest.mark.parametrize("column", ["choices.0.message", "a.b"])
    def test_a_path_leads_to_the_response(self, run, file, column):
        rows = '{"choices": [{"message": "[[1]]"}], "a.b": "[[1]]"}\n{"choices": []}\n'
        assert [row[0] for row in new_columns(run("-q", "--column", column, file(rows)).out)] == ["[[1]]", None]

    def test_options_of_the_library(self, run, file):
        rows = new_columns(run("-q", "--truncated", "keep", "--repair", "off", file(jsonl(RESPONSES))).out)
        assert rows[2] == ['{"c": [1]}', True, "bare", 0, 11, False, ["truncated"], None]
        assert rows[1][-1] not in (None, "no-json")

    def test_a_prefix(self, run, file):
        row = json.loads(run("-q", "--prefix", "x_%s_", file('{"json": 1, "response": "[[1]]"}')).out)
        assert row == {"json": 1, "response": "[[1]]"} | dict(
            zip([f"x_%s_{name}" for name in NEW], ["[[1]]", True, "bare", 0, 5, True, [], None])
        )

    def test_errors_keep(self, run, file):
        rows = new_columns(run("-q", "--errors", "keep", file(jsonl(["no \ud800 ü", None, "[[1]]"]))).out)
        assert [(row[0], row[1], row[-1]) for row in rows] == [
            ("no \ud800 ü", False, "no-json"),
            (None, False, "null"),
            ("[[1]]", True, None),
        ]

    def test_errors_fail(self, run, file, tmp_path):
        done = run("--errors", "fail", file(jsonl(["[[1]]", "no"])), "-o", tmp_path / "out.jsonl")
        assert (done.status, done.out) == (1, b"")
        assert one_line(done.err)
        assert "line 2: no-json" in done.err
        assert [each.name for each in tmp_path.iterdir()] == ["in.jsonl"]

    def test_the_summary(self, run, file):
        done = run(file(jsonl(RESPONSES)))
        assert done.err == (
            "jsonscan: 7 rows, 0 s: 3 strict, 1 repaired, 1 truncated, 2 none\n"
            "jsonscan: repairs, by the rows that had them: single-quotes 1, trailing-comma 1\n"
            "jsonscan: rows without JSON, by why: no-json 2, truncated 1\n"
        )

    def test_the_summary_of_rows_that_read_strictly(self, run, file):
        assert run(file(jsonl(["[[1]]"]))).err == "jsonscan: 1 rows, 0 s: 1 strict, 0 repaired, 0 truncated, 0 none\n"

    def test_standard_input(self, run):
        assert new_columns(run("-q", stdin=jsonl(RESPONSES)).out) == EXPECTED

    def test_standard_input_to_a_file(self, run, tmp_path):
        assert run("-q", "-o", tmp_path / "out.jsonl", stdin=jsonl(RESPONSES)).status == 0
        assert new_columns((tmp_path / "out.jsonl").read_bytes()) == EXPECTED

    def test_standard_input_that_is_closed(self, module, monkeypatch, capsys):
        monkeypatch.setattr(sys, "stdin", None)
        assert module("cli").main(["batch"]) == 2
        assert one_line(capsys.readouterr().err)

    def test_to_a_file(self, run, file, tmp_path):
        path = file(jsonl(RESPONSES))
        assert run("-q", path, "-o", tmp_path / "out.jsonl") == (0, b"", "")
        assert (tmp_path / "out.jsonl").read_bytes() == run("-q", path).out
        assert sorted(each.name for each in tmp_path.iterdir()) == ["in.jsonl", "out.jsonl", "out.jsonl.journal"]

    def test_through_a_link(self, run, file, tmp_path):
        (tmp_path / "there").mkdir()
        (tmp_path / "out.jsonl").symlink_to(tmp_path / "there" / "real.jsonl")
        assert run("-q", file(jsonl(RESPONSES)), "-o", tmp_path / "out.jsonl").status == 0
        assert (tmp_path / "out.jsonl").is_symlink()
        assert new_columns((tmp_path / "there" / "real.jsonl").read_bytes()) == EXPECTED

    @pytest.mark.parametrize("chunk", ["1", "7"])
    def test_the_output_does_not_depend_on_the_chunks(self, run, file, chunk):
        path = file(jsonl(RESPONSES * 60 + ["x" * 5000]))
        assert run("-q", "--chunk", chunk, path).out == run("-q", path).out

    def test_a_terminal_is_not_steered(self, run, file):
        out = run("-q", file('{"response": "[[\\"\\u009b\\"]]", "x": "\x9b"}'), terminal=True).out.decode()
        assert "\x9b" not in out
        assert json.loads(out)["x"] == "\x9b"


def as_field(value: object) -> str:
    if isinstance(value, list):
        return " ".join(value)
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


class TestCsv:
    def test_the_columns_behind_the_row(self, run, file):
        done = run("-q", file(csv_of(RESPONSES), "in.csv"))
        assert (done.status, done.err) == (0, "")
        header, *rows = csv.reader(io.StringIO(done.out.decode(), newline=""))
        assert header == ["id", "response", *NEW]
        assert [row[1] for row in rows] == RESPONSES
        assert [row[2:] for row in rows] == [[as_field(each) for each in row] for row in EXPECTED]

    def test_tabs(self, run, file):
        out = run("-q", file("\ufeffresponse\tn\n[[1]]\t2\n", "in.tsv")).out.decode()
        assert out == "\t".join(["response", "n", *NEW]) + "\n[[1]]\t2\t[[1]]\ttrue\tbare\t0\t5\ttrue\t\t\n"

    @pytest.mark.parametrize("chunk", ["1", "7"])
    def test_the_output_does_not_depend_on_the_chunks(self, run, file, chunk):
        path = file(csv_of(RESPONSES * 60), "in.csv")
        assert run("-q", "--chunk", chunk, path).out == run("-q", path).out

    def test_a_header_alone(self, run, file):
        assert run("-q", file("response\n", "in.csv")).out.decode() == ",".join(["response", *NEW]) + "\n"

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ("", "empty"),
            ("\n\n", "empty"),
            ("response,n\n[1]\n", "line 2: 1 fields, and 2 in the header"),
            ("response\n[1],2\n", "line 2: 2 fields, and 1 in the header"),
            ('response\n"[1]"x\n', "line 2: "),
            ('response\n"[1]\n', "line 2: "),
            (b"response\n\xff\n", "line 2: not UTF-8 (byte 0xff at offset 0)"),
            ("a,b\n1,2\n", "no column 'response'; there are 'a', 'b'"),
            ("response,ok\n1,2\n", "has a column 'ok' already: choose a --prefix"),
            ("response,response\n1,2\n", "has 2 columns 'response'"),
            ("response\n[1]\r[2]\n", "line 2: new-line character seen in unquoted field\n"),
        ],
    )
    def test_what_is_no_table_of_responses(self, run, file, text, why):
        done = run(file(text, "in.csv"))
        assert done.status == 2
        assert one_line(done.err)
        assert why in done.err


class StandIn:
    """What is used of zstandard, which tests/arrow has the real one of."""

    class ZstdError(Exception):
        pass

    compress = staticmethod(zlib.compress)

    class ZstdDecompressor:
        decompressobj = staticmethod(zlib.decompressobj)


class TestCompressed:
    @pytest.mark.parametrize("name", ["in.jsonl.gz", "in.csv.gz"])
    def test_gzip_in_and_out(self, run, file, tmp_path, name):
        make = jsonl if "jsonl" in name else csv_of
        plain, packed = file(make(RESPONSES * 50), name[:-3]), file(gzip.compress(make(RESPONSES * 50).encode()), name)
        out = tmp_path / f"out.{name[3:]}"
        assert run("-q", "--chunk", "2", packed, "-o", out).status == 0
        assert gzip.decompress(out.read_bytes()) == run("-q", plain).out
        assert out.read_bytes().count(b"\x1f\x8b\x08") > 2  # several members

    @pytest.mark.parametrize(
        "damage",
        [lambda data: data[:-20], lambda data: b"x" + data, lambda data: data[:60] + b"\0\xff\0\xff" + data[64:]],
    )
    def test_what_is_damaged_or_cut_is_said(self, run, file, damage):
        done = run("-q", file(damage(gzip.compress(jsonl(RESPONSES * 50).encode())), "in.jsonl.gz"))
        assert done.status == 2
        assert one_line(done.err)

    def test_zstd_by_a_stand_in(self, run, file, monkeypatch, tmp_path):
        monkeypatch.setitem(sys.modules, "compression", None)
        monkeypatch.setitem(sys.modules, "zstandard", StandIn)
        lines = jsonl(RESPONSES * 200).encode().splitlines(keepends=True)
        frames = [zlib.compress(b"".join(lines[:900])), zlib.compress(b""), zlib.compress(b"".join(lines[900:]))]
        path = file(b"".join(frames), "in.jsonl.zst")
        assert run("-q", path, "-o", tmp_path / "out.jsonl.zst").status == 0
        assert new_columns(zlib.decompress((tmp_path / "out.jsonl.zst").read_bytes())) == EXPECTED * 200
        for damaged, why in ((b"x", ""), (b"".join(frames)[:-1], "it ends inside a frame"), (frames[0] + b"x", "")):
            done = run("-q", file(damaged, "in.jsonl.zst"))
            assert done.status == 2
            assert one_line(done.err) and f"damaged or cut short: {why}" in done.err

    def test_zstd_by_a_stand_in_for_the_standard_library_s(self, run, file, monkeypatch):
        package = types.ModuleType("compression")
        package.zstd = types.SimpleNamespace(
            ZstdFile=lambda file, mode: io.BytesIO(zlib.decompress(file.read())), ZstdError=zlib.error
        )
        monkeypatch.setitem(sys.modules, "compression", package)
        assert new_columns(run("-q", file(zlib.compress(jsonl(RESPONSES).encode()), "in.jsonl.zst")).out) == EXPECTED

    def test_without_zstandard(self, run, file, monkeypatch):
        monkeypatch.setitem(sys.modules, "zstandard", None)
        monkeypatch.setitem(sys.modules, "compression", None)
        done = run(file("x", "in.jsonl.zst"))
        assert done.status == 2
        assert "jsonscan[zstd]" in done.err


def test_parquet_without_pyarrow(run, file, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    done = run(file("x", "in.parquet"), "-o", tmp_path / "out.parquet")
    assert done.status == 2
    assert one_line(done.err) and "jsonscan[arrow]" in done.err


class TestTrouble:
    @pytest.mark.parametrize(
        ("argv", "why"),
        [
            (["absent.jsonl"], "No such file"),
            (["absent.txt"], "say --format"),
            (["{dir}"], "is a directory"),
            (["{dir}", "--format", "jsonl"], "is a directory"),
            (["{in}", "-o", "{dir}/out.csv"], "the output has the format of the input"),
            (["{in}", "-o", "{dir}/out"], "the output has the format of the input"),
            (["{in}", "-o", "{in}"], "take the place of the input"),
            (["-", "--format", "parquet"], "say --output"),
            (["{in}", "--format", "jsonl", "-o", os.devnull], "is no file"),
            (["{in}", "--format", "jsonl", "-o", "{dir}"], "is no file"),
            (["{in}", "-o", "{dir}/no/out.jsonl"], "No such file"),
            (["{in}", "--resume"], "--resume wants"),
            (["-", "--resume", "-o", "{dir}/out.jsonl"], "--resume wants"),
            (["{in}", "--column", "x"], "no column 'x'; there are 'id', 'response'"),
        ],
    )
    def test_one_line_and_status_2(self, run, file, tmp_path, argv, why):
        path = file(jsonl(RESPONSES))
        done = run(*(word.format(dir=tmp_path, **{"in": path}) for word in argv))
        assert (done.status, done.out) == (2, b"")
        assert one_line(done.err)
        assert why in done.err
        assert [each.name for each in tmp_path.iterdir()] == ["in.jsonl"]

    @pytest.mark.parametrize("name", ["out.jsonl.part", "out.jsonl.journal", "out.jsonl.tmp"])
    def test_an_input_that_stands_in_the_way_of_the_output(self, run, file, tmp_path, name):
        path = file(jsonl(RESPONSES), name)
        done = run("--format", "jsonl", path, "-o", tmp_path / "out.jsonl")
        assert done.status == 2
        assert one_line(done.err) and f"{path}: the output would take the place of the input" in done.err
        assert path.read_text("utf-8") == jsonl(RESPONSES)
        assert [each.name for each in tmp_path.iterdir()] == [name]

    @pytest.mark.parametrize(
        ("content", "why"),
        [
            ("", "empty"),
            (jsonl(RESPONSES) + '{"response": "[1]"', "line 8: not JSON"),
            ('{"response": "[1]"} x', "line 1: not JSON"),
            (jsonl(RESPONSES) + '["[1]"]', "line 8: no object"),
            (jsonl(RESPONSES).encode() + b'{"response": "\xff"}', "line 8: not UTF-8 (byte 0xff at offset 14)"),
            ('{"response": "[1]", "ok": 1}', "line 1 has a column 'ok' already"),
        ],
    )
    def test_what_is_no_json_lines(self, run, file, content, why):
        done = run("-q", file(content))
        assert done.status == 2
        assert one_line(done.err)
        assert why in done.err

    @pytest.mark.parametrize(
        "words",
        [
            "--workers 0",
            "--workers x",
            "--chunk 0",
            "--checkpoint -1",
            "--checkpoint nan",
            "--checkpoint x",
            "--errors x",
            "--format x",
            "a b",
        ],
    )
    def test_usage(self, run, words):
        done = run(*words.split())
        assert (done.status, done.out) == (2, b"")
        assert "usage:" in done.err

    def test_a_row_of_100_mb(self, run, tmp_path):
        with open(tmp_path / "in.jsonl", "wb") as sparse:
            sparse.write(b'{"response": "[[1]]"}\n{"response": "')
            sparse.truncate(100_000_000)
        done = run("-q", tmp_path / "in.jsonl")
        assert (done.status, done.out.count(b"\n")) == (2, 1)
        assert one_line(done.err)
        assert "line 2 is longer than 64 MiB" in done.err

    def test_a_csv_row_beyond_all_bounds(self, run, module, monkeypatch, file):
        monkeypatch.setattr(module("cli.batch_input"), "LONGEST", 1 << 16)
        for text in ("response\n" + "x" * 70_000, 'response\n"' + "x\n" * 70_000 + '"'):
            done = run("-q", file(text, "in.csv"))
            assert done.status == 2
            assert one_line(done.err)

    @pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no device that is full")
    def test_a_full_disk(self, file):
        with open("/dev/full", "wb") as full:
            done = subprocess.run(
                [COMMAND, "batch", "-q", file(jsonl(RESPONSES))], stdout=full, stderr=subprocess.PIPE, check=False
            )
        assert done.returncode == 2
        assert one_line(done.stderr.decode())

    def test_a_disk_that_fills_up_loses_nothing(self, run, module, monkeypatch, file, tmp_path):
        path, out = file(jsonl(RESPONSES * 40)), tmp_path / "out.jsonl"
        write, written = module("cli.batch_output").write_all, []

        def filling(to, data):
            if to.name.endswith(".part"):
                written.append(data)
                if len(written) == 4:
                    to.write(data[:100])
                    raise OSError(28, "No space left on device")
            write(to, data)

        monkeypatch.setattr(module("cli.batch_output"), "write_all", filling)
        done = run("-q", "--chunk", "2", path, "-o", out)
        assert done.status == 2
        assert one_line(done.err) and "No space left" in done.err and "--resume" in done.err
        assert not out.exists()
        assert run("-q", "--resume", path, "-o", out).status == 0
        assert out.read_bytes() == run("-q", path).out


class TestResume:
    """A run that ends before its time; random ones as processes below."""

    @pytest.fixture
    def cut(self, module, monkeypatch, run):
        """Run with an interrupt once so many chunks are written."""

        def cut(chunks: int, *argv: object) -> Done:
            with interrupted(module, monkeypatch, chunks):
                return run("-q", "--chunk", "2", *argv)

        return cut

    @pytest.mark.parametrize("name", ["in.jsonl", "in.jsonl.gz", "in.csv", "in.csv.gz"])
    @pytest.mark.parametrize("chunks", [1, 3])
    def test_an_interrupted_run_goes_on(self, run, cut, file, tmp_path, name, chunks):
        content = (jsonl if "jsonl" in name else csv_of)(RESPONSES * 40).encode()
        path = file(gzip.compress(content) if name.endswith("gz") else content, name)
        out, whole = tmp_path / f"out.{name[3:]}", tmp_path / f"whole.{name[3:]}"
        assert cut(chunks, path, "-o", out).status == 130
        assert not out.exists()
        assert run("--resume", "--chunk", "2", path, "-o", out).err.startswith("jsonscan: 280 rows")
        assert run("-q", "--chunk", "2", path, "-o", whole).status == 0
        assert out.read_bytes() == whole.read_bytes()
        left = [path.name, out.name, f"{out.name}.journal", whole.name, f"{whole.name}.journal"]
        assert sorted(each.name for each in tmp_path.iterdir()) == sorted(left)

    def test_what_is_done_is_done(self, run, file, tmp_path):
        path, out = file(jsonl(RESPONSES)), tmp_path / "out.jsonl"
        run("-q", path, "-o", out)
        before = out.stat().st_mtime_ns
        done = run("--resume", path, "-o", out)
        assert (done.status, done.err) == (0, f"jsonscan: {out}: done already\n")
        assert run("-q", "--resume", path, "-o", out) == (0, b"", "")
        assert out.stat().st_mtime_ns == before

    @pytest.mark.parametrize(
        "argv", [["--repair", "full"], ["--column", "id"], ["--errors", "keep"], ["--prefix", "x"]]
    )
    def test_other_options_are_another_run(self, run, cut, file, tmp_path, argv):
        path, out = file(jsonl(RESPONSES * 40)), tmp_path / "out.jsonl"
        cut(2, path, "-o", out)
        done = run("--resume", path, "-o", out, *argv)
        assert done.status == 2
        assert "is of another run" in done.err
        assert run("-q", "--resume", path, "-o", out).status == 0
        before = out.read_bytes()
        done = run("--resume", path, "-o", out, *argv)  # a run that is done is another as well
        assert done.status == 2
        assert one_line(done.err) and "is of another run" in done.err
        assert out.read_bytes() == before
        assert run("-q", path, "-o", out, "--errors", "keep").status == 0
        assert out.read_bytes() != before

    @pytest.mark.parametrize("newer", [True, False])
    def test_another_input_is_done_anew(self, run, file, tmp_path, newer):
        path, out = file(jsonl(RESPONSES)), tmp_path / "out.jsonl"
        run("-q", path, "-o", out)
        file(jsonl(RESPONSES * 2))
        if not newer:  # brought back from somewhere, with the time it had there
            os.utime(path, (1, 1))
        assert run("--resume", path, "-o", out).err.startswith("jsonscan: 14 rows")
        assert out.read_bytes() == run("-q", path).out

    def test_an_output_that_is_gone_is_made_anew(self, run, file, tmp_path):
        path, out = file(jsonl(RESPONSES)), tmp_path / "out.jsonl"
        run("-q", path, "-o", out)
        out.unlink()
        assert run("-q", "--resume", path, "-o", out).status == 0
        assert out.read_bytes() == run("-q", path).out

    def test_an_output_of_which_nothing_tells_is_not_trusted(self, run, file, tmp_path):
        path, out = file(jsonl(RESPONSES)), tmp_path / "out.jsonl"
        run("-q", path, "-o", out)
        (tmp_path / "out.jsonl.journal").unlink()
        done = run("--resume", path, "-o", out)
        assert done.status == 2
        assert one_line(done.err) and "start without --resume" in done.err
        os.utime(out, (1, 1))  # older than the input: of another one surely
        assert run("-q", "--resume", path, "-o", out).status == 0

    def test_another_input_is_another_run(self, run, cut, file, tmp_path):
        path, out = file(jsonl(RESPONSES * 40)), tmp_path / "out.jsonl"
        cut(2, path, "-o", out)
        file(jsonl(RESPONSES * 41))
        assert "is of another run" in run("--resume", path, "-o", out).err
        assert run("-q", path, "-o", out).status == 0  # without --resume it starts anew
        assert out.read_bytes() == run("-q", path).out

    def test_a_part_that_lost_bytes_is_not_trusted(self, run, cut, file, tmp_path):
        path, out = file(jsonl(RESPONSES * 40)), tmp_path / "out.jsonl"
        cut(2, path, "-o", out)
        os.truncate(f"{out}.part", 10)
        assert "is shorter than its journal says" in run("--resume", path, "-o", out).err

    @pytest.mark.parametrize(
        ("name", "last", "what"),
        [
            ("in.jsonl", b"x", "line 281: not JSON"),
            ("in.jsonl", b"[]", "line 281: no object, so nothing that has columns"),
            ("in.jsonl", b"\xff", "line 281: not UTF-8 (byte 0xff at offset 0)"),
            ("in.csv", b"a,b,c,d", "fields, and "),
        ],
    )
    def test_a_row_that_is_none_is_no_place_to_go_on_from(self, run, tmp_path, name, last, what):
        rows = (csv_of if "csv" in name else jsonl)(RESPONSES * 40).encode()
        path, out = tmp_path / name, tmp_path / f"out{name[2:]}"
        path.write_bytes(rows + last)
        for argv in ((), ("--resume",)):
            done = run("-q", "--chunk", "1", "--checkpoint", "0", *argv, path, "-o", out)
            assert done.status == 2
            advice = "--resume would stop there again: mend the input and start anew"
            assert one_line(done.err) and what in done.err and done.err.endswith(f"; {advice}\n")
        path.write_bytes(rows)
        assert run("-q", path, "-o", out).status == 0

    @pytest.mark.parametrize("tail", [b'{"in": {"off', b'{"in": {}, "out": 0}', b""])
    def test_a_torn_line_of_the_journal_does_not_count(self, run, cut, file, tmp_path, tail):
        path, out = file(jsonl(RESPONSES * 40)), tmp_path / "out.jsonl"
        cut(2, "--checkpoint", "0", path, "-o", out)
        with open(f"{out}.journal", "ab") as journal:
            journal.write(tail)
        with open(f"{out}.part", "ab") as part:
            part.write(b"rows that no checkpoint tells of\n")
        assert run("-q", "--resume", path, "-o", out).status == 0
        assert out.read_bytes() == run("-q", path).out

    @pytest.mark.parametrize(
        "line",
        [b"no JSON", b"\xff", b"[" * 100_000, b"5", b"{}", b'{"in": {}, "out": 0}', b'{"in": 0, "out": 0, "counts": {}, "end": false}',
         b'{"in": {}, "out": -1, "counts": {}, "end": false}', b'{"in": {}, "out": 0, "counts": {"strict": 1.5}, "end": false}'],
        ids=range(9),
    )  # fmt: skip
    def test_a_journal_that_is_damaged(self, run, cut, file, tmp_path, line):
        path, out = file(jsonl(RESPONSES * 40)), tmp_path / "out.jsonl"
        cut(2, "--checkpoint", "0", path, "-o", out)
        head, *lines = (tmp_path / "out.jsonl.journal").read_bytes().splitlines(keepends=True)
        for content in ([head, *lines, line + b"\n"], [line + b"\n", *lines]):
            (tmp_path / "out.jsonl.journal").write_bytes(b"".join(content))
            done = run("--resume", path, "-o", out)
            assert done.status == 2
            assert one_line(done.err) and "start without --resume" in done.err

    @pytest.mark.parametrize("name", ["in.jsonl", "in.jsonl.gz"])
    def test_a_journal_that_tells_of_more_than_there_is(self, run, cut, file, tmp_path, name):
        content = jsonl(RESPONSES * 40).encode()
        path, out = file(gzip.compress(content) if name.endswith("gz") else content, name), tmp_path / "out.jsonl"
        cut(2, "--checkpoint", "0", path, "-o", out)
        with open(f"{out}.journal", "ab") as journal:
            journal.write(b'{"in": {"offset": 999999999, "lines": 1}, "out": 0, "counts": {}, "end": false}\n')
        done = run("--resume", path, "-o", out)
        assert done.status == 2
        assert one_line(done.err) and "ends before the place" in done.err
        assert not out.exists()

    def test_a_journal_that_was_never_begun(self, run, file, tmp_path):
        path, out = file(jsonl(RESPONSES)), tmp_path / "out.jsonl"
        (tmp_path / "out.jsonl.journal").write_bytes(b'{"jsonsc')
        assert run("-q", "--resume", path, "-o", out).status == 0
        assert out.read_bytes() == run("-q", path).out

    @pytest.mark.parametrize("step", ["replace", "unlink"])
    def test_an_end_that_was_cut_short(self, run, module, monkeypatch, tmp_path, file, step):
        path, out = file(jsonl(RESPONSES)), tmp_path / "out.jsonl"
        with killed_at(module, monkeypatch, step):
            assert run("-q", path, "-o", out).status == 130
        assert out.exists() == (step == "unlink")
        assert run("-q", "--resume", path, "-o", out).status == 0
        assert out.read_bytes() == run("-q", path).out
        assert sorted(each.name for each in tmp_path.iterdir()) == ["in.jsonl", "out.jsonl", "out.jsonl.journal"]

    @pytest.mark.parametrize("lines", [0, 1])
    def test_a_journal_that_was_being_shortened(self, run, file, tmp_path, lines):
        path, out = file(jsonl(RESPONSES)), tmp_path / "out.jsonl"
        run("-q", path, "-o", out)
        journal = tmp_path / "out.jsonl.journal"
        assert journal.read_bytes().count(b"\n") == 2
        journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:lines]))
        assert run("--resume", path, "-o", out).err.startswith("jsonscan: 7 rows")
        assert out.read_bytes() == run("-q", path).out

    def test_a_run_that_was_killed_before_its_first_chunk(self, run, module, monkeypatch, file, tmp_path):
        path, out = file(jsonl(RESPONSES)), tmp_path / "out.jsonl"
        with killed_at(module, monkeypatch, "replace"), monkeypatch.context() as patch:
            patch.setattr(
                module("cli.batch_output").Journalled, "append", lambda *_: module("cli.batch_output").os.replace()
            )
            assert run("-q", path, "-o", out).status == 130
        assert (tmp_path / "out.jsonl.journal").read_bytes().count(b"\n") == 1
        assert run("-q", "--resume", path, "-o", out).status == 0
        assert out.read_bytes() == run("-q", path).out

    def test_a_file_that_is_made_of_the_rows(self, module, tmp_path):
        output = module("cli.batch_output").Journalled(str(tmp_path / "out"), {"input": None}, False, 1.0)
        output.append(b"rows", {}, Counter())
        output.finish(lambda rows, to: pathlib.Path(to).write_bytes(pathlib.Path(rows).read_bytes().upper()))
        output.close()
        assert (tmp_path / "out").read_bytes() == b"ROWS"
        assert sorted(each.name for each in tmp_path.iterdir()) == ["out", "out.journal"]

    def test_locks(self, run, module, monkeypatch, file, tmp_path):
        def taken(*_: object) -> None:
            raise OSError

        path, out = file(jsonl(RESPONSES)), tmp_path / "out.jsonl"
        monkeypatch.setattr(module("cli.batch_output"), "lockf", taken)
        assert "another run is writing it" in run(path, "-o", out).err
        monkeypatch.setattr(module("cli.batch_output"), "lockf", None)  # as on Windows
        assert run(path, "-o", out).status == 0

    @pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes to make, and no locks of this kind")
    def test_two_runs_at_once(self, file, tmp_path):
        path, out = file(jsonl(RESPONSES)), tmp_path / "out.jsonl"
        os.mkfifo(tmp_path / "slow.jsonl")
        with (
            subprocess.Popen(
                [COMMAND, "batch", tmp_path / "slow.jsonl", "-o", out], stderr=subprocess.DEVNULL
            ) as first,
            open(tmp_path / "slow.jsonl", "wb") as slow,
        ):  # opened once the first run reads it
            slow.write(b'{"response": "[[1]]"}\n')
            slow.flush()
            while not os.path.exists(f"{out}.part"):
                time.sleep(0.01)
            second = subprocess.run([COMMAND, "batch", path, "-o", out], capture_output=True, check=False)
        assert (second.returncode, first.returncode) == (2, 0)
        assert b"another run is writing it" in second.stderr
        assert new_columns(out.read_bytes())[0][0] == "[[1]]"


def test_a_worker_in_this_process(module, monkeypatch):
    pool = module("cli.batch_pool")
    ignored = []
    monkeypatch.setattr(pool.signal, "signal", lambda *which: ignored.append(which))
    pool._begin(module("cli.batch_work").Job("in", "jsonl", "response"))
    assert ignored == [(signal.SIGINT, signal.SIG_IGN)]
    data, counts = pool._do(b'{"response": "[[1]]"}', 0)
    assert (new_columns(data)[0][0], counts) == ("[[1]]", {"strict": 1})


def test_a_worker_ends_with_its_parent(module, monkeypatch):
    import multiprocessing
    import multiprocessing.connection

    ended = []
    monkeypatch.setattr(multiprocessing, "parent_process", lambda: types.SimpleNamespace(sentinel=3))
    monkeypatch.setattr(multiprocessing.connection, "wait", ended.append)
    monkeypatch.setattr(module("cli.batch_pool").os, "_exit", ended.append)
    module("cli.batch_pool")._end_with_parent()
    assert ended == [[3], 1]


class TestWorkers:
    """Processes, so of the installed build alone."""

    def command(self, *argv: object, **options) -> subprocess.CompletedProcess:
        return subprocess.run([COMMAND, "batch", *map(str, argv)], capture_output=True, check=False, **options)

    @pytest.mark.parametrize("name", ["in.jsonl", "in.csv", "in.jsonl.gz"])
    def test_the_order_and_the_rows_are_the_same(self, file, tmp_path, name):
        content = (csv_of if "csv" in name else jsonl)(RESPONSES * 150).encode()
        path = file(gzip.compress(content) if name.endswith("gz") else content, name)
        outs = [tmp_path / f"{workers}.{name[3:]}" for workers in (1, 3)]
        done = [self.command(path, "--chunk", 4, "--workers", workers, "-o", out) for workers, out in zip((1, 3), outs)]
        assert [each.returncode for each in done] == [0, 0]
        assert done[0].stderr.split(b"s: ")[1:] == done[1].stderr.split(b"s: ")[1:]
        assert outs[0].read_bytes() == outs[1].read_bytes()

    @pytest.mark.parametrize(
        ("bad", "errors", "status", "why"),
        [("x", "null", 2, b"line 301: not JSON"), ('{"response": "no"}', "fail", 1, b"line 301: no-json")],
    )
    def test_what_a_worker_finds_wrong_is_said(self, file, tmp_path, bad, errors, status, why):
        path = file('{"response": "[[1]]"}\n' * 300 + bad + "\n" + '{"response": "[[1]]"}\n' * 300)
        done = self.command(path, "--chunk", 1, "--workers", 2, "--errors", errors, "-o", tmp_path / "out.jsonl")
        assert done.returncode == status
        assert why in done.stderr

    @pytest.mark.skipif(
        sys.platform != "linux", reason="workers elsewhere are no forks, and would not have what is put in here"
    )
    def test_a_worker_that_dies_is_replaced(self, monkeypatch, tmp_path):
        job = Job("in", "jsonl", "response")
        mark = tmp_path / "died"
        line = b'{"response": "[[1]]"}\n'
        monkeypatch.setattr(pool, "_do", _dies_once)
        monkeypatch.setenv("DIES_ONCE", str(mark))
        chunks = [(line * (at + 1), 0, {"n": at}) for at in range(20)]
        made = [*pool.results(job, iter(chunks), 2)]
        assert mark.exists()
        assert [data.count(b"\n") for (data, _), _ in made] == [*range(1, 21)]
        assert [place["n"] for _, place in made] == [*range(20)]
        monkeypatch.setattr(pool, "_do", _dies)
        with pytest.raises(Trouble, match="ended from outside"):
            list(pool.results(job, iter(chunks), 2))

    def test_a_worker_that_died_before_the_next_chunk_comes(self):
        line = b'{"response": "[[1]]"}\n'
        workers = pool.Pool(Job("in", "jsonl", "response"), 1)
        try:
            workers.put((line, 0, {"n": 0}))
            assert workers.take()[1] == {"n": 0}
            (process,) = workers.pool._processes.values()
            process.kill()
            process.join()
            while not workers.pool._broken:
                time.sleep(0.01)
            workers.put((line, 0, {"n": 1}))
            workers.put((line, 0, {"n": 2}))
            assert [workers.take()[1]["n"] for _ in "12"] == [1, 2]
        finally:
            workers.close()

    @pytest.mark.skipif(
        not os.path.exists("/proc/self/task"), reason="this system does not list a process's children there"
    )
    def test_workers_do_not_outlive_a_run_that_is_killed(self, file, tmp_path):
        path = file(jsonl(RESPONSES * 1_000))
        argv = [
            COMMAND,
            "batch",
            path,
            "--workers",
            "2",
            "--chunk",
            "8",
            "--checkpoint",
            "0",
            "-o",
            tmp_path / "out.jsonl",
        ]
        with subprocess.Popen(argv) as process:
            while len(children := _children(process.pid)) < 2:
                assert process.poll() is None
                time.sleep(0.01)
            process.kill()
        deadline = time.monotonic() + 30
        while any(os.path.exists(f"/proc/{child}") for child in children):
            assert time.monotonic() < deadline
            time.sleep(0.02)

    @pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send")
    def test_an_interrupt_leaves_a_run_that_goes_on(self, file, tmp_path):
        path, out = file(jsonl(RESPONSES * 1_000)), tmp_path / "out.jsonl"
        argv = [COMMAND, "batch", path, "--workers", "2", "--chunk", "8", "--checkpoint", "0", "-o", out]
        with subprocess.Popen(argv, stderr=subprocess.PIPE, preexec_fn=_heed) as process:
            journal = pathlib.Path(f"{out}.journal")
            while not journal.exists() or journal.read_bytes().count(b"\n") < 2:  # what it is, and a checkpoint
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate()
        assert process.returncode == 130
        assert one_line(err.decode()) and "--resume" in err.decode()
        assert self.command("-q", path, "--resume", "-o", out).returncode == 0
        assert [json.loads(line)["id"] for line in out.read_bytes().splitlines()] == [*range(7_000)]


def _heed() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _children(pid: int) -> list[str]:
    path = pathlib.Path(f"/proc/{pid}/task/{pid}/children")
    return path.read_text("ascii").split() if path.exists() else []


def _dies_once(payload: bytes, before: int):
    mark = pathlib.Path(os.environ["DIES_ONCE"])
    if payload.count(b"\n") == 5 and not mark.exists():
        mark.touch()
        os._exit(9)
    return pool._work(payload, before)


def _dies(payload: bytes, before: int):
    os._exit(9)


class TestKilled:
    """A run that is killed at random, and goes on until it is done. `python -m tests.fuzz.batch` does so a thousand times."""

    @pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
    def test_no_row_is_lost_or_doubled(self, tmp_path):
        from fuzz.batch import Killing

        killing = Killing(tmp_path, rows=2_000, rng=random.Random(7))
        assert killing.until(kills=3) >= 3


class TestProgress:
    @pytest.fixture
    def progress(self, module, monkeypatch):
        """A progress line with a clock that a test turns, and what it wrote."""
        stream = Stream(terminal=True)
        monkeypatch.setattr(sys, "stderr", stream)
        clock = [0.0]
        line = module("cli.progress").Progress(True, lambda: clock[0])

        def at(seconds: float, *facts: object) -> str:
            monkeypatch.setattr(sys, "stderr", stream)  # once more: capturing begins anew behind a fixture
            clock[0] = seconds
            stream.buffer.seek(0)
            stream.buffer.truncate()
            line.update(*facts)
            return stream.buffer.getvalue().decode("ascii")

        at.line, at.stream = line, stream
        return at

    def test_nothing_in_the_first_second(self, progress):
        assert progress(0.9, 10, 1, 0.1) == ""

    def test_rows_rate_failures_share_and_time_left(self, progress):
        progress(0.0, 0, 0, 0.0)
        assert progress(2.0, 4000, 7, 0.25) == "\r\x1b[K4,000 rows; 2,000 rows/s; 7 without JSON; 25%, 6 s left"
        assert progress(2.1, 4100, 7, 0.25) == ""
        assert progress(4.0, 4000, 7, 0.25) != ""

    def test_a_run_that_goes_on_counts_from_where_it_began(self, progress):
        progress(0.0, 0, 0, 0.5)
        assert progress(10.0, 100, 0, 0.75).endswith("75%, 10 s left")

    def test_where_the_share_is_not_known(self, progress):
        assert progress(4.0, 4000, 7, None) == "\r\x1b[K4,000 rows; 1,000 rows/s; 7 without JSON"

    @pytest.mark.parametrize(("columns", "shown"), [(12, "4,000 rows;"), (0, "4,000 rows; 1,000 rows/s; 7 without JSON")])
    def test_a_narrow_terminal(self, progress, monkeypatch, columns, shown):
        monkeypatch.setattr(progress.stream, "fileno", lambda: 2)
        monkeypatch.setattr(os, "get_terminal_size", lambda fd: os.terminal_size((columns, 24)))
        assert progress(4.0, 4000, 7, None) == f"\r\x1b[K{shown}"

    def test_a_terminal_that_is_gone_is_no_trouble(self, progress):
        def gone(text: str) -> None:
            raise OSError

        progress.stream.write = gone
        assert progress(2.0, 1, 0, None) == ""
        assert not progress.line.shown

    def test_it_is_taken_away(self, progress):
        progress(2.0, 1, 0, None)
        progress.line.close()
        assert progress.stream.buffer.getvalue().endswith(b"\r\x1b[K")

    @pytest.mark.parametrize(
        ("seconds", "words"), [(0.2, "0 s"), (59, "59 s"), (61, "1 min 1 s"), (3661, "1 h 1 min"), (-3, "0 s")]
    )
    def test_durations(self, module, seconds, words):
        assert module("cli.progress").duration(seconds) == words

    @pytest.mark.parametrize(
        ("argv", "terminal", "shown"), [([], True, True), ([], False, False), (["--no-progress"], True, False)]
    )
    def test_only_on_a_terminal(self, run, module, monkeypatch, file, argv, terminal, shown):
        monkeypatch.setattr(module("cli.progress"), "PATIENCE", -1.0)
        assert ("rows/s" in run("-q", *argv, file(jsonl(RESPONSES)), terminal=terminal).err) == shown


class TestMemory:
    def test_it_does_not_grow_with_the_file(self, module, file):
        """The most that is held at a time, counted by what is allocated."""
        import tracemalloc

        work, inputs = module("cli.batch_work"), module("cli.batch_input")

        def peak(times: int) -> int:
            job = work.Job("in", "jsonl", "response")
            with contextlib.closing(inputs.Jsonl(str(file(jsonl(RESPONSES) * times)), job, 4 << 10)) as source:
                do = work.worker(source.open())
                tracemalloc.start()
                try:
                    for payload, before, _ in source.chunks({}):
                        do(payload, before)
                    return tracemalloc.get_traced_memory()[1]
                finally:
                    tracemalloc.stop()

        peak(40)
        assert peak(160) < 1.3 * peak(40)

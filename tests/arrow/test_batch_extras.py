"""`jsonscan batch` with what it needs extras for: Parquet and zstd."""

from __future__ import annotations

import pathlib
import subprocess
from collections.abc import Callable

import pyarrow as pa
import pytest
import zstandard
from batches import EXPECTED, NEW, RESPONSES, interrupted, jsonl, killed_at
from commands import COMMAND, Done, batch_runner, one_line
from pyarrow import parquet


@pytest.fixture
def run(module, monkeypatch) -> Callable[..., Done]:
    """Run `batch` inside this process, on the build under test."""
    return batch_runner(module, monkeypatch)


@pytest.fixture
def table(tmp_path) -> Callable[..., pathlib.Path]:
    """Write a Parquet file of these responses."""

    def table(responses: list[str | None], kind: pa.DataType | None = None, **options: object) -> pathlib.Path:
        columns = {
            "id": pa.array(range(len(responses)), pa.int32()),
            "response": pa.array(responses, kind or pa.string()),
        }
        parquet.write_table(pa.table(columns), tmp_path / "in.parquet", **options)
        return tmp_path / "in.parquet"

    return table


class TestParquet:
    @pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())], ids=str)
    def test_the_columns_behind_the_row(self, run, table, tmp_path, kind):
        path = table([*RESPONSES, None], kind, row_group_size=3)
        assert run("-q", path, "-o", tmp_path / "out.parquet") == (0, b"", "")
        out = parquet.read_table(tmp_path / "out.parquet")
        assert out.column_names == ["id", "response", *NEW]
        assert out.select(["id", "response"]).equals(parquet.read_table(path))
        null = [None, False, None, None, None, None, None, "null"]
        assert [list(row.values())[2:] for row in out.to_pylist()] == [*EXPECTED, null]

    def test_the_columns_are_those_of_extract_column(self, run, module, table, tmp_path):
        assert run("-q", table([*RESPONSES, None]), "-o", tmp_path / "out.parquet").status == 0
        column = parquet.read_table(tmp_path / "in.parquet")["response"]
        expected = module("arrow").extract_column(column.combine_chunks())
        out = parquet.read_table(tmp_path / "out.parquet").select(NEW)
        assert out.to_pylist() == expected.to_pylist()
        assert [field.name for field in expected.type] == NEW

    def test_no_rows(self, run, table, tmp_path):
        assert run("-q", table([]), "-o", tmp_path / "out.parquet").status == 0
        out = parquet.read_table(tmp_path / "out.parquet")
        assert (out.column_names, out.num_rows) == (["id", "response", *NEW], 0)

    def test_many_row_groups(self, run, module, monkeypatch, table, tmp_path):
        monkeypatch.setattr(module("cli.batch_parquet"), "GROUP_ROWS", 100)
        monkeypatch.setattr(module("cli.batch_parquet"), "BATCH_ROWS", 30)
        assert run("-q", table(RESPONSES * 100, row_group_size=64), "-o", tmp_path / "out.parquet").status == 0
        assert parquet.read_table(tmp_path / "out.parquet")["id"].to_pylist() == [*range(700)]
        assert parquet.ParquetFile(tmp_path / "out.parquet").num_row_groups > 5

    @pytest.mark.parametrize(
        ("argv", "why"),
        [
            (["--column", "id"], "column 'id' is int32, not text"),
            (["--column", "x"], "no column 'x'; there are 'id', 'response'"),
            (["--errors", "fail"], "row 4: no-json"),
        ],
    )
    def test_what_will_not_do(self, run, table, tmp_path, argv, why):
        done = run(table([RESPONSES[0]] * 3 + ["none"]), "-o", tmp_path / "out.parquet", *argv)
        assert done.status == (1 if "fail" in argv else 2)
        assert one_line(done.err)
        assert why in done.err
        assert [each.name for each in tmp_path.iterdir()] == ["in.parquet"]

    @pytest.mark.parametrize("damage", [lambda data: b"x" * 100, lambda data: data[:-300], lambda data: b""])
    def test_a_file_that_is_none(self, run, table, tmp_path, damage):
        path = tmp_path / "bad.parquet"
        path.write_bytes(damage(table(RESPONSES * 50).read_bytes()))
        done = run("-q", path, "-o", tmp_path / "out.parquet")
        assert done.status == 2
        assert one_line(done.err)

    @pytest.mark.parametrize("at", [4, 21])  # the header of the first page, and the size that it tells
    def test_a_page_that_is_damaged(self, run, table, tmp_path, at):
        path = table(RESPONSES * 50)
        data = path.read_bytes()
        path.write_bytes(data[:at] + b"\xff" * 4 + data[at + 4 :])
        done = run("-q", path, "-o", tmp_path / "out.parquet")
        assert done.status == 2
        assert one_line(done.err.splitlines(keepends=True)[0])
        assert str(path) in done.err

    @pytest.mark.parametrize(
        ("argv", "why"),
        [(["{in}"], "say --output"), (["-", "--format", "parquet", "-o", "{in}.parquet"], "standard input")],
    )
    def test_it_wants_files(self, run, table, argv, why):
        path = table(RESPONSES)
        done = run(*(word.replace("{in}", str(path)) for word in argv))
        assert done.status == 2
        assert why in done.err

    @pytest.mark.parametrize("chunks", [1, 2, 9])
    def test_an_interrupted_run_goes_on(self, run, module, monkeypatch, table, tmp_path, chunks):
        monkeypatch.setattr(module("cli.batch_parquet"), "BATCH_ROWS", 20)
        path, out = table(RESPONSES * 40, row_group_size=50), tmp_path / "out.parquet"
        with interrupted(module, monkeypatch, chunks):
            assert run("-q", path, "-o", out).status == 130
        assert not out.exists()
        assert run("-q", "--resume", path, "-o", out).status == 0
        assert run("-q", path, "-o", tmp_path / "whole.parquet").status == 0
        assert out.read_bytes() == (tmp_path / "whole.parquet").read_bytes()
        left = ["in.parquet", "out.parquet", "out.parquet.journal", "whole.parquet", "whole.parquet.journal"]
        assert sorted(each.name for each in tmp_path.iterdir()) == left

    @pytest.mark.parametrize("step", ["replace", "unlink"])
    def test_an_end_that_was_cut_short(self, run, module, monkeypatch, table, tmp_path, step):
        path, out = table(RESPONSES), tmp_path / "out.parquet"
        with killed_at(module, monkeypatch, step):
            assert run("-q", path, "-o", out).status == 130
        assert run("-q", "--resume", path, "-o", out).status == 0
        assert parquet.read_table(out)["id"].to_pylist() == [*range(7)]
        assert not [*tmp_path.glob("out.parquet.[pt]*")]

    def test_workers(self, table, tmp_path):
        path = table(RESPONSES * 900, row_group_size=2000)
        for workers in ("1", "2"):
            argv = [COMMAND, "batch", "-q", path, "--workers", workers, "-o", tmp_path / f"{workers}.parquet"]
            done = subprocess.run(argv, capture_output=True, check=False)
            assert (done.returncode, done.stderr) == (0, b"")
        assert (tmp_path / "1.parquet").read_bytes() == (tmp_path / "2.parquet").read_bytes()


class TestZstd:
    def test_in_and_out(self, run, tmp_path):
        text = jsonl(RESPONSES * 99).encode()
        path, plain, out = tmp_path / "in.jsonl.zst", tmp_path / "in.jsonl", tmp_path / "out.jsonl.zst"
        path.write_bytes(b"".join(zstandard.compress(part) for part in (text[:1000], text[1000:])))
        plain.write_bytes(text)
        assert run("-q", "--chunk", "2", path, "-o", out).status == 0
        with zstandard.ZstdDecompressor().stream_reader(out.open("rb"), read_across_frames=True) as stream:
            assert stream.read() == run("-q", plain).out

    @pytest.mark.parametrize(
        "damage", [lambda data: b"x" + data, lambda data: data[:60] + bytes(9) + data[69:], lambda data: data[:-20]]
    )
    def test_what_is_damaged_or_cut_is_said(self, run, tmp_path, damage):
        (tmp_path / "in.jsonl.zst").write_bytes(damage(zstandard.compress(jsonl(RESPONSES * 99).encode())))
        done = run("-q", tmp_path / "in.jsonl.zst")
        assert done.status == 2
        assert one_line(done.err)

    def test_a_frame_that_is_cut_behind_a_whole_line(self, run, tmp_path):
        packer = zstandard.ZstdCompressor().compressobj()
        whole_lines = packer.compress(jsonl(RESPONSES).encode()) + packer.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)
        (tmp_path / "in.jsonl.zst").write_bytes(whole_lines)
        done = run("-q", tmp_path / "in.jsonl.zst")
        assert done.status == 2
        assert one_line(done.err) and "ends inside a frame" in done.err

    def test_an_interrupted_run_goes_on(self, run, module, monkeypatch, tmp_path):
        path, out, whole = tmp_path / "in.jsonl.zst", tmp_path / "out.jsonl.zst", tmp_path / "whole.jsonl.zst"
        path.write_bytes(zstandard.compress(jsonl(RESPONSES * 40).encode()))
        with interrupted(module, monkeypatch, 3):
            assert run("-q", "--chunk", "2", path, "-o", out).status == 130
        assert run("-q", "--chunk", "2", "--resume", path, "-o", out).status == 0
        assert run("-q", "--chunk", "2", path, "-o", whole).status == 0
        assert out.read_bytes() == whole.read_bytes()

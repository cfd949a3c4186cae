"""The engine that JSONSCAN_ENGINE names, started on this machine: its table is that of one process, byte for byte."""

from __future__ import annotations

import importlib
import os
import pathlib
import subprocess
import sys

import pytest
from tables import PARTS, Mortal, answered, as_bytes, open_to_others, table

from jsonscan.arrow import extract_column

ENGINE = importlib.import_module(f"{os.environ['JSONSCAN_ENGINE']}_engine")


@pytest.fixture(scope="module")
def rows():
    return table()


@pytest.fixture(scope="module")
def alone(rows):
    """What one process makes of the rows, as one array."""
    return as_bytes(answered(rows.combine_chunks()))


@pytest.fixture(scope="module")
def session():
    with ENGINE.session() as session:
        yield session


def test_the_table_is_that_of_one_process(session, rows, alone):
    assert as_bytes(ENGINE.through(session, rows, extract_column)) == alone


def test_nothing_listens_to_other_machines(session):
    assert open_to_others() == []


if ENGINE.HAS_WORKERS:

    def test_a_worker_killed_midway_leaves_no_trace(session, rows, alone, tmp_path):
        mortal = Mortal(tmp_path)
        with mortal.death() as killed:
            result = ENGINE.through(session, rows, mortal)
        begun = mortal.begun()
        assert len(killed) == 1
        assert killed[0] in begun
        assert len(begun) > PARTS  # some part was begun again
        assert len(set(begun) - set(killed)) >= 1
        assert as_bytes(result) == alone

else:

    def test_a_process_killed_midway_leaves_no_trace(session, rows, alone, tmp_path):
        """The engine lives and dies with its process; who runs it again gets the same table."""
        mortal = Mortal(tmp_path)
        command = [sys.executable, __file__, str(tmp_path)]
        with mortal.death() as killed:
            done = subprocess.run(command, check=False)
        assert done.returncode == -9
        assert killed == [mortal.begun()[0]]
        assert as_bytes(ENGINE.through(session, rows, mortal)) == alone


if __name__ == "__main__":  # the process that is killed
    with ENGINE.session() as opened:
        ENGINE.through(opened, table(), Mortal(pathlib.Path(sys.argv[1])))

"""Corners of the machine's contract."""

from __future__ import annotations


def test_a_root_that_is_a_scalar_can_be_taken_back(module):
    m = module("machine").Machine("12 x")
    assert m.run() == "done"
    assert m.retract() == (12, 0)
    assert (m.phase, m.pos) == ("value", 0)
    m.put("12 x", 4)
    assert m.run() == "done"
    assert (m.value, m.pos) == ("12 x", 4)

"""The recorder: what the original modules answer, written down as expectations.

Expectations of the core operations are never typed. ``python -m conformance.recorder`` fills in those that are missing;
``--check`` records all of them anew, in memory, and fails on any difference.
"""

"""The runner: load, lint, drive, compare, judge, report.

Rooms: ``text`` and ``values`` (strings and tagged values), ``model`` (cases, adapters), ``operations`` (how an answer is
validated and compared), ``lint`` (check), ``drive`` (the adapter process), ``judge`` (verdicts), ``log`` (the event log),
``report`` (everything rendered from it), ``cli``.
"""

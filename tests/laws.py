"""How hard the laws are tried: hypothesis' settings, in one place.

Every day the same texts are drawn, so that a change is judged by what it changed and not by luck. ``JSONSCAN_LAWS=100`` draws anew and a
hundred times as many (tox -e laws); what that finds is mended and becomes a test by its name.
"""

from __future__ import annotations

import os
from typing import Any

from hypothesis import HealthCheck, settings

TIMES = int(os.environ.get("JSONSCAN_LAWS", "0"))


def tried(examples: int, **more: Any) -> settings:
    """A decorator that tries a law with so many texts, or `TIMES` as many new ones."""
    return settings(
        max_examples=examples * (TIMES or 1),
        derandomize=not TIMES,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        print_blob=True,
        **more,
    )

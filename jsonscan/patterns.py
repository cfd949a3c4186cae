"""Regular expressions that are compiled when they are first used. All of them together take longer to compile than most programs take
to read their response, and most responses need few."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    Pattern = re.compile
else:

    class Pattern:
        """What `re.compile` would give for these arguments, as far as its methods go."""

        def __init__(self, regex, flags=0):
            self._compile = lambda: re.compile(regex, flags)

        def __getattr__(self, name):
            """A method that is asked for the first time; it stays as an attribute, which costs no more than the real one."""
            method = getattr(self._compile(), name)
            setattr(self, name, method)
            return method

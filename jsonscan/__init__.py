"""The JSON in an LLM response, exactly, fast, and with a record of everything that was not exact."""

from .machine import BUILD

__all__ = ["BUILD"]
__version__ = "0.1.0"

"""Options of `search`, as hypothesis draws them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

# Those that leave a value that reads strictly as it is.
OPTIONAL: dict[str, st.SearchStrategy[Any]] = {
    "repair": st.sampled_from(["off", "safe", "full"]),
    "truncated": st.sampled_from(["raise", "keep"]),
    "expect": st.sampled_from(["any", "object", "array", "container"]),
    "select": st.sampled_from(["answer", "first", "last", "largest", "sole"]),
    "duplicate_keys": st.sampled_from(["last", "first", "raise"]),
    "fragments": st.booleans(),
}
OPTIONS = st.fixed_dictionaries({}, optional=OPTIONAL)
OPTIONS_AND_BIG_INT = st.fixed_dictionaries({}, optional=OPTIONAL | {"big_int": st.sampled_from(["exact", "float", "str"])})

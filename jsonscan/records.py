"""Frozen records: what `dataclasses.dataclass(frozen=True, slots=True)` makes of a class, without loading `dataclasses`.

That module loads `inspect` and with it `ast`, `dis` and `tokenize`, which takes longer than all of this package does. To those who
ask, a record is a dataclass all the same: the functions of `dataclasses` take it, and its module is loaded then.
"""

from __future__ import annotations

from collections import namedtuple
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import asdict, dataclass, replace
    from typing import NamedTuple

    __all__ = ["NamedTuple", "asdict", "dataclass", "replace"]
else:

    class _Named(type):
        """Makes a `collections.namedtuple` of each class below `NamedTuple`. That of `typing` compiles every annotation, which has
        Python make all its classes for syntax trees."""

        def __new__(meta, name, bases, space):
            if not bases:
                return super().__new__(meta, name, bases, space)
            plain = namedtuple(name, space.get("__annotations__", ()), module=space["__module__"])
            return type(name, (plain,), {"__slots__": (), **space})

    class NamedTuple(metaclass=_Named):
        """As that of `typing`, but for defaults, which nobody needs here."""

    def dataclass(*, frozen, slots, kw_only=False):
        """The decorator, for classes with plain fields alone: frozen and with slots always, no `field()`, no fields of a base."""
        return lambda plain: _record(plain, kw_only)

    def asdict(record):
        """The fields by name. What stands in them is left as it is."""
        return dict(zip(record._names, _values(record)))

    def replace(record, **changes):
        """The same record with other values in some fields."""
        return type(record)(**(asdict(record) | changes))

    def _record(plain, kw_only):
        names = tuple(plain.__annotations__)
        own = {name: value for name, value in vars(plain).items() if name not in ("__dict__", "__weakref__", *names)}
        twin = cache(lambda: _real(plain, kw_only))
        more = {
            "__slots__": names,
            "_names": names,
            "__match_args__": () if kw_only else names,
            "__init__": _constructor(plain, names, kw_only),
            "__dataclass_fields__": _Late("__dataclass_fields__", twin),
            "__dataclass_params__": _Late("__dataclass_params__", twin),
        }
        made = type(plain.__name__, plain.__bases__, own | more | {method.__name__: method for method in _METHODS})
        made.__qualname__ = plain.__qualname__
        return made

    def _constructor(plain, names, kw_only):
        """It is source that is run once: a loop over the names would be slower in every call."""
        defaults = {name: vars(plain)[name] for name in names if name in vars(plain)}
        parameters = ", ".join(f"{name}=defaults[{name!r}]" if name in defaults else name for name in names)
        lines = [f"put(self, {name!r}, {name})" for name in names]
        if hasattr(plain, "__post_init__"):
            lines.append("self.__post_init__()")
        space = {"put": object.__setattr__, "defaults": defaults}
        exec(f"def __init__(self, {'*, ' if kw_only else ''}{parameters}):\n " + "\n ".join(lines), space)
        made = space["__init__"]
        made.__qualname__ = f"{plain.__qualname__}.__init__"
        made.__annotations__ = plain.__annotations__ | {"return": None}
        return made

    def _real(plain, kw_only):
        from dataclasses import dataclass

        return dataclass(frozen=True, slots=True, kw_only=kw_only)(plain)

    class _Late:
        """An attribute by which a dataclass is known: that of the real one, which is made when it is asked for."""

        def __init__(self, name, twin):
            self.name, self.twin = name, twin

        def __get__(self, instance, owner):
            return getattr(self.twin(), self.name)

    def _values(self):
        return tuple([getattr(self, name) for name in self._names])

    def __eq__(self, other):
        return _values(self) == _values(other) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self):
        return hash(_values(self))

    def __repr__(self):
        return f"{type(self).__qualname__}({', '.join(f'{name}={value!r}' for name, value in asdict(self).items())})"

    def __setattr__(self, name, value):
        from dataclasses import FrozenInstanceError

        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name):
        from dataclasses import FrozenInstanceError

        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __getstate__(self):
        return [*_values(self)]

    def __setstate__(self, state):
        for name, value in zip(self._names, state):
            object.__setattr__(self, name, value)

    _METHODS = [__eq__, __hash__, __repr__, __setattr__, __delattr__, __getstate__, __setstate__]

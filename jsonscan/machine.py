"""The machine: the only room that knows JSON's grammar. It has two bodies, and this docstring is the contract of both.

`_machine.pyx` is the compiled body, `_machine_py.py` the pure one; this module picks one and is the only place that knows there are
two. Which one it is says `BUILD`, "compiled" or "pure": the body that was installed, never a silent second choice.

**What is read.** Exactly the JSON that V8's `JSON.parse` reads (RFC 8259): white space is TAB, LF, CR and SPACE; raw U+0000-001F is
refused in strings and everything else kept, lone surrogates too; a lead surrogate and a trail behind it, one or both escaped, are one
character; of duplicate names the last value stands at the first one's place; `-0` is -0.0; `1e400` is infinite. Integers are exact.

**Machine(text, pos=0, *, max_depth=0, max_digits=0, big_int="exact", duplicates="last", controls=False)** reads one value that starts at
or after `pos`. Offsets are code points into `text`. It holds its own stack: no input makes it recurse.

`run(final=True)` reads on and says why it stopped:

"done"      the value is complete: `value`; `pos` is the offset behind it.
"fault"     strict JSON cannot go on at `pos`; `fault` says why (below). Nothing is lost: edit, then `run` again.
"starved"   the text ended inside a token or a container. `pos` is where reading goes on once there is more: the start of a number or
            literal, or inside a string (`in_string`) behind what was decoded, before a half escape or a lone lead surrogate.
            A number that touches the end is incomplete, unless it is the root and `final`.

State, all readable:

`phase`     what may stand at `pos`: "value", "first-value" (or `]`), "key", "first-key" (or `}`), "colon", "next" (a comma or the
            closer), "end" (nothing).
`token`     offset at which the last token read, or the one at fault, starts; equal to `pos` when the fault is between tokens.
`kind`, `depth`  of the innermost open container: `"{"` or `"["`, `""` where none is open; and how many are open.
`frames(most=0)`  the open containers, or the innermost `most` of them, outermost first: tuples of `"{"` or `"["` and the offset where
                  it was opened (plus `base`).
`path()`    names and indices that lead to the value due, being read, or read last; where a key is due, to its object.
`snapshot(default=None)`  the value so far: a name appears with its value only, a string as far as it was decoded, a number or
            literal only when whole. The containers are live: later reading goes on in them. Costs what was read since the last one.

Faults, in `fault`:

"unexpected"     the character at `pos` cannot stand here (`phase` says what could)
"control"        a raw control character in a string that starts at `token`
"escape"         the backslash at `pos` starts no valid escape; the string starts at `token`
"number"         the number at `token` breaks off at `pos` (`01`, `1.x`, `-x`)
"literal"        the word at `token` begins like true, false or null and goes on otherwise at `pos`
"depth"          the container at `pos` would be deeper than `max_depth` (0: no bound)
"digits"         the integer at `token` has more than `max_digits` digits (0: those of more than 4,300 are the infinity JavaScript gives)
"duplicate-key"  under duplicates="raise": the name at `pos` stands in its object already

**Edits.** Only between `run`s; each says what stands before an offset instead of the text there, and obeys the same grammar (a token
that cannot follow raises ValueError). They work at any stop but "done".

`goto(pos)`         nothing stands there: read on at `pos` in the same phase
`put(value, pos)`   this value stands there; where a key is due it must be a str and is the key (KeyError: a duplicate, under "raise")
`punct(char, pos)`  this one of `{ [ } ] , :` stands there. `}` and `]` both close the innermost container whatever its kind.
                    Behind a comma, where a key or an item is due, they close it as well: the comma counts for nothing.
`retract()`         take back the scalar or key read last, when nothing was read since (behind a scalar also the comma, if nothing
                    else was); returns it with its offset. `put` must follow.

**Options.** big_int: integers beyond 2^53 - 1 in magnitude become exact ints ("exact"), floats ("float") or their text ("str").
duplicates: "last", "first" or "raise". controls: a raw control character in a string stands for itself, and is no fault.

**Streaming.** `extend(more)`, after "starved": `text` becomes what was not read yet plus `more`, `base` grows by what was dropped, and
`pos` by as much less. `base + pos` is an offset into the whole.
`feed(more)`    `extend(more)`, then `run(False)` and what that says, but "" where it is starved and no more than 32 characters are unread.
`repeats`       how often, in the objects that a snapshot has shown while they were open, a name was given a second value.

**Functions** (strict, no edits):

`parse_at(text, pos, max_depth=0, max_digits=0)`  the value that starts at `pos` (white space allowed before it) and the offset behind
    it, as a tuple, or None where a Machine would not say "done".
`read_plain(text, pos, max_depth=0, max_digits=0, big_int="exact", guess=False)`  the value that starts at `pos`, the offset behind it,
    the number of edits and whether all are safe, as a tuple: read with the plain edits, which are some that a policy would make at a fault
    whatever else it does. None where they do not suffice, and always in the pure body, whose policy makes them itself.
`scanned(text, pos, max_depth=0)`  what `parse_at` would give with max_digits=0, where the body has a way to it without a Machine's cost;
    None where it has not, and always in the compiled body, which needs none.
`walk(text, pos, known)`  the offset behind the object that starts at `pos`, or -1: `known` (a dict) then has, for the first 50 objects
    met in the failed read outside strings, in text order, their end, or -1 if still open at the fault and so failed as well.
`mark(text, pos)`  the offset of the first character at or after `pos` with which a landmark could start (LAND-1): `{`, `[`, `｛`, `<`, `◁`,
    or the first of three backticks or tildes; the text's length if there is none.
`entry(driver)`  what users call instead of `driver`, which is `loads`, `extract_json` or `extract_json_object`: a builtin of the same
    name, signature and docstring that answers a call with one clean str by itself and hands every other one to `driver`. The pure body
    gives `driver` back.
`steps()`, `count(n)`  characters looked at so far by this body; `count` adds those another room looked at. Tests count with it.

Every function and method is O(characters read), plus the values built.
"""

try:
    from ._machine import Machine, count, entry, mark, parse_at, read_plain, scanned, steps, walk

    BUILD = "compiled"
except ModuleNotFoundError as error:
    if error.name != f"{__package__}._machine":
        raise
    from ._machine_py import Machine, count, entry, mark, parse_at, read_plain, scanned, steps, walk  # type: ignore[assignment]

    BUILD = "pure"

__all__ = ["BUILD", "Machine", "count", "entry", "mark", "parse_at", "read_plain", "scanned", "steps", "walk"]

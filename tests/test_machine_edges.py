"""The inner loops of the compiled machine work on blocks of 16 bytes and words of 8: what stands at every place of one, in every width of a
str. Both builds must read it as the standard library does."""

from __future__ import annotations

import importlib
import json
import random
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

import jsonscan

WIDTHS = pytest.mark.parametrize("wide", ["", "é", "中", "😀"], ids=["ASCII", "Latin-1", "CJK", "emoji"])


@pytest.fixture
def machine(module: Callable[[str], ModuleType]) -> Any:
    return module("machine")


def read(machine: Any, text: str) -> Any:
    found = machine.parse_at(text, 0)
    return found and found[0]


def strict(text: str) -> Any:
    try:
        return json.JSONDecoder().raw_decode(text)[0]
    except ValueError:
        return None


@WIDTHS
@pytest.mark.parametrize("blank", [" ", "\t", "\r\n"])
def test_white_space_of_every_length(machine: Any, wide: str, blank: str):
    for first in range(40):
        for second in (0, 1, first, first + 1, 17, 33):
            text = f"[\n{blank * first}1,\n{blank * second}[2\n{blank * first}]\n{blank * second}] {wide}"
            assert read(machine, text) == [1, [2]], text


@WIDTHS
@pytest.mark.parametrize("tail", ["", " " * 40], ids=["at the end", "before the end"])
def test_names_of_every_length(machine: Any, wide: str, tail: str):
    for length in range(20):
        name = "abcdefghijklmnopqrstuvwxyz"[:length]
        for at in range(length + 1):
            for odd in ("", "\\n", "é", "中", "\x01", "\\u0041", "\x7f"):
                text = f'{{"{name[:at]}{odd}{name[at:]}":1}}{tail}{wide}'
                assert read(machine, text) == strict(text), text
        assert read(machine, f'{{"{name}{tail}{wide}') is None


@WIDTHS
def test_two_names_that_nearly_agree(machine: Any, wide: str):
    """The name that followed another one before is tried first the next time."""
    for length in range(1, 18):
        for at in range(length):
            one = "n" * length
            other = f"{one[:at]}m{one[at + 1:]}"
            pairs = ["first", one, "first", other, "first", one + "x", "first", one[1:], "first", one]
            text = "[" + ",".join(f'{{"{name}":1}}' for name in pairs) + f"]{' ' * 20}{wide}"
            assert read(machine, text) == [{name: 1} for name in pairs]


def test_numbers_that_no_double_is(machine: Any):
    """Exactly between two doubles, beside that, and at the ends of their range."""
    drawn = random.Random(8)
    texts = ["0e400", "0.00e-400", "0.0e0", "-0e9", "5e-324", "2.4703282292062327e-324", "2.4703282292062328e-324",
             "1.7976931348623158e308", "1.7976931348623159e308", "2.2250738585072011e-308",
             "4.9e-342", "9e-343", "1e309", "123e306", "1e-400"]  # fmt: skip
    for exponent in range(24):
        for _ in range(20):
            halfway = (drawn.randrange(2**52, 2**53) * 2 + 1) * 2 ** drawn.randrange(1, 10)
            scale = 5**exponent
            if halfway * scale < 10**19:
                texts += [f"{halfway * scale + by}e-{exponent}" for by in (-1, 0, 1)]
            texts += [f"{halfway // 2**9 + by}e{exponent}" for by in (0, 1)]
    texts += [f"{drawn.randrange(1, 10**19)}e{drawn.randrange(-345, 312)}" for _ in range(3000)]
    for text in texts:
        assert repr(read(machine, f"[{text}]")) == repr([float(text)]), text


def first_within(factor: int, modulus: int, least: int, most: int) -> int:
    """The least number >= 0 whose product with the factor leaves a rest from `least` to `most`, if there is one: by Euclid's steps."""
    if least == 0:
        return 0
    if 2 * factor > modulus:
        factor, least, most = modulus - factor, modulus - most, modulus - least
    times = -(-least // factor)
    if times * factor <= most:
        return times
    turns = first_within(-modulus % factor, factor, least % factor, most % factor)
    return -(-(least + modulus * turns) // factor)


def truncated_power(exponent: int) -> int:
    """The 128 highest bits of a power of five that has more of them."""
    power = 5 ** abs(exponent)
    word = power << 128 if exponent >= 0 else (1 << 2 * power.bit_length() + 128) // power + 1
    return word >> word.bit_length() - 128


TRUNCATED = [*range(-342, -27), *range(56, 309)]


def test_what_a_power_leaves_out_never_carries():
    """The compiled machine multiplies a mantissa of 64 bits with 128 bits of a power of five and keeps what is above the 137th. What was
    left out of the power adds less than 2**64: so no mantissa may have a product that is nearer to the next multiple of 2**137."""
    for factor, modulus in ((3, 10), (7, 10), (5, 13), (12, 101)):
        for least in range(modulus - 1):
            rests = [factor * number % modulus in (least, least + 1) for number in range(modulus)]
            assert first_within(factor, modulus, least, least + 1) == rests.index(True)
    for exponent in TRUNCATED:
        assert first_within(truncated_power(exponent), 2**137, 2**137 - 2**64, 2**137 - 1) >= 2**64


def test_numbers_whose_product_ends_in_ones(machine: Any):
    """Where all 64 bits below the high word of the product with the upper half of the power are ones: mantissas made for that."""
    found = 0
    for exponent in TRUNCATED:
        high = truncated_power(exponent) >> 64
        mantissa = -pow(high, -1, 2**64) % 2**64 if high & 1 else 0
        if 2**63 <= mantissa < 10**19:
            found += 1
            assert read(machine, f"[{mantissa}e{exponent}]") == [float(f"{mantissa}e{exponent}")]
    assert found > 10


def test_a_raw_lead_at_the_end_of_a_chunk_with_escapes(machine: Any):
    """It waits for its trail, and is no part of what is shown until then."""
    reader = machine.Machine('["\\nab\ud83d')
    reader.run(False)
    assert reader.snapshot() == ["\nab"]
    assert reader.feed('\\ude00c"]') == "done"
    assert reader.value == ["\nab😀c"]


@pytest.mark.parametrize("char", ["", "}]"])
def test_what_is_no_character_changes_nothing(machine: Any, char: str):
    """Found by the fuzzer: "" stands in every str, so it was taken for a closer, and the path read a name that was gone."""
    reader = machine.Machine('{"a": 1, "b" ')
    reader.run(False)
    reader.snapshot()
    assert reader.retract()[0] == "b"
    before = reader.phase, reader.path(), reader.frames()
    with pytest.raises(ValueError, match="character"):
        reader.punct(char, reader.pos)
    assert (reader.phase, reader.path(), reader.frames()) == before


@pytest.mark.skipif(jsonscan.BUILD == "pure", reason="the pure body reads nothing behind a str, wherever it is sent")
def test_places_outside_the_text():
    machine: Any = importlib.import_module("jsonscan._machine")
    reader = machine.Machine("[1]")
    for call in (lambda: machine.Machine("[1]", 4), lambda: machine.Machine("[1]", -1), lambda: machine.parse_at("[1]", 4),
                 lambda: machine.parse_at("[1]", -1), lambda: machine.walk("[1]", 4, {}), lambda: machine.walk("[1]", -1, {}),
                 lambda: reader.put(1, 4), lambda: reader.goto(-1), lambda: reader.punct("[", 4)):  # fmt: skip
        with pytest.raises(ValueError, match="outside"):
            call()
    with pytest.raises(IndexError):
        reader.value  # noqa: B018
    assert reader.run() == "done"
    assert reader.value == [1]

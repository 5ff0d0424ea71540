"""Every pattern of the house takes linear time, on texts made from the pattern itself. See `support/patterns.py`."""

import re
from collections import deque
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import pytest
from support import attacks, linear, patterns

SIZE, LONGER = 2000, 4000
"""Characters that linear work looks through in an instant, while quadratic work takes millions of steps: several times
`linear.INSTANT` on a quick processor too. Twice as many show what takes a fourth of that, in many times as long."""
ANYWHERE = frozenset({"finditer"})
BROKEN_OFF = 0.1  # seconds that all texts for a pattern may take here: a linear one takes 0.013, a slow one 10 and more


@cache
def every_pattern() -> list[patterns.Found]:
    import config.urls  # noqa: F401  (in the order in which the platform itself is imported)

    return list(patterns.found())


@cache  # several modules have the same one
def slow(pattern: re.Pattern[Any], ways: frozenset[str], length: int = SIZE) -> str:
    """A text on which it takes longer than the text's length excuses, or ''."""

    def work(size: int, shape: attacks.Shape) -> Callable[[], object]:
        text: Any = shape.text(size)
        if isinstance(pattern.pattern, bytes):
            text = text.encode()
        if not set(ways) <= {"match", "fullmatch", "search"}:
            return lambda: deque(pattern.finditer(text), maxlen=0)
        return lambda: [getattr(pattern, way)(text) for way in ways]

    late: list[attacks.Shape] = []
    shape = None

    def screen() -> None:
        nonlocal shape
        for shape in attacks.shapes(pattern):
            if not linear.at_once(work(length, shape)):
                late.append(shape)

    try:
        linear.seconds(screen)
    except linear.TooLong:
        return str(shape)
    uneven = (shape for shape in late if not linear.grows_evenly(partial(work, shape=shape), length))
    return str(next(uneven, ""))


GROUP_REPEATED = re.compile(r"(?<!\\)\)(?:[*+?]|\{[\d,]+\})\+")


@pytest.mark.parametrize(("written", "does"), [(r"(?:ab)*+c", True), (r"x(?:a|(?:bc)++)", True), (r"(?:ab){2,}+", True),
    (r"a*+[bc]++\s?+", False), (r"(?>(?:ab)*)c", False), (r"\)++", False)])  # fmt: skip
def test_a_group_that_is_repeated_possessively_is_found(written: str, does: bool) -> None:
    assert bool(GROUP_REPEATED.search(written)) == does


def test_no_pattern_repeats_a_group_possessively() -> None:
    """`(?:ab|c)*+` is matched wrongly before Python 3.11.5, as on Debian 12; `(?>(?:ab|c)*)` says the same."""
    of_python = [one for one in every_pattern() if not one.where.partition(":")[0].endswith(".js")]
    assert [one.where for one in of_python if GROUP_REPEATED.search(str(one.pattern.pattern))] == []


@pytest.mark.slow
@pytest.mark.parametrize("length", [SIZE, pytest.param(LONGER, marks=pytest.mark.soak)])
def test_every_pattern_takes_linear_time(length: int) -> None:
    assert len(every_pattern()) > 200
    assert {
        f"{one.where} {one.pattern.pattern!r}": on
        for one in every_pattern()
        if (on := slow(one.pattern, one.ways, length))
    } == {}


@pytest.mark.parametrize(
    "written",
    [
        r"\s+([.,!?])",  # begins within a run
        r"([^\s\[\]]*)\[",
        r"\[\*\*.*?\*\*\]",  # an end that never comes
        r"record\s*[:#]?\s*#?\s*\d",  # who takes which space
        r"(?<![\w.,-])\d{7,}(?![\w.,-]*\d|\s*mg)",
        r"^(?:[a-z]+\.?)+$",  # exponential
        r"(?:,|\.\.+)+x",
    ],
)
def test_a_slow_pattern_is_found_out(written: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linear, "LIMIT", BROKEN_OFF)
    assert slow(re.compile(written), ANYWHERE)


def test_a_linear_pattern_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linear, "LIMIT", BROKEN_OFF)
    assert not slow(re.compile(r"(?<!\s)\s++([.,!?])|[a-z]+x?[0-9]{0,9}"), ANYWHERE)


def test_a_pattern_of_a_script_is_read() -> None:
    found = [one.pattern.pattern for one in patterns.in_scripts()]
    assert r"\s+" in found
    assert any(written.startswith(r"\[\*\*") for written in found)

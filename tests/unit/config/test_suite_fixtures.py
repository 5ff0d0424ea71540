"""What the suite spares its tests: fixtures that ask for a mark they have not, and a look through every character."""

import pytest
from support.drawn_characters import UTF_8, intervals_of


def test_a_test_without_marks_is_not_asked_for_them(request: pytest.FixtureRequest) -> None:
    assert not {name for name in request.fixturenames if name.startswith(("_django_", "_live_", "_template_"))}


@pytest.mark.urls("config.urls")
def test_a_mark_is_heard(request: pytest.FixtureRequest) -> None:
    assert "_django_set_urlconf" in request.fixturenames


def test_the_characters_of_utf_8_are_those_that_it_writes() -> None:
    for first, last in UTF_8.intervals:
        assert f"{chr(first)}{chr(last)}".encode().decode() == chr(first) + chr(last)
    apart = [code for first, last in UTF_8.intervals for code in (first - 1, last + 1) if 0 <= code <= 0x10FFFF]
    for code in apart:
        with pytest.raises(UnicodeEncodeError):
            chr(code).encode()
    assert intervals_of("utf-8")[0] is UTF_8

"""The direction of what changed in a text."""

from django.template.loader import render_to_string

from config.templating.text_language import with_directions
from foundation.word_diff import word_diff

STAYED = "العرض الجديد في المدينة مساء أمس مع أصدقائي"


def apart(before: str, after: str) -> list[str]:
    return [piece.text for piece, stands_apart in with_directions(word_diff(before, after)) if stands_apart]


def test_words_that_stayed_say_the_direction_so_that_all_changes_have_their_own() -> None:
    assert apart(f"رأيت {STAYED}", f"شاهدت {STAYED}") == ["رأيت", "شاهدت"]


def test_where_no_word_stayed_the_first_change_says_the_direction_of_the_whole() -> None:
    assert apart("رأيته", "شاهدت العرض") == ["شاهدت العرض"]
    shown = render_to_string("parts/diff.html", {"pieces": word_diff("رأيته", "شاهدت العرض")})
    assert "<del>رأيته</del>" in shown
    assert '<ins dir="auto">شاهدت العرض</ins>' in " ".join(shown.split())


def test_a_change_without_letters_never_has_a_direction() -> None:
    assert apart(STAYED, f"{STAYED}.") == []

"""Sentences with named places: formed when they are read, in the reader's language, and never by an f-string."""

import ast
import pickle
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from foundation import translation
from foundation.errors import LONGEST, UserError, first_five

ROOT = Path(__file__).parents[3]
ROOMS = ("annotation", "evaluation", "modelserving", "platform", "tools")
GERMAN = {"There is no file {name}.": "Es gibt keine Datei {name}."}


@pytest.fixture
def german() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(translation, "_translate", lambda sentence: GERMAN.get(sentence, sentence))
        yield


def test_places_are_filled_and_the_place_stands_first() -> None:
    error = UserError("There is no file {name}.", name="a{b}.csv", where="line 3")
    assert str(error) == "line 3: There is no file a{b}.csv."
    assert (error.where, error.sentence) == ("line 3", "There is no file a{b}.csv.")


def test_a_sentence_without_values_keeps_its_braces() -> None:
    assert str(UserError("Expected {curly} braces.")) == "Expected {curly} braces."


def test_it_is_translated_when_it_is_read(german: None) -> None:
    with pytest.MonkeyPatch.context() as english:
        english.setattr(translation, "_translate", None)
        error = UserError("There is no file {name}.", name="x", where="line 3")
        assert error.sentence == "There is no file x."
    assert str(error) == "line 3: Es gibt keine Datei x."


def test_it_outlives_a_pickle(german: None) -> None:
    error = pickle.loads(pickle.dumps(UserError("There is no file {name}.", name="{x}", where="here")))  # noqa: S301
    assert str(error) == "here: Es gibt keine Datei {x}."


def test_what_is_quoted_is_cut() -> None:
    assert len(UserError("It says {text}.", text="x" * 100_000).sentence) < LONGEST


def test_five_places_and_how_many_more() -> None:
    assert first_five(range(7)) == "0, 1, 2, 3, 4 and 2 more"


@cache
def calls() -> list[tuple[str, ast.Call]]:
    """Each UserError that the rooms make, and where it stands."""
    texts = {file: file.read_text(encoding="utf-8") for room in ROOMS for file in sorted((ROOT / room).rglob("*.py"))}
    return [
        (f"{file.relative_to(ROOT)}:{node.lineno}", node)
        for file, text in texts.items()
        for node in (ast.walk(ast.parse(text)) if "UserError" in text else ())
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "UserError"
    ]


def test_no_sentence_is_an_f_string() -> None:
    """Nothing could translate it: write UserError("... {name} ...", name=name)."""
    assert not [place for place, call in calls() if call.args and isinstance(call.args[0], ast.JoinedStr)]


def test_each_place_has_a_value_and_each_value_a_place() -> None:
    wrong = []
    for place, call in calls():
        given = {one.arg for one in call.keywords} - {"where", None}
        first = call.args[0] if call.args else None
        if given and isinstance(first, ast.Constant):
            places = {name for _, name, _, _ in Formatter().parse(str(first.value)) if name is not None}
            wrong += [f"{place}: {places ^ given}"] if places != given else []
    assert not wrong, "\n".join(wrong)


def test_a_count_has_its_digits_in_the_groups_of_the_readers_language() -> None:
    error = UserError("Line {line} of {all:,}: {share:.1f}.", line=12_345, all=67_890, share=0.25)
    assert str(error) == "Line 12345 of 67,890: 0.2."
    with pytest.MonkeyPatch.context() as german:
        german.setattr(translation, "_group", lambda count: f"{count:,}".replace(",", "."))
        assert str(error) == "Line 12345 of 67.890: 0.2."
    assert str(pickle.loads(pickle.dumps(error))) == "Line 12345 of 67,890: 0.2."  # noqa: S301 - our own

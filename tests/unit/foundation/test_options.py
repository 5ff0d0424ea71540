"""Options: a dataclass, its check, and what a form or a schema is made from."""

import re
from dataclasses import dataclass

import pytest

from foundation.errors import UserError
from foundation.options import NoOptions, Option, complete, list_options, option, options_as_stored, validate_options


@dataclass(frozen=True)
class Made:
    hidden: int = option(256, "Size of the hidden states", low=1, high=4096)
    dropout: float = option(0.2, "Share that is dropped", low=0, high=1)
    optimizer: str = option("adam", "Optimizer", choices=("adam", "adadelta"))
    shared: bool = option(False, "One embedding for both sides")
    vectors: str = option("", "File of word vectors")


def test_what_is_not_given_is_the_default_and_a_whole_number_may_stand_for_any() -> None:
    assert validate_options(Made, {}) == Made()
    assert validate_options(Made, {"hidden": 8, "dropout": 1}) == Made(hidden=8, dropout=1.0)
    assert isinstance(validate_options(Made, {"dropout": 1}).dropout, float)
    assert validate_options(Made, options_as_stored(Made(shared=True))) == Made(shared=True)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"hiden": 1}, "hiden: There is no such option; did you mean hidden?"),
        ({"zzz": 1}, "zzz: There is no such option; there are hidden, dropout, optimizer, shared, vectors."),
        ({"hidden": 0}, "hidden: Expected a number from 1 to 4,096."),
        ({"hidden": 1.5}, "hidden: Expected a whole number."),
        ({"hidden": True}, "hidden: Expected a whole number."),
        ({"dropout": "much"}, "dropout: Expected a number."),
        ({"dropout": float("nan")}, "dropout: Expected a number from 0 to 1."),
        ({"optimizer": "sgd"}, "optimizer: Expected one of adam, adadelta."),
        ({"shared": 1}, "shared: Expected yes or no (true or false)."),
        ({"vectors": 3}, "vectors: Expected a text."),
        ({"vectors": "a\0"}, "vectors: A text of the vectors holds a character that cannot be stored."),
    ],
)
def test_what_cannot_be_is_refused_by_name(given: dict[str, object], sentence: str) -> None:
    with pytest.raises(UserError, match=f"^{re.escape(sentence)}$"):
        validate_options(Made, given)


def test_the_end_of_a_line_counts_as_one_character_as_a_browser_counts_it() -> None:
    text = Option("text", "", "A text", characters=3)
    assert text.check("a\r\nb") == "a\r\nb"
    with pytest.raises(UserError, match="at most 3 characters"):
        text.check("a\r\nbc")


def test_what_may_be_none_and_what_is_then_meant() -> None:
    @dataclass(frozen=True)
    class Some:
        texts: int | None = option(0, "Further texts", low=0, high=9, none="allowed")
        people: int | None = option(1, "People", low=1, high=9, none="usual")
        source: str = option("here", "Whose", choices=("here", "there"), called="from")

    assert validate_options(Some, {"texts": None, "people": None}) == Some(texts=None, people=None)
    assert Some() == Some(texts=0, people=None, source="here")
    assert complete(Some, {"from": "there", "people": 2}) == {"texts": 0, "people": 2, "from": "there"}
    with pytest.raises(UserError, match=r"^people: Expected a number from 1 to 9\.$"):
        validate_options(Some, {"people": 0})


def test_the_place_comes_before_the_name() -> None:
    with pytest.raises(UserError, match=r"^models\.0\.hidden: "):
        validate_options(Made, {"hidden": 0}, where="models.0.")


def test_without_options_there_is_nothing_to_choose() -> None:
    with pytest.raises(UserError, match="There are no options here"):
        validate_options(NoOptions, {"seed": 1})


def test_they_are_listed_in_their_order() -> None:
    assert [one.name for one in list_options(Made)] == ["hidden", "dropout", "optimizer", "shared", "vectors"]
    assert list_options(Made)[0] == Option("hidden", 256, "Size of the hidden states", 1, 4096)


@dataclass(frozen=True)
class Grouped:
    rate: float = option(0.1, "Learning rate", group="Optimization")
    folder: str = option("", "Folder of the model", required=True)


@dataclass(frozen=True)
class Smaller(Grouped):
    rate: float = option(0.01, "Learning rate")
    folder: str = option("ours", "Folder of the model", required=True, group="Model")


def test_an_option_that_is_declared_anew_keeps_its_group_and_may_get_one() -> None:
    assert [one.group for one in list_options(Grouped)] == ["Optimization", ""]
    assert [one.group for one in list_options(Smaller)] == ["Optimization", "Model"]


@pytest.mark.parametrize("given", [{}, {"folder": ""}, {"folder": " "}])
def test_what_is_required_is_asked_for_in_a_sentence(given: dict[str, object]) -> None:
    with pytest.raises(UserError, match=r"^model\.folder: This has to be given: folder of the model\.$"):
        validate_options(Grouped, given, where="model.")
    if given:
        with pytest.raises(UserError, match=r"^folder: This has to be given"):
            validate_options(Smaller, given)
    assert validate_options(Smaller, {}).folder == "ours"

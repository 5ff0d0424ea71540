"""What TOML allows and nobody needs ends in a sentence with its place, at once: it took a core for ever, or was 500."""

from typing import Any

import pytest
from support import linear

from corpora.formats import TextFile
from foundation.errors import UserError
from study_file.parser.parser import parse_study_file

HEAD = '[study]\nslug = "tone"\ntitle = "Tone"\nstyles = ["informal", "formal"]\n'
SIZE = 600_000


def refused(text: str) -> str:
    with pytest.raises(UserError) as error:
        parse_study_file(TextFile(text.encode(), "study.toml"))
    assert len(str(error.value)) < 5000
    return str(error.value)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("unit = " + "9" * 5000, "line 5: a number has more than 100 characters."),
        ("unit = 0x" + "f" * 5000, "line 5: a number has more than 100 characters."),
        ("unit = [1, " + "9" * 5000 + "]", "line 5: a number has more than 100 characters."),
        ("unit = " + "9" * 30, "line 5, unit: the number is larger than"),
        ("unit = inf", "line 5, unit: a number was expected, and neither inf nor nan."),
        ("unit = 1e400", "line 5, unit: a number was expected, and neither inf nor nan."),
        ("[metrics]\nbleu = {a = [nan]}", "line 6, 0: a number was expected, and neither inf nor nan."),
        ("[metrics]\nbleu = {a = 1979-05-27}", "line 6, a: a date was not expected; put it in quotation marks."),
        ('[metrics]\nbleu = {a = "\\u0000"}', "line 6, a: the text holds a NUL character."),
        ('"\\u0000" = 1', "the text holds a NUL character."),
        (".".join("a" * (SIZE // 2)) + " = 1", "line 5: a key has more than 12 parts"),
        ('"b" . ' * 100_000 + "c = 1", "line 5: a key has more than 12 parts"),
        ("[" + ".".join("a" * (SIZE // 2)) + "]", "line 5: a key has more than 12 parts"),
        ('description = """\na\n#"""\n' + ".".join("a" * 50) + " = 1", "line 8: a key has more than 12 parts"),
        ("unit = " + "[" * SIZE, "line 5: lists and tables are nested too deeply."),
        ("unit = " + "{a=" * 200_000, "line 5: lists and tables are nested too deeply."),
        ("k" * SIZE + " = 1", "unknown key"),
        ("[[systems]]\n" * 1_001, "there are 1,001 blocks; at most 1,000 were expected."),
        ("style_words = [" + ",".join(f'"{n}"' for n in range(10_000)) + ', "7"]', "'7' stands twice in the list."),
        ("unit = 1979-13-45", "this is not TOML"),
        ('title = "\\ud800"', "this is not TOML"),
    ],
    ids=lambda text: text[:30],
)
def test_what_is_beyond_all_use_is_refused_with_its_place(line: str, said: str) -> None:
    heard: list[str] = []
    linear.seconds(lambda: heard.append(refused(HEAD + line + "\n")))
    assert said in heard[0]


def test_dots_and_digits_in_texts_are_none_of_a_key() -> None:
    text = ".".join("a" * 50) + "9" * 500 + "[" * 100
    about = f"'''{text}\n'''"
    spec = parse_study_file(
        TextFile(f'{HEAD}description = {about}  # {text}\nlicense = "{text[:150]}"\n'.encode(), "a")
    )
    assert spec.description.startswith("a.a.a")


PUMPS = (
    '"""',
    "'''",
    '"',
    "'",
    "#",
    "[",
    "a.",
    "[[x]]\n",
    "a = 1\n",
    "\\",
    '"\\',
    "a=[",
    ",",
    "{",
    "=",
    "9",
    ' "a" ',
    "\n",
)


@pytest.mark.parametrize("pump", PUMPS)
@pytest.mark.parametrize(
    ("first", "upto"),
    [(20_000, linear.SOONER), pytest.param(200_000, {}, marks=pytest.mark.soak)],
    ids=["page", "file"],
)
def test_the_study_file_is_read_in_linear_time(pump: str, first: int, upto: dict[str, Any]) -> None:
    def work(size: int):
        text = HEAD + "unit = " + (pump * (size // len(pump)))

        def read() -> None:
            with pytest.raises(UserError):
                parse_study_file(TextFile(text.encode(), "a"))

        return read

    assert linear.grows_evenly(work, first, **upto)

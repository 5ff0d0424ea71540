"""A study's language as metrics need it: its words, its case, and whether it is English."""

from collections.abc import Iterable
from itertools import islice

import regex

from foundation.word_diff import words

# How languages are written: with spaces between words or without, and with which small letters.
#
# A language is a BCP 47 tag (`foundation.languages`); "" is one that nobody named, and stands for English.

UNNAMED = "und"
"""Of texts in another script than Latin, in a study that names no language: they are not English."""

ENGLISH = frozenset({"en"})
CHINESE = frozenset(["zh", "cmn", "yue", "wuu", "nan", "hak", "gan", "hsn", "cjy", "cdo", "lzh"])
UNSPACED = CHINESE | frozenset(["ja", "th", "lo", "km", "my", "bo", "dz", "shn", "nod", "khb"])
UNPARTED = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
"""Letters that stand beside numbers and letters of other scripts without a space: 3月12日, 4점, A更好. For `regex`."""
DOTLESS = frozenset({"tr", "az"})  # I without a dot is the capital of ı, as Unicode's SpecialCasing has it
LETTER, LATIN = regex.compile(r"\p{L}"), regex.compile(r"(?=\p{L})\p{Script=Latin}")
LOOKED_AT, CHARACTERS = 200, 300  # texts, and characters of each


def primary(language: str) -> str:
    """The first part of the tag, which names the language itself; "en" where there is none."""
    return language.partition("-")[0] or "en"


def is_english(language: str) -> bool:
    """Whether it is English, or nobody named it."""
    return primary(language) in ENGLISH


def is_chinese(language: str) -> bool:
    """Whether it is Chinese in characters: `zh-Latn` is written in letters."""
    return primary(language) in CHINESE and not _in_letters(language)


def writes_spaces(language: str) -> bool:
    """Whether white space stands between words."""
    return primary(language) not in UNSPACED or _in_letters(language)


def lowered(text: str, language: str = "") -> str:
    """The text in small letters; in Turkish and Azerbaijani, I becomes ı and İ becomes i."""
    if primary(language) in DOTLESS:
        text = text.replace("I\u0307", "i").replace("İ", "i").replace("I", "ı")
    return text.lower()


def language_or_unnamed(named: str, texts: Iterable[str]) -> str:
    """The language that a study names; where it names none, "" for texts in Latin letters, else `UNNAMED`."""
    if named:
        return named
    looked_at = [text[:CHARACTERS] for text in islice(texts, LOOKED_AT)]
    letters, latin = (sum(len(kind.findall(text)) for text in looked_at) for kind in (LETTER, LATIN))
    return UNNAMED if 2 * latin < letters else ""


def _in_letters(language: str) -> bool:
    return "Latn" in language.split("-")


# Texts as the words that white space parts; as single characters where a language parts none.

WORDED = regex.compile(r"[\p{L}\p{N}]")


def pieces(text: str, language: str) -> list[str]:
    """The words of a text; in a language without spaces its characters, and whole words in other letters."""
    return text.split() if writes_spaces(language) else [word.text for word in words(text) if word.text]


def joined(parts: Iterable[str], language: str) -> str:
    """The pieces as a text again."""
    return (" " if writes_spaces(language) else "").join(parts)


def count_words(text: str, language: str) -> int:
    """The number of pieces, as tokenized corpora count the length of a sentence.

    In a language without spaces only pieces with a letter or digit count.
    """
    found = pieces(text, language)
    return len(found) if writes_spaces(language) else sum(WORDED.search(piece) is not None for piece in found)

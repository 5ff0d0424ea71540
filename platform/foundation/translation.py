"""The language of plain modules' sentences and counts: English, until the web site says how its readers' is found."""

from collections.abc import Callable

_translate: Callable[[str], str] | None = None
_group: Callable[[int], str] | None = None


def translate_with(function: Callable[[str], str]) -> None:
    """Have `translated` ask this function, such as Django's gettext, for a sentence in the reader's language."""
    global _translate
    _translate = function


def group_with(function: Callable[[int], str]) -> None:
    """Have `grouped` ask this function, such as Django's formats, for a number as the reader's language writes it."""
    global _group
    _group = function


def grouped(count: int) -> str:
    """The count with its digits in groups: 12,345 in English, 12.345 in German."""
    return _group(count) if _group else f"{count:,}"


def translated(sentence: str) -> str:
    """The sentence in the language of whoever reads it now; it may have places in braces, which stay."""
    return _translate(sentence) if _translate and sentence else sentence


def translate(sentence: str, **values: object) -> str:
    """The sentence in the reader's language with its places filled: translate("You have {n}.", n=3)."""
    return translated(sentence).format(**values)


def translatable(sentence: str) -> str:
    """The sentence itself; the call marks it for `make messages`, where a page translates what a plain module names."""
    return sentence

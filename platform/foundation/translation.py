"""The language of plain modules' sentences and counts: English, until the web site says how its readers' is found."""

from collections.abc import Callable

FIRST_STRONG_ISOLATE, POP_ISOLATE = "\u2068", "\u2069"
_translate: Callable[[str], str] | None = None
_group: Callable[[int], str] | None = None
_is_right_to_left: Callable[[], bool] | None = None
_when_read = False


def use_language_of_reader(
    translate: Callable[[str], str], group: Callable[[int], str], is_right_to_left: Callable[[], bool]
) -> None:
    """Have the functions here ask these, such as Django's, for a sentence, a count and the direction of writing."""
    global _translate, _group, _is_right_to_left
    _translate, _group, _is_right_to_left = translate, group, is_right_to_left


def grouped(count: int) -> str:
    """The count with its digits in groups: 12,345 in English, 12.345 in German."""
    return _group(count) if _group else f"{count:,}"


def isolated(name: str) -> str:
    """A name within a sentence, which keeps its own direction where the sentence is written from right to left."""
    isolates = _is_right_to_left and _is_right_to_left()
    return f"{FIRST_STRONG_ISOLATE}{name}{POP_ISOLATE}" if isolates else name


def translated(sentence: str) -> str:
    """The sentence in the language of its present reader; places in braces stay."""
    return _translate(sentence) if _translate and sentence else sentence


def translate(sentence: str, **values: object) -> str:
    """The sentence in the reader's language with its places filled: translate("You have {n}.", n=3)."""
    if _when_read:
        return _Untranslated(sentence, values)
    return translated(sentence).format(**values)


def translate_when_read() -> None:
    """From now on `translate` gives a sentence that is translated where it is unpickled: this process has no reader."""
    global _when_read
    _when_read = True


class _Untranslated(str):
    def __new__(cls, sentence: str, values: dict[str, object]) -> "_Untranslated":
        made = super().__new__(cls, sentence.format(**values))
        made.sentence, made.values = sentence, values
        return made

    sentence: str
    values: dict[str, object]

    def __reduce__(self) -> tuple[Callable[..., str], tuple[object, ...]]:
        return _translated_with, (self.sentence, self.values)


def _translated_with(sentence: str, values: dict[str, object]) -> str:
    return translate(sentence, **values)


# A number of each of the kinds that the plural rules of languages know (Unicode CLDR), as our languages have them.
OF_KIND = {"zero": 0, "one": 1, "two": 2, "few": 3, "many": 11, "other": 100}


def by_kind(sentence: Callable[[int], str]) -> dict[str, str]:
    """The sentence of "other" numbers, and of those kinds of numbers for which the language has another one.

    A script chooses among them by `Intl.PluralRules` (js/counted.js).
    """
    sentences = {kind: sentence(number) for kind, number in OF_KIND.items()}
    return {kind: said for kind, said in sentences.items() if kind == "other" or said != sentences["other"]}


def translatable(sentence: str) -> str:
    """The sentence itself; the call marks it for `make messages`, where a page translates what a plain module names."""
    return sentence

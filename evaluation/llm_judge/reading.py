"""The judgement in an answer: a value of the scale, the better one of a pair, the best and the worst, or an object."""

from typing import Any

import orjson
import regex

from annotation.rating_scales import Scale
from evaluation.languages import UNPARTED
from modelserving.run_context import UnfinishedThought, without_thoughts

_LETTER = rf"[\w--{UNPARTED}]"  # '4分' is 4, 'A更好' chooses A
_ALONE = rf"-?\d{{1,9}}(?:\.\d{{1,9}})?(?!{_LETTER}|,|\.\d)"
NUMBER = regex.compile(rf"(?V1)(?<![{_LETTER}.,-]){_ALONE}")
OUT_OF = regex.compile(r"(?<=\d) ?(?:/|out of) ?\d{1,9}(?!\d)")
NAMED = regex.compile(rf"(?V1)\b(?:score|rating|value|answer)\b[\"'*:： ]{{0,5}}({_ALONE})", regex.IGNORECASE)
# 'A better text' and 'A tie' choose nothing by their article.
CHOICE = regex.compile(
    rf"(?V1)(?<!{_LETTER})(A|B)(?!{_LETTER})(?! (?!is\b|wins\b|or\b|and\b)[a-z])|(?<!{_LETTER})(?i:(tie))(?!{_LETTER})"
)
TIE = 0.5
END = regex.compile(rf"(?V1)\b(best|worst)\b[\"'*:： ]{{0,5}}(?:text )?(\d{{1,5}})(?!{_LETTER})", regex.IGNORECASE)


def value_in(answer: str, scale: Scale) -> float | None:
    """The value that an answer gives: the last line with a number decides, by its only one, or by the one that is
    called score, rating, value or answer.

    None where it is not on the scale, or several numbers stand there. '4/5' is 4. A label in its own words counts.
    """
    text = _told(answer)
    for line in reversed(text.splitlines()):
        named = NAMED.search(line)
        found = [named[1]] if named else NUMBER.findall(OUT_OF.sub("", line))
        if found:
            number = float(found[0])
            return number if len(found) == 1 and scale.holds(number) else None
    plain = text.strip(" \n.*\"'“”").casefold()
    return next((float(level.value) for level in scale.levels if level.label.casefold() == plain), None)


def choice_in(answer: str) -> float | None:
    """1 where an answer chooses A, 0 where it chooses B, `TIE` for neither; None where it says nothing of it.

    The last line that holds a choice decides; one that holds several different ones says nothing.
    """
    for line in reversed(_told(answer).splitlines()):
        said = {found[1] or "TIE" for found in CHOICE.finditer(line)}
        if said:
            return {"A": 1.0, "B": 0.0, "TIE": TIE}[said.pop()] if len(said) == 1 else None
    return None


def ends_in(answer: str, count: int) -> tuple[int, int] | None:
    """The numbers of the best and of the worst text, from 1; None where the answer does not choose two of the texts.

    The last word on each counts.
    """
    said = {found[1].lower(): int(found[2]) for found in END.finditer(_told(answer))}
    best, worst = said.get("best", 0), said.get("worst", 0)
    return (best, worst) if best != worst and min(best, worst) >= 1 and max(best, worst) <= count else None


def object_in(answer: str) -> dict[str, Any] | None:
    """The one JSON object of an answer, whatever words or fences stand around it; None where it holds no whole one."""
    text = _told(answer)
    try:
        found = orjson.loads(text[text.find("{") : text.rfind("}") + 1])
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _told(answer: str) -> str:
    """The answer behind its thoughts; nothing where it never came to one."""
    try:
        return without_thoughts(answer).strip()
    except UnfinishedThought:
        return ""

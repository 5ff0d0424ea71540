"""The judgement in an answer: a value of the scale, or the better one of a pair."""

import re

from annotation.rating_scales import Scale
from modelserving.run_context import UnfinishedThought, without_thoughts

_ALONE = r"-?\d{1,9}(?:\.\d{1,9})?(?![\w,]|\.\d)"
NUMBER = re.compile(rf"(?<![\w.,-]){_ALONE}")
OUT_OF = re.compile(r"(?<=\d) ?(?:/|out of) ?\d{1,9}\b")
NAMED = re.compile(rf"\b(?:score|rating|value|answer)\b[\"'*: ]{{0,5}}({_ALONE})", re.IGNORECASE)
# 'A better text' and 'A tie' choose nothing by their article.
CHOICE = re.compile(r"(?<!\w)(A|B)(?!\w)(?! (?!is\b|wins\b|or\b|and\b)[a-z])|\b(?i:(tie))\b")
TIE = 0.5


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


def _told(answer: str) -> str:
    """The answer behind its thoughts; nothing where it never came to one."""
    try:
        return without_thoughts(answer).strip()
    except UnfinishedThought:
        return ""

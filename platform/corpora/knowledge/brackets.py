"""Full forms in square brackets, as MedLane's annotators wrote them (Luo et al. 2022, section 3.2).

Two ways are read: `pt[patient]`, the full form right behind its abbreviation, as in the published files, and
`[shortness of breath]` alone, as the paper prints it. Brackets of a de-identification (`[**Name**]`) are text.
"""

import re

FORM = re.compile(r"\[(?!\*\*)\s*([^\s\[\]][^\[\]]*)\]")
JOINED = re.compile(r"(?!e?s\b)[^\W_]")  # 'bp[blood pressure]181/74'; the plural of 'mi[heart attack]s' is none
NO_WORD = re.compile(r"[\W_]*")


def bracketed(text: str) -> tuple[str, list[str]]:
    """The text as it reads without brackets, and its full forms in order.

    A full form takes the place of its abbreviation, as in the references that MedLane's authors scored against:
    'pt[patient] was given asa[aspirin].' is 'patient was given aspirin.' and ['patient', 'aspirin']. The abbreviation
    stands right before the bracket, up to white space, without the punctuation that it begins with. A word that follows
    without a space gets one.
    """
    return _with_forms(text, "{}")


def without_abbreviations(text: str) -> str:
    """The text with its full forms in brackets, where each takes its abbreviation's place:
    'pt[patient] was given asa[aspirin].' is '[patient] was given [aspirin].'"""
    return _with_forms(text, "[{}]")[0]


def _with_forms(text: str, written: str) -> tuple[str, list[str]]:
    """The text with each full form as it is to be written, and the full forms."""
    first, *pieces = FORM.split(text)
    forms = [form.strip() for form in pieces[::2]]
    texts = [first, *(" " + after if JOINED.match(after) else after for after in pieces[1::2])]
    parts = (_without_abbreviation(before) + written.format(form) for before, form in zip(texts, forms, strict=False))
    return "".join(parts) + texts[-1], forms


def _without_abbreviation(before: str) -> str:
    """The text before a bracket without the word on which it ends."""
    word = before.split()[-1] if before and not before[-1].isspace() else ""
    kept = NO_WORD.match(word)
    return before[: len(before) - len(word)] + (kept[0] if kept else "")

"""Formal to informal: a similar set of rules the other way (GYAFC section 4.1).

People are informal unevenly, so each rule has its own chance at each place. The seed and the text throw the dice, so
that equal texts come out equal.
"""

import re
from collections.abc import Callable

import numpy as np

from foundation.seeds import generator
from modelserving.formality_rules import word_lists
from modelserving.formality_rules.word_lists import HOLDER, attach, is_set_apart, put_aside, put_back, set_apart

# Several contractions may stand for the same words; the first of the file wins.
CONTRACTIONS = {words.lower(): short for short, words in reversed(list(word_lists.pairs("contractions.tsv").items()))}
SLANG = word_lists.pairs("informal.tsv")
CONTRACTED = word_lists.pattern(key for key in CONTRACTIONS if key not in ("because", "madam", "all of you", "is not"))
SLANGED = word_lists.pattern(SLANG)
ENDINGS = ("", "", "...", "!!")
QUESTION_ENDINGS = ("?", "??", "")


def informal(text: str, seed: int, strength: float) -> str:
    """The text with each rule applied where its dice say so; `strength` from 0 (never) to 1 (wherever it fits)."""
    habit = is_set_apart(text)
    masked, kept = put_aside(attach(text))
    dice = generator(seed, "informal", text)
    for rule in RULES:
        masked = rule(masked, dice, strength)
    result = put_back(masked, kept)
    if not any(char.isalnum() for char in result):
        return text
    return set_apart(result, like=text) if habit else result


def contracted(text: str, dice: np.random.Generator, strength: float) -> str:
    """'do not' becomes 'don't', but not before what closes a sentence ('yes, I am.')."""

    def short(found: re.Match[str]) -> str:
        closes = not re.match(r"\s+[\w(\"']", found.string[found.end() :])
        result = CONTRACTIONS[word_lists.looked_up(found.group())]
        if (closes and not result.endswith("n't")) or dice.random() >= strength:
            return found.group()
        return result[0].upper() + result[1:] if found.group()[0].isupper() else result

    return CONTRACTED.sub(short, text)


def slanged(text: str, dice: np.random.Generator, strength: float) -> str:
    """Words as they are typed in a chat; half as often as the rest, or little could be read."""

    def typed(found: re.Match[str]) -> str:
        return SLANG[word_lists.looked_up(found.group())] if dice.random() < strength / 2 else found.group()

    return SLANGED.sub(typed, text)


def bare(text: str, dice: np.random.Generator, strength: float) -> str:
    """No apostrophes, in all of the text or in none of it."""
    return re.sub(r"(?<=[^\W\d_])['’](?=t\b)", "", text) if dice.random() < strength / 2 else text


def lowered(text: str, dice: np.random.Generator, strength: float) -> str:
    """No capitals, in all of the text or in none of it."""
    return text.lower() if dice.random() < strength else text


def no_commas(text: str, dice: np.random.Generator, strength: float) -> str:
    return re.sub(r",(?=\s)", lambda found: "" if dice.random() < strength else found.group(), text)


def loose_end(text: str, dice: np.random.Generator, strength: float) -> str:
    """The last full stop dropped or doubled; after an address it stays."""
    found = re.search(rf"(?<=[^\s.?!{HOLDER}])([.?])$", text)
    if not found or dice.random() >= strength:
        return text
    endings = ENDINGS if found.group(1) == "." else QUESTION_ENDINGS
    return text[: found.start()] + endings[int(dice.integers(len(endings)))]


RULES: tuple[Callable[[str, np.random.Generator, float], str], ...] = (
    contracted,
    slanged,
    bare,
    lowered,
    no_commas,
    loose_end,
)

"""The names that a criterion can have, the same at every way in: forms, the API, study files, tables of judgements."""

import unicodedata

from foundation.translation import translatable

LONGEST = 60
REFUSED = translatable("A criterion's name is letters, digits and _, at most 60 of them.")


def is_criterion_name(name: str) -> bool:
    """Whether campaigns, human studies, tables and study files can all use it: letters of any script, digits and _.

    In NFC alone: of two names that look alike a study would have two criteria.
    """
    return 0 < len(name) <= LONGEST and unicodedata.is_normalized("NFC", name) and all(map(_may_stand, name))


def as_criterion_name(given: str) -> str:
    """The name that comes nearest to some words, in NFC; "" where they have neither letter nor digit."""
    words = "".join(one if _may_stand(one) else " " for one in unicodedata.normalize("NFC", given)).split()
    return "_".join(words).strip("_")[:LONGEST]


def _may_stand(character: str) -> bool:
    # Vowel signs of Hindi and the like are marks, and belong to the letters before them.
    return character == "_" or character.isalnum() or unicodedata.category(character) in ("Mn", "Mc")

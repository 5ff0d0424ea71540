"""The full forms of terms, looked up in a dictionary of abbreviations, and the one that a rewrite has."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from corpora.knowledge import common_words
from corpora.knowledge.abbreviations import Abbreviations
from foundation.errors import UserError


@dataclass(frozen=True)
class FullForms:
    """A dictionary, and the everyday words that its abbreviations may be mistaken for."""

    known: Abbreviations
    everyday: frozenset[str]

    @classmethod
    def of(cls, forms: Mapping[str, tuple[str, ...]]) -> "FullForms":
        """Of a training's dictionary; raises as `abbreviations_of`."""
        known = abbreviations_of(forms)
        return cls(known, frozenset(short.lower() for short in known.forms) & common_words.load())

    def forms(self, word: str, most: int | None = None) -> tuple[str, ...]:
        """The full forms of a word, most usual first, at most so many; () where it has none."""
        return self.known.full_forms(word, self.everyday)[:most]


def abbreviations_of(forms: Mapping[str, tuple[str, ...]]) -> Abbreviations:
    """The dictionary with its abbreviations as they are looked up, without full stops.

    A UserError where there is none, or an entry is not one word with full forms.
    """
    if not forms:
        raise UserError("There is no dictionary to take full forms from.", where="dictionary")
    known: dict[str, tuple[str, ...]] = {}
    for short, full in forms.items():
        bare = short.replace(".", "")
        if len(bare.split()) != 1 or not full or not all(form.strip() and "|" not in form for form in full):
            raise UserError("An entry is an abbreviation of one word and its full forms.", where=f"dictionary, {short}")
        known.setdefault(bare, full)
    return Abbreviations(known)


def right_form(forms: Sequence[str], rewrite: str, bracketed: Sequence[str] = ()) -> int | None:
    """The place of the full form that a rewrite has; None where it has none of them.

    Args:
        forms: A term's full forms.
        rewrite: What stands for the term in the rewrite, without brackets.
        bracketed: The full forms in brackets of the whole rewrite.

    Returns:
        The one that somebody put in brackets goes before others that stand there, and a longer one before a shorter.
    """
    marked = {form.casefold() for form in bracketed}
    standing = [place for place, form in enumerate(forms) if _stands(form, rewrite)]
    return min(standing, key=lambda place: (forms[place].casefold() not in marked, -len(forms[place])), default=None)


def _stands(form: str, text: str) -> bool:
    """Whether it stands in the text as whole words, whatever the case."""
    return re.search(rf"(?<!\w){re.escape(form)}(?!\w)", text, re.IGNORECASE) is not None

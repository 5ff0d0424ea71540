"""Formality transfer by hand-made rules, both directions (Rao and Tetreault 2018, section 4.1).

The paper's own lists are not published; these are ours, made from its categories of edits (section 3.2).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from foundation.errors import UserError
from foundation.papers import GYAFC
from modelserving.transfer._base import Model, Transfer

VERSION = 1  # counts up with every change of a rule or a list, since outputs change with it


class RuleModel(Model):
    """The rules of one direction."""

    def __init__(self, rewrite: Callable[[str], str], signature: str) -> None:
        self._rewrite = rewrite
        self.signature = signature

    def transfer(self, texts: Sequence[str]) -> Iterator[str]:
        return map(self._rewrite, texts)


class RuleBasedFormality(Transfer):
    label = "Rule-based formality"
    paper = GYAFC
    device = "cpu"
    directions = (("informal", "formal"), ("formal", "informal"))
    defaults = {"direction": "auto", "seed": 1, "strength": 0.8}

    def check_settings(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """`direction`: "auto" (by the styles' names) or one of the two; `seed` and `strength` are to informal only."""
        for key in settings:
            if key not in self.defaults:
                raise UserError(f"There is no such setting; there are {', '.join(self.defaults)}.", where=str(key))
        complete = {**self.defaults, **settings}
        known = ["auto", *(f"{source}-{target}" for source, target in self.directions)]
        if complete["direction"] not in known:
            raise UserError(f"Expected one of {', '.join(known)}.", where="direction")
        seed, strength = complete["seed"], complete["strength"]
        if not isinstance(seed, int) or isinstance(seed, bool):
            raise UserError("Expected a whole number.", where="seed")
        if not isinstance(strength, (int, float)) or isinstance(strength, bool) or not 0 <= strength <= 1:
            raise UserError("Expected a number from 0 to 1.", where="strength")
        return complete

    def load(self, source_style: str, target_style: str, settings: Mapping[str, Any]) -> Model:
        complete = self.check_settings(settings)
        direction = complete["direction"]
        if direction == "auto":
            if not self.serves(source_style, target_style):
                raise self.refuse(source_style, target_style)
            direction = f"{source_style}-{target_style}".casefold()
        return _to_formal() if direction == "informal-formal" else _to_informal(complete["seed"], complete["strength"])


def _to_formal() -> Model:
    from modelserving.transfer._formal import formal

    return RuleModel(formal, f"rule_based_formality|informal-formal|version:{VERSION}")


def _to_informal(seed: int, strength: float) -> Model:
    from modelserving.transfer._informal import informal

    signature = f"rule_based_formality|formal-informal|version:{VERSION}|seed:{seed}|strength:{strength}"
    return RuleModel(lambda text: informal(text, seed, strength), signature)


TRANSFER = RuleBasedFormality()

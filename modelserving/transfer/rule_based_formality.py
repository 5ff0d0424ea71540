"""Formality transfer by hand-made rules, both directions (Rao and Tetreault 2018, section 4.1).

The paper's own lists are not published; these are ours, made from its categories of edits (section 3.2).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from foundation.options import option
from foundation.papers import GYAFC
from modelserving.formality_rules.preprocessing import SEED, SERVED, STRENGTH, VERSION
from modelserving.interface import Direction, Model, Transfer

AUTO = "auto"


@dataclass(frozen=True)
class Decoding:
    """How the rules are used. The strength and the seed concern the rules to informal, which apply at random."""

    direction: str = option(
        AUTO, "Direction of the rules; auto takes it from the styles' names", choices=(AUTO, *map("-".join, SERVED))
    )
    seed: int = option(SEED, "Seed of the random choices, to informal")
    strength: float = option(STRENGTH, "Probability of a rule to informal wherever it applies", low=0, high=1)


class Rules(Model):
    """The rules of both directions."""

    def transfer(self, texts: Sequence[str], direction: Direction, decoding: Decoding) -> Iterator[str]:
        if _meant(direction, decoding) == SERVED[0]:
            from modelserving.formality_rules.informal_to_formal import formal

            return map(formal, texts)
        from modelserving.formality_rules.formal_to_informal import informal

        return (informal(text, decoding.seed, decoding.strength) for text in texts)

    def signature(self, direction: Direction, decoding: Decoding) -> str:
        meant = _meant(direction, decoding)
        parts = f"rule_based_formality|{'-'.join(meant)}|version:{VERSION}"
        return parts if meant == SERVED[0] else f"{parts}|seed:{decoding.seed}|strength:{decoding.strength}"


class RuleBasedFormality(Transfer):
    label = "Rule-based formality"
    paper = GYAFC
    directions = SERVED
    Decoding = Decoding

    def load(self, folder: Path | None, device: str = "cpu") -> Model:
        return Rules()


def _meant(direction: Direction, decoding: Decoding) -> Direction:
    """The rules that are named, else those of the styles' names; a UserError where these have none."""
    if decoding.direction != AUTO:
        return next(each for each in SERVED if "-".join(each) == decoding.direction)
    source, target = direction
    if not TRANSFER.serves(source, target):
        raise TRANSFER.refuse(source, target)
    return source.casefold(), target.casefold()


TRANSFER = RuleBasedFormality()

"""Rules before a model, as all trained models of GYAFC have them (Rao and Tetreault 2018, sections 4.2 and 4.3)."""

from collections.abc import Callable

from modelserving.interface.transfer_model import Direction
from modelserving.transfer import rule_based_formality

Rewrite = Callable[[str], str]


def rules_of(direction: Direction, wanted: bool) -> Rewrite:
    """What a source goes through first: the rules where they are wanted and serve the direction, else nothing."""
    if not _used(direction, wanted):
        return str
    rules, decoding = rule_based_formality.TRANSFER.load(None), rule_based_formality.Decoding()
    return lambda text: next(iter(rules.transfer([text], direction, decoding)))


def version_of(direction: Direction, wanted: bool) -> int | str:
    """Of the rules that a source goes through, for a signature; "none" where there are none."""
    return rule_based_formality.VERSION if _used(direction, wanted) else "none"


def _used(direction: Direction, wanted: bool) -> bool:
    return wanted and rule_based_formality.TRANSFER.serves(*direction)

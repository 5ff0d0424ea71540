"""Rules before a model, as all trained models of GYAFC have them (Rao and Tetreault 2018, sections 4.2 and 4.3)."""

from collections.abc import Callable

from modelserving.interface import Direction

VERSION = 1  # counts up with every change of a rule or a list, since outputs change with it
SERVED = (("informal", "formal"), ("formal", "informal"))
SEED, STRENGTH = 1, 0.8  # of the rules to informal, unless something else is asked for

Rewrite = Callable[[str], str]


def rules_of(direction: Direction, wanted: bool) -> Rewrite:
    """The function applied to a source first: the rules where they are wanted and serve the direction, else nothing."""
    if not _used(direction, wanted):
        return str
    if _lower_case(direction) == SERVED[0]:
        from modelserving.formality_rules.informal_to_formal import formal

        return formal
    from modelserving.formality_rules.formal_to_informal import informal

    return lambda text: informal(text, SEED, STRENGTH)


def version_of(direction: Direction, wanted: bool) -> int | str:
    """The version of the rules that a source goes through, for a signature; "none" where there are none."""
    return VERSION if _used(direction, wanted) else "none"


def _used(direction: Direction, wanted: bool) -> bool:
    return wanted and _lower_case(direction) in SERVED


def _lower_case(direction: Direction) -> Direction:
    source, target = direction
    return source.casefold(), target.casefold()

"""Units shared out to train, tune and test: by a seed, whole units, in the proportions that are asked for."""

from collections.abc import Iterable, Mapping, Sequence

from foundation.errors import UserError
from foundation.seeds import generator

SPLITS = ("train", "tune", "test")
RULES = ("random", "document", "question")


def validate_proportions(given: Mapping[str, float]) -> dict[str, float]:
    """The proportions in per cent, by split; a UserError unless they are 0 or more and 100 together."""
    strange = [name for name in given if name not in SPLITS]
    if strange:
        raise UserError("'{strange}' is no split; it is train, tune or test.", strange=strange[0], where="proportions")
    whole = {name: float(given.get(name, 0)) for name in SPLITS}
    if any(not 0 <= value <= 100 for value in whole.values()) or abs(sum(whole.values()) - 100) > 1e-6:
        raise UserError("The three proportions are 0 or more and together 100.", where="proportions")
    return whole


def random_split(units: Sequence[int], proportions: Mapping[str, float], *path: object, seed: int) -> dict[int, str]:
    """The split of each unit. Their order is drawn by `seed` and `path`; the counts are those nearest to the
    proportions (largest remainder)."""
    order = generator(seed, "splits", *path).permutation(len(units))
    counts = _counts(len(units), proportions)
    names = [name for name in SPLITS for _ in range(counts[name])]
    return {units[place]: name for place, name in zip(order, names, strict=True)}


def _counts(total: int, proportions: Mapping[str, float]) -> dict[str, int]:
    exact = {name: total * proportions[name] / 100 for name in SPLITS}
    counts = {name: int(exact[name] + 1e-9) for name in SPLITS}
    by_remainder = sorted(SPLITS, key=lambda name: counts[name] - exact[name])
    for name in by_remainder[: total - sum(counts.values())]:
        counts[name] += 1
    return counts


def connected_components(members: Iterable[int], ties: Iterable[tuple[int, int]]) -> dict[int, int]:
    """For each member the least one of those that it is tied to, over any number of ties."""
    head = {member: member for member in members}

    def root(one: int) -> int:
        while head[one] != one:
            head[one] = one = head[head[one]]
        return one

    for one, other in ties:
        low, high = sorted((root(one), root(other)))
        head[high] = low
    return {one: root(one) for one in head}

"""The parts of a human study that a criterion is compared in: all sentences, or those of each direction."""

from collections import defaultdict
from collections.abc import Collection

from annotation.scales import SCALES
from corpora.models import Sentence
from evaluation.models import HumanStudy
from foundation.polarity import better_end


def parts_compared(
    human_study: HumanStudy, criterion: str, sentence_ids: Collection[int]
) -> list[tuple[str, frozenset[int] | None]]:
    """All of these sentences together; those of each direction where the criterion has another good end in it.

    Args:
        human_study: The study.
        criterion: The name of one of its criteria, or of a kind of work without a scale, such as "rank".
        sentence_ids: The primary keys of the sentences that are judged.

    Returns:
        Pairs of the direction, "informal to formal", and its sentences; one of "" and None where all are one part.
    """
    scale = next((entry["scale"] for entry in human_study.criteria if entry["name"] == criterion), "")
    poles = SCALES[scale].poles if scale else None
    if poles is None:
        return [("", None)]
    fields = ("pk", "direction__source_style", "direction__target_style")
    by_direction: dict[tuple[str, str], set[int]] = defaultdict(set)
    for pk, source, target in Sentence.objects.filter(pk__in=sentence_ids).values_list(*fields):
        by_direction[source, target].add(pk)
    ends = {better_end(poles, target, human_study.study.poles) for _, target in by_direction}
    if len(ends) < 2:
        return [("", None)]
    return [(" to ".join(of), frozenset(inside)) for of, inside in by_direction.items()]

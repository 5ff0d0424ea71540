"""How the numbers of a table were computed: the signatures of its metrics, which say whose program they agree with."""

from collections.abc import Iterable

from evaluation.comparability.better_ends import measured
from evaluation.metrics import METRICS
from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.aspects import metric_label


def signature_notes(snapshot: StudySnapshot, names: Iterable[str]) -> list[str]:
    """A note for each metric whose settings can follow another program (`like`), with each signature that it has."""
    notes = []
    for name in names:
        if "like" in METRICS[measured(snapshot, name).name].defaults:
            scored = [of.signature for of in snapshot.scores.get(name, ()) if of is not None and of.signature]
            notes += [f"{metric_label(snapshot, name)}: {signature}" for signature in dict.fromkeys(scored)]
    return notes

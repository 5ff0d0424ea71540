"""What of a study a table is about: its criteria and metrics by aspect, and its units by direction and domain."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from evaluation.comparing.measures import has_metric, label_of_metric, measured, metric_named, of_metric
from evaluation.metrics import METRICS
from evaluation.tables._base import RANK, Lacking
from evaluation.tables._record import Judged, Record
from evaluation.tables._sums import Mask

BESIDE = "No row holds the {0}: open a human study in which the {0} is judged beside the systems."
STANDS: Mapping[str, Sequence[str]] = {
    "style": ("formality", "style_accuracy", "transfer_strength"),
    "fluency": ("grammaticality", "perplexity_lm", "perplexity_ngram"),
    "meaning": ("semantic_similarity", "content_preservation", "hit"),
    "simplicity": ("sari", "readability", "fkgl"),
}
"""The metrics that stand for an aspect, the most fitting first; after them any other that says it is of this aspect."""


@dataclass(frozen=True)
class Part:
    """Units that a table shows by themselves; `where` is None where they are all of the study's.

    `asks` is what the page of rows is asked for beside a system and a metric or criterion."""

    label: str
    where: Mask | None = None
    asks: Mapping[str, str] = field(default_factory=dict)

    @property
    def direction(self) -> int | None:
        """The place of the direction that it is of; None where it is not one of several."""
        return int(self.asks["direction"]) if "direction" in self.asks else None


def criterion_of(record: Record, aspect: str, *scales: str, direction: int | None = None) -> Judged | None:
    """The criterion that stands for an aspect: the first on one of these scales, else the first of all; no ranks.

    What stands for each direction by itself is found with its `direction`.
    """
    here = [one for one in criteria_of(record, aspect, *scales) if one.direction in (None, direction)]
    return next(iter(here), None)


def criteria_of(record: Record, aspect: str, *scales: str) -> list[Judged]:
    """The criterion of an aspect, once for each direction where it stands for each by itself."""
    here = [one for one in record.judgements[record.variant].values() if one.aspect == aspect and one.name != RANK]
    fitting = [one for scale in scales for one in here if one.scale == scale]
    first = next(iter([*fitting, *here]), None)
    return [] if first is None else [one for one in here if one.own_name == first.own_name]


def ranks_of(record: Record) -> Judged | None:
    """The places that people gave the systems among one another."""
    return record.judgements[record.variant].get(RANK)


def metric_of(record: Record, *names: str, direction: int | None = None) -> str | None:
    """The key of the first of these metrics that was chosen; of one that stands by direction, that of `direction`."""
    found = (of_metric(record, name, direction) for name in names if has_metric(record, name))
    return next((one for one in found if one), None)


def metric_for(record: Record, aspect: str, direction: int | None = None) -> str | None:
    """The chosen metric that stands for an aspect."""
    others = [measured(record, key).name for key in record.scores if metric_named(key).aspect == aspect]
    return metric_of(record, *STANDS.get(aspect, ()), *others, direction=direction)


def has_metric_for(record: Record, aspect: str) -> bool:
    """Whether some chosen metric stands for an aspect, in whatever direction."""
    stands = STANDS.get(aspect, ())
    return any(measured(record, key).name in stands or metric_named(key).aspect == aspect for key in record.scores)


def plain_label(judged: Judged) -> str:
    """A criterion's label without the direction, which stands beside it."""
    return judged.label if judged.direction is None else judged.label.partition(" (")[0]


def plain_metric_label(record: Record, key: str) -> str:
    """A metric's label without the direction, which stands beside it."""
    label = METRICS[measured(record, key).name].label
    judged = {plain_label(one).lower() for one in record.judgements[record.variant].values()}
    return f"{label}, metric" if label.lower() in judged else label


def metric_label(record: Record, name: str) -> str:
    """A metric's label beside criteria: it says that it is a metric's where one of them has the same (Formality)."""
    label = label_of_metric(name)
    judged = {one.label.lower() for one in record.judgements[record.variant].values()}
    return f"{label}, metric" if label.lower() in judged else label


def places_of(record: Record, *roles: str) -> list[int]:
    """The places of the systems of these roles, role by role: "source", "reference", "system"."""
    return [place for role in roles for place, row in enumerate(record.systems) if row.role == role]


def direction_name(record: Record, place: int) -> str:
    """'informal to formal'."""
    return " to ".join(record.units.directions[place])


def directions(record: Record) -> list[Part]:
    """The study's directions that hold units; one alone is the whole study."""
    held = np.unique(record.units.direction)
    if len(held) < 2:
        return [Part(direction_name(record, int(place))) for place in held]
    return [
        Part(direction_name(record, int(place)), record.units.direction == place, {"direction": str(place)})
        for place in held
    ]


def domains(record: Record, within: Part) -> list[Part]:
    """The domains of a part's units, in the order in which they come; none where no unit has one."""
    inside = np.ones(len(record.units.ids), dtype=bool) if within.where is None else within.where
    names = np.array(record.units.domains, dtype=object)
    found = [name for name in dict.fromkeys(names[inside].tolist()) if name]
    return [Part(name, inside & (names == name), {**within.asks, "domain": name}) for name in found]


def parts_of(record: Record) -> list[Part]:
    """Each direction, and after it its domains where it has several, as the papers' tables have them.

    A label says no more than tells the parts apart: 'Music', or 'informal to formal, Music' where there are directions.
    """
    found = []
    for direction in directions(record):
        inside = domains(record, direction)
        many = direction.where is not None
        names = [f"{direction.label}, {one.label}" if many else one.label for one in inside]
        whole = names[0] if len(inside) == 1 else f"{direction.label}, all domains" if many else "All domains"
        found.append(replace(direction, label=whole) if inside else direction)
        found += [replace(one, label=name) for one, name in zip(inside, names, strict=True) if len(inside) > 1]
    return found


def lacking(title: str, *reasons: str) -> Lacking:
    """In a table's place: a sentence for each thing that the study lacks, empty ones left out."""
    return Lacking(title, [reason for reason in reasons if reason])


def no_criterion(aspect: str, example: str) -> str:
    """A sentence that people have not judged this aspect, with the scale that the paper had."""
    return f"People have not judged {aspect}: open a human study with a criterion of it, such as one on {example}."


def no_metric(*names: str) -> str:
    """A sentence that none of these metrics is chosen."""
    return f"Choose {_labels(names)} on the page Choose metrics."


def no_metric_of(aspect: str) -> str:
    """A sentence that no metric of this aspect is chosen."""
    return f"No metric of {aspect} is chosen: choose one on the page Choose metrics, such as {_labels(STANDS[aspect])}."


def _labels(names: Sequence[str]) -> str:
    """'Formality, Style acc. or Transfer strength'."""
    *first, last = (METRICS[name].label if name in METRICS else name for name in names)
    return f"{', '.join(first)} or {last}" if first else last

"""What of a study can rewrite a text: models that need no training, and its checkpoints."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from corpora.models import Direction, Study
from modelserving.models import Checkpoint
from modelserving.ready_models.directions import serves
from modelserving.transfer import TRANSFERS, Transfer

BEFORE = "checkpoint-"


@dataclass(frozen=True)
class Candidate:
    """A model that is ready. Its `key` stands in forms and addresses: a kind's name, or 'checkpoint-12'."""

    model: str
    checkpoint: Checkpoint | None = None

    @property
    def kind(self) -> Transfer:
        return TRANSFERS[self.model]

    @property
    def key(self) -> str:
        return f"{BEFORE}{self.checkpoint.pk}" if self.checkpoint else self.model

    @property
    def label(self) -> str:
        return f"{self.checkpoint.name} · {_(self.kind.label)}" if self.checkpoint else _(self.kind.label)

    @property
    def name(self) -> str:
        """What its system or answer is headed with."""
        return self.checkpoint.name if self.checkpoint else _(self.kind.label)

    def serves(self, direction: Direction) -> bool:
        return serves(self.kind, self.checkpoint, direction)


def untrained() -> list[Candidate]:
    """The models that need no training, and whatever else this machine lacks."""
    return [
        Candidate(name) for name, kind in TRANSFERS.items() if kind.needs == "nothing" and not kind.why_unavailable()
    ]


def candidates_of(study: Study) -> list[Candidate]:
    """The study's checkpoints, newest first, then what needs no training. The state a training goes on from is none."""
    return [*_checkpoints(study), *untrained()]


def serving(study: Study) -> list[Candidate]:
    """Those of them that go in a direction of the study: the others could only be refused."""
    directions = list(study.directions.all())
    return [one for one in candidates_of(study) if not directions or any(map(one.serves, directions))]


def _checkpoints(study: Study) -> Iterator[Candidate]:
    known = set(TRANSFERS.names())
    for checkpoint in study.checkpoints.exclude(kind=Checkpoint.Kind.LAST):
        if checkpoint.model in known:
            yield Candidate(checkpoint.model, checkpoint)

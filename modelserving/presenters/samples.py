"""What a training made of a few tune sources, look by look, with the words that it changed."""

from collections.abc import Iterator
from dataclasses import dataclass

from foundation.word_diff import Piece
from modelserving.models import TrainingRun
from modelserving.presenters.changes import marked_changes


@dataclass(frozen=True)
class Output:
    """What was made of a source at a step: what it changed of the source, or since the look before."""

    step: int
    text: str
    pieces: list[Piece]


@dataclass(frozen=True)
class SampleHistory:
    """A tune source with its outputs, the newest first; those before are shown as changes of one another."""

    source: str
    reference: str
    now: Output
    before: list[Output]


def sample_histories(run: TrainingRun) -> list[SampleHistory]:
    """The sources of the newest look."""
    looks = run.samples
    if not looks:
        return []
    return [_shown(looks, row) for row in looks[-1]["rows"]]


def _shown(looks: list[dict], row: dict) -> SampleHistory:
    outputs = list(_outputs(looks, row["source"]))
    step, text = outputs[-1]
    earlier = [
        Output(at, said, marked_changes(before, said))
        for (_, before), (at, said) in zip([(0, ""), *outputs], outputs, strict=False)
        if said != before
    ]
    return SampleHistory(
        row["source"], row["reference"], Output(step, text, marked_changes(row["source"], text)), earlier[::-1]
    )


def _outputs(looks: list[dict], source: str) -> Iterator[tuple[int, str]]:
    for look in looks:
        for row in look["rows"]:
            if row["source"] == source:
                yield look["step"], row["output"]
                break

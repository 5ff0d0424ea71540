"""The prompt that a training's model would send for a train source, shown before anything is sent or paid."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from corpora.models import Direction, Sentence, Study
from corpora.texts.streamed_units import stream_units
from foundation.errors import UserError
from modelserving.interface import PromptRequest
from modelserving.training_runs.dataset_snapshot import UsableTexts
from modelserving.training_runs.requirements import check_needs
from modelserving.transfer import Transfer

TRAIN = Sentence.Split.TRAIN


@dataclass(frozen=True)
class PromptPreview:
    """The prompt's messages ({"role", "content"}) for `source`, and the number of their characters."""

    source: str
    messages: list[dict[str, str]]

    @property
    def characters(self) -> int:
        return sum(len(message["content"]) for message in self.messages)


def preview_prompt(
    kind: Transfer, study: Study, direction: Direction | None, options: Mapping[str, Any], seed: int
) -> PromptPreview:
    """The prompt for the first source of the train split. A UserError says what the study or the options lack."""
    if not kind.prompts:
        raise UserError("{label} has no prompt.", label=kind.label, where="model")
    kind.check_options(options)
    found, styles = check_needs(kind, study, direction, options)
    assert found is not None
    source = next((unit.source for unit in stream_units(study, [found], TRAIN, references=False)), None)
    if source is None:
        raise UserError("No source is in the train split; share the sources out among the splits.", where="direction")
    text = " ".join(source.splitlines())
    return PromptPreview(text, kind.preview_prompt(PromptRequest(text, styles, _pairs(study, found), options, seed)))


def _pairs(study: Study, direction: Direction) -> Iterator[tuple[str, str]]:
    """The pairs, as in a training's snapshot."""
    for pair in UsableTexts(study, Counter()).pairs(direction, TRAIN):
        yield " ".join(pair.source.splitlines()), " ".join(pair.target.splitlines())

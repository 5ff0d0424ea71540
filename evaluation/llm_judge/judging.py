"""The work of a judge: what it is asked of each output, and the scores that its answers make."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice
from typing import Any

import numpy as np

from annotation.rating_scales import Scale
from annotation.scales import SCALES
from evaluation.llm_judge.fields import JudgeFields
from evaluation.llm_judge.prompts import PAIRS, in_words
from evaluation.llm_judge.reading import choice_in, value_in
from evaluation.scoring import OutputSet
from evaluation.snapshot_builder.texts import StudyTexts
from foundation.polarity import better_end
from foundation.seeds import generator
from foundation.text_keys import text_key
from modelserving.prompting.template import Messages
from modelserving.run_context import Answer

Cell = tuple[str, int]
"""An output by the name of its set and the place of its unit."""


@dataclass(frozen=True)
class Question:
    """A question about one output, or about two, the first of which stands first."""

    cells: tuple[Cell, ...]
    messages: Messages


@dataclass
class Judged:
    """The answers of a judge. `values` holds the mean answer to each question by its cells; `unread` counts the answers
    that say nothing, `asked` all of them."""

    values: dict[tuple[Cell, ...], float] = field(default_factory=dict)
    unread: int = 0
    asked: int = 0

    def scores(self) -> dict[Cell, float]:
        """By output: its value, or the mean of its share of wins over all pairs and both orders."""
        found: defaultdict[Cell, list[float]] = defaultdict(list)
        for cells, value in self.values.items():
            found[cells[0]].append(value)
            if len(cells) == 2:
                found[cells[1]].append(1 - value)
        return {cell: float(np.mean(values)) for cell, values in found.items()}


class JudgeWork:
    """The questions about a study's outputs. Equal outputs of a source are asked about once and count for each."""

    def __init__(
        self, texts: StudyTexts, fields: JudgeFields, criterion: str, scale: str, poles: Mapping[str, str]
    ) -> None:
        self.texts, self.fields, self.criterion, self.scale = texts, fields, criterion, SCALES[scale]
        units = texts.units
        self.ends = [
            better_end(self.scale.poles, units.directions[place][1], poles) if self.scale.poles else True
            for place in units.direction
        ]
        """Whether the scale's high end is the better one for each unit; None where neither is known to be."""

    @property
    def higher_is_better(self) -> bool | None:
        return None if None in self.ends and self.fields.way != PAIRS else True

    def places(self, most: int, sets: Sequence[OutputSet]) -> list[int]:
        """The units that are judged, in their order: all that have an output, or `most` of them, drawn by the seed."""
        references = self.texts.units.references
        there = [
            place for place in range(len(self.texts.units.sources))
            if any((one.outputs[place] or "").strip() for one in sets)
            and (references[place] or not self.fields.prompt.asks_reference)
        ]  # fmt: skip
        if most and most < len(there):
            drawn = generator(self.fields.seed, "judged sources").choice(len(there), most, replace=False)
            there = [there[number] for number in sorted(drawn)]
        return there

    def questions(self, sets: Sequence[OutputSet], places: Sequence[int]) -> Iterator[Question]:
        """All questions about the outputs of these sets at these places; an empty output is not asked about."""
        for place in places:
            by_text: dict[str, tuple[Cell, str]] = {}
            for one in sets:
                if text := (one.outputs[place] or "").strip():
                    by_text.setdefault(text_key(text), ((one.name, place), text))
            if self.fields.way != PAIRS:
                for cell, text in by_text.values():
                    yield Question((cell,), self._messages(place, output=text))
                continue
            for (cell, text), (other, second) in combinations(by_text.values(), 2):
                yield Question((cell, other), self._messages(place, first=text, second=second))
                yield Question((other, cell), self._messages(place, first=second, second=text))

    def _messages(self, place: int, **judged: str) -> Messages:
        units = self.texts.units
        source_style, target_style = units.directions[units.direction[place]]
        references = units.references[place]
        return self.fields.prompt.messages({
            "source_style": source_style, "target_style": target_style, "source": units.sources[place],
            "reference": references[0] if references else "", "criterion": self.criterion,
            "scale": in_words(self.scale), **judged,
        })  # fmt: skip

    def read(self, questions: Sequence[Question], answers: Iterator[Any], into: Judged) -> None:
        """Take `samples` answers for each question; one whose answers all say nothing has no value."""
        for question in questions:
            values = []
            for answer in islice(answers, self.fields.samples):
                into.asked += 1
                value = self._value(answer, question) if isinstance(answer, Answer) else None
                if value is None:
                    into.unread += 1
                else:
                    values.append(value)
            if values:
                into.values[question.cells] = float(np.mean(values))

    def _value(self, answer: Answer, question: Question) -> float | None:
        if self.fields.way == PAIRS:
            return choice_in(answer.text)
        value = value_in(answer.text, self.scale)
        return None if value is None else self.towards(float(value), question.cells[0][1])

    def towards(self, value: float, place: int) -> float:
        """A value on the scale of a unit so that more is better, where the scale's low end is the better one there."""
        return float(turned(value, self.scale)) if self.ends[place] is False else value

    def with_equals(self, scores: Mapping[Cell, float], sets: Sequence[OutputSet]) -> dict[Cell, float]:
        """The scores, and those of outputs that equal a judged one of the same unit."""
        by_text: dict[tuple[int, str], float] = {}
        names = {one.name: one for one in sets}
        for (name, place), score in scores.items():
            by_text[place, text_key(names[name].outputs[place] or "")] = score
        found = dict(scores)
        for one in sets:
            for place, text in enumerate(one.outputs):
                if text and (place, text_key(text)) in by_text:
                    found.setdefault((one.name, place), by_text[place, text_key(text)])
        return found


def turned(value: float, scale: Scale) -> float:
    """The value as far from the low end as it was from the high one."""
    return scale.lowest + scale.highest - value

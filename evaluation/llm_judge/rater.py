"""A language model at an item of a campaign: the questions that it is asked, and its answers as a person gives them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, permutations
from typing import Any

import numpy as np

from annotation.scales import SCALES
from annotation.task_types.rank import CRITERION as RANK
from evaluation.llm_judge.fields import PAIRS, SCALE, MachineFields
from evaluation.llm_judge.prompts import in_words
from evaluation.llm_judge.reading import choice_in, value_in
from modelserving.prompting.template import Messages
from modelserving.run_context import Answer

WAYS = {"rate": SCALE, "rank": PAIRS}
"""How a machine judges, by the kind of work that it can do."""


@dataclass(frozen=True)
class Asked:
    """A question about the candidates of an item: one of them on a criterion, or two, the first of which stands
    first."""

    item: int
    criterion: str
    candidates: tuple[int, ...]
    messages: Messages


@dataclass(frozen=True)
class ItemAtHand:
    """An item with the styles that its sentence goes between ("" where there is no sentence)."""

    pk: int
    content: Mapping[str, Any]
    source_style: str = ""
    target_style: str = ""


class MachineWork:
    """The work of a machine in a campaign of one kind."""

    def __init__(self, fields: MachineFields, task_type: str, settings: Mapping[str, Any]) -> None:
        self.fields, self.way, self.settings = fields, WAYS[task_type], settings
        self.prompt = fields.prompt_of(self.way)
        self.prompt.check()
        self.scales = {one["name"]: SCALES[one["scale"]] for one in settings.get("criteria", [])}

    def questions(self, item: ItemAtHand) -> Iterator[Asked]:
        """Each text on each criterion of the item, or each pair of texts in both orders."""
        texts = item.content["candidates"]
        if self.way == PAIRS:
            for one, other in permutations(range(len(texts)), 2):
                values = {"criterion": self.settings["question"], "first": texts[one], "second": texts[other]}
                yield Asked(item.pk, RANK, (one, other), self._messages(item, values))
            return
        named = item.content.get("criteria")
        for criterion in self.settings["criteria"]:
            if named is not None and criterion["name"] not in named:
                continue
            said = ": ".join(filter(None, [criterion["label"], criterion["help"]]))
            for place, text in enumerate(texts):
                values = {"criterion": said, "scale": in_words(self.scales[criterion["name"]]), "output": text}
                yield Asked(item.pk, criterion["name"], (place,), self._messages(item, values))

    def _messages(self, item: ItemAtHand, values: Mapping[str, str]) -> Messages:
        references = item.content.get("references") or [""]
        return self.prompt.messages({
            "source_style": item.source_style, "target_style": item.target_style, "scale": "",
            "source": item.content["source"], "reference": references[0], **values,
        })  # fmt: skip

    def read(self, questions: Sequence[Asked], answers: Iterator[Any]) -> list[float | None]:
        """The value of each question by its `samples` answers; None where all say nothing.

        It is their mean: of a rating the value of the scale that is nearest to it, the lower one of two; of a scale
        without an order the value that was given most often.
        """
        return [self._together(question, islice(answers, self.fields.samples)) for question in questions]

    def _together(self, question: Asked, answers: Iterator[Any]) -> float | None:
        texts = [answer.text for answer in answers if isinstance(answer, Answer)]
        if self.way == PAIRS:
            chosen = [value for text in texts if (value := choice_in(text)) is not None]
            return float(np.mean(chosen)) if chosen else None
        scale = self.scales[question.criterion]
        said = [value for text in texts if (value := value_in(text, scale)) is not None]
        if not said:
            return None
        if not scale.is_ordered:
            return max(sorted(set(said)), key=said.count)
        mean = float(np.mean(said))
        return float(min(scale.values, key=lambda value: (abs(value - mean), value)))

    def answer(self, item: ItemAtHand, values: Mapping[tuple[str, tuple[int, ...]], float]) -> dict[str, Any] | None:
        """The answer to the item in the order of its candidates, as its kind of work takes it; None where it lacks
        something. `values` are those that were read, by criterion and candidates."""
        count = len(item.content["candidates"])
        if self.way == PAIRS:
            return self._ranks(count, values)
        rows: list[dict[str, Any]] = [{} for _ in range(count)]
        for (criterion, (place,)), value in values.items():
            rows[place][criterion] = int(value) if value == int(value) else value
        asked = [one for one in self.settings["criteria"] if one["name"] in item.content.get("criteria", self.scales)]
        lacks = any(not one["optional"] and one["name"] not in row for one in asked for row in rows)
        return None if lacks else {"ratings": rows}

    @staticmethod
    def _ranks(count: int, values: Mapping[tuple[str, tuple[int, ...]], float]) -> dict[str, Any] | None:
        """Ranks by the share of wins over all pairs and both orders; those with the same share tie (1, 1, 3)."""
        wins: list[list[float]] = [[] for _ in range(count)]
        for (_, (one, other)), value in values.items():
            wins[one].append(value)
            wins[other].append(1 - value)
        if not all(wins):
            return None
        shares = [round(float(np.mean(of)), 9) for of in wins]
        return {"ranks": [1 + sum(other > share for other in shares) for share in shares]}

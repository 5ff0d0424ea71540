"""A language model at an item of a campaign: the questions that it is asked, and its answers as a person gives them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, permutations
from typing import Any, ClassVar

import numpy as np

from annotation.rating_scales import Scale
from annotation.scales import SCALES
from annotation.task_types.best_worst import CRITERION as BEST_WORST
from annotation.task_types.rank import CRITERION as RANK
from evaluation.llm_judge.fields import MachineFields
from evaluation.llm_judge.prompts import EDGE, ENDS, PAIRS, SCALE, edge_of, in_words
from evaluation.llm_judge.reading import choice_in, ends_in, value_in
from foundation.seeds import generator
from modelserving.prompting.template import Messages
from modelserving.run_context import Answer

Given = Mapping[tuple[str, tuple[int, ...]], Any]
"""What was read for an item, by criterion and candidates."""


@dataclass(frozen=True)
class ItemAtHand:
    """An item with the styles that its sentence goes between ("" where there is no sentence)."""

    pk: int
    number: int
    content: Mapping[str, Any]
    source_style: str = ""
    target_style: str = ""


@dataclass(frozen=True)
class Asked:
    """A question about the candidates of an item, in the order in which they stand there."""

    item: ItemAtHand
    criterion: str
    candidates: tuple[int, ...]
    messages: Messages


class MachineWork(ABC):
    """The work of a machine in a campaign of one kind, by the guideline that it began with.

    `tokens` are the most of an answer that are usual; `say` adds a sentence to the log of its job.
    """

    way: ClassVar[str]
    tokens: ClassVar[int] = 64

    def __init__(self, fields: MachineFields, settings: Mapping[str, Any], guideline: str = "") -> None:
        self.fields, self.settings = fields, settings
        self.prompt = fields.prompt_of(self.way, guideline)
        self.prompt.check()
        self.say: Callable[[str], None] = lambda line: None

    @property
    def response(self) -> Mapping[str, Any] | None:
        """The form of the answers for an endpoint that can keep to one, as `response_format`; None for a free one."""
        return None

    @property
    def warning(self) -> str:
        """A sentence about what was left out of its answers; "" for nothing."""
        return ""

    @abstractmethod
    def questions(self, item: ItemAtHand) -> Iterator[Asked]:
        """All that is asked about an item; equal items give equal questions."""

    @abstractmethod
    def value(self, question: Asked, answers: Sequence[Answer]) -> Any:
        """The value of a question by all answers to it; None where none of them says anything."""

    @abstractmethod
    def answer(self, item: ItemAtHand, given: Given) -> dict[str, Any] | None:
        """The answer to the item in the order of its candidates, as its kind of work takes it; None where it lacks
        something."""

    def messages(self, item: ItemAtHand, values: Mapping[str, str]) -> Messages:
        references = item.content.get("references") or [""]
        texts = [item.content["source"], *item.content["candidates"]]
        return self.prompt.messages({
            "source_style": item.source_style, "target_style": item.target_style, "scale": "", "criterion": "",
            "source": item.content["source"], "reference": references[0], EDGE: edge_of(texts), **values,
        })  # fmt: skip

    def read(self, questions: Sequence[Asked], answers: Iterator[Any]) -> list[Any]:
        """The value of each question by its `samples` answers."""
        drawn = (list(islice(answers, self.fields.samples)) for _ in questions)
        return [
            self.value(question, [answer for answer in some if isinstance(answer, Answer)])
            for question, some in zip(questions, drawn, strict=True)
        ]


class Rating(MachineWork):
    """Each text is asked about alone, on each criterion."""

    way = SCALE

    def questions(self, item: ItemAtHand) -> Iterator[Asked]:
        for criterion in asked_of(item, self.settings):
            said = ": ".join(filter(None, [criterion["label"], criterion["help"]]))
            for place, text in enumerate(item.content["candidates"]):
                values = {"criterion": said, "scale": in_words(SCALES[criterion["scale"]]), "output": text}
                yield Asked(item, criterion["name"], (place,), self.messages(item, values))

    def value(self, question: Asked, answers: Sequence[Answer]) -> float | None:
        scale = _scales(self.settings)[question.criterion]
        return together([value for answer in answers if (value := value_in(answer.text, scale)) is not None], scale)

    def answer(self, item: ItemAtHand, given: Given) -> dict[str, Any] | None:
        rows: list[dict[str, Any]] = [{} for _ in item.content["candidates"]]
        for (criterion, (place,)), value in given.items():
            rows[place][criterion] = whole(value)
        return None if lacks(rows, asked_of(item, self.settings)) else {"ratings": rows}


def _scales(settings: Mapping[str, Any]) -> dict[str, Scale]:
    return {one["name"]: SCALES[one["scale"]] for one in settings.get("criteria", [])}


def asked_of(item: ItemAtHand, settings: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The criteria of an item: all, or those that it names."""
    named = item.content.get("criteria")
    return [one for one in settings["criteria"] if named is None or one["name"] in named]


def lacks(rows: Sequence[Mapping[str, Any]], criteria: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a text has no value on a criterion that asks for one."""
    return any(not one["optional"] and one["name"] not in row for one in criteria for row in rows)


def together(said: Sequence[float], scale: Scale) -> float | None:
    """Several values as one: that of the scale which is nearest to their mean, the lower one of two; on a scale without
    an order the most frequent one. None of no values."""
    if not said:
        return None
    if not scale.is_ordered:
        return max(sorted(set(said)), key=said.count)
    mean = float(np.mean(said))
    return float(min(scale.values, key=lambda value: (abs(value - mean), value)))


def whole(value: float) -> float:
    return int(value) if value == int(value) else value


class Ranking(MachineWork):
    """Each two texts are asked about, in both orders."""

    way = PAIRS

    def questions(self, item: ItemAtHand) -> Iterator[Asked]:
        texts = item.content["candidates"]
        for one, other in permutations(range(len(texts)), 2):
            values = {"criterion": self.settings["question"], "first": texts[one], "second": texts[other]}
            yield Asked(item, RANK, (one, other), self.messages(item, values))

    def value(self, question: Asked, answers: Sequence[Answer]) -> float | None:
        chosen = [value for answer in answers if (value := choice_in(answer.text)) is not None]
        return float(np.mean(chosen)) if chosen else None

    def answer(self, item: ItemAtHand, given: Given) -> dict[str, Any] | None:
        """Ranks by the share of wins over all pairs and both orders; those with the same share tie (1, 1, 3)."""
        wins: list[list[float]] = [[] for _ in item.content["candidates"]]
        for (_, (one, other)), value in given.items():
            wins[one].append(value)
            wins[other].append(1 - value)
        if not all(wins):
            return None
        shares = [round(float(np.mean(of)), 9) for of in wins]
        return {"ranks": [1 + sum(other > share for other in shares) for share in shares]}


class Choosing(MachineWork):
    """All texts are asked about at once, in their order and in the opposite one."""

    way = ENDS

    def questions(self, item: ItemAtHand) -> Iterator[Asked]:
        texts = item.content["candidates"]
        edge, forward = edge_of([item.content["source"], *texts]), tuple(range(len(texts)))
        for order in (forward, forward[::-1]):
            shown = (f"Text {number}:\n{edge}\n{texts[place]}\n{edge}" for number, place in enumerate(order, start=1))
            values = {"criterion": self.settings["question"], "candidates": "\n\n".join(shown)}
            yield Asked(item, BEST_WORST, order, self.messages(item, values))

    def value(self, question: Asked, answers: Sequence[Answer]) -> list[tuple[int, int]] | None:
        """The best and the worst candidate of each answer that chooses both."""
        order = question.candidates
        chosen = [ends for answer in answers if (ends := ends_in(answer.text, len(order)))]
        return [(order[best - 1], order[worst - 1]) for best, worst in chosen] or None

    def answer(self, item: ItemAtHand, given: Given) -> dict[str, Any] | None:
        """By counts: a point for each choice as the best, one less for each as the worst. Texts of equal points are
        drawn, so that no place among the texts is a better one."""
        points = [0] * len(item.content["candidates"])
        for best, worst in (ends for chosen in given.values() for ends in chosen):
            points[best] += 1
            points[worst] -= 1
        if not given:
            return None
        drawn = generator(self.fields.seed, BEST_WORST, item.number).permutation(len(points)).tolist()
        best = max(drawn, key=points.__getitem__)
        worst = min((one for one in drawn if one != best), key=points.__getitem__)
        return {"best": best + 1, "worst": worst + 1}

"""What an answer says, with the texts that it is about in the order in which the person saw them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import orjson

from annotation.answer_export.answer_rows import ABOUT, FACTS, AnswerRow
from annotation.answer_export.text_origins import NO_ORIGIN, TextOrigin, TextOrigins
from annotation.campaigns.expected_answers import opening_words
from annotation.models import Campaign
from annotation.task_types import TASK_TYPES, Answer, Said


class AnswerPart(NamedTuple):
    """A piece of an answer. `place` is the text's place on the person's page from 1, None where it had none."""

    said: Said
    place: int | None
    writer: TextOrigin


class ShownText(NamedTuple):
    """A text as it stood on the page, and what was said of it by criterion."""

    text: str
    writer: TextOrigin
    values: dict[str, Any]


class AnswerReader:
    """Tells of the answers of one campaign."""

    def __init__(self, campaign: Campaign, whose: TextOrigins) -> None:
        self.campaign, self.whose = campaign, whose
        self.kind, self.settings = TASK_TYPES[campaign.task_type], campaign.settings
        self.criteria = self.kind.asked(campaign.settings)

    def read(self, batch: Iterable[AnswerRow]) -> None:
        """Make ready for these answers."""
        if self.kind.of_outputs:
            self.whose.read(one.sentence for one in batch if one.sentence is not None)

    def known(self, one: AnswerRow) -> list[Any]:
        """The values of `FACTS` and `ABOUT`."""
        facts, about = orjson.loads(one.facts), orjson.loads(one.about)
        about["source"] = source_of(one.content)
        return [*(facts[name] for name in FACTS), *(about[name] for name in ABOUT)]

    def shown(self, one: AnswerRow) -> list[ShownText]:
        """The candidates in the order shown; without values where the item was left."""
        if not one.order:
            return []
        texts, sentence, source = one.content["candidates"], one.sentence, one.content["source"]
        values: list[dict[str, Any]] = [{} for _ in texts]
        if one.outcome == "answered":
            for piece in self.kind.said(orjson.loads(one.answer), one.content, self.settings):
                values[piece.candidate][piece.criterion] = piece.value  # type: ignore[index]
        writer = self.whose.writer
        return [ShownText(texts[n], writer(sentence, texts[n], source), values[n]) for n in one.order]

    def pieces(self, one: AnswerRow) -> Iterator[AnswerPart]:
        """What the answer says, text by text in the order shown; what somebody reported of an item that they left."""
        if one.outcome != "answered":
            left = orjson.loads(one.answer)
            if left:
                yield AnswerPart(Said("problem", left.get("kind", ""), left.get("comment", "")), None, NO_ORIGIN)
        elif one.order:
            for place, (text, writer, values) in enumerate(self.shown(one), 1):
                for name in self.criteria:
                    if name in values:
                        yield AnswerPart(Said(name, values[name], text), place, writer)
        else:
            for said in self.kind.said(orjson.loads(one.answer), one.content, self.settings):
                judged = self.kind.of_outputs and said.value != ""
                source = one.content.get("source", "")
                yield AnswerPart(
                    said, None, self.whose.writer(one.sentence, said.text, source) if judged else NO_ORIGIN
                )

    def by_place(self, answer: str, order: list[int]) -> Answer:
        """The answer as the person's page held it."""
        return self.kind.arranged(orjson.loads(answer), order)


def source_of(content: Mapping[str, Any]) -> str:
    """The text that an item is about; of work on a whole document or group its title."""
    source = content.get("source")
    return source if isinstance(source, str) else opening_words(dict(content))

"""What an answer says, part by part, with the texts that it is about in the order in which the person saw them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import orjson

from annotation.answer_export.answer_rows import ABOUT, FACTS, AnswerRow
from annotation.answer_export.text_origins import NO_ORIGIN, TextOrigin, TextOrigins
from annotation.campaigns.expected_answers import opening_words
from annotation.models import Campaign
from annotation.task_types import TASK_TYPES, Answer, Said


class AnswerPart(NamedTuple):
    """A part of an answer. `place` is the text's place on the person's page from 1, None where it had none."""

    said: Said
    place: int | None
    origin: TextOrigin


class ShownText(NamedTuple):
    """A text as it stood on the page, and what was said of it by criterion."""

    text: str
    origin: TextOrigin
    values: dict[str, Any]


class AnswerReader:
    """Reads the answers of one campaign."""

    def __init__(self, campaign: Campaign, origins: TextOrigins) -> None:
        self.campaign, self.origins = campaign, origins
        self.kind, self.settings = TASK_TYPES[campaign.task_type], campaign.settings
        self.criteria = self.kind.asked(campaign.settings)

    def read(self, batch: Iterable[AnswerRow]) -> None:
        """Load the texts that these answers are about."""
        if self.kind.of_outputs:
            self.origins.read(revision.sentence for revision in batch if revision.sentence is not None)

    def known(self, revision: AnswerRow) -> list[Any]:
        """The values of `FACTS` and `ABOUT`."""
        facts, about = orjson.loads(revision.facts), orjson.loads(revision.about)
        about["source"] = source_of(revision.content)
        return [*(facts[name] for name in FACTS), *(about[name] for name in ABOUT)]

    def shown(self, revision: AnswerRow) -> list[ShownText]:
        """The candidates in the order shown; without values where the item was left."""
        if not revision.order:
            return []
        texts, sentence, source = revision.content["candidates"], revision.sentence, revision.content["source"]
        values: list[dict[str, Any]] = [{} for _ in texts]
        if revision.outcome == "answered":
            values = self.kind.values(orjson.loads(revision.answer), revision.content, self.settings)
        origin_of = self.origins.origin_of
        return [ShownText(texts[n], origin_of(sentence, texts[n], source), values[n]) for n in revision.order]

    def parts(self, revision: AnswerRow) -> Iterator[AnswerPart]:
        """What the answer says, text by text in the order shown; what somebody reported of an item that they left."""
        if revision.outcome != "answered":
            left = orjson.loads(revision.answer)
            if left:
                yield AnswerPart(Said("problem", left.get("kind", ""), left.get("comment", "")), None, NO_ORIGIN)
        elif revision.order:
            for place, (text, origin, values) in enumerate(self.shown(revision), 1):
                for name in self.criteria:
                    if name in values:
                        yield AnswerPart(Said(name, values[name], text), place, origin)
        else:
            for said in self.kind.said(orjson.loads(revision.answer), revision.content, self.settings):
                judged = self.kind.of_outputs and said.value != ""
                source = revision.content.get("source", "")
                yield AnswerPart(
                    said, None, self.origins.origin_of(revision.sentence, said.text, source) if judged else NO_ORIGIN
                )

    def by_place(self, answer: str, order: list[int]) -> Answer:
        """The answer as the person's page held it."""
        return self.kind.arranged(orjson.loads(answer), order)


def source_of(content: Mapping[str, Any]) -> str:
    """The text that an item is about; of work on a whole document or group its title."""
    source = content.get("source")
    return source if isinstance(source, str) else opening_words(dict(content))

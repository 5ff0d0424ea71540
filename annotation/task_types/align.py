"""Pair the sentences of two texts that say the same in different style (MSD section 3.1).

A sentence is named by its place in its column, from 0. The answer is {"pairs": [{"source": [places], "target":
[places]}], "none": whether nothing is parallel}. Pairs may cross; the texts cannot be changed.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from annotation.answer_checks import drafted_state, read_state
from annotation.task_data import GroupMaterial, Product, Text
from annotation.task_types._base import Answer, Content, ItemContent, Said, Settings, TaskType
from foundation.errors import UserError
from foundation.papers import MSD

SIDES = ("source", "target")
DEFAULTS = {"reuse": False, "show_translations": True, "highlight_concepts": False}


class Align(TaskType):
    label = "Align"
    verb = "Pair sentences that say the same"
    answer_content = (
        '{"pairs": [{"source": [0, 1], "target": [0]}], "none": false}: places in each column, from 0; `none` is '
        "true where nothing is parallel"
    )
    template = "annotation/work/align.html"
    paper = MSD
    makes = "pair"
    defaults = dict(DEFAULTS)
    works_on = "groups"

    def build(self, material: Iterable[GroupMaterial], settings: Settings, seed: int) -> Iterator[ItemContent]:
        for group in material:
            if group.source and group.target:
                content: Content = {
                    "title": group.title,
                    "element": group.element,
                    "styles": [group.source_style, group.target_style],
                }
                content |= {"source": [_kept(text) for text in group.source]}
                content |= {"target": [_kept(text) for text in group.target]}
                yield ItemContent(group.group_id, content, topic=group.topic)

    def scripts(self, settings: Settings) -> Sequence[str]:
        return ["align.js"]

    def names_target(self, settings: Settings) -> bool:
        """Both styles stand above their columns."""
        return False

    def present(
        self, content: Content, settings: Settings, order: Sequence[int], answer: Answer | None = None
    ) -> dict[str, Any]:
        """`columns` are the two sides, each with its style and sentences; `state` is the page's working state, as JSON.

        A sentence has `heading`, its section where another one begins, and `concepts` where they are highlighted.
        """
        filled = answer or {}
        state = {
            "pairs": filled.get("pairs", []),
            "none": filled.get("none", False),
            "chosen": filled.get("chosen", {"source": [], "target": []}),
        }
        marked = settings["highlight_concepts"]
        columns = [
            {"side": side, "style": style, "sentences": _shown(content[side], marked)}
            for side, style in zip(SIDES, content["styles"], strict=True)
        ]
        translated = any(sentence["translation"] for side in SIDES for sentence in content[side])
        return {
            "title": content["title"],
            "element": content["element"],
            "columns": columns,
            "state": json.dumps(state),
            "reuse": settings["reuse"],
            "translated": translated and settings["show_translations"],
        }

    def parse(self, form: Mapping[str, str], content: Content, settings: Settings) -> Answer:
        return self.check(read_state(form), content, settings)

    def check(self, answer: Mapping[str, Any], content: Content, settings: Settings) -> Answer:
        pairs, none = answer.get("pairs", []), answer.get("none", False)
        if not isinstance(pairs, list) or not isinstance(none, bool):
            raise UserError("Expected a list of pairs, and whether nothing is parallel.", where="pairs")
        checked = [_pair(pair, content) for pair in pairs]
        _refuse_twice(checked, settings["reuse"])
        chosen = answer.get("chosen") or {}
        if isinstance(chosen, dict) and any(chosen.values()):
            sentence = "Some sentences are chosen but not paired; pair them, or unchoose them."
            raise UserError(sentence, where="pairs")
        if none and checked:
            raise UserError("There are pairs; remove them, or do not say that nothing is parallel.", where="pairs")
        if not none and not checked:
            raise UserError(
                "Pair the sentences that say the same, or say that nothing here is parallel.", where="pairs"
            )
        return {"pairs": checked, "none": none}

    def partial(self, form: Mapping[str, str], content: Content, settings: Settings) -> Answer:
        draft = drafted_state(form)
        given, chosen = draft.get("pairs"), draft.get("chosen")
        pairs: list[dict[str, list[int]]] = []
        for drafted_pair in given if isinstance(given, list) else []:
            try:
                pair = _pair(drafted_pair, content)
                _refuse_twice([*pairs, pair], settings["reuse"])
            except UserError:
                continue
            pairs.append(pair)
        picked = chosen if isinstance(chosen, dict) else {}
        picked_places = {side: _places(picked.get(side), len(content[side])) or [] for side in SIDES}
        return {"pairs": pairs, "none": draft.get("none") is True and not pairs, "chosen": picked_places}

    def products(self, answer: Answer, content: Content, settings: Settings) -> Iterator[Product]:
        for pair in answer["pairs"]:
            yield {
                "kind": "pair",
                "title": content["title"],
                "element": content["element"],
                **{side: [content[side][place]["text"] for place in pair[side]] for side in SIDES},
                **{f"{side}_ids": [content[side][place]["id"] for place in pair[side]] for side in SIDES},
            }

    def asked(self, settings: Settings) -> list[str]:
        return ["pair"]

    def said(self, answer: Answer, content: Content, settings: Settings) -> Iterator[Said]:
        """Each pair with its two sides; one word where nothing is parallel."""
        for pair in self.products(answer, content, settings):
            yield Said("pair", "", " ".join(pair["target"]), " ".join(pair["source"]))
        if not answer["pairs"]:
            yield Said("pair", "none")

    def decisions(self, answer: Answer, content: Content, settings: Settings) -> dict[str, str]:
        """Whether each sentence of one side is paired with each of the other, by their places from 1."""
        linked = {(i, j) for pair in answer["pairs"] for i in pair["source"] for j in pair["target"]}
        places = ((i, j) for i in range(len(content["source"])) for j in range(len(content["target"])))
        return {f"{i + 1} with {j + 1}": "yes" if (i, j) in linked else "no" for i, j in places}

    def part_of(self, answer: Answer, product: Product, content: Content, settings: Settings) -> Answer:
        """The one pair that a product is."""
        pairs = zip(answer["pairs"], self.products(answer, content, settings), strict=True)
        return {"pairs": [pair for pair, its in pairs if its == product], "none": False}

    def agrees(self, answer: Answer, expected: Answer, content: Content, settings: Settings) -> float:
        """F1 over the links, a link being a source and a target sentence of one pair; 1 where neither has any."""
        given, wanted = _links(answer), _links(expected)
        if not given and not wanted:
            return 1.0
        return 2 * len(given & wanted) / (len(given) + len(wanted))


def _kept(text: Text) -> dict[str, Any]:
    sentence = {"id": text.id, "text": text.text, "section": text.section, "translation": text.translation}
    return {**sentence, "concepts": [dict(concept) for concept in text.concepts]}


def _shown(sentences: Sequence[Mapping[str, Any]], marked: bool) -> list[dict[str, Any]]:
    shown, section = [], ""
    for place, stored in enumerate(sentences):
        heading = stored["section"] if stored["section"] != section else ""
        section = stored["section"]
        concepts = stored["concepts"] if marked else []
        sentence = {"text": stored["text"], "translation": stored["translation"], "concepts": concepts}
        shown.append({"place": place, "number": place + 1, "heading": heading, **sentence})
    return shown


def _places(value: object, count: int) -> list[int] | None:
    """Different places below `count` in order; None where it is no such list."""
    if not isinstance(value, list) or not all(type(place) is int and 0 <= place < count for place in value):
        return None
    return sorted(set(value))


def _pair(pair_given: object, content: Content) -> dict[str, list[int]]:
    given = pair_given if isinstance(pair_given, dict) else {}
    pair = {side: _places(given.get(side), len(content[side])) for side in SIDES}
    if not pair["source"] or not pair["target"]:
        raise UserError("A pair has at least one sentence of each side.", where="pairs")
    return {side: pair[side] or [] for side in SIDES}


def _refuse_twice(pairs: Sequence[Mapping[str, list[int]]], reuse: bool) -> None:
    if any(first == other for n, first in enumerate(pairs) for other in pairs[:n]):
        raise UserError("The same pair occurs twice.", where="pairs")
    for side in SIDES:
        places = [place for pair in pairs for place in pair[side]]
        if not reuse and len(set(places)) < len(places):
            raise UserError("A sentence is in two pairs.", where="pairs")


def _links(answer: Answer) -> set[tuple[int, int]]:
    return {(i, j) for pair in answer["pairs"] for i in pair["source"] for j in pair["target"]}


TASK_TYPE = Align()

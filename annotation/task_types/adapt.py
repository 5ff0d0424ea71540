"""Adapt a whole abstract to plain language, sentence by sentence (PLABA, methods and Fig. 2).

Each sentence is carried over, rewritten, split or dropped with a reason, and none is left undecided. A target belongs
to one sentence, so merging cannot be said. The answer is {"sentences": [{"number", "operation", "targets", "reason"}]}
in the order of the abstract.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from annotation.answer_checks import drafted_state, read_state, write_state
from annotation.patient_language import (
    LONGEST_TARGET,
    REASONS,
    RULES,
    check_rules,
    check_sentence,
    drafted,
    rule_and_example,
)
from annotation.task_data import DocumentMaterial, PreviousStage, Product, Text
from annotation.task_types._base import Answer, Content, ItemContent, Said, Settings, TaskType
from foundation.errors import UserError
from foundation.papers import PLABA


class Adapt(TaskType):
    label = "Adapt"
    verb = "Adapt the abstract, sentence by sentence"
    answer_content = (
        '{"sentences": [{"number": 1, "operation": "rewritten", "targets": ["..."], "reason": ""}, ...]}, each '
        "sentence of the item once: `operation` is kept (as it is), rewritten (one target), split (two targets or"
        " more) or dropped (a `reason`, one of the item's where it has some)"
    )
    writes_target = True
    template = "annotation/work/adapt.html"
    paper = PLABA
    works_on = "documents"
    makes = "adaptation"
    defaults = {
        "reasons": list(REASONS),
        "rules": list(RULES),
        "max_length": LONGEST_TARGET,
        "highlight_concepts": True,
    }
    bounds = {"max_length": (1, 100_000)}

    def check_setting(self, settings: Settings, key: str, default: Any) -> Any:
        return (
            check_rules(settings.get(key, default)) if key == "rules" else super().check_setting(settings, key, default)
        )

    def build(self, material: Iterable[DocumentMaterial], settings: Settings, seed: int) -> Iterator[ItemContent]:
        """An item for each document with sentences, unless a screening left it out."""
        for document in material:
            if document.chosen is False or not document.sentences:
                continue
            sentences = [_sentence(text, settings) for text in document.sentences]
            question = dict(document.question) if document.question else None
            content = {"title": document.title, "code": document.code, "question": question, "sentences": sentences}
            yield ItemContent(document.document_id, content, topic=document.topic)

    def scripts(self, settings: Settings) -> Sequence[str]:
        return ["adapt.js"]

    def present(
        self, content: Content, settings: Settings, order: Sequence[int], answer: Answer | None = None
    ) -> dict[str, Any]:
        filled = {source["number"]: source for source in (answer or {}).get("sentences", [])}
        earlier = {source["number"]: source for source in content.get("earlier", [])}
        sentences = [{**source, "earlier": earlier.get(source["number"])} for source in content["sentences"]]
        state = [filled.get(sentence["number"]) or _undecided(sentence["number"]) for sentence in sentences]
        current = next((source for source in state if not source["operation"]), state[0])
        for sentence in sentences:
            sentence["current"] = sentence["number"] == current["number"]
        return {
            "title": content["title"],
            "code": content["code"],
            "question": content["question"],
            "sentences": sentences,
            "reasons": settings["reasons"],
            "rules": [rule_and_example(rule) for rule in settings["rules"]],
            "max_length": settings["max_length"],
            "state": write_state({"sentences": state}),
            "earlier": write_state(earlier),
        }

    def parse(self, form: Mapping[str, str], content: Content, settings: Settings) -> Answer:
        return self.check(read_state(form), content, settings)

    def check(self, answer: Mapping[str, Any], content: Content, settings: Settings) -> Answer:
        given = answer.get("sentences")
        if not isinstance(given, list) or not all(isinstance(row, Mapping) for row in given):
            raise UserError("Expected a list of sentences.", where="sentences")
        by_number = {row.get("number"): row for row in given if type(row.get("number")) is int}
        numbers = [row["number"] for row in content["sentences"]]
        if len(by_number) < len(given) or not set(by_number) <= set(numbers):
            raise UserError("A sentence occurs twice, or is not in this abstract.", where="sentences")
        checked = [check_sentence(by_number.get(row["number"], {}), row, settings) for row in content["sentences"]]
        if all(row["operation"] == "dropped" for row in checked):
            sentence = "Every sentence is dropped, so no text is left; report a problem if the abstract is of no use."
            raise UserError(sentence, where="sentences")
        return {"sentences": checked}

    def partial(self, form: Mapping[str, str], content: Content, settings: Settings) -> Answer:
        given = drafted_state(form).get("sentences")
        rows = given if isinstance(given, list) else []
        numbers = {sentence["number"] for sentence in content["sentences"]}
        drafts = [drafted(row, settings) for row in rows if isinstance(row, Mapping) and _known(row, numbers)]
        return {"sentences": list({sentence["number"]: sentence for sentence in drafts}.values())}

    def products(self, answer: Answer, content: Content, settings: Settings) -> Iterator[Product]:
        decided = {sentence["number"]: sentence for sentence in answer["sentences"]}
        sentences = [{**decided[sentence["number"]], "text": sentence["text"]} for sentence in content["sentences"]]
        about = {key: content[key] for key in ("title", "code", "question")}
        yield {"kind": "adaptation", **about, "sentences": sentences}

    def follow(self, before: PreviousStage, settings: Settings) -> Content | None:
        """The abstract again, with the earlier adaptation beside it."""
        product = before.product
        if product.get("kind") != "adaptation":
            return None
        concepts = _concepts_of(before.content) if settings["highlight_concepts"] else {}
        sentences = [
            {"number": sentence["number"], "text": sentence["text"], **concepts.get(sentence["number"], {})}
            for sentence in product["sentences"]
        ]
        keys = ("number", "operation", "targets", "reason")
        earlier = [{key: sentence[key] for key in keys} for sentence in product["sentences"]]
        about = {key: product[key] for key in ("title", "code", "question")}
        return {**about, "sentences": sentences, "earlier": earlier}

    def asked(self, settings: Settings) -> list[str]:
        return ["sentence"]

    def said(self, answer: Answer, content: Content, settings: Settings) -> Iterator[Said]:
        """Each sentence with its adaptation; for a dropped one the reason in place of a text."""
        decided = {sentence["number"]: sentence for sentence in answer["sentences"]}
        for sentence in content["sentences"]:
            decision = decided[sentence["number"]]
            yield Said(
                "sentence", decision["operation"], " ".join(decision["targets"]) or decision["reason"], sentence["text"]
            )

    def agrees(self, answer: Answer, expected: Answer, content: Content, settings: Settings) -> float:
        """The share of sentences with the same operation."""
        wanted = {sentence["number"]: sentence["operation"] for sentence in expected["sentences"]}
        same = [wanted.get(sentence["number"]) == sentence["operation"] for sentence in answer["sentences"]]
        return float(sum(same) / len(same))

    def texts(self, answer: Answer, content: Content) -> tuple[str, str] | None:
        targets = {sentence["number"]: sentence["targets"] for sentence in answer.get("sentences", [])}
        before = [sentence["text"] for sentence in content["sentences"]]
        after = [
            target
            for sentence in content["sentences"]
            for target in targets.get(sentence["number"], [])
            if target.strip()
        ]
        return " ".join(before), " ".join(after)


def _undecided(number: int) -> dict[str, Any]:
    return {"number": number, "operation": "", "targets": [], "reason": ""}


def _known(row: Mapping[str, Any], numbers: set[int]) -> bool:
    number = row.get("number")
    return type(number) is int and number in numbers


def _sentence(text: Text, settings: Settings) -> dict[str, Any]:
    sentence: dict[str, Any] = {"number": text.number, "text": text.text}
    if settings["highlight_concepts"] and text.concepts:
        sentence["concepts"] = [dict(concept) for concept in text.concepts]
    return sentence


def _concepts_of(content: Content) -> dict[int, dict[str, Any]]:
    """The concepts of an earlier item of the same kind; work of another kind has none here."""
    sentences = content.get("sentences", [])
    rows = (
        [sentence for sentence in sentences if isinstance(sentence, dict) and "concepts" in sentence]
        if isinstance(sentences, list)
        else []
    )
    return {row["number"]: {"concepts": row["concepts"]} for row in rows}


TASK_TYPE = Adapt()

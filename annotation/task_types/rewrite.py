"""Write a sentence again in the other style (GYAFC section 3)."""

import json
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from annotation.answer_checks import TEXT_FIELD as FIELD
from annotation.answer_checks import as_typed, one_line
from annotation.task_data import Material, PreviousStage, Product
from annotation.task_types._base import Answer, Content, ItemContent, Said, Settings, TaskType
from foundation.errors import UserError
from foundation.papers import GYAFC


class Rewrite(TaskType):
    label = "Rewrite"
    verb = "Rewrite in the other style"
    answer_content = (
        '{"text": "..."}; with "unchanged": true where the text is the source itself, if the campaign allows that'
    )
    writes_target = True
    quick = "line"
    template = "annotation/work/rewrite.html"
    paper = GYAFC
    makes = "rewrite"
    defaults = {"max_length": 2000, "allow_unchanged": True, "highlight_concepts": False}
    bounds = {"max_length": (1, 100_000)}

    def build(self, material: Iterable[Material], settings: Settings, seed: int) -> Iterator[ItemContent]:
        for source in material:
            content: Content = {"source": source.source}
            if settings.get("highlight_concepts") and source.concepts:
                content["concepts"] = [dict(concept) for concept in source.concepts]
            yield ItemContent(source.sentence_id, content)

    def scripts(self, settings: Settings) -> Sequence[str]:
        return ["vanished.js"] if settings.get("highlight_concepts") else []

    def follow(self, before: PreviousStage, settings: Settings) -> Content | None:
        """A rejected rewrite is written anew from its source; any other becomes the source, and keeps its own."""
        if before.product.get("kind") != "rewrite":
            return None
        if before.takes == "rejected":
            content: Content = {"source": before.product["source"], "earlier": before.product["text"]}
            concepts = before.content.get("content", before.content).get("concepts")
            return {**content, "concepts": concepts} if concepts and settings.get("highlight_concepts") else content
        return {"source": before.product["text"], "original": before.product["source"]}

    def products(self, answer: Answer, content: Content, settings: Settings) -> Iterator[Product]:
        product: Product = {"kind": "rewrite", "source": content["source"], "text": answer["text"]}
        yield {**product, "original": content["original"]} if "original" in content else product

    def asked(self, settings: Settings) -> list[str]:
        return ["rewrite"]

    def said(self, answer: Answer, content: Content, settings: Settings) -> Iterator[Said]:
        yield Said("rewrite", "", answer["text"])

    def texts(self, answer: Answer, content: Content) -> tuple[str, str] | None:
        return content["source"], answer.get("text", "")

    def present(
        self, content: Content, settings: Settings, order: Sequence[int], answer: Answer | None = None
    ) -> dict[str, Any]:
        filled = answer or {}
        return {
            "source": content["source"],
            "earlier": content.get("earlier", ""),
            "concepts": content.get("concepts", []),
            "watched": _watched(content.get("concepts", [])),
            "text": filled.get("text", ""),
            "unchanged": filled.get("unchanged", False),
            "max_length": settings["max_length"],
            "allow_unchanged": settings["allow_unchanged"],
        }

    def parse(self, form: Mapping[str, str], content: Content, settings: Settings) -> Answer:
        return self.check({"text": form.get(FIELD, ""), "unchanged": _ticked(form)}, content, settings)

    def check(self, answer: Mapping[str, Any], content: Content, settings: Settings) -> Answer:
        text = one_line(answer.get("text"))
        if len(text) > settings["max_length"]:
            sentence = f"The rewrite has {len(text)} characters; at most {settings['max_length']} are allowed."
            raise UserError(sentence, where=FIELD)
        if text != unicodedata.normalize("NFC", content["source"]).strip():
            return {"text": text}
        if not settings["allow_unchanged"]:
            raise UserError("The rewrite is the same as the source; change it.", where=FIELD)
        if answer.get("unchanged") is not True:
            raise UserError(
                "The rewrite is the same as the source; change it, or say that the source needs no change.", where=FIELD
            )
        return {"text": text, "unchanged": True}

    def partial(self, form: Mapping[str, str], content: Content, settings: Settings) -> Answer:
        draft: Answer = {"text": as_typed(form.get(FIELD, ""))}
        return {**draft, "unchanged": True} if _ticked(form) else draft


def _watched(concepts: Iterable[Mapping[str, Any]]) -> str:
    """Each concept once, as the page's script reads it: its term, and all its names that a rewrite may use."""
    once = {
        concept.get("cui") or concept["term"]: {
            "term": concept["term"],
            "names": [*concept.get("names", []), concept["term"]],
        }
        for concept in concepts
    }
    return json.dumps(list(once.values()), ensure_ascii=False)


def _ticked(form: Mapping[str, str]) -> bool:
    return form.get("unchanged", "") in ("on", "true", "True", "1")


TASK_TYPE = Rewrite()

"""Name the kinds of edit, or of error, that a text shows beside its source (GYAFC sections 3.2 and 6.4).

An item is one text; the same text by two systems is one item. The answer is {"labels", "none": whether it shows none
of them, "note"}.
"""

import json
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from annotation.answer_checks import as_typed, checked_note, drafted_state, read_state
from annotation.task_data import Material, PreviousStage, Product
from annotation.task_types._base import Answer, Content, ItemContent, Said, Settings, TaskType, one_of
from foundation.errors import UserError
from foundation.papers import GYAFC
from foundation.seeds import generator

EDITS = ("Phrasal paraphrase", "Punctuation", "Expansion of contractions", "Capitalization", "Normalization")
"""What people did when they wrote formally (GYAFC section 3.2)."""

TRENDS = (
    "Meaning is changed",
    "Content is dropped",
    "Very informal word is left",
    "Part is not transformed",
    "Unknown or misspelled word",
    "Sentence is not completed",
    "Number is written out",
    "Comma is inserted",
    "Informal phrase is removed",
)
"""What systems did well and badly (GYAFC section 6.4)."""

OF = {"references": EDITS, "outputs": TRENDS, "stage": EDITS}
NOTE = "label-note"
LONGEST_NOTE = 2000


class Label(TaskType):
    label = "Label"
    verb = "Say what was changed"
    answer_content = (
        '{"labels": ["..."], "none": false, "note": ""}: labels of the campaign\'s list; `none` is true, without '
        "labels, where the text shows none of them"
    )
    quick = "choice"
    template = "annotation/work/label.html"
    paper = GYAFC
    of_outputs = True
    makes = "labels"
    defaults = {"of": "references", "labels": list(EDITS), "note": True, "highlight_concepts": False, "single": False}

    def check_setting(self, settings: Settings, key: str, default: Any) -> Any:
        """`of` chooses the texts: references, outputs of systems, or products of the stage before."""
        of = one_of(settings, "of", self.defaults["of"], OF)
        if key == "of":
            return of
        checked = super().check_setting(settings, key, OF[of] if key == "labels" else default)
        if key == "labels" and not checked:
            raise UserError("At least one label is needed.", where="labels")
        return checked

    def build(self, material: Iterable[Material], settings: Settings, seed: int) -> Iterator[ItemContent]:
        """The texts of a source one after the other, in an order that the seed draws anew for each source."""
        for source in material:
            texts = {"references": source.references, "outputs": source.outputs, "stage": ()}[settings["of"]]
            distinct = list(dict.fromkeys(text.strip() for text in texts if text.strip()))
            drawn = generator(seed, "labels", source.sentence_id).permutation(len(distinct))
            for part, place in enumerate(drawn):
                content: Content = {"source": source.source, "text": distinct[place]}
                if source.concepts:
                    content["concepts"] = [dict(concept) for concept in source.concepts]
                yield ItemContent(source.sentence_id, content, part)

    def follow(self, before: PreviousStage, settings: Settings) -> Content | None:
        if before.product.get("kind") != "rewrite":
            return None
        return {"source": before.product["source"], "text": before.product["text"]}

    def judged(self, content: Content) -> Iterable[str]:
        return [content["text"]]

    def wrote(self, answer: Answer, content: Content, settings: Settings) -> Iterator[str]:
        return iter(())

    def scripts(self, settings: Settings) -> Sequence[str]:
        return ["label.js"]

    def present(
        self, content: Content, settings: Settings, order: Sequence[int], answer: Answer | None = None
    ) -> dict[str, Any]:
        filled = answer or {}
        return {
            "source": content["source"],
            "text": content["text"],
            "concepts": content.get("concepts", []) if settings["highlight_concepts"] else [],
            "labels": settings["labels"],
            "state": json.dumps({"labels": filled.get("labels", []), "none": filled.get("none", False)}),
            "single": settings.get("single", False),
            "with_note": settings["note"],
            "note": filled.get("note", ""),
        }

    def parse(self, form: Mapping[str, str], content: Content, settings: Settings) -> Answer:
        return self.check({**read_state(form), "note": form.get(NOTE, "")}, content, settings)

    def check(self, answer: Mapping[str, Any], content: Content, settings: Settings) -> Answer:
        labels, none, note = answer.get("labels", []), answer.get("none", False), answer.get("note", "")
        if not isinstance(labels, list) or not isinstance(none, bool):
            raise UserError("Expected a list of labels, or none of them.", where="labels")
        if any(label not in settings["labels"] for label in labels):
            raise UserError("This label is not in the campaign's list.", where="labels")
        if bool(labels) == none:
            sentence = (
                "Choose labels or none of these, not both." if none else "Choose what the text shows, or none of these."
            )
            raise UserError(sentence, where="labels")
        if settings.get("single") and len(labels) > 1:
            raise UserError("Choose one of them.", where="labels")
        note = checked_note(note, NOTE, LONGEST_NOTE)
        return {"labels": _in_order(labels, settings), "none": none, "note": note if settings["note"] else ""}

    def partial(self, form: Mapping[str, str], content: Content, settings: Settings) -> Answer:
        draft = drafted_state(form)
        given = draft.get("labels")
        labels = _in_order(given if isinstance(given, list) else [], settings)
        note = unicodedata.normalize("NFC", as_typed(form.get(NOTE, ""), multiline=True))
        return {"labels": labels, "none": draft.get("none") is True and not labels, "note": note}

    def products(self, answer: Answer, content: Content, settings: Settings) -> Iterator[Product]:
        yield {
            "kind": "labels", "source": content["source"], "text": content["text"], "labels": list(answer["labels"])
        }  # fmt: skip

    def decisions(self, answer: Answer, content: Content, settings: Settings) -> dict[str, str]:
        return {label: "yes" if label in answer["labels"] else "no" for label in settings["labels"]}

    def asked(self, settings: Settings) -> list[str]:
        return [*settings["labels"], *["note"] * settings["note"]]

    def said(self, answer: Answer, content: Content, settings: Settings) -> Iterator[Said]:
        """Whether the text shows each label, and the note."""
        for label, choice in self.decisions(answer, content, settings).items():
            yield Said(label, choice, content["text"])
        if answer["note"]:
            yield Said("note", "", answer["note"])

    def agrees(self, answer: Answer, expected: Answer, content: Content, settings: Settings) -> float:
        """F1 over the labels; 1 where both say that there is none."""
        given, wanted = set(answer["labels"]), set(expected["labels"])
        return 2 * len(given & wanted) / (len(given) + len(wanted)) if given or wanted else 1.0


def _in_order(labels: Sequence[Any], settings: Settings) -> list[str]:
    return [label for label in settings["labels"] if label in labels]


TASK_TYPE = Label()

"""Say which of a few texts is the best and which the worst: best-worst scaling (Louviere et al. 2015)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from annotation.presentation_order import unfolded_texts
from annotation.presentation_order.candidates import CandidateMaker
from annotation.task_data import Material
from annotation.task_types._base import Answer, Content, ItemContent, Judgement, JudgesCandidates, Settings
from foundation.aspects import BESIDE
from foundation.errors import UserError
from foundation.papers import Paper

CRITERION = "best_worst"
QUESTION = "Choose the best and the worst text: style first, taking fluency and meaning into account."
SCALE = "best_worst | ordinal | -1 Worst | 0 Neither | 1 Best"
"""The values of the texts of an answer, as imported judgements have them."""
ENDS = ("best", "worst")
LEAST = 2  # one candidate cannot be both


class BestWorst(JudgesCandidates):
    """An answer is {"best": number, "worst": number}, counted from 1: of places, and of candidates where stored."""

    label = "Best and worst"
    verb = "Choose the best and the worst text"
    answer_content = '{"best": 1, "worst": 3}: places of the item, from 1'
    quick = "choice"
    template = "annotation/work/best_worst.html"
    of_outputs = True
    paper = Paper(
        "Louviere, Flynn and Marley",
        2015,
        "Best-Worst Scaling: Theory, Methods and Applications",
        "https://doi.org/10.1017/CBO9781107337855",
    )
    defaults = {
        "question": QUESTION, "beside": "source", "outputs_per_item": 4, "rate_reference": False, "rate_source": False,
    }  # fmt: skip
    choices = {"beside": BESIDE}
    bounds = {"outputs_per_item": (0, 100)}

    def check_settings(self, settings: Settings) -> dict[str, Any]:
        checked = super().check_settings(settings)
        if checked["outputs_per_item"] == 1:
            raise UserError("An item has at least 2 texts, one for the best and one for the worst; 0 means all texts.",
                            where="outputs_per_item")  # fmt: skip
        return checked

    def build(self, material: Iterable[Material], settings: Settings, seed: int) -> Iterator[ItemContent]:
        """Tuples of each source's candidates, drawn by the seed; a source with one candidate alone gives none."""
        maker = CandidateMaker(seed, rate_reference=settings["rate_reference"], rate_source=settings["rate_source"])
        for source in material:
            for part, content in enumerate(maker.contents(source, settings["outputs_per_item"], LEAST)):
                yield ItemContent(source.sentence_id, content, part)

    def scripts(self, settings: Settings) -> Sequence[str]:
        return ("best_worst.js", "judging.js")

    def present(
        self, content: Content, settings: Settings, order: Sequence[int], answer: Answer | None = None
    ) -> dict[str, Any]:
        """`rows` in presented order: {"place", "text", "best", "worst"} (whether it is chosen as that)."""
        chosen, beside = self.arranged(answer or {}, order), settings["beside"]
        return {
            "question": settings["question"],
            "beside": beside,
            "source": content["source"] if beside != "nothing" else "",
            "references": content["references"] if beside == "source_and_reference" else [],
            "unfolded": unfolded_texts.shown(answer, order),
            "rows": [
                {"place": place, "text": content["candidates"][index], **{end: chosen[end] == place for end in ENDS}}
                for place, index in enumerate(order, start=1)
            ],
        }

    def parse(self, form: Mapping[str, str], content: Content, settings: Settings) -> Answer:
        unfolded = unfolded_texts.read(form, len(content["candidates"]))
        return self.check({end: _number(form.get(end, "")) for end in ENDS} | unfolded, content, settings)

    def check(self, answer: Mapping[str, Any], content: Content, settings: Settings) -> Answer:
        count = len(content["candidates"])
        for end in ENDS:
            chosen = answer.get(end)
            if chosen is None or chosen == "":
                raise UserError("No text is chosen as the {end} yet.", end=end, where=end)
            if not isinstance(chosen, int) or isinstance(chosen, bool) or not 1 <= chosen <= count:
                raise UserError(
                    "Expected the number of a text from 1 to {count}, found {chosen!r}.",
                    count=count,
                    chosen=chosen,
                    where=end,
                )
        if answer["best"] == answer["worst"]:
            raise UserError("One text cannot be both the best and the worst.", where="worst")
        return {end: answer[end] for end in ENDS} | unfolded_texts.check(answer, count)

    def partial(self, form: Mapping[str, str], content: Content, settings: Settings) -> Answer:
        numbers = {end: _number(form.get(end, "")) for end in ENDS}
        return {
            end: chosen if isinstance(chosen, int) and 1 <= chosen <= len(content["candidates"]) else None
            for end, chosen in numbers.items()
        } | unfolded_texts.read(form, len(content["candidates"]))

    def restored(self, answer: Answer, order: Sequence[int]) -> Answer:
        chosen = {end: order[place - 1] + 1 if (place := answer.get(end)) else None for end in ENDS}
        return chosen | unfolded_texts.restored(answer, order)

    def arranged(self, answer: Answer, order: Sequence[int]) -> Answer:
        chosen = {end: list(order).index(number - 1) + 1 if (number := answer.get(end)) else None for end in ENDS}
        return chosen | unfolded_texts.arranged(answer, order)

    def judgements(self, answer: Answer, content: Content, settings: Settings) -> Iterator[Judgement]:
        """1 for the best, -1 for the worst, 0 for the others: their mean is best-worst scaling's score by counts."""
        for number, text in enumerate(content["candidates"], start=1):
            yield Judgement(text, CRITERION, (number == answer["best"]) - (number == answer["worst"]))

    def asked(self, settings: Settings) -> list[str]:
        return [CRITERION]

    def span(self, criterion: str, content: Content, settings: Settings) -> float:
        return 2.0

    def agrees(self, answer: Answer, expected: Answer, content: Content, settings: Settings) -> float:
        return sum(bool(answer[end] == expected[end]) for end in ENDS) / len(ENDS)


def _number(text: str) -> int | str | None:
    """The place that a field holds; None where it is empty, the text itself where it is no place."""
    stripped = text.strip()
    if not stripped:
        return None
    return int(stripped) if stripped.isascii() and stripped.isdigit() and len(stripped) < 6 else stripped


TASK_TYPE = BestWorst()

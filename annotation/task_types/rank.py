"""Order all outputs of a source from best to worst, ties allowed (GYAFC section 5.1, overall ranking)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from annotation.presentation_order import latin_square, unfolded_texts
from annotation.presentation_order.candidates import CandidateMaker
from annotation.task_data import Material
from annotation.task_types._base import Answer, Content, ItemContent, Judgement, JudgesCandidates, Settings
from foundation.aspects import BESIDE
from foundation.errors import UserError
from foundation.papers import GYAFC

CRITERION = "rank"
QUESTION = "Order the texts from best to worst: style first, taking fluency and meaning into account."


class Rank(JudgesCandidates):
    label = "Rank"
    verb = "Order the texts"
    answer_content = '{"ranks": [1, 3, 1]}: a rank from 1, the best, for each place of the item; equal ranks are ties'
    quick = "choice"
    template = "annotation/work/rank.html"
    of_outputs = True
    paper = GYAFC
    defaults = {
        "question": QUESTION, "beside": "source", "only_best": 0, "rate_reference": False, "rate_source": False,
    }  # fmt: skip
    choices = {"beside": BESIDE}
    bounds = {"only_best": (0, 100)}

    def build(self, material: Iterable[Material], settings: Settings, seed: int) -> Iterator[ItemContent]:
        """An item a source; one whose outputs are all the same text has nothing to order, and gives none."""
        maker = CandidateMaker(seed, rate_reference=settings["rate_reference"], rate_source=settings["rate_source"])
        for source in material:
            for content in maker.contents(source, least=2):
                yield ItemContent(source.sentence_id, content)

    def scripts(self, settings: Settings) -> Sequence[str]:
        return ("judging.js",)

    def present(
        self, content: Content, settings: Settings, order: Sequence[int], answer: Answer | None = None
    ) -> dict[str, Any]:
        """`rows` in presented order: {"place", "text", "name" (the form's field), "value" (rank or None)}.

        `ranks` are the places to give. `only_best` is their number where the other texts stay without one, else 0.
        """
        count = len(content["candidates"])
        places = _places(settings, count)
        ranks = (answer or {}).get("ranks") or [None] * count
        beside = settings["beside"]
        return {
            "question": settings["question"],
            "beside": beside,
            "source": content["source"] if beside != "nothing" else "",
            "references": content["references"] if beside == "source_and_reference" else [],
            "ranks": list(range(1, places + 1)),
            "only_best": places if places < count else 0,
            "unfolded": unfolded_texts.shown(answer, order),
            "rows": [
                {
                    "place": place,
                    "text": content["candidates"][index],
                    "name": _field(place - 1),
                    "value": rank if (rank := ranks[index]) and rank <= places else None,
                }
                for place, index in enumerate(order, start=1)
            ],
        }

    def parse(self, form: Mapping[str, str], content: Content, settings: Settings) -> Answer:
        raw = [form.get(_field(index), "") for index in range(len(content["candidates"]))]
        unfolded = unfolded_texts.read(form, len(raw))
        return self.check({"ranks": [_number(text) for text in raw], **unfolded}, content, settings)

    def check(self, answer: Mapping[str, Any], content: Content, settings: Settings) -> Answer:
        """Ranks as in a competition: what ties shares the best place, and the next place is left out (1, 1, 3).

        Where only the best are asked for, the texts without a place share the place after them.
        """
        ranks = answer.get("ranks")
        count = len(content["candidates"])
        if not isinstance(ranks, list) or len(ranks) != count:
            raise UserError("Expected a list of {count} ranks, one for each candidate.", count=count, where="ranks")
        places = _places(settings, count)
        given = [_given(rank, index, count, places) for index, rank in enumerate(ranks)]
        if (placed := sum(rank <= places for rank in given)) < places:
            first = _field(given.index(count + 1) if count + 1 in given else 0)
            raise UserError(
                "Give the best {places} texts a place; {placed} of them have one.", places=places, placed=placed,
                where=first,
            )  # fmt: skip
        ranks = [1 + sum(other < rank for other in given) for rank in given]
        return {"ranks": ranks, **unfolded_texts.check(answer, count)}

    def partial(self, form: Mapping[str, str], content: Content, settings: Settings) -> Answer:
        count = len(content["candidates"])
        ranks = [_number(form.get(_field(index), "")) for index in range(count)]
        known = [rank if isinstance(rank, int) and 1 <= rank <= count else None for rank in ranks]
        return {"ranks": known, **unfolded_texts.read(form, count)}

    def restored(self, answer: Answer, order: Sequence[int]) -> Answer:
        return {"ranks": latin_square.by_candidate(answer["ranks"], order), **unfolded_texts.restored(answer, order)}

    def arranged(self, answer: Answer, order: Sequence[int]) -> Answer:
        return {"ranks": latin_square.by_place(answer["ranks"], order), **unfolded_texts.arranged(answer, order)}

    def judgements(self, answer: Answer, content: Content, settings: Settings) -> Iterator[Judgement]:
        for text, rank in zip(content["candidates"], answer["ranks"], strict=True):
            yield Judgement(text, CRITERION, rank)

    def asked(self, settings: Settings) -> list[str]:
        return [CRITERION]

    def span(self, criterion: str, content: Content, settings: Settings) -> float:
        return float(len(content["candidates"]) - 1)


def _places(settings: Settings, count: int) -> int:
    """How many places there are to give among so many texts; a campaign from before the setting asks for all."""
    only_best = settings.get("only_best", 0)
    return min(only_best, count) if only_best else count


def _given(rank: Any, index: int, count: int, places: int) -> int:
    """The rank of one text; the rank after all others for one without a place, where that is allowed."""
    if rank is None or rank == "":
        if places < count:
            return count + 1
        raise UserError("Text {number} has no rank yet.", number=index + 1, where=_field(index))
    if not isinstance(rank, int) or isinstance(rank, bool) or not 1 <= rank <= count:
        raise UserError(
            "Expected a rank from 1 to {count}, found {rank!r}.", count=count, rank=rank, where=_field(index)
        )
    return rank if rank <= places else count + 1


def _field(index: int) -> str:
    return f"rank-{index}"


def _number(text: str) -> int | str | None:
    """The rank that a field holds; None where it is empty, the text itself where it is no rank."""
    stripped = text.strip()
    if not stripped:
        return None
    return int(stripped) if stripped.isascii() and stripped.isdigit() and len(stripped) < 6 else stripped


TASK_TYPE = Rank()

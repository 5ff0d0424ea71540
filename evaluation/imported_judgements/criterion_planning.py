"""What becomes of the judgements on one criterion: its scale, its aspect, and the values that fit."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import islice

from annotation.models import Criterion
from annotation.scales import SCALES
from corpora.formats import Judgement
from corpora.models import Study
from evaluation.imported_judgements.column_guess import plain
from evaluation.imported_judgements.import_plan import LEAVE_OUT, ImportPlan
from evaluation.imported_judgements.row_problems import quoted
from evaluation.imported_judgements.rows import RawJudgement
from evaluation.imported_judgements.scale_values import ValueReading, readings
from evaluation.imported_judgements.text_matching import MatchedText
from foundation.aspects import ASPECTS, aspect_named
from foundation.errors import first_five

NO_SCALE = frozenset(("rank", "best_worst"))  # places among the texts of one item, which no scale holds


class CriterionPlanner:
    """Puts the criteria of a table into a plan, asking what is not plain by `ask`, which gives the answer or ""."""

    def __init__(self, study: Study, plan: ImportPlan, ask: Callable[..., str]) -> None:
        self.plan, self.ask = plan, ask
        self.known = {plain(criterion.name): criterion for criterion in Criterion.objects.filter(study=study)}

    def name(self, given: str) -> str:
        """The study's criterion of that name, else the name as a criterion's can be."""
        own = self.known.get(plain(given))
        return own.name if own else re.sub(r"\W+", "_", given).strip("_")[:60] or "judged"

    def judgements(
        self, name: str, pieces: Sequence[tuple[int, RawJudgement, MatchedText]]
    ) -> list[tuple[int, Judgement]]:
        """The judgements on a criterion, each with its place in the table."""
        values = Counter(piece.value for _, piece, _ in pieces)
        answer = self._scale_of(
            name, values, next((piece.scale for _, piece, _ in pieces if piece.scale in SCALES), "")
        )
        if answer in ("", "leave_out"):
            return []
        reading, placed = ValueReading(answer), list[tuple[int, Judgement]]()
        own = {text: reading.value(text) for text in values}
        wrong = {text: count for text, count in values.items() if own[text] is None}
        if wrong:
            lines = {
                text: next(piece.line for _, piece, _ in pieces if piece.value == text) for text in islice(wrong, 6)
            }
            some = first_five(f"{quoted(text)}, line {line}" for text, line in lines.items())
            self.ask(
                f"off-{name}",
                f"Values of {name} that are not on its scale, {sum(wrong.values()):,}: {some}.",
                LEAVE_OUT,
            )
        for place, piece, matched in pieces:
            if (value := own[piece.value]) is not None:
                judgement = Judgement(piece.rater, matched.source, matched.output, matched.style, name, int(value),
                                      piece.seconds, piece.line, matched.system)  # fmt: skip
                placed.append((place, judgement))
        self._keep(name, reading.name)
        return placed

    def _scale_of(self, name: str, values: Counter[str], hint: str) -> str:
        """How the values are read: asked, where it is not plain."""
        own = self.known.get(plain(name))
        some = ", ".join(f"{text} ({count:,})" for text, count in values.most_common(8))
        if name in NO_SCALE:
            return self.ask(f"scale-{name}", f"{name} orders texts and has no scale, so it cannot come in: {some}.",
                            ("leave_out", "Leave it out"))  # fmt: skip
        fitting = list(readings(values, own.scale if own else ""))
        if not fitting:
            fitting = list(readings(_usual(values), own.scale if own else ""))
        if own and own.scale not in dict(fitting):
            fitting.insert(0, (own.scale, f"{SCALES[own.scale].label}, as it is"))
        default = (
            own.scale if own and ValueReading(own.scale).fits(_usual(values)) else hint if hint in dict(fitting) else ""
        )
        sentence = f"How are the values of {name} to be read? They are {some}."
        return self.ask(f"scale-{name}", sentence, *fitting, ("leave_out", "Leave this criterion out"), default=default)

    def _keep(self, name: str, scale: str) -> None:
        if own := self.known.get(plain(name)):
            self.plan.criteria.append({"name": name, "scale": scale, "aspect": own.aspect, "beside": own.beside})
            return
        aspect = aspect_named(name.lower())
        if not aspect:
            choices = [(aspect_name or "none", aspect_name or "nothing of these") for aspect_name in ("", *ASPECTS)]
            answer = self.ask(f"aspect-{name}", f"What does {name} judge?", *choices)
            aspect = "" if answer == "none" else answer
        self.plan.criteria.append({"name": name, "scale": scale, "aspect": aspect, "beside": "nothing"})


def _usual(values: Counter[str]) -> list[str]:
    """The values that are more than a slip: those that make 95% of all."""
    wanted, usual, total = 0.95 * sum(values.values()), list[str](), 0
    for text, count in values.most_common():
        if total >= wanted:
            break
        usual.append(text)
        total += count
    return usual

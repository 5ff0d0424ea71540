"""What becomes of the judgements on one criterion: its scale, its aspect, and the values that fit."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import islice

from annotation.models import Criterion
from annotation.scales import SCALES, is_own, short_name
from corpora.formats import Judgement
from corpora.models import Study
from evaluation.imported_judgements.column_words import plain
from evaluation.imported_judgements.import_plan import LEAVE_OUT, ImportPlan
from evaluation.imported_judgements.row_problems import quoted
from evaluation.imported_judgements.rows import RawJudgement
from evaluation.imported_judgements.scale_values import (
    ValueReading,
    is_missing,
    likely_readings,
    proposed_scale,
    readings,
    seems_another_scale,
    words_in_passing,
)
from evaluation.imported_judgements.text_matching import MatchedText
from foundation.aspects import ASPECTS, aspect_named
from foundation.polarity import said_ends, undeclared

NO_SCALE = frozenset(("rank", "best_worst"))  # places among the texts of one item, which no scale holds

Piece = tuple[int, RawJudgement, MatchedText]
"""A judgement with its place in the table."""
SHOWN = 20


class CriterionPlanner:
    """Puts the criteria of a table into a plan, asking what is not plain by `ask`, which gives the answer or ""."""

    def __init__(self, study: Study, plan: ImportPlan, ask: Callable[..., str]) -> None:
        self.study, self.plan, self.ask = study, plan, ask
        self.known = {plain(criterion.name): criterion for criterion in Criterion.objects.filter(study=study)}
        listed = study.scales.values_list("line", flat=True)
        self.scales = list(dict.fromkeys([*listed, *(one.scale for one in self.known.values() if is_own(one.scale))]))

    def name(self, given: str) -> str:
        """The study's criterion of that name, else the name as a criterion's can be."""
        own = self.known.get(plain(given))
        return own.name if own else re.sub(r"\W+", "_", given).strip("_")[:60] or "judged"

    def judgements(self, name: str, pieces: Sequence[Piece]) -> list[tuple[int, Judgement]]:
        """The judgements on a criterion, each with its place in the table."""
        values = Counter(piece.value for _, piece, _ in pieces)
        hint = next((piece.scale for _, piece, _ in pieces if piece.scale in SCALES), "")
        answer = self._scale_of(name, values, hint)
        if answer in ("", "leave_out"):
            return []
        reading, placed = ValueReading(answer), list[tuple[int, Judgement]]()
        name = self._name_on(name, reading.name)
        own = {text: reading.value(text) for text in values}
        self._ask_about_words(name, pieces, values, own)
        wrong = Counter({text: count for text, count in values.items() if own[text] is None})
        missing = Counter({text: count for text, count in wrong.items() if is_missing(text)})
        if missing:
            self.ask(
                f"missing-{name}",
                f"No value of {name} stands in {missing.total():,} of {values.total():,}: {_where(missing, pieces)}.",
                LEAVE_OUT,
            )
        if off := wrong - missing:
            self.ask(
                f"off-{name}",
                f"Values of {name} that are not on its scale, {off.total():,}: {_where(off, pieces)}.",
                LEAVE_OUT,
            )
        for place, piece, matched in pieces:
            if (value := own[piece.value]) is not None:
                judgement = Judgement(piece.rater, matched.source, matched.output, matched.style, name, value,
                                      piece.seconds, piece.line, matched.system, matched.number)  # fmt: skip
                placed.append((place, judgement))
        self._keep(name, reading.name)
        self._ask_about_ends(name, reading.name)
        return placed

    def _ask_about_ends(self, name: str, scale: str) -> None:
        """Which style each end of a scale means, where the study's styles have other names than its ends."""
        poles, meant = SCALES[scale].poles, {**self.study.poles, **self.plan.poles}
        if poles is None or len(undeclared(poles, self.study.styles, meant)) < len(poles):
            return
        choices = [(style, f"{poles[1]} is {style}") for style in self.study.styles]
        sentence = (
            f"The scale of {name} goes from {poles[0]} to {poles[1]}, which are no styles of this study. Which of its "
            "styles is the high end? Without it no system is the better one."
        )
        said = said_ends(poles, self.study.styles).get(poles[1].casefold(), "")
        answer = self.ask(f"ends-{name}", sentence, *choices, ("none", "None of them"), default=said)
        if answer and answer != "none":
            others = [style for style in self.study.styles if style != answer]
            self.plan.poles |= {poles[1]: answer} | ({poles[0]: others[0]} if len(others) == 1 else {})

    def _ask_about_words(
        self, name: str, pieces: Sequence[Piece], values: Counter[str], own: dict[str, float | None]
    ) -> None:
        """Ask whether "1 (unsure)" is a 1; where it is not, or not answered yet, `own` has no value of it."""
        worded = Counter({text: values[text] for text in words_in_passing(values) if own[text] is not None})
        if worded:
            said = f"Values of {name} with words behind the number, {worded.total():,}: {_where(worded, pieces)}."
            answer = self.ask(f"words-{name}", said, ("numbers", "Take the numbers"), LEAVE_OUT)
            if answer != "numbers":
                own.update(dict.fromkeys(worded))
                for text in worded:
                    del values[text]

    def _name_on(self, name: str, scale: str) -> str:
        """The criterion itself; where the study has it on another scale, one of its own."""
        own = self.known.get(plain(name))
        if own is None or own.scale == scale:
            return name
        called = re.sub(r"\W+", "_", short_name(scale))
        return f"{name}_{called if called != name else 'other'}"[:60]

    def _scale_of(self, name: str, values: Counter[str], hint: str) -> str:
        """How the values are read: asked, where it is not plain."""
        own = self.known.get(plain(name))
        some = ", ".join(f"{text} ({count:,})" for text, count in values.most_common(8))
        if name in NO_SCALE:
            return self.ask(f"scale-{name}", f"{name} orders texts and has no scale, so it cannot come in: {some}.",
                            ("leave_out", "Leave it out"))  # fmt: skip
        said = Counter({text: count for text, count in values.items() if not is_missing(text)})
        fitting = list(readings(said, own.scale if own else "", self.scales)) if said else []
        if not fitting:
            fitting = list(readings(_usual(said), own.scale if own else "", self.scales)) if said else []
        if not fitting and not own:
            fitting = likely_readings(said, self.scales)
        proposed = proposed_scale(plain(name), said)
        if proposed and (not own or not ValueReading(own.scale).fits(_usual(said))):
            scale = SCALES[proposed]
            its = f", as a criterion of its own, {self._name_on(name, proposed)}" if own else ""
            fitting.append((proposed, f"A scale of their own, from {scale.lowest:g} to {scale.highest:g}{its}"))
        default = hint if hint in dict(fitting) else ""
        if own:
            if own.scale not in dict(fitting):
                fitting.insert(0, (own.scale, f"{SCALES[own.scale].label}, as it is"))
            settled = ValueReading(own.scale).fits(_usual(said))
            another = seems_another_scale(said, own.scale, self.scales)
            default = own.scale if settled and (hint == own.scale or not another) else ""
            if another or not settled:
                fitting += [
                    (reading, f"{words}, as a criterion of its own, {self._name_on(name, ValueReading(reading).name)}")
                    for reading, words in readings(_usual(said), others=self.scales)
                    if reading not in dict(fitting) and ValueReading(reading).name != own.scale
                ]
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


def _where(texts: Counter[str], pieces: Sequence[Piece]) -> str:
    """The texts, each with how often and the first line where it stands."""
    lines: dict[str, int] = {}
    for _, piece, _ in pieces:
        if piece.value in texts:
            lines.setdefault(piece.value, piece.line)
    some = [
        f"{quoted(text)}, line {lines[text]}" + (f" and {texts[text] - 1:,} more" if texts[text] > 1 else "")
        for text in islice(lines, SHOWN)
    ]
    return "; ".join(some) + (" and others" if len(lines) > SHOWN else "")


def _usual(values: Counter[str]) -> list[str]:
    """The values that are more than a slip: those that make 95% of all."""
    wanted, usual, total = 0.95 * sum(values.values()), list[str](), 0
    for text, count in values.most_common():
        if total >= wanted:
            break
        usual.append(text)
        total += count
    return usual

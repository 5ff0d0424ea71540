"""Plan the import of the judgements on one criterion: its scale, its aspect, and the values that fit."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from annotation.models import Criterion
from annotation.scales import SCALES, Scale, is_own, line_of, short_name
from annotation.task_types.best_worst import CRITERION as BEST_WORST
from annotation.task_types.best_worst import SCALE as BEST_WORST_SCALE
from annotation.task_types.spans import MARK_SCORE
from corpora.formats import Judgement
from corpora.models import Study
from corpora.table_import.targets import Plan
from evaluation.imported_judgements.columns import plain
from evaluation.imported_judgements.given_marks import MarkedOutput
from evaluation.imported_judgements.rows import COUNTED, RawJudgement, quoted
from evaluation.imported_judgements.text_matching import MatchedText
from foundation.aspects import ASPECTS, aspect_named
from foundation.criterion_names import as_criterion_name
from foundation.errors import UserError
from foundation.polarity import said_ends, undeclared
from foundation.translation import translatable, translate, translated

# The plan of an import: the judgements that come in, in numbers, and the questions before it.

LEAVE_OUT = ("leave_out", translatable("Leave them out"))


@dataclass
class ImportPlan(Plan):
    """The plan of an import: the `judgements` that come in, and their `criteria`, new ones among them.

    `marks` are those that people made in the judged texts.
    `poles` are the styles that the ends of their scales mean, where the names of the styles do not say it.
    """

    preset: str = ""
    judgements: list[Judgement] = field(default_factory=list)
    criteria: list[dict[str, str]] = field(default_factory=list)
    poles: dict[str, str] = field(default_factory=dict)
    marks: list[MarkedOutput] = field(default_factory=list)


# Values as people wrote them, on a scale: numbers or its labels, counted from 1, or the other way round.

WAYS = ("", "reversed", "from 1", "from 1 reversed")
NUMBER = r"[+-]?\d{1,12}(?:[.,]\d{1,20})?(?:[eE][+-]?\d{1,2})?"
"""A number as people or programs write it: a third has sixteen digits or more, and almost nothing an exponent."""
PLAIN = re.compile(rf"^\(?({NUMBER})\)?[.:]?$")
MONTH = r"(?:jan|feb|m[aä]r|mrz|apr|ma[iy]|ju[nl]|aug|sep|o[ck]t|nov|de[cz])[^\W\d]{0,6}\.?$"
WORDED = re.compile(rf"^\(?({NUMBER})\)?(?:\s*[:=(]|[.]\s|\s?[-–—]|\s)\s*(?!{MONTH})([^\d\s][^\d]*)$", re.IGNORECASE)
READING = re.compile(r"^(?P<name>.+?)(?:,\s*(?P<way>reversed|from 1|from 1 reversed))?$", re.DOTALL)
OUT_OF = re.compile(rf"^({NUMBER})\s*(?:/|of|out of|von|sur|de)\s*(\d{{1,4}})$")
MISSING = frozenset(
    ("n/a", "na", "n.a.", "n. a.", "#n/a", "nan", "null", "none", "nil", "-", "--", "–", "—", "?", "not applicable",
     "don't know", "don’t know", "dont know", "do not know", "no answer", "prefer not to say", "prefer not to answer",
     "skip", "skipped", "missing", "undefined", "<na>")
)  # fmt: skip
"""What stands where nobody said a value."""
MOST_LEVELS = 10
ROUND = ((0.0, 1.0), (-1.0, 0.0), (-1.0, 1.0), (0.0, 10.0), (-10.0, 0.0), (0.0, 100.0), (-100.0, 0.0), (-100.0, 100.0))
"""Ends of ranges as sliders have them, and as penalties do, which are 0 where nothing is wrong."""
MANY = 20
"""Of so many values some should lie in the upper half of a scale."""


class ValueReading:
    """How the values of a criterion are read: a scale and one of `WAYS`, written `likert_5, reversed`."""

    def __init__(self, reading: str) -> None:
        found = READING.match(reading)
        name, way = (found["name"].strip(), found["way"] or "") if found else ("", "")
        self.scale: Scale = SCALES[name]
        self.name, self.from_1, self.reversed = name, "from 1" in way, "reversed" in way
        self.labels = {level.label.casefold(): level.value for level in self.scale.levels}

    def value(self, text: str) -> float | None:
        """The value on the scale; None where it is none."""
        scale = self.scale
        level = self.labels.get(text.strip().casefold())
        if level is None:
            number = self._number(text)
            if number is None:
                return None
            if self.from_1:
                whole = number == int(number) and 1 <= number <= len(scale.values)
                level = scale.values[int(number) - 1] if whole else None
            else:
                level = number if scale.holds(number) else None
        if level is None:
            return None
        return self._turned(level) if self.reversed else level

    def _turned(self, level: float) -> float:
        values = self.scale.values
        if self.scale.kind == "range":
            return self.scale.lowest + self.scale.highest - level
        return values[len(values) - 1 - values.index(level)]

    def _number(self, text: str) -> float | None:
        """The number of a cell; of "4/5" or "4 out of 5" where the scale ends at 5."""
        if match := OUT_OF.match(text.strip()):
            return _float(match[1]) if float(match[2]) == self.scale.highest else None
        return _number(text)

    def fits(self, texts: Collection[str]) -> bool:
        return all(self.value(text) is not None for text in texts)


def _float(digits: str) -> float:
    return float(digits.replace(",", "."))


def _number(text: str) -> float | None:
    """The number that a cell is, or that stands before words; None where it may be two numbers, or a date."""
    match = PLAIN.match(text.strip()) or WORDED.match(text.strip())
    return _float(match[1]) if match else None


def is_missing(text: str) -> bool:
    return text.strip().casefold() in MISSING


def words_in_passing(texts: Iterable[str]) -> list[str]:
    """Numbers with words behind them, such as "1 (unsure)", where these are no legend of the values.

    A legend stands with the lowest and the highest number at least, and always says the same of a number.
    """
    words: dict[float, set[str]] = defaultdict(set)
    worded = []
    for text in texts:
        if match := PLAIN.match(text.strip()):
            words[_float(match[1])].add("")
        elif match := WORDED.match(text.strip()):
            words[_float(match[1])].add(match[2].strip(" ).").casefold())
            worded.append(text)
    if not worded:
        return []
    ends = words[min(words)], words[max(words)]
    legend = all(len(said) == 1 for said in words.values()) and all("" not in said for said in ends)
    return [] if legend else worded


def readings(texts: Collection[str], scale: str = "", others: Iterable[str] = ()) -> Iterator[tuple[str, str]]:
    """The ways in which all the values fit, of one scale or of all: (how it is written, how it is said)."""
    for reading, said, held in _ways(scale, others, texts):
        if held.fits(texts):
            yield reading, said


def likely_readings(counts: Mapping[str, int], others: Iterable[str] = ()) -> list[tuple[str, str]]:
    """The ways in which as many of the values fit as in any."""
    found = [
        (sum(count for text, count in counts.items() if held.value(text) is not None), reading, said)
        for reading, said, held in _ways("", others, counts)
    ]
    best = max((fit for fit, *_ in found), default=0)
    return [(reading, said) for fit, reading, said in found if fit == best > 0]


def seems_another_scale(texts: Mapping[str, int], name: str, others: Iterable[str] = ()) -> bool:
    """Whether values that fit a scale look like those of another one: a shorter one ends where they end, or many of
    them begin at its low end and never come to its upper half.

    Values from 1 to 5 lie on a scale from 0 to 100, and mean something else there.
    """
    numbers = [number for text in texts if (number := _number(text)) is not None]
    if not numbers:
        return False
    own, ends = SCALES[name], (min(numbers), max(numbers))
    if ends == (own.lowest, own.highest):
        return False
    if own.kind == "range" and max(map(abs, ends)) <= max(abs(own.lowest), abs(own.highest)) / 10:
        return True
    if sum(texts.values()) >= MANY and ends[0] == own.lowest and ends[1] <= (own.lowest + own.highest) / 2:
        return True
    return ends[0] < ends[1] and any(
        (SCALES[other].lowest, SCALES[other].highest) == ends and ValueReading(other).fits(texts)
        for other in (*SCALES.names(), *others)
        if other != name
    )


def proposed_scale(name: str, texts: Collection[str]) -> str:
    """The line of a scale of their own for numbers: levels where they are few whole ones, else a range around them."""
    numbers = [number for text in texts if (number := _number(text)) is not None]
    if not numbers or max(map(abs, numbers)) >= 10**6:
        return ""
    low, high = min(numbers), max(numbers)
    try:
        if all(number.is_integer() for number in numbers) and 0 < high - low <= MOST_LEVELS:
            return line_of(name, "ordinal", [(str(level), "") for level in range(int(low), int(high) + 1)])
        for bottom, top in ROUND:
            if bottom <= low and high <= top:
                low, high = bottom, top
                break
        low, high = math.floor(low), math.ceil(high)
        step = "0.01" if high - low <= 100 else "0.1" if high - low <= 1000 else "1"
        return line_of(name, "interval", ends=(str(low), str(high), step))
    except UserError:
        return ""


def _ways(scale: str, others: Iterable[str], texts: Collection[str]) -> Iterator[tuple[str, str, ValueReading]]:
    numbers = any(_number(text) is not None for text in texts)
    for name in [scale] if scale else dict.fromkeys((*others, *SCALES.names())):
        found = SCALES[name]
        for way in WAYS:
            if "from 1" in way and not (found.lowest != 1 and found.kind == "levels" and numbers):
                continue
            reading = f"{name}, {way}" if way else name
            yield reading, _said(found, way), ValueReading(reading)


def _said(scale: Scale, way: str) -> str:
    low, high = f"{scale.lowest:g}", f"{scale.highest:g}"
    said = translate("{scale} ({low} to {high})", scale=translated(scale.label), low=low, high=high)
    if "from 1" in way:
        said = translate("{scale}, counted from 1 to {n}", scale=said, n=len(scale.values))
    return translate("{scale}, the other way round", scale=said) if "reversed" in way else said


NO_SCALE = frozenset(("rank",))  # places among the texts of one item, which no scale holds

Piece = tuple[int, RawJudgement, MatchedText]
"""A judgement with its place in the table."""
SHOWN = 20


class CriterionPlanner:
    """Puts the criteria of a table into a plan. Where they are not plain, `ask` gives the answer or ""."""

    def __init__(self, study: Study, plan: ImportPlan, ask: Callable[..., str]) -> None:
        self.study, self.plan, self.ask = study, plan, ask
        self.known = {plain(criterion.name): criterion for criterion in Criterion.objects.filter(study=study)}
        listed = study.scales.values_list("line", flat=True)
        self.scales = list(dict.fromkeys([*listed, *(one.scale for one in self.known.values() if is_own(one.scale))]))

    def name(self, given: str) -> str:
        """The study's criterion of that name, else the name as a criterion's can be."""
        own = self.known.get(plain(given))
        return own.name if own else as_criterion_name(given) or "judged"

    def judgements(self, name: str, pieces: Sequence[Piece]) -> list[tuple[int, Judgement]]:
        """The judgements on a criterion, each with its place in the table."""
        values = Counter(piece.value for _, piece, _ in pieces)
        hint = next((piece.scale for _, piece, _ in pieces if piece.scale in SCALES or piece.scale == COUNTED), "")
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
                translate(
                    "No value of {name} stands in {n} of {all}: {where}.",
                    name=name,
                    n=f"{missing.total():,}",
                    all=f"{values.total():,}",
                    where=_where(missing, pieces),
                ),
                LEAVE_OUT,
            )
        if off := wrong - missing:
            self.ask(
                f"off-{name}",
                translate(
                    "Values of {name} that are not on its scale, {n}: {where}.",
                    name=name,
                    n=f"{off.total():,}",
                    where=_where(off, pieces),
                ),
                LEAVE_OUT,
            )
        for place, piece, matched in pieces:
            if (value := own[piece.value]) is not None:
                judgement = Judgement(piece.rater, matched.source, matched.output, matched.style, name, value,
                                      piece.seconds, piece.line, matched.system, matched.number)  # fmt: skip
                placed.append((place, judgement))
        self._keep(name, reading.name, counted=hint == COUNTED)
        self._ask_about_ends(name, reading.name)
        return placed

    def _ask_about_ends(self, name: str, scale: str) -> None:
        """Ask which style each end of a scale means, if the study's styles have other names than its ends."""
        poles, meant = SCALES[scale].poles, {**self.study.poles, **self.plan.poles}
        if poles is None or len(undeclared(poles, self.study.styles, meant)) < len(poles):
            return
        choices = [(style, translate("{end} is {style}", end=poles[1], style=style)) for style in self.study.styles]
        sentence = translate(
            "The scale of {name} goes from {low} to {high}, which are no styles of this study. Which of its styles is "
            "the high end? Without it no system is the better one.", name=name, low=poles[0], high=poles[1],
        )  # fmt: skip
        said = said_ends(poles, self.study.styles).get(poles[1].casefold(), "")
        answer = self.ask(f"ends-{name}", sentence, *choices, ("none", translatable("None of them")), default=said)
        if answer and answer != "none":
            others = [style for style in self.study.styles if style != answer]
            self.plan.poles |= {poles[1]: answer} | ({poles[0]: others[0]} if len(others) == 1 else {})

    def _ask_about_words(
        self, name: str, pieces: Sequence[Piece], values: Counter[str], own: dict[str, float | None]
    ) -> None:
        """Ask whether "1 (unsure)" is a 1; where it is not, or not answered yet, `own` has no value of it."""
        worded = Counter({text: values[text] for text in words_in_passing(values) if own[text] is not None})
        if worded:
            said = translate(
                "Values of {name} with words behind the number, {n}: {where}.", name=name, n=f"{worded.total():,}",
                where=_where(worded, pieces),
            )  # fmt: skip
            answer = self.ask(f"words-{name}", said, ("numbers", translatable("Take the numbers")), LEAVE_OUT)
            if answer != "numbers":
                own.update(dict.fromkeys(worded))
                for text in worded:
                    del values[text]

    def _name_on(self, name: str, scale: str) -> str:
        """The criterion itself; where the study has it on another scale, one of its own."""
        own = self.known.get(plain(name))
        if own is None or own.scale == scale:
            return name
        called = as_criterion_name(short_name(scale))
        return f"{name}_{called if called != name else 'other'}"[:60]

    def _scale_of(self, name: str, values: Counter[str], hint: str) -> str:
        """The reading of the values, which is asked for where it is not plain."""
        own = self.known.get(plain(name))
        some = ", ".join(f"{text} ({count:,})" for text, count in values.most_common(8))
        if name in NO_SCALE:
            why = translate("{name} orders texts and has no scale, so it cannot come in: {some}.", name=name, some=some)
            return self.ask(f"scale-{name}", why, ("leave_out", translatable("Leave it out")))  # fmt: skip
        said = Counter({text: count for text, count in values.items() if not is_missing(text)})
        fitting = list(readings(said, own.scale if own else "", self.scales)) if said else []
        if not fitting:
            fitting = list(readings(_usual(said), own.scale if own else "", self.scales)) if said else []
        if not fitting and not own:
            fitting = likely_readings(said, self.scales)
        if name == BEST_WORST and not own and said and ValueReading(BEST_WORST_SCALE).fits(_usual(said)):
            fitting, hint = (
                [(BEST_WORST_SCALE, translatable("The best is 1, the worst −1, others 0"))],
                BEST_WORST_SCALE,
            )
        proposed = proposed_scale(plain(name), said)
        if proposed and (not own or not ValueReading(own.scale).fits(_usual(said))):
            scale = SCALES[proposed]
            hint = hint or (proposed if name == MARK_SCORE else "")
            said_own = translate(
                "A scale of their own, from {low} to {high}", low=f"{scale.lowest:g}", high=f"{scale.highest:g}"
            )
            fitting.append((proposed, self._apart(said_own, name, proposed) if own else said_own))
        default = hint if hint in dict(fitting) else proposed if hint == COUNTED else ""
        if own:
            if own.scale not in dict(fitting):
                kept = translate("{scale}, as it is", scale=translated(SCALES[own.scale].label))
                fitting.insert(0, (own.scale, kept))
            settled = ValueReading(own.scale).fits(_usual(said))
            another = seems_another_scale(said, own.scale, self.scales)
            default = own.scale if settled and (hint == own.scale or not another) else ""
            if another or not settled:
                fitting += [
                    (reading, self._apart(words, name, ValueReading(reading).name))
                    for reading, words in readings(_usual(said), others=self.scales)
                    if reading not in dict(fitting) and ValueReading(reading).name != own.scale
                ]
        sentence = translate("How are the values of {name} to be read? They are {some}.", name=name, some=some)
        leave_out = ("leave_out", translatable("Leave this criterion out"))
        return self.ask(f"scale-{name}", sentence, *fitting, leave_out, default=default)

    def _apart(self, reading: str, name: str, scale: str) -> str:
        return translate(
            "{reading}, as a criterion of its own, {name}", reading=reading, name=self._name_on(name, scale)
        )

    def _keep(self, name: str, scale: str, *, counted: bool) -> None:
        if own := self.known.get(plain(name)):
            self.plan.criteria.append({"name": name, "scale": scale, "aspect": own.aspect, "beside": own.beside})
            return
        aspect = "overall" if scale == BEST_WORST_SCALE else aspect_named(name.lower())
        if not aspect:
            choices = [
                (aspect_name or "none", aspect_name or translatable("nothing of these"))
                for aspect_name in ("", *ASPECTS)
            ]
            default = "none" if counted else ""
            asked = translate("What does {name} judge?", name=name)
            answer = self.ask(f"aspect-{name}", asked, *choices, default=default)
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

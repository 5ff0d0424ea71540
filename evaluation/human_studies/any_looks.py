"""The main comparison of a plan that is decided at any moment: paired differences in the order in which they came."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotation.effective_annotations import judged_answers
from annotation.scales import SCALES
from corpora.models import System
from evaluation.human_studies.fields import ANY, BETTING
from evaluation.human_studies.sample import material_drawn
from evaluation.models import HumanStudy
from evaluation.numerics import Floats
from evaluation.statistics import named
from evaluation.statistics.betting import Betting, Sequence95
from foundation.text_keys import text_key

Text = tuple[int, str]
FEWEST = 30  # sources before a comparison can be beyond reach
PLACED = (-1.0, 1.0)  # the worst and the best of best-worst scaling


@dataclass(frozen=True)
class Compared:
    """A system against the baseline: the sequence at the moment of the decision, else over all that there is.

    `corrected` is its p at any moment, 1 / e, after e-BH over all systems.
    """

    system: str
    sequence: Sequence95
    corrected: float


@dataclass(frozen=True)
class Decision:
    """`at` is the number of answers after which all systems were told from the baseline; None before that."""

    at: int | None
    answers: int
    planned: int
    compared: list[Compared]

    @property
    def is_made(self) -> bool:
        return self.at is not None


def is_any_time(human_study: HumanStudy) -> bool:
    """Whether its frozen plan decides at any moment."""
    return bool(human_study.frozen) and human_study.plan_at_opening["rules"]["comparison"].get("looks") == ANY


def evidence_of(comparison: Mapping[str, Any]) -> Betting:
    """The e-values that a comparison is decided by; plans from before it could be chosen mean betting."""
    return named(Betting, comparison.get("evidence") or BETTING)


def decision(human_study: HumanStudy, left_out: Collection[str]) -> Decision:
    """The state of a comparison that was planned for any moment.

    A source counts once as many people as planned have judged both texts, with those who are left out; their values are
    then taken away. So the moment at which it counts depends on no value.
    """
    rules = human_study.plan_at_opening["rules"]
    asked = rules["comparison"]
    streams, answers = _streams(human_study, left_out)
    names = list(streams)
    at, e = _first(streams, ends := _ends(human_study, asked["criterion"]), asked["alpha"], evidence_of(asked))
    sequences = {
        name: evidence_of(asked).sequence(differences[: _until(moments, at)], ends, asked["alpha"])
        for name, (moments, differences) in streams.items()
    }
    corrected = _corrected([e[name] for name in names])
    compared = [Compared(name, sequences[name], p) for name, p in zip(names, corrected, strict=True)]
    return Decision(at, answers, rules["planned"]["answers"], compared)


def settled(human_study: HumanStudy, left_out: Collection[str]) -> tuple[list[str], list[str], int]:
    """The systems that e-BH tells from the baseline now, those that it could tell no more, and how many answers.

    A system is beyond reach if, with the sources that are left, even the upper bound of its difference (mean and two
    standard errors) would not make its e-value large enough, as it grows at most.
    """
    asked = human_study.plan_at_opening["rules"]["comparison"]
    streams, answers = _streams(human_study, left_out)
    ends, betting = _ends(human_study, asked["criterion"]), evidence_of(asked)
    e = [
        float(betting.e_values(differences, ends, asked["alpha"])[-1]) if differences else 1.0
        for _, differences in streams.values()
    ]
    told = betting.rejected(e, asked["alpha"])
    needed = np.log(len(e) / asked["alpha"] / min(sum(told) + 1, len(e))) if e else 0.0
    sources = len(human_study.sentence_ids)
    beyond = [
        name
        for name, is_told, value in zip(streams, told, e, strict=True)
        if not is_told and np.log(value) + _growth(np.array(streams[name][1]), sources) < needed
    ]
    return [name for name, is_told in zip(streams, told, strict=True) if is_told], beyond, answers


def _growth(differences: Floats, sources: int) -> float:
    """The most that the logarithm of the e-value grows over the sources that are left, about d^2 / 2 s^2 a source."""
    n = len(differences)
    if n < FEWEST:
        return np.inf
    deviation = max(float(differences.std(ddof=1)), 1e-9)
    most = abs(float(differences.mean())) + 2 * deviation / np.sqrt(n)
    return float((sources - n) * most**2 / (2 * deviation**2))


def open_texts(human_study: HumanStudy, told: Collection[str]) -> set[Text]:
    """The texts of the systems that are not told from the baseline yet, and its own as long as there are such."""
    asked = human_study.plan_at_opening["rules"]["comparison"]
    systems = list(human_study.systems.all())
    compared = asked["systems"] or [system.name for system in systems if system.name != asked["baseline"]]
    rest = [name for name in compared if name not in told]
    texts = _texts(human_study, systems)
    return {text for name in ([*rest, asked["baseline"]] if rest else []) for text in texts.get(name, {}).values()}


def _streams(
    human_study: HumanStudy, left_out: Collection[str]
) -> tuple[dict[str, tuple[list[int], list[float]]], int]:
    """The moments and differences of each system of the comparison, and how many answers there are."""
    asked = human_study.plan_at_opening["rules"]["comparison"]
    values, complete, answers = _values(human_study, asked["criterion"], left_out)
    systems = list(human_study.systems.all())
    texts, baseline = _texts(human_study, systems), asked["baseline"]
    names = asked["systems"] or [system.name for system in systems if system.name != baseline]
    streams = {name: _stream(texts.get(name, {}), texts.get(baseline, {}), values, complete) for name in names}
    return streams, answers


def _values(
    human_study: HumanStudy, criterion: str, left_out: Collection[str]
) -> tuple[dict[Text, list[float]], dict[Text, int], int]:
    """The values of each text without those left out, the answer with which it was complete, and how many answers."""
    people: dict[Text, set[str]] = defaultdict(set)
    values: dict[Text, list[float]] = defaultdict(list)
    complete: dict[Text, int] = {}
    number = 0
    for number, answer in enumerate(judged_answers(human_study.campaigns.all(), by_time=True), 1):
        for text, name, value in answer.said:
            place = answer.sentence, text_key(text)
            if name != criterion or place in complete or answer.pseudonym in people[place]:
                continue
            people[place].add(answer.pseudonym)
            if answer.pseudonym not in left_out:
                values[place].append(float(value))
            if len(people[place]) == human_study.judgements:
                complete[place] = number
    return values, complete, number


def _texts(human_study: HumanStudy, systems: list[System]) -> dict[str, dict[int, Text]]:
    """Each system's text of each drawn sentence."""
    texts: dict[str, dict[int, Text]] = defaultdict(dict)
    for material in material_drawn(human_study, systems):
        for place, (system, text) in enumerate(zip(systems, material.outputs, strict=True)):
            if text or place in material.empty:
                texts[system.name][material.sentence_id] = material.sentence_id, text_key(text)
    return texts


def _stream(
    first: Mapping[int, Text], second: Mapping[int, Text], values: Mapping[Text, list[float]],
    complete: Mapping[Text, int],
) -> tuple[list[int], list[float]]:  # fmt: skip
    """The moments at which sources were complete for both systems, in their order, and the differences."""
    rows = []
    for sentence in first.keys() & second.keys():
        pair = first[sentence], second[sentence]
        if all(text in complete and values.get(text) for text in pair):
            means = [float(np.mean(values[text])) for text in pair]
            rows.append((max(complete[text] for text in pair), sentence, means[0] - means[1]))
    rows.sort()
    return [moment for moment, _, _ in rows], [difference for _, _, difference in rows]


def _ends(human_study: HumanStudy, criterion: str) -> tuple[float, float]:
    """The least and the largest difference on the criterion."""
    scale = next((entry["scale"] for entry in human_study.criteria if entry["name"] == criterion), "")
    values = [float(value) for value in SCALES[scale].values] if scale else PLACED
    span = max(values) - min(values)
    return -span, span


def _first(
    streams: Mapping[str, tuple[list[int], list[float]]], ends: tuple[float, float], alpha: float, betting: Betting
) -> tuple[int | None, dict[str, float]]:
    """The first moment at which e-BH rejects all hypotheses, and the e-values there, else those at the end."""
    e: dict[str, Floats] = {
        name: betting.e_values(differences, ends, alpha) for name, (_, differences) in streams.items()
    }
    moments = sorted({moment for of, _ in streams.values() for moment in of})

    def there(moment: int) -> dict[str, float]:
        reached = {name: _until(of, moment) for name, (of, _) in streams.items()}
        return {name: float(e[name][count - 1]) if count else 1.0 for name, count in reached.items()}

    for moment in moments:
        if streams and all(betting.rejected(list((now := there(moment)).values()), alpha)):
            return moment, now
    return None, there(moments[-1]) if moments else dict.fromkeys(streams, 1.0)


def _until(moments: list[int], at: int | None) -> int:
    """How many come up to a moment; all where there is none."""
    return len(moments) if at is None else int(np.searchsorted(moments, at, side="right"))


def _corrected(e: list[float]) -> list[float]:
    """The least level at which e-BH rejects each."""
    values = np.array(e)
    order = np.argsort(-values, kind="stable")
    levels = len(values) / (np.arange(1, len(values) + 1) * values[order])
    corrected = np.empty(len(values))
    corrected[order] = np.minimum(1, np.minimum.accumulate(levels[::-1])[::-1])
    return [float(p) for p in corrected]

"""Inter-annotator agreement of a campaign: on texts, on choices and on ratings."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np
import orjson
from django.db import connection

from accounts.models import Person
from annotation.attention_checks import AttentionChecks
from annotation.models import Campaign, CampaignMembership
from annotation.scales import SCALES
from annotation.task_types import TASK_TYPES, TaskType
from annotation.task_types.spans import Spans
from evaluation.languages import is_english
from evaluation.metrics import METRICS, MetricInput
from evaluation.numerics import Level
from evaluation.span_agreement import Unit, gamma, overlap
from evaluation.statistics import STATISTICS, AgreementStatistic
from foundation.seeds import generator
from foundation.side_process import in_side_process

# The measured inter-annotator agreement, and its form as JSON.


@dataclass(frozen=True)
class Value:
    """A measure over n items: the mean (or the corpus score), and the lowest and the highest of the items."""

    mean: float
    low: float
    high: float
    n: int


@dataclass(frozen=True)
class Pair:
    """Two people and their measures by name; `a` is the reference of the two, with more experience."""

    a: int
    b: int
    n: int
    values: dict[str, Value]


@dataclass(frozen=True)
class Alpha:
    """Krippendorff's alpha of all people together with its 95% interval; `why` says the reason where there is none."""

    name: str
    level: str
    value: float | None
    raters: int
    units: int
    why: str = ""
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Agreement:
    """`people` are (key, name, answers), the most experienced first, who is the reference.

    `measures` are (name, label). `drawn` is how many of `compared` pairs of texts were looked at. `checks` attention
    checks were left out.
    """

    people: list[tuple[int, str, int]] = field(default_factory=list)
    measures: list[tuple[str, str]] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)
    alphas: list[Alpha] = field(default_factory=list)
    compared: int = 0
    drawn: int = 0
    checks: int = 0

    def against_reference(self) -> dict[str, Value]:
        """The lowest and the highest of the people's means beside the reference by measure, as PLABA reports them."""
        own = [pair for pair in self.pairs if self.people and pair.a == self.people[0][0]]
        values = {name: [pair.values[name] for pair in own if name in pair.values] for name, _ in self.measures}
        return {name: value_range(measured) for name, measured in values.items() if measured}

    def json(self) -> dict[str, Any]:
        reference = {name: asdict(value) for name, value in self.against_reference().items()}
        return {**asdict(self), "against_reference": reference}

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> "Agreement":
        """Read the output of `json`."""
        pairs = [
            Pair(pair["a"], pair["b"], pair["n"], {name: Value(**value) for name, value in pair["values"].items()})
            for pair in stored["pairs"]
        ]
        people = [(person[0], person[1], person[2]) for person in stored["people"]]
        measures = [(measure[0], measure[1]) for measure in stored["measures"]]
        alphas = [Alpha(**alpha) for alpha in stored["alphas"]]
        return cls(people, measures, pairs, alphas, stored["compared"], stored["drawn"], stored.get("checks", 0))


def value_range(values: Sequence[Value]) -> Value:
    """The lowest and the highest mean, and the mean of all items."""
    n = sum(value.n for value in values)
    means = [value.mean for value in values]
    return Value(sum(value.mean * value.n for value in values) / n, min(means), max(means), n)


# How far the people of a campaign agree: on texts, on choices, and on ratings.
#
# On texts as PLABA measured it (Attal et al. 2023): everybody's texts against those of the most experienced annotator,
# who is the reference, and besides everybody's against everybody's. ROUGE-1, ROUGE-2 and ROUGE-L are Google's, F1, of
# English by Porter's stems, as its program asks for; the printed numbers are some 0.02 lower, since the program
# compares with its references' printed list (`evaluation.ngrams.printed_list`). BLEU-4 is sacreBLEU's, cased,
# over all texts of a pair of people together; BERTScore is F1 without idf and rescaling. All are given from 0 to 1.
# Tokens are those of the study's language.

TEXT_METRICS = {"rouge_1": 1.0, "rouge_2": 1.0, "rouge_l": 1.0, "bleu": 100.0, "bertscore": 1.0}
LABELS = {"rouge_1": "ROUGE-1", "rouge_2": "ROUGE-2", "rouge_l": "ROUGE-L", "bleu": "BLEU-4", "bertscore": "BERTScore"}
MOST_PAIRS = 20_000  # of texts that are compared; of more so many are drawn

ANSWERS = """
SELECT a.id, a.person_id, a.item_id, i.sentence_id, a.content, i.content FROM (
    SELECT DISTINCT ON (a.item_id, a.person_id) a.id, a.item_id, a.person_id, a.content
    FROM annotation_answer a JOIN annotation_assignment s ON s.id = a.slot_id AND s.state <> 4
    WHERE a.campaign_id = %(campaign)s AND a.outcome = 'answered' AND NOT a.late AND NOT a.pilot
    ORDER BY a.item_id, a.person_id, a.revision DESC
) a JOIN annotation_item i ON i.id = a.item_id AND NOT i.control AND NOT i.withdrawn
WHERE (SELECT count(DISTINCT o.person_id) FROM annotation_answer o
       WHERE o.item_id = a.item_id AND o.outcome = 'answered' AND NOT o.late AND NOT o.pilot) > 1
ORDER BY i.number, a.person_id
"""
COMPARED = """
SELECT coalesce(sum(n * (n - 1) / 2), 0) FROM (
    SELECT count(DISTINCT person_id) AS n FROM annotation_answer
    WHERE campaign_id = %(campaign)s AND outcome = 'answered' AND NOT late AND NOT pilot GROUP BY item_id
) items
"""


class _Answer:
    __slots__ = ("answer", "content", "item", "key", "person", "sentence")

    def __init__(self, key: int, person: int, item: int, sentence: int | None, answer: str, content: str) -> None:
        self.key, self.person, self.item, self.sentence = key, person, item, sentence
        self.answer, self.content = orjson.loads(answer), orjson.loads(content)


def pairs_to_compare(campaign: Campaign) -> int:
    """How many pairs of answers to one item there are."""
    with connection.cursor() as cursor:
        return int(cursor.execute(COMPARED, {"campaign": campaign.pk}).fetchone()[0])


def measure(
    campaign: Campaign, *, bertscore: bool = False, reference: int | None = None, most: int = MOST_PAIRS,
    step: Callable[[int, int], None] = lambda done, total: None, among: Set[int] | None = None,
) -> Agreement:  # fmt: skip
    """The agreement in a campaign. The reference is the person of that key, else the most experienced one.

    With `among`, the keys of answers, other answers are left out.

    Experience is the number of accepted answers, and then of answers. `bertscore` loads a language model, so it is
    for workers alone. Texts are drawn by the campaign's seed where there are more than `most` pairs of them.
    """
    with connection.cursor() as cursor:
        answers = [_Answer(*row) for row in cursor.execute(ANSWERS, {"campaign": campaign.pk}).fetchall()]
    answers = [answer for answer in answers if among is None or answer.key in among]
    people = _people(campaign, answers, reference)
    kind = TASK_TYPES[campaign.task_type]
    if isinstance(kind, Spans):
        return _on_spans(campaign, _on_choices(campaign, kind, answers, people), _shared(answers, people))
    if type(kind).decisions is not TaskType.decisions:
        return _on_choices(campaign, kind, answers, people)
    if kind.judges():
        return _on_ratings(campaign, kind, answers, people)
    return _on_texts(campaign, kind, answers, people, bertscore, most, step)


def summary(
    campaign: Campaign, *, bertscore: bool = False, answers: Set[int] | None = None
) -> list[tuple[str, str, int]]:
    """(what, value, items or units) for a datasheet: no person is named. With `answers`, of these alone."""
    agreement = measure(campaign, bertscore=bertscore, among=answers)
    lines = [
        (f"{dict(agreement.measures)[name]}, everybody beside the most experienced annotator", _shown(value), value.n)
        for name, value in agreement.against_reference().items()
    ]
    for name, label in agreement.measures:
        values = [pair.values[name] for pair in agreement.pairs if name in pair.values]
        if len(agreement.people) > 2 and values:
            lines.append(
                (f"{label}, all pairs of annotators", _shown(value_range(values)), sum(value.n for value in values))
            )
    alpha_lines = [
        (f"Krippendorff's alpha of {alpha.name} ({alpha.level})", f"{alpha.value:.4f}", alpha.units)
        for alpha in agreement.alphas
        if alpha.value is not None
    ]
    return [*lines, *alpha_lines]


def _shown(value: Value) -> str:
    return f"{value.low:.4f}" if value.low == value.high else f"{value.low:.4f} to {value.high:.4f}"


def _people(campaign: Campaign, answers: Iterable[_Answer], reference: int | None) -> list[tuple[int, str, int]]:
    counts = Counter(answer.person for answer in answers)
    accepted = dict(
        CampaignMembership.objects.filter(campaign=campaign, person__in=counts).values_list("person", "accepted")
    )
    names = {person.pk: str(person) for person in Person.objects.filter(pk__in=counts)}
    order = sorted(counts, key=lambda pk: (pk != reference, -accepted.get(pk, 0), -counts[pk], pk))
    return [(pk, names[pk], counts[pk]) for pk in order]


def _shared(
    all_answers: Iterable[_Answer], people: Sequence[tuple[int, str, int]]
) -> dict[tuple[int, int], list[tuple[_Answer, _Answer]]]:
    """The answers to the same items by pair of people, the more experienced first."""
    rank = {pk: place for place, (pk, _, _) in enumerate(people)}
    items: dict[int, list[_Answer]] = defaultdict(list)
    for answer in all_answers:
        items[answer.item].append(answer)
    shared: dict[tuple[int, int], list[tuple[_Answer, _Answer]]] = defaultdict(list)
    for answers in items.values():
        ordered = sorted(answers, key=lambda answer: rank[answer.person])
        for a, b in combinations(ordered, 2):
            shared[a.person, b.person].append((a, b))
    return dict(sorted(shared.items(), key=lambda pair: (rank[pair[0][0]], rank[pair[0][1]])))


def _on_texts(
    campaign: Campaign, kind: TaskType, all_answers: list[_Answer], people: list[tuple[int, str, int]], bertscore: bool,
    most: int, step: Callable[[int, int], None],
) -> Agreement:  # fmt: skip
    shared = _shared(all_answers, people)
    compared = sum(map(len, shared.values()))
    language = campaign.study.language
    names = [name for name in TEXT_METRICS if name != "bertscore" or (bertscore and not METRICS[name].unavailable())]
    names = [name for name in names if not METRICS[name].undefined_for(language)]
    if compared > most:
        shared = _drawn(shared, most / compared, campaign.seed)
    pairs, done, total = [], 0, sum(map(len, shared.values()))
    for (a, b), answers in shared.items():
        texts = [(_text(kind, first), _text(kind, other)) for first, other in answers]
        texts = [(first, other) for first, other in texts if first and other]
        if texts:
            pairs.append(Pair(a, b, len(texts), {name: _scored(name, texts, language) for name in names}))
        done += len(answers)
        step(done, total)
    return Agreement(people, [(name, LABELS[name]) for name in names], pairs, [], compared, total)


def _drawn(shared: Mapping[Any, list[Any]], part: float, seed: int) -> dict[Any, list[Any]]:
    """At least one of each pair of people, drawn evenly."""
    random = generator(seed, "agreement")
    drawn = {}
    for key, answers in shared.items():
        count = max(1, round(len(answers) * part))
        drawn[key] = [answers[index] for index in sorted(random.choice(len(answers), size=count, replace=False))]
    return drawn


def _text(kind: TaskType, answer: _Answer) -> str:
    texts = kind.texts(answer.answer, answer.content)
    return texts[1] if texts else ""


def _scored(name: str, texts: Sequence[tuple[str, str]], language: str) -> Value:
    """The second texts scored against the first ones."""
    batch = MetricInput([], [other for _, other in texts], [[reference] for reference, _ in texts], language=language)
    settings = {"stem": is_english(language)} if name.startswith("rouge") else {}
    scores = in_side_process(METRICS[name].score, batch, **settings)
    assert scores.corpus is not None, "a metric of texts has a score of all"
    values = scores.sentences / TEXT_METRICS[name]
    return Value(scores.corpus / TEXT_METRICS[name], float(values.min()), float(values.max()), len(texts))


def _on_choices(
    campaign: Campaign, kind: TaskType, all_answers: list[_Answer], people: list[tuple[int, str, int]]
) -> Agreement:
    """Alpha over every place where something could be chosen, and F1 (or the share of equal choices) by pair."""
    chosen = {id(answer): kind.decisions(answer.answer, answer.content, campaign.settings) for answer in all_answers}
    units = [
        (answer.person, f"{answer.item} {name}", value)
        for answer in all_answers
        for name, value in chosen[id(answer)].items()
    ]
    codes = {value: code for code, value in enumerate(sorted({value for _, _, value in units}))}
    alpha = _alpha("choices", units, [codes[value] for _, _, value in units], "nominal")
    yes_or_no = set(codes) <= {"yes", "no"}
    name, label = ("f1", "F1") if yes_or_no else ("equal", "Equal choices")
    score = _f1 if yes_or_no else _equal
    shared = _shared(all_answers, people)
    pairs = []
    for (a, b), answers in shared.items():
        items = [score([(chosen[id(first)], chosen[id(other)])]) for first, other in answers]
        together = score([(chosen[id(first)], chosen[id(other)]) for first, other in answers])
        pairs.append(Pair(a, b, len(answers), {name: Value(together, min(items), max(items), len(answers))}))
    compared = sum(map(len, shared.values()))
    return Agreement(people, [(name, label)], pairs, [alpha], compared, compared)


SPANS = {"f1": "F1 of words", "characters": "F1 of characters", "severities": "F1 of characters and severities",
         "gamma": "Gamma"}  # fmt: skip


def _on_spans(
    campaign: Campaign, words: Agreement, shared: Mapping[tuple[int, int], list[tuple[_Answer, _Answer]]]
) -> Agreement:
    """That over words, and of the marks as spans: gamma, and F1 of characters without and with their severities."""
    pairs = []
    for pair in words.pairs:
        answers = shared[pair.a, pair.b]
        values = {
            name: _overlapping([(_units(one, key), _units(other, key)) for one, other in answers])
            for name, key in (("characters", ""), ("severities", "severity"))
        }
        texts = [text for one, other in answers for text in _marked_sides(one, other)]
        found = gamma(texts, campaign.seed)
        if found.value is not None:
            values["gamma"] = Value(found.value, found.value, found.value, len(answers))
        pairs.append(replace(pair, values={**pair.values, **values}))
    return replace(words, measures=list(SPANS.items()), pairs=pairs)


def _overlapping(texts: Sequence[tuple[list[Unit], list[Unit]]]) -> Value:
    each = [overlap([text]).f1 for text in texts]
    return Value(overlap(texts).f1, min(each), max(each), len(texts))


def _units(answer: _Answer, kind: str, side: str = "") -> list[Unit]:
    """The marks of both texts, those of the source behind the output; or of one side."""
    behind = len(answer.content["candidates"][0]) if not side else 0
    return [
        Unit(mark["start"] + by, mark["end"] + by, mark[kind] if kind else "")
        for mark in answer.answer["marks"]
        if side in ("", mark["side"])
        for by in [behind if mark["side"] == "source" else 0]
    ]


def _marked_sides(one: _Answer, other: _Answer) -> Iterator[tuple[int, list[Unit], list[Unit]]]:
    """Each text with the units of both people, by their kinds, or by severities where there are no kinds."""
    for side, text in (("source", one.content["source"]), ("output", one.content["candidates"][0])):
        kinds = [mark["kind"] for answer in (one, other) for mark in answer.answer["marks"]]
        key = "kind" if any(kinds) else "severity"
        yield len(text), _units(one, key, side), _units(other, key, side)


def _f1(pairs: Iterable[tuple[Mapping[str, str], Mapping[str, str]]]) -> float:
    """F1 of the choices of both among the choices of either; 1 where neither chose anything."""
    both = either = 0
    for first_choices, second_choices in pairs:
        first, second = (
            {name for name, value in each.items() if value == "yes"} for each in (first_choices, second_choices)
        )
        both, either = both + len(first & second), either + len(first) + len(second)
    return 2 * both / either if either else 1.0


def _equal(pairs: Iterable[tuple[Mapping[str, str], Mapping[str, str]]]) -> float:
    """The share of equal choices among the places where both chose."""
    said = [one[name] == other[name] for one, other in pairs for name in one.keys() & other.keys()]
    return sum(said) / len(said) if said else 1.0


def _on_ratings(
    campaign: Campaign, kind: TaskType, all_answers: list[_Answer], people: list[tuple[int, str, int]]
) -> Agreement:
    """Alpha of each criterion at its scale's level; of ranks, at the ordinal one. Attention checks are left out."""
    levels = {
        criterion["name"]: SCALES[criterion["scale"]].measurement for criterion in campaign.settings.get("criteria", [])
    }
    checks, rated = AttentionChecks([campaign.pk]), []
    rows: dict[str, list[tuple[int, str, float]]] = defaultdict(list)
    for answer in all_answers:
        said = kind.judgements(answer.answer, answer.content, campaign.settings)
        counted = list(checks.without(campaign.pk, answer.sentence, said))
        rated += [answer] if counted else []
        for text, criterion, value in counted:
            rows[criterion].append((answer.person, f"{answer.item} {text}", float(value)))
    alphas = [
        _alpha(criterion, units, [value for _, _, value in units], levels.get(criterion, "ordinal"))
        for criterion, units in rows.items()
    ]
    compared = sum(map(len, _shared(rated, people).values()))
    return Agreement(people, alphas=alphas, compared=compared, drawn=compared, checks=len(checks))


def _alpha(name: str, units: Sequence[tuple[int, str, Any]], values: Sequence[float], level: Level) -> Alpha:
    statistic = STATISTICS["krippendorff_alpha"]
    assert isinstance(statistic, AgreementStatistic)
    raters, items = [str(person) for person, _, _ in units], [unit for _, unit, _ in units]
    result = statistic.agree(raters, items, np.array(values, dtype=np.float64), level)
    return Alpha(name, level, result.value, result.raters, result.items, result.undefined, result.low, result.high)

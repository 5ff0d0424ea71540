"""The answers of each person in human studies."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from statistics import fmean, median
from typing import NamedTuple

import numpy as np
from django.db.models import QuerySet

from annotation.answer_export.rows import TextOrigins
from annotation.effective_annotations import JudgedAnswer, judged_answers
from annotation.models import Item
from annotation.scales import SCALES
from annotation.task_types.best_worst import CRITERION as BEST_WORST
from corpora.models import Sentence, Study
from evaluation.attention_checks import ATTENTION_CHECKS
from evaluation.correlation import Variable
from evaluation.human_studies.plan_validation import ATTENTION_CHECK_RULES
from evaluation.models import HumanStudy
from evaluation.numerics import Test, all_same, mid_ranks
from evaluation.statistics import mann_whitney, spearman
from foundation.polarity import better_end
from foundation.text_keys import text_key
from foundation.translation import translatable

FEW_CONTROLS = translatable("A test needs {fewest} attention checks; this person rated {n}.")
TOO_QUICK = translatable("The median answer took {seconds} seconds, and {bound} are asked for.")
MISSED = translatable("{bad} of {n} attention checks were not rated lower, more than {percent}%.")
FAILED = translatable("Attention checks were not rated lower than others (p = {p}; at most {bound} is asked for).")

# The answers of people in the campaigns of human studies, those that count.

Place = tuple[int, str]  # a sentence and the key of a text


@dataclass
class Worker:
    """The seconds of each answer, and the values by criterion (`rank` and `best_worst` too) and place."""

    answers: int = 0
    seconds: list[float] = field(default_factory=list)
    values: dict[str, dict[Place, float]] = field(default_factory=lambda: defaultdict(dict))

    def add(self, answer: JudgedAnswer) -> None:
        self.answers += 1
        if answer.seconds is not None:
            self.seconds.append(answer.seconds)
        for text, criterion, value in answer.said:
            self.values[criterion][answer.sentence, text_key(text)] = float(value)

    def join(self, other: "Worker") -> None:
        """Take over the same person's answers from elsewhere."""
        self.answers += other.answers
        self.seconds += other.seconds
        for name, values in other.values.items():
            self.values[name].update(values)


def workers_of(human_study: HumanStudy) -> dict[str, Worker]:
    """The answers of each person in all campaigns of a human study, attention checks among them, by pseudonym."""
    workers: dict[str, Worker] = defaultdict(Worker)
    for answer in judged_answers(human_study.campaigns.all(), paced=True, with_checks=True):
        workers[answer.pseudonym].add(answer)
    return dict(workers)


def sums_of(workers: Mapping[str, Worker]) -> dict[str, dict[Place, tuple[float, int]]]:
    """By criterion and place, the sum of everybody's values and their number."""
    sums: dict[str, dict[Place, tuple[float, int]]] = defaultdict(dict)
    for worker in workers.values():
        for name, values in worker.values.items():
            totals = sums[name]
            for place, value in values.items():
                total, count = totals.get(place, (0.0, 0))
                totals[place] = (total + value, count + 1)
    return dict(sums)


# The attention checks of a human study, by the keys under which their judgements are found.


class KeptCheck(NamedTuple):
    """A check: its sentence, the key of its text, its kind, and the key of the text that it was made of."""

    sentence: int
    key: str
    kind: str
    of: str


def kept_checks(human_study: HumanStudy) -> list[KeptCheck]:
    """The checks that were made when the human study opened.

    Those of studies that opened before texts were told apart by case are kept by keys in small letters. The frozen plan
    holds a digest of them, so they stay as they are, and the texts are looked up among those that raters were shown.
    """
    kept = human_study.control_texts
    folded = {check["sentence"] for check in kept if "key" in check}
    shown: dict[tuple[int, str], str] = {}
    if folded:
        items = Item.objects.filter(campaign__in=human_study.campaigns.all(), sentence__in=folded).order_by("pk")
        for sentence, content in items.values_list("sentence_id", "content"):
            for text in content.get("candidates", []):
                shown.setdefault((sentence, text.strip().casefold()), text_key(text))
    return [
        KeptCheck(check["sentence"], text_key(check["text"]), check["kind"], text_key(check["of_text"]))
        if "text" in check
        else KeptCheck(
            check["sentence"], shown.get((check["sentence"], check["key"]), check["key"]), check["kind"],
            shown.get((check["sentence"], check["of"]), check["of"]),
        )
        for check in kept
    ]  # fmt: skip


def uncounted_checks(human_study: HumanStudy) -> set[Place]:
    """The checks that count nowhere: all but those whose text some system has written too, by now."""
    checks = {(check.sentence, check.key) for check in kept_checks(human_study)}
    if not checks:
        return checks
    origins = TextOrigins(human_study.study)
    origins.read(sentence for sentence, _ in checks)
    return checks - origins.outputs.keys()


def checks_of_campaigns(campaigns: Collection[int]) -> dict[int, set[Place]]:
    """The checks that count nowhere, by the campaigns among these in which they are judged."""
    opened = HumanStudy.objects.filter(campaigns__in=campaigns).exclude(control_texts=[]).distinct()
    found: dict[int, set[Place]] = {}
    for human_study in opened.select_related("study").prefetch_related("campaigns"):
        checks = uncounted_checks(human_study)
        found |= {campaign.pk: checks for campaign in human_study.campaigns.all()}
    return found


# Tests of raters on attention checks: whether they rated them lower than ordinary texts.

FEWEST_CONTROLS = 3
Turns = Mapping[str, dict[int, int]]


def tests_of_workers(human_studies: Sequence[HumanStudy], known: Mapping[str, Worker]) -> dict[str, Test]:
    """The attention test of each worker; nobody's where there are no attention checks."""
    spoilt = _spoilt(human_studies)
    if not spoilt:
        return {}
    turns = _turns(human_studies)
    return {person: _test(worker, spoilt, turns) for person, worker in known.items()}


def missed_checks(human_study: HumanStudy, worker: Worker) -> tuple[int, int]:
    """How many attention checks the worker did not rate lower than the texts they were made of, and of how many.

    If such a text was not judged beside its check, the middle of the worker's ratings of ordinary texts stands for it.
    """
    spoilt, turns = _spoilt([human_study]), _turns([human_study])
    count = [0, 0]
    for check in kept_checks(human_study):
        place = (check.sentence, check.key)
        worse = [
            _fell(worker, place, (check.sentence, check.of), spoilt, turns, name) for name in spoilt.get(place, ())
        ]
        differences = [value for value in worse if value is not None]
        if differences:
            count[0] += sum(np.sign(differences)) <= 0
            count[1] += 1
    return count[0], count[1]


def _spoilt(human_studies: Sequence[HumanStudy]) -> dict[Place, set[str]]:
    """The criteria on which each attention check is worse than the text it was made of."""
    spoilt: dict[Place, set[str]] = {}
    for human_study in human_studies:
        for check in kept_checks(human_study):
            aspects = ATTENTION_CHECKS[check.kind].spoils
            wanted = [
                criterion for criterion in human_study.criteria if criterion["aspect"] in aspects
            ] or human_study.criteria
            spoilt[check.sentence, check.key] = {criterion["name"] for criterion in wanted}
    return spoilt


def _turns(human_studies: Sequence[HumanStudy]) -> Turns:
    """By criterion and sentence 1 where lower is worse, and -1 where higher is: of formality, where the formal is made
    informal. A sentence in whose direction neither end is the better one is not there, nor is any of a criterion whose
    levels have no order: nothing is told by it."""
    turns: Turns = defaultdict(dict)
    for human_study in human_studies:
        rows = Sentence.objects.filter(pk__in=human_study.sentence_ids).values_list("pk", "direction__target_style")
        for sentence, target in rows:
            for criterion in human_study.criteria:
                scale = SCALES[criterion["scale"]]
                better = better_end(scale.poles, target, human_study.study.poles)
                if better is not None and scale.is_ordered:
                    turns[criterion["name"]][sentence] = 1 if better else -1
    return turns


def _test(worker: Worker, spoilt: Mapping[Place, set[str]], turns: Turns) -> Test:
    """A text's value is the mean of its places among the worker's own ratings on the criteria that count for it, those
    of sentences with one good end among themselves."""
    criteria = sorted({name for names in spoilt.values() for name in names})
    control: dict[Place, list[float]] = defaultdict(list)
    ordinary: dict[Place, list[float]] = defaultdict(list)
    for name, sign in product(criteria, (1, -1)):
        given = worker.values.get(name, {})
        values = {place: value for place, value in given.items() if turns[name].get(place[0]) == sign}
        if not values:
            continue
        ranks = mid_ranks([sign * value for value in values.values()]) / len(values)
        for place, rank in zip(values, ranks.tolist(), strict=True):
            if place not in spoilt:
                ordinary[place].append(rank)
            elif name in spoilt[place]:
                control[place].append(rank)
    low, rest = [fmean(ratings) for ratings in control.values()], [fmean(ratings) for ratings in ordinary.values()]
    if len(low) < FEWEST_CONTROLS:
        said = FEW_CONTROLS.format(fewest=FEWEST_CONTROLS, n=len(low))
        return Test(None, None, len(low), undefined=said)

    if not rest:
        return Test(None, None, len(low), undefined=translatable("No ordinary text was rated."))
    if all_same(np.array(low + rest)):
        return Test(None, 1.0, len(low) + len(rest), undefined="")  # one value for all: they tell nothing apart
    return mann_whitney.compare(low, rest, direction="less")


def _fell(
    worker: Worker, place: Place, of: Place, spoilt: Mapping[Place, set[str]], turns: Turns, name: str
) -> float | None:
    """The distance of the attention check below the text it was made of; None where the worker did not rate it."""
    values, turn = worker.values.get(name, {}), turns[name].get(place[0])
    if place not in values or turn is None:
        return None
    ordinary = [value for other, value in values.items() if other not in spoilt and turns[name].get(other[0]) == turn]
    if of not in values and not ordinary:
        return None
    return turn * (values.get(of, median(ordinary or [0.0])) - values[place])


# Exclusions: the people whose judgements a filtered report leaves out, with the reasons.

FEWEST_ANSWERS = 5  # of a worker, before anything is said of how they answer
FEWEST_VALUES = 10  # of a worker on a criterion, likewise
BY_HAND = "Left out by hand"
Reasons = dict[str, str]


def screened(study: Study) -> tuple[Reasons, dict[str, Test]]:
    """The people whom the rules of the study's human studies leave out, and the attention tests, by pseudonym.

    The reason is said of each. A test says whether a rater's attention checks are rated lower than ordinary texts
    (Mann-Whitney), over all human studies of the study.
    """
    reasons: Reasons = {}
    tests: dict[str, Test] = {}
    everything: dict[str, Worker] = {}
    screening = [
        human_study
        for human_study in opened_studies(study)
        if human_study.control_texts or rules_of(human_study) or human_study.excluded
    ]
    for human_study in screening:
        workers = workers_of(human_study)
        reasons = exclusions_of(human_study, workers) | reasons
        for person, worker in workers.items():
            everything.setdefault(person, Worker()).join(worker)
    if everything:
        tests = tests_of_workers(screening, everything)
    return reasons, tests


def left_out_elsewhere(study: Study) -> Reasons:
    """The raters of whom an import said that filtered judgements are without them, with the reasons."""
    return dict(study.rater_traits.exclude(left_out="").values_list("worker", "left_out"))


def left_out_of(study: Study) -> Reasons:
    """All raters whom filtered judgements are without, with the reasons."""
    return left_out_elsewhere(study) | screened(study)[0]


def opened_studies(study: Study) -> QuerySet[HumanStudy]:
    """The human studies that opened, whatever became of them."""
    return study.human_studies.exclude(frozen=None).prefetch_related("campaigns")


def rules_of(human_study: HumanStudy) -> dict[str, float]:
    """The rules as they stand now; those about attention checks only where they are to be used."""
    applied = human_study.exclusions.items()
    return {name: bound for name, bound in applied if human_study.use_controls or name not in ATTENTION_CHECK_RULES}


def exclusions_of(human_study: HumanStudy, workers: Mapping[str, Worker]) -> Reasons:
    """The workers who are left out by the rules of one human study, or by hand, with the reasons."""
    rules = rules_of(human_study)
    said = {name: _SAYING[name](human_study, workers, bound) for name, bound in rules.items()}
    said["by hand"] = {exclusion["person"]: f"{BY_HAND}: {exclusion['reason']}" for exclusion in human_study.excluded}
    return {
        person: " ".join(reasons[person] for reasons in said.values() if person in reasons)
        for person in workers
        if any(person in reasons for reasons in said.values())
    }


def _too_quick(human_study: HumanStudy, workers: Mapping[str, Worker], bound: float) -> Reasons:
    medians = {
        person: median(worker.seconds) for person, worker in workers.items() if len(worker.seconds) >= FEWEST_ANSWERS
    }
    return {
        person: TOO_QUICK.format(seconds=f"{seconds:.1f}", bound=f"{bound:g}")
        for person, seconds in medians.items()
        if seconds < bound
    }


def _missed_too_many(human_study: HumanStudy, workers: Mapping[str, Worker], bound: float) -> Reasons:
    counts = {person: missed_checks(human_study, worker) for person, worker in workers.items()}
    return {
        person: MISSED.format(bad=bad, n=all_, percent=f"{100 * bound:g}")
        for person, (bad, all_) in counts.items()
        if all_ >= FEWEST_CONTROLS and bad > bound * all_
    }


def _failed_test(human_study: HumanStudy, workers: Mapping[str, Worker], bound: float) -> Reasons:
    tests = tests_of_workers([human_study], workers)
    return {
        person: FAILED.format(p=f"{test.p:.3f}", bound=f"{bound:g}")
        for person, test in tests.items()
        if test.p is not None and test.p > bound
    }


def _alone(human_study: HumanStudy, workers: Mapping[str, Worker], bound: float) -> Reasons:
    agreements = agreements_in(human_study, workers)
    return {
        person: f"Agreement with the others is {value:.2f}, and {bound:g} is asked for."
        for person, value in agreements.items()
        if value < bound
    }


def agreements_in(human_study: HumanStudy, workers: Mapping[str, Worker]) -> dict[str, float]:
    """Spearman's rho of a person's ratings and the others' mean of the same texts, the mean over criteria.

    Attention checks are none of these texts.

    Ranks and the best and worst count as criteria; those whose levels have no order do not. People are left out whose
    ratings of each criterion are one value, or rest on too few texts rated by others.
    """
    sums, checks = sums_of(workers), uncounted_checks(human_study)
    unordered = {entry["name"] for entry in human_study.criteria if not SCALES[entry["scale"]].is_ordered}
    agreements = {}
    for person, worker in workers.items():
        values = []
        for name, own in [of for of in worker.values.items() if of[0] not in unordered]:
            ordinary = [(place, value) for place, value in own.items() if place not in checks]
            shared = [(value, *sums[name][place]) for place, value in ordinary if sums[name][place][1] > 1]
            if len(shared) >= FEWEST_VALUES:
                mine, totals, counts = np.array(shared).T
                others = (totals - mine) / (counts - 1)
                if not all_same(mine) and not all_same(others):
                    values.append(spearman.rho(Variable(mine), Variable(others)))
        if values:
            agreements[person] = fmean(values)
    return agreements


def _one_value(human_study: HumanStudy, workers: Mapping[str, Worker], bound: float) -> Reasons:
    shares = {person: straightness(worker) for person, worker in workers.items()}
    return {
        person: f"{100 * part:.0f}% of the ratings of a criterion are one value, more than {100 * bound:g}%."
        for person, part in shares.items()
        if part is not None and part > bound
    }


def straightness(worker: Worker) -> float | None:
    """The share of a criterion's ratings that are its most frequent value, the mean over criteria.

    Best and worst do not count, since most of many texts are neither.
    """
    rated = [list(values.values()) for name, values in worker.values.items() if name != BEST_WORST]
    given = [values for values in rated if len(values) >= FEWEST_VALUES]
    return fmean(Counter(values).most_common(1)[0][1] / len(values) for values in given) if given else None


_SAYING: dict[str, Callable[[HumanStudy, Mapping[str, Worker], float], Reasons]] = {
    "least_seconds": _too_quick,
    "most_missed": _missed_too_many,
    "control_p": _failed_test,
    "least_agreement": _alone,
    "straight_lining": _one_value,
}

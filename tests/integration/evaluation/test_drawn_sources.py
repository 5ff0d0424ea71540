"""By system, the report's intervals are those of scores and means over the drawn sources, worked out from the texts."""

from functools import cache, partial
from itertools import combinations
from uuid import uuid4

import numpy as np
import pytest
from django.utils import timezone
from scipy import stats
from support import campaigns
from support.plain_statistics import leaderboard

from annotation.campaigns.criteria import keep_criteria
from annotation.models import Answer, CampaignMembership
from corpora.actions.add_direction import add_direction
from corpora.actions.add_references import add_references
from corpora.actions.add_sources import add_sources
from corpora.actions.add_system import add_system
from corpora.actions.create_study import create_study
from corpora.formats import Judgement as Given
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.import_ratings import import_ratings
from evaluation.actions.make_report import make_report
from evaluation.metrics import METRICS, MetricInput
from evaluation.reporting.correlations import DRAWS, SEED
from evaluation.resampling import Bootstrap

pytestmark = pytest.mark.django_db
SOURCES = [
    "hey there you",
    "what up man",
    "gotta go home now",
    "so long old pal",
    "me too",
    "no way jose",
    "hey there  you",
]
FORMAL = [
    "Hello to you.",
    "How are you?",
    "I have to leave now.",
    "Farewell.",
    "I agree.",
    "No, thank you.",
    "Hello to you.",
]
HOMES = [0, 1, 2, 3, 4, 5, 0]  # the last source is the first one again
SYSTEMS = {
    "Good": ["Hello to you.", "How are you, man?", "I must leave.", "Farewell.", "I agree.", "No way.", "Good day."],
    "Copy": SOURCES,
    "Half": ["Hello there you", "What are you?", "I gotta go home.", None, "me, I agree.", "No, Jose.", "Hello you."],
    "Loud": ["HELLO.", "HOW?", "I HAVE TO GO.", "BYE.", "ME.", "NO.", "HI."],
    "Long": [f"Well, {text} I have to say." for text in FORMAL],
}  # fmt: skip
WRITTEN = {
    name: {HOMES[place] for place, text in enumerate(outputs) if text is not None} for name, outputs in SYSTEMS.items()
}
VALUES = {  # by system: the ratings of the first five sources; the sixth is judged by nobody
    "Good": [[3, 2], [2], [3], [2, 3], [1]],
    "Copy": [[-3], [-2, -3], [-1], [-3], [-2]],
    "Half": [[0, 1], [1], [-1, 0], [], [2]],
    "Loud": [[1], [-1], [0, 2], [-2], [0]],
    "Long": [[2], [1, 1], [2], [0], [-1, 3]],
}


@pytest.fixture
def study():
    made = create_study(slug="mail", title="Mail", styles=["informal", "formal"])
    direction = add_direction(study=made, source_style="informal", target_style="formal")
    add_sources(direction=direction, texts=SOURCES)
    add_references(direction=direction, texts=FORMAL, origin="a file")
    for name, outputs in SYSTEMS.items():
        add_system(study=made, name=name, outputs={direction: outputs}, origin="a file", allows_missing=True)
    keep_criteria(made, [{"name": "formality", "scale": "formality_7", "aspect": "style", "beside": "nothing"}])
    return made


def rate(study):
    rows = [
        Given(f"w{number}", SOURCES[place], SYSTEMS[name][place], "formal", "formality", value, None, 2)
        for name, by_source in VALUES.items()
        for place, values in enumerate(by_source)
        for number, value in enumerate(values)
    ]
    import_ratings(study=study, format="mturk", file_name="ratings.csv", judgements=rows)


def ids_of(study):
    return list(study.directions.get().sentences.order_by("number").values_list("pk", flat=True))


def drawn(study, judged):
    """Each of the report's draws: how often it holds each of the six sources, of which those at `judged` are judged."""
    ids = ids_of(study)[:6]
    draws = Bootstrap([ids[place] for place in judged], DRAWS, SEED, beside=ids)
    return draws.sums([(np.array(ids), np.eye(6))])[0].astype(int)


def corpus(metric, name, times):
    return _corpus(metric, name, tuple(times))


@cache  # six sources are drawn in 462 ways, and most ways come several times
def _corpus(metric, name, times):
    places = [i for i, home in enumerate(HOMES) for _ in range(times[home]) if SYSTEMS[name][i]]
    if not places:
        return np.nan
    outputs = [SYSTEMS[name][i] for i in places]
    return metric.score(MetricInput([SOURCES[i] for i in places], outputs, [[FORMAL[i]] for i in places])).corpus


def comparable(number, sources, times):
    """Each system's number in a draw; where systems have different `sources`, what fits the differences of each two
    over those that both have."""
    if len(set(map(frozenset, sources.values()))) == 1:
        return [number(name, times) for name in SYSTEMS]
    known = cache(lambda name, both: number(name, [n * (place in both) for place, n in enumerate(times)]))
    compared = {}
    for a, b in combinations(SYSTEMS, 2):
        both = frozenset(sources[a] & sources[b])
        compared[a, b] = known(a, both) - known(b, both), len(both)
    sizes = {name: len(of) for name, of in sources.items()}
    return [*leaderboard.fitted(dict.fromkeys(SYSTEMS, 0.0), sizes, compared, list(SYSTEMS)).values()]


def entry(report, *names):
    keys = ("level", "metric", "criterion", "coefficient")
    (found,) = [one for one in report.content["correlations"] if tuple(one[key] for key in keys) == names]
    return found


def same_interval(found, scores, means):
    values = [stats.pearsonr(*pair).statistic for pair in zip(scores, means, strict=True) if np.isfinite(pair).all()]
    assert (found["low"], found["high"]) == pytest.approx(tuple(np.percentile(values, [2.5, 97.5])), abs=1e-9)
    assert found["low"] < found["value"] < found["high"]
    assert (found["n"], found["undefined"]) == (5, "")


@pytest.mark.parametrize("name", ["bleu", "edit_distance"])
def test_the_interval_is_that_of_the_drawn_texts_and_judgements(study, name):
    rate(study)
    choose_metrics(study=study, metrics={name: {}})
    report = make_report(study=study)

    def human(system, times):
        given = VALUES[system]
        values = [np.mean(given[i]) for i in range(5) if given[i] for _ in range(times[i])]
        return np.mean(values) if values else np.nan

    judged = {system: {i for i in range(5) if VALUES[system][i]} for system in SYSTEMS}
    scores, means = [], []
    for times in drawn(study, judged=range(5)):
        scores.append(comparable(partial(corpus, METRICS[name]), WRITTEN, times))
        means.append(comparable(human, judged, times))
    same_interval(entry(report, "system", name, "formality", "pearson"), scores, means)


def test_mean_ranks_are_over_the_drawn_sources_too(study):
    """Four sources are ranked by one or two people; a source counts once, however many ranked it."""
    campaign = campaigns.campaign(study, "rank", systems=list(study.systems.all()))
    people = [campaigns.person(study=study) for _ in range(2)]
    numbers = np.random.default_rng(5)
    ranks: dict[str, dict[int, list[int]]] = {name: {} for name in SYSTEMS}
    items = {item.sentence_id: item for item in campaign.items.all()}
    ids = ids_of(study)
    for home in (0, 1, 2, 4):
        item = items[ids[home]]
        for person in people[: 1 + home % 2]:
            places = list(map(int, numbers.permutation(len(item.content["candidates"])) + 1))
            answer(campaign, item, person, places)
            for candidate, place in zip(item.content["candidates"], places, strict=True):
                for name in SYSTEMS:
                    if SYSTEMS[name][home] == candidate:
                        ranks[name].setdefault(home, []).append(place)
    choose_metrics(study=study, metrics={"pinc": {}})
    report = make_report(study=study)
    scores, means = [], []
    for times in drawn(study, judged=(0, 1, 2, 4)):
        scores.append(comparable(partial(corpus, METRICS["pinc"]), WRITTEN, times))
        each = [[np.mean(by[home]) for home in by for _ in range(times[home])] for by in ranks.values()]
        means.append([np.mean(given) if given else np.nan for given in each])
    same_interval(entry(report, "system", "pinc", "rank", "pearson"), scores, means)


def test_a_rater_who_ranks_a_doubled_source_twice_has_placed_a_system_once(study):
    campaign = campaigns.campaign(study, "rank", systems=list(study.systems.all()))
    person = campaigns.person(study=study)
    for number, best in ((1, "Loud"), (7, "Half")):
        item = campaign.items.get(sentence__number=number)
        texts = item.content["candidates"]
        answer(campaign, item, person, [1 if text == SYSTEMS[best][number - 1] else 2 for text in texts])
    report = make_report(study=study)
    human = {one["name"]: one["human"]["rank"] for one in report.content["systems"]}
    assert {name: one["mean"] for name, one in human.items()} == {
        "Good": 2, "Copy": 2, "Half": 2, "Loud": 1, "Long": 2
    }  # fmt: skip
    assert all(one["n"] == 1 for one in human.values())


def answer(campaign, item, person, places):
    CampaignMembership.objects.get_or_create(campaign=campaign, person=person)
    return Answer.objects.create(
        campaign=campaign, item=item, assignment=item.assignments.first(), person=person, content={"ranks": places},
        guideline_version=1, key=uuid4(), submitted_at=timezone.now(),
    )  # fmt: skip

"""Judgements become pairs of which one is preferred: by whom, by how much, and never out of the test split."""

import pytest
from support import campaigns as make

from annotation.campaigns.criteria import keep_criteria
from corpora.formats import Judgement as Given
from corpora.models import Output, Sentence
from evaluation.actions.close_human_study import close_human_study
from evaluation.actions.exclude_rater import exclude_rater
from evaluation.actions.import_ratings import import_ratings
from evaluation.actions.open_human_study import open_human_study
from evaluation.actions.plan_human_study import plan_human_study
from evaluation.preference_pairs import judged_pairs
from foundation.errors import UserError
from modelserving.training_runs.preferences import JudgedPair, JudgedPairs, usable_pairs

pytestmark = pytest.mark.django_db
SOURCE = "gotta see number {} , u know"
CRITERIA = [
    {"name": "fluency", "scale": "fluency_5", "aspect": "fluency", "beside": "nothing"},
    {"name": "formality", "scale": "formality_7", "aspect": "style", "beside": "nothing"},
]
ALL = {"criterion": "", "least_margin": 0.0}


def output(n, manner):
    return f"You should see {n} in manner {manner}."


@pytest.fixture
def study():
    """Six sources, two to train on, one to tune on and three to test on, with outputs of three systems."""
    made = make.study(items=6, systems=3)
    for split, numbers in ((Sentence.Split.TRAIN, (1, 2)), (Sentence.Split.TUNE, (3,))):
        Sentence.objects.filter(direction__study=made, number__in=numbers).update(split=split)
    keep_criteria(made, CRITERIA)
    return made


def rate(study, rows, criterion="fluency"):
    """(rater, number of the source, {number of the system: value})."""
    given = [
        Given(rater, SOURCE.format(n), output(n, manner), "formal", criterion, value, None, 2)
        for rater, n, values in rows
        for manner, value in values.items()
    ]
    import_ratings(study=study, format="table", file_name="ratings.csv", judgements=given)


def shown(work):
    """The texts of an item in the order in which the person sees them."""
    return [work.content["candidates"][place] for place in work.order]


def pairs(study, criterion=""):
    return judged_pairs(study.directions.get(), criterion)


def test_a_pair_has_the_raters_votes_as_its_margin(study):
    """Three raters: two for the first system, one against; a fourth for whom they tie counts among all votes."""
    rate(study, [("a", 1, {1: 5, 2: 3}), ("b", 1, {1: 4, 2: 3}), ("c", 1, {1: 1, 2: 2}), ("d", 1, {1: 2, 2: 2})])
    assert pairs(study).pairs == [JudgedPair("train", SOURCE.format(1), output(1, 1), output(1, 2), 0.25, 4)]


def test_only_one_raters_own_comparisons_vote(study):
    """Two raters, a text each: nobody compared them, whatever the numbers say."""
    rate(study, [("a", 1, {1: 5}), ("b", 1, {2: 1})])
    assert pairs(study).pairs == []


def test_as_many_votes_for_each_are_a_tie_which_is_counted(study):
    rate(study, [("a", 1, {1: 5, 2: 3, 3: 5}), ("b", 1, {1: 2, 2: 3})])
    found = pairs(study)
    assert found.ties == 2, "one vote for each; and one rater who finds two alike"
    assert [(pair.better, pair.worse) for pair in found.pairs] == [(output(1, 3), output(1, 2))]


def test_the_better_end_is_that_of_the_direction_and_all_criteria_vote(study):
    rate(study, [("a", 1, {1: 3, 2: -2})], "formality")
    rate(study, [("a", 1, {1: 2, 2: 4}), ("b", 1, {1: 2, 2: 4})])
    assert pairs(study, "formality").pairs[0].better == output(1, 1)
    assert pairs(study, "fluency").pairs[0].better == output(1, 2)
    both = pairs(study).pairs[0]
    assert (both.better, both.margin, both.votes) == (output(1, 2), pytest.approx(1 / 3), 3)
    with pytest.raises(UserError, match="Nobody judged 'grace'; there are judgements on fluency, formality"):
        pairs(study, "grace")


def test_ranks_have_the_first_place_as_the_better_end_and_the_middle_of_best_worst_is_not_compared(study):
    systems = list(study.systems.all())
    for kind in ("rank", "best_worst"):
        campaign = make.campaign(study, kind, systems=systems)
        who = make.person(study=study)
        work = make.held(campaign, who)
        manners = [int(text.split()[-1][0]) for text in shown(work)]
        number = shown(work)[0].split()[3]
        if kind == "rank":
            content = {"ranks": manners}
        else:
            content = {"best": 1 + manners.index(3), "worst": 1 + manners.index(1)}
        make.hand_in(campaign, who, work, content=content)
        found = [(pair.better, pair.worse) for pair in pairs(study, kind).pairs]
        order = [(1, 2), (1, 3), (2, 3)] if kind == "rank" else [(3, 1), (2, 1), (3, 2)]
        assert sorted(found) == sorted((output(number, better), output(number, worse)) for better, worse in order)


def test_systems_that_wrote_the_same_are_one_text(study):
    Output.objects.filter(system__number=3, sentence__number=1).update(text=output(1, 1))
    rate(study, [("a", 1, {1: 5, 2: 3})])
    assert len(pairs(study).pairs) == 1


def judged_by_two(**fields):
    """A human study of four sources with outputs of two systems; what one of two people prefers, the other does not."""
    study = make.study(items=4, systems=2)
    keep_criteria(study, CRITERIA)
    plan = plan_human_study(
        study=study, name="Who", criteria={"fluency": {"scale": "fluency_5"}}, sampling="all", judgements=2, **fields
    )
    opened = open_human_study(human_study=plan, by=None)
    campaign = opened.campaigns.get()
    people = [make.person(study=study) for _ in range(2)]
    for who, low in zip(people, (False, True), strict=True):
        for _ in range(4):
            work = make.held(campaign, who)
            first = [("manner 1" in text) != low for text in shown(work)]
            make.hand_in(campaign, who, work, content={"ratings": [{"fluency": 5 if one else 2} for one in first]})
    return study, opened, people


def test_excluded_raters_do_not_vote():
    study, opened, people = judged_by_two(shows_comparison=True)
    assert (pairs(study).ties, pairs(study).pairs) == (4, [])
    exclude_rater(human_study=opened, person=str(people[1].pseudonym), reason="Upside down.", by=None)
    found = pairs(study)
    assert found.ties == 0
    assert [pair.better for pair in found.pairs] == [output(n, 1) for n in range(1, 5)]
    assert {pair.margin for pair in found.pairs} == {1.0}


def test_an_open_study_that_withholds_how_systems_compare_gives_no_pairs():
    study, opened, _ = judged_by_two()
    assert pairs(study) == JudgedPairs([], 0)
    close_human_study(human_study=opened, by=None)
    assert pairs(study).ties == 4


def test_pairs_of_the_test_split_and_texts_held_out_are_left_out_and_counted(study):
    rate(study, [("a", n, {1: 5, 2: 3}) for n in range(1, 7)])
    Output.objects.filter(system__number=2, sentence__number=2).update(text=SOURCE.format(6))
    rate(study, [("b", 2, {1: 5})])
    import_ratings(study=study, format="table", file_name="more.csv", judgements=[
        Given("b", SOURCE.format(2), SOURCE.format(6), "formal", "fluency", 1, None, 2)
    ])  # fmt: skip
    usable = usable_pairs(study.directions.get(), ALL)
    assert [pair.source for pair in usable.train] == [SOURCE.format(1)]
    assert [pair.source for pair in usable.tune] == [SOURCE.format(3)]
    assert str(usable) == (
        "1 judged pairs to learn from, 1 held out of them. Left out: 3 pairs of the test split. 1 pair left out: it "
        "stands in the test split of this study."
    )


def test_pairs_below_the_least_margin_are_counted(study):
    rate(study, [("a", 1, {1: 5, 2: 3}), ("b", 1, {1: 4, 2: 3}), ("c", 1, {1: 1, 2: 2}), ("a", 3, {1: 5, 2: 3})])
    usable = usable_pairs(study.directions.get(), ALL | {"least_margin": 0.5})
    assert (list(usable.train), len(usable.tune), usable.unsure) == ([], 1, 1)


def test_without_judged_sources_to_tune_on_some_to_train_on_are_held_out():
    study = make.study(items=40, systems=2)
    keep_criteria(study, CRITERIA)
    Sentence.objects.filter(direction__study=study).update(split=Sentence.Split.TRAIN)
    rate(study, [("a", n, {1: 5, 2: 3}) for n in range(1, 41)])
    usable = usable_pairs(study.directions.get(), ALL)
    assert len(usable.train) + len(usable.tune) == 40
    assert 0 < len(usable.tune) < 20
    assert not {pair.source for pair in usable.train} & {pair.source for pair in usable.tune}

"""Where each direction has its own good end, power is of what each will be compared with: its sentences, all tests."""

import pytest
from support import campaigns as make

from accounts.permissions import Role
from annotation.scales import SCALES
from corpora.actions.add_direction import add_direction
from corpora.actions.add_sources import add_sources
from corpora.models import Output, System
from evaluation.actions.open_human_study import open_human_study
from evaluation.actions.plan_human_study import plan_human_study
from evaluation.human_studies.main_comparison import main_comparison
from evaluation.human_studies.preview import preview
from evaluation.statistics import STATISTICS

pytestmark = pytest.mark.django_db
EACH_WAY = 12


@pytest.fixture
def plan():
    """Three systems in both directions: two comparisons with the baseline in each."""
    study = make.study(items=EACH_WAY, systems=3)
    back = add_direction(study=study, source_style="formal", target_style="informal")
    add_sources(direction=back, texts=[f"You have to see number {n}." for n in range(EACH_WAY)])
    for number, system in enumerate(System.objects.filter(study=study)):
        Output.objects.bulk_create(
            Output(system=system, sentence=sentence, text=f"see {sentence.number} {number}")
            for sentence in back.sentences.all()
        )
    criteria = [{"name": "formality", "scale": "formality_7"}, {"name": "fluency", "scale": "fluency_5"}]
    comparison = {"baseline": make.SYSTEMS[0], "criterion": "formality"}
    lead = make.person(Role.RESEARCHER, study)
    return plan_human_study(
        study=study, by=lead, name="Both ways", criteria=criteria, judgements=3, comparison=comparison
    )


def detected(planned, scale, sentences, comparisons):
    levels = [float(value) for value in SCALES[scale].values]
    return (
        STATISTICS["power"]
        .call(sentences, 3, levels, power=0.8, test=planned["test"], alpha=planned["alpha"], comparisons=comparisons)
        .difference
    )


def test_the_family_is_that_of_the_main_comparison(plan):
    found = {one.criterion: one.difference for one in preview(plan, list(plan.systems.all())).detected}
    assert list(found) == ["formality (informal to formal)", "formality (formal to informal)", "fluency"]
    wanted = detected(plan.comparison, "formality_7", EACH_WAY, 4)
    assert {found[name] for name in found if name != "fluency"} == {wanted}
    assert wanted > detected(plan.comparison, "formality_7", 2 * EACH_WAY, 2) * 1.3, "what was promised before"
    opened = open_human_study(human_study=plan, by=plan.made_by)
    compared = main_comparison(opened, {}, {})
    assert len(compared) == 4, "p is corrected over as many comparisons"


def test_a_scale_whose_good_end_is_the_same_both_ways_is_of_all_sentences(plan):
    found = {one.criterion: one.difference for one in preview(plan, list(plan.systems.all())).detected}
    board = {"test": "approximate_randomization", "alpha": 0.05}
    assert found["fluency"] == detected(board, "fluency_5", 2 * EACH_WAY, 2)

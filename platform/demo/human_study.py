"""The demo's human study: closed, with simulated judgements, of which one rater's are of no use."""

from accounts.models import Person
from corpora.models import Study
from demo.ratings import simulate
from evaluation.actions.close_human_study import close_human_study
from evaluation.actions.open_human_study import open_human_study
from evaluation.actions.plan_human_study import plan_human_study
from evaluation.human_studies.plan_templates import PLAN_TEMPLATES
from evaluation.models import HumanStudy

GUIDELINE = "Judge each text by itself first, then beside its source. There is no right answer; be consistent."


def make_human_study(study: Study, raters: list[Person], by: Person) -> HumanStudy:
    """What GYAFC asked, of a sample of the demo's sentences, with attention checks that are used."""
    planned = plan_human_study(
        study=study, name="Which system is best? (simulated)", slug="which-is-best", by=by, guideline=GUIDELINE,
        **{
            **PLAN_TEMPLATES["gyafc"].fields, "judgements": len(raters),
            "sampling": HumanStudy.Sampling.LENGTH, "size": 24,
        },
        controls={"every": 3, "kinds": ["broken", "flipped"]}, use_controls=True,
        exclusions={"control_p": 0.05, "least_seconds": 10},
        comparison={"baseline": "Rule-based", "criterion": "rank"},
        costs={"pay": {"currency": "EUR", "hour": 15.0}},
    )  # fmt: skip
    opened = open_human_study(human_study=planned, by=by)
    simulate(opened, raters)
    return close_human_study(human_study=opened, by=by)

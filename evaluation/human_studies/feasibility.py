"""Feasibility of a plan: a rule that can exclude nobody or pass nobody is named before the plan is frozen."""

from collections.abc import Iterator
from math import comb

from evaluation.human_studies.plan_validation import ATTENTION_CHECK_RULES
from evaluation.human_studies.sample import RatingTask
from evaluation.human_studies.workers import FEWEST_ANSWERS, FEWEST_CONTROLS, FEWEST_VALUES, rules_of
from evaluation.models import HumanStudy


def why_infeasible(human_study: HumanStudy, works: list[RatingTask], controls: int) -> str:
    """Why the plan cannot be opened: too few attention checks; "" where it can. `controls` of the texts are such."""
    if human_study.controls and not controls:
        return "There are too few pages for an attention check on one of so many; ask for more, or have none."
    rules = rules_of(human_study)
    return _controls(human_study, works, controls, rules.get("control_p")) if ATTENTION_CHECK_RULES & set(rules) else ""


def idle_rules(human_study: HumanStudy, works: list[RatingTask]) -> list[str]:
    """Of the other rules those that will leave nobody out, there being too little of what they look at."""
    return list(_idle(human_study, works))


def existing_rating_tasks(human_study: HumanStudy) -> list[RatingTask]:
    """The work of a study that opened, as its campaigns have it."""
    campaigns = human_study.campaigns.prefetch_related("items")
    return [
        RatingTask(
            campaign.task_type,
            campaign.settings,
            [(item.sentence_id, item.content["candidates"]) for item in campaign.items.all()],
        )
        for campaign in campaigns
    ]


def _idle(human_study: HumanStudy, works: list[RatingTask]) -> Iterator[str]:
    rules = rules_of(human_study)
    pages = sum(len(work.items) for work in works)
    texts = max((sum(len(texts) for _key, texts in work.items) for work in works), default=0)
    if "least_agreement" in rules and human_study.judgements < 2:
        yield "The rule on agreement needs 2 people an output, and 1 is planned."
    for name, about in (("straight_lining", "one value"), ("least_agreement", "agreement")):
        if name in rules and texts < FEWEST_VALUES:
            yield f"The rule on {about} needs {FEWEST_VALUES} texts, and there are {texts}."
    if "least_seconds" in rules and pages < FEWEST_ANSWERS:
        yield f"The rule on seconds needs {FEWEST_ANSWERS} pages, and there are {pages}."


def _controls(human_study: HumanStudy, works: list[RatingTask], controls: int, bound: float | None) -> str:
    rated = next((work.items for work in works if work.task_type == "rate"), [])
    ordinary = sum(len(texts) for _key, texts in rated) - controls
    quota = human_study.crew.get("quota") or len(rated)
    most = min(controls, round(controls * quota / len(rated))) if rated and quota < len(rated) else controls
    if most < FEWEST_CONTROLS:
        number = f"there are {controls}" if most == controls else f"who does {quota} pages meets {most} of {controls}"
        return (
            f"The rules on attention checks need {FEWEST_CONTROLS} of them a person, and {number}; put them on more "
            "pages, judge more, or leave the rules out."
        )
    if bound is not None and ordinary and 1 / comb(ordinary + controls, controls) > bound:
        return (
            f"Nobody could pass the test of {controls} attention checks at {bound:g} beside {ordinary} ordinary ones; "
            "judge more, or leave the rule out."
        )
    return ""

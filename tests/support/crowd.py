"""A study that people of a crowd site work in: a training, a qualification and the work."""

from typing import Any

from support import campaigns as make

from annotation.actions.create_campaign import create_campaign
from annotation.actions.open_recruitment_link import open_recruitment_link
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.actions.set_expected import set_expected
from annotation.models import Campaign, RecruitmentLink
from corpora.models import Study

CONSENT = "You rewrite sentences for research.\n\nWe keep what you write. You may leave at any time."


def preparation(study: Study, purpose: str, state: str = "open") -> Campaign:
    """A training or a qualification; what is expected of item n is 'Expected n.'"""
    made = create_campaign(study=study, name=f"The {purpose}", task_type="rewrite", purpose=purpose)
    for item in made.items.all():
        set_expected(item=item, content={"text": f"Expected {item.number}."}, by=None)
    return set_campaign_state(campaign=made, state=state, by=None)


def recruitment_link(
    study: Study,
    *,
    site: str = "prolific",
    training: bool = False,
    tries: int = 0,
    codes: tuple[str, str] = ("", ""),
    **options: Any,
) -> RecruitmentLink:
    """An open recruitment link; with `tries` a qualification comes before the work, all of which has to be right.

    `codes` are the fixed ones, for who finishes and for who is screened out.
    """
    crew = options.pop("eligibility", {})
    if tries:
        preparation(study, "qualification")
        crew = {**crew, "qualification": {"campaign": "the-qualification", "pass_mark": 1.0, "tries": tries}}
    first = preparation(study, "training") if training else None
    work = make.campaign(study, eligibility=crew, **options)
    done, screened_out = codes
    return open_recruitment_link(
        campaign=work, site=site, consent=CONSENT, training=first, completion_code=done, screen_out_code=screened_out,
        by=None,
    )  # fmt: skip

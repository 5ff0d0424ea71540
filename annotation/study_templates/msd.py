"""MSD (Cao et al. 2020, section 3.1): sentences of expert and lay texts that say the same, paired by doctors."""

from annotation.study_templates._base import EXPERTS, DocumentPlan, GroupPlan, Stage, StudyTemplate, criterion
from foundation.papers import MSD

REASONS = (
    "They do not say the same",
    "A sentence is missing on one side",
    "A sentence is too many on one side",
    "Both sides are in the same style",
)

TEMPLATE = StudyTemplate(
    name="msd",
    label="Expertise (MSD)",
    about="Medical articles in two versions are linked; doctors pair the sentences that say the same.",
    makes="Parallel expert and lay sentences with their concepts, and all others as unpaired training texts.",
    paper=MSD,
    styles=("expert", "layman"),
    directions=(("expert", "layman"), ("layman", "expert")),
    documents=DocumentPlan(("documents_jsonl", "documents_csv", "plain_documents"), ("expert", "layman")),
    groups=GroupPlan("expert", "layman", 1000),
    stages=(
        Stage(
            "align",
            "Pair the sentences",
            "align",
            "Doctors choose the sentences of both versions that say the same; nothing is rewritten.",
            direction="expert-layman",
            settings={"show_translations": True},
            eligibility={"credentials": ["md"]},
            roles=EXPERTS,
        ),
        Stage(
            "verify",
            "Verify the pairs",
            "verify",
            "Another doctor, at home in the language of the texts, looks at every pair.",
            direction="expert-layman",
            after="align",
            settings={"reasons": list(REASONS), "redo": True},
            eligibility={"credentials": ["md"], "languages": ["en"]},
            reasons=REASONS,
            roles=EXPERTS,
        ),
    ),
    criteria=(criterion("content", "content_5", "content", "source_and_reference"),),
)

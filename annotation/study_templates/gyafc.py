"""GYAFC (Rao and Tetreault 2018, section 3): informal sentences rewritten formally, and some of them back again."""

from annotation.study_templates._base import EXPERTS, DocumentPlan, SelectionPlan, Stage, StudyTemplate, criterion
from foundation.papers import GYAFC

REASONS = (
    "The meaning has changed",
    "Something was left out",
    "Something was added",
    "It is not formal",
    "It is not correct or does not read well",
    "Next to nothing was changed",
)
BACK_REASONS = (*REASONS[:3], "It is not informal", "It does not sound like anybody", REASONS[5])
# "a 100% acceptance rate for our task and who had previously done more than 100 rewrites" (section 3.1)
PROVED = {
    "accepted": {"least": 101, "of": ["formal-train"]},
    "acceptance_rate": {"least": 1.0, "of": ["formal-train"]},
}

TEMPLATE = StudyTemplate(
    name="gyafc",
    label="Formality (GYAFC)",
    about="People rewrite short informal sentences formally, and the best of these informally again.",
    makes="Formal and informal sentence pairs: one rewrite each to train on, four references each to tune and test.",
    paper=GYAFC,
    styles=("informal", "formal"),
    directions=(("informal", "formal"), ("formal", "informal")),
    documents=DocumentPlan(("documents_csv", "documents_jsonl", "sentence_lines"), ("informal",)),
    selection=SelectionPlan(
        "informal-formal", "gyafc", {"side": "informal"}, {"train": 53_000, "tune": 3_000, "test": 1_500}
    ),
    stages=(
        Stage(
            "formal-train",
            "Formal rewrites to train on",
            "rewrite",
            "One formal rewrite of each training sentence; a reviewer looks at each and says why one is rejected.",
            direction="informal-formal",
            splits=("train",),
            needs_review=True,
            eligibility={"pause_after": 3},
            reasons=REASONS,
        ),
        Stage(
            "formal-references",
            "Formal references to tune and test with",
            "rewrite",
            "Four formal rewrites of each sentence by four people whose training rewrites were all accepted.",
            direction="informal-formal",
            splits=("tune", "test"),
            overlap=4,
            eligibility=PROVED,
            reasons=REASONS,
        ),
        Stage(
            "informal-references",
            "Informal references",
            "rewrite",
            "Of each sentence's formal rewrites the one farthest from it gets three informal ones by other people; "
            "the sentence itself is the fourth.",
            direction="formal-informal",
            after="formal-references",
            takes="farthest",
            overlap=3,
            eligibility=PROVED,
            reasons=BACK_REASONS,
        ),
        Stage(
            "edits",
            "Kinds of edits",
            "label",
            "What was changed, by kind, once the rewrites are references of the study (section 3.2).",
            direction="informal-formal",
            splits=("train",),
            settings={"of": "references"},
            roles=EXPERTS,
            optional=True,
        ),
    ),
    criteria=(
        criterion("formality", "formality_7", "style", "nothing"),
        criterion("fluency", "fluency_5", "fluency", "nothing"),
        criterion("meaning", "meaning_6", "meaning", "source"),
    ),
)

"""MedLane (Luo et al. 2022, section 3): clinical sentences written out, said in plain words, and checked by physicians.

In the paper the two who check a sentence translate it again where it is poor. Here nobody works on a text that they
judged, so a third senior does.
"""

from annotation.study_templates._base import EXPERTS, DocumentPlan, SelectionPlan, SplitPlan, Stage, StudyTemplate
from foundation.papers import MEDLANE

REASONS = (
    "A full form is wrong here",
    "The meaning has changed",
    "Something was left out",
    "A patient would not understand it",
    "It does not read well",
)
PHYSICIANS = {"credentials": ["md"]}


def _stages(slug: str, which: str, splits: tuple[str, ...]) -> tuple[Stage, Stage, Stage]:
    """The translation, its check by two physicians, and the new translation of those that either of them rejected."""
    both = "both steps" if slug != "train" else "the last step alone"
    return (
        Stage(
            f"translate-{slug}",
            f"Translate {which}",
            "rephrase_simplify",
            f"People who know medical texts write abbreviations out and say it in plain words; {both} is handed in.",
            direction="clinical-plain",
            splits=splits,
            settings={"hidden_dictionary": True, "addressed": True},
            roles=EXPERTS,
            guideline_of="translate",
        ),
        Stage(
            f"check-{slug}",
            f"Check {which}",
            "verify",
            "Two physicians look at each translation; one that either of them rejects is translated again.",
            direction="clinical-plain",
            after=f"translate-{slug}",
            overlap=2,
            settings={"reasons": list(REASONS), "redo": False},
            eligibility=PHYSICIANS,
            reasons=REASONS,
            roles=EXPERTS,
            guideline_of="check",
        ),
        Stage(
            f"again-{slug}",
            f"Translate again {which}",
            "rephrase_simplify",
            "A senior physician, who had no hand in it so far, translates anew what was rejected.",
            direction="clinical-plain",
            after=f"check-{slug}",
            takes="rejected",
            settings={"hidden_dictionary": True, "addressed": True},
            eligibility=PHYSICIANS,
            roles=EXPERTS,
            guideline_of="again",
        ),
    )


TEMPLATE = StudyTemplate(
    name="medlane",
    label="Clinical notes (MedLane)",
    about="People write out sentences of clinical notes and say them in plain words; two physicians check each.",
    makes="Clinical sentences beside plain ones, also addressed to the patient; to tune and test, in both steps.",
    paper=MEDLANE,
    styles=("clinical", "plain"),
    directions=(("clinical", "plain"),),
    documents=DocumentPlan(("noteevents", "documents_csv", "sentence_lines"), ("clinical",)),
    selection=SelectionPlan("clinical-plain", "medlane"),
    splits=SplitPlan("random", {"train": 86.3, "tune": 6.8, "test": 6.9}),  # 12,801, 1,015 and 1,016 sentences
    stages=(
        *_stages("train", "the training sentences", ("train",)),
        *_stages("tune-test", "the sentences to tune and test with", ("tune", "test")),
    ),
    required_credentials=("mimic-iii",),
    restricted=True,
)

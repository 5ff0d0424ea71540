"""PLABA (Attal et al. 2023): abstracts that answer people's questions, adapted to plain language by sentence."""

from annotation.study_templates._base import EXPERTS, DocumentPlan, SplitPlan, Stage, StudyTemplate
from foundation.papers import PLABA

REASONS = (
    "Something that matters to patients was left out",
    "It says something else",
    "A hard term is not explained",
    "It is still hard to read",
    "Statistics or headings were kept",
)

TEMPLATE = StudyTemplate(
    name="plaba",
    label="Abstracts (PLABA)",
    about="People choose questions and the abstracts that answer them; experts of the topic adapt each abstract.",
    makes="Whole abstracts in plain language, each sentence beside its adaptation, split by question.",
    paper=PLABA,
    styles=("technical", "plain"),
    directions=(("technical", "plain"),),
    documents=DocumentPlan(("documents_jsonl", "pubmed_xml", "documents_csv"), ("technical",)),
    splits=SplitPlan("question", {"train": 70, "tune": 15, "test": 15}),
    screening="screen",
    stages=(
        Stage(
            "screen",
            "Choose questions and abstracts",
            "screen",
            "Somebody who knows medical literature chooses the questions, codes them, and chooses their abstracts.",
            direction="technical-plain",
            settings={"target": 10},
            roles=EXPERTS,
        ),
        Stage(
            "adapt",
            "Adapt the abstracts",
            "adapt",
            "Each abstract goes to somebody who knows its topic. For several adaptations raise the people an item.",
            direction="technical-plain",
            settings={"highlight_concepts": True},
            eligibility={"by_topic": True},
            roles=EXPERTS,
        ),
        Stage(
            "check",
            "Check the adaptations",
            "verify",
            "Somebody else who knows the topic accepts each adaptation, rejects it or does it again.",
            direction="technical-plain",
            after="adapt",
            settings={"reasons": list(REASONS), "redo": True},
            eligibility={"by_topic": True},
            reasons=REASONS,
            roles=EXPERTS,
        ),
    ),
)

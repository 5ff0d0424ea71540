"""Documents for the tests, made through the actions: two versions of a text, a flagged sentence, a question."""

from corpora.actions.add_documents import add_documents
from corpora.actions.link_documents import link_documents
from corpora.actions.make_groups import make_groups
from corpora.actions.suggest_elements import suggest_elements
from corpora.formats import RawDocument, RawQuestion, RawSection
from corpora.models import Document, Study

QUESTION = RawQuestion("1", "What is a pleural effusion?", "A", "Pleural effusion", "general information")
EXPERT = RawDocument(
    (
        RawSection("", ("A pleural effusion is fluid within the pleural space.",)),
        RawSection("Symptoms and Signs", ("Many cause dyspnea, pleuritic chest pain, or both.",
                                          "Dr. Karen Smith saw one on 12/03/2019.")),
        RawSection("Treatment", ("Thoracentesis is done.",), ("Man punktiert.",)),
    ),
    code="e1", title="Pleural Effusion", topic="lungs", codes=("511.9",), question=QUESTION,
)  # fmt: skip
LAY = RawDocument(
    (
        RawSection("Symptoms", ("The most common symptoms are shortness of breath and chest pain.",)),
        RawSection("Treatment", ("A needle draws the fluid.",)),
    ),
    code="l1", title="Pleural effusion", codes=("511.9",),
)  # fmt: skip


def documents(study: Study) -> list[Document]:
    """An expert's document in the study's first style and the lay version in the second, linked and grouped."""
    source, target = study.styles[:2]
    add_documents(study=study, documents=[EXPERT], style=source, origin="expert.jsonl")
    add_documents(study=study, documents=[LAY], style=target, origin="lay.jsonl")
    link_documents(study=study, source_style=source, target_style=target)
    suggest_elements(study=study)
    make_groups(study=study)
    return list(study.documents.order_by("number"))

"""A study of questions and abstracts, as PLABA's, and campaigns on them."""

from typing import Any

from support import campaigns as make

from annotation.models import Campaign
from corpora.models import Document, DocumentSentence, Question, Study

ASPIRIN = (
    "BACKGROUND: Myocardial infarction remains a leading cause of mortality.",
    "Aspirin, which inhibits platelet aggregation, was administered to 412 patients.",
    "Most people got well within a week.",
    "The hazard ratio was 0.71 (95% CI 0.60 to 0.84; P = 0.003).",
)
ARABIC = ("يقلل الأسبرين من تجلط الدم لدى المرضى.", "لا توجد آثار جانبية خطيرة.")


def study(*abstracts: tuple[str, ...], text: str = "What helps after a heart attack?") -> Study:
    """One question with these abstracts, Aspirin's unless others are given."""
    made = make.study(items=1)
    question = Question.objects.create(study=made, number=1, code="q1", text=text, topic="hearts")
    for number, sentences in enumerate(abstracts or (ASPIRIN,), 1):
        title = f"Abstract {number}: aspirin after a heart attack"
        document = Document.objects.create(
            study=made, number=number, style="expert", code=f"3100{number}", title=title, question=question
        )
        DocumentSentence.objects.bulk_create(
            DocumentSentence(document=document, number=place, text=sentence)
            for place, sentence in enumerate(sentences, 1)
        )
    return made


def campaign(of: Study, task_type: str, overlap: int = 1, **settings: Any) -> Campaign:
    """An open campaign of all abstracts, or of all questions, as the kind of work wants."""
    return make.campaign(of, task_type, overlap=overlap, settings=settings)

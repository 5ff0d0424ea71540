from collections.abc import Callable

from django.conf import settings

from annotation.actions.start_translation import refuse_translation
from annotation.assist import TRANSLATORS
from annotation.models import TranslationRun
from corpora.models import DocumentSentence, Study
from foundation.translation import translate
from jobs.execution import JobResult

BATCH = 32  # sentences a step, between which a run can stop


def translate_sentences(*, run: TranslationRun, step: Callable[[int, int], None]) -> int:
    """Translate the sentences of the run's style that have no translation yet; how many. Held ones stay unread."""
    refuse_translation(run.study)
    translator = TRANSLATORS[settings.TRANSLATOR]
    wanted = DocumentSentence.objects.filter(
        document__study=run.study, document__style=run.style, translation="", held=False, dropped=False
    ).order_by("pk")
    keys = list(wanted.values_list("pk", flat=True))
    for start in range(0, len(keys), BATCH):
        step(start, len(keys))
        refuse_translation(Study.objects.get(pk=run.study_id))  # it may have been restricted meanwhile
        rows = list(wanted.filter(pk__in=keys[start : start + BATCH]))
        texts = [row.text for row in rows]
        translations = translator.translate(texts, run.source_language, run.target_language, settings.TRANSLATOR_FOLDER)
        for row, text in zip(rows, translations, strict=True):
            same = DocumentSentence.objects.filter(pk=row.pk, text=row.text, held=False, dropped=False)
            same.update(translation=text)  # not where somebody masked it meanwhile
    step(len(keys), len(keys))
    return len(keys)


def translation_summary(run: TranslationRun) -> JobResult:
    """How many sentences of the style have a translation, and why the others have none."""
    sentences = DocumentSentence.objects.filter(document__study=run.study, document__style=run.style, dropped=False)
    done, quarantined = sentences.exclude(translation="").count(), sentences.filter(translation="", held=True).count()
    empty = sentences.filter(translation="", held=False).count()
    said = translate(
        "{done} of {all} sentences of the style {style} have a translation.",
        done=f"{done:,}", all=f"{done + quarantined + empty:,}", style=run.style,
    )  # fmt: skip
    why = [f"{quarantined:,} are held back for their flags"] * bool(quarantined) + [
        f"the translator wrote nothing for {empty:,}"
    ] * bool(empty)
    return JobResult(said, f"Some have none: {', '.join(why)}." if why else "")

"""The figures of documents: imported, split and looked through for identifiers; and their concepts linked.

Both are the work of the jobs, run here as a worker runs them, from the row of the job to its end.
"""

from collections.abc import Callable
from random import Random
from typing import Any

import orjson
from django.core.files.uploadedfile import SimpleUploadedFile

from accounts.models import Person
from corpora.actions.create_study import create_study
from corpora.actions.link_concepts import link_concepts
from corpora.actions.start_import import start_import
from corpora.background_jobs import import_upload
from corpora.concepts import link_study
from corpora.models import DocumentSentence, Study
from foundation.errors import UserError
from jobs.execution import run_job
from jobs.models import Job
from tools.bench.bench_study import sentences
from tools.bench.clock import Took, timed
from tools.bench.measurement_sizes import Sizes
from tools.bench.web_server import embedded_processes

IN_A_DOCUMENT = 20  # sentences
CLINICAL = (
    "Pt was seen by Dr. Smith on 3/14/2019 for shortness of breath.", "He takes metoprolol 12.5 mg b.i.d. at home.",
    "Her blood pressure was 140/90 mmHg, e.g. in the morning.", "She denies chest pain, fever and dyspnea.",
    "MRI showed no acute infarct.", "Mr. John Miller has a history of diabetes mellitus and hypertension.",
)  # fmt: skip


def gathering(sizes: Sizes, by: Person) -> dict[str, Took | None]:
    """Import a large study of documents, and link the concepts of a smaller one."""
    _large, imported = _study("documents", sizes.large, by)
    smaller, _ = _study("concepts", sizes.linked, by)
    linked = timed(lambda: _run(link_concepts(study=smaller, by=by), link_study), embedded_processes().values())
    if _sentences(smaller).filter(concepts__isnull=False).count() != sizes.linked:
        raise UserError("Not every sentence was linked.")
    return {
        f"import of {sizes.large:,} sentences of documents, split and flagged": imported,
        f"concepts of {sizes.linked:,} sentences linked": linked,
    }


def _study(slug: str, count: int, by: Person) -> tuple[Study, Took]:
    """A study with so many sentences of documents, and the time of the import."""
    study = create_study(slug=slug, title=slug, styles=["expert", "lay"], by=by)
    file = SimpleUploadedFile("documents.jsonl", _file(count))

    def bring_in() -> None:
        upload = start_import(study=study, file=file, format="documents_jsonl", style="expert", by=by)
        _run(upload.job, import_upload)

    took = timed(bring_in, embedded_processes().values())
    found = _sentences(study).count()
    if found != count:
        raise UserError("The import made {found} sentences, and {count} were expected.", found=found, count=count)
    return study, took


def _file(count: int) -> bytes:
    """Documents of running text. Every fourth sentence is clinical, with parts that may split wrongly, or flagged."""
    random = Random(4)  # noqa: S311
    texts = [
        random.choice(CLINICAL) if number % 4 == 0 else text.capitalize().replace(" .", ".")
        for number, text in enumerate(sentences(count, 4))
    ]
    rows = (
        {"code": str(start), "text": " ".join(texts[start : start + IN_A_DOCUMENT])}
        for start in range(0, count, IN_A_DOCUMENT)
    )
    return b"".join(orjson.dumps(row) + b"\n" for row in rows)


def _run(job: Job, work: Callable[[Job, Any], object]) -> None:
    run_job(job.pk, work)
    job.refresh_from_db()
    if job.state != Job.State.DONE:
        raise UserError("The job ended as {state}: {error}", state=job.state, error=job.error)


def _sentences(study: Study) -> Any:
    return DocumentSentence.objects.filter(document__study=study)

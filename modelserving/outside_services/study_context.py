"""What a run on a study gives to a model that asks a language model: the study's terms, and the answers of before."""

from collections.abc import Callable, Sequence

from corpora.models import Study
from modelserving.models import ModelAnswer
from modelserving.outside_services.terms import refuse_leaving
from modelserving.run_context.context import Answer, Asked, RunContext

FIELDS = ("text", "model", "finish", "input", "output", "counted")
ABOUT = ("service", "guessed")


class StudyContext(RunContext):
    """Answers are the study's rows: whoever asks the same again, after whatever, gets them without a call.

    A job has a row of each answer that it used, its own or a copy: removing another job takes nothing from it.
    """

    def __init__(
        self, study_id: int, step: Callable[[], None] = lambda: None, say: Callable[[str], None] = lambda line: None,
        *, job_id: int | None = None,
    ) -> None:  # fmt: skip
        super().__init__(step, say)
        self.study_id, self.job_id = study_id, job_id

    def permit(self, service: str) -> None:
        refuse_leaving(Study(pk=self.study_id), service)

    def kept(self, digests: Sequence[str]) -> dict[str, Answer]:
        rows = ModelAnswer.objects.filter(study_id=self.study_id, digest__in=digests).order_by("-pk")
        found = {row.digest: row for row in rows}  # the oldest of each: what was answered first is what counts
        mine = {row.digest: row for row in rows if self.job_id and row.job_id == self.job_id}
        self._copy([row for digest, row in found.items() if digest not in mine])
        return {key: Answer(**{name: getattr(row, name) for name in FIELDS}) for key, row in {**found, **mine}.items()}

    def keep(self, digest: str, answer: Answer, cost: float, asked: Asked) -> None:
        fields = {name: getattr(answer, name) for name in FIELDS}
        about = {name: getattr(asked, name) for name in ABOUT}
        row = ModelAnswer(study_id=self.study_id, job_id=self.job_id, digest=digest, cost=cost, **fields, **about)
        ModelAnswer.objects.bulk_create([row], ignore_conflicts=True)  # another worker may have it by now
        self.count(answer, cost)

    def _copy(self, rows: Sequence[ModelAnswer]) -> None:
        """Give the job rows of its own of what another was answered; they cost it nothing."""
        if self.job_id is None:
            return
        copies = [
            ModelAnswer(
                study_id=self.study_id, job_id=self.job_id, digest=row.digest, cost=0,
                **{name: getattr(row, name) for name in (*FIELDS, *ABOUT)},
            )
            for row in rows
        ]  # fmt: skip
        ModelAnswer.objects.bulk_create(copies, ignore_conflicts=True)


class TypedContext(StudyContext):
    """Of a sentence that a person tries: answers that are there are used, and nothing that is typed is kept."""

    def keep(self, digest: str, answer: Answer, cost: float, asked: Asked) -> None:
        self.count(answer, cost)

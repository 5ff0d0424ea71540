"""Outside services that get a study's texts: whether its terms allow it, and their answers."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from corpora.models import Study
from foundation.errors import UserError
from modelserving.models import Checkpoint, ModelAnswer
from modelserving.run_context import Answer, Asked, RunContext
from modelserving.training.checkpoint import Manifest
from modelserving.transfer import Transfer

# Whether a study's texts may leave the site.

RESTRICTED = "restricted"
"""The key of a manifest's `trained` that says that a checkpoint was made of restricted texts."""


def refuse_outside(study: Study, kind: Transfer, checkpoint: Checkpoint | None) -> None:
    """Raise a UserError where the model sends texts outside, and these or those it was made of may not leave.

    A checkpoint of the study's own was made of the study's texts, whose terms of now count; an imported one's manifest
    says what it was made of.
    """
    service = kind.sends_to(checkpoint.manifest["options"] if checkpoint else {})
    if service and checkpoint and checkpoint.run_id is None and checkpoint.manifest["trained"].get(RESTRICTED):
        raise made_of_restricted(service)
    refuse_leaving(study, service)


def refuse_leaving(study: Study, service: str) -> None:
    """Raise a UserError where the service is outside, and the study's texts are restricted by now."""
    if service and is_restricted(study.pk):
        raise UserError(
            "The texts of this study are restricted, so they may not go to {service}, which is outside.",
            service=service,
            where="model",
        )


def is_restricted(study_id: int) -> bool:
    """Whether the study's texts are restricted by now, whatever an object fetched earlier says."""
    return Study.objects.filter(pk=study_id, restricted=True).exists()


def was_restricted(manifest: Manifest) -> bool:
    """Whether the checkpoint was made of restricted texts, as far as it says."""
    return bool(manifest.trained.get(RESTRICTED))


def made_of_restricted(service: str) -> UserError:
    """The error for a checkpoint that would take texts that it was made of, or for, to an outside service."""
    return UserError(
        "This checkpoint was made of restricted texts, so nothing may go to {service}, which is outside.",
        service=service,
        where="model",
    )


FLAG = "--texts-may-leave"


class LinesContext(RunContext):
    """Nobody here knows the lines' terms: they leave where somebody said that they may (`may_leave`).

    Texts that a checkpoint was made of, and that were `restricted` then, never leave.
    """

    def __init__(self, *, may_leave: bool, restricted: bool) -> None:
        super().__init__()
        self.may_leave, self.restricted = may_leave, restricted

    def permit(self, service: str) -> None:
        if self.restricted:
            raise made_of_restricted(service)
        if not self.may_leave:
            raise UserError(
                "The lines would go to {service}, which is outside; give {flag} if their terms allow that.",
                service=service,
                flag=FLAG,
                where="standard input",
            )


# The context of a run on a study for a model that asks a language model: the study's terms, and earlier answers.

FIELDS = ("text", "model", "finish", "input", "output", "counted", "cached", "left_out")
ABOUT = ("service", "guessed")


class StudyContext(RunContext):
    """Answers are the study's rows: whoever asks the same again gets them without a call.

    A job has a row for each answer that it used, its own or a copy: removing another job takes nothing from it.
    """

    def __init__(
        self, study_id: int, step: Callable[[], None] = lambda: None, say: Callable[[str], None] = lambda line: None,
        *, job_id: int | None = None,
    ) -> None:  # fmt: skip
        super().__init__(step, say)
        self.study_id, self.job_id = study_id, job_id
        self._new: list[ModelAnswer] = []
        self._waits = self._changed = False

    @contextmanager
    def together(self) -> Iterator[None]:
        self._waits = True
        try:
            yield
        finally:  # whatever stops the run: what was answered is paid
            self._waits = False
            if self._changed:
                self._write()

    def permit(self, service: str) -> None:
        refuse_leaving(Study(pk=self.study_id), service)

    def kept(self, digests: Sequence[str]) -> dict[str, Answer]:
        rows = ModelAnswer.objects.filter(study_id=self.study_id, digest__in=digests).order_by("-pk")
        found = {row.digest: row for row in rows}  # the oldest of each: the first answer counts
        mine = {row.digest: row for row in rows if self.job_id and row.job_id == self.job_id}
        self._copy([row for digest, row in found.items() if digest not in mine])
        return {key: Answer(**{name: getattr(row, name) for name in FIELDS}) for key, row in {**found, **mine}.items()}

    def keep(self, digest: str, answer: Answer, cost: float, asked: Asked) -> None:
        fields = {name: getattr(answer, name) for name in FIELDS}
        about = {name: getattr(asked, name) for name in ABOUT}
        row = ModelAnswer(study_id=self.study_id, job_id=self.job_id, digest=digest, cost=cost, **fields, **about)
        self._new.append(row)
        self.count(answer, cost)
        self._change()

    def _change(self) -> None:
        """Write what is new, now or at the end of `together`."""
        self._changed = True
        if not self._waits:
            self._write()

    def _write(self) -> None:
        rows, self._new, self._changed = self._new, [], False
        if rows:
            ModelAnswer.objects.bulk_create(rows, ignore_conflicts=True)  # another worker may have them by now

    def _copy(self, rows: Sequence[ModelAnswer]) -> None:
        """Give the job rows of its own for answers to another; they cost it nothing."""
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
    """The context of a sentence that a person tries: existing answers are used, and nothing typed is kept."""

    def keep(self, digest: str, answer: Answer, cost: float, asked: Asked) -> None:
        self.count(answer, cost)

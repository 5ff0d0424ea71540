"""What a run on a study gives to a model that asks a service outside: the study's terms, and the answers of before."""

from collections.abc import Callable, Sequence

from corpora.models import Study
from modelserving.models import ModelAnswer
from modelserving.outside_services.terms import refuse_leaving
from modelserving.run_context.context import Answer, RunContext

FIELDS = ("text", "model", "finish", "input", "output")


class StudyContext(RunContext):
    """Answers are the study's rows: whoever asks the same again, after whatever, gets them without a call."""

    def __init__(
        self, study_id: int, step: Callable[[], None] = lambda: None, say: Callable[[str], None] = lambda line: None
    ) -> None:
        super().__init__(step, say)
        self.study_id = study_id

    def permit(self, service: str) -> None:
        refuse_leaving(Study(pk=self.study_id), service)

    def kept(self, digests: Sequence[str]) -> dict[str, Answer]:
        rows = ModelAnswer.objects.filter(study_id=self.study_id, digest__in=digests)
        return {row.pop("digest"): Answer(**row) for row in rows.values("digest", *FIELDS)}

    def keep(self, digest: str, answer: Answer, cost: float) -> None:
        fields = {name: getattr(answer, name) for name in FIELDS}
        row = ModelAnswer(study_id=self.study_id, digest=digest, cost=cost, **fields)
        ModelAnswer.objects.bulk_create([row], ignore_conflicts=True)  # another worker may have it by now
        self.count(answer, cost)

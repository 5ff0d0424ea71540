"""Asking a language model in a job: what was answered is kept and paid once, and a cancellation is heard."""

from annotation.models import MachineRater
from corpora.models import Study
from evaluation.llm_judge.fields import AskedModel
from evaluation.models import JudgeRun
from foundation.base_folder import base_folder
from foundation.errors import UserError
from jobs.execution import Progress
from jobs.models import Job
from modelserving.adapters.options import ARCHITECTURES
from modelserving.outside_services import StudyContext, refuse_leaving
from modelserving.prompting.endpoints import endpoint_named
from modelserving.prompting.options import check_limit
from modelserving.run_context import usage_of


class JudgeContext(StudyContext):
    """Hears a cancellation while the model waits, and stores the usage with each answer, in the row of who asks."""

    def __init__(self, run: JudgeRun | MachineRater, progress: Progress) -> None:
        super().__init__(run.study_id, self._look, self._look, job_id=run.job_id)
        self.run, self.progress = run, progress
        self.usage = usage_of(run.usage)

    def _write(self) -> None:
        super()._write()
        self.run.usage = self.usage.plain()
        self.run.save(update_fields=["usage"])

    def hold(self, cost: float) -> None:
        super().hold(cost)
        if cost > 0:
            self._change()

    def awaits(self, sentence: str) -> None:
        Job.objects.filter(pk=self.run.job_id or 0, state=Job.State.RUNNING).update(awaited=sentence)

    def _look(self, line: str = "") -> None:
        self.progress.at(self.progress.last["done"], self.progress.last["total"], line)


def check_model(study: Study, fields: AskedModel) -> None:
    """Raise a UserError where the site has no such model, or the study's texts may not go to it."""
    if fields.folder:
        base_folder(fields.folder, ARCHITECTURES)
        return
    if not fields.endpoint:
        raise UserError("Name an endpoint of this site, or a folder with a model.", where="endpoint")
    endpoint = endpoint_named(fields.endpoint)
    endpoint.check_model(fields.model)
    check_limit(fields.most_cost, (fields.price_input, fields.price_output))
    refuse_leaving(study, "" if endpoint.local else endpoint.name)

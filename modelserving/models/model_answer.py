from django.db import models


class ModelAnswer(models.Model):
    """What a language model answered for a study, so that nothing is asked (and paid) or computed twice.

    It lives as long as the training or run that used it, whose `job` it names: each has rows of its own, copies where
    another was answered first. One that a command was answered has no job, and goes with the study. `digest` is of all
    that the answer depends on (`prompting/endpoint_service.py`, `prompting/folder_service.py`). `model` is the name
    that the service gave, `service` what was asked; tokens and `cost` are of the one call, 0 for a copy. `guessed` is
    about how many tokens the prompt has by its characters; where the service did not count, `input` is this too.
    """

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="model_answers")
    job = models.ForeignKey("jobs.Job", on_delete=models.CASCADE, null=True, related_name="model_answers")
    digest = models.CharField(max_length=64)
    service = models.CharField(max_length=400, blank=True, db_default="")
    text = models.TextField(blank=True)
    model = models.CharField(max_length=200, blank=True)
    finish = models.CharField(max_length=200, blank=True)
    input = models.PositiveIntegerField(default=0)
    output = models.PositiveIntegerField(default=0)
    counted = models.BooleanField(default=False, db_default=False)
    guessed = models.PositiveIntegerField(default=0, db_default=0)
    cost = models.FloatField(default=0)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["job", "digest"], name="one_answer_a_prompt_of_a_job"),
            models.UniqueConstraint(
                fields=["study", "digest"], condition=models.Q(job=None), name="one_answer_a_prompt_of_no_job"
            ),
        ]
        indexes = [models.Index(fields=["study", "digest"], name="answers_by_prompt")]

    def __str__(self) -> str:
        return self.digest

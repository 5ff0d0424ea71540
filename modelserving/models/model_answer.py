from django.db import models


class ModelAnswer(models.Model):
    """What a language model of a service answered for a study, so that nothing is asked (and paid) twice.

    `digest` is of all that the answer depends on: the address, the model, the prompt, the settings
    (`prompting/endpoint_service.py`). `model` is the name that the service gave; tokens and `cost` are of the one call.
    """

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="model_answers")
    digest = models.CharField(max_length=64)
    text = models.TextField(blank=True)
    model = models.CharField(max_length=200, blank=True)
    finish = models.CharField(max_length=200, blank=True)
    input = models.PositiveIntegerField(default=0)
    output = models.PositiveIntegerField(default=0)
    cost = models.FloatField(default=0)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "digest"], name="one_answer_a_prompt")]

    def __str__(self) -> str:
        return self.digest

"""Language models that judge as people do: whose campaign, by which prompt and model, and what it has cost."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class MachineRater(models.Model):
    """A language model that works at the items of `of`, in a `campaign` of its own: its answers count for no person.

    `settings` are its `MachineFields` (`evaluation/llm_judge/fields.py`) and never change, nor does the guideline of
    its own campaign, so `prompt`, the digest of its texts, holds for each of its answers. `usage` are its calls
    (`modelserving.run_context.Usage`), `counts` its answers and those that said nothing. `job` is the one that works,
    or worked last.
    """

    campaign = models.OneToOneField("annotation.Campaign", on_delete=models.CASCADE, related_name="machine")
    of = models.ForeignKey("annotation.Campaign", on_delete=models.CASCADE, related_name="machines")
    person = models.OneToOneField("accounts.Person", on_delete=models.PROTECT, related_name="machine")
    job = models.ForeignKey("jobs.Job", on_delete=models.SET_NULL, null=True, related_name="machine_raters")
    name = models.CharField(_("name"), max_length=40)
    prompt = models.CharField(max_length=12)
    settings = models.JSONField(default=dict)
    usage = models.JSONField(default=dict)
    counts = models.JSONField(default=dict)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["of", "name"], name="one_machine_a_name")]

    def __str__(self) -> str:
        return self.shown

    @property
    def shown(self) -> str:
        """Its name wherever raters are named: nobody takes it for a person."""
        return f"machine: {self.name}"

    @property
    def study_id(self) -> int:
        return self.of.study_id

    @property
    def models(self) -> str:
        """The model by the name that it answered with, else the one that is asked for."""
        asked = str(self.settings.get("model") or self.settings.get("folder") or "")
        return ", ".join(self.usage.get("models", ())) or asked

    @property
    def guideline(self) -> int | None:
        """The version of the campaign's guideline that its prompt tells; None where it tells none."""
        told = any("{guideline}" in str(self.settings.get(name, "")) for name in ("system", "message"))
        return self.campaign.guideline_version if told else None

    @property
    def signature(self) -> str:
        """All that its answers depend on: 'model:tiny|prompt:0123456789ab|guideline:2|samples:1|temperature:0|seed:1'.
        Without a guideline it says nothing of one."""
        chosen = self.settings
        guided = {"guideline": self.guideline} if self.guideline is not None else {}
        parts = {
            "model": self.models, "prompt": self.prompt, **guided, "samples": chosen.get("samples", 1),
            "temperature": f"{chosen.get('temperature', 0):g}", "seed": chosen.get("seed", 1),
        }  # fmt: skip
        return "|".join(f"{key}:{value}" for key, value in parts.items())

from django.db import models


class TermsAcceptance(models.Model):
    """A person's acceptance of a version of a study's terms."""

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="terms_accepted")
    person = models.ForeignKey("accounts.Person", on_delete=models.CASCADE, related_name="terms_accepted")
    version = models.PositiveSmallIntegerField()
    accepted_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "person", "version"], name="one_acceptance_a_version")]

    def __str__(self) -> str:
        return f"{self.person}: {self.study}, terms {self.version}"

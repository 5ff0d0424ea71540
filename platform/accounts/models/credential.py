from django.db import models


class Credential(models.Model):
    """Something a person may show (a degree, a data use agreement); it counts once somebody verified it.

    `name` is a short name that studies and campaigns ask for, such as `md` or `mimic-iii`.
    """

    person = models.ForeignKey("accounts.Person", on_delete=models.CASCADE, related_name="credentials")
    name = models.SlugField(max_length=60)
    evidence = models.TextField(blank=True)
    verified_by = models.ForeignKey("accounts.Person", on_delete=models.SET_NULL, null=True, related_name="verified")
    verified_at = models.DateTimeField(null=True)
    expires_on = models.DateField(null=True, blank=True)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["person", "name"], name="one_credential_a_name")]

    def __str__(self) -> str:
        return f"{self.person}: {self.name}"

from django.db import models

from accounts.permissions import Role

STUDY_ROLES = [(role.value, role.value) for role in Role if role != Role.ADMIN]


class Membership(models.Model):
    """A person's place in a study."""

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="memberships")
    person = models.ForeignKey("accounts.Person", on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=20, choices=STUDY_ROLES)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["person__email"]
        constraints = [models.UniqueConstraint(fields=["study", "person"], name="one_membership_a_study")]

    def __str__(self) -> str:
        return f"{self.person} ({self.role})"

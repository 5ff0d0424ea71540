from django.db import models

from corpora.models.membership import STUDY_ROLES


class StudyInvitation(models.Model):
    """The study that an invitation leads to, with the role there."""

    link = models.OneToOneField("accounts.AccessLink", on_delete=models.CASCADE, related_name="study_invitation")
    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=20, choices=STUDY_ROLES)

    def __str__(self) -> str:
        return f"{self.study} ({self.role})"

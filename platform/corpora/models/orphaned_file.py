from django.db import models


class LeftFile(models.Model):
    """A file of storage that no row names any more, left there because a backup was being made."""

    name = models.CharField(max_length=300, unique=True)
    left_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name

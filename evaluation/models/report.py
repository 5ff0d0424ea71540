from functools import cached_property
from typing import Any

import orjson
from django.db import models


class Report(models.Model):
    """The report of a study as it was last worked out; `key` is the SHA-256 of all that it was made from.

    The JSON is kept as text, since PostgreSQL's own type would lose the order of criteria and metrics.
    """

    study = models.OneToOneField("corpora.Study", on_delete=models.CASCADE, related_name="report")
    key = models.CharField(max_length=64, blank=True)
    text = models.TextField()
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"report of {self.study}"

    @cached_property
    def content(self) -> dict[str, Any]:
        """The report; its form is in `docs/report.md`."""
        return orjson.loads(self.text)

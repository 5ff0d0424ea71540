from functools import cached_property
from typing import Any

import orjson
from django.db import models


class Report(models.Model):
    """The report of a study as it was last worked out; `key` is the SHA-256 of all that it was made from, and
    `made_from` holds digests of its parts (`evaluation.report_freshness.inputs`), which tell what has changed since.

    `tables` are the tables and figures of the papers, by name. The JSON is kept as text, since PostgreSQL's own type
    would lose the order of criteria and metrics.
    """

    worked_out = True  # from others; a removal that is undone brings back none that is older

    study = models.OneToOneField("corpora.Study", on_delete=models.CASCADE, related_name="report")
    key = models.CharField(max_length=64, blank=True)
    made_from = models.JSONField(default=dict, db_default={})
    text = models.TextField()
    tables = models.TextField(default="{}", db_default="{}")
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"report of {self.study}"

    @cached_property
    def content(self) -> dict[str, Any]:
        """The report; its form is in `docs/report.md`."""
        return orjson.loads(self.text)

    @cached_property
    def tables_and_figures(self) -> dict[str, dict[str, Any]]:
        """The tables and figures by name, each as `evaluation.table_building.stored_form.entry_json` writes it."""
        return orjson.loads(self.tables)


class ReportChoice(models.Model):
    """What a researcher chose for a study's report.

    Stars mark what differs from the `baseline` at `alpha`, after the `correction` over all comparisons of one table
    column. `variant` is which judgements lead: raw, z (standardized by worker) or filtered (by control items); the
    others stand beside them. `split` is which sentences it is about: one split, "all", or "" the test split where the
    systems have outputs of it. With `human_systems` systems that are people count where metrics are
    ranked. `averaging` is what each counts once in a mean of judgements, a sentence or a judgement. `joint` are the
    joint scores (`evaluation.snapshot.joint_score`), a line each.
    """

    study = models.OneToOneField("corpora.Study", on_delete=models.CASCADE, related_name="report_choice")
    baseline = models.ForeignKey("corpora.System", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    alpha = models.FloatField(default=0.05)
    correction = models.CharField(max_length=30, default="holm")
    variant = models.CharField(max_length=10, default="raw")
    split = models.CharField(max_length=10, default="", blank=True, db_default="")
    human_systems = models.BooleanField(default=False, db_default=False)
    averaging = models.CharField(max_length=10, default="sentence", db_default="sentence")
    joint = models.JSONField(default=list, blank=True, db_default=[])

    def __str__(self) -> str:
        return f"report choice of {self.study}"

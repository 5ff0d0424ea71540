"""The tables of this room."""

from functools import cached_property
from typing import Any

import numpy as np
import orjson
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Coalesce, Concat
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from evaluation.imported_metrics import PREFIX, ScoredElsewhere


class HumanStudy(models.Model):
    """People judge outputs of a study: the plan says which, by how many, on which criteria, and with which analysis.

    The rules (`exclusions`, `comparison` and all that defines the judged texts) are frozen when it opens: `frozen`
    keeps them as they were, and the report names the deviations. Its work is done in `campaigns`.

    `criteria` are as a rating campaign has them; `ranks` adds an overall ranking, `best_worst` best-worst scaling.
    `judgements` people judge each output. `size` sentences are drawn by `sampling` and `seed` (0: all) into
    `sentence_ids`. `controls` are `{"every": 10, "kinds": ["broken", ...]}`, `control_texts` what was made of them:
    `[{"sentence", "text", "kind", "of_text"}]`, in older studies keys in small letters (`kept_checks` reads both).
    `comparison` names the main comparison: `{"baseline", "systems", "criterion", "test", "correction", "alpha",
    "looks", "evidence", "proxy", "queue"}`.
    Before it closes nobody is shown how systems compare, unless it `shows_comparison`. `excluded` are people left out
    by hand: `[{"person": pseudonym, "reason", "at"}]`. `amendments` are the changes of rules after it opened, with
    those taken back: `[{"at", "was", "now"}]` by the name of the field, and `{"at", "since"}` of a person who was left
    out by hand for that time. It `repeats` another by the plan that was frozen. `draws` are the moments at which
    systems were settled, and the chances of items to be judged after that (`open_queue`). `costs` are
    `{"seconds", "pay"}`: of a judgement, of an hour.
    """

    class State(models.TextChoices):
        DRAFT = "draft", _("Draft")
        OPEN = "open", _("Open")
        CLOSED = "closed", _("Closed")

    class Sampling(models.TextChoices):
        ALL = "all", _("All sentences")
        RANDOM = "random", _("A random sample")
        LENGTH = "length", _("A random sample, even over lengths")
        VARIANCE = "variance", _("Where metrics vary most over systems: means are of these sources alone")
        DIVERSITY = "diversity", _("Where outputs differ most: means are of these sources alone")

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="human_studies")
    slug = models.SlugField(max_length=80)
    name = models.CharField(max_length=200)
    state = models.CharField(max_length=10, choices=State, default=State.DRAFT)
    direction = models.ForeignKey("corpora.Direction", on_delete=models.PROTECT, null=True, blank=True)
    splits = ArrayField(models.CharField(max_length=5), default=list, blank=True)
    systems = models.ManyToManyField("corpora.System", blank=True, related_name="human_studies")
    rate_source = models.BooleanField(default=False)
    rate_reference = models.BooleanField(default=False)
    sampling = models.CharField(max_length=10, choices=Sampling, default=Sampling.ALL)
    size = models.PositiveIntegerField(default=0)
    seed = models.IntegerField(default=1)
    criteria = models.JSONField(default=dict)
    ranks = models.BooleanField(default=False)
    best_worst = models.BooleanField(default=False)
    judgements = models.PositiveSmallIntegerField(default=3)
    outputs_per_item = models.PositiveSmallIntegerField(default=0)
    eligibility = models.JSONField(default=dict, db_column="crew")
    costs = models.JSONField(default=dict)
    controls = models.JSONField(default=dict)
    use_controls = models.BooleanField(default=False)
    exclusions = models.JSONField(default=dict)
    comparison = models.JSONField(default=dict)
    shows_comparison = models.BooleanField(default=False, db_default=False)
    excluded = models.JSONField(default=list, blank=True, db_default=[])
    amendments = models.JSONField(default=list, blank=True, db_default=[])
    guideline = models.TextField(blank=True)
    sentence_ids = ArrayField(models.BigIntegerField(), default=list, blank=True)
    control_texts = models.JSONField(default=list, blank=True)
    campaigns = models.ManyToManyField("annotation.Campaign", blank=True, related_name="human_studies")
    frozen = models.JSONField(null=True)
    made_by = models.ForeignKey("accounts.Person", on_delete=models.SET_NULL, null=True, related_name="human_studies")
    made_at = models.DateTimeField(auto_now_add=True)
    opened_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)
    repeats = models.ForeignKey(
        "evaluation.HumanStudy", on_delete=models.SET_NULL, null=True, blank=True, related_name="repetitions"
    )
    draws = models.JSONField(default=dict, blank=True, db_default={})

    class Meta:
        ordering = ["made_at", "pk"]
        verbose_name_plural = "human studies"
        constraints = [models.UniqueConstraint(fields=["study", "slug"], name="one_human_study_a_slug")]

    def __str__(self) -> str:
        return self.name

    @property
    def plan_at_opening(self) -> dict[str, Any]:
        """The frozen plan of a study that opened."""
        assert self.frozen is not None, "it is a draft"
        plan: dict[str, Any] = self.frozen
        return plan

    @property
    def is_chosen(self) -> bool:
        """Whether its sources were chosen where systems differ, so that they stand for no others."""
        return self.sampling in (self.Sampling.VARIANCE, self.Sampling.DIVERSITY)

    @property
    def withholds(self) -> bool:
        """Whether how the systems compare is kept back: it is open, and its frozen plan does not say otherwise.

        Where one thing alone is judged, such as the source, there is nothing to compare.
        """
        if self.state != self.State.OPEN:
            return False
        rules = self.plan_at_opening["rules"]
        judged = len(rules["systems"]) + rules["rate_source"] + rules["rate_reference"]
        return judged > 1 and not rules.get("shows_comparison", False)


class RatingsImport(models.Model):
    """A file of judgements that were collected elsewhere."""

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="ratings_imports")
    number = models.PositiveSmallIntegerField()
    format = models.CharField(max_length=60)
    file_name = models.CharField(max_length=300)
    made_by = models.ForeignKey("accounts.Person", on_delete=models.SET_NULL, null=True)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["study", "number"], name="one_ratings_import_a_number")]

    def __str__(self) -> str:
        return self.file_name


class Judgement(models.Model):
    """One worker's value for one text of a sentence on one criterion.

    It belongs to the `system` that the file names. Where the file names none, it belongs to every system whose output
    for the sentence is that text: `text_key` is compared.
    """

    ratings_import = models.ForeignKey("evaluation.RatingsImport", on_delete=models.CASCADE, related_name="judgements")
    sentence = models.ForeignKey("corpora.Sentence", on_delete=models.CASCADE, related_name="judgements")
    criterion = models.ForeignKey("annotation.Criterion", on_delete=models.CASCADE, related_name="judgements")
    text_key = models.TextField()
    system = models.ForeignKey(
        "corpora.System", on_delete=models.CASCADE, null=True, blank=True, related_name="judgements"
    )
    worker = models.CharField(max_length=100)
    value = models.FloatField()
    seconds = models.FloatField(null=True)

    class Meta:
        indexes = [models.Index(fields=["ratings_import", "criterion"], name="judgement_of_criterion")]

    def __str__(self) -> str:
        return f"{self.criterion}: {self.value}"


class ImportedMarks(models.Model):
    """The spans that one worker marked in an output and its source; `[]` where the worker found nothing to mark.

    `marks` are [{"side", "start", "end", "kind", "severity", "reason"}]. Their places count characters of `text` and of
    the sentence; one that ends where it starts has no place. It belongs to the `system` as a judgement does.
    """

    ratings_import = models.ForeignKey("evaluation.RatingsImport", on_delete=models.CASCADE, related_name="marks")
    sentence = models.ForeignKey("corpora.Sentence", on_delete=models.CASCADE, related_name="imported_marks")
    system = models.ForeignKey(
        "corpora.System", on_delete=models.CASCADE, null=True, blank=True, related_name="imported_marks"
    )
    text = models.TextField()
    worker = models.CharField(max_length=100)
    marks = models.JSONField(default=list)

    class Meta:
        verbose_name_plural = "imported marks"

    def __str__(self) -> str:
        return f"{self.worker}: {len(self.marks)}"


class MetricChoice(models.Model):
    """A metric that a study wants, with its settings."""

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="metric_choices")
    number = models.PositiveSmallIntegerField()
    metric = models.CharField(max_length=60)
    settings = models.JSONField(default=dict)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["study", "metric"], name="one_choice_a_metric")]

    def __str__(self) -> str:
        return self.metric


class ImportedMetric(models.Model):
    """A metric whose scores were computed elsewhere and imported; `MetricScore` holds them, by `key`.

    `higher_is_better` is None where neither end is the better one.
    """

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="imported_metrics")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=50)
    version = models.CharField(max_length=100, blank=True)
    signature = models.CharField(max_length=400, blank=True)
    higher_is_better = models.BooleanField(null=True)
    file_name = models.CharField(max_length=300)
    made_by = models.ForeignKey("accounts.Person", on_delete=models.SET_NULL, null=True)
    made_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="one_imported_metric_a_number"),
            models.UniqueConstraint(fields=["study", "name"], name="one_imported_metric_a_name"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def key(self) -> str:
        """The name of its scores, which none of the metrics has that are computed here."""
        return PREFIX + self.name

    @property
    def described(self) -> ScoredElsewhere:
        """The metric as a snapshot holds it."""
        return ScoredElsewhere(self.key, self.higher_is_better, self.version, self.signature, self.file_name)

    @property
    def scores(self) -> models.QuerySet["MetricScore"]:
        """Its scores, a row a system."""
        return MetricScore.objects.filter(system__study=self.study_id, metric=self.key)

    @staticmethod
    def with_sizes(rows: "models.QuerySet[ImportedMetric]") -> "models.QuerySet[ImportedMetric]":
        """These metrics, each with `size`, the number of outputs that it scored."""
        key = Concat(models.Value(PREFIX), models.OuterRef("name"))
        scored = MetricScore.objects.filter(system__study=models.OuterRef("study"), metric=key).order_by()
        outputs = models.Func("sentence_ids", function="cardinality", output_field=models.IntegerField())
        summed = scored.values("metric").annotate(outputs=models.Sum(outputs)).values("outputs")
        return rows.annotate(size=Coalesce(models.Subquery(summed), 0))


class JudgeRun(models.Model):
    """A job by which a language model judges the outputs of a study on a criterion; its scores are those of `metric`.

    `settings` are its `JudgeFields`, `usage` its calls (`modelserving.run_context.Usage`), `counts` the questions,
    answers and those of them that say nothing, `card` its biases (`evaluation/llm_judge/bias.py`), {} before the end.
    """

    job = models.OneToOneField("jobs.Job", on_delete=models.CASCADE, related_name="judge_run")
    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="judge_runs")
    metric = models.ForeignKey(ImportedMetric, on_delete=models.SET_NULL, null=True, related_name="judge_runs")
    name = models.CharField(max_length=50)
    settings = models.JSONField(default=dict)
    usage = models.JSONField(default=dict)
    counts = models.JSONField(default=dict)
    card = models.JSONField(default=dict)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.name


class MetricRun(models.Model):
    """A job that scores all systems of a study with all its metrics."""

    job = models.OneToOneField("jobs.Job", on_delete=models.CASCADE, related_name="metric_run")
    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="metric_runs")

    class Meta:
        ordering = ["-job__made_at"]

    def __str__(self) -> str:
        return f"metrics of {self.study}"


class Score(models.Model):
    """A metric's score of some outputs as a whole; `undefined` says why `corpus` is null.

    `key` is the SHA-256 of all that the number depends on (texts, settings, signature). A score with the same key is
    not computed again.
    """

    worked_out = True  # from others; a removal that is undone brings back none that is older

    metric = models.CharField(max_length=60)
    key = models.CharField(max_length=64)
    signature = models.CharField(max_length=600)
    corpus = models.FloatField(null=True)
    undefined = models.CharField(max_length=300, blank=True, default="", db_default="")
    details = models.JSONField(default=dict)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True


class MetricScore(Score):
    """One metric's scores of one system: the corpus score and one array of sentence scores, in sentence order.

    A sentence without a score has NaN. `packed` are the sentences' parts in the sums that the corpus score is made of,
    `width` a sentence. They are little-endian float64 as in memory, since there are up to 24 for every output of a
    study.
    """

    system = models.ForeignKey("corpora.System", on_delete=models.CASCADE, related_name="metric_scores")
    sentence_ids = ArrayField(models.BigIntegerField())
    sentences = ArrayField(models.FloatField())
    packed = models.BinaryField(default=b"")
    width = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["system", "metric"], name="one_score_a_system_and_metric")]

    def __str__(self) -> str:
        return f"{self.metric} of {self.system}: {self.corpus}"

    @property
    def sufficient_statistics(self) -> np.ndarray:
        """A row a sentence (n, width), float64: what the metric's `corpus_of` takes the sum of."""
        return np.frombuffer(self.packed, dtype="<f8").reshape(len(self.sentence_ids), self.width)


class BaselineScore(Score):
    """One metric's score of outputs that are made to fool it (`evaluation/baselines`), over the study's sources."""

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="baseline_scores")
    baseline = models.CharField(max_length=60, db_column="foil")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "baseline", "metric"], name="one_score_a_baseline_and_metric")
        ]

    def __str__(self) -> str:
        return f"{self.metric} of {self.baseline}: {self.corpus}"


class PublicLink(models.Model):
    """A link by which anybody reads one page of a study, without an account.

    Only the SHA-256 of its secret is kept; `prefix` lets the study's researchers tell it from others. One that is
    revoked stays, so that its address can say so. `with_texts` shows a release's datasheet and guidelines too, as long
    as the study permits it (`evaluation.public_links`).
    """

    class Page(models.TextChoices):
        REPORT = "report", _("Whole report")
        LEADERBOARD = "leaderboard", _("Leaderboard")
        TRUST = "trust", _("Which metric to trust")
        RELEASE = "release", _("Release")

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="public_links")
    page = models.CharField(max_length=12, choices=Page)
    release = models.ForeignKey(
        "annotation.Release", on_delete=models.CASCADE, null=True, blank=True, related_name="public_links"
    )
    with_texts = models.BooleanField(default=False, db_default=False)
    prefix = models.CharField(max_length=8)
    digest = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(
        "accounts.Person", on_delete=models.SET_NULL, null=True, related_name="public_links_made"
    )
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-made_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(page="release", release__isnull=False) | (~Q(page="release") & Q(release__isnull=True)),
                name="release_of_a_public_link",
            )
        ]

    def __str__(self) -> str:
        return f"{self.page} ({self.prefix}...)"

    @property
    def has_expired(self) -> bool:
        return self.expires_at is not None and self.expires_at <= timezone.now()

    @property
    def is_open(self) -> bool:
        return self.revoked_at is None and not self.has_expired


class RaterTraits(models.Model):
    """The traits of a person who judged elsewhere, such as age and first language; `worker` as in their judgements.

    They belong to a study, and are deleted with it. `traits` are texts by name, as in a site's list of participants.
    `left_out` says why filtered judgements are without this person; "" of one who counts.
    """

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="rater_traits")
    worker = models.CharField(max_length=100)
    traits = models.JSONField(default=dict)
    left_out = models.TextField(blank=True, default="", db_default="")

    class Meta:
        ordering = ["worker"]
        constraints = [models.UniqueConstraint(fields=["study", "worker"], name="traits_once_a_rater")]

    def __str__(self) -> str:
        return self.worker


class Report(models.Model):
    """The report of a study as it was last worked out.

    `key` is the SHA-256 of all that it was made from, and `made_from` holds digests of its parts
    (`evaluation.report_freshness`), which show the changes since.

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
        """The tables and figures by name, each as `evaluation.table_building.entry_json` writes it."""
        return orjson.loads(self.tables)


class ReportChoice(models.Model):
    """A researcher's choices for a study's report.

    Stars mark differences from the `baseline` at `alpha`, after the `correction` over all comparisons of one table
    column. `variant` says which judgements lead: filtered (without the people whom a human study's plan
    leaves out), raw or z (standardized by worker); the others stand beside them. `split` says which sentences the
    report is about: one split, "all", or "" for the test split if the systems have outputs of it. With
    `human_systems` systems that are people count where metrics are ranked. `averaging` is the unit that counts once in
    a mean of judgements, a sentence or a judgement. `joint` are the joint scores (`evaluation.snapshot`), a line each.
    `machines` are the language models that count among people, by name.
    """

    study = models.OneToOneField("corpora.Study", on_delete=models.CASCADE, related_name="report_choice")
    baseline = models.ForeignKey("corpora.System", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    alpha = models.FloatField(default=0.05)
    correction = models.CharField(max_length=30, default="holm")
    variant = models.CharField(max_length=10, default="filtered")
    split = models.CharField(max_length=10, default="", blank=True, db_default="")
    human_systems = models.BooleanField(default=False, db_default=False)
    averaging = models.CharField(max_length=10, default="sentence", db_default="sentence")
    joint = models.JSONField(default=list, blank=True, db_default=[])
    machines = models.JSONField(default=list, blank=True, db_default=[])

    def __str__(self) -> str:
        return f"report choice of {self.study}"

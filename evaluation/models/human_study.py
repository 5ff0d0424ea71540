from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _


class HumanStudy(models.Model):
    """People judge outputs of a study: what is judged, by how many, on what, and how the answer will be worked out.

    The rules (`exclusions`, `comparison` and all that says what is judged) are frozen when it opens: `frozen` keeps
    them as they were, and the report says what departs from them. Its work is done in `campaigns`.

    `criteria` are as a rating campaign has them; `ranks` adds an overall ranking, `best_worst` best-worst scaling.
    `judgements` people judge each output. `size` sentences are drawn by `sampling` and `seed` (0: all) into
    `sentence_ids`. `controls` are `{"every": 10, "kinds": ["broken", ...]}`, `control_texts` what was made of them:
    `[{"sentence", "text", "kind", "of_text"}]`, in older studies keys in small letters (`kept_checks` reads both).
    `comparison` names the main comparison: `{"baseline", "systems", "criterion", "test", "correction", "alpha"}`.
    Before it closes nobody is shown how systems compare, unless it `shows_comparison`. `excluded` are people left out
    by hand: `[{"person": pseudonym, "reason", "at"}]`. `costs` are `{"seconds", "pay"}`: of a judgement, of an hour.
    """

    class State(models.TextChoices):
        DRAFT = "draft", _("Draft")
        OPEN = "open", _("Open")
        CLOSED = "closed", _("Closed")

    class Sampling(models.TextChoices):
        ALL = "all", _("All sentences")
        RANDOM = "random", _("A random sample")
        LENGTH = "length", _("A random sample, even over lengths")

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
    crew = models.JSONField(default=dict)
    costs = models.JSONField(default=dict)
    controls = models.JSONField(default=dict)
    use_controls = models.BooleanField(default=False)
    exclusions = models.JSONField(default=dict)
    comparison = models.JSONField(default=dict)
    shows_comparison = models.BooleanField(default=False, db_default=False)
    excluded = models.JSONField(default=list, blank=True, db_default=[])
    guideline = models.TextField(blank=True)
    sentence_ids = ArrayField(models.BigIntegerField(), default=list, blank=True)
    control_texts = models.JSONField(default=list, blank=True)
    campaigns = models.ManyToManyField("annotation.Campaign", blank=True, related_name="human_studies")
    frozen = models.JSONField(null=True)
    made_by = models.ForeignKey("accounts.Person", on_delete=models.SET_NULL, null=True, related_name="human_studies")
    made_at = models.DateTimeField(auto_now_add=True)
    opened_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["made_at", "pk"]
        verbose_name_plural = "human studies"
        constraints = [models.UniqueConstraint(fields=["study", "slug"], name="one_human_study_a_slug")]

    def __str__(self) -> str:
        return self.name

    @property
    def withholds(self) -> bool:
        """Whether how the systems compare is kept back: it is open, and its frozen plan does not say otherwise.

        Where one thing alone is judged, such as the source, there is nothing to compare.
        """
        if self.state != self.State.OPEN:
            return False
        rules = self.frozen["rules"]
        judged = len(rules["systems"]) + rules["rate_source"] + rules["rate_reference"]
        return judged > 1 and not rules.get("shows_comparison", False)

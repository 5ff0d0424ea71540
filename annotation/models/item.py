from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q


class Item(models.Model):
    """One piece of work, as its task type built it; `content` is a snapshot and never changes.

    It is about a sentence, a group, a document or a question. In a later stage it comes from the answer `parent`, and
    `people` are all who had a hand in it before; none of them gets it. `part` counts the products of one answer from
    0. A control item has the answer that is `expected`, which never leaves the server; of a training it is shown with
    its `explanation` once the person's own answer is stored.

    `authors` wrote one of the texts that it gives to be judged, and do not get it either.

    `settled` is how all answers of the item together ended, where its kind of work settles by item: `verdict`,
    `products`, the `answer` that decided and the `people`. `withdrawn`: what it was made from does not stand any more.
    """

    campaign = models.ForeignKey("annotation.Campaign", on_delete=models.CASCADE, related_name="items")
    number = models.PositiveIntegerField()
    sentence = models.ForeignKey("corpora.Sentence", on_delete=models.PROTECT, null=True, related_name="items")
    group = models.ForeignKey("corpora.Group", on_delete=models.PROTECT, null=True, related_name="items")
    document = models.ForeignKey("corpora.Document", on_delete=models.PROTECT, null=True, related_name="items")
    question = models.ForeignKey("corpora.Question", on_delete=models.PROTECT, null=True, related_name="items")
    parent = models.ForeignKey("annotation.Answer", on_delete=models.CASCADE, null=True, related_name="items_made")
    part = models.PositiveSmallIntegerField(default=0, db_default=0)
    people = ArrayField(models.IntegerField(), default=list, db_default=[])
    authors = ArrayField(models.IntegerField(), default=list, db_default=[])
    topic = models.CharField(max_length=100, blank=True, default="", db_default="")
    control = models.BooleanField(default=False, db_default=False)
    expected = models.JSONField(null=True)
    explanation = models.TextField(blank=True, default="", db_default="")
    settled = models.JSONField(null=True)
    withdrawn = models.BooleanField(default=False, db_default=False)
    content = models.JSONField()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "number"], name="one_item_a_number"),
            models.UniqueConstraint(
                fields=["campaign", "parent", "part"], condition=Q(parent__isnull=False), name="one_item_a_product"
            ),
        ]
        indexes = [models.Index(fields=["campaign"], condition=Q(control=True), name="item_control")]

    def __str__(self) -> str:
        return f"{self.campaign} item {self.number}"

from django.contrib.postgres.fields import ArrayField
from django.db import models


class AdoptedSource(models.Model):
    """A source that adopting made of gold: `key` tells it from the others of its direction, `campaign` began its chain.

    Where the gold goes, it goes, unless something stands on it by then.
    """

    campaign = models.ForeignKey("annotation.Campaign", on_delete=models.CASCADE, related_name="adopted_sources")
    sentence = models.OneToOneField("corpora.Sentence", on_delete=models.CASCADE, related_name="adopted")
    key = models.CharField(max_length=250)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.campaign}: {self.key}"


class AdoptedReference(models.Model):
    """Whose work a reference is: the answer that it was adopted from, and the keys of all who had a hand in that."""

    reference = models.OneToOneField("corpora.Reference", on_delete=models.CASCADE, related_name="adopted")
    answer = models.ForeignKey("annotation.Answer", on_delete=models.CASCADE, related_name="adopted_references")
    people = ArrayField(models.BigIntegerField(), default=list)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.reference} from {self.answer}"

from django.contrib.postgres.fields import ArrayField
from django.db import models


class SectionElement(models.Model):
    """The medical element that a section title of one style stands for (MSD: Symptoms and Signs are one element)."""

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="section_elements")
    style = models.CharField(max_length=60)
    section = models.CharField(max_length=200)
    element = models.CharField(max_length=100)

    class Meta:
        ordering = ["element", "style", "section"]
        constraints = [models.UniqueConstraint(fields=["study", "style", "section"], name="one_element_a_section")]

    def __str__(self) -> str:
        return f"{self.section}: {self.element}"


class DocumentLink(models.Model):
    """Two versions of one text, linked by title and code; `source` is of the one style, `target` of the other."""

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="document_links")
    source = models.ForeignKey("corpora.Document", on_delete=models.CASCADE, related_name="links_to")
    target = models.ForeignKey("corpora.Document", on_delete=models.CASCADE, related_name="links_from")

    class Meta:
        ordering = ["source__number", "target__number"]
        constraints = [models.UniqueConstraint(fields=["source", "target"], name="one_link_a_pair")]

    def __str__(self) -> str:
        return f"{self.source} - {self.target}"


class Group(models.Model):
    """A linked sentence group: the sections of two linked documents that stand for one element.

    `sampled` marks those drawn for annotation.
    """

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="groups")
    link = models.ForeignKey("corpora.DocumentLink", on_delete=models.CASCADE, related_name="groups")
    number = models.PositiveIntegerField()
    element = models.CharField(max_length=100, blank=True)
    source_sections = ArrayField(models.CharField(max_length=200), default=list)
    target_sections = ArrayField(models.CharField(max_length=200), default=list)
    sampled = models.BooleanField(default=False)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="one_group_a_number"),
            models.UniqueConstraint(fields=["link", "element"], name="one_group_an_element"),
        ]

    def __str__(self) -> str:
        return f"{self.link.source} {self.element}".strip()

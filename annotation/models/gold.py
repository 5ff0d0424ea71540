"""Gold: releases with their files, gold from elsewhere, and the texts that campaigns' gold became."""

from django.contrib.postgres.fields import ArrayField
from django.db import models


class Release(models.Model):
    """Gold data as they were given out: never changed, never removed (the database refuses).

    `settings` hold the rules that were applied (campaigns, split rule, seed, formats), `guidelines` the guideline
    versions, `counts` the numbers of its rows, `datasheet` the text that describes it. A correction is a further
    release with `changes`, its changes since the one before. `key` makes the pseudonyms of this release. The next
    release is compared by `digests`, those of the rows. `made_in` is the transaction that made it, set by the database;
    none other can add to it.
    """

    study = models.ForeignKey("corpora.Study", on_delete=models.PROTECT, related_name="releases")
    number = models.PositiveSmallIntegerField()
    changes = models.TextField(blank=True)
    settings = models.JSONField(default=dict)
    guidelines = models.JSONField(default=list)
    counts = models.JSONField(default=dict)
    datasheet = models.TextField()
    license = models.CharField(max_length=200, blank=True)
    key = models.BinaryField(max_length=32)
    digests = models.BinaryField(default=b"")
    made_in = models.BigIntegerField(default=0, editable=False)
    made_by = models.ForeignKey("accounts.Person", on_delete=models.PROTECT, null=True, related_name="releases_made")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["study", "number"]
        constraints = [models.UniqueConstraint(fields=["study", "number"], name="one_release_a_number")]

    def __str__(self) -> str:
        return f"{self.study} release {self.number}"


class ReleaseFile(models.Model):
    """A file of a release, kept in pieces of a megabyte; `rows` is how many rows of gold it holds."""

    release = models.ForeignKey("annotation.Release", on_delete=models.PROTECT, related_name="files")
    name = models.CharField(max_length=200)
    media_type = models.CharField(max_length=100)
    size = models.BigIntegerField()
    rows = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["release", "name"], name="one_file_a_name")]

    def __str__(self) -> str:
        return self.name


class ReleasePiece(models.Model):
    file = models.ForeignKey("annotation.ReleaseFile", on_delete=models.PROTECT, related_name="pieces")
    number = models.PositiveIntegerField()
    data = models.BinaryField()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["file", "number"], name="one_piece_a_number")]

    def __str__(self) -> str:
        return f"{self.file} piece {self.number}"


class ReleaseRun(models.Model):
    """A release as it was asked for, made by a job; `release` is empty until it is there."""

    job = models.OneToOneField("jobs.Job", on_delete=models.CASCADE, related_name="release_run")
    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="release_runs")
    settings = models.JSONField()
    changes = models.TextField(blank=True)
    release = models.OneToOneField("annotation.Release", on_delete=models.PROTECT, null=True, related_name="run")

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.job} of {self.study}"


class ImportedGold(models.Model):
    """A row of gold that was made elsewhere and read from a file in one of the published forms.

    `entry` is the row as a JSON line of the form `gold`, as text, since PostgreSQL's JSON would order its keys anew;
    `place` counts the rows of the study.
    """

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="imported_gold")
    place = models.PositiveIntegerField()
    origin = models.CharField(max_length=200)
    kind = models.CharField(max_length=20)
    entry = models.TextField()

    class Meta:
        ordering = ["place"]
        constraints = [models.UniqueConstraint(fields=["study", "place"], name="one_imported_row_a_place")]

    def __str__(self) -> str:
        return f"{self.origin} row {self.place}"


class GoldImport(models.Model):
    """Gold that was made elsewhere, on its way in: a job looks at the file and counts, another one imports it.

    `form` is empty where it is to be recognised; `split` is that of rows whose form says none; `tune` is the share of
    the texts to train on that stand for themselves which becomes the tune split, in per cent. `found` counts the gold
    that would come, `brought` the gold that came. The pieces of the file are gone once it is in.
    """

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="gold_imports")
    job = models.OneToOneField("jobs.Job", on_delete=models.CASCADE, related_name="gold_import")
    name = models.CharField(max_length=200)
    form = models.CharField(max_length=40, blank=True)
    split = models.CharField(max_length=5)
    tune = models.FloatField(default=0)
    writes = models.BooleanField(default=False)
    found = models.JSONField(null=True)
    brought = models.JSONField(null=True)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.name


class GoldImportPiece(models.Model):
    """A piece of such a file, at most a megabyte; `number` counts from 0."""

    gold_import = models.ForeignKey("annotation.GoldImport", on_delete=models.CASCADE, related_name="pieces")
    number = models.PositiveIntegerField()
    data = models.BinaryField()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["gold_import", "number"], name="one_gold_piece_a_number")]

    def __str__(self) -> str:
        return f"{self.gold_import}, piece {self.number}"


class AdoptedSource(models.Model):
    """A source that adopting made of gold: `key` tells it from the others of its direction, `campaign` began its chain.

    It is removed with the gold, unless something builds on it by then.
    """

    campaign = models.ForeignKey("annotation.Campaign", on_delete=models.CASCADE, related_name="adopted_sources")
    sentence = models.OneToOneField("corpora.Sentence", on_delete=models.CASCADE, related_name="adopted")
    key = models.CharField(max_length=250)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.campaign}: {self.key}"


class AdoptedReference(models.Model):
    """The work behind a reference: the answer that it was adopted from, and the keys of all who had a hand in that."""

    reference = models.OneToOneField("corpora.Reference", on_delete=models.CASCADE, related_name="adopted")
    answer = models.ForeignKey("annotation.Answer", on_delete=models.CASCADE, related_name="adopted_references")
    people = ArrayField(models.BigIntegerField(), default=list)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.reference} from {self.answer}"

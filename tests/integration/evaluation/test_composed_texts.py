"""An output is compared as it is read: another form of Unicode and characters that nobody sees change nothing."""

import unicodedata

import pytest

from corpora.actions.add_direction import add_direction
from corpora.actions.add_references import add_references
from corpora.actions.add_sources import add_sources
from corpora.actions.add_system import add_system
from corpora.actions.create_study import create_study
from corpora.models import Output
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.make_report import make_report

pytestmark = pytest.mark.django_db
SOURCES = ["trés bien, déjà là hein", "ça ira, je te dis ça", "pas évident à régler"]
REFERENCES = ["C’est très bien, déjà réglé.", "Cela ira, croyez-moi, déjà.", "Ce n’est pas évident à régler."]
METRICS = {"bleu": {}, "chrf": {}, "ter": {}, "rouge_l": {}, "sari": {}}


def test_what_is_equal_to_its_reference_but_for_unicode_scores_as_equal():
    study = create_study(slug="nfd", title="NFD", styles=["informel", "formel"], language="fr")
    direction = add_direction(study=study, source_style="informel", target_style="formel")
    add_sources(direction=direction, texts=SOURCES)
    add_references(direction=direction, texts=REFERENCES, origin="a test")
    outputs = [*REFERENCES[:2], "Ce n’est point évident à régler."]
    other = [f"\ufeff{unicodedata.normalize('NFD', text)}\u200b" for text in outputs]
    for name, texts in (("NFC", outputs), ("NFD", other)):
        add_system(study=study, name=name, outputs={direction: texts}, origin="a test")
    choose_metrics(study=study, metrics=METRICS)
    nfc, nfd = ({row["name"]: row["metrics"] for row in make_report(study=study).content["systems"]}[name]
                for name in ("NFC", "NFD"))  # fmt: skip
    assert nfc["bleu"]["score"] > 80
    assert {name: nfd[name]["score"] for name in METRICS} == {name: nfc[name]["score"] for name in METRICS}
    assert sorted(Output.objects.filter(system__name="NFD").values_list("text", flat=True)) == sorted(other)

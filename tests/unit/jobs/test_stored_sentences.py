"""What a job stored in English is read in the language of the page; a sentence that no message fits stays."""

import pytest
from django.utils import translation

from jobs.models import Job
from jobs.stored_sentences import in_readers_language
from jobs.waiting_reasons import waiting_reasons


@pytest.mark.parametrize(
    ("stored", "read"),
    [
        ("The report is ready: 1,203 of 1,204 scores.", "Der Bericht ist fertig: 1.203 von 1.204 Werten."),
        (
            "A training begins on the GPU; the run begins when it has.",
            "Auf der GPU beginnt ein Training; danach beginnt der Lauf.",
        ),
        (
            "Trained in 12 seconds; kept: best, last. Best tune loss: 0.31 at step 40, lower is better.",
            "Trainiert in 12 Sekunden; behalten: best, last. "
            "Bestes tune loss: 0,31 bei Schritt 40, niedriger ist besser.",
        ),
        ("sources: Not one sentence came in: look at the file and its format.",
         "sources: Kein einziger Satz kam herein: Sehen Sie sich die Datei und ihr Format an."),
        ("No metric of fluency is chosen: choose one on the page Choose metrics, such as PPL (LM) or Reward.",
         "Es ist keine Metrik für Flüssigkeit gewählt: Wählen Sie eine auf der Seite „Metriken wählen“, etwa PPL (LM) "
         "oder Reward."),
        ("1 file is at https://hub.example/lab.", "1 Datei liegt unter https://hub.example/lab."),
        ("1,200 files are at https://hub.example/lab.", "1.200 Dateien liegen unter https://hub.example/lab."),
        ("80 of 80 sources have an output.", "80 von 80 Ausgangstexten haben eine Ausgabe."),
        ("There is no interval: it needs 4 groups of points or more, and there are 3.",
         "Kein Intervall: Nötig sind mindestens 4 Gruppen von Punkten; es gibt 3."),
        ("* differs from Rules with p < 0.05, corrected a column (Holm), by approximate randomization.",
         "* unterscheidet sich von Rules mit p < 0,05, korrigiert je Spalte (Holm), "
         "nach Approximative Randomisierung."),
        ("* differs from Rules with p < 0.05, by Wilcoxon's signed-rank test.",
         "* unterscheidet sich von Rules mit p < 0,05, nach Wilcoxons Vorzeichen-Rang-Test."),
        ("The test split alone: 1,203 sentences.", "Allein der Split test: 1.203 Sätze."),
        ("Somebody's own program wrote 12 lines.", "Somebody's own program wrote 12 lines."),
        ("", ""),
    ],
)  # fmt: skip
def test_a_stored_sentence_is_read_in_german_and_stays_in_english(stored, read):
    with translation.override("de"):
        assert in_readers_language(stored) == read
    with translation.override("en"):
        assert in_readers_language(stored) == stored


def test_what_a_job_waits_for_is_read_in_the_language_of_the_page():
    job = Job(
        awaited="It waits for the answers to a batch of 4,000 calls from the endpoint {odd}, which come within a day, "
        "at no worker."
    )
    with translation.override("fr"):
        (said,) = waiting_reasons([job])
    assert "4\u00a0000 appels" in said
    assert "{odd}" in said

"""Published human scores come out of their public files, to the last digit that is published.

The files are not part of this project: `PUBLISHED_JUDGEMENTS` names a folder with the repositories below, each as it
is on GitHub, and a test whose repository is not there is left out. `final_results_merged.pdf` is read with pypdf.
"""

import csv
import io
import json
import os
from collections import Counter
from pathlib import Path

import pytest

from annotation.actions.add_scale import add_scale
from annotation.marked_texts import MQM_COLUMNS
from annotation.scales import is_own
from corpora.actions.add_direction import add_direction
from corpora.actions.add_sources import add_sources
from corpora.actions.add_system import add_system
from corpora.actions.create_study import create_study
from corpora.formats import TextFile
from corpora.table_parser import understand
from evaluation.actions.bring_in_judgements import bring_in_judgements
from evaluation.actions.choose_report import choose_report
from evaluation.imported_judgements.judgement_plan import guess_meanings, plan_import
from evaluation.models import Judgement
from evaluation.reporting.build import systems as rows_of
from evaluation.reporting.correlations import bootstrap_of
from evaluation.reporting.kept_parts import KeptParts
from evaluation.reporting.leaderboard_numbers import leaderboard
from evaluation.snapshot_builder.build import build_snapshot, read_study

pytestmark = pytest.mark.django_db
FOLDER = Path(os.environ.get("PUBLISHED_JUDGEMENTS") or "/nowhere")
TEXTDETOX = FOLDER / "textdetox_clef_2024"
SIMPEVAL = FOLDER / "LENS" / "data" / "simpeval_past.csv"
WMT = FOLDER / "ErrorSpanAnnotation" / "data" / "mt-metrics-eval-v2" / "wmt23"
LANGUAGES = ("Amharic", "Arabic", "German", "English", "Spanish", "Hindi", "Russian", "Ukrainian", "Chinese")
# Folders of the files by the names of the published tables, where they are not the same.
FOLDERS = {"Team SmurfCat": "adugeen", "Team SINAI": "Team_SINAI", "Yekaterina29": "Team_Team_1",
           "gangopsa": "taimoor_khan", "Team MarSanAI": "Team MarSan_AI"}  # fmt: skip


def brought_in(sources, outputs, columns, rows, scales, said=None):
    """A study of these outputs, by system, and its judgements through the import that the page uses."""
    study = create_study(slug="published", title="Published", styles=["toxic", "neutral"])
    direction = add_direction(study=study, source_style="toxic", target_style="neutral")
    add_sources(direction=direction, texts=sources)
    for name, texts in outputs.items():
        add_system(study=study, name=name, outputs={direction: texts}, origin="published", allows_missing=True)
    for scale in dict.fromkeys(filter(is_own, scales.values())):
        add_scale(study=study, line=scale)
    written = io.StringIO()
    csv.writer(written).writerows([columns, *rows])
    answers = {f"scale-{name}": scale for name, scale in scales.items()} | {f"aspect-{name}": "none" for name in scales}
    with understand(TextFile(written.getvalue().encode(), "judgements.csv")) as table:
        mapping = {name: f"rating: {name}" if name in scales else name for name in columns}
        plan = plan_import(study, table, mapping, {}, answers | (said or {}))
        assert not plan.open, plan.open
        bring_in_judgements(study=study, table=table, mapping=mapping, answers=answers | (said or {}))
    return study


def by_source(texts):
    """The sources in their order, and the outputs of each system beside them, None where there is none."""
    sources = list(dict.fromkeys(source for of in texts.values() for source in of))
    return sources, {name: [of.get(source) for source in sources] for name, of in texts.items()}


def boards_of(study):
    built = build_snapshot(study, read_study(study, apart=False), {})
    boards = leaderboard(built.snapshot, bootstrap_of(built.snapshot), rows_of(built), KeptParts())
    return {
        (kind, name): {row["system"]: row["value"] for row in board["rows"]}
        for kind in ("criteria", "joint")
        for name, board in boards[kind].items()
    }


def agrees(value, published):
    """Whether a value is what was published, rounded to as many digits as that has."""
    return f"{value:.{len(published.partition('.')[2])}f}" == published


def published_of_textdetox(language):
    """Toxicity, content, fluency and joint score by the name in the table."""
    pypdf = pytest.importorskip("pypdf")
    page = pypdf.PdfReader(TEXTDETOX / "final_results_merged.pdf").pages[LANGUAGES.index(language)]
    lines = [line.split() for line in page.extract_text().splitlines()[1:] if line.strip()]
    return {" ".join(line[:-8]): [part.replace(",", ".") for part in line[-4:]] for line in lines}


@pytest.mark.skipif(not TEXTDETOX.exists(), reason="PUBLISHED_JUDGEMENTS holds no textdetox_clef_2024")
@pytest.mark.parametrize("language", LANGUAGES)
def test_textdetoxs_leaderboard_comes_out(language):
    """The values come in as they stand in the files, each score on a scale of its own."""
    published = published_of_textdetox(language)
    scales = {
        "toxic_pairwise_score": "pairwise | interval | 0 .. 1 step 0.01",
        "content_score": "content | ordinal | 0 | 1",
        "fluency_score": "fluency | ordinal | 0 | 1",
    }
    texts, rows = {}, []
    for name in published:
        path = TEXTDETOX / "human_evaluation_results" / FOLDERS.get(name, name) / f"{language}.tsv"
        if not path.exists():
            continue  # people's references have no file
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t"):
                source, output = row["toxic_sentence"], row["neutral_sentence"]
                texts.setdefault(name, {})[source] = output
                rows.append(("votes", source, output, name, *(row[score] for score in scales)))
    study = brought_in(*by_source(texts), ("rater", "source", "output", "system", *scales), rows, scales)
    choose_report(study=study, joint=[f"J = product of means: {', '.join(scales)}"])
    boards = boards_of(study)
    wrong = []
    for name in texts:
        found = [boards["criteria", score][name] for score in scales] + [boards["joint", "J"][name]]
        wrong += [
            (name, value, wanted)
            for value, wanted in zip(found, published[name], strict=True)
            if not agrees(value, wanted)
        ]
    assert not wrong
    assert len(texts) >= 17


@pytest.mark.skipif(not SIMPEVAL.exists(), reason="PUBLISHED_JUDGEMENTS holds no LENS/data/simpeval_past.csv")
def test_simpevals_means_come_out():
    """The mean over sentences of the mean of five ratings, computed from the file in plain Python: 24 systems.

    One output of UNTS is empty; it was rated as the others were.
    """
    texts, rows, values = {}, [], {}
    with SIMPEVAL.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            source, output, system = row["original"], row["processed_generation"], row["system"]
            texts.setdefault(system, {})[source] = output
            ratings = [row[f"rating_{rater}"] for rater in range(1, 6)]
            rows += [(f"rater {rater}", source, output, system, value) for rater, value in enumerate(ratings, 1)]
            values.setdefault(system, []).append(sum(map(int, ratings)) / 5)
    columns = ("rater", "source", "output", "system", "quality")
    study = brought_in(*by_source(texts), columns, rows, {"quality": "slider_100"})
    found = boards_of(study)["criteria", "quality"]
    assert [system for system, of in texts.items() if "" in of.values()] == ["UNTS"]
    assert {system: len(of) for system, of in values.items()} == dict.fromkeys(texts, 100)
    assert len(found) == 24
    assert found == pytest.approx({system: sum(of) / len(of) for system, of in values.items()}, abs=1e-9)


@pytest.mark.skipif(not WMT.exists(), reason="PUBLISHED_JUDGEMENTS holds no ErrorSpanAnnotation of WMT 2023")
def test_wmts_system_means_come_out():
    """MQM of WMT 2023, Chinese to English, as mt-metrics-eval has it: 16 systems, 1,177 of 1,976 segments judged.

    Two of the judged segments have one source, and most systems one text for both: each has its own score. The
    last two of the sixteen published digits depend on the order in which the scores were added.
    """
    sources, scores, outputs, rows = _lines(WMT / "sources" / "zh-en.txt"), {}, {}, []
    for line in _lines(WMT / "human-scores" / "zh-en.mqm.seg.score"):
        system, _, score = line.partition("\t")
        scores.setdefault(system, []).append(score)
    for system, of in scores.items():
        outputs[system] = _lines(WMT / "system-outputs" / "zh-en" / f"{system}.txt")
        segments = enumerate(zip(sources, outputs[system], of, strict=True), 1)
        rows += [("MQM", number, source, output, system, score) for number, (source, output, score) in segments]
    columns = ("rater", "number", "source", "output", "system", "mqm")
    scale = {"mqm": "mqm | interval | -72 .. 0 step 0.01"}
    study = brought_in(sources, outputs, columns, rows, scale, {"missing-mqm": "leave_out"})
    found = boards_of(study)["criteria", "mqm"]
    published = dict(line.split("\t") for line in _lines(WMT / "human-scores" / "zh-en.mqm.sys.score"))
    assert len(published) == 16
    assert found == pytest.approx({system: float(mean) for system, mean in published.items()}, rel=0, abs=1e-14)


@pytest.mark.skipif(not WMT.exists(), reason="PUBLISHED_JUDGEMENTS holds no ErrorSpanAnnotation of WMT 2023")
def test_wmts_marks_score_as_published():
    """The marks of WMT 2023, English to German, come in as Google publishes such marks: all 5,980 scores come out."""
    sources, published, rows = _lines(WMT / "sources" / "en-de.txt"), {}, ["\t".join(MQM_COLUMNS)]
    for line in _lines(WMT / "human-scores" / "en-de.mqm.seg.score"):
        published.setdefault(line.partition("\t")[0], []).append(line.partition("\t")[2])
    outputs = {name: _lines(WMT / "system-outputs" / "en-de" / f"{name}.txt") for name in published}
    counts = Counter()
    for line in _lines(WMT / "human-scores" / "en-de.mqm.merged.seg.rating"):
        system, _, said = line.partition("\t")
        counts[system] += 1
        place = counts[system]
        if said != "None" and system in outputs:
            texts = sources[place - 1], outputs[system][place - 1]
            rows += [_row(system, place, *texts, error) for error in json.loads(said)["errors"] or [None]]
    study = create_study(slug="published", title="Published", styles=["en", "de"])
    direction = add_direction(study=study, source_style="en", target_style="de")
    add_sources(direction=direction, texts=sources)
    for name, texts in outputs.items():
        add_system(study=study, name=name, outputs={direction: texts}, origin="published", allows_missing=True)
    with understand(TextFile(("\n".join(rows) + "\n").encode(), "mqm.tsv")) as table:
        bring_in_judgements(
            study=study, table=table, mapping={**guess_meanings(study, table, {}), "seg_id": "number"}, answers={}
        )
    fields = ("system__name", "sentence__number", "value")
    found = {key[:2]: key[2] for key in Judgement.objects.filter(criterion__name="mqm").values_list(*fields)}
    wanted = {
        (name, number): float(score)
        for name, scores in published.items()
        for number, score in enumerate(scores, 1)
        if score != "None"
    }
    assert len(wanted) == 5980
    assert found == pytest.approx(wanted, rel=0, abs=1e-9)


def _row(system, place, source, output, error):
    """A row of Google's form: the span stands between <v> and </v>."""
    texts = {"source": source, "output": output}
    if error and error["start"] < error["end"]:
        side, start, end = "source" if error["is_source_error"] else "output", error["start"], error["end"]
        texts[side] = f"{texts[side][:start]}<v>{texts[side][start:end]}</v>{texts[side][end:]}"
    said = (error["category"], error["severity"]) if error else ("No-error", "No-error")
    return "\t".join((system, "d", str(place), str(place), "merged", *texts.values(), *said))


def _lines(path):
    return path.read_text(encoding="utf-8").split("\n")[:-1]

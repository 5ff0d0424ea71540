"""Published human scores come out of their public files, to the last digit that is published.

The files are not part of this project: `PUBLISHED_JUDGEMENTS` names a folder with the repositories below, each as it
is on GitHub, and a test whose repository is not there is left out. `final_results_merged.pdf` is read with pypdf.
"""

import csv
import io
import os
from pathlib import Path

import pytest

from corpora.actions.add_direction import add_direction
from corpora.actions.add_sources import add_sources
from corpora.actions.add_system import add_system
from corpora.actions.create_study import create_study
from corpora.formats import TextFile
from corpora.table_parser import understand
from evaluation.actions.bring_in_judgements import bring_in_judgements
from evaluation.actions.choose_report import choose_report
from evaluation.imported_judgements.judgement_plan import guess_meanings, plan_import
from evaluation.reporting.leaderboard_numbers import leaderboard
from evaluation.reporting.resampled_scores import bootstrap_of
from evaluation.reporting.systems import systems as rows_of
from evaluation.snapshot_builder.build import build_snapshot, read_study

pytestmark = pytest.mark.django_db
FOLDER = Path(os.environ.get("PUBLISHED_JUDGEMENTS") or "/nowhere")
TEXTDETOX = FOLDER / "textdetox_clef_2024"
SIMPEVAL = FOLDER / "LENS" / "data" / "simpeval_past.csv"
LANGUAGES = ("Amharic", "Arabic", "German", "English", "Spanish", "Hindi", "Russian", "Ukrainian", "Chinese")
# Folders of the files by the names of the published tables, where they are not the same.
FOLDERS = {"Team SmurfCat": "adugeen", "Team SINAI": "Team_SINAI", "Yekaterina29": "Team_Team_1",
           "gangopsa": "taimoor_khan", "Team MarSanAI": "Team MarSan_AI"}  # fmt: skip


def brought_in(texts, rows, columns, scale, said=None):
    """A study of these outputs, by system and source, and its judgements through the import that the page uses."""
    sources = list(dict.fromkeys(source for of in texts.values() for source in of))
    study = create_study(slug="published", title="Published", styles=["toxic", "neutral"])
    direction = add_direction(study=study, source_style="toxic", target_style="neutral")
    add_sources(direction=direction, texts=sources)
    for name, of in texts.items():
        outputs = [of.get(source) for source in sources]
        add_system(study=study, name=name, outputs={direction: outputs}, origin="published", allows_missing=True)
    written = io.StringIO()
    csv.writer(written).writerows([("rater", "source", "output", "system", *columns), *rows])
    answers = (
        {f"scale-{name}": scale for name in columns} | {f"aspect-{name}": "none" for name in columns} | (said or {})
    )
    with understand(TextFile(written.getvalue().encode(), "judgements.csv")) as table:
        mapping = guess_meanings(study, table, {}) | {name: f"rating: {name}" for name in columns}
        mapping |= {"rater": "rater", "source": "source", "output": "output", "system": "system"}
        plan = plan_import(study, table, mapping, {}, answers)
        assert not plan.open, plan.open
        bring_in_judgements(study=study, table=table, mapping=mapping, answers=answers)
    return study


def boards_of(study):
    built = build_snapshot(study, read_study(study, apart=False), {})
    boards = leaderboard(built.snapshot, bootstrap_of(built.snapshot), rows_of(built))
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
    """Values of 0 to 1 come in on a scale of 0 to 2: a pairwise score, the mean of some votes, as twelve."""
    published = published_of_textdetox(language)
    texts, rows = {}, []
    for name in published:
        path = TEXTDETOX / "human_evaluation_results" / FOLDERS.get(name, name) / f"{language}.tsv"
        if not path.exists():
            continue  # people's references have no file
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t"):
                source, output = row["toxic_sentence"], row["neutral_sentence"]
                texts.setdefault(name, {})[source] = output
                votes = round(24 * float(row["toxic_pairwise_score"]))
                for vote in range(12):
                    beside = (
                        [str(2 * int(row[key])) for key in ("content_score", "fluency_score")] if not vote else ["", ""]
                    )
                    rows.append((f"vote {vote}", source, output, name, str((votes + vote) // 12), *beside))
    study = brought_in(texts, rows, ("toxicity", "similar", "fluent"), "similarity_3")
    choose_report(study=study, joint=["J = product of means: toxicity, similar, fluent"])
    boards = boards_of(study)
    wrong = []
    for name in texts:
        found = [boards["criteria", one][name] / 2 for one in ("toxicity", "similar", "fluent")] + [
            boards["joint", "J"][name]
        ]
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

    One output of UNTS is empty, which no system can have here yet: its mean is over the 99 others.
    """
    texts, rows, values = {}, [], {}
    with SIMPEVAL.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            source, output, system = row["original"], row["processed_generation"], row["system"]
            texts.setdefault(system, {})[source] = output or None
            ratings = [row[f"rating_{rater}"] for rater in range(1, 6)]
            rows += [(f"rater {rater}", source, output, system, value) for rater, value in enumerate(ratings, 1)]
            values.setdefault(system, []).append(sum(map(int, ratings)) / 5 if output else None)
    study = brought_in(texts, rows, ("quality",), "slider_100", {"unmatched": "leave_out"})
    found = boards_of(study)["criteria", "quality"]
    known = {system: [value for value in of if value is not None] for system, of in values.items()}
    assert [system for system, of in known.items() if len(of) < 100] == ["UNTS"]
    assert len(known) == 24
    assert found == pytest.approx({system: sum(of) / len(of) for system, of in known.items()}, abs=1e-9)

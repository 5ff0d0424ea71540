"""An output that is empty is shown to raters, judged and scored; one that is not there is none of these."""

import pytest
import sacrebleu
from support import campaigns as make

from corpora.actions.add_direction import add_direction
from corpora.actions.add_references import add_references
from corpora.actions.add_sources import add_sources
from corpora.actions.add_system import add_system
from corpora.actions.create_study import create_study
from corpora.formats import TextFile
from corpora.table_parser import understand
from evaluation.actions.bring_in_judgements import bring_in_judgements
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.make_report import make_report

pytestmark = pytest.mark.django_db
SOURCES = ["gotta see it , u know", "he dont like that much", "lets go there now ok"]
REFERENCES = ["You have to see it.", "He does not like that much.", "Let us go there now."]
OUTPUTS = ["You have to see it.", "", "Let us go there at once."]
WHOLE = ["You must see it.", "He doesn't like that.", "Let us go there."]


@pytest.fixture
def study():
    made = create_study(slug="empty", title="Empty", styles=["informal", "formal"], language="en")
    direction = add_direction(study=made, source_style="informal", target_style="formal")
    add_sources(direction=direction, texts=SOURCES)
    add_references(direction=direction, texts=REFERENCES, origin="a test")
    for name, texts in (("Silent", OUTPUTS), ("Whole", WHOLE), ("Part", [WHOLE[0], None, WHOLE[2]])):
        add_system(study=made, name=name, outputs={direction: texts}, origin="a test", allows_missing=True)
    return made


def by_name(report):
    return {row["name"]: row for row in report.content["systems"]}


def test_an_empty_output_is_scored_and_one_that_is_missing_is_not(study):
    choose_metrics(study=study, metrics={"bleu": {}, "ter": {}, "fkgl": {}})
    found = by_name(make_report(study=study))
    assert [(found[name]["outputs"], found[name]["missing"]) for name in ("Silent", "Whole", "Part")] == [
        (3, 0), (3, 0), (2, 1)
    ]  # fmt: skip
    silent = found["Silent"]["metrics"]
    for name, authority in (("bleu", sacrebleu.BLEU()), ("ter", sacrebleu.TER())):
        assert silent[name]["score"] == pytest.approx(authority.corpus_score(OUTPUTS, [REFERENCES]).score)
    assert silent["bleu"]["n"] == 3
    kept = sacrebleu.BLEU().corpus_score(OUTPUTS[::2], [REFERENCES[::2]]).score
    assert silent["bleu"]["score"] < kept, "leaving it out flatters the system"
    assert found["Part"]["metrics"]["bleu"]["n"] == 2


def test_raters_see_it_as_empty_and_their_judgements_count(study, client):
    campaign = make.campaign(study, "rate", settings={"criteria": {"fluency": {"scale": "slider_100"}}})
    shown = [item.content["candidates"] for item in campaign.items.order_by("number")]
    assert ["" in texts for texts in shown] == [False, True, False]
    rater = make.person(study=study)
    client.force_login(rater)
    pages = []
    while work := make.claim(campaign, rater).work:
        pages.append(client.get(f"/studies/{study.slug}/campaigns/{campaign.slug}/work/").content.decode())
        texts = campaign.items.get(number=work.number).content["candidates"]
        ordered = [texts[index] for index in work.order]
        make.hand_in(
            campaign, rater, work, content={"ratings": [{"fluency": 10 if text == "" else 70} for text in ordered]}
        )
    assert sum("(empty: nothing was written)" in page for page in pages) == 1
    human = {name: row["human"]["fluency"] for name, row in by_name(make_report(study=study)).items()}
    assert [human[name]["mean"] for name in ("Silent", "Whole", "Part")] == [50, 70, 70]


def test_judgements_of_it_come_in_from_elsewhere_and_those_of_a_missing_one_do_not(study):
    values = {"Silent": (90, 0, 60), "Whole": (90, 80, 70), "Part": (90, 50, 70)}
    rows = ["rater,number,system,output,quality"]
    for system, of in values.items():
        texts = OUTPUTS if system == "Silent" else [WHOLE[0], "" if system == "Part" else WHOLE[1], WHOLE[2]]
        rows += [f"ada,{n},{system},{text},{value}" for n, (text, value) in enumerate(zip(texts, of, strict=True), 1)]
    mapping = {name: name for name in ("rater", "number", "system", "output")} | {"quality": "rating: quality"}
    answers = {"scale-quality": "slider_100", "aspect-quality": "none", "unmatched": "leave_out"}
    with understand(TextFile("\n".join(rows).encode(), "quality.csv")) as table:
        bring_in_judgements(study=study, table=table, mapping=mapping, answers=answers)
    human = {name: row["human"]["quality"] for name, row in by_name(make_report(study=study)).items()}
    assert [(human[name]["mean"], human[name]["n"]) for name in values] == [(50, 3), (80, 3), (80, 2)]

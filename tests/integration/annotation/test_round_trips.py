"""Each of the four corpora: made by its template, adopted, released, imported into an empty study, trained on there.

The figures are the same on both sides: what a training froze, the scores of equal outputs, the tables of the corpus.
"""

import io
import json
import zipfile

import pytest
from support.api_crew import ApiStudy
from support.template_texts import ABSTRACTS, MANUALS

from corpora.models import Reference, Sentence
from modelserving.models import TrainingRun

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.soak]
TINY = {"hidden": 8, "embedding": 8, "batch": 2, "epochs": 1, "patience": 0}


def jsonl(rows):
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def packed(files):
    """The release as somebody packs it."""
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w") as archive:
        for name, data in files.items():
            archive.writestr(f"release-1/{name}", data)
    return kept.getvalue()


def texts(study):
    """Every source with its split and references, by direction, as a set."""
    rows = Sentence.objects.filter(direction__study=study).order_by("direction__number", "number")
    found = []
    for row in rows.select_related("direction").prefetch_related("references__set"):
        written = sorted((ref.text, ref.set.marks) for ref in row.references.all())
        found.append((row.direction.name, row.split, row.text, tuple(written)))
    return sorted(found)


def same_training(here, there, model, **given):
    """The model trained on both sides: on the same data."""
    made = [study.train(model, **given) for study in (here, there)]
    digests = [TrainingRun.objects.get(pk=one["id"]).data_digest for one in made]
    assert digests[0] == digests[1]
    return made


def same_figures(here, there, made, *metrics, **given):
    """What the trained models make of the test split is scored the same."""
    for study, training in zip((here, there), made, strict=True):
        study.run(training["checkpoints"][0], **given)
    one, other = (study.score(*metrics) for study in (here, there))
    assert one["systems"]
    assert json.dumps(figures(one)) == json.dumps(figures(other))


def figures(report):
    """The scores of a report, without what is said of its study."""
    return {key: report[key] for key in ("metrics", "systems", "scores") if key in report}


def same_tables(here, there, *names):
    for name in names:
        assert here.table(name) == there.table(name), name


SENTENCES = [f"gotta say this {thing} was sooo good , u know ?" for thing in ("movie", "song", "show", "band", "clip")]


def formally(words):
    def write(item):
        return {
            "text": item["source"].replace("gotta", "I have to").replace("sooo", words).replace("u know ?", "indeed.")
        }

    return write


def casually(words):
    return lambda item: {"text": item["source"].lower().replace("i have to", words)}


@pytest.mark.usefixtures("celery_workers")
def test_gyafc():
    here = ApiStudy("made-gyafc").begin("gyafc")
    for split, some in (("train", SENTENCES[:3]), ("tune", SENTENCES[3:4]), ("test", SENTENCES[4:])):
        here.import_documents("posts.txt", "\n".join(some).encode(), "sentence_lines", style="informal")
        here.post("selections/", direction="informal-formal", rule="everything", split=split)
    for stage in ("formal-references", "informal-references"):
        here.patch(f"campaigns/{stage}/", eligibility={})
    writer, *experts = [here.join() for _ in range(5)]
    backs = [here.join() for _ in range(3)]
    here.open("formal-train", "formal-references", "informal-references")
    assert here.work(writer, "formal-train", formally("very")) == 3
    here.review("formal-train")
    for expert, word in zip(experts, ("very", "really", "exceedingly", "remarkably"), strict=True):
        assert here.work(expert, "formal-references", formally(word)) == 2
    for back, words in zip(backs, ("i gotta", "ima", "i hafta"), strict=True):
        assert here.work(back, "informal-references", casually(words)) == 2
    files = here.release("gyafc", "jsonl")
    for stage, sources in (("formal-train", 3), ("formal-references", 0), ("informal-references", 2)):
        assert here.post(f"campaigns/{stage}/adopt/")["sources"] == sources, stage
    home = here.study.directions.get(source_style="formal")
    assert sorted(home.sentences.values_list("split", flat=True)) == ["test", "train", "train", "train", "tune"]
    for name, fields in (("release.zip", {}), ("gyafc.zip", {"form": "gyafc"})):
        there = ApiStudy(f"imported-{name[:-4]}").make(["informal", "formal"])
        data = packed(files) if name == "release.zip" else files["gyafc.zip"]
        brought = there.import_gold(name, data, **fields)
        assert brought["sources"] == {
            "formal-informal": {"train": 3, "tune": 1, "test": 1}, "informal-formal": {"train": 3, "tune": 1, "test": 1}
        }  # fmt: skip
        assert texts(there.study) == texts(here.study)
    for direction in ("informal-formal", "formal-informal"):
        made = same_training(here, there, "seq2seq", direction=direction, options=TINY)
        assert (made[0]["counts"]["pairs"], made[0]["counts"]["tune"]) == (3, 1)
    same_figures(here, there, made, "bleu", direction="formal-informal")
    same_tables(here, there, "gyafc_table_2")


NOTES = {
    "pt was given asa for his chest pain .": (
        {"asa": "aspirin"},
        "The patient was given aspirin for pain in the chest .",
    ),
    "he had a low bp in the morning .": ({"bp": "blood pressure"}, "His blood pressure was low in the morning ."),
    "cxr was neg for pna on arrival .": ({"cxr": "chest x-ray"}, "The x-ray of the chest showed healthy lungs ."),
    "no sob at rest and no fever .": ({"sob": "shortness of breath"}, "Breathing was easy , and there was no fever ."),
}


def translate(item):
    marks, plain = NOTES[item["source"]]
    spans = [] if item["last_alone"] else [
        {"start": item["source"].index(short), "end": item["source"].index(short) + len(short), "full": full}
        for short, full in marks.items()
    ]  # fmt: skip
    from annotation.task_types import TASK_TYPES

    kind, answer = TASK_TYPES["rephrase_simplify"], {"spans": spans, "simplified": plain}
    content = {"source": item["source"], "split": "train" if item["last_alone"] else "test"}
    settings = kind.check_settings({"addressed": True})
    proposed = kind.proposes({**answer, "unchanged": False, "final": False}, content, settings)
    said = {"rephrased_addressed": proposed["rephrased"], "simplified_addressed": proposed["simplified"]}
    return {**answer, **said, "said": {"rephrased_addressed": True, "simplified_addressed": True}}


def accept(item):
    return {"verdict": "accept"}


@pytest.mark.usefixtures("celery_workers")
def test_medlane():
    here = ApiStudy("made-medlane").begin("medlane")
    for split, some in zip(
        ("train", "tune", "test"), (list(NOTES)[:2], list(NOTES)[2:3], list(NOTES)[3:]), strict=True
    ):
        here.import_documents("notes.txt", "\n".join(some).encode(), "sentence_lines", style="clinical")
        here.post("selections/", direction="clinical-plain", rule="everything", split=split)
    translator, *physicians = [here.join(credentials=("mimic-iii", "md")) for _ in range(3)]
    here.open("translate-train", "check-train", "translate-tune-test", "check-tune-test")
    for which in ("train", "tune-test"):
        assert here.work(translator, f"translate-{which}", translate) == 2
        for physician in physicians:
            assert here.work(physician, f"check-{which}", accept) == 2
    files = here.release("medlane", "jsonl")
    assert here.post("campaigns/check-train/adopt/")["references"] == 4
    assert here.post("campaigns/translate-tune-test/adopt/")["references"] == 8
    there = ApiStudy("imported-medlane").make(["clinical", "plain"])
    blocks = {name: data for name, data in files.items() if name.startswith("medlane-")}
    brought = there.import_gold("medlane.zip", packed(blocks))
    assert brought["forms"] == ["medlane"]
    assert brought["sources"] == {"clinical-plain": {"train": 2, "tune": 1, "test": 1}}
    assert texts(there.study) == texts(here.study)
    marks = Reference.objects.filter(set__direction__study=there.study, text__contains="[")
    assert set(marks.values_list("set__marks", flat=True)) == {"brackets"}
    same_figures(here, there, same_training(here, there, "dictionary"), "bleu", "hit")
    same_tables(here, there, "medlane_table_2", "systems")


@pytest.mark.usefixtures("celery_workers")
def test_msd():
    here = ApiStudy("made-msd").begin("msd")
    more = [
        {
            "style": style,
            "title": f"Alone {style} {n}",
            "sections": [{"title": "Treatment", "sentences": [text.format(n)]}],
        }
        for style, text in (("expert", "Remission number {} was induced."), ("layman", "Person number {} got well."))
        for n in range(10)
    ]
    here.import_documents("manuals.jsonl", jsonl([*MANUALS, *more]), "documents_jsonl")
    here.put("sections/", sections=[
        {"style": "expert", "section": "Symptoms and Signs", "element": "Symptoms"},
        {"style": "layman", "section": "How it feels", "element": "Symptoms"},
    ])  # fmt: skip
    here.post("links/", source_style="expert", target_style="layman")
    assert here.act("groups/")["made"] == 1
    here.post("groups/sample/", count=1)
    doctor, verifier = here.join(credentials=("md",)), here.join(credentials=("md",), languages=["en"])
    here.open("align", "verify")
    pairs = [{"source": [0], "target": [0, 1]}, {"source": [1, 2], "target": [2]}]
    assert here.work(doctor, "align", lambda item: {"pairs": pairs, "none": False}) == 1
    assert here.work(verifier, "verify", accept) == 2
    files = here.release("msd", "jsonl", alone=True)
    made = here.post("campaigns/align/adopt/", alone=True, tune=20)
    there = ApiStudy("imported-msd").make(["expert", "layman"])
    brought = there.import_gold("msd.zip", packed({n: d for n, d in files.items() if n.startswith("msd-")}), tune=20)
    assert brought["sources"]["expert-layman"]["test"] == brought["sources"]["layman-expert"]["test"] == 2
    assert brought["sources"]["expert-layman"]["tune"] >= 2
    assert made["sources"] == sum(sum(of.values()) for of in brought["sources"].values())
    assert texts(there.study) == texts(here.study)
    made = same_training(here, there, "auto_encoder", direction="expert-layman", options={"epochs": 1})
    same_figures(here, there, made, "bleu", direction="expert-layman")
    same_tables(here, there, "msd_table_2", "systems")


@pytest.mark.usefixtures("celery_workers")
def test_plaba():
    here = ApiStudy("made-plaba").begin("plaba")
    here.import_documents("abstracts.jsonl", jsonl(ABSTRACTS), "documents_jsonl", style="technical")
    here.put("splits/", rule="document", train=40, tune=20, test=40)
    adapter, checker = here.join(topics=["backs", "lungs"]), here.join(topics=["backs", "lungs"])
    second = here.join(topics=["backs", "lungs"])
    here.patch("campaigns/adapt/", overlap=2)
    here.open("adapt", "check")

    def adapt(item):
        dropped = {
            "operation": "dropped",
            "targets": [],
            "reason": "It holds statistics or a heading that patients do not need",
        }
        written = [
            {"operation": "rewritten", "targets": [f"Plainly: {one['text']}"], "reason": ""}
            for one in item["sentences"]
        ]
        return {"sentences": [
            {"number": one["number"], **(written[n] if n < 3 else {**dropped, "reason": item["reasons"][0]})}
            for n, one in enumerate(item["sentences"])
        ]}  # fmt: skip

    for who in (adapter, second):
        assert here.work(who, "adapt", adapt) == 5
    assert here.work(checker, "check", accept) == 10
    files = here.release("plaba", "jsonl")
    made = here.post("campaigns/adapt/adopt/")
    assert made["sources"] == sum(len(abstract["sentences"]) for abstract in ABSTRACTS)
    there = ApiStudy("imported-plaba").make(["technical", "plain"])
    brought = there.import_gold("release.zip", packed(files))
    assert (brought["documents"], brought["questions"], brought["sets"]) == (5, 2, 2)
    assert texts(there.study) == texts(here.study)
    same_figures(here, there, same_training(here, there, "seq2seq", options=TINY), "bleu")
    same_tables(here, there, "plaba_table_1", "plaba_table_2")
    split = ApiStudy("published-plaba").make(["technical", "plain"])
    assert split.import_gold("data.json", files["plaba.json"])["forms"] == ["plaba"]
    counts = split.put("splits/", rule="question", train=50, tune=0, test=50)
    assert counts["documents"]["train"] == 1 or counts["documents"]["test"] == 1

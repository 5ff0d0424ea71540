"""A study as one archive, and back with the same texts and figures."""

import io
import tomllib
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db.models import F
from django.urls import reverse
from support import campaigns as make
from support.clients import as_person, with_token
from support.document_studies import document_study, sentence

from accounts.models import AuditEntry
from accounts.permissions import Role
from annotation.actions.edit_campaign import edit_campaign
from annotation.campaigns.criteria import criteria_of
from annotation.models import Campaign
from corpora.actions.add_references import add_references
from corpora.actions.add_system import add_system
from corpora.actions.bring_in_table import bring_in_table
from corpora.actions.edit_study import edit_study
from corpora.formats import TextFile
from corpora.models import DocumentSentence, Output, Reference, Sentence, Study, System
from corpora.table_parser import understand
from corpora.texts.units import units_of
from evaluation.actions.bring_in_judgements import bring_in_judgements
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.choose_report import choose_report
from evaluation.actions.close_human_study import close_human_study
from evaluation.actions.exclude_rater import exclude_rater
from evaluation.actions.open_human_study import open_human_study
from evaluation.actions.plan_human_study import plan_human_study
from evaluation.imported_judgements.judgement_plan import guess_meanings, plan_import
from evaluation.models import Judgement
from evaluation.report_freshness import report_key
from evaluation.reporting.build import rater_agreement
from evaluation.reporting.kept_parts import KeptParts
from evaluation.snapshot_builder.build import build_snapshot, snapshot_of
from evaluation.table_targets import guess_raters
from study_file.actions.apply_study import apply_study
from study_file.actions.export_study import export_study
from study_file.study_archive import opened_archive, toml_of, written_table

pytestmark = pytest.mark.django_db
OWN = "part | interval | 0 .. 1 step 0.01"


@pytest.fixture
def study():
    made = make.study(items=4, systems=2)
    made.description = 'Two "lines"\n\ta tab, \\ and \x7f'
    made.save()
    direction = made.directions.get()
    hard = direction.sentences.get(number=3)
    hard.text, hard.split, hard.domain = '=SUM("a"),\u2028b\nc  \u00e9 e\u0301', "train", "Music"
    hard.save()
    twice = direction.sentences.get(number=4)
    twice.text = direction.sentences.get(number=2).text
    twice.save()
    add_references(direction=direction, texts=["One.", None, "Three [3].", "Four."], origin="ref.txt", marks="brackets")
    add_references(direction=direction, texts=["One.", "Two.", "Three.", "Four."], origin="ref.txt")
    System.objects.filter(number=2).update(is_human=True, family="people", allows_missing=True)
    Output.objects.filter(system__number=2, sentence=hard).delete()
    Output.objects.filter(system__number=2, sentence__number=1).update(text="")
    return made


def rate(study):
    criteria = [{"name": "formality", "scale": "formality_7"}, {"name": "part", "scale": OWN}]
    campaign = make.campaign(study, "rate", overlap=2, settings={"criteria": criteria})
    for shift in range(2):
        who = make.person(study=study)
        while work := make.claim(campaign, who).work:
            given = [
                {"formality": (work.number + shift + place) % 7 - 3, "part": 0.25 * (1 + place)} for place in work.order
            ]
            make.hand_in(campaign, who, work, content={"ratings": given}, seconds=5.0)
    text = "rater,number,system,part\nann,1,RuleBasedSecret,0.123\nann,2,RuleBasedSecret,0.3333333333333333\n"
    text += "ann,1,NeuralSecret,1\nann,4,RuleBasedSecret,0.75\n"
    with understand(TextFile(text.encode(), "more.csv")) as table:
        mapping = {**guess_meanings(study, table, {}), "part": "rating: part"}
        bring_in_judgements(study=study, table=table, mapping=mapping, answers={"scale-part": OWN})


def archive_of(study):
    return b"".join(export_study(study=study))


def renamed(archive, slug):
    """The archive with another slug and title, since the study itself is there."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "study.toml":
                told = tomllib.loads(content.decode())
                content = toml_of({**told, "study": {**told["study"], "slug": slug, "title": slug}}).encode()
            new.writestr(name, content)
    return out.getvalue()


def texts(study):
    sentences = Sentence.objects.filter(direction__study=study).order_by("direction", "number")
    references = Reference.objects.filter(set__direction__study=study).order_by("set__number", "sentence__number")
    outputs = Output.objects.filter(system__study=study).order_by("system__number", "sentence__number")
    return (
        list(sentences.values_list("number", "text", "split", "domain")),
        list(references.values_list("set__number", "set__origin", "set__marks", "sentence__number", "text")),
        list(
            outputs.values_list(
                "system__name", "system__origin", "system__is_human", "system__family", "sentence__number", "text"
            )
        ),
    )


def told(judged):
    """The judgements by unit, system and value, without the raters' names, which are other pseudonyms."""
    raters = {}
    rows = zip(judged.rater.tolist(), judged.unit.tolist(), judged.system.tolist(), judged.value.tolist(), strict=True)
    for rater, *cell in rows:
        raters.setdefault(rater, []).append(cell)
    return sorted(sorted(cells) for cells in raters.values())


def test_a_study_comes_back_whole(study, tmp_path):
    rate(study)
    choose_metrics(study=study, metrics={"bleu": {}})
    choose_report(study=study, baseline=study.systems.get(number=1), alpha=0.01, correction="holm", variant="raw",
                  averaging="judgement", joint=["J = product by sentence: formality, part"])  # fmt: skip
    (tmp_path / "all.zip").write_bytes(renamed(archive_of(study), "back"))
    for _ in range(2):
        call_command("apply_study", str(tmp_path / "all.zip"), stdout=io.StringIO())
    back = Study.objects.get(slug="back")
    assert texts(back) == texts(study)
    assert (back.description, back.styles) == (study.description, study.styles)
    assert back.report_choice.baseline.name == study.report_choice.baseline.name
    chosen = ("alpha", "correction", "variant", "split", "human_systems", "averaging", "joint")
    assert [getattr(back.report_choice, name) for name in chosen] == [
        getattr(study.report_choice, name) for name in chosen
    ]
    assert dict(back.metric_choices.values_list("metric", "settings")).keys() == {"bleu"}
    here, there = snapshot_of(study), snapshot_of(back)
    assert here.judgements.keys() == there.judgements.keys()
    for name, mine in here.judgements["raw"].items():
        theirs = there.judgements["raw"][name]
        assert told(mine) == told(theirs)
        assert (mine.scale, mine.aspect, mine.lowest, mine.highest) == (
            theirs.scale, theirs.aspect, theirs.lowest, theirs.highest,
        )  # fmt: skip
    assert Judgement.objects.filter(ratings_import__study=back).count() == 2 * 7 * 2 + 4


def judge(human_study, people, value):
    """Everybody rates all pages of a human study: `value(person, page, place)` on both criteria."""
    for number, who in enumerate(people):
        for campaign in human_study.campaigns.all():
            while work := make.claim(campaign, who).work:
                given = [{"formality": value(number, work.number, place), "part": 0.25} for place in work.order]
                make.hand_in(campaign, who, work, content={"ratings": given}, seconds=9.0 - 4 * number)


def applied(study, tmp_path):
    """The study's archive, imported as another one."""
    (tmp_path / "all.zip").write_bytes(renamed(archive_of(study), "back"))
    call_command("apply_study", str(tmp_path / "all.zip"), stdout=io.StringIO())
    return Study.objects.get(slug="back")


def test_a_copy_leaves_out_the_same_people_and_keeps_each_judgement_of_a_source_that_stands_twice(study, tmp_path):
    """One person is left out by hand, one by a rule; of a study that withholds its comparison nothing comes."""
    twice = Output.objects.get(system__number=1, sentence__number=2).text
    Output.objects.filter(system__number=1, sentence__number=4).update(text=twice)
    people = [make.person(study=study) for _ in range(3)]
    plan = {
        "study": study, "systems": list(study.systems.all()), "judgements": 3, "outputs_per_item": 1,
        "criteria": [{"name": "formality", "scale": "formality_7"}, {"name": "part", "scale": OWN}],
    }  # fmt: skip
    first = plan_human_study(name="First", exclusions={"least_seconds": 2.0}, **plan)
    open_human_study(human_study=first, by=None)
    judge(first, people, lambda person, page, place: (person + page + place) % 7 - 3)
    exclude_rater(human_study=first, person=str(people[0].pseudonym), reason="Not a native.", by=None)
    close_human_study(human_study=first, by=None)
    second = plan_human_study(name="Second", **plan)
    open_human_study(human_study=second, by=None)
    judge(second, people, lambda person, page, place: 3)
    back = applied(study, tmp_path)
    here, there = snapshot_of(study), snapshot_of(back)
    assert there.variant == here.variant == "filtered"
    assert sorted(here.raters.left_out) == sorted(there.raters.left_out)
    assert sum(map(bool, there.raters.left_out)) == 2
    for variant in ("raw", "filtered", "z"):
        mine, theirs = here.judgements[variant], there.judgements[variant]
        assert {name: told(of) for name, of in mine.items()} == {name: told(of) for name, of in theirs.items()}
    assert len(told(here.judgements["filtered"]["formality"])) == 1
    before = report_key(back)
    again = b"".join(written_table(back, "raters", "csv")).replace(b"Left out by hand: Not a native.", b"")
    with understand(TextFile(again, "raters.csv")) as table:
        mapping = guess_raters(back, table, {})
        bring_in_table(study=back, table=table, target="raters", mapping=mapping)
    assert sum(map(bool, snapshot_of(back).raters.left_out)) == 1
    assert report_key(back) != before


def test_the_best_and_the_worst_come_back_and_a_plan_to_rate_does_not_ask_for_them(study, tmp_path):
    campaign = make.campaign(study, "best_worst", overlap=2)
    for shift in range(2):
        who = make.person(study=study)
        while work := make.claim(campaign, who).work:
            best = (work.number + shift) % 2 + 1
            make.hand_in(campaign, who, work, content={"best": best, "worst": 3 - best}, seconds=5.0)
    back = applied(study, tmp_path)
    mine, theirs = (build_snapshot(one) for one in (study, back))
    here, there = (one.snapshot.judgements["filtered"]["best_worst"] for one in (mine, theirs))
    assert told(here) == told(there) != []
    assert (here.level, here.aspect, here.better) == (there.level, there.aspect, there.better)
    agreed = [[row["value"] for row in rater_agreement(one, KeptParts())] for one in (mine, theirs)]
    assert agreed[0] == agreed[1] != []
    assert criteria_of(back) == []
    table = b"".join(written_table(study, "judgements", "csv"))
    with understand(TextFile(table, "judgements.csv")) as read:
        assert not plan_import(study, read, guess_meanings(study, read, {}), {}, {}).open


def test_the_page_the_api_and_the_command_give_the_same_and_leave_a_row_in_the_trail(study, tmp_path):
    lead = make.person(Role.RESEARCHER, study)
    page = as_person(lead).get(reverse("study_export", args=[study.slug]))
    asked = with_token(lead).get(reverse("api:study-export", args=[study.slug]))
    call_command("export_study", study.slug, "--to", str(tmp_path / "it.zip"))
    wanted = (tmp_path / "it.zip").read_bytes()
    assert b"".join(page.streaming_content) == b"".join(asked.streaming_content) == wanted
    assert page["Content-Disposition"] == f'attachment; filename="{study.slug}.zip"'
    assert AuditEntry.objects.filter(kind=AuditEntry.Kind.EXPORT, study_slug=study.slug).count() == 3


@pytest.mark.parametrize("way", ["page", "api"])
def test_an_uploaded_archive_comes_back_whole(study, way):
    rate(study)
    lead = make.person(Role.RESEARCHER)
    content = renamed(archive_of(study), "back")
    given = lambda: {"study": SimpleUploadedFile("all.zip", content)}  # noqa: E731
    if way == "page":
        sent = as_person(lead).post(reverse("study_apply"), given())
        assert sent.headers["Location"] == reverse("study", args=["back"])
    else:
        sent = with_token(lead).post(reverse("api:study-apply"), given())
        assert sent.status_code == 200, sent.json()
        assert sent.json()["study"] == "back"
        assert "ratings 1" in sent.json()["added"]
        assert with_token(lead).post(reverse("api:study-apply"), given()).json()["added"] == []
    back = Study.objects.get(slug="back")
    assert texts(back) == texts(study)
    mine, theirs = (snapshot_of(one).judgements["raw"] for one in (study, back))
    assert {name: told(judged) for name, judged in mine.items()} == {n: told(judged) for n, judged in theirs.items()}


def test_an_uploaded_archive_that_is_broken_or_has_files_beside_it_changes_nothing(study):
    lead, content = make.person(Role.RESEARCHER), renamed(archive_of(study), "back")
    cut = SimpleUploadedFile("all.zip", content[: len(content) // 2])
    refused = as_person(lead).post(reverse("study_apply"), {"study": cut})
    assert refused.status_code == 422
    assert "The archive is damaged or cut off" in refused.content.decode()
    given = {"study": SimpleUploadedFile("all.zip", content), "files": [SimpleUploadedFile("a.txt", b"x")]}
    refused = with_token(lead).post(reverse("api:study-apply"), given)
    assert refused.status_code == 400
    assert "An archive holds the files that it names" in refused.json()["detail"]
    empty = io.BytesIO()
    zipfile.ZipFile(empty, "w").close()
    none = {"study": SimpleUploadedFile("all.zip", b"PK\x03\x04" + empty.getvalue())}
    assert with_token(lead).post(reverse("api:study-apply"), none).status_code == 400
    assert not Study.objects.filter(slug="back").exists()


def test_a_broken_archive_is_refused(study, tmp_path):
    whole = archive_of(study)
    (tmp_path / "cut.zip").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(CommandError, match="The archive is damaged or cut off"):
        call_command("apply_study", str(tmp_path / "cut.zip"), stdout=io.StringIO())


def documents():
    """A study of documents with two sections, a sentence that stands in two splits, one that is held back, outputs and
    references of whole documents, and judgements of documents."""
    study = document_study(sizes=(3, 2, 2), splits=("train", "test", "test"))
    direction = study.directions.get()
    direction.sentences.update(number=F("number") - 7)  # from 1 on, still backwards
    direction.reference_sets.update(number=0)
    first, second, third = study.documents.order_by("number")
    first.sentences.filter(number=3).update(section="Methods")
    second.sentences.filter(number=2).update(text=sentence(0, 0))
    direction.sentences.filter(origin__document=second, origin__number=2).update(text=sentence(0, 0))
    DocumentSentence.objects.create(document=third, number=3, text="Call Dr Smith.", held=True)
    whole = {}
    for one in direction.sentences.order_by("origin__document", "origin__number"):
        whole[one.number] = "" if one.origin.number > 1 else f"Document {one.origin.document.number}."
    listed = [whole[number] for number in sorted(whole)]
    add_system(study=study, name="Whole", outputs={direction: listed}, origin="made")
    add_references(direction=direction, texts=listed, origin="linked", keep_empty=True)
    lines = [f"{rater},{number},Whole,{value}" for rater, number, value in (("ann", 2, 4), ("bob", 4, 2))]
    with understand(TextFile("\n".join(["rater,number,system,fluency", *lines]).encode(), "r.csv")) as table:
        answers = {"scale-fluency": "fluency_5"}
        bring_in_judgements(study=study, table=table, mapping=guess_meanings(study, table, {}), answers=answers)
    return study


def placed(study):
    """Each source with the sentence of a document that it is, and the units that are judged."""
    rows = Sentence.objects.filter(direction__study=study).order_by("number")
    fields = ("number", "origin__document__code", "origin__number", "origin__section", "split")
    numbers = dict(rows.values_list("pk", "number"))
    return list(rows.values_list(*fields)), [[numbers[pk] for pk in unit.ids] for unit in units_of(study)]


def test_a_study_of_documents_comes_back_whole(tmp_path):
    study = documents()
    content = archive_of(study)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert "Smith" not in archive.read("documents.jsonl").decode()  # nobody said yet that it is clear
    (tmp_path / "all.zip").write_bytes(renamed(content, "back"))
    for _ in range(2):
        call_command("apply_study", str(tmp_path / "all.zip"), stdout=io.StringIO())
    back = Study.objects.get(slug="back")
    assert back.unit == "document"
    assert texts(back) == texts(study)
    assert placed(back) == placed(study)
    mine, theirs = snapshot_of(study), snapshot_of(back)
    assert told(mine.judgements["raw"]["fluency"]) == told(theirs.judgements["raw"]["fluency"])
    assert len(told(theirs.judgements["raw"]["fluency"])) == 2
    for name in ("sources", "references", "splits", "domains", "sections"):
        assert list(getattr(mine.units, name)) == list(getattr(theirs.units, name)), name


@pytest.mark.parametrize("poles", [{}, {"simple": "plain", "complex": "technical"}, {"complex": "plain"}])
def test_ends_that_somebody_changed_come_back_as_they_were(poles):
    """A study file without any takes them from the names of its styles; one that says there are none has none."""
    Study.objects.create(slug="ends", title="Ends", styles=["technical", "plain"], poles=poles)
    content = b"".join(export_study(study=Study.objects.get(slug="ends"), by=None))
    Study.objects.all().delete()
    file, opened = opened_archive(io.BytesIO(content), "ends.zip", 1 << 20)
    assert apply_study(file=file, opened=opened)[0].poles == poles
    plain = TextFile(b'[study]\nslug = "plain"\ntitle = "P"\nstyles = ["technical", "plain"]\n', "study.toml")
    assert apply_study(file=plain, opened=opened)[0].poles == {"simple": "plain", "complex": "technical"}


def test_toml_is_read_back_as_it_was():
    given = {
        "study": {"title": 'a "b"\n\x7f\u2028', "styles": ["x", "y"], "poles": {"very formal": "z"}},
        "tables": [{"file": "a", "mapping": {"a.b": "output: c"}, "flag": True}, {"file": "b", "n": 0.5}],
    }
    assert tomllib.loads(toml_of(given)) == given


def declared_in(archive):
    with zipfile.ZipFile(io.BytesIO(archive)) as file:
        return tomllib.loads(file.read("study.toml").decode())


def test_the_plan_of_a_study_comes_back(study, tmp_path):
    """Campaigns with all that can be said of them, human studies, rules of access."""
    edit_study(
        study=study, terms="Cite us.", required_credentials=["md"], restricted=True, style_words=["hey"],
        style_descriptions={"formal": "as in a letter"}, poles={"informal": "informal"},
    )  # fmt: skip
    own = {"name": "own", "scale": OWN, "aspect": "meaning", "beside": "source"}
    rated = make.campaign(
        study, "rate", name="Rate them", settings={"criteria": [own], "rate_reference": True}, overlap=2,
        splits=["test"], eligibility={"languages": ["en"], "per_day": 5},
        checks={"speed": False, "copied_source": {"most": 0.5}},
        control_every=4, pay={"currency": "EUR", "item": 0.5}, notes="Two\nlines", submits_at_once=True, seed=7,
        examples=[{"about": "own", "good": "Yes.", "bad": "", "why": ""}], guideline='Say "so".\n', needs_review=True,
    )  # fmt: skip
    written = make.campaign(study, "rewrite", name="Write", planned=True, state="draft", roles=["reviewer"])
    make.campaign(study, "verify", name="Check", after=written, reasons=["wrong"], lease_minutes=30, state="draft",
                  settings={"reasons": ["meaning"], "redo": False})  # fmt: skip
    edit_campaign(campaign=written, direction=study.directions.get(), by=None)
    plan_human_study(
        study=study, name="People", systems=list(study.systems.all()), rate_source=True, judgements=2,
        criteria=[own], controls={"kinds": ["broken"], "every": 5}, use_controls=True,
        costs={"seconds": 9.5, "pay": {"currency": "", "hour": 12.0}},
        comparison={"baseline": study.systems.get(number=1).name, "criterion": "own"},
        exclusions={"least_seconds": 1.0}, sampling="random", size=3, ranks=True, guideline="Judge.",
    )  # fmt: skip
    first = archive_of(study)
    (tmp_path / "all.zip").write_bytes(renamed(first, "back"))
    call_command("apply_study", str(tmp_path / "all.zip"), stdout=io.StringIO())
    back = Study.objects.get(slug="back")
    was, now = declared_in(first), declared_in(archive_of(back))
    for told in (was, now):
        del told["study"]["slug"], told["study"]["title"]
    for part in ("study", "directions", "campaigns", "human_studies"):
        assert was[part] == now[part]
    assert [one["slug"] for one in now["campaigns"]] == ["rate-them", "write", "check"]
    assert set(back.campaigns.values_list("state", "size")) == {("draft", 0)}
    for one in (rated, written):
        copy, left = (
            back.campaigns.get(slug=one.slug),
            {"id", "study", "direction", "state", "size", "made_at", "mixed"},
        )
        names = {field.name for field in Campaign._meta.concrete_fields} - left
        one.refresh_from_db()
        assert {name: getattr(copy, name) for name in names} == {name: getattr(one, name) for name in names}
    assert back.human_studies.get().comparison == study.human_studies.get().comparison
    done = io.StringIO()
    call_command("apply_study", str(tmp_path / "all.zip"), stdout=done)
    assert "nothing to change" in done.getvalue()

"""What is removed is gone from every table, and comes back as it was."""

import datetime

import pytest
from django.apps import apps
from django.db import connection
from factories.whole_study import WholeStudy, person
from support import campaigns as make

from accounts.actions.erase_person import erase_person
from annotation.actions.remove_campaign import remove_campaign
from annotation.models import Answer, Campaign, Item, Release, ReleaseFile, ReleasePiece, Review
from corpora.actions.add_direction import add_direction
from corpora.actions.add_sources import add_sources
from corpora.actions.delete_study import delete_study
from corpora.actions.purge_removals import purge_removals
from corpora.actions.remove_direction import remove_direction
from corpora.actions.remove_document import remove_document
from corpora.actions.remove_references import remove_references
from corpora.actions.remove_sources import remove_sources
from corpora.actions.remove_system import remove_system
from corpora.actions.undo_removal import undo_removal
from corpora.models import Direction, Output, Reference, Removal, RemovalPiece, Sentence, Study, System
from corpora.trash import RENAMED
from evaluation.actions.make_report import make_report
from evaluation.models import BaselineScore, MetricScore, Report
from foundation.errors import UserError
from jobs.models import Job

pytestmark = pytest.mark.django_db
BIN = {Removal, RemovalPiece}
ASIDE = {"accounts.AuditEntry", "contenttypes.ContentType", "auth.Permission"}


def snapshot():
    """All rows of the rooms' tables, as PostgreSQL writes them."""
    found = {}
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            if model in BIN or model._meta.label in ASIDE:
                continue
            rows = cursor.execute(f'SELECT t::text FROM "{model._meta.db_table}" t').fetchall()  # noqa: S608
            found[model._meta.label] = sorted(row[0] for row in rows)
    return found


@pytest.fixture
def study():
    made = make.study(items=4, systems=2, references=2)
    make_report(study=made)
    return made


def without_release(whole):
    """The database refuses to remove a release; here a study without one is wanted."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        for model in (ReleasePiece, ReleaseFile, Release):
            cursor.execute(f"DELETE FROM {model._meta.db_table}")  # noqa: S608
        cursor.execute("SET LOCAL session_replication_role = origin")


def test_a_system_goes_with_all_of_it_and_comes_back(study):
    before = snapshot()
    system = study.systems.first()
    MetricScore.objects.create(
        system=system, metric="bleu", key="k", signature="s", sentence_ids=[1], sentences=[0.5], packed=b"\x00\n\\x"
    )
    before = snapshot()
    removal = remove_system(system=system, by=None)
    assert not System.objects.filter(pk=system.pk).exists()
    assert not Output.objects.filter(system=system.pk).exists()
    assert not Report.objects.filter(study=study).exists()  # it spoke of the system
    assert removal.counts["corpora.Output"] == 4
    undo_removal(removal=removal)
    assert snapshot() == before
    assert not Removal.objects.exists()


@pytest.mark.parametrize("what", ["sources", "references", "direction"])
def test_texts_go_and_come_back(study, what):
    direction = study.directions.get()
    before = snapshot()
    if what == "sources":
        removal = remove_sources(direction=direction, numbers=[2, 3])
        assert list(direction.sentences.values_list("number", flat=True)) == [1, 4]
        assert Output.objects.count() == 4
        assert Reference.objects.count() == 4
        assert removal.name == "informal-formal 2-3"
    elif what == "references":
        removal = remove_references(references=direction.reference_sets.last())
        assert Reference.objects.count() == 4
    else:
        removal = remove_direction(direction=direction)
        assert not any(model.objects.exists() for model in (Direction, Sentence, Output))
    undo_removal(removal=removal)
    assert snapshot() == before


def test_a_campaign_goes_with_its_answers_and_comes_back():
    study = make.study(items=3)
    campaign = make.campaign(study)
    worker = make.person(study=study)
    make.hand_in(campaign, worker, make.held(campaign, worker))
    with pytest.raises(UserError, match="pause or close it first"):
        remove_campaign(campaign=campaign)
    Campaign.objects.update(state="closed")
    before = snapshot()
    removal = remove_campaign(campaign=campaign)
    assert not any(model.objects.exists() for model in (Campaign, Item, Answer))
    undo_removal(removal=removal)
    assert snapshot() == before


def test_what_was_removed_before_a_model_was_renamed_comes_back():
    whole = WholeStudy(workers=[person("admin")])
    without_release(whole)
    BaselineScore.objects.create(study=whole.study, baseline="copied_source", metric="bleu", key="1", signature="1")
    before = snapshot()
    removal = delete_study(study=whole.study, title=whole.study.title)
    former = {label: old for old, label in RENAMED.items()}
    assert set(former) <= {part["model"] for part in removal.parts if part["rows"]}
    removal.parts = [{**part, "model": former.get(part["model"], part["model"])} for part in removal.parts]
    removal.save(update_fields=["parts"])
    undo_removal(removal=removal)
    assert snapshot() == before


def test_a_whole_study_goes_and_comes_back():
    whole = WholeStudy(workers=[person("admin")])
    with pytest.raises(UserError, match="This study has a release"):
        delete_study(study=whole.study, title=whole.study.title)
    without_release(whole)
    before = snapshot()
    with pytest.raises(UserError, match="not the title"):
        delete_study(study=whole.study, title="Something else")
    assert snapshot() == before
    removal = delete_study(study=whole.study, title=f" {whole.study.title} ")
    left = {label: len(rows) for label, rows in snapshot().items() if rows}
    assert set(left) <= {
        "webhooks.Webhook", "webhooks.Delivery",  # those of the site
        "accounts.Person", "accounts.AccessLink", "sites.Site", "sessions.Session", "accounts.Credential",
        "accounts.ApiToken",
    }, left  # fmt: skip
    assert not Study.objects.exists()
    undo_removal(removal=removal)
    assert snapshot() == before


def test_a_removal_within_a_study_that_was_removed_comes_back_too(study):
    first = remove_system(system=study.systems.first())
    removal = delete_study(study=study, title=study.title)
    assert Removal.objects.count() == 1
    undo_removal(removal=removal)
    undo_removal(removal=first)
    assert study.systems.count() == 2


def test_what_a_running_job_may_stand_on_stays(study):
    job = Job.objects.create(
        task="none",
        queue="gpu",
        title="A run",
        study_slug=study.slug,
        state="running",
        queued_at=datetime.datetime.now(datetime.UTC),
    )
    for act in (
        lambda: remove_direction(direction=study.directions.get()),
        lambda: remove_sources(direction=study.directions.get(), numbers=[1]),
        lambda: delete_study(study=study, title=study.title),
    ):
        with pytest.raises(UserError, match="The job “A run” is still running"):
            act()
    job.state = "done"
    job.save()
    remove_sources(direction=study.directions.get(), numbers=[1])


def test_sources_that_a_campaign_asks_about_stay(study):
    make.campaign(study, name="Rewriting", state="draft")
    for act in (
        lambda: remove_direction(direction=study.directions.get()),
        lambda: remove_sources(direction=study.directions.get(), numbers=[1]),
    ):
        with pytest.raises(UserError, match="The campaign Rewriting asks about these texts; remove it first"):
            act()


def test_what_a_release_holds_stays():
    study = make.study(items=1)
    campaign = make.campaign(study)
    Release.objects.create(
        study=study, number=3, datasheet="d", key=b"k" * 32, counts={"campaigns": {campaign.slug: 1}}
    )
    Campaign.objects.update(state="closed")
    with pytest.raises(UserError, match="This campaign cannot be removed: release 3 holds its texts"):
        remove_campaign(campaign=campaign)


def test_numbers_that_are_not_there_are_named(study):
    with pytest.raises(UserError, match="informal-formal has no source 7, 8"):
        remove_sources(direction=study.directions.get(), numbers=[1, 7, 8])
    assert Sentence.objects.count() == 4


def test_a_restore_that_does_not_fit_says_why_and_changes_nothing(study):
    removal = remove_system(system=study.systems.first())
    name = removal.name
    System.objects.create(study=study, number=9, name=name, origin="again")
    before = snapshot()
    with pytest.raises(UserError, match=f"there is another system in its place .name {name}"):
        undo_removal(removal=removal)
    assert snapshot() == before
    assert Removal.objects.filter(pk=removal.pk).exists()


def test_what_it_stood_on_is_gone(study):
    references = remove_references(references=study.directions.get().reference_sets.last())
    remove_direction(direction=study.directions.get())
    with pytest.raises(UserError, match="what it belonged to is gone by now"):
        undo_removal(removal=references)


def test_a_study_in_its_place(study):
    removal = delete_study(study=study, title=study.title)
    other = make.study(items=1)
    Study.objects.filter(pk=other.pk).update(slug=study.slug, title="Something of its own")
    with pytest.raises(UserError, match="another study"):
        undo_removal(removal=removal)
    Study.objects.filter(pk=other.pk).update(slug="other", title=removal.name.upper())
    with pytest.raises(UserError, match="is too similar"):
        undo_removal(removal=removal)


def test_a_newer_report_stays(study):
    removal = remove_system(system=study.systems.first())
    make_report(study=study)
    newer = Report.objects.get(study=study).made_at
    undo_removal(removal=removal)
    assert Report.objects.get(study=study).made_at == newer
    assert study.systems.count() == 2


def test_references_that_are_emptied_are_filled_again(study):
    from evaluation.models import ReportChoice

    choice = ReportChoice.objects.create(study=study, baseline=study.systems.first())
    removal = remove_system(system=study.systems.first())
    choice.refresh_from_db()
    assert choice.baseline is None
    undo_removal(removal=removal)
    choice.refresh_from_db()
    assert choice.baseline == study.systems.first()


def test_after_thirty_days_it_is_gone_for_good(study):
    removal = remove_system(system=study.systems.first())
    assert purge_removals() == 0
    Removal.objects.update(removed_at=removal.removed_at - datetime.timedelta(days=31))
    with pytest.raises(UserError, match="more than 30 days ago"):
        undo_removal(removal=removal)
    assert purge_removals() == 1
    assert not RemovalPiece.objects.exists()
    with pytest.raises(UserError, match="gone for good"):
        undo_removal(removal=removal)


def test_a_direction_after_a_removed_one_gets_a_number_of_its_own(study):
    add_direction(study=study, source_style="formal", target_style="informal")
    removal = remove_direction(direction=study.directions.get(number=1))
    study.styles.append("plain")
    study.save()
    assert add_direction(study=study, source_style="plain", target_style="formal").number == 3
    undo_removal(removal=removal)
    assert study.directions.count() == 3


def test_the_report_is_made_without_what_is_gone(study):
    remove_sources(direction=study.directions.get(), numbers=[1])
    make_report(study=study)
    add_sources(direction=study.directions.get(), texts=["one more"])
    assert study.directions.get().sentences.last().number == 5


def test_a_document_goes_and_comes_back():
    from support.documents import documents

    study = make.study(items=1)
    document = documents(study)[0]
    before = snapshot()
    removal = remove_document(document=document)
    assert not study.documents.filter(pk=document.pk).exists()
    undo_removal(removal=removal)
    assert snapshot() == before


def test_who_is_erased_is_erased_from_what_was_removed():
    """Comments and logs that come back do not name them, and their drafts stay away."""
    study = make.study(items=2)
    campaign = make.campaign(study)
    worker, reviewer = make.person(study=study, name="Ada Lovelace"), make.person(study=study)
    make.hand_in(campaign, worker, make.held(campaign, worker))
    Review.objects.create(
        answer=Answer.objects.get(), verdict="rejected", reviewer=reviewer, comment="Thanks,\nLovelace and others"
    )
    log = "Started by Ada Lovelace.\n"
    Job.objects.create(
        task="none", queue="gpu", title="A run", study_slug=study.slug, state="done", log=log,
        queued_at=datetime.datetime.now(datetime.UTC),
    )  # fmt: skip
    removal = delete_study(study=study, title=study.title)
    content = removal.counts["annotation.Answer"]
    erase_person(person=worker)
    undo_removal(removal=removal)
    assert Review.objects.get().comment == "Thanks,\n[erased] and others"
    assert Job.objects.get().log == "Started by [erased].\n"
    assert Answer.objects.filter(person=worker).count() == content == 1


RULES = (
    "annotation/receivers.py",
    "platform/accounts/kept_answers.py",
    "platform/jobs/privacy.py",
    "evaluation/receivers.py",
    "platform/notifications/receivers.py",
    "platform/integrations/recruiting/receivers.py",
)
OF_NO_STUDY = {"AuditEntry", "KeptAnswer", "NotificationLedger"}


def test_the_models_that_name_people_are_known():
    """What the rooms forget of somebody is forgotten in removals, too."""
    import re
    from pathlib import Path

    from corpora.trash import PERSONAL_MODELS

    root = Path(__file__).parents[3]
    texts = [(root / file).read_text() for file in RULES]
    named = {
        name
        for text in texts
        for name in re.findall(r"erase_words\((\w+)|(\w+)\.objects", text)
        for name in name
        if name
    }
    assert named - OF_NO_STUDY <= {label.split(".")[1] for label in PERSONAL_MODELS}
    rooms = [root / room for room in ("annotation", "evaluation", "modelserving", "platform")]
    elsewhere = [file for room in rooms for file in room.rglob("*.py") if "person_erased" in file.read_text()]
    assert {file.relative_to(root).as_posix() for file in elsewhere} == {
        *RULES, "platform/accounts/privacy.py", "platform/accounts/actions/erase_person.py",
    }  # fmt: skip

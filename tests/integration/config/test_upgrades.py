"""A site of an earlier version is migrated with its data, and then has the schema of a new site.

`tests/golden/upgrades/` keeps databases by the commit that made them: 4fd76d7 is 0.1.0, and 33bc214 the last one that
had each migration since then by itself. They were filled through the actions of their time: two people's answers, one
of them accepted and one rejected, a draft, a release, a campaign with control items, two participants of a crowd site
in one browser, and a metric's settings.
"""

import gzip
import re
from contextlib import contextmanager

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection, connections
from support import campaigns as make

from accounts.models import AuditEntry, Person
from annotation.models import (
    Answer,
    Assignment,
    Campaign,
    CampaignMembership,
    CrowdParticipant,
    DeviceUse,
    Draft,
    Release,
)  # fmt: skip
from evaluation.models import BaselineScore, MetricChoice
from foundation.errors import UserError
from foundation.project import ROOT

KEPT = ROOT / "tests/golden/upgrades"
SCHEMA = """
SELECT concat_ws(' ', 'column', table_name, column_name, data_type, character_maximum_length, is_nullable,
                 column_default)
FROM information_schema.columns WHERE table_schema = 'public'
UNION SELECT concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid))
FROM pg_constraint WHERE connamespace = 'public'::regnamespace
UNION SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
UNION SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
UNION SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
UNION SELECT concat_ws(' ', 'view', viewname, definition) FROM pg_views WHERE schemaname = 'public'
"""
CASTS = re.compile(r"::(text|character varying)(\[\])?|[()]")  # PostgreSQL writes them anew when it reads its own dump


def schema(alias):
    with connections[alias].cursor() as cursor:
        cursor.execute(SCHEMA)
        return {CASTS.sub("", row) for (row,) in cursor.fetchall()}


@contextmanager
def site_of(commit):
    """The alias of a database as that commit left it."""
    alias, name = f"of_{commit}", f"{connection.settings_dict['NAME']}_{commit}"
    with connection.cursor() as cursor:
        server = psycopg.connect(cursor.connection.info.dsn, autocommit=True)
    with server:
        server.execute(f"DROP DATABASE IF EXISTS {name}")
        server.execute(f"CREATE DATABASE {name} TEMPLATE template0")
        connections.settings[alias] = {**connection.settings_dict, "NAME": name}
        try:
            with connections[alias].cursor() as cursor:
                cursor.connection.execute(gzip.decompress((KEPT / f"{commit}.sql.gz").read_bytes()))
            yield alias
        finally:
            connections[alias].close()
            connections[alias].close_pool()
            del connections[alias], connections.settings[alias]
            server.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def unblocked(django_db_setup, django_db_blocker):
    with django_db_blocker.unblock():
        yield
        connection.close()


@pytest.mark.parametrize("commit", ["4fd76d7", "33bc214"])
def test_its_data_are_there_and_its_schema_is_that_of_a_new_site(unblocked, commit):
    with site_of(commit) as alias:
        call_command("migrate", database=alias, verbosity=0)
        assert schema(alias) == schema("default")

        answers = Answer.objects.using(alias).select_related("assignment").order_by("pk")
        assert [one.content["text"] for one in answers] == ["I have to see number 1.", "I have to see number 2."] * 2
        free, done = Assignment.State.FREE, Assignment.State.DONE
        assert [one.assignment.state for one in answers] == [done, free, done, done]  # the second was rejected
        assert Draft.objects.using(alias).get().content == {"text": "I have to"}
        assert Release.objects.using(alias).get().number == 1
        mixed = Campaign.objects.using(alias).filter(mixed=True).values_list("name", flat=True)
        assert list(mixed) == ["With controls"] * (commit == "4fd76d7")  # later versions say it themselves
        participants = CrowdParticipant.objects.using(alias)
        assert participants.count() == DeviceUse.objects.using(alias).count() == 2
        assert CampaignMembership.objects.using(alias).get(done=2, person=answers[0].person_id).position > 0
        assert MetricChoice.objects.using(alias).get().settings["tokenize"] == "language"
        assert AuditEntry.objects.using(alias).exists()
        assert Person.objects.using(alias).filter(email="person2@example.org").exists()


def test_a_state_between_two_versions_is_refused_in_a_sentence(unblocked):
    with site_of("33bc214") as alias:
        with connections[alias].cursor() as cursor:
            cursor.execute("DELETE FROM django_migrations WHERE app = 'annotation' AND name > '0014'")
        before = schema(alias)
        with pytest.raises(UserError, match=r"of annotation it has .* 0013_attempts\. Install commit 33bc214"):
            call_command("migrate", database=alias, verbosity=0)
        assert schema(alias) == before


def test_a_process_of_the_version_before_reads_and_writes_by_the_old_names(db):
    campaign, who = make.campaign(make.study(items=1)), make.person()
    (item,) = campaign.items.all()
    asked = {"campaign": campaign.pk, "item": item.pk, "person": who.pk, "study": campaign.study_id}
    with connection.cursor() as cursor:
        copied = 'COPY annotation_slot (campaign_id, item_id, number, position, pilot, state, "order") FROM STDIN'
        with cursor.copy(copied) as copy:
            copy.write_row([campaign.pk, item.pk, 9, 1, False, 0, []])
        cursor.execute(
            "UPDATE annotation_slot SET state = 1, annotator_id = %(person)s WHERE id = (SELECT id FROM annotation_slot"
            " WHERE item_id = %(item)s AND number = 9 FOR UPDATE SKIP LOCKED) RETURNING topic", asked,
        )  # fmt: skip
        assert cursor.fetchone() == ("",)
        for _ in range(2):
            cursor.execute(
                "INSERT INTO annotation_seat (campaign_id, person_id, position, done, made_at) VALUES (%(campaign)s,"
                " %(person)s, 0, 0, now()) ON CONFLICT (campaign_id, person_id) DO NOTHING", asked,
            )  # fmt: skip
        cursor.execute(
            "INSERT INTO annotation_entrance (campaign_id, site, secret, consent, is_open, made_at)"
            " VALUES (%(campaign)s, 'other', 'one', '', true, now()) RETURNING id", asked,
        )  # fmt: skip
        asked["link"] = cursor.fetchone()[0]
        cursor.execute(
            "INSERT INTO annotation_entrant (entrance_id, person_id, external_id, session_id, browser, attempts, state,"
            " code, entered_at) VALUES (%(link)s, %(person)s, 'one', '', '', 0, 'entered', '', now())", asked,
        )  # fmt: skip
        cursor.execute(
            "INSERT INTO evaluation_foilscore (study_id, foil, metric, key, signature, details, made_at)"
            " VALUES (%(study)s, 'copied_source', 'bleu', '', '', '{}', now())", asked,
        )  # fmt: skip
        cursor.execute(
            "INSERT INTO accounts_trailentry (at, study_slug, action, target, details)"
            " VALUES (now(), '', 'none', '', '{}')"
        )
    assert Assignment.objects.get(number=9, state=Assignment.State.LEASED).barred == []
    assert CampaignMembership.objects.get(person=who).attempts == 0
    assert CrowdParticipant.objects.get().recruitment_link_id == asked["link"]
    assert BaselineScore.objects.get().baseline == "copied_source"
    assert AuditEntry.objects.get(action="none").kind == AuditEntry.Kind.CHANGE

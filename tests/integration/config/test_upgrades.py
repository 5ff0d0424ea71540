"""A site of an earlier version is migrated with its data, and then has the schema of a new site.

`tests/golden/upgrades/` keeps databases by the commit that made them: 4fd76d7 is 0.1.0, and 33bc214 the last one that
had each migration since then by itself. They were filled through the actions of their time: two people's answers, one
of them accepted and one rejected, a draft, a release, a campaign with control items, two participants of a crowd site
in one browser, and a metric's settings.
"""

import gzip
from contextlib import contextmanager

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection, connections

from accounts.models import Person, TrailEntry
from annotation.models import Answer, Assignment, Campaign, CampaignMembership, CrowdParticipant, DeviceUse, Draft, Release
from evaluation.models import MetricChoice
from foundation.errors import UserError
from foundation.project import ROOT

KEPT = ROOT / "tests/golden/upgrades"
SCHEMA = """
SELECT concat_ws(' ', 'column', table_name, column_name, data_type, character_maximum_length, is_nullable, column_default)
FROM information_schema.columns WHERE table_schema = 'public'
UNION SELECT concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid))
FROM pg_constraint WHERE connamespace = 'public'::regnamespace
UNION SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
UNION SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
UNION SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
UNION SELECT concat_ws(' ', 'view', viewname, definition) FROM pg_views WHERE schemaname = 'public'
"""


def schema(alias):
    with connections[alias].cursor() as cursor:
        cursor.execute(SCHEMA)
        return {row for (row,) in cursor.fetchall()}


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
        assert TrailEntry.objects.using(alias).exists()
        assert Person.objects.using(alias).filter(email="person1@example.org").exists()


def test_a_state_between_two_versions_is_refused_in_a_sentence(unblocked):
    with site_of("33bc214") as alias:
        with connections[alias].cursor() as cursor:
            cursor.execute("DELETE FROM django_migrations WHERE app = 'annotation' AND name > '0014'")
        before = schema(alias)
        with pytest.raises(UserError, match=r"of annotation it has .* 0013_attempts\. Install commit 33bc214"):
            call_command("migrate", database=alias, verbosity=0)
        assert schema(alias) == before

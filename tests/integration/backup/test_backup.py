"""A whole site backed up while people work, and restored elsewhere, where it is as it was at that moment."""

import hashlib
import json
import os
import re
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.conf import settings as django_settings
from django.contrib.sessions.models import Session
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import connection
from django.test import Client
from factories.whole_study import WholeStudy
from support import campaigns as make
from support.annotators import Annotator, failed, reached
from support.processes import redis_database, wait_until
from support.s3 import s3_server

from accounts.actions.make_token import make_token
from accounts.permissions import Role
from annotation.models import Answer
from backup import archive, verification
from backup.archive import Backup, Part
from backup.creation import one_moment, write_backup
from backup.postgres_programs import database, environment, program, server
from backup.restoration import second_steps_left_out
from backup.verification import check
from config.environment.storage import storage_of
from corpora.models import LeftFile
from corpora.trash import remove_file, remove_left_files
from foundation.errors import UserError
from foundation.project import ROOT

SITE = Path(__file__).parents[2] / "support" / "restored_site.py"
PEOPLE, ITEMS, BEFORE = 4, 1000, 12  # answers that are acknowledged before the backup begins


def manage(*arguments, environment):
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def processes(request):
    """The environment of real processes on the test database."""
    return request.getfixturevalue("_processes_environment")


@pytest.fixture
def elsewhere(processes, transactional_db, tmp_path):
    """The environment of another site: an empty database, queue and folder of its own."""
    name = f"{connection.settings_dict['NAME']}_elsewhere"
    number = 32 + int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    with connection.cursor() as cursor:
        cursor.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        cursor.execute(f'CREATE DATABASE "{name}" TEMPLATE template0')
    yield {
        **processes,
        "DATABASE_URL": urlsplit(processes["DATABASE_URL"])._replace(path=f"/{name}").geturl(),
        "REDIS_URL": redis_database(processes["REDIS_URL"], number),
        "RESTYLE_DATA": str(tmp_path / "elsewhere"),
    }
    with connection.cursor() as cursor:
        cursor.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@contextmanager
def working(url, study):
    """People who answer for as long as the block lasts."""
    campaign = make.campaign(study, overlap=PEOPLE)
    stop, people = threading.Event(), {}
    for number in range(PEOPLE):
        who = make.person(study=study)
        _, secret = make_token(person=who, name="test", scopes=["annotate"], days=1)
        address = f"{url}/api/studies/{study.slug}/campaigns/{campaign.slug}/"
        people[who.pk] = Annotator(address, secret, f"Person {number}", stop)
    with ThreadPoolExecutor(PEOPLE) as pool:
        running = [pool.submit(person.work) for person in people.values()]
        try:
            wait_until(lambda: reached(people, BEFORE, running), "Nobody works")
            yield list(people.values())
        finally:
            stop.set()
        assert not failed(running)


def worth_keeping():
    """A study with one of everything, a person who can sign in, and a large object."""
    whole = WholeStudy()
    Client().force_login(make.person(Role.RESEARCHER))
    person = make.person(Role.RESEARCHER, whole.study)
    with connection.cursor() as cursor:
        cursor.execute("SELECT lo_from_bytea(0, 'large')")
        return whole, person, cursor.fetchone()[0]


def restored(file, elsewhere, whole, person, large):
    """What the restored site says of itself; all but its answers is looked at here."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT lo_unlink(%s)", [large])
    assert "Restored the site" in manage("restore", file, environment=elsewhere)
    said = subprocess.run(
        [sys.executable, SITE, person.email, make.PASSWORD, whole.study.slug, str(large)], cwd=ROOT,
        env={**elsewhere, "DJANGO_SETTINGS_MODULE": "config.settings"}, capture_output=True, text=True,
    )  # fmt: skip
    assert said.returncode == 0, said.stderr
    site = json.loads(said.stdout)
    assert site["key"] == django_settings.SECRET_KEY
    assert Session.objects.exists()
    assert site["sessions"] == 0, "whoever reads one is signed in as its person"
    assert (site["signed_in"], site["report_is_equal"], site["large"]) == (200, True, "large")
    assert (site["broken"], site["release_changed"], site["checkpoints"]) == ([], 0, [True])
    return site


@pytest.mark.slow
def test_backed_up_and_restored_elsewhere(processes, elsewhere, tmp_path, settings):
    place = tmp_path / "files"
    place.mkdir()
    settings.PASSWORD_HASHERS = ["support.passwords.Remembered"]  # as a real site keeps them
    settings.STORAGES = {**settings.STORAGES, "default": storage_of(str(place))}
    kept, file = worth_keeping(), str(tmp_path / "site.zip")
    texts = list(Answer.objects.values_list("content__text", flat=True))
    manage("backup", file, "--key", environment={**processes, "RESTYLE_STORAGE": str(place)})
    site = restored(file, elsewhere, *kept)
    assert texts
    assert sorted(site["answers"], key=str) == sorted(texts, key=str)
    assert schema(elsewhere) == schema(processes)


@pytest.mark.soak
@pytest.mark.slow
def test_backed_up_under_load_and_restored_elsewhere(web_server, processes, elsewhere, tmp_path, settings):
    with s3_server():
        settings.STORAGES = {**settings.STORAGES, "default": storage_of("s3://models/site")}
        kept, file = worth_keeping(), str(tmp_path / "site.zip")
        here = {**processes, **os.environ, "DATABASE_URL": processes["DATABASE_URL"]}
        here["RESTYLE_STORAGE"] = "s3://models/site"
        with working(web_server.url, make.study(items=ITEMS)) as people:
            before = [list(one.acknowledged) for one in people]
            manage("backup", file, "--key", environment=here)
    site = restored(file, elsewhere, *kept)
    assert sum(map(len, before)) < sum(len(one.acknowledged) for one in people), "nobody worked meanwhile"
    for one, sure in zip(people, before, strict=True):
        theirs = [text for text in one.acknowledged.values() if text in site["answers"]]
        assert len(theirs) >= len(sure)
        assert theirs == list(one.acknowledged.values())[: len(theirs)], "a later answer without an earlier one"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("key", [False, True])
def test_second_steps_go_along_only_with_the_key(tmp_path, key):
    """An app's secret is kept as it is: who reads it has the second step."""
    person, secret = make.person(), generate_totp_secret()
    TOTP.activate(person, secret)
    seed = RecoveryCodes.activate(person).instance.data["seed"]
    with (tmp_path / "site.zip").open("wb") as file:
        write_backup(file, key=key)
    backup = archive.read(tmp_path / "site.zip")
    place, _ = program("pg_restore", least=int(backup.about["pg_dump"]))
    with backup.opened(archive.DATABASE) as dump:
        said = subprocess.run([place, "--data-only", "--file=-"], input=dump.read(), capture_output=True, check=True)
    assert person.email.encode() in said.stdout
    assert [each.encode() in said.stdout for each in (secret, seed)] == [key, key]
    told = " ".join(second_steps_left_out(backup))
    assert told == "" if key else "people who had one (1) sign in by password alone" in told


def schema(site):
    """Tables, sequences, constraints, triggers and functions, as pg_dump writes them."""
    place, _ = program("pg_dump", least=connection.pg_version // 10000)
    command = [place, "--schema-only", "--no-owner", "--restrict-key=same", f"--dbname={site['DATABASE_URL']}"]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return re.sub(r"::[a-z ]+(\[\])?|[()]", "", said)  # it writes the casts of a list anew each time it reads them


@pytest.mark.django_db(transaction=True)
class TestFilesStay:
    """A file that is removed while a backup is made stays until the backup has copied it."""

    def test_until_the_backup_is_over(self):
        name = default_storage.save("checkpoints/tests/stays.zip", ContentFile(b"weights"))
        with one_moment():
            remove_file(name)
            assert remove_left_files() == 0
            assert default_storage.exists(name)
        assert remove_left_files() == 1
        assert not default_storage.exists(name)
        assert not LeftFile.objects.exists()

    def test_and_otherwise_it_goes_at_once(self):
        name = default_storage.save("checkpoints/tests/goes.zip", ContentFile(b"weights"))
        remove_file(name)
        assert not default_storage.exists(name)

    def test_two_backups_are_not_made_at_once(self):
        with one_moment(), pytest.raises(UserError, match="A backup is being made already"), one_moment():
            pass


@pytest.mark.django_db(transaction=True)
def test_the_moment_names_files_of_rows_and_of_what_was_removed():
    whole = WholeStudy()
    whole.removal.files = ["checkpoints/removed.zip"]
    whole.removal.save()
    with one_moment() as moment:
        files = set(moment.files)
    assert files == {whole.checkpoint.file.name, whole.transfer.result.name, "checkpoints/removed.zip"}


def test_no_password_stands_in_a_command_line(db, monkeypatch):
    monkeypatch.setitem(connection.settings_dict, "PASSWORD", "secret word")
    assert environment()["PGPASSWORD"] == "secret word"
    assert "secret" not in database()


class TestPrograms:
    """The pg_dump that fits the server: an older one refuses it."""

    def test_the_oldest_that_is_not_too_old(self, db):
        for least in (16, 18):
            place, major = program("pg_dump", least=least)
            assert major >= least
            said = subprocess.run([place, "--version"], capture_output=True, text=True, check=True).stdout
            assert f"(PostgreSQL) {major}" in said
        assert program("pg_dump", least=16)[1] < program("pg_dump", least=18)[1]

    def test_a_server_newer_than_all_of_them(self, db):
        with pytest.raises(UserError, match=r"PostgreSQL 99 needs a pg_dump of version 99 .* postgresql-client-99"):
            program("pg_dump", least=99)


@pytest.mark.django_db(transaction=True)
class TestRefused:
    """What cannot be restored here is said in one sentence, before anything is changed."""

    def backup(self, **about):
        major = connection.pg_version // 10000
        fitting = {"migrations": ["corpora.0001_version_0_1"], "postgresql": major, "pg_dump": major, "restyle": "9.1"}
        return Backup(Path("site.zip"), fitting | about, {})

    def refused(self, sentence, **about):
        with pytest.raises(UserError, match=sentence):
            check(self.backup(**about))

    @pytest.fixture
    def alone(self, monkeypatch):
        """Other tests' processes may be connected."""
        monkeypatch.setattr(verification, "_check_alone", lambda database: None)

    def test_an_empty_site_takes_it(self, alone):
        check(self.backup())

    def test_a_newer_restyle(self):
        self.refused(r"another version of Restyle \(9.1\).*corpora.0999_later", migrations=["corpora.0999_later"])

    def test_one_of_a_state_between_two_versions(self):
        self.refused("of jobs it has the migrations up to 0001_initial", migrations=["jobs.0001_initial"])

    def test_one_of_the_release_before(self, alone):
        check(self.backup(migrations=["jobs.0001_initial", "jobs.0002_told"]))

    def test_a_newer_postgresql(self):
        self.refused("The backup is of PostgreSQL 99, and this server is", postgresql=99)

    def test_a_manifest_without_versions(self):
        self.refused("does not say which", postgresql="18")
        self.refused("does not say which", migrations=[1])

    def test_a_site_with_people(self):
        make.person()
        self.refused("The site is not empty")

    def test_the_database_of_another_program(self):
        with connection.cursor() as cursor:
            cursor.execute("CREATE TABLE invoices (id int)")
        try:
            self.refused(r"not Restyle's \(invoices\)")
        finally:
            with connection.cursor() as cursor:
                cursor.execute("DROP TABLE invoices")

    def test_a_database_in_use(self, monkeypatch):
        monkeypatch.setattr(verification, "LEAVING_SECONDS", 0)
        with psycopg.connect(**server()):
            self.refused("The database is in use")

    def test_another_file_of_the_same_name_in_storage(self, alone):
        name = default_storage.save("checkpoints/tests/other.zip", ContentFile(b"other"))
        part = Part(f"files/{name}", 5, hashlib.sha256(b"these").hexdigest())
        with pytest.raises(UserError, match="Storage has another file of this name"):
            check(replace(self.backup(), parts={part.name: part}))
        same = Part(f"files/{name}", 5, hashlib.sha256(b"other").hexdigest())
        check(replace(self.backup(), parts={same.name: same}))

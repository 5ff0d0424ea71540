"""Mail when work waits: what each kind tells, once, in one digest a day, as each person chose, whatever is killed."""

import json
import os
import re
import signal
import socketserver
import subprocess
import sys
import threading
from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from support import campaigns as make
from support.clients import as_person, with_token

from accounts.actions.erase_person import erase_person
from accounts.permissions import Role
from annotation.actions.grow_campaign import grow_campaign
from annotation.actions.review_answer import review_answer
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.models import Answer
from corpora.models import Membership
from evaluation.actions.make_report import make_report
from integrations.events.publishing import note_progress
from integrations.webhooks.models import Webhook
from jobs.actions.queue_job import queue_job
from jobs.execution import run_job
from notifications import digest
from notifications.digest import send_due_digests
from notifications.kinds import KINDS
from notifications.models import NotificationLedger

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def mail_server(settings):
    settings.HAS_MAIL_SERVER, settings.SITE_URL = True, "https://lab.example"


def look(hours=0):
    """What the clock sends after so many hours more."""
    ago = timedelta(hours=hours)
    for ledger in NotificationLedger.objects.exclude(claimed_at=None):
        NotificationLedger.objects.filter(pk=ledger.pk).update(claimed_at=ledger.claimed_at - ago)
    mail.outbox = []
    send_due_digests()
    return {sent.to[0]: sent for sent in mail.outbox}


def told(person, hours=25):
    """What a person is told after a day, without the words around it."""
    found = look(hours).get(person.email)
    return re.findall(r"^- (.*)\n  (\S+)$", found.body, re.MULTILINE) if found else []


def test_work_is_told_once_and_again_when_there_is_more_or_it_comes_back():
    study = make.study(items=2)
    who = make.person(study=study)
    assert look() == {}, "what waits at the first look is no news"
    campaign = make.campaign(study, name="Letters")
    work = f"https://lab.example{reverse('campaign_work', args=[study.slug, campaign.slug])}"
    line = (f"There is work for you in “Letters” ({study.title}).", work)
    assert told(who) == [line]
    assert told(who) == []
    grow_campaign(campaign=campaign, overlap=2, by=None)
    assert told(who) == [line]
    set_campaign_state(campaign=campaign, state="paused", by=None)
    assert told(who) == []
    set_campaign_state(campaign=campaign, state="open", by=None)
    assert told(who) == [line]


def test_each_kind_is_told_to_whom_it_concerns_and_nobody_else():
    study = make.study(items=3, systems=2)
    lead, worker, stranger = (
        make.person(Role.RESEARCHER, study), make.person(study=study), make.person(Role.RESEARCHER)
    )  # fmt: skip
    campaign = make.campaign(study, name="Letters", needs_review=True)
    assert look() == {}
    answer = make.hand_in(campaign, worker, make.held(campaign, worker)).answer
    assert told(lead) == [
        (f"1 answer in “Letters” ({study.title}) waits for a review.",
         f"https://lab.example{reverse('campaign_review', args=[study.slug, campaign.slug])}"),
    ]  # fmt: skip
    review_answer(answer=Answer.objects.get(pk=answer), by=lead, verdict="rejected", comment="No.")
    assert [text for text, _ in told(worker)] == [
        f"1 of your answers in “Letters” ({study.title}) was sent back to you."
    ]
    failing = queue_job(task="t", title="A training", study_slug=study.slug, by=lead, send=False)
    run_job(failing.pk, lambda job, progress: 1 / 0)
    assert [text for text, _ in told(lead)] == ["A job failed: A training"]
    make_report(study=study)
    mails = look(25)
    assert f"The report of “{study.title}” is ready." in mails[lead.email].body
    assert stranger.email not in mails
    Membership.objects.create(study=study, person=stranger, role=Role.REVIEWER)
    assert f"You are now in the study “{study.title}”." in [text for text, _ in told(stranger)]


def test_a_digest_comes_once_in_a_day_with_all_that_is_new():
    study = make.study(items=2)
    who = make.person(study=study)
    look()
    make.campaign(study, name="One")
    assert len(look()) == 1
    make.campaign(study, name="Two")
    make.campaign(study, name="Three")
    assert look(hours=20) == {}
    (sent,) = look(hours=5).values()
    assert (sent.to, sent.subject) == ([who.email], "Restyle: 2 things wait for you")
    assert "“Two”" in sent.body
    assert "“One”" not in sent.body
    assert f"https://lab.example{reverse('notifications')}" in sent.body
    assert "&" not in sent.body, "plain text holds no HTML"


def test_each_person_chooses_on_their_page_and_by_the_api():
    study = make.study(items=2)
    who = make.person(study=study)
    page = as_person(who).get(reverse("notifications")).content.decode()
    assert len(re.findall(r'<input[^>]* name="wanted"[^>]* checked', page)) == len(KINDS)
    assert reverse("notifications") in as_person(who).get(reverse("account_settings")).content.decode()
    as_person(who).post(reverse("notifications"), {"wanted": ["report"]})
    look()
    make.campaign(study)
    assert told(who) == []
    client = with_token(who)
    assert client.get("/api/me/notifications/").json() == {"wanted": ["report"]}
    assert client.put("/api/me/notifications/", {"wanted": ["work"]}, "application/json").json() == {"wanted": ["work"]}
    assert client.put("/api/me/notifications/", {"wanted": ["gossip"]}, "application/json").status_code == 400
    assert len(told(who)) == 1


def test_the_mail_is_in_the_persons_language():
    study = make.study(items=2)
    make.person(study=study, interface_language="de")
    look()
    make.campaign(study)
    (sent,) = look().values()
    assert sent.subject != "Restyle: 1 thing waits for you"


def test_nobody_gets_mail_who_left_or_has_no_address_or_where_no_server_is_set(settings):
    study = make.study(items=2)
    gone = make.person(study=study, is_active=False)
    crowd = make.person(study=study)
    type(crowd).objects.filter(pk=crowd.pk).update(email="x1@crowd.invalid")
    there = make.person(study=study)
    look()
    make.campaign(study)
    settings.HAS_MAIL_SERVER = False
    assert look() == {}
    settings.HAS_MAIL_SERVER = True
    assert list(look()) == [there.email]
    assert not NotificationLedger.objects.filter(person=gone).exists()
    erase_person(person=there, by=make.person(Role.ADMIN))
    assert not NotificationLedger.objects.filter(person=there).exists()


def test_a_server_that_takes_nothing_is_asked_again_within_the_hour(monkeypatch):
    study = make.study(items=2)
    who = make.person(study=study)
    look()
    make.campaign(study)

    def refuses(*_):
        raise OSError("refused")

    with monkeypatch.context() as patched:
        patched.setattr(digest, "send_mail", refuses)
        assert look() == {}
    assert list(look()) == [who.email]


class MailServer(socketserver.StreamRequestHandler):
    """SMTP enough to count what it took; it kills its client where it is told to."""

    taken: list[str] = []
    kill: list[int] = []

    def handle(self):
        self.wfile.write(b"220 here\r\n")
        body = None
        for line in self.rfile:
            if body is not None:
                if line == b".\r\n":
                    self.taken.append(b"".join(body).decode())
                    body = None
                    if self.kill:
                        os.kill(self.kill.pop(), signal.SIGKILL)
                        return
                    self.wfile.write(b"250 taken\r\n")
                else:
                    body.append(line)
            elif line.upper().startswith(b"DATA"):
                body = []
                self.wfile.write(b"354 go on\r\n")
            elif line.upper().startswith(b"QUIT"):
                self.wfile.write(b"221 bye\r\n")
                return
            else:
                self.wfile.write(b"250 ok\r\n")


# A process that starts others, which look at once: to load Django anew in each takes two seconds.
LOOKERS = """
import json, os, sys
import django
django.setup()
import config.urls  # for all that are forked: each would load every page for the links in its mail
from notifications.digest import send_due_digests

def look(start):
    os.read(start, 1)
    send_due_digests()
    return 0

def forked(start):
    pid = os.fork()
    if pid == 0:
        try:
            ended = look(start)
        except BaseException:
            ended = 1
        os._exit(ended)
    return pid

for line in sys.stdin:
    start, started = os.pipe()
    pids = [forked(start) for _ in range(int(line))]
    print(json.dumps(pids), flush=True)
    sys.stdin.readline()
    os.write(started, b"." * len(pids))
    print(json.dumps([os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in pids]), flush=True)
"""


def test_a_process_that_is_killed_with_the_mail_on_its_way_sends_none_twice(request):
    """Killed when the mail server has the mail and the process does not know it yet; then four look at once."""
    study = make.study(items=2)
    who = make.person(study=study)
    look()
    make.campaign(study)
    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), MailServer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    environment = {
        **request.getfixturevalue("_processes_environment"), "EMAIL_URL": f"smtp://127.0.0.1:{server.server_address[1]}",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }  # fmt: skip
    beside = subprocess.Popen(
        [sys.executable, "-c", LOOKERS], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )  # fmt: skip

    def looks(processes):
        """How each of so many processes ends, which look at once; one alone is killed by the mail server."""
        beside.stdin.write(f"{processes}\n")
        beside.stdin.flush()
        pids = json.loads(beside.stdout.readline())
        MailServer.kill[:] = pids if processes == 1 else []
        beside.stdin.write("\n")
        beside.stdin.flush()
        return json.loads(beside.stdout.readline())

    try:
        assert (looks(1), len(MailServer.taken)) == ([-signal.SIGKILL], 1)
        assert looks(4) == [0] * 4
        assert len(MailServer.taken) == 1
        assert who.email in MailServer.taken[0]
    finally:
        beside.communicate()
        server.shutdown()
        server.server_close()
        MailServer.taken.clear()


def test_who_is_not_signed_in_chooses_nothing():
    assert Client().get(reverse("notifications")).status_code == 302


def test_leads_hear_that_a_campaign_is_done_and_that_a_webhook_was_switched_off():
    study = make.study(items=1)
    lead, reviewer, worker = (
        make.person(Role.RESEARCHER, study),
        make.person(Role.REVIEWER, study),
        make.person(study=study),
    )
    campaign = make.campaign(study, name="Letters")
    look()
    make.hand_in(campaign, worker, make.held(campaign, worker))
    note_progress()
    hook = Webhook.objects.create(
        url="https://hooks.example/secret", secret="-", made_by=lead, study=study, is_on=False,
        disabled_at=timezone.now(), why="Nothing was delivered for days.",
    )  # fmt: skip
    assert [text for text, _ in told(lead)] == [
        f"All items of “Letters” ({study.title}) are done.",
        "The webhook to https://hooks.example was switched off: Nothing was delivered for days.",
    ]
    assert told(lead) == []
    assert told(reviewer) == []
    Webhook.objects.filter(pk=hook.pk).update(study=None)
    assert told(lead) == []

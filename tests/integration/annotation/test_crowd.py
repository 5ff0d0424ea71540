"""People of a crowd site: their ids are nobody's word, so an id is good in one browser only."""

import re
import threading
from urllib.parse import parse_qs, urlsplit

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse
from factories.handles import handle
from support import campaigns as make
from support import crowd
from support.clients import with_token

from accounts.actions.erase_person import erase_person
from accounts.authentication import digest_of
from accounts.models import AuditEntry, Person
from annotation.actions.edit_campaign import edit_campaign
from annotation.actions.enter_crowd import enter_crowd
from annotation.actions.leave_crowd import ALPHABET, new_code
from annotation.actions.open_recruitment_link import open_recruitment_link
from annotation.actions.release_crowd_participant import release_crowd_participant
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.actions.set_recruitment_link_state import set_recruitment_link_state
from annotation.models import Answer, Assignment, CrowdParticipant, Review
from annotation.progress.own_campaigns import campaigns_for
from corpora.models import Membership
from foundation.errors import UserError

pytestmark = pytest.mark.django_db
HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')
PID = "5f0c1a2b3c4d5e6f7a8b9c0d"


@pytest.fixture
def study():
    return make.study(items=2)


def link(recruitment_link, pid=PID, **more):
    return reverse("crowd_enter", args=[recruitment_link.secret]), {"PROLIFIC_PID": pid, "SESSION_ID": "s1", **more}


def enter(recruitment_link, pid=PID, client=None, **more):
    client = client or Client()
    return client, client.get(*link(recruitment_link, pid, **more))


def agree(client, answer, agrees="yes"):
    return client.post(answer["Location"] + "consent/", {"agrees": agrees})


def place(client, participant):
    return client.get(reverse("crowd", args=[handle("entrant", participant.pk, participant.person)]))


def shown(answer):
    """The page without the tokens that each has of its own: of its scripts, and of its form for the language."""
    return re.sub(r'"X-CSRFToken": "[^"]*"|name="csrfmiddlewaretoken" value="[^"]*"', "", answer.content.decode())


def write(client, campaign, text):
    """Hand in the item on the work page."""
    base = reverse("campaign_work", args=[campaign.study.slug, campaign.slug])
    form = {**dict(HIDDEN.findall(client.get(base).content.decode())), "text": text}
    return client.post(base + "submit/", form, headers={"HX-Request": "true"})


def test_whoever_is_asked_to_agree_reads_what_the_work_pays_and_how_long_it_may_take(study):
    recruitment_link = crowd.recruitment_link(study)
    pay = {"item": 0.1, "hour": 12.5, "currency": "GBP", "minutes": 4}
    edit_campaign(campaign=recruitment_link.campaign, pay=pay, eligibility={"quota": 20}, by=None)
    client, answer = enter(recruitment_link)
    page = " ".join(re.sub(r"<[^>]+>", " ", client.get(answer["Location"]).content.decode()).split())
    for said in (
        "At most 20 items.",
        "At most 4 minutes for an item.",
        "0.10 GBP for an item.",
        "12.50 GBP for an hour.",
    ):
        assert said in page


def test_the_first_visit_makes_a_person_and_the_next_one_finds_their_place(study):
    recruitment_link = crowd.recruitment_link(study)
    client, answer = enter(recruitment_link)
    participant = CrowdParticipant.objects.get()
    assert answer["Location"] == reverse("crowd", args=[handle("entrant", participant.pk, participant.person)])
    person = participant.person
    assert (person.role, person.email) == ("crowd_annotator", f"{person.pseudonym.hex}@crowd.invalid")
    assert not person.has_usable_password()
    assert (participant.external_id, participant.session_id, participant.state) == (PID, "s1", "entered")
    assert not Membership.objects.exists()  # no text is seen before the consent
    assert "You may leave at any time." in client.get(answer["Location"]).content.decode()
    client.cookies.pop("sessionid")
    assert enter(recruitment_link, client=client)[1]["Location"] == answer["Location"]
    assert client.get(answer["Location"]).status_code == 200
    assert Person.objects.filter(email__endswith="@crowd.invalid").count() == 1


def test_the_cookie_is_signed_and_only_the_browser_has_its_secret(study):
    client, _ = enter(crowd.recruitment_link(study))
    cookie = client.cookies["restyle_crowd"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    kept = CrowdParticipant.objects.get().browser
    assert kept == digest_of(cookie.value.split(":")[0])
    assert kept not in cookie.value
    forged = Client()
    forged.cookies["restyle_crowd"] = cookie.value[:-3] + "abc"
    assert enter(CrowdParticipant.objects.get().recruitment_link, client=forged)[1].status_code == 409


def test_an_id_in_another_browser_opens_nothing_and_changes_nothing(study):
    recruitment_link = crowd.recruitment_link(study)
    client, answer = enter(recruitment_link)
    agree(client, answer)
    write(client, recruitment_link.campaign, "I must see it.")
    before = (
        Person.objects.count(),
        Membership.objects.count(),
        Answer.objects.count(),
        CrowdParticipant.objects.get(),
    )
    other, refused = enter(recruitment_link)
    page = refused.content.decode()
    assert refused.status_code == 409
    assert "another browser" in page
    assert PID not in page
    assert "I must see it." not in page
    assert "sessionid" not in other.cookies
    assert other.get(answer["Location"]).status_code == 302  # to the sign-in
    participant = CrowdParticipant.objects.get()
    assert participant.attempts == 1
    assert (participant.browser, participant.state, participant.code) == (before[3].browser, before[3].state, "")
    assert (Person.objects.count(), Membership.objects.count(), Answer.objects.count()) == before[:3]


def test_one_id_in_a_browser_tells_nothing_of_another_in_it(study):
    recruitment_link = crowd.recruitment_link(study)
    client, first = enter(recruitment_link)
    _, second = enter(recruitment_link, "someone-else", client=client)
    assert second["Location"] != first["Location"]
    assert client.get(second["Location"]).status_code == 200
    assert client.get(first["Location"]).status_code == 404
    assert CrowdParticipant.objects.values("person").distinct().count() == 2


def test_who_was_released_goes_on_in_the_next_browser_and_the_old_one_is_signed_out(study):
    recruitment_link = crowd.recruitment_link(study)
    client, answer = enter(recruitment_link)
    agree(client, answer)
    token = with_token(CrowdParticipant.objects.get().person)
    assert token.get("/api/me/").status_code == 200
    release_crowd_participant(participant=CrowdParticipant.objects.get(), by=None)
    assert client.get(answer["Location"]).status_code == 302
    assert token.get("/api/me/").status_code == 401
    other, found = enter(recruitment_link)
    assert found["Location"] == answer["Location"]
    assert other.get(reverse("my_work")).status_code == 200
    assert enter(recruitment_link, client=client)[1].status_code == 409
    assert AuditEntry.objects.filter(action="release_entrant", study_slug=study.slug).count() == 1


@pytest.mark.parametrize("pid", ["", " ", "{{%PROLIFIC_PID%}}", "a" * 101, "a b", "a\x00b", "<b>", "é", "a\n"])
def test_what_is_no_id_makes_nobody(study, pid):
    client, answer = enter(crowd.recruitment_link(study), pid)
    assert answer.status_code == 400
    assert not CrowdParticipant.objects.exists()
    assert "restyle_crowd" not in client.cookies


def test_a_session_that_is_no_id_is_left_out(study):
    enter(crowd.recruitment_link(study), SESSION_ID="<script>")
    assert CrowdParticipant.objects.get().session_id == ""


def test_an_unknown_secret_a_closed_entrance_and_a_preview_make_nobody(study):
    assert Client().get(reverse("crowd_enter", args=["x" * 43])).status_code == 410
    recruitment_link = crowd.recruitment_link(study)
    set_recruitment_link_state(recruitment_link=recruitment_link, is_open=False, by=None)
    assert enter(recruitment_link)[1].status_code == 410
    turk = open_recruitment_link(campaign=recruitment_link.campaign, site="mturk", consent="Rewrite.", by=None)
    shown = {"assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE", "hitId": "h", "workerId": "W1"}
    page = Client().get(reverse("crowd_enter", args=[turk.secret]), shown)
    assert page.status_code == 200
    assert "Rewrite." in page.content.decode()
    assert not CrowdParticipant.objects.exists()
    assert not Person.objects.filter(role="crowd_annotator").exists()


def test_through_a_closed_entrance_who_is_in_goes_on_and_nobody_learns_who_is(study):
    recruitment_link = crowd.recruitment_link(study)
    client, answer = enter(recruitment_link)
    set_recruitment_link_state(recruitment_link=recruitment_link, is_open=False, by=None)
    assert enter(recruitment_link, client=client)[1]["Location"] == answer["Location"]
    known, unknown = enter(recruitment_link)[1], enter(recruitment_link, "never-came")[1]
    assert (known.status_code, shown(known)) == (unknown.status_code, shown(unknown))


@pytest.mark.parametrize("role", ["admin", "researcher", "crowd_annotator"])
def test_somebody_with_an_account_stays_who_they_are(study, role):
    who, client = make.person(role), Client()
    client.force_login(who)
    answer = enter(crowd.recruitment_link(study), client=client)[1]
    assert answer.status_code == 200
    assert "You are signed in" in answer.content.decode()
    assert client.session["_auth_user_id"] == str(who.pk)
    assert not CrowdParticipant.objects.exists()


def test_nobody_may_answer_for_another(study):
    recruitment_link = crowd.recruitment_link(study)
    _, answer = enter(recruitment_link)
    other, _ = enter(recruitment_link, "other")
    for act in ("consent/", "finish/"):
        assert other.post(answer["Location"] + act, {"agrees": "yes"}).status_code == 404
    assert CrowdParticipant.objects.get(external_id=PID).state == "entered"


def test_too_many_visits_are_told_to_wait(study, settings):
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "crowd_enter": "2/m/ip"}
    recruitment_link = crowd.recruitment_link(study)
    assert [enter(recruitment_link, f"p{n}")[1].status_code for n in range(3)] == [302, 302, 429]


@pytest.mark.django_db(transaction=True)
def test_of_browsers_that_race_with_one_id_one_has_it():
    recruitment_link = crowd.recruitment_link(make.study(items=2))
    ready, results = threading.Barrier(6), []

    def come(number):
        try:
            ready.wait()
            results.append(enter_crowd(recruitment_link=recruitment_link, external_id=PID, browser=f"browser {number}"))
        finally:
            connection.close()

    threads = [threading.Thread(target=come, args=[number]) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(entry.refused for entry in results) == ["", *["elsewhere"] * 5]
    assert CrowdParticipant.objects.get().attempts == 5
    assert Person.objects.filter(role="crowd_annotator").count() == 1


def test_the_database_itself_holds_one_participant_an_id_and_one_code(study):
    recruitment_link = crowd.recruitment_link(study)
    enter(recruitment_link)
    first = CrowdParticipant.objects.get()
    with pytest.raises(IntegrityError, match="one_participant_an_id"), transaction.atomic():
        CrowdParticipant.objects.create(
            recruitment_link=recruitment_link, person=first.person, external_id=PID, browser="b"
        )
    CrowdParticipant.objects.update(code="AAAA")
    with pytest.raises(IntegrityError, match="one_participant_a_code"), transaction.atomic():
        CrowdParticipant.objects.create(
            recruitment_link=recruitment_link, person=first.person, external_id="x", browser="b", code="AAAA"
        )


def test_who_declines_sees_no_text_and_may_still_agree(study):
    recruitment_link = crowd.recruitment_link(study)
    client, answer = enter(recruitment_link)
    agree(client, answer, "no")
    participant = CrowdParticipant.objects.get()
    assert (participant.state, participant.code) == ("declined", "")
    work = reverse("campaign_work", args=[study.slug, recruitment_link.campaign.slug])
    assert client.get(work).status_code == 404
    assert "You declined" in place(client, participant).content.decode()
    client.post(answer["Location"] + "finish/")
    assert CrowdParticipant.objects.get().code == ""
    agree(client, answer)
    assert client.get(work).status_code == 200


def test_the_way_leads_from_the_training_to_the_code(study):
    recruitment_link = crowd.recruitment_link(study, training=True, tries=1)
    client, answer = enter(recruitment_link)
    agree(client, answer)
    participant = CrowdParticipant.objects.get()

    def at():
        return place(client, participant)["Location"].rstrip("/").split("/")[-2]

    campaigns = {campaign.slug: campaign for campaign in study.campaigns.all()}
    assert at() == "the-training"
    for _ in range(2):
        write(client, campaigns["the-training"], "Something else.")
    assert at() == "the-qualification"
    for number in (1, 2):
        last = write(client, campaigns["the-qualification"], f"Expected {number}.")
    assert "Continue" in last.content.decode()
    assert at() == "rewrite"
    client.post(answer["Location"] + "finish/")
    assert CrowdParticipant.objects.get().state == "consented"  # not before an item is done
    write(client, campaigns["rewrite"], "I must see it.")
    assert Assignment.objects.filter(campaign=recruitment_link.campaign, state=Assignment.State.LEASED).count() == 1
    client.post(answer["Location"] + "finish/")
    participant.refresh_from_db()
    assert participant.state == "finished"
    assert re.fullmatch(rf"(?:[{ALPHABET}]{{4}}-){{2}}[{ALPHABET}]{{4}}", participant.code)
    assert not Assignment.objects.filter(campaign=recruitment_link.campaign, state=Assignment.State.LEASED).exists()
    page = place(client, participant).content.decode()
    assert page.count(participant.code) == 2  # to copy, and in the link back
    client.post(answer["Location"] + "finish/")
    assert CrowdParticipant.objects.get().code == participant.code


def test_who_does_not_pass_is_screened_out_with_a_code_and_sees_no_more_texts(study):
    recruitment_link = crowd.recruitment_link(study, tries=1)
    client, answer = enter(recruitment_link)
    agree(client, answer)
    for _ in range(2):
        write(client, study.campaigns.get(slug="the-qualification"), "Wrong.")
    page = client.get(answer["Location"], follow=True).content.decode()
    participant = CrowdParticipant.objects.get()
    assert participant.state == "screened_out"
    assert participant.code in page
    assert "screened out" in page
    assert client.get(reverse("campaign_work", args=[study.slug, recruitment_link.campaign.slug])).status_code == 404
    assert enter(recruitment_link, client=client)[1]["Location"] == answer["Location"]
    assert CrowdParticipant.objects.get().code == participant.code


def test_a_further_try_begins_where_one_is_left(study):
    recruitment_link = crowd.recruitment_link(study, tries=2)
    client, answer = enter(recruitment_link)
    agree(client, answer)
    qualification = study.campaigns.get(slug="the-qualification")
    for _ in range(2):
        write(client, qualification, "Wrong.")
    assert place(client, CrowdParticipant.objects.get())["Location"].endswith("/the-qualification/work/")
    for number in (1, 2):
        write(client, qualification, f"Expected {number}.")
    assert place(client, CrowdParticipant.objects.get())["Location"].endswith("/rewrite/work/")


def test_they_work_where_they_agreed_to_until_they_have_their_code(study):
    recruitment_link = crowd.recruitment_link(study)
    other = make.campaign(study, name="Other work")
    client, answer = enter(recruitment_link)
    agree(client, answer)
    refused = client.get(reverse("campaign_work", args=[study.slug, other.slug])).content.decode()
    assert "You came for other work, by the link of another campaign." in refused
    assert 'name="lease"' not in refused
    assert [row["campaign"].pk for row in campaigns_for(Person.objects.get(entered__isnull=False))] == [
        recruitment_link.campaign_id
    ]
    write(client, recruitment_link.campaign, "I must see it.")
    client.post(answer["Location"] + "finish/")
    page = client.get(reverse("campaign_work", args=[study.slug, recruitment_link.campaign.slug])).content.decode()
    assert "You have your code, so there is no more work for you here." in page
    assert 'name="lease"' not in page
    (row,) = campaigns_for(Person.objects.get(entered__isnull=False))
    assert row["need"] == "done"


def test_nobody_of_a_crowd_site_gives_themselves_a_name(study):
    client, _ = enter(crowd.recruitment_link(study))
    said = client.patch("/api/me/", {"name": "Robin Researcher"}, content_type="application/json")
    assert (said.status_code, said.json()) == (400, {"detail": "name: People of crowd sites have no name here."})
    assert Person.objects.get(entered__isnull=False).name == ""


def test_the_placeholder_of_an_id_is_nobodys(study):
    said = Client().get(
        reverse("crowd_enter", args=[crowd.recruitment_link(study, site="other").secret]), {"id": "THEIR_ID"}
    )
    assert said.status_code == 400
    assert not CrowdParticipant.objects.exists()


@pytest.mark.parametrize("state", ["closed", "paused"])
def test_who_found_no_work_leaves_with_the_code_of_those_who_did_none(study, state):
    recruitment_link = crowd.recruitment_link(study, codes=("DONE-1", "OUT-1"))
    client, answer = enter(recruitment_link)
    agree(client, answer)
    set_campaign_state(campaign=recruitment_link.campaign, state=state, by=None)
    page = client.get(answer["Location"], follow=True).content.decode()
    assert "Finish and get your code" in page
    client.post(answer["Location"] + "finish/")
    participant = CrowdParticipant.objects.get()
    assert (participant.state, participant.code) == ("screened_out", "OUT-1")
    assert "No item was left for you." in place(client, participant).content.decode()
    late_comer = enter(recruitment_link, pid="another")[1]
    assert late_comer.status_code == 410
    assert "This work accepts no new people" in late_comer.content.decode()


def test_a_quota_ends_with_the_button_that_brings_the_code(study):
    recruitment_link = crowd.recruitment_link(study, eligibility={"quota": 1})
    client, answer = enter(recruitment_link)
    agree(client, answer)
    page = write(client, recruitment_link.campaign, "I must see it.").content.decode()
    assert "You have done your part" in page
    assert "Finish and get your code" in page


def test_who_lacks_what_a_eligibility_rule_asks_is_screened_out(study):
    recruitment_link = crowd.recruitment_link(study, eligibility={"languages": ["xx"]})
    client, answer = enter(recruitment_link)
    agree(client, answer)
    client.post(answer["Location"] + "finish/")
    assert CrowdParticipant.objects.get().state == "screened_out"


def test_a_fixed_code_is_given_to_everybody_who_finishes_and_the_other_to_who_is_screened_out(study):
    recruitment_link = crowd.recruitment_link(study, tries=1, codes=("DONE-1", "OUT-1"))
    qualification = study.campaigns.get(slug="the-qualification")
    codes = {}
    for pid, words in (("one", "Expected {}."), ("two", "Expected {}."), ("three", "Wrong {}.")):
        client, answer = enter(recruitment_link, pid)
        agree(client, answer)
        for number in (1, 2):
            write(client, qualification, words.format(number))
        client.get(answer["Location"], follow=True)
        if words.startswith("Expected"):
            write(client, recruitment_link.campaign, "I must see it.")
            client.post(answer["Location"] + "finish/")
        participant = CrowdParticipant.objects.get(external_id=pid)
        codes[pid] = (participant.state, participant.code, participant.has_fixed_code)
        assert f"complete?cc={participant.code}" in place(client, participant).content.decode()
    assert codes == {
        "one": ("finished", "DONE-1", True),
        "two": ("finished", "DONE-1", True),
        "three": ("screened_out", "OUT-1", True),
    }


def test_where_one_code_is_fixed_the_other_is_still_everybodys_own(study):
    recruitment_link = crowd.recruitment_link(study, eligibility={"languages": ["xx"]}, codes=("DONE-1", ""))
    client, answer = enter(recruitment_link)
    agree(client, answer)
    client.post(answer["Location"] + "finish/")
    participant = CrowdParticipant.objects.get()
    assert (participant.state, participant.has_fixed_code) == ("screened_out", False)
    assert len(participant.code) == 14


def test_who_is_screened_out_reads_where_and_why(study):
    recruitment_link = crowd.recruitment_link(study, training=True, tries=1)
    client, answer = enter(recruitment_link)
    agree(client, answer)
    campaigns = {campaign.slug: campaign for campaign in study.campaigns.all()}
    for slug in ("the-training", "the-qualification"):
        for number in (1, 2):
            write(client, campaigns[slug], f"Expected {number}." if number == 1 else "Wrong.")
    page = client.get(answer["Location"], follow=True).content.decode()
    assert "You were screened out" in page
    assert "You answered 50% of the qualification" in page
    ways = re.findall(r'<li( class="\w+"| aria-current="step")?>\s*<span>(\w+)', page)
    assert ways == [
        (' class="done"', "Consent"), (' class="done"', "Training"), (' class="stopped"', "Qualification"),
        (' aria-current="step"', "Code"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("codes", "where"), [(("a b", ""), "completion_code"), (("", "<i>"), "screen_out_code"), (("A", "a"), "screen_out")]
)
def test_codes_that_no_site_could_tell_apart_open_nothing(study, codes, where):
    with pytest.raises(UserError) as refused:
        crowd.recruitment_link(study, codes=codes)
    assert refused.value.where.startswith(where)


def test_erasing_somebody_leaves_the_code_of_the_others(study):
    recruitment_link = crowd.recruitment_link(study, codes=("DONE-1234", ""))
    client, answer = enter(recruitment_link)
    agree(client, answer)
    write(client, recruitment_link.campaign, "I must see it.")
    client.post(answer["Location"] + "finish/")
    said = Review.objects.create(
        answer=Answer.objects.get(), verdict="accepted", reviewer=make.person("reviewer"), comment="DONE-1234 it is."
    )
    erase_person(person=CrowdParticipant.objects.get().person, by=None)
    said.refresh_from_db()
    assert said.comment == "DONE-1234 it is."
    assert CrowdParticipant.objects.get().code == ""


def test_one_id_is_one_person_in_the_whole_study(study):
    recruitment_link = crowd.recruitment_link(study)
    client, answer = enter(recruitment_link)
    again = open_recruitment_link(campaign=recruitment_link.campaign, site="prolific", consent="Another text.", by=None)
    assert enter(again, client=client)[1]["Location"] == answer["Location"]
    assert enter(again)[1].status_code == 409
    expert = make.campaign(study, name="Expert work")
    second = open_recruitment_link(campaign=expert, site="prolific", consent="For experts.", by=None)
    assert enter(second)[1].status_code == 409
    assert enter(second, client=client)[1].status_code == 302
    assert CrowdParticipant.objects.count() == 2
    assert CrowdParticipant.objects.values("person").distinct().count() == 1


def test_codes_do_not_tell_of_each_other():
    codes = {new_code() for _ in range(1000)}
    assert len(codes) == 1000
    assert len({code[:2] for code in codes}) > 300  # of 900: nothing stands in front


def test_erasing_takes_the_ids_the_code_and_the_session(study):
    recruitment_link = crowd.recruitment_link(study)
    client, answer = enter(recruitment_link)
    agree(client, answer)
    write(client, recruitment_link.campaign, "I must see it.")
    client.post(answer["Location"] + "finish/")
    participant = CrowdParticipant.objects.get()
    review = Review.objects.create(
        answer=Answer.objects.get(), verdict="accepted", reviewer=make.person("reviewer"),
        comment=f"See {PID}, code {participant.code}.",
    )  # fmt: skip
    erase_person(person=participant.person, by=None)
    participant.refresh_from_db()
    review.refresh_from_db()
    assert (participant.external_id, participant.session_id, participant.browser, participant.code) == ("", "", "", "")
    assert review.comment == "See [erased], code [erased]."
    assert client.get(answer["Location"]).status_code == 302
    assert Answer.objects.get().content == {"text": "I must see it."}
    assert enter(recruitment_link, client=client)[1]["Location"] != answer["Location"]  # the id is a stranger's now


def test_the_link_holds_the_placeholders_of_the_site(study):
    recruitment_link = crowd.recruitment_link(study)
    lead = make.person("researcher", study)
    client = Client()
    client.force_login(lead)
    page = client.get(reverse("campaign_entrances", args=[study.slug, recruitment_link.campaign.slug])).content.decode()
    assert "PROLIFIC_PID={{%PROLIFIC_PID%}}&amp;STUDY_ID={{%STUDY_ID%}}&amp;SESSION_ID={{%SESSION_ID%}}" in page
    shown = re.search(r"http://testserver(/enter/[^?]+/)\?", page)[1]
    assert parse_qs(urlsplit(shown).query) == {}
    assert Client().get(shown, {"PROLIFIC_PID": PID}).status_code == 302
    assert len(recruitment_link.secret) >= 43


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"consent": " "}, "This has to be given: consent"),
        ({"site": "elsewhere"}, "site: Expected one of prolific, mturk, other"),
        ({"consent": "x" * 20_001}, "at most"),
    ],
)
def test_what_an_entrance_must_have(study, options, words):
    given = {"site": "other", "consent": "Agree?", **options}
    with pytest.raises(UserError, match=words):
        open_recruitment_link(campaign=make.campaign(study), by=None, **given)


def test_an_entrance_leads_to_work_that_is_for_the_crowd(study):
    for campaign in (make.campaign(study, roles=["reviewer"]), crowd.preparation(study, "training")):
        with pytest.raises(UserError):
            open_recruitment_link(campaign=campaign, site="other", consent="Agree?", by=None)
    with pytest.raises(UserError, match="training must be"):
        open_recruitment_link(
            campaign=make.campaign(study), site="other", consent="Agree?", training=make.campaign(study), by=None
        )


@pytest.mark.parametrize("words", ["Expected {}.", "Mine {}."])
def test_after_the_last_item_of_the_training_one_goes_on_to_the_qualification(study, words):
    recruitment_link = crowd.recruitment_link(study, training=True, tries=1)
    client, answer = enter(recruitment_link)
    agree(client, answer)
    training = study.campaigns.get(slug="the-training")
    first, last = (write(client, training, words.format(number)).content.decode() for number in (1, 2))
    assert "Next item" in first
    assert "Next item" not in last
    assert "Continue" in last
    assert "Expected 2." in last

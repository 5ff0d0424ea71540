import pytest
from django.core.exceptions import PermissionDenied

from accounts.actions.accept_invitation import accept_invitation
from accounts.models import AccessLink, Person
from accounts.permissions import Role
from corpora.actions.invite_member import invite_member
from corpora.actions.invite_members import invite_members
from corpora.actions.remove_member import remove_member
from corpora.actions.set_member_role import set_member_role
from corpora.models import Membership, Study
from foundation.errors import UserError

PASSWORD = "seven-Wet-otters"


@pytest.fixture
def study(db):
    return Study.objects.create(slug="mail", title="Mail", styles=["informal", "formal"])


@pytest.fixture
def member(study):
    """`member(role)`: somebody with this role in the study (and on the site, unless `site` says another)."""

    def make(role, *, site=None):
        person = Person.objects.create_user(f"{role}{Person.objects.count()}@example.org", PASSWORD, role=site or role)
        Membership.objects.create(study=study, person=person, role=role)
        return person

    return make


@pytest.fixture
def lead(member):
    return member(Role.RESEARCHER)


def test_a_person_of_the_site_joins_at_once(client, study, lead):
    person = Person.objects.create_user("ada@example.org", PASSWORD, role=Role.CROWD_ANNOTATOR)
    client.force_login(lead)
    page = client.post("/studies/mail/members/", {"email": "ADA@example.org", "role": "reviewer"})
    assert page.status_code == 200
    assert study.memberships.get(person=person).role == "reviewer"
    assert not AccessLink.objects.exists()
    person.refresh_from_db()
    assert person.role == "crowd_annotator", "the role on the site is another matter"
    again = client.post("/studies/mail/members/", {"email": "ada@example.org", "role": "reviewer"})
    assert again.status_code == 422


def test_somebody_new_gets_a_link_and_accepting_it_makes_the_membership(client, study, lead):
    client.force_login(lead)
    page = client.post("/studies/mail/members/", {"email": "new@example.org", "role": "expert_annotator"})
    path = page.content.decode().split("http://testserver")[1].split("<")[0]
    assert "new@example.org" in client.get("/studies/mail/members/").content.decode()
    client.logout()
    client.post(path, {"name": "Ada", "password": PASSWORD})
    person = Person.objects.get(email="new@example.org")
    assert person.role == "expert_annotator"
    assert study.memberships.get(person=person).role == "expert_annotator"


def test_a_researcher_of_the_study_gives_no_more_on_the_site_than_they_have(study, member):
    annotator = member(Role.RESEARCHER, site=Role.EXPERT_ANNOTATOR)
    invited = invite_member(study=study, email="new@example.org", role=Role.RESEARCHER, by=annotator)
    person = accept_invitation(secret=invited.secret, name="Ada", password=PASSWORD)
    assert person.role == "expert_annotator"
    assert study.role_of(person) == "researcher"


@pytest.mark.parametrize(
    ("own", "given", "kind", "said"),
    [("researcher", "admin", UserError, "above your own"), ("reviewer", "researcher", PermissionDenied, "members")],
)
def test_nobody_gives_a_role_above_their_own(study, member, own, given, kind, said):
    with pytest.raises(kind, match=said):
        invite_member(study=study, email="new@example.org", role=given, by=member(own))
    with pytest.raises(kind, match=said):
        set_member_role(membership=study.memberships.get(), role=given, by=Person.objects.get())
    assert not AccessLink.objects.exists()


def test_an_admin_gives_no_admin_in_a_study_and_makes_none_on_the_site(study):
    admin = Person.objects.create_user("admin@example.org", PASSWORD, role=Role.ADMIN)
    with pytest.raises(UserError):
        invite_member(study=study, email="new@example.org", role=Role.ADMIN, by=admin)
    invited = invite_member(study=study, email="new@example.org", role=Role.RESEARCHER, by=admin)
    assert invited.link.role == "researcher"


def test_an_invitation_is_accepted_with_the_account_that_came_meanwhile(client, study, lead):
    invited = invite_member(study=study, email="new@example.org", role=Role.REVIEWER, by=lead)
    person = Person.objects.create_user("new@example.org", PASSWORD, role=Role.CROWD_ANNOTATOR)
    path = f"/join/{invited.secret}/"
    assert "Sign in as new@example.org" in client.get(path).content.decode()
    client.force_login(lead)
    client.post(path)
    assert study.memberships.count() == 1, "it is not for whoever holds the link"
    client.force_login(person)
    client.post(path)
    assert study.role_of(person) == "reviewer"
    assert client.get(path).status_code == 410


def test_a_withdrawn_invitation_is_worthless(client, study, lead):
    invited = invite_member(study=study, email="new@example.org", role=Role.REVIEWER, by=lead)
    client.force_login(lead)
    client.post(f"/studies/mail/members/invitations/{study.invitations.get().pk}/withdraw/")
    assert client.get(f"/join/{invited.secret}/").status_code == 410


def test_an_invitation_of_another_study_is_out_of_reach(client, study, lead):
    other = Study.objects.create(slug="other", title="Other", styles=["a", "b"])
    admin = Person.objects.create_user("admin@example.org", PASSWORD, role=Role.ADMIN)
    invite_member(study=other, email="new@example.org", role=Role.REVIEWER, by=admin)
    client.force_login(lead)
    pk = other.invitations.get().pk
    assert client.post(f"/studies/mail/members/invitations/{pk}/withdraw/").status_code == 404
    assert client.delete(f"/api/studies/mail/invitations/{pk}/").status_code == 404


def test_the_last_researcher_stays_unless_another_person_is_an_admin_and_says_so(study, lead):
    own = study.memberships.get(person=lead)
    with pytest.raises(UserError, match="last researcher"):
        remove_member(membership=own, by=lead)
    with pytest.raises(UserError, match="last researcher"):
        set_member_role(membership=own, role=Role.REVIEWER, by=lead)
    admin = Person.objects.create_user("admin@example.org", PASSWORD, role=Role.ADMIN)
    remove_member(membership=own, by=admin)
    assert not study.memberships.exists()
    theirs = study.memberships.create(person=admin, role=Role.RESEARCHER)
    with pytest.raises(UserError, match="last researcher"):
        remove_member(membership=theirs, by=admin)
    with pytest.raises(UserError, match="last researcher"):
        set_member_role(membership=theirs, role=Role.REVIEWER, by=admin)


def test_the_page_changes_roles_and_removes(client, study, lead, member):
    member(Role.REVIEWER)
    other = study.memberships.exclude(person=lead).get()
    client.force_login(lead)
    client.post(f"/studies/mail/members/{other.pk}/role/", {"role": "expert_annotator"})
    other.refresh_from_db()
    assert other.role == "expert_annotator"
    client.post(f"/studies/mail/members/{other.pk}/role/", {"role": "king"})
    other.refresh_from_db()
    assert other.role == "expert_annotator"
    client.post(f"/studies/mail/members/{other.pk}/remove/")
    assert study.memberships.count() == 1


def test_the_api_does_the_same(client, study, lead):
    Person.objects.create_user("ada@example.org", PASSWORD, role=Role.CROWD_ANNOTATOR)
    client.force_login(lead)
    base = "/api/studies/mail/"
    made = client.post(f"{base}members/", {"email": "ada@example.org", "role": "reviewer"}).json()
    assert (made["member"]["email"], made["link"]) == ("ada@example.org", None)
    new = client.post(f"{base}members/", {"email": "new@example.org", "role": "reviewer"}).json()
    assert "/join/" in new["link"]["url"]
    assert client.get(f"{base}members/").json()["count"] == 2
    assert client.get(f"{base}invitations/").json()["results"][0]["email"] == "new@example.org"
    pk = made["member"]["id"]
    changed = client.patch(f"{base}members/{pk}/", {"role": "expert_annotator"}, content_type="application/json")
    assert changed.json()["role"] == "expert_annotator"
    assert client.delete(f"{base}members/{pk}/").status_code == 204
    own = study.memberships.get().pk
    answer = client.delete(f"{base}members/{own}/")
    assert answer.status_code == 400
    assert "last researcher" in answer.json()["detail"]


def test_many_are_invited_at_once_and_each_line_says_what_became_of_it(client, study, lead, member):
    known = Person.objects.create_user("known@example.org", PASSWORD)
    there = member(Role.REVIEWER)
    client.force_login(lead)
    given = f"new@example.org, Ann Lee <ann@example.org>\nknown@example.org no-address; {there.email}\nNEW@example.org"
    answer = client.post("/studies/mail/members/", {"email": given, "role": "expert_annotator"})
    page = answer.content.decode()
    assert answer.status_code == 200
    assert page.count("/join/") == 2
    assert page.count("This is not an e-mail address.") == 1
    assert "This person is a member already." in page
    assert study.role_of(known) == "expert_annotator"
    assert set(study.invitations.values_list("link__email", flat=True)) == {"new@example.org", "ann@example.org"}
    left = page.split("<textarea")[1].split("</textarea>")[0]
    assert "no-address" in left
    assert there.email in left
    assert "new@example.org" not in left


@pytest.mark.parametrize("given", [" , ;", "\n".join(f"p{n}@example.org" for n in range(201)), "a" * 30_000])
def test_none_are_invited_where_there_are_too_many_or_none(client, study, lead, given):
    client.force_login(lead)
    answer = client.post("/studies/mail/members/", {"email": given, "role": "expert_annotator"})
    assert answer.status_code == 422
    assert not AccessLink.objects.exists()


def test_many_get_no_role_above_ones_own(study, member):
    with pytest.raises(UserError, match="above your own"):
        invite_members(study=study, emails=["a@example.org"], role=Role.RESEARCHER, by=member(Role.REVIEWER))
    assert not AccessLink.objects.exists()

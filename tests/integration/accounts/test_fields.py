"""What page, API and action take of a person, an invitation, a token or a credential is the same."""

import pytest
from django.urls import reverse

from accounts.models import AccessLink, Credential
from foundation.errors import UserError


@pytest.fixture
def by_admin(client, admin):
    client.force_login(admin)
    return client


def test_a_credential_is_called_the_same_by_page_and_api(by_admin, make_person):
    """The API refused a name that the page made a short one of."""
    one, other = make_person(), make_person()
    by_admin.post(reverse("person_credential", args=[one.pk]), {"name": "MIMIC III", "evidence": " Seen. "})
    told = by_admin.post(
        reverse("api:person-credentials", args=[other.pk]), {"name": "MIMIC III", "evidence": " Seen. "},
        content_type="application/json",
    )  # fmt: skip
    assert told.status_code == 200, told.content
    kept = set(Credential.objects.values_list("name", "evidence", "expires_on"))
    assert kept == {("mimic-iii", "Seen.", None)}
    assert Credential.objects.count() == 2


def test_evidence_has_one_bound(by_admin, make_person):
    """The API took evidence of any length, which the page could never have written."""
    told = by_admin.post(
        reverse("api:person-credentials", args=[make_person().pk]), {"name": "md", "evidence": "x" * 2001},
        content_type="application/json",
    )  # fmt: skip
    assert told.status_code == 400
    assert "evidence" in told.json()["fields"]


def test_nobody_loses_their_name_by_the_api(by_admin, admin):
    told = by_admin.patch(reverse("api:me"), {"name": " "}, content_type="application/json")
    assert told.status_code == 400
    told = by_admin.patch(reverse("api:me"), {"name": " Ada "}, content_type="application/json")
    admin.refresh_from_db()
    assert told.json()["name"] == admin.name == "Ada"


@pytest.mark.parametrize("email", ["admin@example.org", "no address"])
def test_a_refused_invitation_is_said_beside_its_field(by_admin, email):
    page = by_admin.post(reverse("people_invite"), {"email": email, "role": "reviewer"})
    assert page.status_code == 422
    assert list(page.context["form"].errors) == ["email"]
    told = by_admin.post(
        reverse("api:invitation-list"), {"email": email, "role": "reviewer"}, content_type="application/json"
    )
    assert (told.status_code, told.json()["detail"].partition(":")[0]) == (400, "email")
    assert not AccessLink.objects.exists()


def test_actions_hold_to_the_same_without_a_door(admin):
    from accounts.actions.change_role import change_role
    from accounts.actions.make_token import make_token

    for name, scopes, days, where in (
        ("", ["read"], 1, "name"),
        ("x", ["fly"], 1, "scopes"),
        ("x", ["read"], 0, "days"),
    ):
        with pytest.raises(UserError) as refused:
            make_token(person=admin, name=name, scopes=scopes, days=days)
        assert refused.value.where == where
    with pytest.raises(UserError) as refused:
        change_role(person=admin, role="boss")
    assert refused.value.where == "role"


def test_the_credentials_of_a_person_are_listed(by_admin, make_person):
    assert by_admin.get(reverse("api:person-credentials", args=[make_person().pk])).json() == []

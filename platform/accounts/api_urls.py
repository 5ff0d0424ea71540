from typing import Any

from django.urls import path

from accounts.api.audit_log import AuditLog
from accounts.api.invitations import AcceptInvitation, InvitationViewSet
from accounts.api.people import Me, PersonViewSet
from accounts.api.table_views import OwnTableView
from accounts.api.tokens import TokenViewSet

PERSON = "people/<int:pk>"
CREDENTIALS = PersonViewSet.as_view({"get": "credentials", "post": "verify"}, pagination_class=None)


def _post(action: str) -> Any:
    return PersonViewSet.as_view({"post": action})


urlpatterns = [
    path("me/", Me.as_view(), name="me"),
    path("me/accept-invitation/", AcceptInvitation.as_view(), name="me-accept"),
    path("me/tables/<slug:name>/", OwnTableView.as_view(), name="me-table"),
    path("people/", PersonViewSet.as_view({"get": "list"}), name="person-list"),
    path(f"{PERSON}/", PersonViewSet.as_view({"get": "retrieve"}), name="person-detail"),
    path(f"{PERSON}/role/", _post("role"), name="person-role"),
    path(f"{PERSON}/deactivate/", _post("deactivate"), name="person-deactivate"),
    path(f"{PERSON}/reactivate/", _post("reactivate"), name="person-reactivate"),
    path(f"{PERSON}/second-step/", _post("second_step"), name="person-second-step"),
    path(f"{PERSON}/reset-link/", _post("reset_link"), name="person-reset-link"),
    path(f"{PERSON}/erase/", _post("erase"), name="person-erase"),
    path(f"{PERSON}/credentials/", CREDENTIALS, name="person-credentials"),
    path(
        f"{PERSON}/credentials/<slug:name>/",
        PersonViewSet.as_view({"delete": "drop_credential"}),
        name="person-credential",
    ),
    path("trail/", AuditLog.as_view(), name="trail"),
    path("studies/<slug:study>/trail/", AuditLog.as_view(), name="study-trail"),
    path("invitations/", InvitationViewSet.as_view({"get": "list", "post": "create"}), name="invitation-list"),
    path("invitations/<int:pk>/", InvitationViewSet.as_view({"delete": "destroy"}), name="invitation-detail"),
    path("tokens/", TokenViewSet.as_view({"get": "list", "post": "create"}), name="token-list"),
    path("tokens/<int:pk>/", TokenViewSet.as_view({"delete": "destroy"}), name="token-detail"),
]

from django.urls import path

from corpora.api_members import MemberViewSet, StudyInvitationViewSet

MEMBERS = "studies/<slug:study>/members/"
INVITATIONS = "studies/<slug:study>/invitations/"

urlpatterns = [
    path(MEMBERS, MemberViewSet.as_view({"get": "list", "post": "create"}), name="member-list"),
    path(
        f"{MEMBERS}<int:pk>/", MemberViewSet.as_view({"patch": "update", "delete": "destroy"}), name="member-detail"
    ),
    path(INVITATIONS, StudyInvitationViewSet.as_view({"get": "list"}), name="study-invitation-list"),
    path(
        f"{INVITATIONS}<int:pk>/", StudyInvitationViewSet.as_view({"delete": "destroy"}),
        name="study-invitation-detail",
    ),
]  # fmt: skip

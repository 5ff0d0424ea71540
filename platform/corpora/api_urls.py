from django.urls import path

from corpora.api_members import MemberViewSet, StudyInvitationViewSet
from corpora.api_studies import DirectionList, StudyDetail, StudyList
from corpora.api_systems import OutputList, SystemDetail, SystemList
from corpora.api_texts import ReferenceDetail, ReferenceList, SentenceList

STUDY = "studies/<slug:study>/"
MEMBERS = "studies/<slug:study>/members/"
INVITATIONS = "studies/<slug:study>/invitations/"

urlpatterns = [
    path("studies/", StudyList.as_view(), name="study-list"),
    path(STUDY, StudyDetail.as_view(), name="study-detail"),
    path(f"{STUDY}directions/", DirectionList.as_view(), name="direction-list"),
    path(f"{STUDY}sentences/", SentenceList.as_view(), name="sentence-list"),
    path(f"{STUDY}references/", ReferenceList.as_view(), name="reference-list"),
    path(f"{STUDY}references/<int:pk>/", ReferenceDetail.as_view(), name="reference-detail"),
    path(f"{STUDY}systems/", SystemList.as_view(), name="system-list"),
    path(f"{STUDY}systems/<int:pk>/", SystemDetail.as_view(), name="system-detail"),
    path(f"{STUDY}systems/<int:pk>/outputs/", OutputList.as_view(), name="output-list"),
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

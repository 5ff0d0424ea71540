from django.urls import path

from corpora.api.concepts import ConceptList
from corpora.api.documents import DocumentDetail, DocumentList, QuestionList
from corpora.api.groups import GroupList, GroupSample, LinkedReferences, LinkList, SectionList, SectionSuggestion
from corpora.api.members import MemberViewSet, StudyInvitationViewSet
from corpora.api.source_selection import FlagList, SelectionList, SplitList
from corpora.api.studies import DirectionList, StudyDetail, StudyList, StudyTerms
from corpora.api.systems import OutputList, SystemDetail, SystemList
from corpora.api.tables import TableImport
from corpora.api.texts import ReferenceDetail, ReferenceList, SentenceList
from corpora.api.trash import (
    DirectionDetail,
    RemovalList,
    RemovedStudies,
    SourceRemoval,
    UndoRemoval,
    UndoStudy,
)

STUDY = "studies/<slug:study>/"
MEMBERS = "studies/<slug:study>/members/"
INVITATIONS = "studies/<slug:study>/invitations/"

urlpatterns = [
    path("studies/", StudyList.as_view(), name="study-list"),
    path(STUDY, StudyDetail.as_view(), name="study-detail"),
    path(f"{STUDY}directions/", DirectionList.as_view(), name="direction-list"),
    path(f"{STUDY}terms/", StudyTerms.as_view(), name="study-terms"),
    path(f"{STUDY}removed/", RemovalList.as_view(), name="removal-list"),
    path(f"{STUDY}removed/<int:pk>/undo/", UndoRemoval.as_view(), name="removal-undo"),
    path("removed-studies/", RemovedStudies.as_view(), name="removed-study-list"),
    path("removed-studies/<int:pk>/undo/", UndoStudy.as_view(), name="removed-study-undo"),
    path(f"{STUDY}directions/<int:number>/", DirectionDetail.as_view(), name="direction-detail"),
    path(f"{STUDY}sentences/removal/", SourceRemoval.as_view(), name="source-removal"),
    path(f"{STUDY}sections/suggest/", SectionSuggestion.as_view(), name="section-suggest"),
    path(f"{STUDY}sentences/", SentenceList.as_view(), name="sentence-list"),
    path(f"{STUDY}import/", TableImport.as_view(), name="table-import"),
    path(f"{STUDY}documents/", DocumentList.as_view(), name="document-list"),
    path(f"{STUDY}documents/<int:pk>/", DocumentDetail.as_view(), name="document-detail"),
    path(f"{STUDY}questions/", QuestionList.as_view(), name="question-list"),
    path(f"{STUDY}flags/", FlagList.as_view(), name="flag-list"),
    path(f"{STUDY}sections/", SectionList.as_view(), name="section-list"),
    path(f"{STUDY}links/", LinkList.as_view(), name="link-list"),
    path(f"{STUDY}links/references/", LinkedReferences.as_view(), name="linked-references"),
    path(f"{STUDY}groups/", GroupList.as_view(), name="group-list"),
    path(f"{STUDY}groups/sample/", GroupSample.as_view(), name="group-sample"),
    path(f"{STUDY}selections/", SelectionList.as_view(), name="selection-list"),
    path(f"{STUDY}splits/", SplitList.as_view(), name="split-list"),
    path(f"{STUDY}concepts/", ConceptList.as_view(), name="concept-list"),
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

from django.urls import path

from corpora.views import (
    concepts,
    documents,
    flags,
    groups,
    members,
    source_selection,
    studies,
    systems,
    tables,
    texts,
    trash,  # fmt: skip
)

MEMBERS = "studies/<slug:study>/members/"

TEXTS = "studies/<slug:study>/texts/"
SYSTEMS = "studies/<slug:study>/systems/"

urlpatterns = [
    path("studies/new/", studies.study_new, name="study_new"),
    path("studies/<slug:study>/edit/", studies.study_edit, name="study_edit"),
    path("studies/<slug:study>/terms/", studies.study_terms, name="study_terms"),
    path(f"{TEXTS}import/", tables.table_new, name="table_new"),
    path(f"{TEXTS}import/<int:upload>/", tables.table, name="table"),
    path(TEXTS, texts.study_texts, name="study_texts"),
    path(f"{TEXTS}new/", texts.direction_new, name="direction_new"),
    path(f"{TEXTS}<int:direction>/sources/", tables.old_way, name="sources_new"),
    path(f"{TEXTS}<int:direction>/references/", tables.old_way, name="references_new"),
    path(f"{TEXTS}references/<int:references>/remove/", texts.references_remove, name="references_remove"),
    path(f"{TEXTS}<int:direction>/remove/", trash.direction_remove, name="direction_remove"),
    path(f"{TEXTS}<int:direction>/sources/remove/", trash.sources_remove, name="sources_remove"),
    path(f"{TEXTS}documents/<int:document>/remove/", trash.document_remove, name="document_remove"),
    path("studies/<slug:study>/removed/", trash.study_removed, name="study_removed"),
    path("studies/<slug:study>/removed/<int:removal>/undo/", trash.removal_undo, name="removal_undo"),
    path("removed/", trash.removed_studies, name="removed_studies"),
    path("removed/<int:removal>/undo/", trash.study_undo, name="study_undo"),
    path(f"{TEXTS}documents/", documents.study_documents, name="study_documents"),
    path(f"{TEXTS}documents/new/", documents.documents_new, name="documents_new"),
    path(f"{TEXTS}documents/<int:document>/", documents.document, name="document"),
    path(f"{TEXTS}questions/", documents.study_questions, name="study_questions"),
    path(f"{TEXTS}flags/", flags.study_flags, name="study_flags"),
    path(f"{TEXTS}flags/decide/", flags.flags_decide, name="flags_decide"),
    path(f"{TEXTS}sections/", groups.study_sections, name="study_sections"),
    path(f"{TEXTS}groups/", groups.study_groups, name="study_groups"),
    path(f"{TEXTS}groups/link/", groups.documents_link, name="documents_link"),
    path(f"{TEXTS}groups/references/", groups.linked_references, name="linked_references"),
    path(f"{TEXTS}groups/make/", groups.groups_make, name="groups_make"),
    path(f"{TEXTS}groups/sample/", groups.groups_sample, name="groups_sample"),
    path(f"{TEXTS}select/", source_selection.sources_select, name="sources_select"),
    path(f"{TEXTS}splits/", source_selection.study_splits, name="study_splits"),
    path(f"{TEXTS}concepts/", concepts.study_concepts, name="study_concepts"),
    path(f"{TEXTS}concepts/link/", concepts.concepts_link, name="concepts_link"),
    path(SYSTEMS, systems.study_systems, name="study_systems"),
    path(f"{SYSTEMS}new/", tables.old_way, name="system_new"),
    path(f"{SYSTEMS}<int:system>/", systems.system, name="system"),
    path(f"{SYSTEMS}<int:system>/remove/", systems.system_remove, name="system_remove"),
    path(MEMBERS, members.study_members, name="study_members"),
    path(f"{MEMBERS}<int:member>/role/", members.study_member_role, name="study_member_role"),
    path(f"{MEMBERS}<int:member>/remove/", members.study_member_remove, name="study_member_remove"),
    path(
        f"{MEMBERS}invitations/<int:invitation>/withdraw/",
        members.study_invitation_withdraw,
        name="study_invitation_withdraw",
    ),
]

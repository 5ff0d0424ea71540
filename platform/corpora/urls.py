from django.urls import path

from corpora.views import members, studies, systems, texts

MEMBERS = "studies/<slug:study>/members/"

TEXTS = "studies/<slug:study>/texts/"
SYSTEMS = "studies/<slug:study>/systems/"

urlpatterns = [
    path("studies/new/", studies.study_new, name="study_new"),
    path("studies/<slug:study>/edit/", studies.study_edit, name="study_edit"),
    path(TEXTS, texts.study_texts, name="study_texts"),
    path(f"{TEXTS}new/", texts.direction_new, name="direction_new"),
    path(f"{TEXTS}<int:direction>/sources/", texts.sources_new, name="sources_new"),
    path(f"{TEXTS}<int:direction>/references/", texts.references_new, name="references_new"),
    path(f"{TEXTS}references/<int:references>/remove/", texts.references_remove, name="references_remove"),
    path(SYSTEMS, systems.study_systems, name="study_systems"),
    path(f"{SYSTEMS}new/", systems.system_new, name="system_new"),
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

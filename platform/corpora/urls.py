from django.urls import path

from corpora.views import members

MEMBERS = "studies/<slug:study>/members/"

urlpatterns = [
    path(MEMBERS, members.study_members, name="study_members"),
    path(f"{MEMBERS}<int:member>/role/", members.study_member_role, name="study_member_role"),
    path(f"{MEMBERS}<int:member>/remove/", members.study_member_remove, name="study_member_remove"),
    path(
        f"{MEMBERS}invitations/<int:invitation>/withdraw/",
        members.study_invitation_withdraw,
        name="study_invitation_withdraw",
    ),
]

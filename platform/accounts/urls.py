from django.urls import path

from accounts.views import audit_log, language, links, own, people

urlpatterns = [
    path("people/", people.people, name="people"),
    path("people/invite/", people.people_invite, name="people_invite"),
    path("people/invitations/<int:link>/withdraw/", people.people_withdraw, name="people_withdraw"),
    path("people/<int:person>/", people.person, name="person"),
    path("people/<int:person>/role/", people.person_role, name="person_role"),
    path("people/<int:person>/deactivate/", people.person_deactivate, name="person_deactivate"),
    path("people/<int:person>/reactivate/", people.person_reactivate, name="person_reactivate"),
    path("people/<int:person>/second-step/", people.person_second_step, name="person_second_step"),
    path("people/<int:person>/reset-link/", people.person_reset_link, name="person_reset_link"),
    path("people/<int:person>/erase/", people.person_erase, name="person_erase"),
    path("people/<int:person>/credentials/", people.person_credential, name="person_credential"),
    path("trail/", audit_log.trail, name="trail"),
    path("studies/<slug:study>/trail/", audit_log.study_trail, name="study_trail"),
    path("join/<str:secret>/", links.join, name="join"),
    path("reset/<str:secret>/", links.reset, name="reset"),
    path("account/", own.account_settings, name="account_settings"),
    path("account/profile/", own.account_profile, name="account_profile"),
    path("language/", language.language, name="language"),
    path("tokens/", own.tokens, name="tokens"),
    path("tokens/<int:token>/revoke/", own.token_revoke, name="token_revoke"),
]

from django.urls import path

from integrations.publishing import api

urlpatterns = [
    path("studies/<slug:study>/publications/", api.Publications.as_view(), name="publication-list"),
    path("studies/<slug:study>/publications/pull/", api.Pull.as_view(), name="publication-pull"),
]

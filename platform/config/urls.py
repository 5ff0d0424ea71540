"""Every address of the site. Each room lists its own; `accounts/permissions.py` says who may use them."""

from django.urls import include, path

urlpatterns = [
    path("accounts/", include("allauth.urls")),
]

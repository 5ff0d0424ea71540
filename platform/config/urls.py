"""Every address of the site. Each room lists its own; `accounts/routes.py` says who may use them."""

from django.conf import settings
from django.urls import include, path
from django.views.generic import TemplateView

ROOMS = ["accounts", "jobs", "corpora", "annotation", "modelserving", "evaluation"]

api = [path("", include("config.api_urls")), *[path("", include(f"{room}.api_urls")) for room in ROOMS]]

urlpatterns = [
    path("", include("config.home_urls")),
    path("accounts/", include("allauth.urls")),
    *[path("", include(f"{room}.urls")) for room in ROOMS],
    path("", include("studies.urls")),
    path("api/", include((api, "api"))),
]

if settings.DEBUG:
    urlpatterns.append(path("look/", TemplateView.as_view(template_name="parts/gallery.html"), name="look"))

handler400 = "config.pages.errors.bad_request"
handler403 = "config.pages.errors.forbidden"
handler404 = "config.pages.errors.not_found"
handler500 = "config.pages.errors.server_error"

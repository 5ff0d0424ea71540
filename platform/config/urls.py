"""Every address of the site. Each room lists its own; `accounts/permissions/routes.py` says who may use them."""

from django.conf import settings
from django.urls import include, path
from django.views.generic import TemplateView

from config.pages import audit_log_file, home, palette
from config.pages.api_schema import SchemaView, study_file_schema
from config.pages.llms import llms
from health import views as health
from health.prometheus import metrics
from notifications.api import Notifications
from notifications.views import notifications
from studies.views import study_begin
from study_file.views import study_apply, study_export

# Those with pages and endpoints.
INTEGRATIONS = ["integrations.publishing", "integrations.webhooks", "integrations.recruiting"]
ROOMS = ["accounts", "jobs", "corpora", "annotation", "modelserving", "evaluation"]

api = [
    path("", include("config.api_urls")),
    path("me/notifications/", Notifications.as_view(), name="me-notifications"),
    *[path("", include(f"{room}.api_urls")) for room in [*ROOMS, "integrations.events", *INTEGRATIONS]],
]

site = [
    path("", home.home, name="home"),
    path("go/", palette.palette, name="palette"),
    path("demo/reset/", home.demo_reset, name="demo_reset"),
    path("studies/new/file/", study_apply, name="study_apply"),
    path("studies/<slug:study>/export/", study_export, name="study_export"),
    path("llms.txt", llms, name="llms"),
    path("study-file.schema.json", study_file_schema, name="study_file_schema"),
    path("studies/new/template/", study_begin, name="study_begin"),
    path("health/", health.health, name="health"),
    path("health/live", health.live, name="health_live"),
    path("health/ready", health.ready, name="health_ready"),
    path("health/status", health.whole, name="health_status"),
    path("metrics", metrics, name="metrics"),
    path("trail/file/", audit_log_file.trail_file, name="trail_file"),
    path("studies/<slug:study>/trail/file/", audit_log_file.study_trail_file, name="study_trail_file"),
    path("account/notifications/", notifications, name="notifications"),
    path("docs/api/", home.api_page, name="api_page"),
    path("api/schema/", SchemaView.as_view(), name="api_schema"),
]

urlpatterns = [
    *site,
    path("accounts/", include("allauth.urls")),
    *[path("", include(f"{room}.urls")) for room in [*ROOMS, *INTEGRATIONS, "integrations.prolific"]],
    path("", include("studies.urls")),
    path("api/", include((api, "api"))),
]

if settings.DEBUG:
    urlpatterns.append(path("look/", TemplateView.as_view(template_name="parts/gallery.html"), name="look"))

handler400 = "config.pages.error_pages.bad_request"
handler403 = "config.pages.error_pages.forbidden"
handler404 = "config.pages.error_pages.not_found"
handler500 = "config.pages.error_pages.server_error"

from django.urls import path
from drf_spectacular.views import SpectacularAPIView

from config.pages import audit_log_file, home
from health import views as health
from health.prometheus import metrics
from studies.views import study

urlpatterns = [
    path("", home.home, name="home"),
    path("studies/new/file/", study.study_apply, name="study_apply"),
    path("studies/new/template/", study.study_begin, name="study_begin"),
    path("health/", health.health, name="health"),
    path("health/live", health.live, name="health_live"),
    path("health/ready", health.ready, name="health_ready"),
    path("metrics", metrics, name="metrics"),
    path("trail/file/", audit_log_file.trail_file, name="trail_file"),
    path("docs/api/", home.api_page, name="api_page"),
    path("api/schema/", SpectacularAPIView.as_view(), name="api_schema"),
]

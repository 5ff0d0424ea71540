from django.urls import path
from drf_spectacular.views import SpectacularAPIView

from config import study_views, trail_views, views
from config.health import views as health
from config.health.metrics import metrics

urlpatterns = [
    path("", views.home, name="home"),
    path("studies/new/file/", study_views.study_apply, name="study_apply"),
    path("studies/new/template/", study_views.study_begin, name="study_begin"),
    path("health/", health.health, name="health"),
    path("health/live", health.live, name="health_live"),
    path("health/ready", health.ready, name="health_ready"),
    path("metrics", metrics, name="metrics"),
    path("trail/file/", trail_views.trail_file, name="trail_file"),
    path("docs/api/", views.api_page, name="api_page"),
    path("api/schema/", SpectacularAPIView.as_view(), name="api_schema"),
]

from django.urls import path
from drf_spectacular.views import SpectacularAPIView

from config import study_views, views

urlpatterns = [
    path("", views.home, name="home"),
    path("studies/new/file/", study_views.study_apply, name="study_apply"),
    path("studies/new/template/", study_views.study_begin, name="study_begin"),
    path("docs/api/", views.api_page, name="api_page"),
    path("api/schema/", SpectacularAPIView.as_view(), name="api_schema"),
]

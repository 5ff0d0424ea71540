from django.urls import path
from drf_spectacular.views import SpectacularAPIView

from config import views

urlpatterns = [
    path("", views.home, name="home"),
    path("docs/api/", views.api_page, name="api_page"),
    path("api/schema/", SpectacularAPIView.as_view(), name="api_schema"),
]

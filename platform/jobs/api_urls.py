from django.urls import path

from jobs.api import JobViewSet

JOBS = "studies/<slug:study>/jobs/"

urlpatterns = [
    path(JOBS, JobViewSet.as_view({"get": "list"}), name="job-list"),
    path(f"{JOBS}<int:pk>/", JobViewSet.as_view({"get": "retrieve"}), name="job-detail"),
    path(f"{JOBS}<int:pk>/cancel/", JobViewSet.as_view({"post": "cancel"}), name="job-cancel"),
    path(f"{JOBS}<int:pk>/retry/", JobViewSet.as_view({"post": "retry"}), name="job-retry"),
]

from django.urls import path

from jobs import views

urlpatterns = [
    path("jobs/", views.all_jobs, name="all_jobs"),
    path("studies/<slug:study>/jobs/", views.study_jobs, name="study_jobs"),
    path("studies/<slug:study>/jobs/<int:job>/", views.job, name="job"),
    path("studies/<slug:study>/jobs/<int:job>/cancel/", views.cancel, name="job_cancel"),
    path("studies/<slug:study>/jobs/<int:job>/retry/", views.retry, name="job_retry"),
]

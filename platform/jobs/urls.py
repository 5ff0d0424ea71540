from django.urls import path

from jobs.views import jobs

urlpatterns = [
    path("jobs/", jobs.all_jobs, name="all_jobs"),
    path("studies/<slug:study>/jobs/", jobs.study_jobs, name="study_jobs"),
    path("studies/<slug:study>/jobs/<int:job>/", jobs.job, name="job"),
    path("studies/<slug:study>/jobs/<int:job>/cancel/", jobs.cancel, name="job_cancel"),
    path("studies/<slug:study>/jobs/<int:job>/retry/", jobs.retry, name="job_retry"),
]

"""The pages of reports, metrics and judgements from elsewhere."""

from django.urls import path

from evaluation.views import metrics, ratings, report

STUDY = "studies/<slug:study>/"

urlpatterns = [
    path(STUDY + "report/", report.study_report, name="study_report"),
    path(STUDY + "report/metrics/", metrics.metrics_choose, name="metrics_choose"),
    path(STUDY + "report/run/", report.metrics_run, name="metrics_run"),
    path(STUDY + "report/ratings/", ratings.study_ratings, name="study_ratings"),
    path(STUDY + "report/ratings/<int:number>/remove/", ratings.ratings_remove, name="ratings_remove"),
    path(STUDY + "report/file/<slug:form>/", report.report_file, name="report_file"),
]

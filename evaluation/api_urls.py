"""The endpoints of reports, metrics and judgements from elsewhere."""

from django.urls import path

from evaluation import api

STUDY = "studies/<slug:study>/"

urlpatterns = [
    path(STUDY + "metrics/", api.MetricChoices.as_view(), name="metric-choices"),
    path(STUDY + "metric-runs/", api.MetricRuns.as_view(), name="metric-run-list"),
    path(STUDY + "report/", api.ReportView.as_view(), name="report"),
    path(STUDY + "ratings/", api.Ratings.as_view(), name="ratings-list"),
    path(STUDY + "ratings/<int:number>/", api.OneRatings.as_view(), name="ratings-detail"),
]

"""The endpoints of reports, metrics and judgements from elsewhere."""

from django.urls import path

from evaluation import api, api_human, api_tables

STUDY = "studies/<slug:study>/"
HUMAN = STUDY + "human-studies/<slug:human>/"

urlpatterns = [
    path(STUDY + "human-studies/", api_human.HumanStudies.as_view(), name="human-list"),
    path(HUMAN, api_human.OneHumanStudy.as_view(), name="human-detail"),
    path(HUMAN + "open/", api_human.Open.as_view(), name="human-open"),
    path(HUMAN + "close/", api_human.Close.as_view(), name="human-close"),
    path(HUMAN + "amend/", api_human.Amend.as_view(), name="human-amend"),
    path(STUDY + "metrics/", api.MetricChoices.as_view(), name="metric-choices"),
    path(STUDY + "metric-runs/", api.MetricRuns.as_view(), name="metric-run-list"),
    path(STUDY + "report/", api.ReportView.as_view(), name="report"),
    path(STUDY + "tables/", api_tables.Exhibits.as_view(), name="table-list"),
    path(STUDY + "tables/<slug:name>/", api_tables.OneExhibit.as_view(), name="table-detail"),
    path(STUDY + "rows/", api_tables.Rows.as_view(), name="rows"),
    path(STUDY + "report-choice/", api.ReportChoices.as_view(), name="report-choice"),
    path(STUDY + "ratings/", api.Ratings.as_view(), name="ratings-list"),
    path(STUDY + "ratings/<int:number>/", api.OneRatings.as_view(), name="ratings-detail"),
]

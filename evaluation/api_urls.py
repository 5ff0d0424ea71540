"""The endpoints of reports, metrics and imported judgements."""

from django.urls import path

from evaluation.api import (
    comparison,
    human,
    judging,
    machines,
    metrics,
    public_links,
    raters,
    ratings,
    report,
    scores,
    tables,
)

STUDY = "studies/<slug:study>/"
HUMAN = STUDY + "human-studies/<slug:human>/"
MACHINES = STUDY + "campaigns/<slug:campaign>/machines/"

urlpatterns = [
    path(STUDY + "human-studies/", human.HumanStudies.as_view(), name="human-list"),
    path(HUMAN, human.OneHumanStudy.as_view(), name="human-detail"),
    path(HUMAN + "open/", human.Open.as_view(), name="human-open"),
    path(HUMAN + "close/", human.Close.as_view(), name="human-close"),
    path(HUMAN + "repeat/", human.Repeat.as_view(), name="human-repeat"),
    path(HUMAN + "amend/", human.Amend.as_view(), name="human-amend"),
    path(HUMAN + "heds/", human.Heds.as_view(), name="human-heds"),
    path(HUMAN + "raters/<uuid:rater>/", raters.OneRater.as_view(), name="human-rater"),
    path(STUDY + "metrics/", metrics.MetricChoices.as_view(), name="metric-choices"),
    path(STUDY + "metric-runs/", metrics.MetricRuns.as_view(), name="metric-run-list"),
    path(STUDY + "judge-runs/", judging.JudgeRuns.as_view(), name="judge-run-list"),
    path(STUDY + "judge-runs/<int:pk>/", judging.OneJudgeRun.as_view(), name="judge-run-detail"),
    path(MACHINES, machines.Machines.as_view(), name="machine-list"),
    path(MACHINES + "<int:pk>/", machines.OneMachine.as_view(), name="machine-detail"),
    path(MACHINES + "<int:pk>/start/", machines.StartMachine.as_view(), name="machine-start"),
    path(STUDY + "report/", report.ReportView.as_view(), name="report"),
    path(STUDY + "tables/", tables.TablesAndFigures.as_view(), name="table-list"),
    path(STUDY + "tables/<entry:name>/", tables.OneTableOrFigure.as_view(), name="table-detail"),
    path(STUDY + "rows/", tables.Rows.as_view(), name="rows"),
    path(STUDY + "public-links/", public_links.PublicLinks.as_view(), name="public-link-list"),
    path(STUDY + "public-links/<int:pk>/", public_links.OnePublicLink.as_view(), name="public-link-detail"),
    path(STUDY + "rater-pairs/", raters.RaterPair.as_view(), name="rater-pair"),
    path(STUDY + "comparison/", comparison.ComparedSystems.as_view(), name="comparison"),
    path(STUDY + "report-choice/", report.ReportChoices.as_view(), name="report-choice"),
    path(STUDY + "ratings/", ratings.Ratings.as_view(), name="ratings-list"),
    path(STUDY + "ratings/<int:number>/", ratings.OneRatings.as_view(), name="ratings-detail"),
    path(STUDY + "imported-scores/", scores.ImportedMetrics.as_view(), name="imported-scores-list"),
    path(STUDY + "imported-scores/<int:number>/", scores.OneImportedMetric.as_view(), name="imported-scores-detail"),
]

"""The pages of reports, metrics and imported judgements."""

from django.urls import path

from evaluation.views import (
    compare,
    human,
    judging,
    machines,
    metrics,
    public_links,
    raters,
    ratings,
    report,
    rows,
    tables_and_figures,
    trust,
)

STUDY = "studies/<slug:study>/"
HUMAN = STUDY + "human/<slug:human>/"
MACHINES = STUDY + "campaigns/<slug:campaign>/machines/"

urlpatterns = [
    path(STUDY + "human/", human.study_human, name="study_human"),
    path(STUDY + "human/new/", human.human_new, name="human_new"),
    path(STUDY + "human/preview/", human.human_preview, name="human_preview"),
    path(HUMAN, human.human_study, name="human_study"),
    path(HUMAN + "edit/", human.human_edit, name="human_edit"),
    path(HUMAN + "open/", human.human_open, name="human_open"),
    path(HUMAN + "close/", human.human_close, name="human_close"),
    path(HUMAN + "repeat/", human.human_repeat, name="human_repeat"),
    path(HUMAN + "amend/", human.human_amend, name="human_amend"),
    path(HUMAN + "raters/<uuid:rater>/", raters.human_rater, name="human_rater"),
    path(HUMAN + "heds/", human.human_heds, name="human_heds"),
    path(HUMAN + "delete/", human.human_delete, name="human_delete"),
    path(STUDY + "report/", report.study_report, name="study_report"),
    path(STUDY + "report/trust/", trust.study_trust, name="study_trust"),
    path(STUDY + "report/choice/", report.report_choose, name="report_choose"),
    path(STUDY + "report/metrics/", metrics.metrics_choose, name="metrics_choose"),
    path(STUDY + "report/metrics/<int:number>/remove/", metrics.scores_remove, name="scores_remove"),
    path(STUDY + "report/judges/", judging.study_judges, name="study_judges"),
    path(STUDY + "report/judges/<int:run>/", judging.judge_run, name="judge_run"),
    path(MACHINES, machines.campaign_machines, name="campaign_machines"),
    path(MACHINES + "<int:machine>/start/", machines.machine_start, name="machine_start"),
    path(MACHINES + "<int:machine>/remove/", machines.machine_remove, name="machine_remove"),
    path(STUDY + "report/run/", report.metrics_run, name="metrics_run"),
    path(STUDY + "report/ratings/", ratings.study_ratings, name="study_ratings"),
    path(STUDY + "report/ratings/<int:number>/remove/", ratings.ratings_remove, name="ratings_remove"),
    path(STUDY + "report/file/<slug:form>/", report.report_file, name="report_file"),
    path(STUDY + "report/tables/", tables_and_figures.study_tables, name="study_tables"),
    path(STUDY + "report/tables/<entry:name>/", tables_and_figures.study_table, name="study_table"),
    path(STUDY + "report/tables/<entry:name>/<slug:form>/", tables_and_figures.table_file, name="table_file"),
    path(STUDY + "report/rows/", rows.study_rows, name="study_rows"),
    path(STUDY + "report/raters/", raters.study_raters, name="study_raters"),
    path(STUDY + "report/raters/pair/", raters.study_rater_pair, name="study_rater_pair"),
    path(STUDY + "links/", public_links.study_public_links, name="study_public_links"),
    path(STUDY + "links/<int:link>/revoke/", public_links.public_link_revoke, name="public_link_revoke"),
    path("shown/<str:secret>/", public_links.public_page, name="public_page"),
    path(STUDY + "report/compare/", compare.study_compare, name="study_compare"),
]

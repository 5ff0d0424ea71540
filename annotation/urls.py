"""The pages of campaigns."""

from django.urls import path

from annotation.views import (
    answers,
    campaign_edit,
    campaign_new,
    campaigns,
    expected,
    gold,
    my_work,
    preview,
    releases,
    review,
    screening,
    work,
)

STUDY = "studies/<slug:study>/campaigns/"
ONE = STUDY + "<slug:campaign>/"

urlpatterns = [
    path("work/", my_work.my_work, name="my_work"),
    path(STUDY, campaigns.study_campaigns, name="study_campaigns"),
    path(STUDY + "new/", campaign_new.campaign_new, name="campaign_new"),
    path(ONE, campaigns.campaign, name="campaign"),
    path(ONE + "state/", campaigns.state, name="campaign_state"),
    path(ONE + "build/", campaigns.build, name="campaign_build"),
    path(ONE + "guideline/", campaigns.guideline, name="campaign_guideline"),
    path(ONE + "adopt/", campaigns.adopt, name="campaign_adopt"),
    path(ONE + "adopt-screening/", screening.adopt, name="campaign_adopt_screening"),
    path(ONE + "edit/", campaign_edit.campaign_edit, name="campaign_edit"),
    path(ONE + "expected/", expected.expected, name="campaign_expected"),
    path(ONE + "expected/<int:number>/", expected.expect, name="campaign_expect"),
    path(ONE + "preview/", preview.preview, name="campaign_preview"),
    path(ONE + "preview/<slug:act>/", preview.preview_act, name="campaign_preview_act"),
    path(ONE + "review/", review.review, name="campaign_review"),
    path(ONE + "review/<int:answer>/", review.review_decide, name="campaign_decide"),
    path(ONE + "work/", work.campaign_work, name="campaign_work"),
    path(ONE + "work/read/", work.read, name="campaign_read"),
    path(ONE + "work/submit/", work.submit, name="campaign_submit"),
    path(ONE + "work/skip/", work.skip, name="campaign_skip"),
    path(ONE + "work/report/", work.report, name="campaign_report"),
    path(ONE + "work/draft/", work.draft, name="campaign_draft"),
    path(ONE + "answers/", answers.answers, name="campaign_answers"),
    path(ONE + "answers/<int:answer>/", answers.revise, name="campaign_revise"),
    path("studies/<slug:study>/gold/", gold.study_gold, name="study_gold"),
    path("studies/<slug:study>/gold/releases/new/", releases.release_new, name="release_new"),
    path("studies/<slug:study>/gold/releases/<int:number>/", releases.release, name="release"),
    path("studies/<slug:study>/gold/releases/<int:number>/<str:name>/", releases.release_file, name="release_file"),
    path("studies/<slug:study>/gold/<slug:form>/", gold.gold_file, name="gold_file"),
]

"""The endpoints of campaigns."""

from django.urls import path

from annotation.api import answers, campaigns, crowd, gold, people, study, work

ALL = "studies/<slug:study>/campaigns/"
ONE = ALL + "<slug:campaign>/"

urlpatterns = [
    path("studies/<slug:study>/scales/", study.StudyScales.as_view(), name="scale-list"),
    path("studies/<slug:study>/scales/<int:pk>/", study.OneStudyScale.as_view(), name="scale-detail"),
    path("me/work/", work.MyWork.as_view(), name="me-work"),
    path(ONE + "guideline/read/", campaigns.GuidelineRead.as_view(), name="campaign-guideline-read"),
    path(ONE + "preview/", campaigns.Preview.as_view(), name="campaign-preview"),
    path(ALL, campaigns.Campaigns.as_view(), name="campaign-list"),
    path(ONE, campaigns.OneCampaign.as_view(), name="campaign-detail"),
    path(ONE + "state/", campaigns.State.as_view(), name="campaign-state"),
    path(ONE + "guideline/", campaigns.GuidelineVersion.as_view(), name="campaign-guideline"),
    path(ONE + "adopt/", gold.Adopt.as_view(), name="campaign-adopt"),
    path(ONE + "adopt-screening/", campaigns.AdoptScreening.as_view(), name="campaign-adopt-screening"),
    path(ONE + "build/", campaigns.Build.as_view(), name="campaign-build"),
    path(ONE + "grow/", campaigns.Grow.as_view(), name="campaign-grow"),
    path(ONE + "progress/", campaigns.CampaignProgress.as_view(), name="campaign-progress"),
    path(ONE + "expected/", campaigns.ExpectedAnswers.as_view(), name="campaign-expected"),
    path(ONE + "expected/<int:number>/", campaigns.ExpectedAnswer.as_view(), name="campaign-expect"),
    path(ONE + "agreement/", people.CampaignAgreement.as_view(), name="campaign-agreement"),
    path(ONE + "people/<int:worker>/", people.Worker.as_view(), name="campaign-worker"),
    path(ONE + "goal/", work.DailyGoal.as_view(), name="campaign-goal"),
    path(ONE + "next/", work.Next.as_view(), name="campaign-next"),
    path(ONE + "answers/", work.Answers.as_view(), name="campaign-answers"),
    path(ONE + "answers/file/", answers.CampaignAnswers.as_view(), name="campaign-answers-file"),
    path(ONE + "answers/replies/<handle:review>/", work.Reply.as_view(), name="campaign-reply"),
    path(ONE + "answers/<handle:answer>/", work.Revision.as_view(), name="campaign-answer"),
    path(ONE + "answers/<handle:answer>/draft/", work.ChangeDraft.as_view(), name="campaign-change-draft"),
    path(ONE + "undo/", work.Undo.as_view(), name="campaign-undo"),
    path(ONE + "drafts/", work.Drafts.as_view(), name="campaign-draft"),
    path(ONE + "skip/", work.Skip.as_view(), name="campaign-skip"),
    path(ONE + "report/", work.Report.as_view(), name="campaign-report"),
    path(ONE + "reviews/", answers.Reviews.as_view(), name="campaign-reviews"),
    path(ONE + "entrances/", crowd.RecruitmentLinks.as_view(), name="entrance-list"),
    path(ONE + "entrances/<int:entrance>/", crowd.OneRecruitmentLink.as_view(), name="entrance-detail"),
    path(ONE + "entrants/<int:entrant>/release/", crowd.ReleaseParticipant.as_view(), name="entrant-release"),
    path(ONE + "ledger/", crowd.Ledger.as_view(), name="campaign-ledger"),
    path("studies/<slug:study>/translations/", study.TranslationRuns.as_view(), name="translation-list"),
    path("studies/<slug:study>/answers/file/", answers.StudyAnswers.as_view(), name="study-answers-file"),
    path("studies/<slug:study>/gold/", gold.Gold.as_view(), name="gold"),
    path("studies/<slug:study>/gold/imports/", gold.GoldImports.as_view(), name="gold-import-list"),
    path("studies/<slug:study>/gold/imports/<int:number>/", gold.OneGoldImport.as_view(), name="gold-import"),
    path(
        "studies/<slug:study>/gold/imports/<int:number>/bring/",
        gold.BringGoldIn.as_view(),
        name="gold-import-bring",
    ),
    path("studies/<slug:study>/releases/", gold.Releases.as_view(), name="release-list"),
    path("studies/<slug:study>/releases/<int:number>/", gold.OneRelease.as_view(), name="release-detail"),
    path("studies/<slug:study>/releases/<int:number>/<str:name>/", gold.OneFile.as_view(), name="release-file"),
]

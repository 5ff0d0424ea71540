"""The endpoints of campaigns."""

from django.urls import path

from annotation.api import crowd as crowd_api
from annotation.api import gold as gold_api
from annotation.api import gold_import as import_api
from annotation.api import preview as preview_api
from annotation.api import progress as campaign_api
from annotation.api import raw_answers as raw_api
from annotation.api import screening as screening_api
from annotation.api import translation as translation_api
from annotation.api import undo as undoing_api
from annotation.api import worker as worker_api
from annotation.api.adoption import Adopt
from annotation.api.campaigns import Campaigns, OneCampaign, State
from annotation.api.guidelines import GuidelineRead, GuidelineVersion
from annotation.api.my_work import DailyGoal, MyWork
from annotation.api.own_answers import Answers, Reply, Revision
from annotation.api.reviews import Reviews
from annotation.api.scales import OneStudyScale, StudyScales
from annotation.api.work import Drafts, Next, Report, Skip

ALL = "studies/<slug:study>/campaigns/"
ONE = ALL + "<slug:campaign>/"

urlpatterns = [
    path("studies/<slug:study>/scales/", StudyScales.as_view(), name="scale-list"),
    path("studies/<slug:study>/scales/<int:pk>/", OneStudyScale.as_view(), name="scale-detail"),
    path("me/work/", MyWork.as_view(), name="me-work"),
    path(ONE + "guideline/read/", GuidelineRead.as_view(), name="campaign-guideline-read"),
    path(ONE + "preview/", preview_api.Preview.as_view(), name="campaign-preview"),
    path(ALL, Campaigns.as_view(), name="campaign-list"),
    path(ONE, OneCampaign.as_view(), name="campaign-detail"),
    path(ONE + "state/", State.as_view(), name="campaign-state"),
    path(ONE + "guideline/", GuidelineVersion.as_view(), name="campaign-guideline"),
    path(ONE + "adopt/", Adopt.as_view(), name="campaign-adopt"),
    path(ONE + "adopt-screening/", screening_api.AdoptScreening.as_view(), name="campaign-adopt-screening"),
    path(ONE + "build/", campaign_api.Build.as_view(), name="campaign-build"),
    path(ONE + "grow/", campaign_api.Grow.as_view(), name="campaign-grow"),
    path(ONE + "progress/", campaign_api.CampaignProgress.as_view(), name="campaign-progress"),
    path(ONE + "expected/", campaign_api.ExpectedAnswers.as_view(), name="campaign-expected"),
    path(ONE + "expected/<int:number>/", campaign_api.ExpectedAnswer.as_view(), name="campaign-expect"),
    path(ONE + "agreement/", worker_api.CampaignAgreement.as_view(), name="campaign-agreement"),
    path(ONE + "people/<int:worker>/", worker_api.Worker.as_view(), name="campaign-worker"),
    path(ONE + "goal/", DailyGoal.as_view(), name="campaign-goal"),
    path(ONE + "next/", Next.as_view(), name="campaign-next"),
    path(ONE + "answers/", Answers.as_view(), name="campaign-answers"),
    path(ONE + "answers/file/", raw_api.CampaignAnswers.as_view(), name="campaign-answers-file"),
    path(ONE + "answers/replies/<handle:review>/", Reply.as_view(), name="campaign-reply"),
    path(ONE + "answers/<handle:answer>/", Revision.as_view(), name="campaign-answer"),
    path(ONE + "answers/<handle:answer>/draft/", undoing_api.ChangeDraft.as_view(), name="campaign-change-draft"),
    path(ONE + "undo/", undoing_api.Undo.as_view(), name="campaign-undo"),
    path(ONE + "drafts/", Drafts.as_view(), name="campaign-draft"),
    path(ONE + "skip/", Skip.as_view(), name="campaign-skip"),
    path(ONE + "report/", Report.as_view(), name="campaign-report"),
    path(ONE + "reviews/", Reviews.as_view(), name="campaign-reviews"),
    path(ONE + "entrances/", crowd_api.RecruitmentLinks.as_view(), name="entrance-list"),
    path(ONE + "entrances/<int:entrance>/", crowd_api.OneRecruitmentLink.as_view(), name="entrance-detail"),
    path(ONE + "entrants/<int:entrant>/release/", crowd_api.ReleaseParticipant.as_view(), name="entrant-release"),
    path(ONE + "ledger/", crowd_api.Ledger.as_view(), name="campaign-ledger"),
    path("studies/<slug:study>/translations/", translation_api.TranslationRuns.as_view(), name="translation-list"),
    path("studies/<slug:study>/answers/file/", raw_api.StudyAnswers.as_view(), name="study-answers-file"),
    path("studies/<slug:study>/gold/", gold_api.Gold.as_view(), name="gold"),
    path("studies/<slug:study>/gold/imports/", import_api.GoldImports.as_view(), name="gold-import-list"),
    path("studies/<slug:study>/gold/imports/<int:number>/", import_api.OneGoldImport.as_view(), name="gold-import"),
    path(
        "studies/<slug:study>/gold/imports/<int:number>/bring/",
        import_api.BringGoldIn.as_view(),
        name="gold-import-bring",
    ),
    path("studies/<slug:study>/releases/", gold_api.Releases.as_view(), name="release-list"),
    path("studies/<slug:study>/releases/<int:number>/", gold_api.OneRelease.as_view(), name="release-detail"),
    path("studies/<slug:study>/releases/<int:number>/<str:name>/", gold_api.OneFile.as_view(), name="release-file"),
]

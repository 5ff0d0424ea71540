"""How the API is read, answered and described: the settings of Django REST framework and drf-spectacular."""

from typing import Any

from foundation.project import version

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["config.middleware.RoutePermission"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_PAGINATION_CLASS": "config.api.conventions.Pages",
    "DEFAULT_PARSER_CLASSES": [
        "config.api.conventions.StorableJSON",
        "rest_framework.parsers.FormParser",
        "rest_framework.parsers.MultiPartParser",
    ],
    "EXCEPTION_HANDLER": "config.api.conventions.plain_errors",
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
    "URL_FORMAT_OVERRIDE": None,  # `?format=` is the form of an export, and endpoints answer in JSON alone
}
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Restyle",
    "DESCRIPTION": "Everything that the pages do. A client names the version that it was written for in the header "
    "Restyle-Version, as 0.2; one that is no longer understood is told so. Each answer names this version. A request "
    "that changes something may name a key in the header Idempotency-Key: sent again with it within a day, it is not "
    "done again, and gets the first answer.",
    "VERSION": version(),
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["config.middleware.RoutePermission"],
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "config.api.conventions.close_requests",
        "config.api.conventions.document_errors",
    ],
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_NAME_OVERRIDES": {  # else of several sets of one field's name each is named by a digest
        "JobStateEnum": "jobs.models.Job.State",
        "CampaignStateEnum": "annotation.models.Campaign.State",
        "HumanStudyStateEnum": "evaluation.models.HumanStudy.State",
        "RoleEnum": "accounts.permissions.ROLE_CHOICES",
        "MemberRoleEnum": "corpora.models.membership.STUDY_ROLES",
        "TrainedModelEnum": "modelserving.transfer.TRANSFERS.names",
        "TuneByEnum": "modelserving.training.recipe.tune_metrics",
        "PretrainedTuneByEnum": "modelserving.pretrained.options.tune_scores",
        "PromptTuneByEnum": "modelserving.prompting.options.metric_names",
        "ScheduleEnum": "modelserving.training.recipe.SCHEDULES",
        "PretrainedScheduleEnum": "modelserving.pretrained.options.SCHEDULES",
        "PrecisionEnum": "modelserving.training.recipe.PRECISIONS",
        "PretrainedPrecisionEnum": "modelserving.pretrained.options.PRECISIONS",
        "TuneMetricEnum": ("bleu", "sari"),
        "TuneByPerplexityEnum": ("perplexity",),
        "TuneByObjectiveEnum": ("objective",),
        "SplitEnum": "corpora.models.Sentence.Split",
        "RecruitingSiteEnum": "integrations.recruiting.fields.SITES",
        "SiteEnum": "annotation.models.RecruitmentLink.Site",
    },
}

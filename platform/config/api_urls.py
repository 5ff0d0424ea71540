from django.urls import path

from demo.api import DemoReset
from health.api import Health
from studies.api import (
    CriterionList,
    StudyArchive,
    StudyContents,
    StudyDuplicate,
    TemplateList,
)
from study_file.api import StudyApply, StudyExport

urlpatterns = [
    path("health/", Health.as_view(), name="health"),
    path("demo/reset/", DemoReset.as_view(), name="demo-reset"),
    path("studies/apply/", StudyApply.as_view(), name="study-apply"),
    path("study-templates/", TemplateList.as_view(), name="template-list"),
    path("studies/<slug:study>/archive/", StudyArchive.as_view(), name="study-archive"),
    path("studies/<slug:study>/export/", StudyExport.as_view(), name="study-export"),
    path("studies/<slug:study>/contents/", StudyContents.as_view(), name="study-contents"),
    path("studies/<slug:study>/duplicate/", StudyDuplicate.as_view(), name="study-duplicate"),
    path("studies/<slug:study>/criteria/", CriterionList.as_view(), name="criterion-list"),
]

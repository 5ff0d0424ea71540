from django.urls import path

from config.api_study import CriterionList, StudyApply, TemplateList

urlpatterns = [
    path("studies/apply/", StudyApply.as_view(), name="study-apply"),
    path("study-templates/", TemplateList.as_view(), name="template-list"),
    path("studies/<slug:study>/criteria/", CriterionList.as_view(), name="criterion-list"),
]

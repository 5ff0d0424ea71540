from django.urls import path

from config.api_study import CriterionList, StudyApply

urlpatterns = [
    path("studies/apply/", StudyApply.as_view(), name="study-apply"),
    path("studies/<slug:study>/criteria/", CriterionList.as_view(), name="criterion-list"),
]

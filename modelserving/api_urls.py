from django.urls import path

from modelserving.api import TransferRuns

urlpatterns = [path("studies/<slug:study>/transfers/", TransferRuns.as_view(), name="transfer-list")]

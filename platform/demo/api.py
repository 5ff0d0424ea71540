"""The endpoint of the demo."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema import without_body
from demo.actions.start_demo_reset import start_demo_reset
from jobs.api import JobRow


class DemoReset(APIView):
    """The demo, made anew."""

    @without_body(responses={202: JobRow})
    def post(self, request: Request) -> Response:
        """Make the demo's studies anew, as a job. Those with a release are archived, the others can be restored."""
        job: Any = start_demo_reset(by=request.user)
        return Response(JobRow(job).data, status=202)

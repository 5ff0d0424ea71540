"""The endpoints of annotators' work: the next item, drafts, answers, changes, what is taken back, and their days."""

from collections.abc import Callable
from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.generics import GenericAPIView, get_object_or_404
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema import StrictSerializer, flag_in, query_parameters, with_body, without_body
from accounts.option_fields import serializer_field
from annotation.actions.claim_assignment import claim_assignment
from annotation.actions.reply_to_review import REPLY, reply_to_review
from annotation.actions.report_problem import KINDS, report_problem
from annotation.actions.revise_answer import revise_answer
from annotation.actions.save_change import save_change
from annotation.actions.save_draft import NewerDraft, save_draft
from annotation.actions.set_daily_goal import GOAL, set_daily_goal
from annotation.actions.skip_item import COMMENT, skip_item
from annotation.actions.submit_answer import AlreadySubmitted, Submission, submit_answer
from annotation.actions.undo_last_act import undo_last_act
from annotation.api.answers import OwnAnswerShape, OwnReviewShape
from annotation.blinding import FORM, NAMED, Kind, handle_of, name_for_author, named_row, own_answers
from annotation.campaigns.requested import campaign_of
from annotation.engine.assignment_queue import Claim, Reason
from annotation.models import Answer, Campaign, Review
from annotation.models.campaign import LARGEST_INTEGER
from annotation.presenters.work import idle_message
from annotation.progress.own_campaigns import campaigns_for, ended_for
from annotation.task_types import TASK_TYPES
from corpora.api.base import Listing


class WorkShape(StrictSerializer):
    slot = serializers.CharField(help_text="Names the item in your hands; of no use to anybody else.")
    lease = serializers.UUIDField()
    expires_at = serializers.DateTimeField()
    number = serializers.IntegerField()
    task_type = serializers.CharField()
    item = serializers.DictField(help_text="What is shown; its form depends on the task type.")
    draft_version = serializers.IntegerField()


class ClaimShape(StrictSerializer):
    work = WorkShape(allow_null=True)
    reason = serializers.ChoiceField(choices=[reason.value for reason in Reason], allow_null=True)
    detail = serializers.CharField(allow_blank=True)
    done = serializers.IntegerField()
    size = serializers.IntegerField()


class Held(StrictSerializer):
    slot = serializers.RegexField(NAMED, help_text="As the item named it.")
    lease = serializers.UUIDField()


class Keyed(Held):
    key = serializers.UUIDField(help_text="Yours to draw: the same key again is the same act.")
    seconds = serializers.FloatField(default=None, allow_null=True, help_text="Active seconds on the item.")


class Seeing(StrictSerializer):
    """The drafts of this item that a program knows; where it names none, no draft of another page stands in the way."""

    seen = serializers.IntegerField(
        default=None, allow_null=True, min_value=0, max_value=LARGEST_INTEGER,
        help_text="The newest version of the draft that you know of: where another page saved a newer one, 409.",
    )  # fmt: skip
    writer = serializers.CharField(
        default="", allow_blank=True, max_length=40, help_text="A name for yourself: your own drafts never conflict."
    )


class NewAnswer(Seeing, Keyed):
    content = serializers.DictField(
        help_text="What the kind of work asks for, candidates in the order of the item's places. "
        + " ".join(f"`{name}`: {TASK_TYPES[name].answer_content}." for name in TASK_TYPES.own_names())
    )


class NewRevision(Seeing):
    revision = serializers.IntegerField(
        default=None, allow_null=True, min_value=1, max_value=32767,
        help_text="The revision that you change: where there is a newer one, 409.",
    )  # fmt: skip
    key = serializers.UUIDField()
    seconds = serializers.FloatField(default=None, allow_null=True)
    content = serializers.DictField()


class Acknowledgement(StrictSerializer):
    answer = serializers.CharField(help_text="The `id` of the answer.")
    revision = serializers.IntegerField()
    late = serializers.BooleanField()
    next = ClaimShape()
    feedback = serializers.DictField(allow_null=True, help_text="In a training: what was expected, beside your answer.")


class TypedShape(Seeing):
    version = serializers.IntegerField(min_value=1, max_value=LARGEST_INTEGER)
    form = serializers.DictField(
        child=serializers.CharField(allow_blank=True, trim_whitespace=False),
        help_text="The fields of the page's form: 'text', or those that the item names.",
    )


class NewDraft(TypedShape, Held):
    """A draft of the item in your hands."""


class DraftShape(StrictSerializer):
    version = serializers.IntegerField()


class NewerDraftShape(DraftShape):
    detail = serializers.CharField()
    content = serializers.DictField()


class HandedInShape(StrictSerializer):
    """Your answer to this item stands as you handed it in."""

    detail = serializers.CharField()
    answer = serializers.CharField(help_text="The `id` of the answer.")
    revision = serializers.IntegerField()
    content = serializers.DictField()


class NewSkip(Keyed):
    comment = serializer_field(COMMENT)
    form = serializers.DictField(
        child=serializers.CharField(allow_blank=True, trim_whitespace=False), default=None, allow_null=True,
        help_text="What was typed, as for a draft: it waits for the case that you take this back.",
    )  # fmt: skip


class NewReport(NewSkip):
    kind = serializers.ChoiceField(choices=KINDS)


class Work(APIView):
    """The work of annotators; a token needs the scope `annotate`."""

    scope = "annotate"

    def held(self, request: Any, campaign: str, given: dict[str, Any]) -> dict[str, Any]:
        given["assignment"] = named_row(Kind.ASSIGNMENT, given.pop("slot"), request.user.pk)
        return {"study": request.study, "campaign": campaign, "person": request.user, **given}

    def handle_exception(self, error: Exception) -> Response:
        return super().handle_exception(Http404() if isinstance(error, Campaign.DoesNotExist) else error)


class Next(Work):
    @without_body(responses=ClaimShape)
    def post(self, request: Any, study: str, campaign: str) -> Response:
        """The item in your hands, its lease renewed, else the next one; or the reason why there is none."""
        return Response(claimed(claim_assignment(study=request.study, campaign=campaign, person=request.user)))


class Drafts(Work):
    @with_body(NewDraft, responses={200: DraftShape, 409: NewerDraftShape})
    def post(self, request: Any, study: str, campaign: str, given: dict[str, Any]) -> Response:
        """Keep what is typed so far; 409 with the newer draft where an older version comes."""
        held = self.held(request, campaign, given)
        return in_conflict(lambda: {"version": save_draft(**held)}, request)


class Skip(Work):
    @with_body(NewSkip, responses=ClaimShape)
    def post(self, request: Any, study: str, campaign: str, given: dict[str, Any]) -> Response:
        """Pass the item by and get the next one."""
        return Response(claimed(skip_item(**self.held(request, campaign, given))))


class Report(Work):
    @with_body(NewReport, responses=ClaimShape)
    def post(self, request: Any, study: str, campaign: str, given: dict[str, Any]) -> Response:
        """Report a problem with the item and get the next one."""
        return Response(claimed(report_problem(**self.held(request, campaign, given))))


def in_conflict(act: Callable[[], Any], request: Any) -> Response:
    """The response of the act; 409 with other work of the same person that stands in its way."""
    try:
        return Response(act())
    except NewerDraft as error:
        return Response({"detail": str(error), "version": error.version, "content": error.content}, status=409)
    except AlreadySubmitted as error:
        answer = error.answer
        kind, named = TASK_TYPES[answer.campaign.task_type], handle_of(Kind.ANSWER, answer.pk, request.user.pk)
        said = {"answer": named, "revision": answer.revision, "content": kind.arranged(answer.content, answer.order)}
        return Response({"detail": str(error), **said}, status=409)


def claimed(claim: Claim) -> dict[str, Any]:
    """A claim as JSON: the item as it is presented, or the reason why there is none."""
    context, work = claim.context, claim.work
    said: dict[str, Any] = {"work": None, "reason": None, "detail": "", "done": context.done, "size": context.size}
    if work is None:
        more = idle_message(claim)
        return {**said, "reason": claim.reason, "detail": " ".join([more["text"], *more["sentences"]])}
    said["work"] = {
        "slot": handle_of(Kind.ASSIGNMENT, work.assignment, context.person.pk),
        "lease": work.lease,
        "expires_at": work.expires_at,
        "number": claim.number,
        "task_type": context.task_type_name,
        "item": context.task_type.present(work.content, context.settings, work.order, work.draft),
        "draft_version": work.draft_version,
    }
    return said


class Answers(Listing, Work):
    """Your own answers, each in its newest revision."""

    queryset = Answer.objects.none()
    serializer_class = OwnAnswerShape

    def rows(self) -> Any:
        return own_answers(campaign_of(self.request, self.kwargs["campaign"]), self.request.user)

    def paginate_queryset(self, queryset: Any) -> Any:
        return name_for_author(super().paginate_queryset(queryset) or ())

    @with_body(NewAnswer, responses={200: Acknowledgement, 409: HandedInShape})
    def post(self, request: Any, study: str, campaign: str, given: dict[str, Any]) -> Response:
        """Hand in an answer and get the next item. The same answer again is the same acknowledgement.

        409 where you handed in something else already, with that answer; or where another page saved a newer draft.
        """
        held = self.held(request, campaign, given)
        return in_conflict(lambda: _acknowledged(submit_answer(**held), request), request)


class NewReply(StrictSerializer):
    text = serializer_field(REPLY)


class Revision(Work):
    @with_body(
        NewRevision, operation_id="studies_campaigns_answers_revise",
        responses={200: OwnAnswerShape, 409: HandedInShape},
    )  # fmt: skip
    def post(self, request: Any, study: str, campaign: str, answer: str, given: dict[str, Any]) -> Response:
        """Change an answer of your own: a further revision is appended."""
        own = Answer.objects.filter(campaign=campaign_of(request, campaign), person=request.user)
        own_answer = get_object_or_404(own, pk=named_row(Kind.ANSWER, answer, request.user.pk))

        def act() -> Any:
            revised = revise_answer(answer=own_answer, person=request.user, **given)
            return OwnAnswerShape(*name_for_author([revised])).data

        return in_conflict(act, request)


class Reply(Work):
    @with_body(NewReply, responses=OwnReviewShape)
    def post(self, request: Any, study: str, campaign: str, review: str, given: dict[str, Any]) -> Response:
        """Say something to a reviewer's decision about an answer of your own; a second reply takes its place."""
        own = {"answer__campaign": campaign_of(request, campaign), "answer__person": request.user}
        own_review = get_object_or_404(Review, pk=named_row(Kind.REVIEW, review, request.user.pk), **own)
        said = reply_to_review(review=own_review, by=request.user, text=given["text"])
        return Response(OwnReviewShape(said).data)


def _acknowledged(submission: Submission, request: Any) -> dict[str, Any]:
    answer = handle_of(Kind.ANSWER, submission.answer, request.user.pk)
    said = {"answer": answer, "revision": submission.revision, "late": submission.late, "feedback": submission.feedback}
    return {**said, "next": claimed(submission.next)}


class UndoShape(StrictSerializer):
    before = serializers.RegexField(
        FORM, default="", allow_blank=True, help_text="The `id` of an answer: what you did before that one."
    )


class UndoneShape(StrictSerializer):
    """Either the item is in your hands again (`next`), or it is an `answer`, which stands until you change it."""

    next = ClaimShape(allow_null=True)
    answer = OwnAnswerShape(allow_null=True)


class Undo(Work):
    @with_body(UndoShape, responses=UndoneShape)
    def post(self, request: Any, study: str, campaign: str, given: dict[str, Any]) -> Response:
        """Take back the last thing that you did in a campaign: a skip, a report, or an answer."""
        key = named_row(Kind.ANSWER, given["before"], request.user.pk)
        before = Answer.objects.filter(pk=key).first()
        taken = undo_last_act(study=request.study, campaign=campaign, person=request.user, before=before)
        answer = taken.answer and OwnAnswerShape(*name_for_author([taken.answer])).data
        return Response({"next": taken.claim and claimed(taken.claim), "answer": answer})


class ChangeDraft(Work):
    @with_body(TypedShape, responses={200: DraftShape, 409: NewerDraftShape})
    def post(self, request: Any, study: str, campaign: str, answer: str, given: dict[str, Any]) -> Response:
        """Keep what is typed so far of a change of your own answer."""
        own = Answer.objects.filter(campaign=campaign_of(request, campaign), person=request.user)
        own_answer = get_object_or_404(own, pk=named_row(Kind.ANSWER, answer, request.user.pk))
        return in_conflict(lambda: {"version": save_change(answer=own_answer, person=request.user, **given)}, request)


class MyWorkShape(StrictSerializer):
    """A campaign with what you did there, its free assignments, what you still lack, and your answers to be revised."""

    study = serializers.CharField(source="campaign.study.slug")
    campaign = serializers.CharField(source="campaign.slug")
    name = serializers.CharField(source="campaign.name")
    task_type = serializers.CharField(source="campaign.task_type")
    done = serializers.IntegerField()
    size = serializers.IntegerField(source="campaign.size")
    free = serializers.IntegerField(allow_null=True)
    missing = serializers.ListField(child=serializers.CharField())
    rejected = serializers.IntegerField()
    left = serializers.IntegerField(
        source="progress.left", allow_null=True, help_text="Items that you may still get, counted to 1000."
    )
    hours_left = serializers.FloatField(
        source="progress.hours", allow_null=True, help_text="What they take at your own pace, once there is one."
    )
    due = serializers.DecimalField(source="progress.due", max_digits=24, decimal_places=2, allow_null=True)
    currency = serializers.CharField(source="progress.currency")
    today = serializers.IntegerField(source="progress.today")
    goal = serializers.IntegerField(source="progress.goal", allow_null=True, help_text="The items a day you chose.")


ENDED = OpenApiParameter(
    "ended", bool, default=False, description="those that are paused or closed and have answers of yours instead"
)


class GoalShape(StrictSerializer):
    goal = serializer_field(GOAL, defaults=False, required=True)


class MyWork(GenericAPIView):
    serializer_class = MyWorkShape
    pagination_class = None

    @query_parameters(ENDED, responses=MyWorkShape(many=True))
    def get(self, request: Any) -> Response:
        """The campaigns that take work from you now; or those that ended, with what you did and are due there."""
        rows = ended_for(request.user) if flag_in(request, "ended") else campaigns_for(request.user)
        return Response(MyWorkShape(rows, many=True).data)


class DailyGoal(APIView):
    scope = "annotate"

    @with_body(GoalShape, responses=GoalShape)
    def put(self, request: Any, study: str, campaign: str, given: dict[str, Any]) -> Response:
        """Choose how many items you want to do in a day; null for no goal."""
        found = get_object_or_404(request.study.campaigns, slug=campaign)
        membership = set_daily_goal(campaign=found, person=request.user, **given)
        return Response(GoalShape(membership).data)

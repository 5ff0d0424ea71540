"""What a model is given with lines of no study that is known here, such as those of standard input."""

from foundation.errors import UserError
from modelserving.outside_services.terms import made_of_restricted
from modelserving.run_context.context import RunContext

FLAG = "--texts-may-leave"


class LinesContext(RunContext):
    """Nobody here knows the lines' terms: they leave where somebody said that they may (`may_leave`).

    What a checkpoint was made of, and was `restricted` then, goes nowhere whatever is said.
    """

    def __init__(self, *, may_leave: bool, restricted: bool) -> None:
        super().__init__()
        self.may_leave, self.restricted = may_leave, restricted

    def permit(self, service: str) -> None:
        if self.restricted:
            raise made_of_restricted(service)
        if not self.may_leave:
            raise UserError(
                "The lines would be sent to {service}, which is outside; say {flag} where their terms allow that.",
                service=service,
                flag=FLAG,
                where="standard input",
            )

"""What other rooms may listen to."""

from django.dispatch import Signal

# Sent in the accepting transaction with `link` (the AccessLink) and `person` (who accepted it).
invitation_accepted = Signal()

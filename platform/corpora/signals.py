"""What the rooms above are asked before something leaves a study.

Receivers of `leaving` get `what` (a System or a ReferenceSet) and raise UserError where something depends on it.
"""

from django.dispatch import Signal

leaving = Signal()

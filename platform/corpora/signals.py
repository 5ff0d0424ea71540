"""What the rooms above are asked before something leaves a study or is changed in it.

Receivers of `leaving` get `what` (a System or a ReferenceSet) and raise UserError where something depends on it.
Receivers of `splitting` get `study` and raise UserError where its splits are frozen, since a release was made of them.
"""

from django.dispatch import Signal

leaving = Signal()
splitting = Signal()

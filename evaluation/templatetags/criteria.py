"""`{{ name|criterion }}`: the name of a criterion in the reader's language where it is ours, as within a sentence.

`|said_head` is the label of a metric, or the head of a column, in that language.
"""

from django import template

from evaluation.views.criterion_words import criterion_in_sentence, shown_label
from evaluation.views.table_words import said_head

register = template.Library()
register.filter("criterion", criterion_in_sentence)
register.filter("shown_label", shown_label)
register.filter("said_head", said_head)

"""The progress of campaigns, their pace, and the counts of labels given in them."""

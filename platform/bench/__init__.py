"""`make bench`: what Restyle does in a second, measured on servers of its own in a folder that is thrown away.

One file a figure. `docs/speed.md` says what is measured and how.
"""

PARTS = ("annotation", "memory", "study", "metrics", "statistics", "report", "training", "phrases")

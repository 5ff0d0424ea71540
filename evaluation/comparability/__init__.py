"""The rules of comparison: which end of a measure is the better one, and over which units systems are ranked.

Plain Python. All code that orders, marks, tests or correlates asks here.
"""

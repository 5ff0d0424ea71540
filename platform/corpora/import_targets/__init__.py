"""One file, one kind of rows that a table can import: the meanings of its columns, and the plan of its import.

`TARGETS["texts"]` of `corpora.table_import.targets` is `TARGET` of `texts.py`.
"""

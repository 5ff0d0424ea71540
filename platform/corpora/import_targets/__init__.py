"""One file, one kind of rows that a table can import: what its columns can mean, and what then happens.

`TARGETS["texts"]` of `corpora.table_import.targets` is `TARGET` of `texts.py`.
"""

"""What was removed, and how it comes back.

The rows of what is removed, and of all that cascades from it, leave their tables and are kept compressed in the
database (`models.Removal`). So no query has to know of removed things, and what is put back has the same keys.
"""

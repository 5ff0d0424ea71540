"""Tables on their way in: columns mapped to meanings, rows gathered by source, and written."""

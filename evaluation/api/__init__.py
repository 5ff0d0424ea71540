"""The endpoints of metrics, of the report with its tables, of imported judgements and of human studies."""

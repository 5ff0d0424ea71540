"""The endpoints of metrics, of the report with its tables, of judgements from elsewhere and of human studies."""

"""The forms of what is measured, how a report compares, judgements from elsewhere and human studies."""

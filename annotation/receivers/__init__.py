"""What this app does when something happens in others: a person is erased, splits are made."""

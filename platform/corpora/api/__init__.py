"""The endpoints of studies, their texts and their members."""

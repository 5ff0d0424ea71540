"""The pages of campaigns. The gate leaves the study at `request.study`."""

"""The pages of campaigns. Authorization sets `request.study`."""

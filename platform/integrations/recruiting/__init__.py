"""Recruiting at crowd sites: drafts, publishing, submissions and pay, by the clients that the sites' folders bring."""

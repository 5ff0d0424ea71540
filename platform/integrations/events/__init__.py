"""Events: what happened in studies that others may want to know; pages, webhooks and mail tell the same ones."""

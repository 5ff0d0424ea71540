"""What every request passes: authorization, caching headers, the limit of uploads, the request log."""

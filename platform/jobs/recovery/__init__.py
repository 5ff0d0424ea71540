"""Jobs whose worker was lost, hangs or is over its limit: requeued, or ended by the watchdog."""

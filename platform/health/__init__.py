"""The state of the site: probes for load balancers, the page of admins, and the metrics of Prometheus."""

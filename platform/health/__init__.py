"""How the site is: what load balancers ask, what an admin looks at, and what Prometheus collects."""

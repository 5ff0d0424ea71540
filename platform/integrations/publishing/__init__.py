"""Publications: each push of a study to a service outside, and each pull, is one row and one job."""

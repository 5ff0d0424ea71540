"""The watchdog of this machine's workers, as a process."""

import django


def main() -> None:
    """Watch until a signal to stop comes."""
    django.setup()
    from jobs.recovery import job_watchdog

    job_watchdog.main()


if __name__ == "__main__":
    main()

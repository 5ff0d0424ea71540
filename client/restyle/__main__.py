"""`python -m restyle`: the command, where its own name is not on the path."""

from restyle.command import main

if __name__ == "__main__":
    main()

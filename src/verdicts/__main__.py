"""`python -m verdicts`."""

from commands.cli import main

if __name__ == "__main__":
    main()

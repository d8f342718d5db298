"""`python -m verdicts`."""

from verdicts.commands.cli import main

if __name__ == "__main__":
    main()

"""`python -m jsonscan` is the command `jsonscan`."""

from .cli import entry

if __name__ == "__main__":
    entry()

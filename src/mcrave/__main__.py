"""`python -m mcrave` is the command `mcrave`."""

from mcrave.cli import main

if __name__ == "__main__":
    main()

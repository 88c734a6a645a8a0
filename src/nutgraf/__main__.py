"""`python -m nutgraf`: the command, also where several processes are launched."""

from nutgraf.cli.main import main

if __name__ == "__main__":
    main()

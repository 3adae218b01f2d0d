import sys


def main():
    try:
        from carpool_cli.app import run
    except ModuleNotFoundError as missing:
        sys.exit(f"carpool: {sys.executable} lacks {missing.name}; "
                 "try: pip install click matplotlib rich")
    run()


if __name__ == "__main__":
    main()

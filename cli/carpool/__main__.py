import sys

try:
    from carpool.app import run
except ModuleNotFoundError as missing:
    sys.exit(f"carpool: {sys.executable} lacks {missing.name}; "
             "try: pip install click matplotlib rich")

run()

# SPDX-License-Identifier: MIT
import sys

from carpool_cli import plain


def main():
    try:
        from carpool_cli.app import run
    except ModuleNotFoundError as missing:
        plain.run(sys.argv[1:], missing.name)
    run()


if __name__ == "__main__":
    main()

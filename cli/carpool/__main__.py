import sys

from carpool import plain

try:
    from carpool.app import run
except ModuleNotFoundError as missing:
    plain.run(sys.argv[1:], missing.name)

run()

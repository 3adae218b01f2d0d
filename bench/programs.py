# SPDX-License-Identifier: MIT
"""Starts a bench program on several ranks and yields the JSON events that it prints."""

import json
import os
import queue
import subprocess
import sys
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def build_folder():
    return Path(os.environ.get("CARPOOL_BUILD", ROOT / "build" / "mpich-release"))


def launcher(realtime):
    """The command that starts ranks; at real-time priority they are undisturbed by other processes."""
    return [*(["chrt", "--rr", "1"] if realtime else []), sys.executable, ROOT / "tools" / "launch"]


def placed(launch, ranks, hosts):
    """The command that starts so many ranks on so many hosts."""
    return [*launch, "-n", str(ranks), *(["--hosts", str(hosts)] if hosts > 1 else [])]


def can_have_hosts(launch, hosts):
    """Whether ranks can be started on so many hosts; where not, the launcher has said why."""
    done = subprocess.run([*placed(launch, hosts, hosts), "--timeout", "60", "true"], cwd=ROOT)
    return done.returncode == 0


def start(launch, program, arguments, before=()):
    command = [*launch, *before, build_folder() / "bench" / program, *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)


def lines_of(process):
    """A queue of the lines that a process prints, and None at their end."""
    lines = queue.Queue()

    def read():
        for line in process.stdout:
            lines.put(line)
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    return lines


def stop(process):
    process.terminate()
    process.wait()


def events(launch, program, ranks, arguments, silence, hosts=1, before=()):
    """Events in order; ends early when none has come for `silence` seconds. The command `before`,
    such as env, starts the program."""
    process = start(placed(launch, ranks, hosts), program, arguments, before)
    lines = lines_of(process)
    try:
        while (line := lines.get(timeout=silence)) is not None:
            if line.startswith("{"):
                yield json.loads(line)
        process.wait()
    except queue.Empty:
        print(f"{program}: silent for {silence} s on {ranks} ranks, ended", file=sys.stderr)
    finally:
        stop(process)


def case_events(launch, program, ranks, cases, options, silence=180, hosts=1):
    """Events of all cases; one that crashes or hangs yields a failure, and the next go on."""
    rest = list(cases)
    while rest:
        yield {"event": "begin", "next": rest[0]}
        for event in events(launch, program, ranks, [*options, *rest], silence, hosts):
            yield event
            if "case" in event:
                rest.remove(event["case"])
                yield {"event": "begin", "next": rest[0] if rest else "done"}
        if rest:
            yield {"event": "failure", "case": rest.pop(0), "ranks": ranks}

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs one of the races on one MPI; prints a table as docs/ has it, keeps the JSON.

    CARPOOL_BUILD=build/mpich-release CARPOOL_MPI=mpich bench/race.py halo [--realtime]
"""

import argparse
import json
import os
import sys
import time

from rich.progress import Progress

import docs_part
import mesh_parts
import programs
import results


def pencils(ranks):
    """[5] tables 3, 4 and 2, whose 256 processors are all of ours."""
    def part(of_256):
        return max(1, ranks * of_256 // 256)
    low = [f"fft/{ranks}/{part(y)}/{size}" for size in (640, 1280) for y in (256, 224, 192)]
    high = [f"fft/{ranks}/{part(y)}/{size}" for size in (640, 1280) for y in (32, 64, 128)]
    steps = [f"pme/{part(x)}/{part(y)}/900" for x, y in ((108, 108), (192, 144))]
    return [*low, f"fft/{ranks}/{ranks}/4096", *high, *steps]


def ghosts(ranks):
    """Stencils, a power law and a mesh, and the last two with ghosts in random order."""
    points = 4000 * ranks
    mesh_parts.written(points, ranks)
    unordered = [f"{case}/shuffled" for case in ("power/2000", f"mesh/{points}")]
    return ["stencil/16", "stencil/32", "power/2000", f"mesh/{points}", *unordered]


HOST = ["host blocking", "host nonblocking", "host persistent"]
GHOSTS = "Carpool ghosts, "
AGAINST = ["host", "host persistent", "by hand", "Carpool direct"]
RACES = {
    "halo": {"arguments": ["8,16,32,64", "1,2,3,4"], "cases": 16, "judged": "Carpool halo, auto",
             "show": ["Carpool halo, auto", "Carpool halo, cartesian", "Carpool halo, direct",
                      "Carpool alltoallw"],
             "against": ["host alltoallw", "host alltoallw, persistent", "by hand, datatypes",
                         "by hand, packed"]},
    "bundles": {"arguments": ["2,8", ",".join(f"grid-d{d}-n3/alltoall/{size}" for d in (2, 3)
                                              for size in (8, 80, 800))],
                "cases": 12, "judged": "Carpool bundle",
                "against": ["host blocking", "host nonblocking", "host persistent",
                            "Carpool requests"]},
    "graphs": {"arguments": ["random:0.1,random:0.3,random:0.8,moore:2:1,moore:2:2",
                             "4,64,1024,4096"], "cases": 40, "judged": "Carpool auto",
               "show": [f"Carpool {rule}" for rule in
                        ("auto", "direct", "friends", "cumulative", "mesh", "grid", "hypercube")],
               "against": ["host blocking", "host nonblocking", "host persistent", "by hand"]},
    "listing_3": {"arguments": ["4,16,64,256"], "cases": 4, "judged": "Carpool, as printed",
                  "plan_of": "Carpool request", "page": "index.md",
                  "against": ["host blocking", "host nonblocking", "host persistent",
                              "Carpool request"]},
    "pencils": {"arguments": pencils, "cases": 15, "judged": "Carpool auto",
                "page": "personalized.md",
                "against": ["host blocking", "host nonblocking", "host persistent",
                            "Carpool direct", "Carpool mesh", "Carpool grid", "Carpool hypercube",
                            "Carpool digits", "Carpool among all"]},
    "all_to_all": {"program": "personalized", "arguments": ["complete", "8,76,476,1000,2000,4096"],
                   "cases": 6, "judged": "Carpool auto", "against": AGAINST},
    "neighbors": {"program": "personalized",
                  "arguments": [",".join(f"neighbors:{degree}" for degree in (1, 2, 4, 8, 16, 32)),
                                "76,476"], "cases": 12, "judged": "Carpool auto",
                  "against": AGAINST},
    "unknown": {"program": "personalized",
                "arguments": ["unknown:2,unknown:4,unknown:8,unknown:16", "8,76,476,4096"],
                "cases": 16, "judged": "Carpool auto", "against": AGAINST},
    "ghosts": {"arguments": ghosts, "cases": 6, "judged": GHOSTS + "auto", "best_of": HOST,
               "page": "ghosts.md",
               "columns": {"request": GHOSTS + "auto", "call": GHOSTS + "call",
                           "direct": GHOSTS + "direct",
                           "node:1": GHOSTS + "node:1", "node:2": GHOSTS + "node:2",
                           "node:4": GHOSTS + "node:4", "alltoallv": "Carpool alltoallv",
                           "by hand": "by hand", "by hand, persistent": "by hand, persistent"}},
    "gpu": {"arguments": ["16,32,64,128,256"], "cases": 6, "times": True},
    "cpu_time": {"arguments": ["8,76,476,1000"], "cases": 4, "ways": True},
    "reductions": {"arguments": ["1,2", "1,10,100,1000"], "cases": 16,
                   "judged": "Carpool reduction, auto",
                   "show": ["Carpool reduction, auto", "Carpool reduction, cartesian",
                            "Carpool reduction, direct"],
                   "against": ["host, then add", "Carpool, then add"]},
}


def run(name, options):
    race = RACES[name]
    launch, program = programs.launcher(options.realtime), race.get("program", name)
    cases = race["arguments"]
    arguments = [str(options.budget), str(options.seed),
                 *(cases(options.ranks) if callable(cases) else cases)]
    told = shared_cores(options.ranks) if options.shared_cores else []
    with Progress(transient=True) as progress:
        task = progress.add_task(name, total=race["cases"])
        for event in programs.events(launch, program, options.ranks, arguments, 180,
                                     options.hosts, told):
            progress.advance(task, "case" in event)
            yield event


def shared_cores(ranks):
    """Tells Carpool that so many ranks share the cores of a host, as a launcher does."""
    return ["env", f"MPI_LOCALNRANKS={ranks}", f"OMPI_COMM_WORLD_LOCAL_SIZE={ranks}"]


def gain(racer, other):
    """Median of ratios, and the middle half of them."""
    if other not in racer["gain"]:
        return ""
    ratio = racer["gain"][other]
    return f"{ratio['median']:.2f} ({ratio['first']:.2f}–{ratio['third']:.2f})"


def table(name, events):
    """Markdown: the judged racer's gain over each other way, and what it did."""
    race = RACES[name]
    yield ("| case | " + " | ".join(f"over {other}" for other in race["against"])
           + " | rule, messages, bytes | µs |")
    yield "|---" * (len(race["against"]) + 3) + "|"
    for event in events:
        racers = {racer["name"]: racer for racer in event["racers"]}
        judged = racers[race["judged"]]
        plan = racers[race.get("plan_of", race["judged"])].get(
            "plan", {"algorithm": "by messages that say what they hold", "messages": "", "bytes": 0})
        yield (f"| {event['case']} | " + " | ".join(gain(judged, other) for other in race["against"])
               + f" | {plan['algorithm']}, {plan['messages']}, {plan['bytes']:,} | "
               + f"{judged['seconds']['median'] * 1e6:.0f} |")


def table_of_columns(name, events):
    """Markdown: gains over the fastest form of the host, of the ways that ran."""
    race = RACES[name]
    columns = {title: way for title, way in race["columns"].items()
               if any(racer["name"] == way for racer in events[0]["racers"])}
    yield f"| case | ghosts, sources | host's best, µs | {' | '.join(columns)} | request takes |"
    yield "|---" * (len(columns) + 4) + "|"
    for event in events:
        racers = {racer["name"]: racer for racer in event["racers"]}
        best = min(race["best_of"], key=lambda form: racers[form]["seconds"]["median"])
        gains = [gain(racers[way], best) for way in columns.values()]
        yield (f"| {event['case']} | {event['ghosts']:,.0f}, {event['sources']:.1f} | "
               f"{best.removeprefix('host ')}, {racers[best]['seconds']['median'] * 1e6:.0f} | "
               f"{' | '.join(gains)} | {racers[race['judged']]['plan']['algorithm']} |")


def table_of_ways(events):
    """Markdown: each way's time in the calls and until completion, and the first over direct's."""
    yield "| case | way | µs in the calls, mean of ranks | of direct's | µs until completion, slowest |"
    yield "|---" * 5 + "|"
    for event in events:
        for racer in event["racers"]:
            share = {key: 1 / value for key, value in racer["gain"]["Carpool direct"].items()}
            yield (f"| {event['case']} | {racer['name']} | {racer['seconds']['median'] * 1e6:.0f} | "
                   f"{share['median']:.2f} ({share['third']:.2f}–{share['first']:.2f}) | "
                   f"{racer['completion']['median'] * 1e6:.0f} |")


def table_of_times(events):
    """Markdown: the median time of each racer, and the middle half of its times."""
    yield "| case | way | µs |"
    yield "|---" * 3 + "|"
    for event in events:
        for racer in event["racers"]:
            first, median, third = (1e6 * racer["seconds"][key] for key in ("first", "median", "third"))
            yield f"| {event['case']} | {racer['name']} | {median:.1f} ({first:.1f}–{third:.1f}) |"


def table_of(name, events):
    """The table of a race."""
    if "ways" in RACES[name]:
        return table_of_ways(events)
    if "times" in RACES[name]:
        return table_of_times(events)
    return table_of_columns(name, events) if "columns" in RACES[name] else table(name, events)


def options_from(arguments, mpi):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("race", choices=sorted(RACES))
    parser.add_argument("--ranks", type=int, default=8)
    parser.add_argument("--hosts", type=int, default=1, help="that this machine plays")
    parser.add_argument("--shared-cores", action="store_true",
                        help="tell Carpool that all ranks share the cores of each host: those that "
                        "this machine plays have the same cores")
    parser.add_argument("--budget", type=float, default=1.0, help="seconds of timing per case")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--realtime", action="store_true", help="before all other processes (root)")
    parser.add_argument("--docs", action="store_true",
                        help="put the table into docs/, where a page has a place for it")
    options = parser.parse_args(arguments)
    page = RACES[options.race].get("page")
    if options.docs and not docs_part.has_place(page, part_name(options, mpi)):
        parser.error(f"--docs: no page of docs/ has a place for {part_name(options, mpi)}")
    return options


def part_name(options, mpi):
    return f"{options.race} {mpi}" + (f" {options.hosts} hosts" if options.hosts > 1 else "")


def main():
    mpi = os.environ.get("CARPOOL_MPI", "mpich")
    options = options_from(sys.argv[1:], mpi)
    commit, began = results.commit(), time.strftime("%Y-%m-%dT%H:%M:%S")
    events = list(run(options.race, options))
    cases = [event for event in events if event["event"] == "case"]
    hosts = f"-on-{options.hosts}" if options.hosts > 1 else ""
    file = programs.ROOT / "bench" / "out" / f"{options.race}-{mpi}-{options.ranks}{hosts}.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps({"mpi": mpi, "commit": commit, "began": began,
                                "seed": options.seed, "events": events}, indent=1))
    lines = list(table_of(options.race, cases))
    print("\n".join(lines))
    if options.docs:
        head = f"{mpi}, {options.ranks} ranks, commit {commit}, {began}"
        print(docs_part.fill(RACES[options.race]["page"], part_name(options, mpi),
                             [head, "", *lines]), file=sys.stderr)
    print(f"\n{file}", file=sys.stderr)
    return 0 if len(cases) == RACES[options.race]["cases"] else 1


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: MIT
"""Tables of what a race has found, as Markdown."""

from statistics import geometric_mean

from races import RACES


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


def means(name, events):
    """A sentence: the geometric means of the columns, where a table has a judged racer's gains over others."""
    race = RACES[name]
    if "against" not in race:
        return
    judged = [racer for event in events for racer in event["racers"] if racer["name"] == race["judged"]]
    words = [mean_over(judged, other) for other in race["against"] if any(other in racer["gain"] for racer in judged)]
    yield ""
    yield f"Means (least–greatest) of {len(events)} cases: {'; '.join(words)}."


def mean_over(judged, other):
    found = [racer["gain"][other]["median"] for racer in judged if other in racer["gain"]]
    return f"over {other} {geometric_mean(found):.2f} ({min(found):.2f}–{max(found):.2f})"

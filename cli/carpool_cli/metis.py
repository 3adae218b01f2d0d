"""Graphs as METIS and Chaco have them: a line with the numbers of vertices and edges, then a line for
each vertex, with its neighbors, which are counted from 1. What follows a % says nothing."""

from carpool_cli import files

SUFFIXES = (".graph", ".metis", ".chaco")
MOST_DIGITS = 9
MOST_EDGES = 1 << 24  # in one direction each, as in cli/graph_question.cpp


def graph(file, text, ranks):
    """The number of ranks and the ends of the edges, each edge in both directions."""
    lines = [(number, line.split("%")[0]) for number, line in files.numbered_lines(text)
             if not line.lstrip().startswith("%")]
    start, words = first_of(file, lines)
    vertices, edges, skipped, step = header(file, start, words)
    sources, targets = [], []
    below = [line for line in lines if line[0] > start]
    for vertex, (number, line) in enumerate(below):
        if vertex >= vertices and line.strip():
            raise files.mistake_in(file, number, f"expected the end, after {vertices} vertices")
        for neighbor in neighbors(file, number, line.split()[skipped::step], vertices):
            sources.append(vertex)
            targets.append(neighbor)
    check(file, start, edges, sources, targets)
    if ranks is not None and ranks < vertices:
        raise files.Unreadable(f"--ranks {ranks}, expected at least {vertices}, the vertices of {file}")
    return ranks or vertices, sources, targets


def is_one(file, text):
    try:
        return bool(graph(file, text, None)[1])
    except files.Unreadable:
        return False


def first_of(file, lines):
    for number, line in lines:
        if line.strip():
            return number, line.split()
    raise files.Unreadable(f"{file}: expected a line with the numbers of vertices and edges")


def header(file, number, words):
    """How many vertices and edges there are, and which words of a line are neighbors: from which one
    on, and each which one."""
    if not 2 <= len(words) <= 4 or not all(is_number(word) for word in words):
        raise files.mistake_in(file, number, f"'{' '.join(words[:4])}', expected the numbers of "
                               "vertices and edges of a graph of METIS, such as 6 6")
    if 2 * int(words[1]) > MOST_EDGES:
        raise files.mistake_in(file, number, f"{words[1]} edges, expected at most {MOST_EDGES // 2}")
    kinds = words[2].zfill(3)[-3:] if len(words) > 2 else "000"
    weights = (int(words[3]) if len(words) > 3 else 1) if kinds[1] == "1" else 0
    return int(words[0]), int(words[1]), int(kinds[0]) + weights, 1 + int(kinds[2])


def is_number(word):
    return word.isascii() and word.isdigit() and len(word) <= MOST_DIGITS


def neighbors(file, number, words, vertices):
    for word in words:
        if not is_number(word) or not 1 <= int(word) <= vertices:
            raise files.mistake_in(file, number, f"neighbor '{word}', expected from 1 to {vertices}")
        yield int(word) - 1


def check(file, line, edges, sources, targets):
    """Each edge is in the lines of both of its ends."""
    if len(sources) != 2 * edges:
        raise files.mistake_in(file, line, f"{edges} edges, but the lines below have {len(sources)} "
                               f"neighbors, expected {2 * edges}")
    pairs = set(zip(sources, targets, strict=True))
    alone = next(((a, b) for a, b in pairs if (b, a) not in pairs), None)
    if alone:
        raise files.Unreadable(f"{file}: vertex {alone[0] + 1} has the neighbor {alone[1] + 1}, "
                               "expected the same the other way round")

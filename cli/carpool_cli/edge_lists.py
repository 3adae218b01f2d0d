"""Lists of edges: a line "from to" for each. What follows a # or % says nothing."""

from carpool_cli import files, metis

# What --ids says of the numbers in a list, and the least of them.
LEAST = {"0": 0, "1": 1, "any": 0}
MOST_DIGITS = {"0": 9, "1": 9, "any": 18}


class EdgeList:
    """The edges of a file, each with its line."""

    def __init__(self, file, text, ids):
        self.file, self.ids = file, ids or "0"
        self.lines, self.sources, self.targets = [], [], []
        for number, line in files.numbered_lines(text):
            words = line.replace("%", "#").split("#")[0].split()
            if words:
                self.add(number, words)

    def add(self, number, words):
        most = MOST_DIGITS[self.ids]
        if len(words) != 2 or not all(word.isascii() and word.isdigit() and len(word) <= most
                                      for word in words):
            raise files.mistake_in(
                self.file, number, f"'{' '.join(words[:4])}', expected two ranks, from and to, such as "
                                   "0 1; or a graph of METIS, in a file whose name ends in .graph")
        if len(self.lines) > metis.MOST_EDGES:
            raise files.mistake_in(self.file, number, f"expected at most {metis.MOST_EDGES} edges")
        self.lines.append(number)
        self.sources.append(int(words[0]))
        self.targets.append(int(words[1]))

    def header(self, ranks):
        """Takes away a first line that has the numbers of vertices and of edges, and returns the
        number of vertices; None if there is no such line. Of two lines each may be an edge."""
        if len(self.lines) < 3 or self.targets[0] != len(self.lines) - 1:
            return None
        vertices, ends = self.sources[0], self.sources[1:] + self.targets[1:]
        if ranks not in (None, vertices):
            return None
        if max(ends) > vertices or (max(ends) == vertices and min(ends) != 1):
            return None
        del self.lines[0], self.sources[0], self.targets[0]
        return vertices

    def ranks(self):
        """As many as the numbers of the ends need, which then begin at 0."""
        least = LEAST[self.ids]
        if self.ids == "any":
            names = {end: rank for rank, end in enumerate(sorted({*self.sources, *self.targets}))}
            self.sources = [names[end] for end in self.sources]
            self.targets = [names[end] for end in self.targets]
        self.check(lambda end: end >= least, f"expected numbers from {least} on")
        self.sources = [end - least for end in self.sources]
        self.targets = [end - least for end in self.targets]
        return max(max(self.sources, default=-1), max(self.targets, default=-1)) + 1

    def check_room(self, needed, count):
        if self.ids == "any" and needed > count:
            raise files.Unreadable(f"{self.file}: {needed} numbers, expected at most {count}, of --ranks")
        least = LEAST[self.ids]
        self.check(lambda end: end < count, f"expected ranks from {least} to {count - 1 + least}", least)

    def check(self, is_right, expected, shifted=0):
        for line, source, target in zip(self.lines, self.sources, self.targets, strict=True):
            if not (is_right(source) and is_right(target)):
                raise files.mistake_in(self.file, line,
                                       f"edge {source + shifted} to {target + shifted}, {expected}")

    def idle(self, count):
        """How many ranks have no edge, and what might be meant."""
        return [f"{note}{self.advice(count)}" for note in idle(count, self.sources, self.targets)]

    def advice(self, count):
        if self.ids != "0":
            return ""
        if len({*self.sources, *self.targets}) == count - 1 and min(self.sources + self.targets, default=0) == 1:
            return ": rank 0; if numbers begin at 1 there, say --ids 1"
        return "; --ids any numbers only those that have one"


def idle(count, sources, targets):
    """A note on ranks that have no edge."""
    missing = count - len({*sources, *targets})
    return [f"{missing:,} of {count:,} ranks {'has' if missing == 1 else 'have'} no edge"] if missing else []


def graph(file, text, ranks, ids):
    """The number of ranks, the ends of the edges, and notes on what was assumed."""
    found = EdgeList(file, text, ids)
    if not found.lines:
        return ranks or 0, [], [], []
    first = found.lines[0]
    vertices = found.header(ranks)
    if vertices is not None and metis.is_one(file, text):
        return (*metis.graph(file, text, ranks),
                [f"line {first} and those below it are taken for a graph of METIS"])
    needed = found.ranks()
    count = ranks or max(needed, vertices or 0 if found.ids != "any" else 0)
    found.check_room(needed, count)
    notes = [] if vertices is None else [
        f"line {first} is taken for the numbers of vertices and edges, {vertices} and {len(found.lines)}; "
        "if it is an edge, move it down"]
    return count, found.sources, found.targets, notes + ([] if ranks else found.idle(count))

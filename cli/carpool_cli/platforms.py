# SPDX-License-Identifier: MIT
"""Networks of nodes: KIND:SHAPE, the last number of which is that of ranks per node, or a file of
SimGrid."""

import itertools
import math
import re
from dataclasses import dataclass
from xml.etree import ElementTree

import click

from carpool_cli import files

FORMS = {
    "cluster": "cluster:NODESxRANKS, such as cluster:36x32",
    "fattree": "fattree:LEAVESxNODESxRANKS[:UP], such as fattree:4x9x32:4",
    "torus": "torus:D1x…xDnxRANKS, such as torus:4x3x3x32",
    "dragonfly": "dragonfly:GROUPSxCHASSISxROUTERSxNODESxRANKS, such as dragonfly:3x3x2x2x32",
}
PREFIX = "node-"
MOST_ROOM = 1 << 62
UNLIMITED = 1e15  # bytes per second: a loopback costs no time, since the trace makes both ends sleep for the copy
MOST_HOSTS = 1 << 20  # in a file, which SimGrid makes one by one


@dataclass(frozen=True)
class Platform:
    """Where ranks are: the first `per_node` on the first node, and so on."""

    text: str
    kind: str
    shape: tuple  # of the network, without ranks per node
    nodes: int
    per_node: int
    up: int = 0  # of a fat tree: links of a leaf to the switches above
    hosts: tuple = ()  # of a file: their names

    @property
    def shares_links(self):
        """Does congestion inside the network matter, which LogGP knows nothing of?"""
        return self.kind != "cluster"

    @property
    def room(self):
        """For how many ranks, as far as anybody asks."""
        return min(self.nodes * self.per_node, MOST_ROOM)

    def host(self, node):
        return self.hosts[node] if self.hosts else f"{PREFIX}{node}"

    @property
    def is_file(self):
        """Then the network is the file's, of which LogGP knows nothing."""
        return self.kind == "file"

    def xml(self, machine):
        """As SimGrid reads it, unless it is a file."""
        return XML.format(prefix=PREFIX, last=self.nodes - 1, cores=self.per_node,
                          bandwidth=min(machine.adapter_bandwidth, self.per_node * machine.bandwidth),
                          latency=machine.latency / self.links(),
                          node_bandwidth=UNLIMITED, node_latency=machine.node_latency,
                          topology=self.topology()).encode()

    def links(self):
        """Links on the way between two nodes: of a cluster and a fat tree at most, of a torus on
        average; of a dragonfly within and between two groups."""
        return {"cluster": 2, "fattree": 4, "dragonfly": 5}.get(
            self.kind, max(1, sum(size / 4 for size in self.shape)))

    def topology(self):
        sizes = ",".join(map(str, self.shape))
        if self.kind == "torus":
            return f' topology="TORUS" topo_parameters="{sizes}"'
        if self.kind == "fattree":
            leaves, below = self.shape
            return (f' topology="FAT_TREE" topo_parameters="2;{below},{leaves};1,{self.up};1,1"')
        if self.kind == "dragonfly":
            groups, chassis, routers, below = self.shape
            return (f' topology="DRAGONFLY" topo_parameters="{groups},1;{chassis},1;{routers},1;'
                    f'{below}"')
        return ""


XML = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="world" routing="Full">
    <cluster id="cluster" prefix="{prefix}" suffix="" radical="0-{last}" speed="1Gf" core="{cores}"
             bw="{bandwidth:.9g}Bps" lat="{latency:.9g}s"
             loopback_bw="{node_bandwidth:.9g}Bps" loopback_lat="{node_latency:.9g}s"{topology}/>
  </zone>
</platform>
"""


ONE_NODE = Platform("one node", "cluster", (1,), 1, 2**20)


def chosen(given):
    """By --platform and, for a file of SimGrid, --per-node; None without --platform."""
    text, per_node = given["platform"], given["per_node"]
    if text is None:
        return None
    if per_node and not text.endswith(".xml"):
        raise click.UsageError(f"--per-node is for a file of SimGrid; --platform {text} says how many "
                               "ranks a node has")
    if per_node and (len(per_node) > 1 or per_node[0] < 1):
        raise click.UsageError(f"--per-node: '{','.join(map(str, per_node))}', expected ranks on each host "
                               f"of {text}, one number from 1 on")
    return platform(text, per_node and per_node[0])


def platform(text, per_node=None):
    """The platform of a text. @param per_node: ranks on each node, for a file of SimGrid"""
    if text.endswith(".xml"):
        return of_file(text, per_node or 1)
    kind, _, rest = text.partition(":")
    sizes, _, up = rest.partition(":")
    if kind not in FORMS or not re.fullmatch(r"[1-9]\d{0,7}(x[1-9]\d{0,7})+", sizes) or (
            up and not (kind == "fattree" and re.fullmatch(r"[1-9]\d{0,4}", up))):
        refuse(text, kind)
    *shape, ranks = map(int, sizes.split("x"))
    expected = {"cluster": 1, "fattree": 2, "dragonfly": 4}.get(kind, len(shape))
    if len(shape) != expected:
        refuse(text, kind)
    return Platform(text, kind, tuple(shape), math.prod(shape), ranks,
                    up=int(up) if up else shape[-1])


def refuse(text, kind):
    expected = FORMS.get(kind) or f"{'; '.join(FORMS.values())}; or a file of SimGrid (.xml)"
    raise click.UsageError(f"--platform '{text}', expected {expected}")


def of_file(file, per_node):
    try:
        root = ElementTree.fromstring(files.content(file))
    except files.Unreadable as error:
        raise click.UsageError(f"--platform {error}") from None
    except (ElementTree.ParseError, LookupError, ValueError) as error:  # or of an unknown encoding
        raise click.UsageError(f"--platform {file}: no XML: {error}") from None
    every = (name for element in root.iter() for name in hosts_of(file, element))
    hosts = tuple(itertools.islice(every, MOST_HOSTS + 1))
    if not 0 < len(hosts) <= MOST_HOSTS:
        raise click.UsageError(f"--platform {file}: has {'more than 2^20' if hosts else 'no'} hosts, expected "
                               "from 1 to 2^20")
    return Platform(file, "file", (), len(hosts), per_node, hosts=hosts)


def hosts_of(file, element):
    if element.tag == "host":
        yield element.get("id", "")
    if element.tag == "cluster":
        for part in element.get("radical", "").split(","):
            if not re.fullmatch(r"[0-9]{1,9}(-[0-9]{1,9})?", part):
                raise click.UsageError(f"--platform {file}: radical '{part}', expected numbers such as "
                                       "0-15")
            first, _, last = part.partition("-")
            for number in range(int(first), int(last or first) + 1):
                yield f"{element.get('prefix', '')}{number}{element.get('suffix', '')}"

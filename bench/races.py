# SPDX-License-Identifier: MIT
"""The races: their cases, and the ways that their tables show."""

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
    import mesh_parts  # which needs libraries that a table of results does not
    points = 4000 * ranks
    mesh_parts.written(points, ranks)
    unordered = [f"{case}/shuffled" for case in ("power/2000", f"mesh/{points}")]
    return ["stencil/16", "stencil/32", "power/2000", f"mesh/{points}", *unordered]


HOST = ["host blocking", "host nonblocking", "host persistent"]
GHOSTS = "Carpool ghosts, "
AGAINST = ["host", "host persistent", "by hand", "Carpool direct"]
RACES = {
    "halo": {"arguments": ["8,16,32,64", "1,2,3,4"], "cases": 16, "judged": "Carpool halo, auto",
             "against": ["host alltoallw", "host alltoallw, persistent", "by hand, datatypes",
                         "by hand, packed"]},
    "bundles": {"arguments": ["2,8", ",".join(f"grid-d{d}-n3/alltoall/{size}" for d in (2, 3)
                                              for size in (8, 80, 800))],
                "cases": 12, "judged": "Carpool bundle",
                "against": ["host blocking", "host nonblocking", "host persistent",
                            "Carpool requests"]},
    "graphs": {"arguments": ["random:0.1,random:0.3,random:0.8,moore:2:1,moore:2:2",
                             "4,64,1024,4096"], "cases": 40, "judged": "Carpool auto",
               "against": ["host blocking", "host nonblocking", "host persistent", "by hand"]},
    "listing_3": {"arguments": ["4,16,64,256"], "cases": 4, "judged": "Carpool, as printed",
                  "plan_of": "Carpool request",
                  "against": ["host blocking", "host nonblocking", "host persistent",
                              "Carpool request"]},
    "pencils": {"arguments": pencils, "cases": 15, "judged": "Carpool auto",
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
               "columns": {"request": GHOSTS + "auto", "call": GHOSTS + "call",
                           "direct": GHOSTS + "direct",
                           "node:1": GHOSTS + "node:1", "node:2": GHOSTS + "node:2",
                           "node:4": GHOSTS + "node:4", "alltoallv": "Carpool alltoallv",
                           "by hand": "by hand", "by hand, persistent": "by hand, persistent"}},
    "gpu": {"arguments": ["16,32,64,128,256"], "cases": 6, "times": True},
    "cpu_time": {"arguments": ["8,76,476,1000"], "cases": 4, "ways": True},
    "reductions": {"arguments": ["1,2", "1,10,100,1000"], "cases": 16,
                   "judged": "Carpool reduction, auto",
                   "against": ["host, then add", "Carpool, then add"]},
}

# SPDX-License-Identifier: MIT
"""Links of pages to other files of the repository lead to the pages that show these."""

import re
from pathlib import Path

from docutils import nodes
from sphinx.addnodes import download_reference, pending_xref
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

ROOT = Path(__file__).resolve().parents[2]
PAGES = {"README": "index", "DESIGN": "background/design", "CHANGELOG": "background/changes",
         "CONTRIBUTING": "background/contributing", "SECURITY": "background/security",
         "GOVERNANCE": "background/governance", "CODE_OF_CONDUCT": "background/conduct",
         "cli/README": "guide/command", "examples": "reference/examples"}


def page_of(target: str) -> str:
    """The page of a file that is named from docs/, from the root, or by its whole path."""
    path = target.removeprefix(f"{ROOT}/").removesuffix(".md")
    path = re.sub(r"^(\.\./|docs/)+", "", path)
    if path.startswith("examples/"):
        return PAGES["examples"]
    if path.startswith("include/carpool/"):
        return "reference/c/" + Path(path).stem
    return PAGES.get(path, path)


def is_of_file(link: nodes.Element) -> bool:
    return isinstance(link, download_reference) or link.get("reftype") == "myst"


def is_of_page(link: nodes.Element) -> bool:
    """To another page of docs/, which MyST has found by itself."""
    return link.get("refdomain") == "doc" and not link["reftarget"].startswith("/")


def to_file(link: nodes.Element) -> download_reference:
    """Of a page that is not in the site."""
    path = Path(link["reftarget"]).relative_to(ROOT)
    children = [child.deepcopy() for child in link.children]
    return download_reference("", "", *children, reftarget=f"/../{path}.md", refdoc=link["refdoc"])


class RepositoryLinks(SphinxTransform):
    default_priority = 400

    def apply(self, **given) -> None:
        for kind in (download_reference, pending_xref):
            for link in list(self.document.findall(kind)):
                self.lead(link)

    def lead(self, link: nodes.Element) -> None:
        page = page_of(link.get("reftarget", ""))
        if is_of_file(link) and page in self.env.found_docs and not is_of_page(link):
            link.replace_self(self.to_page(link, page))
        elif link.get("refdomain") == "doc" and link["reftarget"].startswith("/"):
            link.replace_self(to_file(link))

    def to_page(self, link: nodes.Element, page: str) -> pending_xref:
        children = [child.deepcopy() for child in link.children]
        return pending_xref("", *children, refdomain="std", reftype="doc", reftarget=f"/{page}",
                            refexplicit=True, refdoc=self.env.docname, refwarn=True)


def setup(app: Sphinx) -> dict:
    app.add_transform(RepositoryLinks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

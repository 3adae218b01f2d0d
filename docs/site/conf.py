# SPDX-License-Identifier: MIT
"""The site that `make docs` builds from docs/, the headers and the Python package."""

import re
import sys
from pathlib import Path

SITE = Path(__file__).resolve().parent
ROOT = SITE.parent.parent
sys.path.insert(0, str(SITE))

project = "Carpool"
version = re.search(r"project\(\w+ VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
release = version

extensions = ["myst_parser", "autoapi.extension", "sphinx_copybutton", "sphinx_design",
              "sphinx_llms_txt", "reference",
              "examples", "language_tabs", "repository_links", "shown_markup", "tutorial"]
exclude_patterns = ["site"]

# llms.txt, an index of the pages for language models, and llms-full.txt with all their text.
llms_txt_summary = ("Carpool combines the messages of sparse collectives on MPI that share a route: neighborhood collectives, halos, "
                    "ghost values, sparse exchanges and short collectives, persistent or not, in C, C++, Fortran and Python.")
llms_txt_exclude = ["reference/python/*"]
llms_txt_uri_template = "{docname}.html"  # beside it, wherever the site is
llms_txt_code_files = ["+:../include/carpool/*.h", "+:../cli/README.md", "+:../examples/*.c", "+:../examples/*.py"]

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4
suppress_warnings = ["myst.header"]  # levels left out

autoapi_dirs = [str(ROOT / "python" / "carpool")]
autoapi_root = "reference/python"
autoapi_add_toctree_entry = False
autoapi_keep_files = False
autoapi_member_order = "groupwise"
autoapi_options = ["members", "undoc-members", "imported-members", "inherited-members",
                   "show-inheritance"]

html_theme = "furo"
html_title = f"Carpool {version}"
html_static_path = ["static"]
html_css_files = ["carpool.css"]
html_show_sphinx = False
html_show_copyright = False
html_copy_source = True  # of which llms-full.txt is made
html_show_sourcelink = False
html_theme_options = {"navigation_with_keys": True}
highlight_language = "none"
pygments_style = "friendly"
pygments_dark_style = "github-dark"
maximum_signature_line_length = 88
c_maximum_signature_line_length = 1000
copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True

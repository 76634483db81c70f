"""How the documentation site is built; `make docs` does it."""

import sys
from pathlib import Path

from orderedness._version import __version__

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

project = "orderedness"
author = "The orderedness contributors"
copyright = author  # noqa: A001  # as Sphinx calls it
version = release = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "docstrings",
    "mathml",
]
exclude_patterns = ["_build"]
language = "en-GB"

# Pages. Links to headings are checked as links to pages are.
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3

# The reference. A single backtick in a docstring is code.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autoclass_content = "class"
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_attr_annotations = False
napoleon_custom_sections = [("Attributes", "params_style")]
add_module_names = False
python_maximum_signature_line_length = 88

# Every name of ours that is mentioned must be found; those of other libraries live elsewhere.
nitpicky = True
nitpick_ignore_regex = [
    (r"py:.*", r"(?!orderedness).*"),
]

html_theme = "furo"
pygments_dark_style = "monokai"
html_title = "orderedness"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_search_summary = False  # it would fetch pages, which browsers refuse for files
html_math_renderer = "mathml"

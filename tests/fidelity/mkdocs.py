"""Renders sources of MkDocs: a JSON list of texts becomes one of HTML, as Material for MkDocs sets it.

Icons are pictures, so they leave nothing; names of tabs stand before their panels.
"""

import json
import re
import sys

import markdown

EXTENSIONS = [
    "abbr", "admonition", "attr_list", "def_list", "footnotes", "md_in_html", "tables",
    "pymdownx.betterem", "pymdownx.caret", "pymdownx.details", "pymdownx.highlight", "pymdownx.inlinehilite",
    "pymdownx.keys", "pymdownx.mark", "pymdownx.smartsymbols", "pymdownx.superfences", "pymdownx.tabbed",
    "pymdownx.tasklist", "pymdownx.tilde",
]
FRONT = re.compile(r"\A\ufeff?\s*---\r?\n.*?\r?\n---\s*(\r?\n|\Z)", re.S)
ICON = re.compile(r":(?:material|octicons|fontawesome|simple)-[\w-]+:(?:\{[^}]*\})?")
COMMENT = re.compile(r"<!--.*?-->", re.S)
CODE = re.compile(r"(^ *(?:```+|~~~+).*?^ *(?:```+|~~~+) *$|`[^`\n]+`)", re.S | re.M)
# A box to tick is a sign, as in an entry.
BOX = re.compile(r'<input type="checkbox"([^>]*)>')


def html(text):
    body = FRONT.sub("", text)
    parts = CODE.split(body)
    parts[::2] = [COMMENT.sub("", ICON.sub("", part)) for part in parts[::2]]
    made = markdown.markdown("".join(parts), extensions=EXTENSIONS)
    return BOX.sub(lambda box: "☑ " if "checked" in box[1] else "☐ ", made)


json.dump([html(text) for text in json.load(sys.stdin)], sys.stdout)

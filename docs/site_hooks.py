"""What MkDocs does with our pages beyond its configuration (see mkdocs.yml).

Pages that GitHub expects at the root of the repository are pages of the site too, and a link to a file that is no page
leads to the repository. Pages of reference, which have signatures and first sentences for readers of the repository,
show whole docstrings on the site.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[1]
AT_THE_ROOT = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")

_REFERENCE = re.compile(r"^<!-- (?P<directive>::: [\w.]+) -->\n.*?^<!-- end -->$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<=\]\()(?!\w+:|#)(?P<path>[^)#\s]+)(?P<anchor>#[^)\s]*)?(?=\))")


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that stand at the root of the repository."""
    for name in AT_THE_ROOT:
        files.append(File.generated(config, name, content=(ROOT / name).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Show whole docstrings; let links lead to pages of the site where there are such, else to the repository."""
    source = page.file.src_uri
    folder = "" if source in AT_THE_ROOT else posixpath.join("docs", posixpath.dirname(source))

    def target(match: re.Match[str]) -> str:
        path, anchor = posixpath.normpath(posixpath.join(folder, match["path"])), match["anchor"] or ""
        inside = path.removeprefix("docs/")
        if (path.startswith("docs/") or path in AT_THE_ROOT) and files.get_file_from_path(inside):
            return posixpath.relpath(inside, posixpath.dirname(source) or ".") + anchor
        if not (ROOT / path).exists():
            return match[0]
        return f"{config.repo_url}/blob/main/{path}{anchor}"

    return _LINK.sub(target, whole_docstrings(markdown))


def whole_docstrings(markdown: str) -> str:
    """Replace what `write_reference.py` wrote by the directives of mkdocstrings."""
    return _REFERENCE.sub(lambda match: match["directive"], markdown)

"""ZIP archives of documents (DOCX, EPUB), opened with limits so that no decompression bomb costs time or memory."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable
from typing import ClassVar

from nutgraf.errors import InputError
from nutgraf.readers import Reader

MOST_XML = 1 << 28
"""Maximum decompressed size in bytes of all parts that are read."""

MOST_ELEMENTS = 4_000_000
"""Maximum number of XML elements; a novel has some 100,000."""

MOST_RATIO = 500
"""Maximum compression ratio of a large part; text is compressed to about a tenth."""

MOST_DIRECTORY = 1 << 24
"""Maximum size of the archive's directory in bytes."""

_LARGE = 1 << 24
_DIRECTORY_END = b"PK\x05\x06"
_MAGIC = b"PK\x03\x04"


class ArchiveReader(Reader):
    """Reads a format that is a ZIP archive with a certain part in it."""

    part: ClassVar[str]
    """Name of the part."""

    def recognizes(self, data: bytes, suffix: str) -> float:
        """Recognize an archive with the part; see `Reader`."""
        return 1.0 if opened(data, self.part) else 0.0


def opened(data: bytes, part: str) -> zipfile.ZipFile | None:
    """Return the archive if it has this part and a directory of a reasonable size."""
    archive = archive_of(data)
    return archive if archive and part in archive.namelist() else None


def archive_of(data: bytes) -> zipfile.ZipFile | None:
    """Return the archive if it has a directory of a reasonable size."""
    end = data.rfind(_DIRECTORY_END, -(1 << 17))
    if not data.startswith(_MAGIC) or end < 0:
        return None
    if int.from_bytes(data[end + 12 : end + 16], "little") > MOST_DIRECTORY:
        return None
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError, OSError):
        return None


def check_sizes(parts: Iterable[zipfile.ZipInfo], name: str) -> None:
    """Refuse parts that unpack to more than a document can have."""
    parts = list(parts)
    if sum(part.file_size for part in parts) > MOST_XML:
        raise InputError(f"{name} unpacks to more than {MOST_XML >> 20} MB; split it.")
    if any(part.file_size > max(_LARGE, MOST_RATIO * part.compress_size) for part in parts):
        raise InputError(
            f"{name} unpacks to more than {MOST_RATIO} times its size, as no document does that was written by "
            "people; save its text anew."
        )


def too_many_elements(name: str) -> InputError:
    """The error of a document with more than `MOST_ELEMENTS`."""
    return InputError(f"{name} has more than {MOST_ELEMENTS:,} XML elements; split it.")

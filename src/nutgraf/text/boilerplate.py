"""Words by which sentences betray that they are about the page, the file or the recording and not about its subject.

Each line is a kind and a pattern. They are in English, German, French and Spanish, and were written from what such
pages usually say; no pattern names a site, a person or a topic.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

START = {
    "caption": r"""
        \[?(?:photo|image|picture|illustration|caption|foto|bild|video|watch|listen|slideshow)\s?[:|]
        \[\d+/\d+\]|file\s[-–—]\s
        (?:extended\sdata\s|supplementary\s)?(?:fig(?:ure)?s?|tables?|tab|abb(?:ildung)?|tabelle|tableau|figura|tabla|plate|chart|exhibit|scheme|listing|algorithm)\.?\s?(?:\d|[ivx]+\b|[a-z]\d)
        [†‡*§]\s
    """,
    "reference": r"""
        [\^↑]\s|\[\^?\d+\]:?\s|\[\d+\]\s?[A-Z]
        (?:\d+\s|\[\d+\]\s)?(?:[A-ZÀ-Þ][\w'’-]+,?\s(?:[A-Z]\.\s?-?){1,3}(?:,|;|\(|and\b|&|\d|et\b|$)|[A-ZÀ-Þ][\w'’-]+\s[A-Z]{1,2}(?:,|\.)\s)
        (?:[Ss]ee|[Cc]f|[Vv]gl|[Vv]oir|[Vv]id)\.?:?\s.{0,60}\b(?:pp?|ch|vol|no|s|chap)\.\s?\d
    """,
    "byline": r"""
        (?:[Bb]y|BY|Von|Par|Por)(?:\s(?:[A-ZÀ-Þ][\w.'’-]*|and|und|et|y|&|in),?)+(?:\s\(?[A-Z].{0,30})?$
        (?:Words|Text|Photographs?|Photos?|Pictures?|Portraits?|Illustrations?|(?:Additional\s)?[Rr]eporting|Editing|Written|Edited|Illustrated|Translated|Compiled|Produced|Camera|Sound)(?:\s(?:by|from))?:?\s[A-Z]
        (?:Author|Editor|Translator)\sof\s["“*]
    """,
    "metadata": r"""
        (?:>\s*)?(?:from|to|cc|bcc|sent|date|subject|reply-to|von|an|gesendet|betreff|objet|envoyé|de|à|asunto|para|fecha)\s?:\s
        (?:>\s*)?(?:le|on|am|el)\s.{4,40}\d{1,2}:\d\d
        \[?\(?\d{1,2}:\d\d(?::\d\d)?[\])]?\s|.{0,20}-->
        \[(?:laughter|applause|music|noise|crosstalk|inaudible|she|he|they|ask\sif|the\s|a\s)|\[\s
        (?:source|quelle|fuente)\s?:
    """,
    "boilerplate": r"""
        (?:we|the\sauthors?|i)\s(?:(?:would\slike|wish)\sto\s|also\s)?(?:thank|acknowledge|(?:are|am|is)\sgrateful)\b
        (?:no\spart\sof|any\sresemblance|the\sright\sof|all\sauthors|opinions\sare|views\sexpressed)\b
    """,
    "notice": r"""
        (?:bitte\s(?:beachten|klicken)|merci\sde\s|veuillez\s|we\suse\scookies)
        (?:click|subscribe|sign\sup|follow\sus|read\smore|scroll|register\s(?:at|now|here|for|free)|visit\s(?:our|us|https?|www|\S+\.\w)|join\s(?:us|the\sdiscussion|our)|buy\s(?:now|tickets|here)|order\s(?:now|here|online|your)|donate|download\s(?:the|our|this)|share\s(?:this|on)|support\sus|check\sout|see\salso|main\sarticle|further\sinformation|for\s(?:more|further|all|additional)\s(?:\w+\s){0,2}(?:stor|inform|detail|news|queries|enquir)|to\s(?:order|subscribe|learn\smore|listen|join|unsubscribe)|get\s(?:the|our|your|\w+\s(?:percent|%))|find\sout\smore|like\swhat\syou|did\sa\sfriend|rate\sthe|was\sthis\s(?:page|article|helpful|useful)|how\s(?:did|do)\swe|do\syou\shave\sa\s(?:story|memory|tip|question)|article\sdétaillé|note\syou\sare|warning\b)
        (?:readers|subscribers|members)\s(?:of|get|can|receive)\b.*(?:%|code|free)
        [★⭐⚠☆✉☎📧👉]
    """,
    "procedural": r"""
        (?:good\s(?:morning|evening|afternoon|day|night)|hello|hi|hey|welcome|thanks|thank\syou|bonjour|guten\s(?:tag|morgen|abend)|buenos\sdías)\b
        (?:(?:\w+\s){0,4}?(?:it's\sa\s(?:joy|pleasure)\sto\shave|thank\syou\s(?:so\smuch|very\smuch|for)))
        (?:next\smeeting|prochaine\sréunion|nächste\ssitzung|próxima\sreunión|coming\sup|when\swe\scome\sback|and\swe're\sback|we're\sback)\b
    """,
    "lineup": r"""
        (?:booked|sent\soff|ref(?:eree)?|subs(?:titutes)?|attendance|scorers?|half-?time|umpires?)\s?:
    """,
    "poll": r"""
        [qd]\d+[a-z]?[.:]?\s?$
    """,
}
"""Patterns at the beginning of a sentence; those of "reference" and "byline" tell capitals from small letters."""

LABELS = r"""
    (?:F(?:unding|UNDING)|A(?:cknowledge?ments?|CKNOWLEDGE?MENTS)|Competing\s[Ii]nterests?|Conflicts?\sof\s[Ii]nterests?|Declarations?|Disclosures?|Contributors|Author\s[Cc]ontributions|Data\s[Aa]vailability|Ethics(?:\s[Aa]pproval)?|Provenance(?:\sand\speer\sreview)?|Correspond(?:ence|ing\s[Aa]uthor)|Key\s?words?|Schlüsselwörter|Mots[-\s]clés|Palabras\sclave|Licen[sc]e|Disclaimer|Copyright|Impressum)(?:\s?[:.—–]|\s[A-Z])
    Received\s\d|[A-Z]{2,3}(?:(?:,|\sand)\s[A-Z]{2,3})*\s(?:conceived|designed|wrote|drafted|analy[sz]ed|collected|performed|counted|declares?|has\sreceived|is\sguarantor)\b
"""
"""Headings that a sentence runs on from, and initials of authors who say what they did."""

INSIDE = {
    "caption": r"""
        (?:in\sthis\s(?:undated\s|file\s)?photo|photo(?:graph)?\s(?:by|courtesy|provided)|(?:image|picture|photo)\scredit|file\sphoto|(?:hand-?out|archivfoto|archives\sdépartementales))\b
    """,
    "reference": r"""
        (?:vol|no|nr|bd)\.\s?\d+,?\s(?:pp?|s)\.|pp\.\s?\d|doi\b|isbn\b|archived\sfrom\b|retrieved\s(?:on\s)?\d|in\sproc\.
    """,
    "byline": r"""
        reported\sfrom\b|contributed(?:\sto\sthis\s(?:report|story|article)|\sreporting)?\.$|is\sa\s(?:contributing|staff|senior|freelance)\s(?:editor|writer|reporter|correspondent)|(?:his|her|their)\slast\spiece\sfor\sus\b|has\scovered\b.{3,40}\bfor\s\w+\syears|covers\s\w+(?:,\s\w+)*(?:,?\sand\s[\w\s]+)?\.$
    """,
    "boilerplate": r"""
        copyright\b|all\srights\sreserved|alle\srechte\svorbehalten|tous\sdroits\sréservés|todos\slos\sderechos
        licen[sc]ed\sunder|under\sthe\sterms\sof\b|open[-\s]access\sarticle|creative\scommons|domaine\spublic|réutilisation\b|public\sdomain\b
        may\snot\sbe\s(?:published|reproduced|copied|redistributed)|without\s(?:prior\s|written\s|prior\swritten\s)?permission\b|re-?use\sthis\b
        does\snot\sconstitute\b|information(?:al)?\s(?:purposes\s)?only\b|forward-looking\b|obligation\sto\supdate|may\sdiffer\smaterially|non-gaap|limited\sassurance|not\sprofit\sforecasts
        identify\ssuch\sstatements|reconciliation\sis\sprovided|useful\sto\sinvestors
        (?:work|study|research|project|paper)\s(?:was|is|has\sbeen)\s(?:partially\s|partly\s)?(?:funded|supported|financed)\sby|grant\s(?:number|no\.|agreement)|grateful\sto\b.*\bfor\s(?:their|his|her)\b
        no\s(?:competing|conflicts?|conflicting)\b.*\binterests?|competing\sinterests|data\s(?:will\sbe|are|is)\savailable\s(?:from|at|on|upon|under|via)\b|specific\sgrant\b|approved\sthe\sfinal\sversion|peer[-\s]review(?:ed)?\.$|anonymous\s(?:reviewers|referees)
        confidential\sand\b|in\serror\b.*\b(?:delete|notify|sender)|accepts?\sno\sliability|no\sone\selse\sin\sconnection\b|is\sacting\sfor\b
        book\sis\sa\swork\sof\sfiction|resemblance\sto\s(?:actual|persons)|be\sidentified\sas\sthe\sauthor|catalogue\srecord|printed\s(?:and\sbound\s)?in\b.*\bby\b|achevé\sd.imprimer|transcriber\b|printer.s\serrors|hyphenation\b.*\boriginal
        (?:this|the)\s(?:report|publication|document|release|announcement|transcript|electronic\sbook|e-?book)\s(?:is|was|may)\s(?:also\s)?(?:be\s|hereby\s)?(?:available|published|submitted|licensed|issued|provided|distributed|read\sby)|purpose\sof\san?\s(?:inquiry|investigation)\b|establish\sblame|assign\sfault|uncorrected\stranscript
        event\sof\sany\sdiscrepancy|copyright\sholders|for\sa\sprivate\suse|usage\sprivé|registered\s(?:charity|office|trade\s?mark|name)\b
        first\spublished\b|is\san\sedited\sextract
        association\srégie\spar\sla\sloi|agency\sof\sthe\scontact
    """,
    "notice": r"""
        click\s(?:here|on|the|to|below)|mit\seinem\sklick|cliquez\b|haga\sclic|externen\sinhalt|abonnieren\ssie
        subscribe\sto\b|sign\sup\s(?:here|for|to)\b|newsletter\b.*\b(?:inbox|your)|unsubscribe\b|opted\sin\b|your\s(?:inbox|e-?mail\s(?:address|preferences)?|preferences|browser)\b|désinscrire\b
        scroll\sdown|press\sf\d|delayed\sat\sleast|on\sthe\sapp\b|live\stext\b|terms\s(?:of\suse|and\sconditions|and\sprivacy)|privacy\s(?:policy|notice)|accept\s(?:all\s)?cookies|captcha|affiliate\slinks?|may\searn\sa\scommission|does\snot\saffect\sour\b|happy\sto\scorrect\b
        (?:percent|%)\soff\b|order\sform\b|vip\smember|remove\s(?:all\s)?ads\b|open\sroles|rss\sfeed|star\sit\b|this\srepo\b|pull\srequests?\s(?:are\s)?welcome|code\sof\sconduct|security\spolicy\b
        (?:article|story|post|interview|page|transcript|episode|piece)\s(?:was|has\sbeen)\s(?:first\s|originally\s|last\s)?(?:published|updated|corrected|amended|generated|produced|created|condensed|edited|archived|translated)|episode\sis\s(?:supported|sponsored|brought)|is\sbrought\sto\syou\sby|earlier\sversion\sof\sthis|accuracy\smay\svary|rush\stranscript|final\sform\b
        section\sneeds\b|help\s(?:update|improve|expand)\b|the\sreason\sgiven\sis|citation\sneeded|une\sébauche|projets\scorrespondants|en\sl.améliorant|von\sder\smoderation\b|unreleased\sversion|alpha\ssoftware
        thank\syou\sfor\s(?:reading|your|having|holding|listening|watching|joining)|thanks\sfor\s(?:reading|having|listening|this)|please\s(?:consider|cite|note|contact|call|visit|help|read|enable|try\sagain)
        next\ssurvey\b|win\sa\b.*\b(?:voucher|kite|prize)|chance\sto\swin|show\snotes\b|in\sstores\snow|brought\sto\syou
    """,
    "procedural": r"""
        you're\son\smute|share\smy\sscreen|can\syou\s(?:hear|see)\s(?:me|my|us)|next\sslide|kick\s(?:us|things)\soff\b|hard\sstop\b|take\sthe\sminutes|on\sthe\sagenda|quick\sbreak|you're\son\sthe\sair|we\shave\sa\scaller|love\sthe\sshow|for\sthe\srecord\?|introduce\syourself|adjourn(?:ed)?\b|five\sminute\swarning|your\sslides\b|the\smicrophones?\son\b|kind\senough\sto\scome\b|everyone\shere\?|are\syou\snext|want\sto\sstart\?|look\sforward\sto\sit|like\sto\sadd\?|declare\san\sinterest|come\sback\sto\sit\b|bring(?:s)?\sus\s(?:nicely\s)?to\b|next\sinstructions\sby\b
        explained\sin\sappendix|first\stime\sthey\sappear|as\sseen\slooking\b|comme\spromis\b|put\sthe\skettle\son
    """,
}
"""Patterns anywhere in a sentence, at the beginning of a word."""

SIGNS = r"""
    ©|\(c\)\s|\.{5,}|(?:\.\s){4,}|_{5,}|-{6,}|…{3,}|\(\d-\d(?:-\d)+\)|<v\s|\w@[\w-]+\.\w
    [A-Z]\.\s?[A-Z]\.?\s(?:was|were|is)\s(?:funded|supported)\b|\b[Pp]ublished\sby\s[A-Z]|\bcode\s[A-Z]{3,}|\bCONTRIBUTING\b
"""
"""Signs anywhere in a sentence that are no words, or whose capitals matter."""


SECTIONS = {
    "reference": """
        references|bibliography|works cited|literature cited|literature|notes|notes and references|references and notes|
        footnotes|endnotes|further reading|external links|see also|sources|citations|literatur|literaturverzeichnis|
        einzelnachweise|weblinks|siehe auch|quellen|références|notes et références|bibliographie|liens externes|
        voir aussi|referencias|bibliografía|enlaces externos|véase también|notas|bibliografie
    """,
    "boilerplate": """
        acknowledgements?|acknowledgments?|funding|competing interests?|conflicts? of interests?|author contributions?|
        declarations?(?: of (?:competing )?interests?)?|contributors|data availability(?: statement)?|ethics statement|
        ethical approval|disclaimer|legal notice|forward-looking statements|cautionary (?:statement|note).*|license|
        licence|copyright|impressum|danksagung|förderung|remerciements|financement|agradecimientos|
        non-gaap (?:financial )?measures|terms of use|important notice|about the authors?|about us|
        supplementary (?:data|material)
    """,
    "notice": """
        share this.*|related(?: articles| stories| posts| content| links)?|comments|newsletter|subscribe|most read|
        more from.*|tags|categories|contributing|you may also like|read more|sponsors|contact(?: us)?|media contacts?|
        press contacts?|investor contacts?|contacts|upcoming events|follow us
    """,
}
"""Headings below which nothing belongs in a summary."""


def _alternatives(written: str) -> str:
    return "|".join(line.strip() for line in written.strip().splitlines())


def _one_of(patterns: Mapping[str, str], kinds: Iterable[str]) -> re.Pattern[str]:
    """One pattern, whose matching group has the name of the kind."""
    return re.compile("|".join(f"(?P<{kind}>{_alternatives(patterns[kind])})" for kind in kinds))


_CASED = ("reference", "byline")
_START = _one_of(START, [kind for kind in START if kind not in _CASED])
_CASED_START = _one_of(START, _CASED)
_INSIDE = re.compile(rf"\b(?:{_one_of(INSIDE, INSIDE).pattern})")
_LABELS = re.compile(_alternatives(LABELS))
_SIGNS = re.compile(_alternatives(SIGNS))
_HEADINGS = [
    (kind, re.compile("(?:" + "|".join(one.strip() for one in " ".join(names.split()).split("|")) + ")", re.IGNORECASE))
    for kind, names in SECTIONS.items()
]
_NUMBERING = re.compile(r"^(?:[#*§\W]|\d+\.?|[IVX]+\.)+\s*")


def kind_of_sentence(text: str) -> str:
    """Kind of junk that a sentence's words betray; "" if none."""
    lowered = text.lower()
    found = _START.match(lowered) or _CASED_START.match(text) or _INSIDE.search(lowered)
    if found:
        return str(found.lastgroup)
    return "notice" if _LABELS.match(text) or _SIGNS.search(text) else ""


def kind_of_section(heading: str) -> str:
    """Kind of junk that stands below a heading; "" if what stands there is prose."""
    name = _NUMBERING.sub("", heading).strip(" :.*#_").casefold()
    return next((kind for kind, pattern in _HEADINGS if pattern.fullmatch(name)), "") if len(name) < 60 else ""

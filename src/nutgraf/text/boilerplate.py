"""Words by which sentences betray that they are about the page, the file or the recording and not about its subject.

Each line is a kind and a pattern. They are in English, German, French and Spanish, and were written from what such
pages usually say; no pattern names a site, a person or a topic.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

START = {
    "caption": r"""
        \[?(?:photo|image|picture|illustration|caption|foto|bild|video|watch|listen|slideshow)\s?[:|]
        \[\d+/\d+\]|file\s[-–—]\s
        (?:extended\sdata\s|supplementary\s)?(?:fig(?:ure)?s?|tables?|tab|abb(?:ildung)?|tabelle|tableau|figura|tabla|plate|chart|exhibit|scheme|listing|algorithm)\.?\s?(?:\d|[ivx]+\b|[a-z]\d)
        [†‡*§]\s
        \(?(?:pictured\b|image\s(?:source|caption|copyright)\b|(?:picture\scredit|cr[eé]dits?(?:\sphotos?)?|archivbild|bildquelle|imagen|gráfico|légende)\s?:)
        drawing\s?:|view\sgallery\b
    """,
    "reference": r"""
        [\^↑]\s|\[\^?\d+\]:?\s|\[\d+\]\s?[A-Z]
        (?:\d+\s|\[\d+\]\s)?(?:[A-ZÀ-Þ][\w'’-]+,?\s(?:[A-Z]\.\s?-?){1,3}(?:,|;|\(|and\b|&|\d|et\b|$)|[A-ZÀ-Þ][\w'’-]+\s(?!M\.)[A-Z]{1,2},\s|[A-ZÀ-Þ][\w'’-]+\s[A-Z]{2}\.\s)
        (?:Vgl|Cf|Ebd|Ibid|Ibíd)\.\s
        (?:[Ss]ee|[Cc]f|[Vv]gl|[Vv]oir|[Vv]id)\.?:?\s.{0,60}\b(?:pp?|ch|vol|no|s|chap)\.\s?\d
    """,
    "byline": r"""
        (?:[Bb]y|BY|Von|Par|Por)(?:\s(?:[A-ZÀ-Þ][\w.'’-]*|and|und|et|y|&|in),?)+(?:\s\(?[A-Z].{0,30})?$
        \(?(?:Words|Texts?\s?:|Text(?=\s(?:by|from))|Photographs?|Photos?|Pictures?|Portraits?|Illustrations?|(?:Additional\s)?[Rr]eporting|Editing|Written|Edited|Illustrated|Translated|Compiled|Produced|Camera|Sound)(?:\s(?:by|from))?:?\s[A-Z]
        (?:I['’]m|[Mm]y\sname\sis|This\sis|Je\ssuis|Ich\sbin|Soy)\s(?:[A-ZÀ-Þ][\w'’-]+\s?){2,3}\.$
        (?:Author|Editor|Translator)\sof\s["“*]
        (?:Posted|Published|Updated|Veröffentlicht|Aktualisiert|Publié|Mis\sà\sjour|Publicado|Actualizado)\s(?:on\s|am\s|le\s|el\s|by\s)?(?:\d|[A-Z])
    """,
    "metadata": r"""
        (?:>\s*)?(?:from|to|cc|bcc|sent|date|subject|reply-to|von|an|gesendet|betreff|objet|envoyé|de|à|asunto|para|fecha)\s?:\s
        (?:>\s*)?(?:le|on|am|el)\s.{4,40}\d{1,2}:\d\d.{0,60}(?:wrote|schrieb|écrit|escribió)?\s?:?$
        \[?\(?\d{1,2}:\d\d(?::\d\d)?[\])]?\s|.{0,20}-->
        \[(?:laughter|applause|music|noise|crosstalk|inaudible|she|he|they|ask\sif|the\s|a\s)|\[\s
        (?:sources?|quellen?|fuentes?|herausgeber|éditeur|publisher|stand|issn|orcid|editor's\snote|correction|berichtigung|anm\.\sd\.\sred)\s?:
        (?:present|apologies|attending|in\sattendance|anwesend|entschuldigt|présents|excusés|asistentes)\s?:
        (?:vu\sl(?:a|e|es)\s(?:loi|code|décret|règlement|délibération)|considérant\sque|visto\s(?:el|la)|considerando\sque|having\sregard\sto|done\sat|fait\sà)\b
    """,
    "boilerplate": r"""
        (?:we|the\sauthors?|i)\s(?:(?:would\slike|wish)\sto\s|also\s)?(?:thank|acknowledge|(?:are|am|is)\sgrateful)\b
        [a-z]\.\s?[a-z]\.?\s(?:was|were|is)\s(?:funded|supported)\b|published\sby\s(?:the\s)?\w
        (?:these|both|the\sfirst\stwo)\sauthors\scontributed\b|equal\scontribution\b|the\sauthors?\s(?:declare|have\sdeclared|report\sno|are\ssolely)\b
        (?:no\spart\sof|any\sresemblance|the\sright\sof|all\sauthors|opinions\sare|views\sexpressed)\b
    """,
    "notice": r"""
        (?:bitte\s(?:beachten|klicken)|merci\sde\s|veuillez\s|we\suse\scookies)
        (?:click|subscribe|sign\sup|follow\sus|read\smore|scroll|register\s(?:at|now|here|for|free)|visit\s(?:our|us|https?|www|\S+\.\w)|join\s(?:us|the\sdiscussion|our)|buy\s(?:now|tickets|here)|order\s(?:now|here|online|your)|donate|download\s(?:the|our|this)|share\s(?:this|on)|support\sus|check\sout\s(?:our|the|more)|see\salso|main\sarticle|further\sinformation|for\s(?:more|further|all|additional)\s(?:\w+\s){0,2}(?:stor|inform|detail|news|queries|enquir)|to\s(?:order|subscribe|learn\smore|listen|join|unsubscribe)|get\s(?:the\s(?:latest|app|newsletter|free)|our|your|\w+\s(?:percent|%))|find\sout\smore|like\swhat\syou|did\sa\sfriend|rate\sthe|was\sthis\s(?:page|article|helpful|useful)|how\sdid\swe\sdo|do\syou\shave\sa\s(?:story|memory|tip|question)|article\sdétaillé|note\syou\sare|warning\b)
        (?:readers|subscribers|members)\s(?:of|get|can|receive)\b.*(?:%|code|free)
        (?:lesen\ssie|lea\stambién|leer\smás|lire\s(?:aussi|la\ssuite)|abonnez-vous|suscríbe|síguenos|partagez|teilen\ssie|mehr\szum\sthema|anzeige\b|jetzt\s(?:abonnieren|anmelden|lesen)|haz\sclic|regístrate|wir\sverwenden\scookies|nous\sutilisons|este\ssitio\b)
        (?:already\sa\s(?:subscriber|member)|have\syou\sgot\sa\sstory|got\sa\s(?:story|tip)|get\sin\stouch|we\s(?:want|would\slove)\sto\shear|become\sa\s(?:member|subscriber)|follow\s(?:the\sauthor|him|her|@|\w+\s(?:\w+\s)?on\s(?:twitter|facebook|instagram|x|bluesky|mastodon|linkedin))|view\s(?:this\semail|in\sbrowser|all|more)|edit\sthis\spage|(?:open|file)\san\sissue\.|copied!|you\s(?:are|have)\sreceiv(?:ing|ed)\sthis|forward\sthis|sent\sfrom\smy|to\sview\sthis|this\s(?:email|message)\s(?:was|is|and)\b|from\swikipedia|not\sto\sbe\sconfused|for\sother\suses|jump\sto\b|redirected\sfrom|pour\sles\sarticles|cet\sarticle\sest\b|dieser\sartikel\s(?:behandelt|ist|wurde)|para\sotros\susos|este\sartículo\s(?:trata|es|fue)|coordinates\s?:)
        [★⭐⚠☆✉☎📧👉]
    """,
    "procedural": r"""
        (?:good\s(?:morning|evening|afternoon|day|night)|hello|hi|hey|welcome|thanks(?!\sto\b)|thank\syou|bonjour|guten\s(?:tag|morgen|abend)|buenos\sdías)\b
        (?:(?:[\w.-]+,?\s){0,4}?(?:it's\sa\s(?:joy|pleasure)\sto\shave|thank\syou\s(?:so\smuch|very\smuch|for|both|all)))
        (?:let's\s(?:move\son|get\sstarted|take\sa\s(?:\w+\s)?break|start\swith\sthe)|(?:moving|let\sme\smove)\son\b|(?:i'll|i\swill|let\sme)\s(?:just\s)?(?:share|hand\s(?:over|back)|stop\ssharing)|over\sto\syou|sorry,?\s(?:go\sahead|i\swas\son\smute)|go\sahead\.|see\syou\s(?:all\s)?(?:next|then|on|soon)|could\syou\sspeak\sup|shall\swe\s(?:start|begin|move)|(?:item|agenda\sitem)\s\d|there\sbeing\sno|the\s(?:meeting|session)\s(?:was\s(?:opened|closed|called)|opened|closed|ended|came\sto\sorder|began|started)|apologies\s(?:were|for\sabsence)|the\sminutes\s(?:of|were)\b|(?:best|kind|warm)\s(?:regards|wishes)|(?:i\s)?hope\s(?:this\s(?:finds|helps|email)|you(?:'re|\sare)\s(?:all\s)?(?:well|keeping))|looking\sforward\sto\s(?:hearing|seeing)|please\sfind\sattached|any\shelp\b|mit\sfreundlichen|viele\sgrüße|liebe\sgrüße|cordialement|bien\sà\s(?:toi|vous)|un\ssaludo|saludos|until\s(?:next\s(?:time|week|month)|then)\b|stay\s(?:with\sus|tuned)|don't\sgo\saway|you're\slistening\sto|i'm\syour\shost|you've\sbeen\slistening)
        (?:next\smeeting|prochaine\sréunion|nächste\ssitzung|próxima\sreunión|coming\sup|when\swe\scome\sback|and\swe're\sback|we're\sback)\b
    """,
    "lineup": r"""
        (?:booked|sent\soff|ref(?:eree)?|subs(?:titutes)?|attendance|scorers?|half-?time|umpires?)\s?:
    """,
    "poll": r"""
        [qd]\d+[a-z]?[.:]?\s?$
        (?:would|do|did|have|are|were|how|which|what|on\sa\sscale)\b.*\byou\b.*\?\s(?:\(|(?:yes|no|strongly|very|never|always)\b)
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
        (?:words|text|photographs|pictures|illustrations|photos)\sby\s\w+\s\w+\.?$|(?:tweets|blogs|posts)\s(?:at|as|under)\s@
        reported\sfrom\b|contributed(?:\sto\sthis\s(?:report|story|article)|\sreporting)?\.$|is\sa\s(?:contributing|staff|senior|freelance)\s(?:editor|writer|reporter|correspondent)|(?:his|her|their)\slast\spiece\sfor\sus\b|has\scovered\b.{3,40}\bfor\s\w+\syears|covers\s\w+(?:,\s\w+)*(?:,?\sand\s[\w\s]+)?\.$
    """,
    "boilerplate": r"""
        funders?\b.*\bhad\sno\srole|had\sno\srole\sin\s(?:the\s)?(?:study|design|data)|trade\s?marks?\b.*\b(?:property|owned|registered)|project\sgutenberg|this\s(?:e-?book|etext)\b|work\sof\sfiction\b|responsibility\sof\sthe\sauthors?|do(?:es)?\snot\s(?:necessarily\s)?(?:reflect|represent)\sthe\s(?:views|opinions|position)|code\s(?:and\sdata\s)?(?:is|are)\s(?:publicly\s)?available\sat
        copyright\b|all\srights\sreserved|alle\srechte\svorbehalten|tous\sdroits\sréservés|todos\slos\sderechos
        licen[sc]ed\sunder|under\sthe\sterms\sof\b|open[-\s]access\sarticle|creative\scommons|dans\sle\sdomaine\spublic|réutilisation\b|public\sdomain\b
        may\snot\sbe\s(?:published|reproduced|copied|redistributed)|without\s(?:prior\s|written\s|prior\swritten\s)?permission\b|re-?use\sthis\b
        does\snot\sconstitute\b|information(?:al)?\s(?:purposes\s)?only\b|forward-looking\b|obligation\sto\supdate|may\sdiffer\smaterially|non-gaap|limited\sassurance|not\sprofit\sforecasts
        identify\ssuch\sstatements|reconciliation\sis\sprovided|useful\sto\sinvestors
        (?:work|study|research|project|paper)\s(?:was|is|has\sbeen)\s(?:partially\s|partly\s)?(?:funded|supported|financed)\sby|grant\s(?:number|no\.|agreement)|grateful\sto\b.*\bfor\s(?:their|his|her)\b
        no\s(?:competing|conflicts?|conflicting)\b.*\binterests?|competing\sinterests|data\s(?:will\sbe|are|is)\savailable\s(?:from|at|on|upon|under|via)\b|specific\sgrant\b|approved\sthe\sfinal\sversion|peer[-\s]review(?:ed)?\.$|anonymous\s(?:reviewers|referees)
        confidential\sand\s(?:intended|may|privileged)|in\serror\b.*\b(?:delete|notify|sender)|accepts?\sno\sliability|no\sone\selse\sin\sconnection\b|is\sacting\sfor\b
        book\sis\sa\swork\sof\sfiction|resemblance\sto\s(?:actual|persons)|be\sidentified\sas\sthe\sauthor|catalogue\srecord|printed\s(?:and\sbound\s)?in\b.*\bby\b|achevé\sd.imprimer|(?:transcriber|transcribers)[’']?s?[’']?\snote|by\sthe\stranscriber\b|printer.s\serrors|hyphenation\b.*\boriginal
        (?:this|the)\s(?:report|publication|document|release|announcement|transcript|electronic\sbook|e-?book)\s(?:is|was|may)\s(?:also\s)?(?:be\s|hereby\s)?(?:available|published|submitted|licensed|issued|provided|distributed|read\sby)|purpose\sof\san?\s(?:inquiry|investigation)\b|establish\sblame|assign\sfault|uncorrected\stranscript
        event\sof\sany\sdiscrepancy|copyright\sholders|for\sa\sprivate\suse|usage\sprivé|registered\s(?:charity|office|trade\s?mark|name)\b
        first\spublished\b|is\san\sedited\sextract
        association\srégie\spar\sla\sloi|agency\sof\sthe\scontact
    """,
    "notice": r"""
        last\sedited\son|page\swas\slast|wurde\szuletzt\s(?:bearbeitet|aktualisiert)|dernière\smodification|última\s(?:edición|modificación)|il\svous\sreste\s\d+\s?%|réservé\saux\sabonnés|articles?\sleft\s(?:this|to\sread)|comments\sare\sclosed|report\sabuse|this\spage\shelpful|trust\sprinciples|promo\scode|use\s(?:the\s)?code\s[a-z]*\d|hit\sreply|reply\sto\sthis\semail|tiny\sbreak|short\sbreak\b.*\bback
        click\s(?:here|on|the|to|below)|mit\seinem\sklick|cliquez\b|haga\sclic|externen\sinhalt|abonnieren\ssie
        subscribe\sto\b|sign\sup\s(?:here|for|to)\b|newsletter\b.*\b(?:inbox|your)|unsubscribe\b|opted\sin\b|your\s(?:inbox|e-?mail\s(?:address|preferences)?|preferences|browser)\b|désinscrire\b
        scroll\sdown|press\sf\d|delayed\sat\sleast|on\sthe\sapp\b|live\stext\b|terms\s(?:of\suse|and\sconditions|and\sprivacy)|privacy\s(?:policy|notice)|accept\s(?:all\s)?cookies|protected\sby\s(?:\w+\s)?captcha|affiliate\slinks?|may\searn\sa\scommission|does\snot\saffect\sour\b|happy\sto\scorrect\b
        (?:percent|%)\soff\b|order\sform\b|vip\smember|remove\s(?:all\s)?ads\b|open\sroles|rss\sfeed|star\sit\b|this\srepo\b|pull\srequests?\s(?:are\s)?welcome|code\sof\sconduct|security\spolicy\b
        (?:article|story|post|interview|page|transcript|episode|piece)\s(?:was|has\sbeen)\s(?:first\s|originally\s|last\s)?(?:published|updated|corrected|amended|generated|produced|created|condensed|edited|archived|translated)|episode\sis\s(?:supported|sponsored|brought)|is\sbrought\sto\syou\sby|earlier\sversion\sof\sthis|accuracy\smay\svary|rush\stranscript|final\sform\b
        section\sneeds\b|help\s(?:update|improve|expand)\b|the\sreason\sgiven\sis|citation\sneeded|une\sébauche|projets\scorrespondants|en\sl.améliorant|von\sder\smoderation\b|unreleased\sversion|alpha\ssoftware
        thank\syou\sfor\s(?:reading|your|having|holding|listening|watching|joining)|thanks\sfor\s(?:reading|having|listening|this)|please\s(?:consider|cite|note|contact|call|visit|help|read|enable|try\sagain)
        leave\s(?:us\s)?a\s(?:review|rating|comment)|wherever\syou\sget\syour\b|conference\scall\b.*\b(?:dial|held|[ap]\.m|webcast)|a\s(?:live\s)?webcast\b|dial\s(?:in\b|\+?[\d(])
        next\ssurvey\b|win\sa\b.*\b(?:voucher|kite|prize)|chance\sto\swin\sa\b|show\snotes\b|in\sstores\snow|brought\sto\syou
    """,
    "procedural": r"""
        you're\son\smute|share\smy\sscreen|can\syou\s(?:hear|see)\s(?:me|my|us)|next\sslide|kick\s(?:us|things)\soff\b|hard\sstop\b|take\sthe\sminutes|on\sthe\sagenda|quick\sbreak|you're\son\sthe\sair|we\shave\sa\scaller|love\sthe\sshow|for\sthe\srecord\?|introduce\syourself|adjourn(?:ed)?\b|five\sminute\swarning|your\sslides\b|the\smicrophones?\son\b|kind\senough\sto\scome\b|everyone\shere\?|are\syou\snext|want\sto\sstart\?|look\sforward\sto\sit|like\sto\sadd\?|declare\san\sinterest|come\sback\sto\sit\b|bring(?:s)?\sus\s(?:nicely\s)?to\b|next\sinstructions\sby\b
        no\sfurther\sbusiness|close\sthe\smeeting|meeting\s(?:closed|ended)\sat|taken\sas\sread|minutes\sof\sthe\s(?:last|previous)\smeeting|date\sof\s(?:the\s)?next\smeeting|any\sother\sbusiness|(?:remainder|rest)\sof\s(?:this|the)\s(?:paper|article)\sis\s(?:organi[sz]ed|structured)|chair\s(?:thanked|welcomed|opened|closed)|out\sof\stime\b|write\sto\sthe\scommittee|next\sitem\b|move\son\sto\s(?:item|the\snext)
        explained\sin\sappendix|first\stime\sthey\sappear|as\sseen\slooking\b|comme\spromis\b|put\sthe\skettle\son
    """,
}
"""Patterns anywhere in a sentence, at the beginning of a word."""

SIGNS = r"""
    ©|\(c\)\s|\.{5,}|\.\s\.\s\.\s\.\s|_____|------|………|\(\d-\d(?:-\d)+\)|<v\s|@(?<=\w@)[\w-]+\.\w
    CONTRIBUTING(?<=\bCONTRIBUTING)\b|Published\sby\s[A-Z]
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
        (?:use of )?non-gaap (?:financial )?measures|
        about this (?:report|document|release|publication|study|survey|article|book|series)|
        notes? to editors?|note on (?:sources|method)|abbreviations|publication details|imprint|colophon|orcid ids?|
        transcriber.s notes?|author information|supporting information|supplementary (?:information|materials?)|
        conference call|webcast|safe harbou?r.*|trade ?marks|mentions légales|aviso legal|rechtliche hinweise|
        haftungsausschluss|über (?:den autor|die autorin|uns)|à propos (?:de l.auteur|de nous)|
        sobre (?:el autor|la autora|nosotros)|about (?:the )?company|terms of use|
        important notice|about the authors?|about us|
        supplementary (?:data|material)
    """,
    "notice": """
        share this.*|related(?: articles| stories| posts| content| links)?|comments|newsletter|subscribe|most read|
        more from.*|más leído|lo más visto|meistgelesen|mehr zum thema|les plus lus|à lire aussi|
        sur le même sujet|about this (?:episode|newsletter|site)|get involved|support us|donate|join us|kommentare|
        commentaires|comentarios|
        a message from our sponsor.*|sponsored.*|trending|latest news|recommended|
        table of contents|contents|inhalt|inhaltsverzeichnis|table des matières|sommaire|índice|contributors.*|tags|
        categories|contributing|you may also like|read more|sponsors|contact(?: us)?|media contacts?|
        press contacts?|investor contacts?|contacts|upcoming events|follow us
    """,
}
"""Headings below which nothing belongs in a summary."""


def _alternatives(written: str) -> str:
    return "|".join(line.strip() for line in written.strip().splitlines())


def _one_of(patterns: Mapping[str, str], kinds: Iterable[str]) -> re.Pattern[str]:
    """One pattern, whose matching group has the name of the kind."""
    return re.compile("|".join(f"(?P<{kind}>{_alternatives(patterns[kind])})" for kind in kinds))


def _split(pattern: str) -> Iterator[str]:
    """Alternatives of a pattern, a group with which one begins resolved into its own."""
    depth, begin, classes = 0, 0, False
    for at, character in enumerate(pattern):
        if at and pattern[at - 1] == "\\":
            continue
        classes = (classes or character == "[") and character != "]"
        if classes:
            continue
        depth += (character == "(") - (character == ")")
        if character == "|" and depth == 0:
            yield from _opened(pattern[begin:at])
            begin = at + 1
    yield from _opened(pattern[begin:])


def _opened(alternative: str) -> Iterator[str]:
    """Resolve the group with which an alternative begins, unless it may be absent or repeated."""
    if not alternative.startswith("(?:"):
        yield alternative
        return
    depth = 0
    for at, character in enumerate(alternative):
        if at and alternative[at - 1] == "\\":
            continue
        depth += (character == "(") - (character == ")")
        if depth == 0:
            rest = alternative[at + 1 :]
            if rest[:1] in tuple("?*+{"):
                yield alternative
            else:
                yield from (first + rest for first in _split(alternative[3:at]))
            return


def _by_first_letter(pattern: str) -> re.Pattern[str]:
    """Compile alternatives that begin a word, so that at each word only those with its first letter are tried."""
    letters: dict[str, list[str]] = {}
    for alternative in _split(pattern):
        first = alternative[0] if alternative[0].isalpha() else ""
        letters.setdefault(first, []).append(alternative[len(first) :])
    others = letters.pop("", [])
    branches = [f"{first}(?:{'|'.join(rest)})" for first, rest in sorted(letters.items())]
    return re.compile(rf"\b(?:{'|'.join([*branches, *others])})")


_CASED = ("reference", "byline")
_START = _one_of(START, [kind for kind in START if kind not in _CASED])
_CASED_START = _one_of(START, _CASED)
_ANYWHERE = _by_first_letter("|".join(map(_alternatives, INSIDE.values())))
_LABELS = re.compile(_alternatives(LABELS))
_SIGNS = re.compile(_alternatives(SIGNS))
_HEADINGS = [
    (kind, re.compile("(?:" + "|".join(one.strip() for one in " ".join(names.split()).split("|")) + ")", re.IGNORECASE))
    for kind, names in SECTIONS.items()
]
_NUMBERING = re.compile(r"^(?:[#*§\W]|\d+\.?|[IVX]+\.)+\s*")
_EDIT_LINK = re.compile(r"\s?\[[^\]]*\]\s*$")
_REMARK = re.compile(r"^(?:\[[a-z ]{4,20}\]\s*)+(?=[A-ZÀ-Þ])")


@cache
def _inside(kind: str) -> re.Pattern[str]:
    return re.compile(_alternatives(INSIDE[kind]))


def kind_of_sentence(text: str) -> str:
    """Kind of junk that a sentence's words betray; "" if none."""
    if text[:1] == "[":
        text = _REMARK.sub("", text)
    lowered = text.lower()
    found = _START.match(lowered) or _CASED_START.match(text)
    if found:
        return str(found.lastgroup)
    inside = _ANYWHERE.search(lowered)
    if inside:
        return next(kind for kind in INSIDE if _inside(kind).match(lowered, inside.start()))
    return "notice" if _LABELS.match(text) or _SIGNS.search(text) else ""


def kind_of_section(heading: str) -> str:
    """Kind of junk that stands below a heading; "" if what stands there is prose."""
    name = _NUMBERING.sub("", _EDIT_LINK.sub("", heading)).strip(" :.*#_").casefold()
    return next((kind for kind, pattern in _HEADINGS if pattern.fullmatch(name)), "") if len(name) < 60 else ""

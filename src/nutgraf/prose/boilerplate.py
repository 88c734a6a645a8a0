"""Words by which sentences betray that they are about the page, the file or the recording and not about its subject.

Each line is a kind and a pattern. They are in English, German, French and Spanish, and were written from what such
pages usually say; no pattern names a site, a person or a topic.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from itertools import groupby

from nutgraf.text.clean import with_plain_apostrophes

START = {
    "caption": r"""
        \[?(?:photo|photos|photograph|image|picture|illustration|caption|graphic|foto|fotos|bild|bilder|video|watch|listen|slideshow|audio|map|karte|carte)\s?[:|]
        \[\d+/\d+\]|file\s[-–—]
        (?:extended\sdata\s|supplementary\s)?(?:fig(?:ure)?s?|tables?|tab|abb(?:ildung)?|tabelle|grafik|tableau|graphique|carte|figura|tabla|gráfico|cuadro|mapa|plate|charts?|exhibit|schemes?|listing|algorithm|box|map)\.?\s?(?:\d|[ivx]+\b|[a-z]\d)
        [†‡*]|§(?!\s?\d)
        \(?(?:pictured\b|image\s(?:source|caption|copyright)\b|(?:picture\scredit|cr[eé]dits?(?:\sphotos?)?|archivbild|bildquelle|imagen|gráfico|légende|leyenda|quelle|source|fuente)\s?:)
        (?:drawing|painting|cartoon|screenshot|diagram)\s?:|view\sgallery\b|scale\sbars?
        (?:opposite|above|below|left|right|top|bottom|clockwise|from\sleft|inset|facing\spage)(?:\spage|\sleft|\sright|\srow|\sfrom\s\w+(?:\s\w+)?)?\s?[:(]
        (?:links|rechts|oben|unten|à\sgauche|à\sdroite|ci-dessus|ci-contre|ci-dessous|en\shaut|en\sbas|izquierda|derecha|arriba|abajo)\s?[:(]
        (?:vue|vues)\s(?:d[eu']|aérienne|générale)|vista\s(?:del?\s|aérea|general|panorámica)|blick\s(?:auf|von|vom|in)\s|luftaufnahme|symbolbild|symbolfoto|archivfoto
        (?:error\sbars|bars|whiskers|shaded\sareas?|shading|dashed\slines?|dotted\slines?|solid\slines?|circles|dots|crosses|arrows|asterisks|letters|open\s(?:circles|symbols)|filled\s(?:circles|symbols))\s(?:are|give|show|mark|denote|indicate|represent|stand|point|is|connect)\b
    """,
    "reference": r"""
        [\^↑]\s|\[\^?\d+\]:?\s|\[\d+\]\s?[A-Z]
        (?:\d+\s|\[\d+\]\s)?(?:[A-ZÀ-Þ][\w'’-]+,?\s(?:[A-Z]\.\s?-?){1,3}(?:,|;|\(|and\b|&|\d|et\b|$)|[A-ZÀ-Þ][\w'’-]+\s(?!M\.)[A-Z]{1,2},\s|[A-ZÀ-Þ][\w'’-]+\s[A-Z]{2}\.\s)
        (?:Vgl|Cf|Ebd|Ibid|Ibíd)\.\s
        (?:[Ss]ee|[Cc]f|[Vv]gl|[Vv]oir|[Vv]id)\.?:?\s.{0,60}\b(?:pp?|ch|vol|no|s|chap)\.\s?\d
    """,
    "byline": r"""
        (?:[Bb]y|BY|Von|Par|Por)(?:\s(?:[A-ZÀ-Þ][\w.'’-]*|and|und|et|y|&|in),?)+(?:\s\(?[A-Z].{0,30})?$
        \(?(?:Words|Texts?\s?:|Text(?=\s(?:by|from))|Photographs?|Photography|Photos?|Pictures?|Portraits?|Illustrations?|(?:Additional\s)?[Rr]eporting|Writing|Editing|Written|Edited|Illustrated|Translated|Compiled|Produced|Presented|Hosted|Camera|Sound)(?:\s(?:by|from))?:?\s[A-Z]|(?:Story|Interview|Graphics?|Writing)(?:\sby:?|:)\s[A-Z]
        (?:I['’]m|[Mm]y\sname\sis|This\sis|Je\ssuis|Ich\sbin|Soy)\s(?:[A-ZÀ-Þ][\w'’-]+\s?){2,3}(?:\.$|,?\sand\s(?:I|you|this|we))
        (?:Author|Editor|Translator)\sof\s["“*]
        (?:Propos\srecueillis|Entretien\s(?:réalisé|mené)|Interview\s(?:von|de)|Das\s(?:Interview|Gespräch)\sführte|Die\sFragen\sstellte|Aus\sdem\s\w+\svon|Traduit\sd|Entrevista\s(?:de|por|realizada)|Texto(?:\sde)?:?\s|Fotos?\sde\s)
        (?:Posted|Published|Updated|Veröffentlicht|Aktualisiert|Publié|Mis\sà\sjour|Publicado|Actualizado)\s(?:on\s|am\s|le\s|el\s|by\s)?(?:\d|[A-Z])
    """,
    "metadata": r"""
        (?:>\s*)?(?:from|to|cc|bcc|sent|date|subject|reply-to|von|an|gesendet|betreff|objet|envoyé|de|à|asunto|para|fecha)\s?:\s
        (?:>\s*)?(?:le|on|am|el)\s.{4,40}\d{1,2}:\d\d.{0,60}(?:wrote|schrieb|écrit|escribió)?\s?:?$
        \[?\(?\d{1,2}:\d\d(?::\d\d)?[\])]?\s|.{0,20}-->
        \[(?:laughter|applause|music|noise|crosstalk|inaudible|she|he|they|ask\sif|the\s|a\s)|\[\s
        (?:sources?|quellen?|fuentes?|herausgeber|éditeur|publisher|stand|issn|orcid|editors?'s?\snote|correction|clarification|berichtigung|hinweis(?:\sder\sredaktion)?|anm\.\sd\.\sred)\s?:
        (?:present|apologies|attending|in\sattendance|attendees|participants|anwesend|entschuldigt|teilnehmer|présents|excusés|asistentes)\s?:
        (?:vu\sl(?:a|e|es)\s(?:loi|code|décret|règlement|délibération)|considérant\sque|visto\s(?:el|la)|considerando\sque|having\sregard\sto|done\sat|fait\sà)\b
    """,
    "boilerplate": r"""
        (?:we|the\sauthors?|i)\s(?:(?:would\slike|wish|want)\sto\s|also\s|are\sdeeply\s|am\sdeeply\s|gratefully\s)?(?:thank|acknowledge|(?:are|am|is)\s(?:also\s|very\s|most\s)?(?:grateful|indebted))\b
        (?:thanks\s(?:also\s)?(?:go|are\sdue)|many\sthanks|special\sthanks|our\sthanks|my\sthanks|thank\syou\sto)\b
        [a-z]\.\s?[a-z]\.?\s(?:was|were|is)\s(?:funded|supported)\b|published\sby\s(?:the\s)?\w
        (?:these|both|the\sfirst\stwo|all)\sauthors\s(?:contributed|have\s(?:read|approved|declared|agreed)|had\sfull|read|approved|declare|agreed)\b|equal\scontribution\b|the\sauthors?\s(?:declare|have\sdeclared|report\sno|confirm|are\ssolely|certify|state)\b
        (?:no\spart\sof|nothing\s(?:on|in)\sthis|any\sresemblance|the\s(?:moral\s)?right\sof|toute\sressemblance|cualquier\sparecido|jede\sähnlichkeit|ähnlichkeiten)\b
        (?:the\s)?(?:opinions|views|statements|findings|positions)\s(?:(?:in|of)\sthis|expressed|here|contained|are\s(?:those|solely))\b
        (?:unauthori[sz]ed\s(?:reproduction|copying|use|distribution|duplication)|reproduction\s(?:of|in|without|prohibited|only|strictly|permitted)|vervielfältigung|nachdruck|weiterverbreitung|la\sreproduction|toute\s(?:reproduction|utilisation|copie)|prohibida|queda\sprohibid[ao]|se\s(?:permite|prohíbe)\sla)\s?
        (?:licen[cs]e|licen[cs]ed|terms|copyright|trademarks?|warranty|disclaimer)\b
        registered\s(?:in|no|office|number|as\sa)\b|company\s(?:reg(?:istration)?|number|no)\b|chamber\sof\scommerce\b
    """,
    "notice": r"""
        (?:bitte\s(?:beachten|klicken|schreiben|melden|lesen|senden)|merci\sde\s|veuillez\s|we\suse\scookies)
        (?:click|subscribe|sign\sup|log\sin|follow\sus|follow\s[a-z]+'s\s(?:live\s)?(?:coverage|reporting)|read\s(?:more|the\sfull|our|all)|scroll|register\s(?:at|now|here|for|free)|visit\s(?:our|us|https?|www|\S+\.\w)|join\s(?:us|the\s(?:discussion|conversation|debate)|our)|buy\s(?:now|tickets|here)|order\s(?:now|here|online|your)|donate|download\s(?:the|our|this)|share\s(?:this|on|your)|support\s(?:us|our)|check\sout\s(?:our|the|more|his|her|their)|have\sa\slook\sat\s(?:our|the)|take\sa\slook\sat\s(?:our|the)|browse\s(?:our|other|all|the)|head\sover\sto|go\sto\s(?:our|www|https?|\S+\.\w)|see\salso|main\sarticle|further\s(?:information|details)|more\sinformation|for\s(?:more|further|all|additional|full|related)\s(?:\w+\s){0,2}(?:stor|inform|detail|news|queries|enquir|coverage)|to\s(?:order|subscribe|learn\smore|listen|join|unsubscribe|make\sa\scomplaint|contact|find\sout|read\smore|get\sin\stouch|be\sadded|receive|apply)|get\s(?:the\s(?:latest|app|newsletter|free|best)|our|your|\w+\s(?:percent|%)|more|full\saccess)|find\sout\s(?:more|how)|find\sus|did\s(?:you\s(?:enjoy|like|know)|a\sfriend)|rate\s(?:the|this|us)|was\sthis\s(?:page|article|answer|post|helpful|useful)|is\sthis\spage|how\sdid\swe\sdo|do\syou\shave\san?\s(?:story|memory|tip|question|view|comment)|article\sdétaillé|note\syou\sare|warning\b|switch\sto\sthe|skip\sto|back\sto\stop)
        (?:enjoying|enjoyed|liked?|loved?|love)\s(?:this|our|what\syou|the)\s?(?:story|article|episode|show|podcast|newsletter|post|piece|read|hear|see)\b
        (?:readers|subscribers|members)\s(?:of|get|can|receive)\b.*(?:%|code|free)
        (?:lesen\ssie|lies\sauch|mehr\s(?:dazu|zum|lesen|infos?|informationen)|lea\stambién|leer\smás|lire\s(?:aussi|la\ssuite|également|plus)|à\s(?:lire|écouter|voir)\s(?:aussi|également)|abonnez-vous|suscríbe|síguenos|apúntate|¡apúntate|¡suscríbe|¡síguenos|partagez|teilen\ssie|anzeige\b|jetzt\s(?:abonnieren|anmelden|lesen|testen|bestellen|kostenlos)|haz\sclic|pincha|regístrate|inscríbe|reserva\stu|wir\s(?:verwenden|nutzen|setzen)\scookies|nous\sutilisons|este\ssitio\b|contáctanos|llámanos|escríbenos|escríba(?:nos|me)|visítanos|no\ste\spierdas|descárga)
        (?:abonnieren|testen|bestellen|melden|schreiben|schicken|senden|rufen|besuchen|folgen|klicken|registrieren|beachten|wenden|nutzen|informieren|sichern|entdecken|diskutieren|unterstützen|kontaktieren)\ssie\s(?:uns|den|die|das|sich|vier|jetzt|auch|hier|mit|ihre|an|bitte|unser|weiter|auf)\b
        (?:haben|möchten|wollen|suchen|kennen)\ssie\s(?:fragen|erinnerungen|anregungen|hinweise|noch|eine|einen|interesse|mehr)\b|hat\s(?:ihnen|dir)\s|für\s(?:rückfragen|weitere\sinformationen|nähere)|verpassen\ssie\s|sie\s(?:möchten|wollen|erhalten\sdiese|können\s(?:jederzeit|sich|den\snewsletter))
        (?:cliquez|inscrivez|abonnez|retrouvez\s(?:toute|notre|nos|tous|l)|recevez\s|découvrez\s(?:notre|nos|tous|aussi)|écoutez\s(?:notre|nos|le\spodcast)|consultez\s(?:notre|nos|la\spage)|suivez-nous|contactez|écrivez-nous|téléchargez|prévenez-nous|n'oubliez\spas|réagissez|soutenez|rejoignez|participez)
        (?:vous\s(?:recevez|avez\s(?:reçu|une\squestion|aimé)|pouvez\s(?:vous|partager|aider|consulter|aussi|également)|trouverez|acceptez|souhaitez|êtes\s(?:abonné|inscrit|libre))|si\s(?:ce\smessage|vous\s(?:souhaitez|avez|ne)|cet\sarticle)|pour\s(?:ne\splus|vous\s(?:abonner|inscrire|désinscrire)|adhérer|aller\splus\sloin|en\ssavoir\splus|recevoir|toute\s(?:question|demande)|plus\sd'info))\b
        (?:si\s(?:desea|quiere|deseas|quieres|te\s(?:gusta|ha))|para\s(?:más\sinformación|darse\sde\sbaja|recibir|suscribirse|cancelar)|puedes?\s(?:cancelar|darse|darte|consultar|descargar)|¿(?:tienes?|quieres?|te\s(?:gusta|ha\sgustado)))
        (?:already\san?\s(?:subscriber|member)|already\shave\san|have\syou\sgot|have\syour\ssay|got\s(?:an?|any|something)\s|seen\ssomething|know\ssomething|found\san?\s|spotted\san?\s|get\sin\stouch|stay\s(?:in\stouch|in\sthe\sloop|up\sto\sdate|informed|connected)|keep\s(?:in\stouch|up\sto\sdate)|never\smiss|(?:we'd|we\swould|we)\s(?:want|would\slove|love|like)\sto\shear|become\san?\s(?:member|subscriber|supporter|friend|patron)|follow\s(?:the\sauthor|him|her|them|@|\w+\s(?:\w+\s)?on\s(?:twitter|facebook|instagram|x|bluesky|mastodon|linkedin))|view\s(?:this\semail|in\sbrowser|all|more)|edit\sthis\spage|(?:open|file|raise)\san?\s(?:issue|ticket|bug)|copied!|you\s(?:are|have|were|'re)\s(?:receiv(?:ing|ed)|viewing|reading|not\s(?:signed|logged)|currently)\s|you(?:'re|'ve)\s(?:receiv(?:ing|ed)|viewing|reading)|forward\sthis|sent\sfrom\smy|to\sview\sthis|this\s(?:email|e-mail|message)\s|from\swikipedia|not\sto\sbe\sconfused|for\sother\suses|jump\sto\b|redirected\sfrom|pour\sles\sarticles|para\sotros\susos|coordinates\s?:)
        (?:this|dieser|dieses|diese|cet|cette|ce|este|esta|our)\s(?:article|page|story|post|blog|thread|website|site|newsletter|mailing|transcript|interview|recording|artikel|beitrag|text|seite|webseite|newsletter|gespräch|entretien|texte|artículo|página|noticia|entrevista)\s(?:is|was|has|may|can|will|needs|relies|requires|contains|uses|appeared|first|originally|already|does|ist|wurde|erschien|stammt|behandelt|gibt|est|a\s(?:été|paru)|vous|ne|es|fue|ha|se|trata)\b
        for\sthe\s\w+(?:\s\w+){0,3}\s(?:of\sthe\ssame\sname|see)\b|ne\sdoit\spas\sêtre\sconfondu|ne\spas\sconfondre|nicht\szu\sverwechseln|no\sdebe\sconfundirse
        (?:tell\sus|let\sus\sknow|let\sme\sknow|write\sto\s(?:us|the\seditor)|email\s(?:us|me|him|her|your|the)|e-mail\s(?:us|your|the)|contact\s(?:us|the|our|me)|call\s(?:us|our|the\s(?:helpline|hotline))|message\s(?:us|her|him|me)|drop\s(?:us|me|him|her)|send\s(?:us|your|me\san?\s|him\san?\s|her\san?\s))\b
        (?:by\s(?:clicking|using|continuing|visiting|signing|submitting|registering|posting|browsing|subscribing|opening)|in\susing|use\sof\sthis|using\sthis)\b.*\b(?:you|agree|accept|terms|site)
        (?:copies\sof\s(?:this|these|the\s(?:report|minutes|document|paper))|the\s(?:full|complete)\s(?:report|text|article|list|results|interview|transcript)\s(?:can|may|is\savailable|are\savailable)|hi(?:gh)?-res(?:olution)?\s(?:images|photos|pictures|versions)|images\s(?:can|are)|photos\s(?:can|are)|interviews\s(?:can|are)|registration\s(?:is|opens|closes)|places\sare|this\sis\sa\s(?:new|beta)|beta\b|sie\slesen|sie\ssehen|zum\s(?:seitenanfang|inhalt|weiterlesen))
        (?:looking\sfor|want\sto\s(?:know|read|see|learn|hear|get|help|join|contribute)|wondering|interested\sin|need\shelp|not\s(?:a|the|yet\sa)\s(?:\w+\s)?(?:answer|subscriber|member)|yours\sis\smissing|thinking\sof)\b.*\?
        [★⭐⚠☆✉☎📧👉♥]
    """,
    "procedural": r"""
        (?:good\s(?:morning|evening|afternoon|day|night)|hello|hi|hey|welcome|thanks(?!\sto\b)|thank\syou|bonjour|bonsoir|bienvenue|guten\s(?:tag|morgen|abend)|herzlich\swillkommen|buen[oa]s\s(?:días|tardes|noches)|bienvenid[oa]s)\b
        (?:[\w.-]+,?\s){0,4}?(?:(?:it's|it\sis|what)\san?\s(?:joy|pleasure|privilege|honou?r|delight)\sto\s|thank\syou\s(?:so\smuch|very\smuch|for|both|all|mr|mrs|ms|madam)|thanks\s(?:so\smuch|very\smuch|a\slot|again|everyone|everybody|all)\b)
        (?:i'm|i\sam|we're|we\sare|it's|it\sis|so)\s(?:very\s|so\s|really\s|also\s)?(?:pleased|delighted|honou?red|happy|glad|thrilled|lovely|great|good|nice)\sto\s(?:be\s(?:here|with|back|able)|have\syou|see\syou|see\sso\smany|welcome|appear|present|join|(?:happy|glad|pleased|be\sable)\sto\stake\s(?:any\s|your\s)?questions|introduce)
        (?:so\s|okay\s|ok\s|right\s|well\s|and\s|now\s|um\s|alright\s|,)*(?:let's|let\sus|shall\swe|should\swe|can\swe|could\swe|may\si|can\si|could\si|let\sme|i'll|i\swill|i'd\slike\sto|i\swant\sto|i\swould\slike\sto|i'm\sgoing\sto|we'll|we\swill|we're\sgoing\sto|do\swe\swant\sto|do\syou\swant\sto|would\syou\slike\sto|are\swe\sready\sto)\s(?:just\s|now\s|all\s|please\s|quickly\s|also\s)*(?:make\sa\sstart|start(?:\swith\sthe|\b.{0,15}\?)|begin\b.{0,20}$|get\s(?:started|going|on\swith)|move\s(?:on|along|to|swiftly)|carry\son|crack\son|kick|wrap|jump\sin|come\s(?:in|back)|go\s(?:on|ahead|back|round|around|through\sthe\s(?:agenda|list)|to\sthe\s(?:next|first))|take\s(?:(?:that|this|it)\soffline|a\s(?:\w+\s)?(?:break|vote|look\sat\sthe\sagenda)|any\squestions|questions|the\snext)|park|do\sa\s(?:quick\s)?round|hear\sfrom|call\sit\sa|pick\s(?:this|that)\sup|share\s(?:my|the)\s(?:screen|slides?)|hand\s(?:over|back|it|you|out)|stop\s(?:there|sharing)|turn\s(?:to|over|it)|vote\son|recap|remind\s(?:everyone|everybody|members|you\sall|people|colleagues)|invite|introduce|thank|welcome|open\sthe|close\sthe|adjourn|yield|cede|second|send\s(?:round|around|out|you)|interrupt|pause|give\sthe\sfloor|ask\s(?:the\sclerk|members|everyone|you\sall)|start\soff|begin\swith|leave\sit\sthere|say\sa\sfew|go\sfirst|bring\s(?:in|the\smeeting))
        (?:moving\son|over\sto\syou|back\sto\syou|sorry,?\s(?:go\sahead|i\swas|everyone|about)|go\sahead\b|carry\son\.|see\syou\s(?:all\s)?(?:next|then|on|soon|later|tomorrow|there)|talk\sto\syou\s(?:soon|next|later)|could\syou\sspeak\sup|(?:item|agenda\sitem|tagesordnungspunkt)\s\d|top\s\d{1,2}:|there\s(?:being|was|were)\sno(?:thing)?\s(?:further|other|more|matters|any\sother)|apologies\s(?:were|was|had|have|for|received|from)|no\s(?:apologies|declarations|interests|conflicts)|(?:best|kind|warm|warmest)\s(?:regards|wishes)|(?:i\s)?hope\s(?:this\s(?:finds|helps|email)|that\shelps|all\sis\swell|(?:you|everyone|everybody)(?:\sall)?(?:'re|\sare|\sis|\shad|\shave\shad|\senjoyed|\shave\sa)\b)|looking\sforward\sto|please\sfind\b|any\s(?:help|ideas|thoughts|questions|comments|objections)\b.{0,40}\?|mit\sfreundlichen|viele\sgrüße|liebe\sgrüße|herzliche\sgrüße|cordialement|bien\s(?:à\s(?:toi|vous)|cordialement)|un\s(?:cordial\s)?saludo|saludos|until\s(?:next\s(?:time|week|month)|then)(?:[.!]*$|,\s(?:good|bye|take\scare|stay|keep|have|i'm|this\sis|thank))|stay\s(?:with\sus|tuned)|don't\sgo\saway|you(?:'re|\sare)\slistening\sto|i'm\syour\shost|you(?:'ve|\shave)\sbeen\slistening)
        (?:next\smeeting|next\s(?:item|slide|question|up|on\s(?:the|my|our))|prochaine\s(?:réunion|séance)|nächste\s(?:sitzung|versammlung)|die\snächste\s(?:sitzung|versammlung|besprechung)|próxima\s(?:reunión|sesión)|la\spróxima\s(?:reunión|sesión)|la\sprochaine\s(?:réunion|séance|assemblée)|the\snext\s(?:meeting|session|assembly|annual\sgeneral\smeeting)\s(?:will|is|takes|has|was)|coming\sup|when\swe\scome\sback|and\swe're\sback|we're\sback|and\swe\sare\sback|after\sthe\sbreak|on\s(?:today's|this\sweek's|the\sshow))\b
        (?:the\s)?(?:meeting|session|hearing|sitting|assembly)\s(?:(?:was\s|is\s|now\s|then\s|stands?\s|will\sbe\s)+(?:opened|closed|called|adjourned|suspended|resumed|convened|open|reconvened)|(?:opened|closed|ended|began|started|adjourned|concluded|resumed|commenced)\s(?:at|with)|came\sto\sorder)\b
        (?:order,?\s(?:please|order)|pursuant\sto|before\s(?:we|i)\s(?:begin|start|wrap\sup|adjourn|conclude|close)\b|with\sthat,?\s(?:i|we|let)|on\sbehalf\sof\s(?:the|my|our|all)\b.{0,60}\b(?:thank|welcome|like\sto)|just\s(?:to|a)\s(?:recap|remind|quick|note|short)|to\srecap|so,?\s(?:just\s)?to\srecap|for\s(?:those|anyone|anybody|people|everyone|listeners)\s(?:who\s(?:missed|couldn't|could\snot|were\snot|weren't|are\s(?:just|new)|don't\sknow|just)|of\syou\s(?:who|joining)|just\s(?:joining|tuning))|in\scase\syou\smissed|and\son\sthat\snote|on\sthat\snote|(?:and\s)?that's\s(?:all|it)\s(?:for|from)|that\sbrings\sus|which\sbrings\sus|as\s(?:promised|discussed|requested|ever|always),|here(?:'s|\sis)\s(?:what's|where\s(?:we|things)|a\s(?:quick|short)|the\slatest)|do\s(?:shout|let|get\sin\stouch|come|feel|reply|drop)|feel\sfree\sto|don't\shesitate|please\s(?:do\snot|don't)\shesitate|if\s(?:you\shave\sany|there\sare\s(?:any|no)|there\sis\sanything|you\scan't|i\sdon't\shear|nobody|no\sone)|attached\s(?:is|are|you)|see\sattached|same\s(?:time|place)|who's\s(?:got|next|going|taking)|hands\sup|everyone\s(?:happy|okay|ok|agreed|here)|are\swe\s(?:all|ready|good)|has\s(?:everyone|everybody|anyone)|does\s(?:everyone|everybody|anyone)|how\sare\swe\sdoing|i\s(?:appreciate\sthat|yield|have\sa\spoint\sof\sorder|second\s(?:that|the)|move\s(?:that|to)|call\s(?:the|this)\s(?:meeting|session|hearing)|hear\sthe\sbells|give\s(?:the\sfloor|way))|we(?:'ll|\swill|\sshall)?\s(?:now\s)?(?:go|turn|move|proceed)\sto\s(?:the|our|mr|mrs|ms|questions))\b
        (?:chères?\samie?s|cher·e?s|j'espère\sque\s(?:vous|tu)|nous\s(?:vous\s)?(?:espérons|remercions|souhaitons)|je\svous\s(?:remercie|souhaite|prie|laisse|invite)|voici\s(?:quelques|les|le|la|l)|vous\strouverez|ci-joint|l'ordre\sdu\sjour|le\sprocès-verbal|la\sséance\s(?:est|a\sété|s'|fut)|l'assemblée\s(?:aura|se\stiendra|générale)|merci\s(?:à|pour|d'|beaucoup|de|encore))
        (?:ich\s(?:bedanke|begrüße|freue\smich|danke|hoffe,?\s(?:es|ihr|sie|du|dass\s(?:es|ihr|sie))|darf\s(?:sie|euch|ihnen))|wir\s(?:bedanken|begrüßen|danken|freuen\suns)|vielen\sdank|herzlichen\sdank|besten\sdank|anbei\s(?:finden|erhalten|die|der|das)|zur\stagesordnung|das\sprotokoll|die\s(?:sitzung|versammlung)\s(?:wurde|wird|ist|war|begann|endete|schloss)|weitere\swortmeldungen|wortmeldungen|die\sentlastung|(?:der|die)\s(?:\d\.\s)?(?:vorsitzende|bürgermeister(?:in)?|sitzungsleiter(?:in)?|vereinsvorsitzende|präsident(?:in)?)\b.{0,40}\b(?:begrüßte?|eröffnete?|dankte?|schloss|schließt|verabschiedete?)\b)
        (?:quiero\s(?:dar\slas\sgracias|agradecer)|queremos\s(?:dar\slas\sgracias|agradecer)|muchas\sgracias|gracias\s(?:a|por|de)|les?\sagradec|os\sagradec|espero\sque\s(?:est|os|te|le|hay)|esperamos\sque|tengo\sel\splacer|nos\scomplace|se\s(?:abre|levanta|cierra|inicia|da\spor)\s(?:la|por|comienzo)|sin\smás\sasuntos|el\sacta|a\scontinuación)\b
    """,
    "lineup": r"""
        (?:booked|sent\soff|ref(?:eree)?|subs(?:titutes)?|attendance|scorers?|half-?time|umpires?)\s?:
    """,
    "poll": r"""
        [qd]\d+[a-z]?[.:]?\s?$
        (?:would|do|did|have|are|were|how|which|what|on\sa\sscale|thinking\sabout)\b.*\byou\b.*\?\s(?:\(|(?:yes|no|strongly|very|never|always)\b)
    """,
}
"""Patterns at the beginning of a sentence; those of "reference" and "byline" tell capitals from small letters."""

LABELS = r"""
    (?:F(?:unding|UNDING)|A(?:cknowledge?ments?|CKNOWLEDGE?MENTS)|Thanks|Competing\s[Ii]nterests?|Conflicts?\sof\s[Ii]nterests?|Declarations?|Disclosures?|Contributors|Author\s[Cc]ontributions|Data\s[Aa](?:vailability|ccess(?:ibility)?)|Ethics(?:\s[Aa]pproval)?|Provenance(?:\sand\speer\sreview)?|Correspond(?:ence|ing\s[Aa]uthor)|Key\s?words?|Schlüsselwörter|Mots[-\s]clés|Palabras\sclave|Licen[sc]e|Disclaimer|Copyright|Impressum|Note:)(?:\s?[:.—–]|\s[A-Z])
    Received\s\d|[A-Z]{2,3}(?:(?:,|\sand)\s[A-Z]{2,3})*\s(?:conceived|designed|wrote|drafted|analy[sz]ed|collected|performed|counted|declares?|has\sreceived|is\sguarantor)\b
    (?:Conceptuali[sz]ation|Investigation|Methodology|Formal\sanalysis|Writing|Supervision|Data\scuration)(?:,|:|\s[–—-])\s
"""
"""Headings that a sentence runs on from, and initials of authors who say what they did."""

INSIDE = {
    "caption": r"""
        (?:in\sthis\s(?:undated\s|file\s)?(?:photo|picture|image|photograph)|photo(?:graph)?s?\s(?:by|courtesy|provided)|image\scourtesy|image\scredit|picture\scredit|photo\scredit|file\sphoto|hand-?out\sphoto|handout\spicture|archivfoto|symbolfoto|symbolbild|archives\sdépartementales|carte\spostale\)|postcard\)|best\sviewed\sin|scale\sbars?|im\sbild|auf\sdem\s(?:bild|foto)|en\sla\s(?:imagen|foto)|elaboración\spropia|authors'\scalculations|eigene\s(?:darstellung|berechnung)|dotted\sline\s(?:is|shows|marks)|dashed\sline\s(?:is|shows|marks)|open\scircles|filled\scircles|second\sbest\sunderlined|second\sbest\sin)\b
    """,
    "reference": r"""
        (?:vol|no|nr|bd)\.\s?\d+,?\s(?:pp?|s)\.|pp\.\s?\d|doi\b|isbn\b|archived\sfrom\b|retrieved\s(?:on\s)?\d|in\sproc\.
    """,
    "byline": r"""
        words\sby\s\w+\s\w+\.?$|text\sby\s\w+\s\w+\.?$|photographs\sby\s\w+\s\w+\.?$|pictures\sby\s\w+\s\w+\.?$|illustrations\sby\s\w+\s\w+\.?$|photos\sby\s\w+\s\w+\.?$|tweets\s(?:at|as|under)\s@|blogs\s(?:at|as|under)\s|posts\s(?:at|as|under)\s@
        reported\sfrom\b|contributed(?:\sto\sthis\s(?:report|story|article)|\sreporting|\sto\sthe\sreporting)?\.$|is\san?\s(?:contributing|staff|senior|freelance)\s(?:editor|writer|reporter|correspondent|journalist|producer)|last\s(?:piece|article|story|essay)\sfor\s(?:us|the\smagazine|this)|latest\s(?:book|novel|collection)\s(?:is|was|,)|new\s(?:book|novel|album)\s(?:is|,|comes|will\sbe)\s|has\scovered\b.{3,40}\bfor\s\w+\syears|covers\s\w+(?:,\s\w+)*(?:,?\sand\s[\w\s]+)?\.$|covers\s[\w\s,]+\sfor\s(?:the|us)\b|stories\shave\s(?:appeared|been\spublished)|work\shas\s(?:appeared|been\spublished)|poems\shave\s(?:appeared|been\spublished)|additional\sreporting|(?:is|was)\sproduced\s(?:and\s\w+\s)?by\s.{3,60}\b(?:sound|music|mixed|engineer)|sound\sdesign\sby|music\sby\s\w+\s\w+|schreibt\s(?:seit|für|regelmäßig)\b.{0,40}\b(?:über|für)\b|lebt\sals\sfreie|lebt\sund\sarbeitet|vit\set\stravaille|vive\sy\strabaja|spoke\sto\s\w+\s(?:on|by|via|in\san\sinterview)
    """,
    "boilerplate": r"""
        funders?\b.*\bhad\sno\srole|had\sno\srole\sin\s(?:the\s)?(?:study|design|data)|trade\s?marks?\b.*\b(?:property|owned|owners?|registered)|project\sgutenberg|this\s(?:e-?book|etext)\b|work\sof\sfiction\b|responsibility\sof\sthe\s(?:author|contributor)s?|responsabilidad\s(?:exclusiva\s)?de\s(?:sus|los|las)\sautor|do(?:es)?\snot\s(?:necessarily\s)?(?:reflect|represent)\s(?:the|those)\s(?:official\s)?(?:views|opinions|positions?|polic\w+|of)|not\snecessarily\s(?:those|reflect|represent)|code\s(?:and\sdata\s)?(?:is|are)\s(?:publicly\s)?available\sat|remaining\serrors|errors\sare\s(?:mine|ours|my\sown|our\sown)
        copyright\b|all\srights\s(?:are\s)?reserved|some\srights\sreserved|alle\srechte\b.{0,20}vorbehalten|tous\sdroits\sréservés|todos\slos\sderechos|derechos\sreservados|droits?\sd'auteur
        licen[sc]ed\sunder|licen[sc]es?\b.{0,40}\bappl|under\sthe\sterms\sof\b|under\s(?:the|an?|its)\s[\w.,\s-]{0,30}licen[sc]e|open[-\s]access\sarticle|creative\scommons|cc[-\s]by\b|dans\sle\sdomaine\spublic|réutilisation\b|public\sdomain\b|sous\slicence|bajo\slicencia|unter\sder\slizenz|extra\sconditions|additional\sterms|no\swarranty|without\s(?:any\s)?warranty|is\sfree\ssoftware
        not\sbe\s(?:published|reproduced|copied|redistributed|reposted|republished|used|quoted|forwarded)\b.{0,60}\b(?:without|unless|in\sany\sform)|may\snot\sbe\s(?:published|reproduced|copied|redistributed|reposted|republished|broadcast)|(?:reproduced?|copied|published|reprinted|reposted|quoted|forwarded|transmitted|republished|rewritten|redistributed|reproduction|redistribution)\b.{0,80}\bwithout\b.{0,40}\b(?:permission|consent|authori[sz]ation)|prior\s(?:written\s)?(?:permission|consent)\sof|by\spermission\sof|with\s(?:the\s)?(?:kind\s)?permission|re-?use\sthis\b|full\scredit\sis\sgiven|(?:provided|as\slong\sas)\s(?:that\s)?(?:the\ssource|credit|attribution)|nur\smit\s(?:\w+\s)?genehmigung|ohne\s(?:\w+\s)?genehmigung|mit\s(?:freundlicher\s)?genehmigung|übernehmen\swir\skeine|keine\s(?:haftung|gewähr)|auch\sauszugsweise|accord\spréalable|autorisation\s(?:préalable|écrite)|soumise?\sà\sautorisation|siempre\sque\sse\scite|sin\s(?:\w+\s)?(?:autorización|permiso|consentimiento)
        not\sconstitute\b|information(?:al)?\s(?:purposes\s)?only\b|illustration\spurposes|illustrative\spurposes|for\spersonal\suse(?:\sonly|;|,)|personal,\snon-commercial|forward-looking\b|obligation\sto\s(?:update|revise)|differ\smaterially|non-gaap|limited\sassurance|not\sprofit\sforecasts|based\son\scurrent\sexpectations|risks\sand\suncertainties|subject\sto\s(?:\w+\s)?risks|version\sprevails|shall\sprevail|text\sprevails
        identify\ssuch\sstatements|reconciliation\sis\sprovided|useful\sto\sinvestors
        (?:work|study|research|project|paper|report|survey|article|publication|translation|exhibition|film)\s(?:was|is|has\sbeen)\s(?:partially\s|partly\s|generously\s|kindly\s|made\spossible\s|in\spart\s)*(?:funded|supported|financed|sponsored|commissioned|by\sthe\ssupport)|(?:research|work|study|project|authors?|programme)\s(?:has\s|have\s)?received\s(?:no\s)?(?:support|funding|financial\ssupport|external\sfunding)|supported\sby\san?\s(?:fellowship|scholarship|grant|stipend|award)|supported\sby\sthe\s\w+\s(?:foundation|council|trust|fund)|grant\s(?:number|no\.|agreement)|grateful\sto\b.*\bfor\s(?:their|his|her|many|help|comments|discussion|useful)|gratefully\sacknowledge|indebted\sto\b|ha\ssido\s(?:financiad|posible|elaborad)|no\shabría\ssido\sposible|a\sété\sfinancé|avec\sle\ssoutien|gefördert\s(?:durch|von|vom|aus)|mit\sunterstützung|dank\sgilt|our\sgratitude|without\swhom|without\sthe\shelp\sof
        no\s(?:competing|conflicts?|conflicting)\b.*\binterests?|competing\sinterests?|conflicts?\sof\sinterest|financial\sinterests\sor|data\s(?:will\sbe|are|is)\savailable\s(?:from|at|on|upon|under|via|online)\b|upon\s(?:reasonable\s)?request\b|on\sreasonable\srequest|available\son\srequest|specific\sgrant\b|approved\sthe\sfinal|agreed\sto\sthe\spublished|version\sof\s(?:a|the)\smanuscript|accepted\smanuscript|peer[-\s]review(?:ed)?\.$|been\speer[-\s]reviewed|anonymous\s(?:reviewers|referees)|referees\swhose|read\sthe\s(?:whole\s|entire\s)?manuscript|jurisdictional\sclaims|remains\sneutral|informed\sconsent\s(?:was|for)|in\spress\sas|cite\sthis|as\sa\sworking\spaper|working\spapers\sare
        confidential\sand\s(?:intended|may|privileged|are|is)|intended\s(?:solely\s|only\s)?for\sthe\s(?:addressee|person|recipient|use)|meant\sfor\sthe\s(?:person|addressee|recipient)|in\serror\b.*\b(?:delete|notify|sender)|let\sthe\ssender\sknow|notify\sthe\ssender|inform\sthe\ssender|intended\srecipient|accepts?\sno\s(?:\w+\s)?liability|liability\sfor\s(?:any|loss|damage)|no\sone\selse\sin\sconnection\b|is\sacting\sfor\b|scanned\s.{0,20}for\sviruses|free\sof\sviruses|free\sfrom\sviruses
        (?:persons|people|events|dead|places|names|characters)\b.{0,80}\bcoincidental|resemblance\sto\s(?:real|actual|persons|any)|be\sidentified\sas\sthe\sauthor|frei\serfunden|personnages\b.{0,30}\bfictifs|catalogue\srecord|printed\s(?:and\sbound\s)?in\b.*\bby\b|printed\son\s(?:\w+\s)*paper|achevé\sd.imprimer|transcribers?['’]?s?['’]?\snote|by\sthe\stranscriber\b|printer.s\serrors
        (?:this|the)\s(?:report|publication|document|release|announcement|transcript|electronic\sbook|e-?book|brochure|leaflet)\s(?:is|was|may|has\sbeen)\s(?:also\s|be\s|hereby\s|been\s)*(?:available|published|submitted|licensed|issued|provided|distributed|produced|prepared|read\sby|made|printed|reproduced|subject)|regarding\sthis\s(?:document|report|publication)|in\sa\smore\saccessible|alternative\sformats?\b|large\sprint\b|establish\sblame|assign\sfault|uncorrected\stranscript
        event\sof\sany\sdiscrepancy|copyright\sholders|for\sa\sprivate\suse|usage\sprivé|registered\s(?:charity|office|trade\s?mark|name|company|number|in\sengland)\b|leading\s(?:\w+\s){0,3}(?:manufacturer|provider|supplier|producer|maker|developer|publisher|operator|company|firm)\sof\b|conditions\sd'utilisation|droit\sd'accès|mentions\slégales|nutzungsbedingungen|datenschutzerklärung|política\sde\sprivacidad|consumo\sresponsable|abus\sd'alcool|venta\sa\smenores
        first\spublished\b|(?:article|story|piece|essay|interview|extract|post|report|version)\s(?:was\s)?first\sappeared\b|is\san\sedited\sextract|originally\spublished\b|zuerst\serschienen|première\spublication
        accessibility\sstatement|stick\sto\sits\srules|abides\sby|press\scouncil|editorial\sguidelines|not\sresponsible\sfor\sthe\scontent
    """,
    "notice": r"""
        last\sedited\son|last\s(?:updated|modified|changed|reviewed)\s(?:on|at|by|:)|page\swas\slast|wurde\szuletzt\s(?:bearbeitet|aktualisiert|geändert)|zuletzt\saktualisiert|dernière\s(?:modification|mise\sà\sjour)|última\s(?:edición|modificación|actualización)|il\svous\sreste\s\d+\s?%|réservée?\saux\s(?:abonn|adhér|membres)|articles?\sleft\s(?:this|to\sread)|comments\sare\s(?:closed|moderated)|report\sabuse|this\spage\shelpful|redirects\shere|is\sa\sstub|multiple\sissues|the\stalk\spage|single\ssource\.|cites\sno\ssources|unsourced|additional\scitations
        click(?:ing)?\s(?:here|on|the|to|below|"|“)|mit\seinem\sklick|mit\sklick|cliquez\b|cliquant\b|haga\sclic|haz\sclic|externen\sinhalt|abonnieren\ssie|jederzeit\s(?:kündigen|kündbar|abbestellen|widerrufen)|weiterlesen\smit
        subscribe\sto\b|subscribers?\sonly|for\ssubscribers|your\ssubscription|sign\sup\s(?:here|for|to|now)|sign\sme\sup|signed?\sin\sto|log\s?in\sto|newsletter\b.*\b(?:inbox|your|unseren?|notre|nuestro)|(?:unseren|notre|nuestro|our)\snewsletter|unsubscribe\b|opted\sin\b|your\s(?:inbox|e-?mail\s(?:address|preferences)?|preferences|browser|feedback|consent)\b|dans\svotre\s(?:boîte|navigateur)|désinscrire\b|se\sdésabonner|darse\sde\sbaja|a\snuestro\sboletín|tu\splaza|delivered\sto\syour|straight\sto\syour
        scroll\sdown|press\sf\d|delayed\sat\sleast|on\sthe\sapp\b|live\stext\b|terms\s(?:of\s(?:use|service)|and\sconditions|and\sprivacy|apply)|our\s(?:terms|privacy|cookie)|agree\sto\sour|privacy\s(?:policy|notice|statement|settings)|accept\s(?:all\s)?cookies|use\scookies|verwende[nt]\scookies|nutz(?:en|t)\scookies|setz(?:en|t)\s(?:auf\s)?cookies|utilise\sdes\scookies|utilizamos\scookies|sie\ssich\s(?:damit\s|hiermit\s)?(?:\w+\s){0,4}einverstanden|acceptez\s(?:leur|l'|notre)\s?utilisation|acepta\ssu\suso|cookie\s(?:policy|settings)|protected\sby\s(?:\w+\s)?captcha|affiliate\slinks?|earn\s(?:us\s)?a\scommission|not\saffect\sour\b|correct\sthe\srecord
        (?:percent|%)\s(?:off|discount)\b|order\sform\b|vip\smember|remove\s(?:all\s)?ads\b|ad\s?blocker|advertising\son|without\sads\b|open\sroles|rss\sfeed|star\sit\b|give\sit\sa\sstar|leaving\sa\stip|price\sof\sa\scoffee|cup\sof\scoffee\sa|few\spounds\sa\smonth|support\s(?:our|independent|quality|local)\s(?:journalism|work|reporting)|please\s(?:think|consider)\s|this\srepo\b|own\srepository|pull\srequests?\s(?:are\s)?welcome|issues?\sand\spull\srequests|code\sof\sconduct|security\spolicy\b|bug\sreports?\s(?:are|and)
        (?:article|story|post|interview|page|transcript|episode|piece|conversation|entry|text|column|report)\s(?:was|has\sbeen|is)\s(?:first\s|originally\s|last\s|lightly\s|automatically\s|also\s|part\sof\s)*(?:published|updated|corrected|amended|generated|produced|created|condensed|edited|archived|translated|revised|clarified|changed|machine|a\sseries)|updated\s(?:at|on)\s\d.{0,40}\bto\b|(?:edited|condensed)\sfor\s(?:length|clarity|brevity|space)|episode\sis\s(?:supported|sponsored|brought|made)|(?:is|are)\sbrought\sto\syou|(?:show|episode|podcast|newsletter|post|content|segment)\s(?:is|was)\s(?:also\s)?sponsored\sby|earlier\sversions?\sof\s(?:this|the)\s(?:\w+\s)?(?:story|article|report|post|item|column|piece|page|document)|an\searlier\sversion\s(?:contained|misstated|misspelled|gave|said|stated|incorrectly)|previous\sversion\sof\s(?:this|the)\s(?:story|article|page|document)|früheren?\s(?:fassung|version)|version\santérieure\sde\s(?:cet|l'article)|versión\santerior\sde\sest|den\sfehler\s(?:berichtigt|korrigiert)|regret\sthe\serror|apologi[sz]e\sfor\sthe\s(?:error|mistake)|accuracy\smay\svary|rush\stranscript|may\scontain\serrors|final\sform\b|older\s(?:release|version)\sof\s(?:this|the)|older\srelease\b|latest\sversion\.|no\slonger\s(?:being\s)?(?:updated|maintained)|replaces\s(?:the|an)\s(?:earlier|previous)
        section\sneeds\b|help\s(?:us\s)?(?:update|improve|expand|keep)\b|help\sby\sexpanding|the\sreason\sgiven\sis|citation\sneeded|une\sébauche|projets\scorrespondants|en\sl.améliorant|von\sder\smoderation\b|unreleased\sversion|alpha\ssoftware|already\shas\s(?:an\s)?answers?|not\sthe\sanswer\syou|other\squestions|ask\syour\sown|for\scontributing\b|post\syour\s(?:answer|comment|question)|provide\sdetails\b|leave\sa\scomment|house\srules|keep\sit\scivil
        thank\syou\sfor\s(?:reading|your|having|holding|listening|watching|joining|subscribing|contributing|taking)|thanks\sfor\s(?:reading|having|listening|this|watching|subscribing|your|contributing|coming|joining)|please\s(?:consider|cite|note|contact|call|visit|help|read|enable|try\sagain|reply|refer|see|do\snot\s(?:repost|copy|reply)|e-?mail|send|open|let\sus|quote|subscribe|register|fill|credit|remember|check)\b|tell\sa\sfriend|wherever\syou\sget|get\syour\spodcasts|reply\sto\sthis|hit\sreply|on\sthe\ssocials|social\smedia\schannels|redes\ssociales|réseaux\ssociaux
        leave\s(?:us\s)?(?:a|your)\s(?:review|rating|comment|reply)|conference\scall\b.*\b(?:dial|held|[ap]\.m|webcast)|a\s(?:live\s)?webcast\b|dial\s(?:in\b|\+?[\d(])|media\scent(?:re|er)\b|on\syour\sterminal|photo\sdesk|graphics\sdesk
        next\ssurvey\b|win\san?\b.*\b(?:voucher|prize)|chance\sto\swin\san?\b|show\snotes\b|in\sstores\snow|(?:use|enter|quote)\s(?:the\s)?(?:\w+\s)?code\s[a-z]+\d*\b(?:\sfor|\sat|\swhen)|promo\scode|discount\scode|tiny\sbreak|short\sbreak\b.*\bback|wir\sfreuen\suns\s(?:auf|über)|en\spièce\sjointe|adjuntamos|adjunto\s(?:encontrar|les|te)|mailing\slist|send\sa\sblank|to\sbe\sadded\sto\sour|on\sour\swebsite|auf\sunserer\s(?:web|home|internet)?seite|sur\snotre\ssite|en\snuestra\s(?:web|página)
    """,
    "procedural": r"""
        you're\son\smute|on\smute\b|unmute|(?:share|sharing|see)\s(?:my|your|the|his|her)\s(?:screen|slides?)|can\s(?:you|everyone|everybody|people|you\sall|we\sall)\s(?:all\s)?(?:hear|see)\s(?:me|my|us|this|it|that)|can\s(?:hear|see)\syou\b|full\sscreen|got\s(?:a\sfew|some|my)\sslides|next\sslide|your\sslides\b|kick\s(?:us|things|this)\soff\b|hard\sstop\b|take\sthe\sminutes|taking\s(?:the\s)?minutes|notes?\s(?:this\safternoon|round)|(?:things|items|points|item|all)\s(?:are\s|is\s|was\s)?on\s(?:the|my|our)\sagenda|on\stoday's\sagenda|added\sto\sthe\sagenda|quick\sbreak|short\sbreak|take\sa\s(?:\w+\s)?(?:break|recess)|you're\son\sthe\sair|have\sa\scaller|love\sthe\sshow|(?:for|on)\sthe\srecord\?|introduce\s(?:yourself|yourselves)|(?:we|meeting|committee|council|stands?|motion\sto|move\sto|pleasure\sto)\s(?:is\s|was\s|are\s|now\s|will\s|to\s|stands\s)*adjourn|committee\sto\sadjourn|minute\swarning|the\smicrophones?\b.{0,12}\bon\b|kind\senough\sto\b|everyone\shere\?|are\syou\s(?:there|next)|want\sto\s(?:start|go\sfirst)\?|look\sforward\sto\sit|like\sto\sadd\?|declare\san\sinterest|interests?\s(?:was|were)\sdeclared|declarations?\sof\sinterest|come\sback\sto\s(?:it|that|this|you)\b|bring(?:s)?\sus\s(?:nicely\s)?to\b|bogged\sdown|take\s(?:that|this|it)\soffline|get\sthis\sthing|where\swe\sleft|just\stuning\sin|time\slistener|for\sjoining\s(?:me|us)|joining\s(?:me|us)\s(?:today|now|this|tonight|from)|see\syou\s(?:next|then|soon|again)|(?:give|giving|yield|cede)\s(?:\w+\s)?the\sfloor|the\sfloor\sis\s(?:yours|open)|point\sof\sorder|through\sthe\schair|unanimous\sconsent|rest\sof\smy\stime|the\spleasure\sof\sthe\s(?:committee|council|board|meeting)|six\sminutes\.$|to\sthe\s(?:first|second|third|next|last|final)\s(?:\S+\s)?round(?:\sof\squestions)?\.?$|(?:happy|glad|pleased|be\sable)\sto\stake\s(?:any\s|your\s)?questions|we(?:'ve|\shave)?\s(?:got\s|only\s|still\s|about\s|like\s|just\s)*(?:\w+\s)?(?:minutes?|time)\sleft|out\sof\stime\b|run\sout\sof\stime|that's\stime\b
        no\sfurther\sbusiness|close\sthe\smeeting|meeting\s(?:closed|ended|opened|began)\s(?:at|with)|taken\sas\sread|(?:true|correct|accurate)\srecord|matters\sarising|minutes\sof\sthe\b.{0,60}\b(?:meeting|held|assembly)|previous\sminutes|date\sof\s(?:the\s)?next\smeeting|(?:next|following|later|future)\s(?:meeting|session)\.$|(?:the|our|next)\s(?:ordinary|annual\sgeneral|committee|board|council)\smeeting\s(?:will|is|takes)|any\sother\s(?:\w+\s)?business|(?:remainder|rest)\sof\s(?:this|the)\s(?:paper|article)\s(?:is|proceeds)|chair(?:man|woman|person)?\s(?:thanked|welcomed|opened|closed|reminded|called)|welcomed\s(?:everyone|everybody|all|members|those|the\s(?:members|participants|guests|attendees))|reminded\s(?:everyone|everybody|those|members)|thanked\s(?:everyone|everybody|members|those\spresent|the\s(?:chair|members|participants|speakers?|clerk|committee|attendees))\sfor|(?:chair|president|mayor|cllr|council|committee|secretary)\sthanked|vote\sof\sthanks|for\s(?:his|her|their)\sreport\b|(?:clerk|secretary|treasurer)\s(?:was|is|to\sbe)\s(?:instructed|asked|requested)\sto\s(?:acknowledge|write|reply|circulate|send|inform)|in\swriting\sto\sthe|submit\sit\sto|write\sto\sthe\scommittee|next\s(?:item|agenda)\b|move\son\sto\s(?:item|the\snext)|(?:report|reports|correspondence|accounts?|schedule|letters?|update|payments?|minutes)\b.{0,40}\b(?:was|were)\s(?:duly\s)?(?:received|noted|approved|accepted|circulated|adopted)(?:\sunanimously)?\.?$|defer\s(?:the|this)\s(?:item|matter|remainder|discussion|decision|rest)|(?:item|matter|discussion|remainder)\s(?:was|were|be)\s(?:deferred|tabled|postponed|held\sover)|proposed(?:\sby)?\s?:\s?|proposed\sby\s(?:cllr|councillor|mr|mrs|ms|dr)\b|seconded\s(?:by|:)|seconded:\s|having\sbeen\scirculated|payments?\sas\sper
        explained\sin\sappendix|first\stime\sthey\sappear|as\sseen\slooking\b|comme\spromis\b|structured\sas\sfollows|organi[sz]ed\sas\sfollows|proceeds\sas\sfollows|in\sthe\sfollowing\ssections?|relegated\sto|details\s(?:are|can\sbe|may\sbe)\s(?:given|found|obtained)|can\sbe\sfound\s(?:in|on|at)\s(?:the|our|appendix)|presented\sin\ssection|be\sfound\sin\sthe\ssupplement|readers?\s(?:are|is)\sreferred
        tagesordnung|beschlussfähig|fristgerecht|wortmeldung|gegenstimme\sgenehmigt|(?:schloss|eröffnete|schließt|eröffnet)\sdie\s(?:versammlung|sitzung)|begrüßte?\s(?:die|alle)\s(?:anwesenden|mitglieder|gäste|teilnehmer)|für\sihr\skommen|einwandfreie\s(?:buch|kassen)führung|enthaltung\sder\sbetroffenen|entlastung\s(?:des|der|erfolgte|wurde)|ordre\sdu\sjour|procès-verbal|lève\sla\sséance|séance\s(?:est|a\sété)\s(?:levée|ouverte|close)|assemblée\saura\slieu|réunion\saura\slieu|verre\sde\sl'amitié|orden\sdel\sdía|ruegos\sy\spreguntas|levanta\sla\ssesión|lectura\sdel\sacta
    """,
}
"""Patterns anywhere in a sentence, at the beginning of a word."""

SIGNS = r"""
    ©|\(c\)\s|\.\.\.\.\.|\.\s\.\s\.\s\.\s|_____|------|………|\(\d-\d(?:-\d)+\)|<v\s|@(?<=\w@)[\w-]+\.\w
    CONTRIBUTING(?<=\bCONTRIBUTING)\b|Published\sby\s[A-Z]
"""
"""Signs anywhere in a sentence that are no words, or whose capitals matter.

Each begins with one known character, and so does each of the patterns that `quality.py` searches for: the search then
runs from one such character to the next.
"""


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

_SPECIAL = frozenset("[](){}.*+?^$|")
_QUANTIFIERS = ("?", "*", "+", "{")
_MARKS = ("(", ")", "|")
_MARK = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()|]")


class PhraseTable:
    """Patterns by kind, in lines, for lowercased text; each pattern begins where a word or a mark does.

    Only those are compiled and tried that may begin at a word of the text. Compiling all together would take a third of
    a second, and trying them at each word ten times as long. What is compiled at first is one pattern of the few
    characters that each phrase begins with, spelled out.

    Args:
        patterns: Patterns of each kind; of several kinds that match at one place, the first counts.
        key: Number of first characters that are spelled out; patterns are found by them. More of them take longer to
            prepare, and leave fewer places at which a pattern is tried.
    """

    def __init__(self, patterns: Mapping[str, str], key: int) -> None:
        self._patterns = patterns
        self._key = key
        self._order = {kind: place for place, kind in enumerate(patterns)}
        self._compiled: dict[str, re.Pattern[str]] = {}

    def match(self, text: str) -> str:
        """Kind of the pattern that a text begins with; "" if there is none."""
        return self._kind_at(text, 0)

    def search(self, text: str) -> tuple[int, str] | None:
        """Place and kind of the leftmost pattern in a text."""
        for begin in self._begins.finditer(text):
            if kind := self._kind_at(text, begin.start()):
                return begin.start(), kind
        return None

    def _kind_at(self, text: str, place: int) -> str:
        table, found = self._table, []
        for size in range(self._key + 1):
            if (key := text[place : place + size]) in table and (one := self._beginning(key).match(text, place)):
                found.append(str(one.lastgroup))
        return min(found, key=self._order.__getitem__) if found else ""

    def _beginning(self, key: str) -> re.Pattern[str]:
        """Patterns of the table that begin with a key."""
        found = self._compiled.get(key)
        if found is None:
            kinds = "|".join(f"(?P<{kind}>{'|'.join(found)})" for kind, found in self._table[key].items())
            found = self._compiled[key] = re.compile(kinds)
        return found

    @cached_property
    def _begins(self) -> re.Pattern[str]:
        """Where a word begins or ends before one of the keys."""
        return re.compile(rf"\b(?={_tree(sorted(self._table))})")

    @cached_property
    def _table(self) -> dict[str, dict[str, list[str]]]:
        """Patterns by their first characters and their kind."""
        table: dict[str, dict[str, list[str]]] = {}
        for kind, written in self._patterns.items():
            for pattern in _split(alternatives(written)):
                for key, spelled in _spelled(pattern, self._key):
                    table.setdefault(key, {}).setdefault(kind, []).append(spelled)
        return table


def alternatives(written: str) -> str:
    """One pattern of the lines of a text."""
    return "|".join(line.strip() for line in written.strip().splitlines())


def _tree(keys: Iterable[str]) -> str:
    """Pattern of sorted keys, those that begin alike together; of two the shorter suffices."""
    branches = []
    for first, group in groupby(keys, key=lambda key: key[:1]):
        if not first:
            return ""
        branches.append(re.escape(first) + _tree(key[1:] for key in group))
    return branches[0] if len(branches) == 1 else f"(?:{'|'.join(branches)})"


def _spelled(pattern: str, length: int) -> list[tuple[str, str]]:
    """Spell out the first characters, `length` at most, of the texts that a pattern matches, as far as they are known.

    Each comes with the part of the pattern that they begin.
    """
    if not pattern or not length:
        return [("", pattern)]
    atom = _group(pattern) if pattern.startswith("(?:") else pattern[: 1 + pattern.startswith("\\")]
    rest = pattern[len(atom) :]
    optional = rest.startswith("?")
    rest = rest.removeprefix("?")
    if rest.startswith(_QUANTIFIERS):
        return [("", pattern)]
    if atom.startswith("(?:"):
        found = [one for inside in _split(atom[3:-1]) for one in _spelled(inside + rest, length)]
    elif character := _character(atom):
        found = [(character + key, atom + after) for key, after in _spelled(rest, length - 1)]
    else:
        return [("", pattern)]
    return found + _spelled(rest, length) if optional else found


def _character(atom: str) -> str:
    """The character that a part of a pattern stands for; "" if it stands for several. White space is a blank."""
    if atom.startswith("\\"):
        return " " if atom == r"\s" else "" if atom[1].isalnum() else atom[1]
    return "" if atom in _SPECIAL else atom


def _split(pattern: str) -> Iterator[str]:
    """Alternatives of a pattern."""
    depth = begin = 0
    for at, mark in _marks(pattern):
        if mark != "|":
            depth += 1 if mark == "(" else -1
        elif depth == 0:
            yield pattern[begin:at]
            begin = at + 1
    yield pattern[begin:]


def _group(pattern: str) -> str:
    """The group that a pattern begins with."""
    depth = 0
    for at, mark in _marks(pattern):
        depth += (mark == "(") - (mark == ")")
        if depth == 0:
            return pattern[: at + 1]
    raise ValueError(f"a group does not end: {pattern}")


def _marks(pattern: str) -> Iterator[tuple[int, str]]:
    """Parentheses and bars of a pattern, each with its place."""
    return ((found.start(), found.group()) for found in _MARK.finditer(pattern) if found.group() in _MARKS)


_CASED = ("reference", "byline")
_START = PhraseTable({kind: written for kind, written in START.items() if kind not in _CASED}, key=3)
_ANYWHERE = PhraseTable(INSIDE, key=6)


@cache
def _cased_start() -> re.Pattern[str]:
    """Beginnings in which capitals matter; the group that matches has the name of the kind."""
    return re.compile("|".join(f"(?P<{kind}>{alternatives(START[kind])})" for kind in _CASED))


_LABELS = re.compile(alternatives(LABELS))
_SIGNS = re.compile(alternatives(SIGNS))
_HEADINGS = [
    (kind, re.compile("(?:" + "|".join(one.strip() for one in " ".join(names.split()).split("|")) + ")", re.IGNORECASE))
    for kind, names in SECTIONS.items()
]
_NUMBERING = re.compile(r"^(?:[#*§\W]|\d+\.?|[IVX]+\.)+\s*")
_EDIT_LINK = re.compile(r"\s?\[[^\]]*\]\s*$")
_RULE = re.compile(r"\b(?:wenn|sofern|soweit|falls|muss|müssen|kann|können|darf|dürfen|ein(?:zuberufen|zuladen))\b")
_QUOTATION_MARKS = re.compile(r"[\"“”„«»]")
_REMARK = re.compile(r"^(?:\[[a-z ]{4,20}\]\s*)+(?=[A-ZÀ-Þ])")


def kind_of_sentence(text: str) -> str:
    """Kind of junk that a sentence's words betray; "" if none.

    Words within quotation marks are somebody's, and betray nothing.
    """
    if text[:1] == "[":
        text = _REMARK.sub("", text)
    lowered = with_plain_apostrophes(text.lower()).replace(" '", "'")
    if not _is_quoted(lowered, 0):
        if (begun := _START.match(lowered)) and not _rules(begun, lowered):
            return begun
        cased = _cased_start().match(text)
        if cased:
            return str(cased.lastgroup)
    inside = _ANYWHERE.search(lowered)
    if inside and not _is_quoted(lowered, inside[0]) and not _rules(inside[1], lowered):
        return inside[1]
    return "notice" if _LABELS.match(text) or _SIGNS.search(text) else ""


def _rules(kind: str, text: str) -> bool:
    """Return True if a lowercased sentence with words of meetings is a rule of when and how they are held."""
    return kind == "procedural" and _RULE.search(text) is not None


def _is_quoted(text: str, at: int) -> bool:
    """Return True if a place lies within quotation marks, of which the first or the last may be in another sentence."""
    before = len(_QUOTATION_MARKS.findall(text, 0, at))
    return before % 2 == 1 or (before == 0 and len(_QUOTATION_MARKS.findall(text)) % 2 == 1)


def kind_of_section(heading: str) -> str:
    """Kind of junk that stands below a heading; "" if what stands there is prose."""
    name = _NUMBERING.sub("", _EDIT_LINK.sub("", heading)).strip(" :.*#_").casefold()
    return next((kind for kind, pattern in _HEADINGS if pattern.fullmatch(name)), "") if len(name) < 60 else ""

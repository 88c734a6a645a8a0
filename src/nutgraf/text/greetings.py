"""Greetings, thanks and closings of letters, which name nothing: no key phrase holds one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

_GREETINGS = """
hello|hi|hiya|hey|bye|goodbye|thanks|cheers|dear|sincerely|regards|kind regards|best regards|warm regards|best wishes
good morning|good afternoon|good evening|good night|good luck|happy birthday|thank you
hallo|tschüss|danke|vielen dank|herzlichen dank|guten morgen|guten tag|guten abend|gute nacht|grüß gott|bitte
liebe grüße|viele grüße|beste grüße|herzliche grüße|schöne grüße|freundliche grüße|freundlichen grüßen|lieben grüßen
besten grüßen|herzlichen grüßen|vielen grüßen|auf wiedersehen|sehr geehrte|sehr geehrter|herzlich willkommen
bonjour|bonsoir|salut|merci|cordialement|merci beaucoup|bonne journée|bonne soirée|bonne nuit|au revoir
meilleures salutations|salutations distinguées|cher monsieur|chère madame|s'il vous plaît|bienvenue
hola|gracias|adiós|saludos|buenos días|buenas tardes|buenas noches|muchas gracias|un saludo|cordiales saludos|estimado
estimada|estimados|atentamente|bienvenidos|por favor|hasta luego|un abrazo
ciao|grazie|buongiorno|buonasera|buon giorno|buona sera|buonanotte|arrivederci|cordiali saluti|distinti saluti
tanti saluti|gentile signora|gentile signore|grazie mille|per favore
olá|oi|obrigado|obrigada|tchau|bom dia|boa tarde|boa noite|atenciosamente|prezado|prezada|caro senhor|cara senhora
muito obrigado|muito obrigada|cumprimentos|melhores cumprimentos|seja bem-vindo
bedankt|dankjewel|dank je|dank je wel|dank u wel|goedemorgen|goedemiddag|goedenavond|goede morgen|goede avond
vriendelijke groet|vriendelijke groeten|hartelijke groet|hartelijke groeten|geachte|groetjes|tot ziens|hartelijk dank
привет|здравствуйте|здравствуй|спасибо|пожалуйста|добрый день|доброе утро|добрый вечер|спокойной ночи|до свидания
уважаемый|уважаемая|уважаемые|с уважением|большое спасибо|всего доброго
"""

_BY_FIRST: dict[str, list[tuple[str, ...]]] = defaultdict(list)
for _greeting in _GREETINGS.replace("\n", "|").strip("|").split("|"):
    _BY_FIRST[_greeting.split()[0]].append(tuple(_greeting.split()))


def greetings(words: Sequence[str]) -> Iterator[int]:
    """Yield the positions of the tokens of a sentence that are part of a greeting.

    >>> [*greetings(["Good", "morning", ",", "captain", "!"])]
    [0, 1]
    """
    lowered = [word.lower() for word in words]
    for start in [position for position, word in enumerate(lowered) if word in _BY_FIRST]:
        for greeting in _BY_FIRST[lowered[start]]:
            if tuple(lowered[start : start + len(greeting)]) == greeting:
                yield from range(start, start + len(greeting))

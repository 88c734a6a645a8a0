"""Words of which sentences about the page, the publication, the meeting or the call are made.

Each class of words stands for something that is no subject of a document, but that documents say about themselves or
to their readers. A word alone proves nothing, since any of these may be a subject ("the meeting ended in a fight");
`junk_odds.py` weighs how many of the words of a sentence there are, and what else speaks for it. The words are English,
German, French and Spanish; one with an asterisk stands for all that begin with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from nutgraf.text.clean import with_plain_apostrophes

CLASSES: dict[str, dict[str, str]] = {
    "web": {
        "en": """
            account accounts ad ads adblock* advert adverts advertise* app apps banner beta blog* bookmark* browse*
            browser* button* channel click* cookie* download* e-mail* email* facebook feed forum* hashtag* homepage*
            html inbox instagram javascript link linkedin links login log* mailbox mailing mastodon menu message
            messages moderat* newsletter* notification* online page pages password* paywall* pdf podcast* pop-up*
            post posts preference* profile repository rss scroll* signup site sites smartphone* socials spam
            subscrib* subscript* tab tap thread tiktok tweet* twitter unsubscrib* upload* url username* video
            webcast* web webpage* website* whatsapp wiki youtube
        """,
        "de": """
            abo abonn* abos anmeld* anzeige anzeigen app artikel browser cookie* datenschutz* download* e-mail*
            email* facebook forum herunterlad* homepage instagram inhalt inhalte internetseite* klick* konto
            kommentar* kommentier* kündig* link links mail newsletter* online passwort podcast* postfach probeabo*
            registrier* seite seiten smartphone twitter video web* werbung whatsapp youtube
        """,
        "fr": """
            abonn* app appli application article articles boîte clic cliqu* commentaire* compte connect* connexion
            cookie* courriel* e-mail* email* facebook fil infolettre* inscri* instagram internet lien liens mail*
            message messages navigateur* newsletter* notification* page pages partag* podcast* publicité* réseaux
            site sites télécharg* twitter vidéo web whatsapp youtube
        """,
        "es": """
            app aplicación artículo artículos boletín* bandeja botón clic comentario* comparte compartir contraseña
            cookie* correo* cuenta descarg* e-mail* email* enlace* facebook formulario* instagram mail navegador*
            newsletter* página páginas podcast* publicidad redes regístr* registr* sitio sitios suscri* twitter
            vídeo video web whatsapp youtube
        """,
    },
    "publication": {
        "en": """
            article articles book booklet broadcast* brochure bulletin chapter column content contents copies copy
            document documents edition editions episode episodes essay excerpt* extract feature file files gallery
            graphic* guide image images instalment* interview issue issues journal leaflet magazine manuscript*
            newspaper notes notice number photograph* photos picture pictures poem preprint* presentation programme
            programmes project publication* publish* readers recording release report reports reprint* review
            section sections series show slideshow statement story stories stub subtitles supplement* text texts
            transcript* translat* version versions
        """,
        "de": """
            abdruck artikel ausgabe ausgaben autoren* auszug auszüge beitrag beiträge bericht berichts bild*
            broschüre buch dokument* erzählung fassung folge fotos heft interview* leser* magazin manuskript*
            mitteilung* publikation* redaktion* serie sendung text texte veröffentlich* verlag* version zeitschrift
            zeitung
        """,
        "fr": """
            article articles brochure catalogue chapitre communiqué* document* dossier* édit* entretien* épisode*
            extrait* feuilleton image images journal lecteur* lectrice* lettre livre magazine manuscrit* numéro*
            ouvrage photo* publi* rapport* rédaction* reportage* revue* série texte* tirage traduction* version*
            ébauche*
        """,
        "es": """
            artículo* boletín capítulo catálogo comunicado* contenido* documento* edición* edita editorial*
            ejemplar* entrevista* episodio* fascículo folleto imagen* imágenes informe* lector* libro* manuscrito*
            número* publica* redacción* reportaje* revista* serie texto* traducción* versión*
        """,
    },
    "legal": {
        "en": """
            accordance accuracy applicable authoris* authoriz* code coincidental complain* condition conditions
            confidential* consent* contract copying copyright* disclaim* distribut* disclosure endors* errors
            excluded exempt* express fictitious guarantee* herein hereby imprint inaccura* independent infring*
            intended jurisdiction* law laws legal liabilit* liable licen* limited logo* material materially mining
            obligation* omission* owner* permission* permit* personal persons policies policy prejudice printed
            privacy prior privileged prohibited property protected purely purpose* quotation quoted receipt
            recipient* redistribut* registered regulations reliance reprinted repost* reproduc* reserved resemblance
            responsib* rights rules storage subject terms trademark* unauthori* undertake unless violat* warrant*
            withdraw* written
        """,
        "de": """
            agb auszugsweise bestimmungen datenschutz* einwillig* erfunden frei* genehmigung* gewähr* haftung*
            haftet impressum lizenz* nachdruck* nutzungs* personen rechte rechtlich* urheber* verantwort* verboten
            verbreitung vertraulich* vervielfältig* vorbehalten weitergabe zustimm* ähnlichkeit*
        """,
        "fr": """
            accord accès autorisation* condition* confidenti* conformément données droit droits interdit* légal*
            légales licence* loi mentions personnes préalable propriété protection réservés rectification reproduc*
            respons* ressemblance* usage utilisation*
        """,
        "es": """
            autoriza* aviso condiciones confidencial* consentimiento coincidencia datos derechos exclusiva ficción
            legal* ley licencia* parecido permiso permite previo privacidad prohibi* propiedad protección reproduc*
            reservados responsab* uso
        """,
    },
    "credit": {
        "en": """
            acknowledg* adapted advice affiliation* anonymous* appreciat* approved author authored authors backing
            collaborat* comments competing conceived conception conceptual* conflict* contribut* correspond* credit*
            declar* encouragement fellowship* fund funded funder* funding gratitude grateful grant* guidance helpful
            indebted interests kind kindly kindness opinions participants peer peer-review* permission proofread*
            referee* reflect remarks reviewer* scholarship* seminar* sponsor* suggestions support supported
            supporters thank thanked thankful thanks views volunteers
        """,
        "de": """
            anregungen autoren beitr* bedank* dank danke* danken dankt dankbar finanzier* freundlich* förder*
            gefördert* gutachter* hilfe hinweise interessenkonflikt* meinung* stipendi* unterstütz* verfasser*
        """,
        "fr": """
            aide auteurs conflit* contribu* financ* fonds gratitude intérêt* merci opinions reconnaissan* relecteur*
            remerci* soutenu* soutien subvention* bourse*
        """,
        "es": """
            agradec* apoyo autores ayuda beca* colabora* conflicto* fondos financi* gracias gratitud interés
            intereses opinion* revisores subvenci*
        """,
    },
    "meeting": {
        "en": """
            absence acclamation adjourn* adopted agenda* agreed amend* announced apolog* approved approval arising
            asked attend* aye business call called carried chair chaired chairing chairman chairperson chairwoman
            circulated clerk close closed colleague* colleagues commence* committee concluded confirmed consent
            convened correspondence council cover* date defer* delegates discuss* distributed document floor guests
            hearing hon honourable hour housekeeping instructed interpret* invited item items list matter matters
            meeting* member members minutes motion* moved nays noted notes notice open opened order party pleasure
            point postponed present presented proposed proposer proceed* quorate quorum questions raise raised
            reconvene* recess record recorded report* resolved resume* resuming review* round schedule scheduled
            second seconded seconder secretary session* sign signed speak* standing submit* tabled taken testimony
            thanked time treasurer turn unanim* update updates vote* votes welcome* witness*
        """,
        "de": """
            abstimmung abwesend* anmerkungen annahme antrag antr* anwesen* begrüß* beschlussfähig* bericht* dank*
            dankt* diskussion einladung* eingeladen* einstimm* einwände entlast* enthaltung* entschuldig*
            erschienen* eröffn* festgestellt form* fristgerecht gegenstimme* genehmig* kassenprüf* leiter mitglieder
            nächst* ordnungsgemäß protokoll* punkt punkte sitzung* schließ* schloss schriftführ* stimmen
            stimmberechtigt* tagesordnung* teilnehm* termin top verabschied* versammlung* verschiedenes vertagt*
            vorsitz* wort wortmeldung*
        """,
        "fr": """
            absents absten* adopt* approuv* assemblée* clos* clôtur* compte-rendu* convoca* débat* excus* invit*
            jour levée lève membres motion* odj ordre ouvert* ouvre parole pouvoir* président* présents prochaine
            procès-verbal* quorum remerci* réunion* salle secrétaire séance* unanim* vote* voix
        """,
        "es": """
            abiert* acta* actas aprob* asamblea* asist* asunto* ausen* clausur* concluy* convoca* día junta* levant*
            miembros moción orden palabra preguntas presiden* próxima quórum reunión* ruegos secretari* sesion*
            sesión unanim* vot*
        """,
    },
    "call": {
        "en": """
            able ahead audible back bit boot break camera chat colleague computer connect* crackl* dial* everyone
            finish five gone guess hand hands handed hang hear heard homework item jump kick laptop* laser late
            later leave leaving left line list meeting mic mike microphone* minute minutes moment move moving mute*
            muted next offline pass pause pen point pointer presentation projector questionnaire* quick quickly
            recap record* resume room run screen screens sec second sense share sharing skip slide slides sound
            speak speaker* start started stop tech teams time today turn unmute* video wait wait whiteboard wrap
            zoom
        """,
        "de": """
            bildschirm folie* hören hört kamera leitung mikro* minute moment pause stumm ton verbindung zeit
        """,
        "fr": "caméra diapo* écran entend* entendre instant micro* minute pause son tour",
        "es": "cámara diapositiva* escuch* micrófono* minuto momento oye* pantalla pausa sonido turno",
    },
    "greeting": {
        "en": """
            afternoon all apologies audience best bye cheers congratulations dear evening everybody everyone folks
            friends gentlemen good goodbye great greetings guest guests guys happy hello hey hi honour hope kind
            ladies listener* listening lovely luck morning name neighbours nice night pleased pleasure regards see
            season soon sorry talk thank thanks thrilled time tonight treat tune* viewers warm weekend welcome* well
            wishes wonderful
        """,
        "de": """
            abend auf dank danke freue freuen freundlich* geehrte* gruß grüße guten hallo herzlich* hoffe liebe
            lieber morgen schön sommer tag tschüss wiederhören wiedersehen willkommen wünsche
        """,
        "fr": """
            adieu amical* amitiés bientôt bien bienvenue bonjour bonne bonsoir chaleureu* cher chers chère chères
            cordial* espère fidélité heureux merci monsieur madame passé plaisir salut souhait* vœux
        """,
        "es": """
            abrazo adiós amigos bienvenid* buenas buenos cordial* encantad* espero estimad* feliz gracias gusto hola
            placer querid* saludo*
        """,
    },
    "show": {
        "en": """
            audio break broadcast* conversation downloads episode* guest* host hosted hosts interview join joined
            joining listen* music music-break podcast* program programme* rating recorded review reviews season
            segment show sound sponsor* studio tune* tuned viewers
        """,
        "de": "folge gast gastgeber* gäste musik podcast* sendung* studio zuhör* zuschau*",
        "fr": "auditeur* auditrice* émission* épisode* invité* micro musique podcast* réécout* studio",
        "es": "episodio* escuch* invitad* música oyente* podcast* programa* estudio",
    },
    "signpost": {
        "en": """
            above annex appendices appendix below chapter chapters close concludes conclusion content covered deals
            describe* detail* details discuss* document examine* explain* figure figures following follows found
            full further information introduc* methods next notes organi* outlin* overview part parts reader readers
            recap refer referred relegated remainder report rest review* section sections see sketch* structured
            summar* supplement* table tables text then turn turns
        """,
        "de": """
            abbildung abschnitt* anhang behandelt beschreib* details folgende* gliedert kapitel siehe tabelle teil
            unten
        """,
        "fr": "annexe* chapitre* décrit détail* figure partie* présent* section* suivant* tableau*",
        "es": "anexo* apartado* capítulo* describe* detalle* figura presenta* sección* siguiente* tabla",
    },
    "caption": {
        "en": """
            aerial above archive author authors background bars below bottom cartoon caption centre center chart
            chief circle* clockwise courtesy colour credit credits dashed detail diagram dotted drawing figure file
            foreground frame front graph graphic grey green handout illustration image images inset left legend line
            lines map maps middle opposite painted painting panel panels photo photograph* photos pictured picture
            portrait pose poses posing postcard posing red right row rows screenshot seen shaded shot show showing
            shown shows sketch source stands symbols top undated view viewed visible whiskers yellow
        """,
        "de": """
            abbildung ansicht archiv aufnahme bild bildes bildmitte blau blick foto fotos gezeichnet* grafik
            hintergrund karte links luftbild mitte oben quelle rechts rot symbolbild symbolfoto unten vordergrund
            zeichnung zeigt
        """,
        "fr": """
            aérienne archives bas bleu carte cliché crédit crédits dessin droite figure gauche graphique gravure
            haut illustration image légende photo photographie plan portrait rouge schéma source vue
        """,
        "es": """
            abajo aérea archivo arriba azul centro derecha detalle dibujo elaboración figura foto fotografía fuente
            gráfico ilustración imagen izquierda mapa panorámica retrato rojo vista
        """,
    },
    "author": {
        "en": """
            anthology appeared appears assistant author* award award-winning based biograph* book books born
            broadcaster co-author* collection column columnist* contribut* correspondent* critic currently debut
            editor* editorial editing essay* fellow fiction forthcoming freelance* grew host illustrat* interviewed
            journalist* lecturer* lives magazine newspaper novel* novelist* photograph* piece playwright poems poet
            poetry prize producer* produced professor* recent reporter* reporting reports shortlisted specialis*
            specializ* stories studied teaches translat* winner words work works write* writer* writing written
        """,
        "de": """
            arbeitet autor* erschien erschienen freie freier geboren* illustrat* journalist* korrespondent* lebt
            mitarbeiter* redakteur* redaktion reporter* roman romane schreibt schriftsteller* studierte text
            übersetz* volont*
        """,
        "fr": """
            auteur* autrice* chroniqu* collabor* correspondant* écrit écrivain* envoyé* envoyée essayiste illustrat*
            journaliste* né née paru photograph* poète propos publié recueilli* rédact* reporter* roman* traduc* vit
        """,
        "es": """
            autor* colabora* columnista* corresponsal* enviad* escribe escritor* ilustra* nacid* nació novela*
            novelista* periodista* poeta publicado redactor* reportero* texto traduc* traduj* vive
        """,
    },
    "revision": {
        "en": """
            ago amend* archive* changed changes clarif* clear condensed content correct corrected correction*
            earlier edited edit edits error errors incorrect* inaccura* last latest mistake* misspell* misstat*
            modified newer older outdated previous previously published record reflect replaces reviewed revis*
            stated unedited updat* version versions wrong wrongly
        """,
        "de": """
            aktualisier* bearbeit* berichtig* fassung fehler* fälschlich* früher* geändert korrektur* korrigier*
            stand version veröffentlicht zuletzt
        """,
        "fr": """
            actualis* correcti* corrig* dernière erreur* erroné* jour mise modif* précédente publié* rectif* version
        """,
        "es": "actualiz* correcci* correg* error* errata* anterior fe modific* publicad* última versión",
    },
    "contact": {
        "en": """
            address apply arrang* assistance attend call calls contact contacts desk details enquir* fax fill form
            format formats hear helpline hotline information inquir* interview* mail media nearest newsroom office
            phone places press queries question questions registration reply request respond rsvp schedule* team
            telephone visit*
        """,
        "de": """
            adresse anfrage* anmeldung ansprechpartner* antwort* auskunft auskünfte bestell* fax formular fragen
            hotline informationen kontakt* presse* rückfragen telefon* wenden
        """,
        "fr": """
            adresse* adhér* appel* contact* coordonnées courrier demande* formulaire* informations inscri* joindre
            presse renseign* réserv* téléphon*
        """,
        "es": """
            consulta* contact* dirección formulario* informa* inscri* llam* plaza* prensa reserv* solicit* teléfono*
            tel
        """,
    },
    "offer": {
        "en": """
            appeal book buy cent cents coffee coupon* deal delivered delivery discount* donat* edition enjoy
            enjoying exclusive* free friend gift* give giving household issue join loyal member members membership*
            month monthly offer offers order* pay pence percent pound pounds price prize* promo* purchase renew*
            readers sale save sell shop star stay store supporter* supporters supporting sponsor* ticket* tip trial
            unlimited upgrade* value voucher* weekly win
        """,
        "de": """
            angebot* bestell* euro exklusiv* geschenk* gewinn* gratis gutschein* jederzeit kaufen kostenlos*
            kündigen mitglied* monat monatlich plus rabatt* spend* test* unterstütz* vorteil*
        """,
        "fr": """
            abonnés adhé* adhérent* cadeau* code cotisation don dons essai euro exclusi* gagn* gratuit* offre*
            offert* mois promo* prix réduction renouvel* soutenez soutien
        """,
        "es": """
            compra* descuento* dona* exclusiv* gana gratis gratuit* mes oferta* prueba* regalo* socio* sorteo
            suscriptor* promoci* venta
        """,
    },
}

SMALL: dict[str, dict[str, str]] = {
    "you": {
        "en": "you your yours yourself yourselves you're you've you'll you'd",
        "de": "euch euer eure euren dir dich dein deine ihnen",
        "fr": "vous votre vos tu te toi ton ta tes",
        "es": "usted ustedes tú ti tu tus te os vuestro vuestra vuestros contigo",
    },
    "we": {
        "en": "we our us ours we're we've we'll we'd let's",
        "de": "wir uns unser unsere unserem unseren unserer",
        "fr": "nous notre nos",
        "es": "nosotros nosotras nuestro nuestra nuestros nuestras nos",
    },
    "i": {
        "en": "i my me mine i'm i've i'll i'd",
        "de": "ich mein meine mir mich meinem meinen meiner",
        "fr": "je j mon ma mes me moi j'ai",
        "es": "yo mi mis me mí",
    },
    "please": {
        "en": "please kindly",
        "de": "bitte",
        "fr": "veuillez merci",
        "es": "favor rogamos",
    },
    "deictic": {
        "en": "this these here our present herein",
        "de": "diese dieser dieses diesem diesen hier unser unsere unseren unserem",
        "fr": "ce cet cette ces ci présent présente ici notre nos",
        "es": "este esta estos estas aquí presente nuestro nuestra nuestros nuestras",
    },
    "tell": {
        "en": "said says told added asked explained recalled argued wrote warned replied insisted noted announced",
        "de": "sagt sagte erklärte erzählt erzählte meint meinte betonte berichtet berichtete rief",
        "fr": "dit a-t-il a-t-elle explique affirme raconte ajoute déclare estime",
        "es": "dijo dice explica afirma cuenta asegura añade señala declaró",
    },
    "past": {
        "en": """
            was were had did began became came fell found gave got grew held kept knew left lost made met rose ran saw
            set stood took went won
        """,
        "de": "war waren wurde wurden hatte hatten kam kamen ging gingen blieb lag stand begann gab fand nahm ließ",
        "fr": "était étaient fut furent avait avaient eut a ont est sont",
        "es": "era eran fue fueron había habían tuvo tenía hubo ha han es son",
    },
}
"""Classes of small words, which are counted but are not what a sentence is about."""

INVITING: dict[str, str] = {
    "en": """
        accept add allow apply ask be become book bring browse buy call catch check choose cite click come complete
        consider contact contribute copy count create discover do donate don't download drop email enable enjoy
        ensure enter explore feel fill find follow forget forward get give go grab have head hear help hit hold
        improve join keep know learn leave let like listen load log look make mark meet message mind miss never note
        open order pick phone please post press print rate read refer register remember reply report request reserve
        return review save scan scroll search see select send share show sign skip start stay stop submit subscribe
        support switch take tell text try tune turn type unlock unsubscribe update upgrade use view visit vote wait
        watch win write
    """,
    "de": """
        abonniere bestelle bleib folge hol jetzt klick komm lies melde schau schick schreib teile teste unterstütze
        vergiss
    """,
    "fr": "n'oubliez",
    "es": """
        abónate accede apoya apúntate ayúdanos comparte compra conoce consulta contacta contáctanos deja descarga
        descubre disfruta elige encuentra entra envía escribe escríbenos escucha gana haz inscríbete infórmate lee
        llama llámanos mira participa pide pincha pregunta regístrate rellena reserva síguenos solicita suscríbete
        únete ven visita visítanos vota lea siga vea visite consulte haga llame envíe escriba suscríbase descargue
        reserve
    """,
}
"""Verbs with which an invitation to the reader begins."""


LANGUAGES = ("en", "de", "fr", "es")
"""Languages of the words."""

_ALL = {**CLASSES, **SMALL}

NAMES = tuple(_ALL)
"""Names of the classes; each has a bit, in this order."""

_SHORTEST = 3
"""Fewest letters before an asterisk."""


def _table(language: str) -> dict[str, int]:
    """Bits of the classes of each word, and of each beginning with its asterisk."""
    table: dict[str, int] = {}
    for place, words in enumerate(_ALL.values()):
        for word in words[language].split():
            table[word] = table.get(word, 0) | 1 << place
    return table


_TABLES = {language: _table(language) for language in LANGUAGES}
_INVITING = {language: frozenset(words.split()) for language, words in INVITING.items()}
_NO_REQUESTS = ("assez", "chez", "nez")
_PLEASE = 1 << NAMES.index("please")


@lru_cache(maxsize=1 << 14)
def classes_of(word: str, language: str) -> int:
    """Bits of the classes that a lowercased word of one of `LANGUAGES` belongs to."""
    table = _TABLES[language]
    word = with_plain_apostrophes(word)
    if language == "fr" and "'" in word[:3] and word not in table:
        word = word.partition("'")[2]
    bits = table.get(word, 0)
    for end in range(_SHORTEST, len(word) + 1):
        bits |= table.get(word[:end] + "*", 0)
    return bits


def invites(words: Sequence[str], language: str) -> bool:
    """Return True if a sentence begins like an invitation or a request."""
    first = next((word for word in words[:3] if not classes_of(word, language) & _PLEASE), "")
    if first in _INVITING[language]:
        return True
    if language == "de":
        return first.endswith("en") and "sie" in words[1:2]
    return language == "fr" and first.endswith("ez") and first not in _NO_REQUESTS

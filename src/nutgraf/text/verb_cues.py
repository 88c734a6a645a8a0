"""Which words are verbs, in languages for which there is no tagger.

In German, nouns have capitals: a word without one is an adjective if it is inflected and leads to a noun, and stands in
no noun phrase otherwise. In six other languages a word is taken for a verb, or for an adverb, which noun phrases have
as little, where the document or its own form says so:

- it stands behind a subject, a negation, a reflexive pronoun or an auxiliary ("ne trouve", "te vinden"), or before an
  article that could not follow a noun ("annonce une"), more often than behind an article;
- it has an ending of verbs, or is a form of a frequent one, and no article stands before it anywhere.

What has a capital inside a sentence is a name. The lists were written for this purpose; endings that as many nouns
have are not in them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

GERMAN = "de"


@dataclass(frozen=True)
class Cues:
    """Signs by which the verbs of a language are known.

    Attributes:
        determiners: Articles and their like, behind which a noun follows.
        onward: Those of them that do not follow a noun directly.
        before: Words behind which a verb follows; they are in no noun phrase themselves. An article behind one of them
            is a pronoun ("ils le disent").
        shapes: Pattern of the forms of verbs, and of adverbs, by ending or in full.
        nouns: Words that only look like that.
    """

    determiners: frozenset[str]
    onward: frozenset[str]
    before: frozenset[str]
    shapes: str
    nouns: frozenset[str]

    @cached_property
    def verbs(self) -> re.Pattern[str]:
        """The pattern, compiled when a document of the language comes."""
        return re.compile(self.shapes)


def _cues(
    determiners: str,
    onward: str,
    before: str,
    endings: str,
    stems: str,
    present: str,
    prefixes: str,
    forms: str,
    nouns: str,
) -> Cues:
    """Read lists of words.

    Each of the `stems` takes the endings in `present`, all verbs those in `endings`, and the `forms` of frequent verbs
    are those of others with one of the `prefixes`: "vient" and "intervient".
    """
    shapes = (
        rf"\w{{2,}}(?:{endings})",
        rf"(?:{_any(stems)})(?:{present})",
        _any(forms),
        rf"(?:{_any(prefixes)})(?:{'|'.join(form for form in forms.split() if len(form) > 2)})",
    )
    return Cues(
        frozenset(f"{determiners} {onward}".split()),
        frozenset(onward.split()),
        frozenset(before.split()),
        "|".join(shapes),
        frozenset(nouns.split()),
    )


def _any(words: str) -> str:
    """Pattern of any of some words."""
    return "|".join(words.split())


CUES = {
    "fr": _cues(
        determiners="des du au aux d' mon ma mes nos vos chaque quelques plusieurs deux trois quatre cinq dix cent",
        onward="le la les l' un une ce cet cette ces son sa ses leur leurs notre votre",
        before="qui je j' tu il elle on ils elles nous vous ne n' se s' me m' te t' pas jamais a ai as ont avait "
        "avaient "
        "aura auront aurait avoir ayant eu eut eurent est sont été être était étaient fut furent soit soient sera "
        "seront serait peut peuvent "
        "pourrait doit doivent devrait va vont veut veulent fait faire faut",
        endings="[^i]er|ifier|èrent|[iu]rent|aient|[^lfr]ait|erai?t?|eront|iront|[^n]ez|[cdlmnrstvx]ions|îtes?|"
        "(?:elle|ive|euse|olu|ique|ale|ière|aire|able|ible|iè|nne|ète|icte)ment|(?:am|em)ment",
        stems="abandonn accept accus affich affirm aid aim ajout amen amorc annonc appell apport arrêt arriv assur "
        "attaqu autoris bénéfici cess cherch command commenc concern condamn confirm consacr consid[èé]r constat "
        "continu créé? critiqu déclar décid défil demand demeur dénonc dépass désign détaill devanc dirig dispos domin "
        "donn empêch enregistr entraîn envisag envoi envoy espèr estim évit évoqu exig exist expliqu exprim ferm "
        "financ fond form gagn gard gén[èé]r imagin impliqu invent impos indiqu intègr invit jou jug lanc laiss livr "
        "mang manqu marqu men menac mesur montr nomm not occup organis oubli parl partag particip pass pens "
        "piétin pos poss[èé]d pouss port précis préf[èé]r prépar présent prév prolong propos provoqu publi racont "
        "ralenti "
        "rappell rassembl réclam refus regard regrett rejett rempli rencontr renforc rentr représent ressembl rest "
        "résum retir retourn retrouv révèl saisi sembl signal signifi sort soulign souhait souten suppos tent "
        "termin tomb touch tourn travaill travers trouv utilis vis voyag",
        present="es?|ent|ons|ez|a|âmes|èrent|ant|t|ssent|it|issent",
        prefixes="ap com con contre dé entre inter main ob par pro pré re ré sou sous sur trans",
        forms="dit disent disait vient viennent vint tient tiennent prend prennent prit met mettent mit rend rendent "
        "part partent suit suivent sait savent voit voient croit croient reçoit reçoivent perd perdent permet "
        "permettent apprend apprennent comprend comprennent devient deviennent obtient connaît connaissent paraît "
        "écrit écrivent lit vit vivent meurt naît ouvre ouvrent offre offrent souffre découvre atteint rejoint craint "
        "répond répondent attend attendent entend vend vendent descend dépend sert servent sent dort court conduit "
        "produit construit réduit détruit agit finit choisit réussit subit remplit établit fournit réunit grandit "
        "prendre mettre rendre vendre attendre entendre répondre perdre permettre lire écrire dire vivre suivre "
        "connaître naître comprendre apprendre devenir venir tenir obtenir partir sortir servir sentir ouvrir offrir "
        "mourir courir choisir finir réussir agir subir établir fournir réunir voir savoir recevoir falloir valoir "
        "mis pris dû pu su vu reçu est-ce hier demain aujourd'hui aille aillent puisse puissent fasse fassent",
        nouns="mer fer hiver cancer danger étranger loyer foyer boulanger berger verger horloger messager passager "
        "léger cher clair chair lait trait souhait retrait extrait portrait attrait parfait imparfait opéra amer "
        "concer enfer desser laser leader manager poster reporter super ver présent départ délit désert souvenir "
        "devoir produit conduit",
    ),
    "es": _cues(
        determiners="del al mi mis tu tus nuestro nuestra nuestros nuestras cada unos unas dos tres cuatro cinco aquel "
        "aquella otro otra otros otras",
        onward="el la los las un una su sus este esta estos estas ese esa esos esas",
        before="yo se me te nos no nunca ha han he hemos había habían habrá haber habría haya puede pueden podía "
        "podrá podrán podría podrían tenga tengan debe deben debía quiere quieren es son era eran fue fueron sido "
        "ser será está están estaba "
        "estaban estar siendo",
        endings="aron|ieron|eron|aban|aba|ían|ó|ará|erá|irá|arán|erán|irán|arían|erían|ando|iendo|yendo|[aei]rse|"
        "[aei]rlo|[aei]rla|[^lnu]ar|nzar|lear|uar|ular|cer|ner|ver|tir|nir|cir|mir|rir|dir|[aei]mos|mente",
        stems="abandon acab acept aclar acus admit afirm agreg alcanz analiz anunci añad aprob apunt asegur atac avanz "
        "ayud baj busc calific cambi cant celebr comenz compart complet comprob compr confirm consider contest "
        "continú continu control convoc cre critic cruz cuent declar dej demostr denunci descart desarroll destac "
        "detall detect disfrut dur elabor elimin emit empiez empez encuentr enfrent entreg envi esper estim "
        "estudi evit exig exist explic explot expres falt gan gast gener guard habl impuls inaugur inclu indic "
        "inform inici intent invit jueg jug lanz leg llam lleg llev lament logr lucha manej maneja mantuv marc matiz "
        "mencion mir muestr mostr necesit neg niega ocurr ocup ofrec opin orden organiz pag particip pas pens "
        "permit perten piens pid pierd plante prepar present pretend preocup prevé proclam prohíb propon public "
        "qued quej reafirm realiz recib reclam recomend reconoc record recuerd rechaz reforz registr regres "
        "relat represent requier respond respald result revel sal salud señal signific sigu solicit sosten sub suced "
        "sufr super surg termin tom trabaj trat utiliz viaj viv vuelv",
        present="a|an|e|en|o|as|es|é|aste|ado|ada|ados|adas|ido|idos|ió",
        prefixes="ante com con contra de ex inter man ob pos pre pro re sobre su sus",
        forms="dice dicen dijo dijeron hace hacen hizo hicieron hago viene vienen vino vinieron pone ponen puso "
        "pusieron quiso sabe saben supo ve ven vio vieron da dan dio dieron trae trajo sale salen salió tuvo "
        "tuvieron estuvo estuvieron pudo pudieron parece parecen pareció cree creen mantiene mantienen obtiene "
        "obtuvo contiene contienen detuvo propuso produjo redujo condujo tradujo sigue siguen siguió pide piden "
        "pidió sirve sirven muere murió nace nació cae cayó leyó oye oyó conoce conocen ofrece ofrecen aparece "
        "aparecen incluye incluyen incluyó construyó contribuye depende dependen existe existen ocurre consiste vende "
        "venden dando siendo viendo yendo dándole decir hacer poner tener venir salir ir ver dar saber querer leer "
        "caer traer oír seguir pedir morir "
        "dormir vivir escribir abrir cubrir subir sufrir recibir permitir existir deber creer comer beber correr "
        "vender aprender comprender depender conocer parecer ofrecer nacer crecer aparecer mantener obtener hablar "
        "hallar ganar sumar usar pasar acusar causar cruzar lograr mostrar entrar lanzar",
        nouns="previo "
        "lugar hogar militar azúcar mar bar dólar mujer alquiler taller ayer radar pilar cáncer líder póster "
        "polígono carácter sílver elixir faquir porvenir mártir bazar altar avatar hangar ejemplar par pesar placer "
        "nácar comando bando contrabando vivienda cuando abecedario caballero enfermero rumbo tramo miembro extremos "
        "ultimátum paramos ramos hermos máximos mínimos últimos próximos mismos términos kilómetros",
    ),
    "it": _cues(
        determiners="del dello della dell' dei degli delle al allo alla all' ai agli alle dal dallo dalla dall' dai "
        "dagli dalle nel nello nella nell' nei negli nelle sul sullo sulla sull' sui sugli sulle ogni due tre quattro "
        "cinque mio mia suoi sue nostro nostra nostri nostre loro quel quell' quella quei quelle",
        onward="il lo la i gli le l' un uno una un' questo questa questi queste suo sua",
        before="io egli non si ci vi mi ti s' c' ha hanno ho abbiamo aveva avevano avrà avrebbe avere è sono era "
        "erano essere possano debbano dovranno dovrebbero potranno potrebbero stato stata stati state fu furono sarà "
        "saranno sia siano può possono poteva potrebbe deve devono "
        "doveva dovrebbe vuole vogliono viene vengono venne",
        endings="arono|erono|irono|av[ao]|avano|evano|ivano|ò|erà|irà|eranno|iranno|erebbe|irebbe|erebbero|ando|"
        "[^mt]endo|[aei]rsi|[aei]rlo|[aei]rla|[aei]rne|[^ilnt]are|[bcegpsz]nare|tare|iare|[dgst]ere|cere|ncere|"
        "vere|[^m]ire|iamo|ssero|mente",
        stems="abbandon accett accus affermat? afferm aggiung aiut alz am amm annunc[iì]?  appar appart arriv "
        "ascolt aspett assicur attacc aument avvert avvi balz cambi camb cant cerc chiam chied chiud colp cominci "
        "compr comunic condann conferm consider consum contien continu corr cred critic decid denunc[iì]? dichiar "
        "dich diff "
        "divent dimostr discut dur elimin emerg entr esist esprim evit fin forn funzion gioc giud guadagn guard "
        "guid impar incontr indic inizi insegn insist intend interess interven invit lanc lasci lavor leg "
        "manc mand mangi manten mett mir mostr muor nasc nascond not occup offr organizz osserv ottien pag parl "
        "partecip part pass pens perd permett piac port prefer prend prepar present prev promett propon prov pubblic "
        "raccont raggiung rappresent reagisc rest ricev riconosc ricord ridur? riesc riferisc rifiut rimang "
        "ripet risult riten ritorn rispond rivel salut scopr scriv segu segnal sembr sent serv sottoline spieg sper "
        "spost stabilisc studi succed telefon tem termin ten torn traspar tratt trov uccid utilizz vend ved vinc viv "
        "viaggi vot",
        present="a|ano|e|ono|i|isce|iscono|ito|uto|ato|ati|ata|ate|ita|iti|ite",
        prefixes="am ap av com con inter man ob ot pro re ri sop sopr sos sov su",
        forms="dice dicono disse dissero fa fanno fece fecero dà danno diede sta stanno stava va vanno andò andato sa "
        "sanno vede vedono vide viene mette mise prende prese presero rimane rimase tiene tengono tenne chiede chiese "
        "chiude chiuse scrive scrisse legge lesse nasce nacque muore morì vive visse vince vinse perde perse corre "
        "corse esce uscì sale scende scese apre aprì offre riesce riuscì diventa permette permise propone propose "
        "dire fare dare stare andare uscire venire morire vedere sapere mettere prendere tenere chiedere chiudere "
        "leggere scrivere nascere vivere vincere perdere correre parlare trovare tornare salire aprire offrire "
        "capire finire partire sentire seguire servire fatto detto messo preso visto chiesto",
        nouns="mare militare popolare familiare solare nucleare quartiere cantiere potere piacere dovere genere "
        "carcere cenere lettere camere opere frontiere bandiere miniere carriere barriere pantere affare altare "
        "collare dollare scolare lineare regolare particolare similare secolare titolare esemplare andare avviso "
        "stupendo tremendo comando nave chiave clave grave soave trave brave cava uva prove nuove clava schiava "
        "monumento ente mente sire vampire rovere povere febbraio polvere palare lare vigilare circolare stellare "
        "fine parte serve note piante offerte vite corte colpe nota nati fini",
    ),
    "pt": _cues(
        determiners="a as do da dos das no na nos nas ao à aos às pelo pela pelos pelas num numa dum duma uns umas "
        "cada "
        "meu minha nosso nossa nossos nossas dois duas três quatro cinco outro outra outros outras deste desta desse "
        "dessa neste nesta",
        onward="o os um uma seu sua seus suas este esta estes estas esse essa",
        before="eu ele ela eles elas você vocês se não nunca me te lhe foi foram é são era eram ser será serão sido "
        "está estão estava estavam estar tem têm tinha tinham ter teve havia haviam pode podem podia poderá deve devem "
        "devia vai vão quer querem",
        endings="aram|eram|iram|ou|iu|avam|ava|iam|ará|erá|irá|arão|erão|irão|ariam|eriam|iriam|ando|[cdlmnrtvz]endo|"
        "[bdgprstu]indo|[^lnu]ar|lhar|nhar|lar-se|cer|der|ver|zer|ter|rer|mer|ir|[aei]r-se|amos|emos|imos|mente",
        stems="abandon abr aceit acontec acredit acus admit afirm ajud alcanç alert ama analis anunci apont "
        "apoi aprend apresent aprov assegur assin assum atac ating aument avanç avali busc cant caus chamad? cheg "
        "cobr coloc começ compar compr conclu confirm conhec consider constru cont continu convers convid corr cresc "
        "cri critic cumpr declar deix defend demonstr denunci depend descobr descrev desej destac determin dev diz "
        "desenvolv diminu discut disput divulg dur elabor elimin encontr entreg entr envi envolv escolh escrev "
        "esper estabelec estud evit exig exist explic express fal falt fech fic ganh garant gost grit impedi? "
        "inclu indic inform inici inaugur investig jog julg lanç lembr lev lig lut mand mant mantém mencion morr most "
        "mostr mud nasc neg ocorr ocup oferec organiz pag parec particip part pass ped pens perd perceb permit pertenc "
        "precis prefer prend prepar pretend produz prometi? propo promov proteg public quebr realiz receb reclam "
        "recomend reconhec reduz reforç registr relat represent resolv respond ressalt result reuni revel sab "
        "salient sent serv signific sofr soub surg tent termin tom torn trabalh traz trat us utiliz vend venc viaj viv "
        "volt vot",
        present="a|am|e|em|o|i|eu|eram|ado|ada|ados|adas|ido|ida|idos",
        prefixes="ad com con contra de entre inter man ob pos pro re sobre su",
        forms="diz dizem disse disseram faz fazem fez fizeram vem vêm veio vieram põe põem pôs puseram sabe sabem "
        "soube vê veem viu viram dá dão deu deram traz trouxe sai saem saiu quis pôde pude mantém mantêm obtém contém "
        "propôs manteve obteve conteve interveio produz produziu reduziu lê leu cai caiu ouve ouviu pede pediu segue "
        "seguem segue seguiu serve "
        "nasceu morreu perdeu recebeu escreveu venceu cresceu aprendeu aconteceu dizer fazer ser ter vir ir ver dar "
        "saber querer trazer pôr sair cair ler ouvir pedir seguir servir viver morrer nascer falar ligar usar "
        "ganhar jogar chegar pagar causar lançar começar alcançar ficar",
        nouns="lugar mar militar ar bar lar mulher poder popular açúcar dólar par jantar altar andar pilar colar luar "
        "solar hangar radar líder caráter caracter quarter comando bando contrabando mandou quando lindo bem-vindo "
        "domingo dividendo fazenda milho usa usados partido partidos parte partes entrada entradas estado estados "
        "resultado sentido conta custo corrida corridas ramos últimos próximos mesmos máximos mínimos termos nadir "
        "elixir mártir avo canto museu",
    ),
    "nl": _cues(
        determiners="'t mijn onze ons elke ieder iedere twee drie vier vijf zes tien geen",
        onward="de het een haar hun deze",
        before="ik je jij hij zij ze we wij u men er zich niet nooit te heeft hebben had hadden hebt wordt worden werd "
        "werden kan kunnen kon konden zal zullen zou zouden moet moeten moest moesten wil willen wilde wilden mag "
        "mogen mocht",
        endings="eerden?|eert|[aeo]{2}gden?|oegden?|ijgden?|elde|elden|erde|erden|igde|igden|chtte|kende|kenden|lijks|[wfs]den?|"
        r"(?:toe|uit|op|af|aan|in|om|mee|na|weg|terug|door|over)ge\w{2,}(?:en|d|t)",
        stems="accepteer antwoord beantwoord begin behaal behandel behoor bekijk beland beloof bepaal bereik beschouw "
        "beslis bespreek bestaa bestel betaal beteken bevat bevestig bewaar beweer beweeg bezoek bied bijt blijf blijk "
        "bouw breek breng controleer dank deel denk dien doe draai draag drink droom druk duur eindig eis ervaar "
        "gebeur "
        "gebruik geef geld geloof gebruikt geniet groei haal hang heet helft help herinner herken hoef hoor hou houd "
        "informeer kies kijk klink klop kom koop krijg laat lach lees leef leer leg leid lever lig lijd lijk loop "
        "luister maak meen meet meld merk naam neem noem ontbreek ontdek ontken ontmoet ontstaa ontvang ontwikkel open "
        "overleef overlijd overtuig passeer pleit praat presenteer probeer raak reageer reken reis rij roep ruik "
        "schijn "
        "schrijf schrik slaa slaap sluit speel spreek staa start stel stem sterf stop stuur telefoneer toon treed trek "
        "trouw twijfel vaar val vang vecht veranker verander verbied verbind verdien verdwijn vergeet vergelijk "
        "verhoog "
        "verkoop verlaat verleen verlies vermoed veroorzaak verschijn vertel vertrek vertrouw verwacht verwijs "
        "verzamel "
        "vind vlieg voel volg voorkom vorm vraag vrees waarschuw wacht weet werk wens wijs win woon zeg zend zet zie "
        "zing zit zoek zorg zwem",
        present="t|te|ten|de|den",
        prefixes="aan af be bij deel door her in mee na om onder ont op over samen tegen terug toe uit ver voor weg",
        forms="zegt zei zeiden zeggen gaat ging gingen gaan gegaan komt kwam kwamen komen doet deed deden ziet zag "
        "zagen "
        "zien staat stond stonden staan ligt lag lagen liggen zit zat zaten zitten krijgt kreeg kregen krijgen geeft "
        "gaf "
        "gaven geven neemt nam namen nemen maken vindt vond vonden vinden blijft bleef bleven blijven houdt hield "
        "hielden houden brengt bracht brachten brengen denkt dacht dachten denken wist wisten weten laat liet lieten "
        "laten begint begon begonnen beginnen valt viel vielen vallen loopt liep liepen lopen schrijft schreef "
        "schreven "
        "schrijven leest las lezen spreekt sprak spraken spreken vertrekt vertrok helpt hielp hielpen helpen zoekt "
        "zocht zochten zoeken koopt kocht kochten kopen verloor verloren verliezen verdween verscheen ontstond bestond "
        "trok trad sloeg sloegen "
        "stierf stierven werpt wierp riep riepen bood boden koos kozen sloot sloten droeg droegen reed "
        "reden? vloog voer won wonnen sliep at aten dronk leek leken bleek bleken heet heette gebracht genomen gegeven "
        "gekomen gevonden geworden gezien gezegd gehouden gelaten gelegen gesproken geschreven gekregen gebleven "
        "gemaakt gedaan gehad gekozen gesloten verkozen verkocht gekocht vertelt vertelde werken wonen spelen hoort "
        "horen nodigde hoopt hoopte hopen",
        nouns="aandacht aanvallen aanzien "
        "liefde overgewicht nageslacht ingewanden begint eerde waarde aarde eerden beelde wereld helfte "
        "laatste grootste beste gebeurde maat toont "
        "vraagt vormt antwoorden naamt waarheid geldt zet weetje reiste rijden",
    ),
    "ru": _cues(
        determiners="в во на с со к ко о об от из у за под над при про для до без через между перед после среди около",
        onward="",
        before="я ты он она оно мы вы они не",
        endings="[ауеюя]ет|[аеуюя]ют|"
        "[оеу]ван[аоы]?|[жчшщ][её]н[аоы]?|[вд]ед[её]н[аоы]?|роен[аоы]?|[аио]влен[аоы]?|[аио]нен[аоы]?|писан[аоы]?|"
        "[лврнд]ят|[чжшщ]ат|[лвнрд]ит|[аиеяуё]тся|[аиеяу]ться|лся|лась|лось|лись|[аиыяеу]ла|"
        "[аиыяеу]ло|[аиыяеу]ли|[оы]вал|[кчжщшдрт]ал|нул|[влнрдтсз]ил|[кглвхмш]ел|ял|зла|[аиыяеуо][тд]?ть|чь|[дзс]ти|"
        "шла|шло|шли|ш[её]л|"
        "ально|ически|ично|енно|тельно|[ое]вав|[ауеюя]я[сс]?ь|авшись|ившись|вший",
        stems="мож хоч идёт жив зна счита дума",
        present="ет|ут|ю|ешь|ем|е",
        prefixes="в вы до за из на о об от пере под по при про раз рас с у",
        forms="может могут мог могла могли хочет хотят идёт идет идут шёл шел шла шли едет живёт живет живут стал "
        "стала "
        "стало стали станет станут дал дала дали взял взяла взяли начал начала начали пошёл пошел пришёл пришел "
        "пришла пришли вышел вышла ушёл ушел нашёл нашел нашла нашли говорит говорят сказал сказала сказали идти "
        "прийти найти пойти есть пить жить быть дать взять стать ждёт ждет ждут ждал берёт берут даёт дает дают "
        "поёт зовут назвал назвала назвали умер умерла умерли писал писала пишет пишут вести ведёт ведет ведут вёл "
        "нёс несут везут растёт растет растут рос росла лежит лежат стоит стоят сидит сидят спит спят бежит бегут "
        "летит летят видит видят слышит держит помнит следует требует является являются имеет имеют работал "
        "работала работали узнал узнала узнали убит убиты принят приняты принял приняла приняли занял заняла собой "
        "таких таким",
        nouns="весть повесть известь "
        "нить сеть цель путь смерть память площадь область часть власть речь ночь дочь помощь печь вещь мать "
        "печать медь треть четверть пять шесть десять кровать тетрадь скатерть школа сила стела смола стрела пчела "
        "дело тело село мыло крыло число начало право зло тепло стекло масло петля земля неделя воля доля роля "
        "правила сила могила кобыла вила кадила кредит визит гранит магнит лимит аппетит канал журнал сигнал "
        "генерал адмирал металл капитал квартал материал портал сериал идеал оригинал финал футбол стул тыл "
        "персонал арсенал скандал подвал вокзал карнавал перевал привал интервал обвал зал бал вал мел отдел "
        "раздел предел пробел орёл артель отель цели сели недели стрелы ели газета комета монета совет ответ цвет "
        "свет билет привет предмет портрет запрет секрет кабинет интернет бюджет сюжет пакет президент сеть кеть "
        "области части власти новости крепости гости кости страсти сласти",
    ),
}
"""Cues by ISO 639-1 code."""

_ADVERBS = frozenset(
    """gestern heute morgen vorgestern übermorgen morgens abends nachts mittags leider derzeit damals einst früher
    später
    zuletzt zuvor zunächst inzwischen mittlerweile kürzlich neulich bald oft manchmal selten meistens häufig plötzlich
    schließlich natürlich vielleicht wahrscheinlich angeblich offenbar tatsächlich allein insgesamt ungefähr laut trotz
    statt dank links rechts oben unten draußen drinnen hinten vorne nebenan daneben danke bitte ja nein ok""".split()
)
"""German words that begin a sentence and are no nouns."""

_ADJECTIVE = re.compile(r"\w{2,}e[nmrs]?")
"""German adjectives before their noun."""


def verbs(words: Sequence[str], starts: Sequence[int], language: str, stop: frozenset[str]) -> list[bool] | None:
    """Tell for each token whether it is a verb or another word that no noun phrase holds.

    Args:
        words: The tokens of a document, as they are written.
        starts: Index of the first token of each sentence.
        language: ISO 639-1 code.
        stop: Stop words, of which nothing is said.

    Returns:
        None if nothing is known of the language, or of a German text without capitals.
    """
    if language == GERMAN:
        return _not_nouns(words, frozenset(starts), stop)
    cues = CUES.get(language)
    return None if cues is None else _by_cues(words, frozenset(starts), stop, cues)


def _by_cues(words: Sequence[str], starts: frozenset[int], stop: frozenset[str], cues: Cues) -> list[bool]:
    lowered = [word.lower().replace("’", "'") for word in words]
    votes: Counter[str] = Counter()
    introduced = [index not in starts and lowered[index - 1] in cues.determiners for index in range(len(words))]
    for index in range(2, len(words)):
        introduced[index] &= lowered[index - 2] not in cues.before or index - 1 in starts
    for index, word in enumerate(lowered):
        votes[word] += _vote(lowered, index, starts, stop, cues, introduced)
    nouns = {word for word, known in zip(lowered, introduced, strict=True) if known} | cues.nouns
    known: dict[str, bool] = {}
    for word in set(lowered):
        formed = word not in nouns and cues.verbs.fullmatch(word) is not None
        known[word] = votes[word] > 0 or formed or word in cues.before
    return [
        known[word] and not introduced[index] and (index in starts or not words[index][:1].isupper())
        for index, word in enumerate(lowered)
    ]


def _vote(
    lowered: Sequence[str],
    index: int,
    starts: frozenset[int],
    stop: frozenset[str],
    cues: Cues,
    introduced: Sequence[bool],
) -> int:
    """Return 1 if a word is used as a verb here, -1 if it is used as a noun, and 0 otherwise."""
    if lowered[index] in stop:
        return 0
    if introduced[index]:
        return -1
    first, last = index in starts, index + 1 == len(lowered) or index + 1 in starts
    behind = not first and lowered[index - 1] in cues.before
    content = first or lowered[index - 1] not in stop
    return int(behind or (content and not last and lowered[index + 1] in cues.onward))


def _not_nouns(words: Sequence[str], starts: frozenset[int], stop: frozenset[str]) -> list[bool] | None:
    """True for what has no capital and is no adjective of a German noun."""
    capital = [word[:1].isupper() or word[:1].isdigit() for word in words]
    inside = {word for index, word in enumerate(words) if capital[index] and index not in starts}
    small = {word for word in words if word[:1].islower()}
    if len(inside) * 20 < len(small):
        return None
    result = [not known for known in capital]
    for index in starts:
        result[index] = words[index] not in inside and (
            words[index].lower() in small or words[index].lower() in _ADVERBS
        )
    for index in range(len(words) - 2, -1, -1):
        leads = index + 1 not in starts and not result[index + 1] and words[index + 1].lower() not in stop
        if result[index] and leads and _ADJECTIVE.fullmatch(words[index]):
            result[index] = index not in starts and capital[index - 1] and words[index - 1].lower() not in stop
    return result

"""Abbreviations whose full stop does not end a sentence, by language; without the stop, in lower case.

`TITLES` are always followed by what they belong to ("Dr. Ruiz", "Art. 5"). `FINAL` may end a sentence as well ("etc.").
`UNITS` may end one where a number stands before them (the Russian "в 1767 г." beside "г. Москва"). Words of one letter
and words without a vowel ("vgl.", "Sr.") need no list. English sentences come from nupunkt; here are titles that it
lacks.
"""

from __future__ import annotations

TITLES = {
    "en": "cllr cllrs supt insp revd messrs lt hon ven ald preb wg sqn",
    "de": "abb abg abs abschn abt allg alt anh anl anm ao art aufl ausg ausschl az bes betr bez bzgl bzw ca christl "
    "dipl doz dr durchschn ehem eig eigtl einschl engl entspr erg etw europ ev evtl exkl fam fig fol forts "
    "frankr frl geb gem gest ges gesch ggf hab habil hist hl ing inkl insb insbes int jur kap kath lat lit mag max med "
    "min mind mio mrd nachf nördl nr nrn östl ph phil pol prof rd rdnr red rer resp rn röm russ sen sog sogen "
    "st staatl str südl tel theol tit ugs ungef univ urspr usf verf vgl vol westl wiss wöch zit zool zus ziff "
    "zz jan feb febr apr aug sept okt nov dez mo di mi do fr sa so slg abk entsch beschl urt rspr hs buchst "
    "unterabs schr",
    "fr": "al adj apr arr art av boul bd ca cf ch chap dép dr ed éd env ex fasc fig hab ill inv janv févr juil sept "
    "oct nov déc lat liv ll max mgr min mlle mlles mm mme mmes mr n no nos obs op p pl pp pr prof r rd rem "
    "resp s sq st ste suiv sup supra t tél tom trad v vol vs",
    "es": "admón adj afmo aprox apdo art arts av avda cap caps cf cía cm cod col coord d da dir dist dn dña dpto dr "
    "dra dras dres ed eds ee ej excmo excma exp fig fr gen gob gral hnos ilmo inc ing lic licdo máx min mín "
    "mons mr mrs ms mtro no nro nros num núm núms ob op pág págs párr pbro pdte pl pr prof profa prov pte "
    "ptas ref rev sec sgto sr sra sras sres srta sta sto tel tfno tít tte trad ud uds vda vid vol vols vs",
    "it": "all arch art artt ass avv ca cap capp cfr cit cod col com comm co cons cost cp dep dir dis disp dist "
    "dott dr ecc ed es fig fasc gen geom ill ing ins lett lg lgs lit loc ltd max min mons mr mrs n nn no nr "
    "nov on op p pag pagg par pp prof profssa prot prov ref reg rev rif sen sez sig sigg sigra sp spett ss st "
    "sta tab tel tit tr trad v vol voll vs",
    "pt": "al art arts av aprox cap caps cel cf cia cód col coord d da dep des dr dra dras drs ed eds eng enga exa "
    "exma exmo ex fig fls fl gen ger h hab inc inf jr lic ltda m máx min mín mr mrs ms n nº no núm obs op p "
    "pág págs par pe pp pres prof profa profs ref reg rev s sec seg sen séc sr sra sras srs sta sto ten tel "
    "tít trad v vol vols vs",
    "nl": "a afb afd afl al alg am arr art aug bal bijl bijv bl blz ca cf dec dhr dir div dr drs ds eerw em enz evt "
    "excl fa febr fig fr gebr geb gem gen geref ing incl ir jan jhr jl jr kapt kath kol lit lt luit max mej "
    "mevr mgr min mln mld mr mrs mw nl no nov nr nrs o obs okt ong ow opm overl p pag par plm pres prof red "
    "ref resp sec sen sept sgt st str tel tw vb vgl vnl voorz vs wed zgn",
    "ru": "акад англ арх бульв букв бывш вкл внутр высш гл греч гр губ дер диам доц ед ж зав зам изд им илл ин инж "
    "ист итал кав канд кв кит кл кн кол корп лат лит мин митр младш мл нач наб нем обл образ оз ок осн отд "
    "отеч пер пл пол пос пр преп пред прим проф прот просп разд разг рег ред рис род рус св сев см совр соч "
    "сост ср ст стр сокр тел тов тыс тж тт ул ум унив упр урожд уч фам фр франц худ царств ч чл швед шт экз "
    "эл юж яз янв февр апр авг сент окт нояб дек доп д-р г-н г-жа",
}
FINAL = {
    "de": "usw etc dgl co inc corp jr sr jh jhs jhdt chr std sek u.s.a",
    "fr": "etc jr inc co corp",
    "es": "etc jr inc co corp cía uu ss aa",
    "it": "ecc etc jr inc co spa srl",
    "pt": "etc jr inc co ltda cia",
    "nl": "enz etc jr sr co inc",
    "ru": "др пр руб коп долл тп",
}
UNITS = {"ru": "г гг в вв тыс млн млрд км м см мм кг руб коп мин сек чел экз л н.э э"}
SYMBOLS = frozenset(
    "mmHg kPa mg kg g km cm dm mm m ml mL dL l L kB MB GB TB kW MW GW kWh MWh GWh kHz MHz GHz Hz ha dB".split()
)
"""Symbols of units, which need no full stop in any language, so that one behind them ends a sentence."""

INTRODUCING = frozenset(("e.g", "i.e", "cf", "viz", "vs"))
"""English abbreviations before what they introduce, which may be a quotation."""

COMPOUNDS = {"de": ("str",), "nl": ("str",)}
"""Ends of compounds that are abbreviated: the German "Lindenstr. 8"."""

ORDINALS = frozenset("cs da de et fi hr hu is lv nb nn no pl sk sl sr tr".split())
"""Languages that write ordinal numbers with a full stop."""


def _sets(listed: dict[str, str]) -> dict[str, frozenset[str]]:
    return {language: frozenset(words.split()) for language, words in listed.items()}


TITLES_OF, FINAL_OF, UNITS_OF = _sets(TITLES), _sets(FINAL), _sets(UNITS)

"""English verbs: has a sentence one?

A sentence without a finite verb is a fragment: a heading with a full stop, an entry of a list, the answer to a
question. No tagger is needed to tell. The words are compared with the forms of auxiliaries and of frequent verbs;
anything in -ed may be one, as may anything in -s before a determiner, unless the word before makes it a noun, a
participle or an infinitive ("the report", "to be laid"). Where a noun may also be a verb it counts as one: what is
looked for are sentences that certainly have none.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

_AUXILIARIES = """
    am are can cannot could did do does had has have is may might must need ought shall should was were will would
    ain't aren't can't couldn't didn't doesn't don't hadn't hasn't haven't isn't mustn't needn't shouldn't wasn't
    weren't won't wouldn't i'm i've i'd i'll you're you've you'd you'll he's he'd he'll she's she'd she'll it's it'd
    it'll we're we've we'd we'll they're they've they'd they'll that's that'll there's there'd here's what's who's
    let's 'tis 'twas tis twas who'd who'll where's how's when's why's n't re ve ll
"""

_PAST = """
    ate awoke beat became began bent bet bit bled blew bore bought bound bred broke brought built burnt burst came
    cast caught chose clung cost crept cut dealt drank drew drove dug dwelt fed fell felt fled flew flung forbade
    forgave forgot fought found froze gave got grew ground hid hit held hung hurt kept knelt knew laid lay leapt
    learnt led left lent let lit lost made means meant met mowed overcame paid put quit ran rang read rode rose said
    sang sank sat saw sent set sewed shed shook shone shot showed shrank shut slept slid smelt sold sought sowed
    spat sped spelt spent spilt split spoilt spoke sprang spread spun stank stole stood strode strove struck stuck
    stung swam swore swept swung taught thought threw told took tore understood undertook upset went wept withdrew
    woke won wore wound wove wrote wrung
"""

_BASES = """
    absorb accept accompany account achieve acquire act adapt add address adjust admire admit adopt advance advise
    affect afford agree aim allow alter amount analyse analyze announce answer appeal appear apply appoint
    appreciate approach approve argue arise arrange arrive ask assert assess assign assume attach attack attempt
    attend attract avoid back balance ban bear beat become beg begin behave believe belong bend benefit bite blame
    blow boil borrow bother bounce break breathe bring build burn burst bury buy calculate call calm care carry
    catch cause celebrate challenge change charge check choose circulate cite claim clean clear climb cling close
    coincide collapse collect combine come comment commit communicate compare compete complain complete comprise
    compute concentrate concern conclude conduct confirm confront connect consider consist constitute construct
    consult contain continue contribute control converge convert convey cook cool cope correct correspond cost count
    cover crack crash create cross cry cut dance deal decide declare decline decrease defend define delay deliver
    demand demonstrate denote deny depart depend derive describe deserve design destroy detect determine develop die
    differ diminish disagree disappear discover discuss dislike display distinguish divide dominate double doubt
    draw dream dress drift drink drive drop dry earn eat echo emerge emphasize employ enable encode encounter
    encourage end endure enjoy ensure enter equal escape establish estimate evaluate evolve examine exceed exclude
    exist expand expect experience explain explore expose express extend extract face facilitate fail fall favor
    favour fear feature feed feel fend fight fill find finish fit fix float flow fly focus fold follow force forget
    form forward free freeze gain gather generate get give glow go govern grab grant grasp grind grow guarantee
    guess guide hand handle hang happen harm hate haunt head hear heat help hide highlight hit hold hope host house
    hunt hurry hurt identify ignore illustrate imagine impact imply import impose improve include incorporate
    increase indicate induce infer influence inform inhibit inspire insist intend interact intersect introduce
    invent invest investigate invite involve issue join judge jump justify keep kick kill kneel knock know lack lag
    last laugh launch lay lead lean leap learn leave lend let lie lift light like limit link list listen live locate
    look lose love lower maintain make manage map march mark marry match matter maximize measure meet melt mention
    mind minimize miss modify move name need neglect note notice observe obtain occupy occur offer open operate
    oppose order organize originate overlap owe own pass pay peak perform permit persist pick place plan plant play
    point possess post pour precede predict prefer prepare present preserve press print pretend prevail prevent
    proceed produce prohibit project promise promote propose protect prove provide publish pull pursue push put
    question quote rain raise range reach react read realize recall receive recognize reference recommend record
    recover reduce refer reflect refuse regard regret regulate reject relate release rely remain remember remind
    remove render repair repeat replace reply report represent request require resemble resist resolve rest restore
    restrict result retain retire return reveal reverse review ring rise roar roll rot ruin rule run rush sail save
    say scale scan scatter score scream search see seek seem sell send separate serve set settle shake shape share
    shift shine ship shoot shout show shrink shut side sigh sign signal sing sink sit sleep slide slip slow smell
    smile smoke snow soar solve sound speak specify spend spin split sport spread spring stand stare start state
    stay steal stem step stick stimulate stop store stress stretch strike strive struggle study submit succeed
    suffer suggest suit sum supply support suppose surprise surround survive suspect sustain swear sweep swim swing
    take talk taste teach tear tell tend test thank think threaten thrive throw tie touch trace track trade train
    transform translate travel treat trigger trust try turn underlie understand undergo undermine unite unpack
    upgrade urge use utilize vanish vary verify violate visit vote wag wait wake walk want warn wash waste watch
    wear weigh welcome widen win wish withdraw wonder work worry wound wrap write yield
"""


_NO_VERB_AFTER = frozenset(
    """
    a about after an as at be been before being between by every for from her his in into its my no of on one or our
    over per than the their through to two under until versus with without your
    """.split()
)
"""Words after which a form of a verb is not a finite one."""

_DETERMINERS = frozenset("a an any every her his its no our some that the their these this those your".split())
"""Words before which one in -s, behind another word, is no plural but a verb with its object: "insures its boats"."""

_SUBJECTS = frozenset("he here it she that there what where who".split())
"""Words after which a separate "s", as in tokenized corpora, is a verb."""


def _third_person(base: str) -> str:
    """Return the form of the present that follows "she"."""
    if base.endswith(("s", "x", "z", "ch", "sh", "o")):
        return base + "es"
    return base[:-1] + "ies" if base.endswith("y") and base[-2] not in "aeiou" else base + "s"


_SURE = frozenset(form.replace("'", mark) for form in _AUXILIARIES.split() for mark in "'’")
_LIKELY = frozenset([*_PAST.split(), *(form for base in _BASES.split() for form in (base, _third_person(base)))])


def has_auxiliary(words: Sequence[str]) -> bool:
    """Return True if one of the lowercased words of a sentence is certainly a finite verb, such as "shall" or "is"."""
    return not _SURE.isdisjoint(words)


def has_verb(words: Sequence[str]) -> bool:
    """Return True if one of the lowercased words of a sentence may be a finite verb."""
    if has_auxiliary(words):
        return True
    if any(
        word in _DETERMINERS
        and verb.endswith("s")
        and len(verb) > 3
        and before not in _NO_VERB_AFTER
        and verb.isalpha()
        for before, verb, word in zip(words, words[1:], words[2:], strict=False)
    ):
        return True
    return any(
        ((word in _LIKELY or (word.endswith("ed") and len(word) > 3)) and before not in _NO_VERB_AFTER)
        or (word == "s" and before in _SUBJECTS)
        for before, word in pairwise(["", *words])
    )

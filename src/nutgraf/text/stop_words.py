"""Stop words of eight languages: articles, pronouns, prepositions, conjunctions, auxiliaries and their like."""

from __future__ import annotations

ENGLISH = frozenset(
    """
    a about above across after again against all almost alone along already also although always am among an and
    another any anybody anyone anything anyway are aren aren't around as at away back be became because become
    becomes been before behind being below beside besides between beyond both but by came can can't cannot come
    could couldn couldn't d did didn didn't do does doesn doesn't doing don don't done down during each either else
    enough etc even ever every everybody everyone everything everywhere few for from further get gets getting give
    given gives go goes going gone got had hadn hadn't has hasn hasn't have haven haven't having he he'd he'll he's
    hence her here here's hers herself him himself his how however i i'd i'll i'm i've if in indeed instead into is
    isn isn't it it'd it'll it's its itself just keep kept last least less let let's like likely ll m made make
    makes many may maybe me might mine more moreover most mostly much must mustn't my myself near nearly neither
    never nevertheless next no nobody none nor not nothing now nowhere of off often on once one one's ones only onto
    or other others otherwise ought our ours ourselves out over own per perhaps quite rather re really s said same
    saw say says second see seem seemed seems several shall shan't she she'd she'll she's should shouldn shouldn't
    since so some somebody somehow someone something sometimes somewhere still such t take taken than that that's
    the their theirs them themselves then there there's therefore these they they'd they'll they're they've this
    those though through throughout thus to together too took toward towards under until up upon us use used uses
    using various ve very via was wasn wasn't way we we'd we'll we're we've well went were weren weren't what what's
    whatever when whenever where where's whereas wherever whether which while who who's whoever whole whom whose why
    will with within without won't would wouldn wouldn't yes yet you you'd you'll you're you've your yours yourself
    yourselves
    """.split()
)
"""English stop words."""

GERMAN = """
    ab aber alle allem allen aller allerdings alles als also am an andere anderem anderen anderer anderes auch auf aus
    außer außerdem bei beide beiden beim bereits bevor bin bis bisher bist da dabei dadurch dafür dagegen daher damit
    danach dann daran darauf daraus darf darin darüber darum darunter das dass daß davon dazu dein deine deinem deinen
    deiner dem den denen denn dennoch der deren des deshalb dessen dich die dies diese dieselbe diesem diesen dieser
    dieses dir doch dort du durch dürfen eben ebenso ein eine einem einen einer eines einige einigen einiger einiges
    einmal er erst es etwa etwas euch euer eure falls fast für gab ganz gar gegen gegenüber gibt gilt habe haben hat
    hatte hatten hätte hätten her hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres im immer in indem
    infolge innerhalb ins insbesondere ist ja je jede jedem jeden jeder jedes jedoch jene jenem jenen jener jenes
    jetzt kam kann kaum kein keine keinem keinen keiner können könnte konnte konnten lassen lässt machen macht man
    manche manchen mancher mehr mein meine meinem meinen meiner meist mich mir mit mochte möchte muss müssen musste
    mussten nach nachdem neben nicht nichts noch nun nur ob oben obwohl oder oft ohne per schon sehr sei seien sein
    seine seinem seinen seiner seines seit seitdem selbst sich sie siehe sind so sobald sofern sogar solche solchem
    solchen solcher solches soll sollen sollte sollten somit sondern sonst soweit sowie sowohl statt trotz über
    überhaupt um und uns unser unsere unserem unseren unserer unter viel viele vielen vom von vor während wann war
    waren warum was weder wegen weil weiter weitere weiteren weiterer welche welchem welchen welcher welches wenig
    wenige weniger wenn wer werde werden wessen wie wieder will wir wird wo wobei wohl wollen wollte worden wurde
    wurden würde würden zu zudem zum zur zwar zwischen
"""
FRENCH = """
    à afin ai aie ainsi alors après as au aucun aucune aujourd'hui auquel aura aurait aussi autant autour autre autres
    aux auxquels avaient avais avait avant avec avez avoir avons ayant beaucoup bien c ça car ce ceci cela celle
    celle-ci celles celui celui-ci cependant certain certaine certaines certains ces cet cette ceux ceux-ci chacun
    chacune chaque chez ci comme comment contre d dans de deçà dehors déjà depuis derrière des dès desquels dessous
    dessus deux devant devrait doit doivent donc dont du duquel durant elle elle-même elles en encore enfin entre es
    est et étaient étais était étant été être eu eux fait faire fait faut fois font hors ici il ils j je jusqu jusque
    l la là laquelle le lequel les lesquelles lesquels leur leurs lors lorsque lui m ma mais malgré me même mêmes mes
    mieux moi moins mon n ne ni non nos notre nous on ont or ou où outre par parce parfois parmi pas pendant peu peut
    peut-être peuvent plupart plus plusieurs plutôt pour pourquoi pourrait pourtant pouvait près puis puisque qu quand
    quant que quel quelle quelles quelque quelques quels qui quoi quoique s sa sans se selon sera serait seront ses
    seul seulement si sien soi soient soit sommes son sont sous souvent suis sur t ta tandis tant te tel telle telles
    tels tes toi ton toujours tous tout toute toutefois toutes très trop tu un une va vers voici voilà vos votre vous
    vu y
"""
SPANISH = """
    a acá además ahí ahora al algo alguien algún alguna algunas alguno algunos allá allí ambos ante antes aquel
    aquella aquellas aquellos aquí así aun aún aunque bajo bastante bien cada casi como cómo con conmigo contra cual
    cuál cuales cualquier cuando cuándo cuanto cuánto cuyo cuya cuyos de del demás dentro desde después donde dónde
    dos durante e el él ella ellas ello ellos en encima entonces entre era eran eres es esa esas ese eso esos esta
    está estaba estaban estado estamos están estar estas este esto estos estoy fin fue fuera fueron gran ha haber
    había habían habrá hace hacen hacer hacia han hasta hay haya he hemos incluso ir jamás junto la las le les lo los
    luego más me mediante menos mi mí mientras mis misma mismas mismo mismos mucha muchas mucho muchos muy nada nadie
    ni ningún ninguna ninguno no nos nosotros nuestra nuestras nuestro nuestros nunca o os otra otras otro otros para
    pero poca poco pocos podía podrá podría por porque pues puede pueden qué que quien quién quienes se sea sean según
    ser será serán si sí sido siempre sin sino sobre sois solo sólo somos son soy su sus tal tales también tampoco tan
    tanto te tener tenía ti tiene tienen toda todas todavía todo todos tras tu tú tus u un una unas uno unos usted
    ustedes va van varias varios vez vosotros y ya yo
"""
ITALIAN = """
    a abbia abbiamo ad agli ai al alcun alcuna alcune alcuni all alla alle allo allora altra altre altri altro anche
    ancora anzi appena attraverso avere aveva avevano avuto ben bensì c che chi ci ciascun ciascuna ciò cioè circa
    coi col come comunque con contro cosa così cui d da dagli dai dal dall dalla dalle dallo davanti degli dei del
    dell della delle dello dentro di dietro dire dopo dove dovrebbe due dunque durante e è ecco ed egli ella era erano
    eri essa esse essere essi fa fatto fin fino fra fu furono già gli ha hai hanno ho i il in infatti inoltre insieme
    intanto invece io l la là le lei li lì lo loro lui lungo ma mai me medesimo meno mentre mi mia mie miei mio molta
    molte molti molto ne né negli nei nel nell nella nelle nello nemmeno neppure nessun nessuna nessuno niente no noi
    non nostra nostre nostri nostro nulla o od ogni ognuno oltre oppure ora per perché perciò però persino più po poco
    pochi poi presso prima proprio può pur pure qual quale quali qualche qualcosa qualcuno quando quanto quasi quel
    quell quella quelle quelli quello questa queste questi questo qui quindi sarà sarebbe saranno se sé secondo sei
    sembra sempre senza si sì sia siamo siano siete solo soltanto sono sopra soprattutto sotto sta stata state stati
    stato stesse stessi stesso stessa su sua subito sue sugli sui sul sull sulla sulle sullo suo suoi tale tali tanto
    te ti tra tranne troppo tu tua tue tuo tuoi tutta tuttavia tutte tutti tutto un una uno va verso vi viene vengono
    voi volta vostra vostro
"""
PORTUGUESE = """
    a à acerca agora ainda além algo alguém algum alguma algumas alguns ali ambos ante antes ao aos apenas após aquela
    aquelas aquele aqueles aqui aquilo as às assim até através bastante bem cada cerca com como contra contudo cuja
    cujo da dado daquela daquele das de dela delas dele deles dentro depois desde dessa desse desta deste deve devem
    disso disto do dois dos durante e é ela elas ele eles em embora enquanto então entre era eram és essa essas esse
    esses esta está estão estar estas estava estavam este estes estou eu faz fazer fez foi fora foram há haja havia
    hoje isso isto já la lá lhe lhes lo logo mais mal mas me mediante meio melhor menos mesma mesmas mesmo mesmos meu
    meus minha minhas muita muitas muito muitos na nada não nas nela nele nem nenhum nenhuma nessa nesse nesta neste
    ninguém no nos nós nossa nossas nosso nossos num numa nunca o onde os ou outra outras outro outros para pela pelas
    pelo pelos perante pode podem poderá podia pois por porém porque portanto pouca pouco poucos primeiro própria
    próprio pude qual quais qualquer quando quanto quase que quê quem se seja sejam sem sempre sendo ser será serão
    seu seus si sido só sob sobre sua suas tal também tampouco tanto tão te tem têm tendo tenha ter teve tido tinha
    tinham toda todas todavia todo todos trás tu tua tudo um uma umas uns vai vão vem vez você vocês vos vós
"""
DUTCH = """
    aan aangezien achter al aldus alle alleen alles als alsnog altijd ander andere anderen anders bent beide beiden
    ben binnen bij bijna boven buiten daar daarbij daardoor daarin daarna daarom daarop daarvan dan dat de den der
    des deze dezelfde die dit doch doen door doordat dus echter één een eens eerder eerst elk elke en enige enkele er
    eruit even ge geen geweest gewoon had hadden heb hebben hebt heeft heel hele hem hen het hier hij hoe hoewel hun
    iemand iets ik in indien is ja je jij jou jouw jullie kan kon konden kunnen later liever maar me mede meer meest
    men met mij mijn mijzelf misschien moest moet moeten mogen na naar naast nadat niet niets niemand nieuw noch nog
    nu of ofschoon om omdat omtrent ondanks onder ons onze ook op opnieuw over per reeds rond samen sedert sinds
    sommige soms steeds te tegen tegenover ten tenzij ter terug terwijl tijdens toch toen tot totdat tussen u uit uw
    vaak van vanaf vanuit veel vele verder via vooral voor voordat voorts waar waarbij waardoor waarin waarom waarop
    waarvan wanneer want waren was wat we weer wel welk welke werd werden wie wiens wij wil willen word worden wordt
    zal ze zeer zei zelf zelfs zich zichzelf zij zijn zo zoals zodat zonder zou zouden zowel zullen
"""
RUSSIAN = """
    а без более больше будем будет будете будто буду будут бы был была были было быть в вам вами вас ваш ваша ваше
    ваши вдруг ведь весь во вокруг вот впрочем все всегда всего всей всем всеми всех всё всю вы где да даже для до
    другие другой другого других его ее её ей ему если есть еще ещё ж же за затем зачем здесь и из из-за или им ими
    иногда их к каждый каждая каждое кажется как какая какие какой каких когда кого конечно которая которого которое
    которой которые который которых которым которую кроме кто куда ли лишь лучше между меня мне много может можно мои
    мой моя мы на над надо наконец нам нами нас наш наша не него нее неё ней некоторые нельзя нем нём несколько нет
    ни нибудь никогда ним ними них ничего но ну о об обо один одна однако однако одни одного он она они оно опять от
    ото очень перед по под пока после потому потом почему почти при про против раз разве с сам сама сами само самый
    самые свое своего своей свои своим своих свой свою своё себе себя сейчас со совсем среди так также такая такие
    таким такого такое такой там тебе тебя тем теми теперь тех то тобой тогда того тоже той только том тому тот три
    ту тут ты у уж уже хоть хотя чего чей чем чему через что чтоб чтобы чуть эта эти этим этих это этого этой этом
    этот эту я являлся является являются
"""

STOP_WORDS = {
    "en": ENGLISH,
    "de": frozenset(GERMAN.split()),
    "fr": frozenset(FRENCH.split()),
    "es": frozenset(SPANISH.split()),
    "it": frozenset(ITALIAN.split()),
    "pt": frozenset(PORTUGUESE.split()),
    "nl": frozenset(DUTCH.split()),
    "ru": frozenset(RUSSIAN.split()),
}
"""Stop words by ISO 639-1 code."""

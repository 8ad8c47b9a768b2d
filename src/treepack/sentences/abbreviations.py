"""Abbreviations of legal and technical texts, grouped by what may follow their full stop.

All words are in lower case and without their last full stop; an abbreviation of several words is
written without spaces (``z.b``). A word is listed only if it is hardly ever an ordinary word at
the end of a sentence, or if the text that follows decides.
"""

from typing import Final

from treepack.sentences.small_words import word_set

NUMBERED: Final = word_set(
    """
    art arts no nos nr nrs núm nums num n° sec secs sect subsec para paras par pars subpara cl cls
    reg regs dir dec fig figs tab tabl table eq eqs ref refs ver rev vol vols p pp pg pgs pag pág
    págs blz ch chap chaps pt pts app annex anx ex exh sched tit bk ed edn col cols ser suppl supp
    fn item cir ext tel fax ca approx min max temp ed lit litt lett let ziff rn rdnr rz abs anm anl
    anh kap abschn bd bde jg ausg abb taf unterabs hs uabs verf abl bgbl slg urt az beschl
    alin alinéa annexe chap préc éd tém cons
    ap apdo inc cap cáp caps arts disp art.º párr lib tít pto
    co comma sez sent cass dlgs
    lid stb trb onder ov rov
    stk kap mom avs st nr s bil § prop sou kl
    ust pkt zał rozdz poz dz tyg str ryc rys sygn
    čl odst písm č vyhl sv obr příl kapit
    md mad fık
    άρθ αρ παρ εδ κεφ σελ τόμ εικ πίν αριθ
    ст ч п пп гл разд подп подпункт абз рис табл стр с т кн вып прим прил изд д кв оф корп стат
    рр розд абзац мал дод
    م ص ج ف ش סע מס עמ ס सं पृ धा क्र नं
    jan feb febr mar apr jun jul aug sep sept oct okt nov dec dez janv févr avr juil déc ene abr
    ago dic gen giu lug set ott янв февр апр авг сент окт нояб дек
    """
)
"""Their stop ends no sentence before a number, Roman numeral, single letter or opening bracket."""

LEADING: Final = word_set(
    """
    mr mrs ms dr dra drs prof mme mlle mgr sr sra srta srs sres dña sig sigg dott avv ing geom
    dhr mevr messrs lt sgt capt cpt gen sen rep gov st ste mt ft rev hr fr frl dipl-ing habil exmo
    excmo ilmo lic вул бул пр-т ул просп пер им акад проф доц гр г-н г-жа тов обл р-н
    pan hab mgr.inż inż płk bc judr mudr rndr phdr av doç yrd κκ δρ डॉ श्री प्रो
    e.g eg i.e ie viz cf vs v.s approx incl excl esp resp ca c.f s.a
    vgl bzw ggf evtl sog insb insbes inkl zzgl bspw z.b d.h i.v.m i.s.d i.s.v i.d.f i.d.r m.a.w
    u.a o.g s.o s.u m.w.n gem ggü ivm
    p.ex ex c.-à-d c.à.d v p.ej vid véase
    d.w.z o.a bijv m.b.t t.a.v m.n
    t.ex bl.a f.ex f.eks bl jf jfr dvs s.k esim ks ns vrt
    ul np tzw tj m.in wg zob por
    např tzv resp tzn mj viz
    bkz örn yani
    ок т.е т.к т.н напр см ср т.ч т.наз тобто див напр т.зв наприкл
    π.χ βλ δηλ πρβλ λ.χ
    यथा
    fed civ crim evid proc dist sup ct bankr stat
    """
)
"""Their full stop never ends a sentence: a name, an example or a comparison follows."""

INNER: Final = word_set(
    """
    al inc ltd co corp bros llc plc jr cie dept univ assn assoc intl natl div mfg gov comm hon
    a.m p.m u.s u.k u.n e.u ph.d b.sc m.sc n.b p.s id ibid op.cit loc.cit
    f ff abk allg gmbh mio mrd tsd std
    ee uu ee.uu s.a s.l s.r.l n.v b.v c.v
    dz dz.u u sp sp.z.o.o im ks s.r.o a.s
    млн млрд тыс руб
    """
)
"""Their full stop ends a sentence only if the next word is one of the `STARTERS`."""

UNITS: Final = word_set("m s h g l k a p с м т л ч")
"""Letters that are units after a number; there they may end a sentence."""

ENDING: Final = word_set("т.д т.п т.і u.s.w m.m o.dgl")
"""Abbreviations of several words that usually end a sentence, such as "and so on"."""

CLAUSES: Final = word_set(
    """
    article section clause chapter rule part schedule annex appendix title regulation requirement
    recital note example step table figure stage phase level option
    artikel abschnitt kapitel anhang anlage teil titel tabelle abbildung schritt hinweis anmerkung
    chapitre partie titre annexe règle tableau étape
    artículo sección capítulo anexo título tabla figura regla
    articolo sezione capitolo allegato titolo tabella
    artigo secção seção
    bijlage hoofdstuk bilaga bilag liite avsnitt afsnit
    artykuł rozdział paragraf załącznik článek příloha oddíl
    madde bölüm kısım ek
    άρθρο κεφάλαιο παράρτημα
    статья раздел глава приложение пункт таблица рисунок стаття розділ глава додаток
    § §§ 제
    """
)
"""Words, written in full, that precede the number of a clause."""

ORDINALS: Final = word_set(
    """
    januar jänner februar märz april mai juni juli august september oktober november dezember
    jahrhundert jahrtausend kammer senat halbsatz abschnitt kapitel teil buch auflage aufl lesung
    quartal halbjahr weltkrieg person absatz satz stock stelle stufe ebene zivilsenat strafsenat
    ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık
    bölüm madde kısım fıkra
    """
)
"""Words that follow an ordinal number, in languages that write ordinals with a full stop."""

ARTICLES: Final = word_set("der die das dem den des am im zum zur vom beim jeder jedes")
"""Words that precede such an ordinal."""

STARTERS: Final = word_set(
    """
    the this that these those it its he she they we you in on at for if when where while after
    before however therefore moreover although thus hence as but and or not all any each every such
    see there here an our their his her to by under from with nothing what who which how why no
    unless until since further notwithstanding
    der die das dies diese dieser dieses es er sie wir ein eine einer eines im in am bei für wenn
    nach vor mit auch nur aber und oder nicht hier dabei daher vgl siehe gemäß soweit wird ist
    le la les il elle ils elles un une ce cet cette ces en dans pour si après avant mais et ou tout
    toute voir nous vous on cela selon sauf
    el los las lo una este esta estos estas eso en para por si cuando pero no según véase se su
    il lo gli questo questa questi un uno per con se quando ma non si nel nella
    o os as um uma este esta isto em para se quando mas não no na
    de het een dit deze dat er als wanneer maar niet voor bij
    den det dette denne disse en ett et om när når men inte ikke för
    w z na nie ten ta to te jeżeli jeśli gdy po przed dla jest są
    v na ne tento tato toto je jsou pokud když po před
    bu şu o bir ve ama için
    это этот эта эти он она они в на при если когда после но и не для по
    це цей ця ці він вона вони у в на при якщо коли після але і й не для за
    ο η το οι τα αυτό αυτή αν όταν για στο στη και δεν με
    """
)
"""Words that begin sentences and rarely begin a name."""

"""The sentences on which the splitters are measured."""

# ``|`` marks each boundary between sentences; each line is a stretch of one paragraph.
SENTENCES = {
    "en": """
        The operator shall comply with Art. 7 of the Act.|Failure to do so is an offence.
        Pursuant to Sec. 4.2 and Sched. B, the holder shall give notice.|No. 12 of the list is void.
        Compare Fig. 3 with Tab. 2.|The difference is approx. 5 mm.|It grows with time.
        See e.g. Council Regulation (EC) No. 44/2001.|It was recast later.
        The rule in Baker v. Carter Bros. Co., 14 F.3d 212 (2d Cir. 1994), was followed.|We agree.
        The claim arises under 28 U.S.C. § 1331.|The U.S. Attorney did not reply.
        He moved to the U.S.|The court heard him there.|Nothing else happened.
        Mr. and Mrs. Adams met Dr. Lee at St. Mary's.|They left at 5 p.m.|The others stayed.
        Is the valve open?|Yes!|Then close it.
        The answer is "Stop."|Then the lamp goes out.|(It stays out.)|Press reset.
        Use a torque of 5.5 N·m.|Version 3.10.2 is required.|Older ones fail.
        The parties (cf. cl. 9(b) and para. 3) agree.|(b) is reserved.
        Clause 5.1.2 is amended.|Clause 5.1.3. Scope remains.
        Apply paras. 3 and 4, subpara. (a), and reg. 7.|Nos. 5 and 6 are spent.
        J. R. Hill and A. Stone wrote it.|M. Poe edited vol. 2, pp. 10-19.|It sold well.
        The tank holds 20 m.|The pipe is longer.|See Annex A.|The limits are there.
        What does "shall" mean?|It means a duty, i.e. something one must do.
        The firm (Acme Inc.) was dissolved.|Smith Ltd. Partners took over.|The Ltd. was struck off.
        Read config.py first.|Then run `setup.py`.|`main()` starts the loop.
        Limits apply.[^1]|They are strict.[12]|**No exception is known.**|*Ask first.*
        Wait... what did it say?|It said nothing...|Then it stopped.
        The vote (cf. Rule 3.) was taken.|Prof. Gray et al. dissented.|The rest concurred.
        Art. IV applies, not Art. II.|Sec. A is informative.|Ref. No. 9 is cited.
        On Jan. 5 and Oct. 12 it rained.|In Dec. it snowed.|2020 was dry.
        Ask for max. 20 bar and min. 3 bar.|The rev. 2 board needs incl. VAT pricing.|Done.
        The U.K. and the E.U. signed it.|NOTE 1 Both have left.|NOTE 2 One came back.
        1. The seller shall deliver.|2. The buyer shall pay.|3. Risk passes on delivery.
        Article 3. Definitions.|In this Law words have their meaning.
        It runs on Linux, macOS, etc.|Windows follows.|It is slow, noisy, etc. but cheap.
        Fed. R. Civ. P. 12(b) governs.|Id. at 44.|The motion is denied.
        The crew won 4 - 1 .|It was , as Fig . 3 shows , a calm day .|Dr . Moss left early . . .
        Call the function with x = 3.|If it returns 0. the test passes.
    """,
    "de": """
        Nach Art. 3 Abs. 2 Nr. 1 GG gilt das nicht.|Vgl. dazu § 8 S. 3 BGB.
        Der Vertrag wurde am 4. Mai 2019 geschlossen.|Er endet am 31. Dezember 2024.
        Dies gilt z. B. für Vereine, d. h. für Verbände i. S. d. Gesetzes.|Ausnahmen gibt es nicht.
        Gem. Ziff. 4 lit. b haftet die GmbH u. a. für Dritte.|Die Haftung endet nach drei Jahren.
        Die 2. Kammer hat entschieden.|Der 3. Senat folgt dem nicht.
        Siehe Abb. 3 bzw. Tab. 4.|Der Druck beträgt ca. 5 bar.|Mehr ist verboten!
        Hr. Dr. Maier und Fr. Prof. Kunz sind verhindert.|Kommt Herr Berg?|Nein.
        §§ 5 ff. BGB bleiben unberührt.|Im 19. Jahrhundert war das anders.
        Das Urteil (Az. C-12/05, Rn. 7) ist bekannt.|„Es gilt.“|So steht es dort.
        Anlage 2 Nr. 3 wird gestrichen.|Nr. 4 wird Nr. 3.
    """,
    "fr": """
        Selon l'art. 4, al. 2, du règlement, M. Petit est tenu de payer.|Mme Roy ne l'est pas.
        Voir p. ex. la fig. 2 et le chap. IV.|Le délai est de 30 jours.
        Est-ce permis ?|Non !|La loi l'interdit.
        « La règle est claire. »|Le juge l'a dit.
        Le Dr. Morel et MM. Blanc et Noir ont signé.|L'acte porte le no. 12.
        L'annexe n° 3 est abrogée.|L'art. L. 121-1 s'applique.
        La société Dupré S.A. est dissoute.|Elle n'existe plus.
    """,
    "es": """
        Véase el art. 5, párr. 2, de la Ley.|Entra en vigor mañana.
        El Sr. Gómez y la Sra. Ruiz firman.|¿Dónde vive el Dr. Paz?|¡No se sabe!
        Los EE. UU. firmaron el tratado.|El núm. 7 quedó vacío.
        Cítese la pág. 4 y el cap. III.|Así lo exige el tribunal.
        Según el apdo. 3, p. ej. Madrid, cabe recurso.|El plazo vence hoy.
    """,
    "it": """
        Ai sensi dell'art. 2, co. 3, lett. b), il contratto è nullo.|Si veda la fig. 4.
        Il sig. Bianchi e il dott. Neri sono presenti.|La sig.ra Verdi no.
        Il D.Lgs. 196/2003 è abrogato.|Perché?|Lo dice il legislatore.
        Si applica il cap. 5, sez. II.|Il n. 7 resta fermo.
    """,
    "pt": """
        Nos termos do art. 6.º, n.º 2, a lei aplica-se.|O prazo é de dez dias.
        O Sr. Costa e a Dra. Lima faltaram.|Quem os viu?|Ninguém.
        Ver pág. 12, inc. II e al. b).|O recurso é admitido.
    """,
    "nl": """
        Ingevolge art. 7 lid 2 is dit verboden.|Zie ook blz. 14 en nr. 9.
        Dhr. De Wit en mevr. Bos zijn er, d.w.z. allen.|Is dat genoeg?|Ja.
        De B.V. Zeester betaalt o.a. Amsterdam.|Het bedrag is ca. 50 euro.
    """,
    "sv": """
        Enligt 3 kap. 5 § gäller detta.|Se t.ex. Lund, s. 14, och bil. 2.
        Avtalet löper ut den 3 maj 2021.|Det förlängs inte.|Varför?
        Stk. 2 nr. 4 ophæves.|Jf. § 7 i loven.
    """,
    "pl": """
        Na podstawie art. 7 ust. 1 pkt 2 ustawy uchyla się decyzję.|Skarga nie przysługuje.
        Zob. Dz. U. z 2018 r. poz. 5.|W 2019 r. Sejm zmienił ustawę.
        Świadek, tj. Jan Lis, mieszka przy ul. Polnej.|Czy zeznał?|Tak.
        Wg. rys. 4 i tab. 2 wartość maleje.|Prof. Kos się nie zgadza.
    """,
    "cs": """
        Podle čl. 4 odst. 2 písm. a) je to zakázáno.|Viz též § 12 zákona č. 89/2012 Sb.
        Smlouva platí od 1. 1. 2020 do 31. 12. 2021.|Poté končí.
        Tzv. Velká novela, např. Praha, byla přijata.|Kdy?|Včera.
    """,
    "ru": """
        Согласно ст. 8 и п. 4 ч. 2 закона, г. Казань платит.|Срок истёк в 2019 г.|Суд отказал.
        См. рис. 3 и табл. 5.|Давление составляет ок. 5 бар.
        Это касается, т. е. включает, всё: трубы, краны и т. д.|Других правил нет!
        Проф. И. П. Серов живёт на ул. Лесной.|Он болен?|Нет.
        Статья 5. Общие положения.|Настоящий Закон регулирует отношения.
    """,
    "uk": """
        Відповідно до ст. 6 та п. 2 закону, м. Львів сплачує збір.|Строк минув.
        Див. рис. 2 на с. 14.|Чи це обов'язково?|Так.
        У 2020 р. Суд скасував рішення.|Воно не діє.
    """,
    "el": """
        Σύμφωνα με το άρθ. 5 παρ. 2 του νόμου, αυτό ισχύει.|Βλ. Παράρτημα Α.
        Τι είναι αυτό;|Είναι κανόνας, π.χ. Νόμος ή διάταγμα.|Τέλος.
    """,
    "tr": """
        Kanunun 5. maddesi uygulanır.|Bkz. Ek 2 ve s. 14.
        Sözleşme 3. Bölüm uyarınca sona erer.|Bu geçerli mi?|Evet.
        Av. Demir ve Dr. Kaya imzaladı.|Süre 30 gündür.
    """,
    "fi": """
        Katso esim. Helsinki ja liite 2, s. 14.|Laki tulee voimaan 1. tammikuuta.
        Onko se sallittu?|Ei ole.|Ks. Luku 3.
    """,
    "zh": """
        本标准规定了试验方法。|附录A为规范性附录。|见第5.1.2条。
        这是什么？|这是规定！|“必须遵守。”|他这样说。
        温度为3.5度。|压力不变（见表2。）|完毕。
        该条适用吗?|不适用!|请看第7条。
    """,
    "ja": """
        本規格は全ての製品に適用する。|附属書Aを参照。|例外はない。
        「中止せよ。」と命じた。|全員が従った。|本当ですか？|はい。
        長さは２．５である．|次に幅を測る．|終了！
    """,
    "ko": """
        제5조에 따라 신고한다.|예외는 없다.|왜 그런가?|법이 그렇다.
        이 규칙은 2021. 3. 1. 부터 시행한다.|종전의 규칙은 폐지한다.
        값은 3.5이다.|그림 2를 보라!|끝.
    """,
    "ar": """
        تسري أحكام هذا القانون على الجميع.|هل يوجد استثناء؟|لا.
        انظر م. 5 من القانون ص. 14.|يبدأ العمل به غدا.
    """,
    "fa": """
        این ماده اجرا می‌شود.|آیا استثنا دارد؟|خیر.
    """,
    "ur": """
        یہ قانون نافذ ہے۔|کیا یہ لازمی ہے؟|ہاں۔
    """,
    "he": """
        חוק זה חל על כולם.|האם יש חריגים?|לא.
        ראו סע. 5 לחוק.|הוא בוטל.
    """,
    "hi": """
        यह अधिनियम लागू होता है।|क्या धारा 5 अनिवार्य है?|हाँ।
        डॉ. वर्मा ने नियम सं. 7 पढ़ा।|वह सही था।
    """,
    "bn": """
        এই আইন কার্যকর হবে।|এটি কি বাধ্যতামূলক?|হ্যাঁ।
    """,
    "hy": """
        Այս օրենքը գործում է։|Այն պարտադիր է։
    """,
    "am": """
        ይህ ሕግ ይሠራል።|ግዴታ ነው።
    """,
    "my": """
        ဤဥပဒေသည် အကျုံးဝင်သည်။|ချွင်းချက်မရှိပါ။
    """,
}

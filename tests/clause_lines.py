r"""Labelled lines, written for this project: what begins with a clause number, and what does not.

Each positive one is ``kind | parts | line``; parts are joined by a space. In a line, ``\u00a0``,
``\u3000``, ``\t`` and ``\\`` mean the same as in a Python string. ``¦`` separates lines.
"""

HEADINGS = r"""
decimal | 15 2 | 15.2 100 Continue ¦ decimal | 15 2 2 | 15.2.2. 404 Not Found
decimal | 5 1 | 5.1 May holidays ¦ decimal | 15 3 | 15.3 3GPP access
decimal | 6 1 | 6.1 2D layouts
decimal | 3 2 | 3.2 2-factor sign-in ¦ decimal | 7 3 | 7.3 802.11 frames
decimal | 4 4 | 4.4 3rd party libraries ¦ decimal | 4 | 4. 5G networks
decimal | 15 | 15 100 Continue ¦ annex | C 1 | Appendix C.1 Rules
annex | I 2 | Appendix I.2. Rules ¦ annex | XIV 2 1 | Annex XIV.2.1 ¦ part | V 3 | Part V.3
decimal | 5 | 5 Scope of supply ¦ decimal | 5 | 5. Scope of supply
decimal | 1 | 1 Anwendungsbereich ¦ decimal | 12 | 12 Prüfung der Unterlagen
decimal | 7 | 7 Généralités ¦ decimal | 3 | 3 Términos y definiciones ¦ decimal | 4 | 4 总则
decimal | 10 | 10. Références normatives ¦ decimal | 2 | 2: Terms ¦ decimal | 6 | 6 – Maintenance
decimal | 8 | 8 "Ready" state ¦ decimal | 9 | 9 (informative) Worked examples
decimal | 5 1 | 5.1 General ¦ decimal | 5 1 | 5.1. General
decimal | 5 1 2 | 5.1.2 Limits of emission ¦ decimal | 5 1 2 | 5.1.2. Limits of emission
decimal | 5 1 2 3 | 5.1.2.3 Measuring distance ¦ decimal | 2 3 59 1 2 | 2.3.59.1.2 Pin assignment
decimal | 5 10AA 1 | 5.10AA.1 Handover between cells
decimal | 10 5 2 21aa | 10.5.2.21aa Cell description ¦ decimal | 12A 3 | 12A.3 Inserted clause
decimal | 0 1 | 0.1 Introduction to the series ¦ decimal | 1 01 | 1.01 Defined Terms
decimal | 1 10 | 1.10 Notices ¦ decimal | 10 2 1 3 | 10.2.1.3 Passphrases
decimal | 4 3 2 | 4.3.2 getValue() of the interface ¦ decimal | 4 3 3 | 4.3.3 origin-form
decimal | 3 2 1 | 3.2.1. absolute-form ¦ decimal | 7 1 | 7\.1 Escaped dot
decimal | 7 1 2 | 7\.1\.2 Escaped dots ¦ decimal | 7 4 | 7.4 Naming
decimal | 7 5 | <a name="s75"></a>7.5 Anchor before
decimal | 7 6 | 7.6 <a name="s76"></a> Anchor after ¦ decimal | 7 7 | 7.7 Attribute after {#attr}
decimal | 7 8 | **7.8** Bold number ¦ decimal | 7 9 | **7.9 Bold line**
decimal | 7 10 | __7.10__ Bold with underscores ¦ decimal | 7 11 | *7.11* Emphasised
decimal | 7 12 | 7.12 ¦ decimal | 7 13 | 7.13. ¦ decimal | 7 14 | 7.14 — Dash after
decimal | 7 15 | 7.15: Colon after ¦ decimal | 7 16 | 7.16 [RESERVED]
decimal | 7 17 | 7.17 «Définitions» ¦ decimal | 6 2 | 6.2 A few limitations
decimal | 6 3 | 6.3 Änderungen des Vertrags ¦ decimal | 6 4 | 6.4 Étalonnage des capteurs
decimal | 6 5 | 6.5 Ámbito de aplicación ¦ decimal | 6 6 | 6.6 试验方法
decimal | 6 6 1 | 6.6.1 外观检查
decimal | 164 512 | 164.512 Uses and disclosures ¦ decimal | 5 6 12 | 5.6.12. Version
decimal | A 2 | A.2 Length of the cable ¦ decimal | A 2 1 | A.2.1 Test set-up
decimal | B 1 | B.1 Allgemeines ¦ decimal | C 3 | C.3. Remarks
decimal | AI 2 1 | AI.2.1 Inserted annex ¦ decimal | K 1 4 | K.1.4 Linking
article | 12 | Article 12 ¦ article | 12 | ARTICLE 12 ¦ article | 12 | Article 12 — Record-keeping
article | 12 | Article 12: Record-keeping ¦ article | 12 | Article 12. Record-keeping
article | 12 | Article 12 Record-keeping ¦ article | 12 3 | Article 12(3)
article | 12 3 a | Article 12(3)(a) ¦ article | IV | ARTICLE IV ¦ article | 12a | Art 12a
article | 12 | Art. 12 Berufsfreiheit ¦ article | 91c | Artikel 91c
article | 3 | Artikel 3 Begriffsbestimmungen ¦ article | 5 bis | Article 5 bis
article | L. 1225-4 | Article L. 1225-4 ¦ article | R. 421-1 | Article R. 421-1 du permis
article | 14 | Artículo 14 ¦ article | 14 | Artículo 14. Igualdad ¦ article | 9 | Artigo 9
article | 7 | Articolo 7 ¦ article | 12 | **Article 12** Duties ¦ article | 12 | Article\u00a012
section | 2 | Section 2 ¦ section | 2 | SECTION 2 Rights of the data subject
section | 2 1 | Section 2.1 Definitions ¦ section | 4 | Sec. 4 Payment
section | 230 | § 230 Körperverletzung ¦ section | 5 | § 5 Benennung ¦ section | 5a | § 5a Vorrang
section | 9 | § 9 ¦ section | 3 | Abschnitt 3 - Rechte ¦ section | II | Abschnitt II
section | 4 | Sección 4. Plazos ¦ clause | 7 3 | Clause 7.3 Liability
clause | 9 | CLAUSE 9 – TERMINATION ¦ clause | 2 | Cláusula 2 Objeto ¦ rule | 11 | Rule 11 Pleadings
rule | 3 | Rule 3: Names ¦ regulation | 4 | Regulation 4 Duties of employers
recital | 26 | Recital 26 ¦ recital | 26 | Erwägungsgrund 26 ¦ recital | 26 | Considérant 26
recital | 26 | Considerando 26 ¦ requirement | 4 | Requirement 4 Traceability
part | 2 | Part 2 General principles ¦ part | II | PART II ¦ part | A | Part A. Vulnerabilities
part | 1 | Teil 1 - Gemeinsame Bestimmungen ¦ part | 3 | Partie 3 Dispositions finales
part | 3 | Parte 3 ¦ title | V | TITLE V ¦ title | 2 | Titel 2 Verfahren
title | I | Titre I Principes ¦ title | I | Titre Ire Principes ¦ article | 8 | Art. 8o Todos ¦
article | 10-2 | 제10조의2(정의) ¦ title | IV | Título IV ¦ book | 1 | Book 1
book | 2 | Buch 2 Recht der Schuldverhältnisse ¦ book | II | Livre II ¦ chapter | III | CHAPTER III
chapter | 3 | Chapter 3 Records ¦ chapter | 1 | CHAPTER 1 – INTRODUCTION
chapter | 2 | Kapitel 2 - Rechtsgrundlagen ¦ chapter | IV | Chapitre IV ¦ chapter | IV | CAPÍTULO IV
annex | A | Annex A ¦ annex | A | Annex A (normative) ¦ annex | B | Annex B (informative) Guidance
annex | III | ANNEX III ¦ annex | 1 | Annex 1 — Information document ¦ annex | AI 2 1 | Annex AI.2.1
annex | A 2 | Annex A.2 ¦ annex | A | Appendix A—Strength of secrets
annex | C | APPENDIX C: GLOSSARY ¦ annex | A | Appendix A.  Collected grammar
annex | 3 | Anlage 3 Muster ¦ annex | B | Anhang B ¦ annex | II | Annexe II ¦ annex | II | Anexo II
annex | 1 | Schedule 1 Services ¦ annex | A | Exhibit A - Notice ¦ annex | 2 | SCHEDULE 2
requirement | V2 1 3 | V2.1.3 Passwords ¦ requirement | V2 1 | V2.1 Password Security
requirement | V2 | V2 Authentication ¦ requirement | V14 | V14 Configuration
requirement | REQ 12 | REQ-12 The pump stops ¦ requirement | REQ 12 | REQ 12 The pump stops
requirement | SRS 3 2 | SRS-3.2 Start-up ¦ requirement | FR 7 | FR-7 Export
requirement | AC 2 1 | AC-2(1) Automated management ¦ chapter | 1 | 第一章 总则
section | 2 | 第二节 权利
article | 3 | 第三条 定义 ¦ article | 12 | 第十二条 ¦ article | 120 | 第一百二十条 附则
article | 7 | 第7条 范围
book | 1 | 第一编 通则 ¦ part | 2 | 第二部分 要求 ¦ roman | I | I. General
roman | II | II. - Der Bund und die Länder ¦ roman | IV | IV. Results ¦ roman | IV | IV
roman | XII | XII – Closing provisions ¦ letter | A | A. PURPOSE
letter | B | B. Role of the trustee ¦ paragraph | 1 | (1) Scope of the act
letter | a | (a) Notices
"""

TEXTS = r"""
decimal | 5 1 1 | 5.1.1. ¦ decimal | 5 1 | 5.1 The supplier shall deliver the goods.
decimal | 5 1 | 5.1. The supplier shall deliver the goods.
decimal | 5 1 | 5.1. the supplier shall deliver the goods.
decimal | 5 1 2 | 5.1.2 Each party keeps its records.
decimal | 1 1 | 1.1. "Contributor" means each person.
decimal | 1 1 | 1.1 “Contributor” means each person.
decimal | 2 1 1 | **2.1.1.\tBold clause.** It applies.
decimal | 2 2 | **2.2** Bold number, then text. ¦ decimal | 7 1 | 7\.1 Escaped dot in a text.
decimal | 3 4 | 3.4 Die Lieferung erfolgt frei Haus.
decimal | 3 5 | 3.5 Le fournisseur livre les marchandises.
decimal | 3 6 | 3.6 El proveedor entrega los bienes. ¦ decimal | 3 7 | 3.7 供方应当交货。
decimal | 3 8 | 3.8 « Marchandises » désigne les biens.
decimal | 3 9 | 3.9\u00a0\u00a0Goods are delivered. ¦ decimal | 3 10 | 3.10\u3000供方应当交货。
decimal | 4 2 | 4.2 (Reserved) ¦ decimal | 4 3 | 4.3 [Intentionally left blank]
decimal | A 2 | A.2 The cable is measured. ¦ decimal | D 1 | D.1.  Additions
decimal | 6 2 2 1 | 6.2.2.1.  Case Normalization ¦ decimal | 12 1 | 12.1.
decimal | 2 10 | 2.10. A term.
paragraph | 1 | 1.\u00a0\u00a0\u00a0This Regulation lays down rules.
paragraph | 2 | 2.   This Regulation applies. ¦ paragraph | 3 | 3. The Commission shall adopt acts.
paragraph | 5a | 5a. den Schutz der Güter gegen Abwanderung;
paragraph | 19a | 19a. die Sicherung der Häuser; ¦ paragraph | 1 | 1. ¦ paragraph | 12 | 12.
paragraph | 1 | (1) Die Würde ist unantastbar.
paragraph | 2 | (2) Niemand darf benachteiligt werden.
paragraph | 1a | (1a) Der Bund kann Rechte übertragen. ¦ paragraph | 12 | (12)
paragraph | 3 | (3) Member States shall ensure this. ¦ paragraph | 1 | 1) the first of the parties;
paragraph | 10 | 10) la dixième partie; ¦ paragraph | 7 | **7.** Bold paragraph number
paragraph | 4 | **(4)** Bold bracket ¦ paragraph | 1 | **1.\tCopyright.** ¦ letter | a | (a)
letter | a | (a) the name of the controller; ¦ letter | b | (b) die Anschrift des Verantwortlichen;
letter | c | (c) le nom du responsable; ¦ letter | d | (d) el nombre del responsable;
letter | a | a) öffentliche Stellen des Bundes; ¦ letter | b | b) als Organe der Rechtspflege;
letter | z | z) the last of the letters; ¦ letter | a | a. the value of the property;
letter | b | b. confirmation of a plan; or ¦ letter | aa | (aa) the first doubled letter;
letter | bb | bb) der zweite Doppelbuchstabe; ¦ letter | aa | aa) der erste Doppelbuchstabe;
letter | ba | (ba) an inserted point; ¦ letter | fa | (fa) another inserted point;
letter | A | (A) a capital in brackets; ¦ letter | B | B) eine Variante;
letter | a | \\(a\\) escaped brackets; ¦ letter | a | *(a)* emphasised bracket;
letter | a | **a. Standing duties of a debtor** ¦ roman | i | (i) the first of them;
roman | ii | (ii) the second of them; ¦ roman | iii | (iii) ¦ roman | iv | (iv) the fourth;
roman | v | (v) the fifth; ¦ roman | ix | (ix) the ninth; ¦ roman | xii | (xii) the twelfth;
roman | ii | ii) der zweite; ¦ roman | iv | iv. the fourth, with a dot;
roman | IV | IV. Die vierte Abteilung ¦ roman | II | (II) capitals in brackets
article | 12 | Article 12 ¦ article | 12 | Article 12 — Records
article | 12 | Article 12. Records are kept. ¦ article | 12 | **Article 12**
article | 12 | Article 12 Records and Registers ¦ article | 3 | Artikel 3
article | 3 | Artikel 3: Begriffe ¦ article | 14 | Artículo 14. ¦ article | 14 | Article 14 : Délais
article | 3 | 第三条 本法适用于合同。
article | 21 | 第二十一条 当事人应当履行义务。 ¦ section | 2 | Section 2
section | 2 1 | Section 2.1 Definitions. As used here, terms are defined.
section | 4 2 | Section 4.2. The buyer pays.
section | 9 1 | **Section 9.1 Notices.** Notices are in writing. ¦ section | 7 | § 7
section | 7 | § 7 Pflichten des Mieters ¦ section | 12 | § 12. ¦ clause | 3 | Clause 3: Payment
clause | 3 | CLAUSE 3 — PAYMENT ¦ rule | 1 | Rule 1: ¦ annex | I | ANNEX I ¦ annex | A | Annex A
annex | B | Annex B: Forms ¦ annex | A | Appendix A.  Collected Grammar
annex | 2 | Schedule 2 Fees and Charges ¦ annex | C | Exhibit C – Form of Notice
annex | 1 | Anlage 1 ¦ annex | 1 | Anlage 1: Muster ¦ chapter | 2 | Chapter 2
chapter | II | CHAPTER II ¦ chapter | II | Kapitel II ¦ chapter | II | Chapitre II — Champ
chapter | 2 | 第二章 权利义务 ¦ part | A | Part A. Vulnerability of Vehicles ¦ part | 3 | PART 3
title | III | TITLE III ¦ requirement | V2 1 3 | V2.1.3 Passwords are checked.
requirement | REQ 12 | REQ-12: The pump stops. ¦ requirement | REQ 12 | REQ-12 The pump stops.
requirement | SR 1 2 | SR-1.2 The door closes.
requirement | AC 2 4 | AC-2(4) Automated audit actions ¦ recital | 4 | Recital 4
section | 16 | Sec. 16. Severability ¦ section | 3 1 | Section 3.1: Rent
section | 3 2 | Section 3.2 Rent Increases ¦ clause | 12 4 | Clause 12.4 Force Majeure
article | 8 | Art. 8. ¦ article | V | ARTICLE V ¦ article | V | ARTICLE V INDEMNITY AND INSURANCE
annex | III | Annexe III : Modèles ¦ annex | IV | Anexo IV ¦ annex | B | Anhang B: Messverfahren
decimal | 8 1 1 | 8.1.1 Der Auftragnehmer haftet. ¦ decimal | 8 1 2 | 8.1.2. Le prestataire répond.
decimal | 8 1 3 | 8.1.3 Ñandú Comercial S.A. responde.
decimal | 9 1 | `9.1` Code mark around the number ¦ decimal | 9 2 | <b>9.2</b> Tag around the number
decimal | 9 3 | <span id="x9"></span>9.3 Anchor before the number
decimal | 9 4 | &nbsp;9.4 Entity before the number ¦ section | 5 | &sect; 5
decimal | 5 1 3 | 5.1.3. ¦ decimal | 5 2 | 5.2.
paragraph | 9 | (9) Les États membres prennent les mesures.
paragraph | 6 | 6. Los Estados miembros adoptarán las medidas.
letter | e | e) das Recht auf Auskunft; ¦ letter | f | f) le droit de rectification;
letter | g | g) el derecho de supresión; ¦ roman | vi | (vi) la sixième condition;
article | 44 | 第四十四条 ¦ section | 8a | § 8a
"""

NOT_HEADINGS = r"""
2.7 3 years of support ¦ 5.1 10 kg of flour ¦ 5.1 10.5 kg of flour ¦ 1.2 12 May 2020
3.10 3 is required ¦ 1.2 3 ¦ 4 3 2 Go ¦ 3.10.2 is required ¦ Python 3.10.2 ¦ Version 2.1.0
v3.10.2 Released ¦ 3.10.2-rc1 Notes ¦ 3.10.2b1 Notes ¦ 3.10.2+build5 ¦ 2.0.1 (2021-10-28)
2.0.1 - 2021-10-28 ¦ 1.4.0 [2020-01-05] ¦ 192.168.1.1
192.168.1.1 Gateway ¦ 10.0.0.1 Loopback ¦ 8.8.8.8 Resolver ¦ 255.255.255.0 Netmask ¦ 127.0.0.1
172.16.254.3 Host ¦ 169.254.10.20 Link ¦ 2001:db8::1 Prefix ¦ fe80::1 ¦ 10.0.0.0/8 Range
2024 Annual report ¦ 1998 in review ¦ 2024 ¦ 1984 ¦ 300 Spartans ¦ 1000 Ways ¦ 12.05.2024 Protokoll
12.05.24 Protokoll ¦ 24.12.2023 ¦ 2024.05.12 Minutes ¦ 2024-05-12 Minutes ¦ 5.2024 Ausgabe
12 May 2024 ¦ 1. Mai 2024 ¦ 3 March, minutes ¦ 15 août 2023 ¦ 7 de mayo ¦ 21. Dezember ¦ 12.5 kg
12.5 kg of sugar ¦ 2.5 nm Gates ¦ ANEXO DE ESTIPULACIONES ¦ 2.4 GHz
2.4 GHz Band ¦ 3.5 Millionen Euro ¦ 3.5 million people ¦ 1.5 Mbit/s
5 V ¦ 3.3 V Supply ¦ 100 MHz Oscillator ¦ 50 % of all ¦ 12.50 € pro Stück ¦ 12.50 EUR
7.99 USD each ¦ 1.250.000 Menschen ¦ 5.000 EUR ¦ 20 °C ¦ 3 ways to cook rice ¦ 10 tips for writers
5 things you should know ¦ 2 and a half years ¦ 4 of 5 dentists ¦ 1st Amendment ¦ 2nd Edition
3D Printing ¦ 5G Networks ¦ 4K Video ¦ 1/2 Measures ¦ 50-50 Chance ¦ 24/7 Support ¦ 9-to-5 Jobs
3x3 Matrix ¦ 12:30 Lunch ¦ 12.30 Uhr Mittagessen ¦ 0x1F Register ¦ #5 Hash ¦ +49 30 1234
(see above) ¦ (the) rest ¦ (in) definite ¦ (or) else ¦ (and) so on ¦ (2024) Report ¦ I Am Legend ¦ I
A ¦ A Tale of Two Cities ¦ Mix ¦ MIX ¦ mix ¦ did ¦ Dim Lights ¦ CIVIC Duty ¦ Civil Law
LIVID Colours ¦ A4 paper ¦ B2B sales ¦ H2 headings and styles ¦ C major ¦ e.g. this ¦ i.e. that
z. B. dieses ¦ d. h. jenes ¦ u. a. mehr ¦ U.S. Law ¦ S.A. Holding ¦ Article about bees
Articles of Association ¦ Articles 6 and 7 ¦ article 12 applies ¦ Art Deco ¦ Art of War ¦ Section
Section header ¦ Sections 3 and 4 ¦ Part of the whole ¦ Parts List ¦ Chapters ¦ Chapter and verse
Title deed ¦ Titles ¦ Annexes ¦ Annex to the agreement ¦ Appendix ¦ Ruled Paper ¦ Rules of procedure
Regulation (EU) 2016/679 ¦ Regulations ¦ Recitals ¦ Requirements ¦ Required reading
Scheduled flights ¦ Schedule of fees ¦ Exhibition A ¦ Clause ¦ Claus 5 ¦ Booking 5 ¦ Partner 5
Titles 5 ¦ Artikelserie 5 ¦ Teilung 3 ¦ § ¦ §§ ¦ § dieses Gesetzes ¦ 第 章 ¦ 第三方
第一次世界大战 ¦ 总则
COVID-19 ¦ UTF-8 ¦ SHA-256 ¦ ISO-8859-1 ¦ CVE-2021-44228 ¦ RFC 2119 ¦ ISO 9001 ¦ IEC 60601
H.264 encoding ¦ 1.1.1.1.1.1.1.1.1.1.1.1 Too deep
1.2.3.4.5.6.7.8.9.10.11.12.13.14.15.16.17.18.19.20.21.22.23.24.25.26.27.28.29.30.31.32.33.34.35.36.37.38.39.40.41.42.43.44.45.46.47.48.49.50
5..1 Doubled ¦ 5.1.x Wildcards ¦ 5,1 Komma ¦ .5 Point ¦ -5 Minus ¦ 5_1 Underscore ¦ 1.234.567 Stück
99999 Balloons ¦ 1.2.3.2024 Plan ¦ Introduction ........ 4 ¦ 1 Introduction ........ 4
2.1 Overview . . . . . . 7 ¦ 2.1 Overview\t7 ¦ 3.4 Limits … 12 ¦ A. PURPOSE\t1-1
11.5.14.2 of this standard applies ¦ 5.1.2 and 5.1.3 apply ¦ 5.1.2 is not needed ¦ 5.1.2 or later
5.1 to 5.3 ¦ 5.1 bis 5.3 ¦ 4.2 und 4.3 gelten ¦ 4.2 ist anzuwenden ¦ 4.2 et 4.3 ¦ 4.2 y 4.3
Article 12, paragraph 3 ¦ § 5 Abs. 2 ¦ § 5 Absatz 2 Satz 1 ¦ Artikel 5 Absatz 2 ¦ 5.1 Abs. 2
Step 3 ¦ Table 5 ¦ Figure 5.1 ¦ Question 4 ¦ Example 2.1 ¦ Phase II ¦ World War II ¦ Henry VIII
Louis XIV ¦ Type A ¦ Vitamin C ¦ Plan B ¦ Windows 10 ¦ Windows 3.1 ¦ Area 51 ¦ Route 66 ¦ Catch-22
Apollo 11
"""

NOT_TEXTS = r"""
§ 433 BGB regelt die Pflichten des Verkäufers. ¦ § 5 UStG gilt entsprechend.
§ 433 ff. BGB regeln den Kauf. ¦ § 5a DSG sieht das vor. ¦ § 1983 actions are brought in court.
15.2 100 Continue is sent first ¦ 3.10.2 is required to build the package.
5.1 of this document describes the set-up. ¦ 11.5.14.2 of this standard applies to all cables.
5.1.2 applies. ¦ 5.1.2, 5.1.3 and 5.2 apply. ¦ 5.1.2 and 5.1.3 apply.
4.3.1 describes the procedure. ¦ 4.3.1 gilt entsprechend. ¦ 4.3.1 s'applique aussi.
4.3.1 est applicable. ¦ 4.3.1 se aplica también. ¦ 4.3.1 requires a seal.
4.3 through 4.6 are informative. ¦ 4.3 Absatz 2 gilt. ¦ 12.5 kg of sugar are needed.
12.5 MHz is the clock. ¦ 2.5 million people live there. ¦ 2.5 Millionen Menschen leben dort.
1.250 Menschen kamen. ¦ 3.5 %, as agreed. ¦ 1.5 V are applied. ¦ 3.30 pm is tea time.
10.30 Uhr beginnt die Sitzung. ¦ 12.05.2024 war ein Sonntag. ¦ 1.1.1970 is the epoch.
192.168.1.1 Is the gateway. ¦ 10.0.0.138 Answers. ¦ 802.11 Wireless networks are common.
2024 was a good year. ¦ 1999. Then came the crash. ¦ 5 Apples lie on the table. ¦ 5 The apples
10 Downing Street ¦ 12 Monkeys is a film. ¦ 5 of them left. ¦ 100 people came. ¦ 3 Monate später
2 Jahre danach ¦ Article 12 applies to all processors. ¦ Article 12 shall apply.
Article 12(3) lays down the details. ¦ Article 12 of the Regulation applies.
Article 12, which was amended, applies. ¦ Articles 12 and 13 apply. ¦ Artikel 12 gilt entsprechend.
Artikel 12 Absatz 3 bleibt unberührt. ¦ Artikel 12 findet Anwendung. ¦ L'article 12 s'applique.
Article 12 du règlement ¦ El artículo 12 se aplica. ¦ Artículo 12 del Reglamento
Section 5.2 describes the test. ¦ Section 5 is informative. ¦ Section 5 of this agreement survives.
Sections 5 and 6 survive. ¦ Sec. 5 applies. ¦ Clause 7 survives termination.
Clause 7.3 above is void. ¦ Annex A contains the forms. ¦ Annex III to the Treaty
Appendix B is normative. ¦ Schedule 2 sets out the fees. ¦ Exhibit A was shown.
Anlage 3 enthält das Muster. ¦ Chapter 4 explains this. ¦ Chapter 4 of the book ¦ Part 2 follows.
Part II of the series ¦ Title VII protects workers. ¦ Rule 11 applies.
Regulation 4 requires records. ¦ Recital 26 explains the reason. ¦ § 5 gilt entsprechend.
§ 5 ist anzuwenden. ¦ § 5 Abs. 2 gilt. ¦ § 5 und § 6 gelten. ¦ §§ 5 bis 7 gelten.
§ 433 des Gesetzes ¦ 第三条规定了范围。 ¦ 第五条的规定适用。
(see Annex A) ¦ (in particular) this ¦ (or both)
(The) word ¦ (2024) was good. ¦ (1999) ¦ (c) 2020 Example Ltd. ¦ (C) Copyright 2019
(sic) as printed ¦ (a word) in brackets ¦ (a/b) testing ¦ (a)b without a blank
(1)text without a blank ¦ a)b ¦ 1)x ¦ A. Smith wrote this. ¦ J. Doe and A. Smith
B. Franklin was a printer. ¦ a.m. and p.m. ¦ e.g. a list ¦ i.e. the same ¦ z. B. ein Beispiel
d. h. das heißt ¦ u. U. vielleicht ¦ i. d. R. meistens ¦ I think so. ¦ I. Newton discovered it.
I was there. ¦ IV therapy is common. ¦ V was the villain. ¦ Mix well. ¦ mix. Then stir. ¦ did. Not.
civil. Rights. ¦ A dog barks. ¦ a dog barks. ¦ Aa is lava. ¦ ii without brackets
A4 is a paper size. ¦ B12 is a vitamin. ¦ S3 stores objects. ¦ V8 Engines are thirsty.
V2 Rockets flew. ¦ UTF-8 is an encoding. ¦ REQ without a number ¦ COVID-19 spread.
SHA-256 Sums are listed. ¦ v2.1.3 is out. ¦ Version 2.1.3 is out. ¦ 2.1.3 release is out.
2.1.3-beta is out. ¦ 2.1.3b2 is out. ¦ +1 for this ¦ -1.5 is below zero. ¦ 1,5 Liter Milch
1.5l Milch ¦ $5.10 is the price. ¦ € 5.10 is the price. ¦ 5.10 € is the price. ¦ 5.10€ is the price.
[1] Smith, 2019. ¦ [1.2] is a link ¦ 1/2 cup of sugar ¦ 1st place ¦ 2nd. Then
1. Mai ist ein Feiertag, 2024 auch ¦ 1. January 2024 ¦ 3. Oktober ¦ 21. März 2023
12. August, in the evening ¦ 1.1 Million people ¦ 00.1 Leading zeros
1.2.3.4.5.6.7.8.9.10.11 Too deep ¦ 1.1 Overview ............ 3 ¦ 1.2 Details . . . . . . . . 9
1.3 More\t12 ¦ Table 3 shows the limits. ¦ Table 3 ¦ Figure 4. ¦ Note 1: this is a note.
Example 1: ¦ Step 1: do this. ¦ Q1. What is it? ¦ Question 2. Why? ¦ Item (a) ¦ Point (f) applies.
Paragraph 2 applies. ¦ paragraph 2 shall apply ¦ the following: (a) one ¦ see 5.1.2
See Article 12. ¦ In 2024 12.5 kg were sold. ¦ Pursuant to Article 12 ¦ Nach § 5 gilt dies.
Siehe 5.1.2. ¦ - a dash ¦ * a star ¦ | a bar | ¦ > a quote ¦ # a hash ¦ `code` ¦ **bold** text
*emphasis* ¦ <b>bold</b> ¦ http://192.168.1.1/ ¦ fe80::1 is local. ¦ ::1
2001:db8::1 is documentation. ¦ 12:30 is lunch. ¦ 12h30 ¦ 12.5-13.5 is the range.
5.1–5.3 are informative. ¦ 5.1/5.2 differ. ¦ 5.1: in that case ¦ 5.1; otherwise ¦ 5.1, as amended
5.1) unbalanced
"""

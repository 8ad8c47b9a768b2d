"""Clause paths of a hundred lines of German federal law, drawn at random and read by hand.

Each row names a law (`law/de-*.md` in the corpus), a line number from 1, and the path from the
article or section on. The text of the laws is not stored here.
"""

PATHS = r"""
bdsg_2018 69 § 1 > (3)
bdsg_2018 604 § 14 > (1) > 1
bdsg_2018 622 § 14 > (1) > 4
bdsg_2018 1017 § 22 > (1) > 1 > c)
bdsg_2018 1076 § 22 > (2) > 3
bdsg_2018 1129 § 23 > (1) > 3
bdsg_2018 1211 § 25 > (2) > 2
bdsg_2018 1228 § 25 > (3)
bdsg_2018 1327 § 26 > (8) > 6
bdsg_2018 1500 § 31 > (1) > 4
bdsg_2018 1516 § 31 > (2) > 1
bdsg_2018 1699 § 34 > (1) > 1
bdsg_2018 1703 § 34 > (1) > 2
bdsg_2018 1889 § 40 > (3) > 1
bdsg_2018 1949 § 41 > (1)
bdsg_2018 1978 § 42 > (1) > 1
bdsg_2018 1991 § 42 > (2) > 1
bdsg_2018 2005 § 42 > (4)
bdsg_2018 2015 § 43 > (1)
bdsg_2018 2061 § 44 > (3)
bdsg_2018 2204 § 46 > 14 > b)
bdsg_2018 2304 § 48 > (2) > 4
bdsg_2018 2465 § 56 > (1) > 4
bdsg_2018 2493 § 56 > (3)
bdsg_2018 2570 § 57 > (6)
bdsg_2018 2781 § 62 > (5) > 1
bdsg_2018 2816 § 62 > (5) > 8
bdsg_2018 3074 § 67 > (1)
bdsg_2018 3101 § 67 > (4) > 3
bdsg_2018 3228 § 70 > (1) > 7
bdsg_2018 3246 § 70 > (2) > 1
bdsg_2018 3477 § 78 > (3)
bdsg_2018 3586 § 81 > (1) > 2
gg 125 Art 6 > (1)
gg 325 Art 13 > (4)
gg 374 Art 15
gg 513 Art 20 > (4)
gg 577 Art 23 > (1a)
gg 899 Art 38
gg 1195 Art 54 > (4)
gg 1272 Art 60
gg 1463 Art 72 > (3) > 4
gg 1511 Art 73 > (1) > 5a
gg 1514 Art 73 > (1) > 6
gg 1546 Art 73 > (1) > 10 > b)
gg 1551 Art 73 > (1) > 10 > c)
gg 1567 Art 73 > (1) > 12
gg 1574 Art 73 > (1) > 14
gg 1592 Art 74 > (1) > 1
gg 1612 Art 74 > (1) > 7
gg 1615 Art 74 > (1) > 8
gg 1618 Art 74 > (1) > 9
gg 1637 Art 74 > (1) > 13
gg 1672 Art 74 > (1) > 19a
gg 2109 Art 87b > (2)
gg 2146 Art 87e > (1)
gg 2556 Art 98 > (1)
gg 2789 Art 105 > (2a)
gg 2812 Art 106 > (1) > 3
gg 2852 Art 106 > (3)
gg 2963 Art 107 > (1)
gg 3168 Art 111 > (1) > a)
gg 3175 Art 111 > (1) > c)
gg 3398 Art 115f > (1) > 1
gg 3401 Art 115f > (1) > 2
gg 3926 Art 135a > (1) > 2
gg 3933 Art 135a > (1) > 3
gg 4013 Art 142a
stgb 1002 § 44 > (4)
stgb 1060 § 45b > (1)
stgb 1498 § 56d > (3)
stgb 1790 § 59c > (1)
stgb 2512 § 68b > (1) > 3
stgb 3293 § 74d > (3)
stgb 3564 § 76a > (4) > 7
stgb 4094 § 82 > (1) > 2
stgb 4342 § 87 > (2) > 1
stgb 6063 § 129 > (7)
stgb 6072 § 129 > (7) > 2
stgb 6470 § 138 > (1) > 5
stgb 6596 § 142 > (1) > 1
stgb 7352 § 174 > (2) > 1
stgb 7565 § 176c > (1) > 3
stgb 7736 § 177 > (6) > 2
stgb 8834 § 203 > (2) > 1
stgb 8844 § 203 > (2) > 4
stgb 9808 § 233a > (1) > 3
stgb 9969 § 236 > (4) > 2
stgb 10032 § 238 > (1) > 4
stgb 10269 § 243 > (1) > 1
stgb 10842 § 263 > (2)
stgb 10941 § 264 > (1) > 4
stgb 11141 § 265c
stgb 12612 § 307 > (3) > 2
stgb 12891 § 314a > (3) > 1 > b)
stgb 13056 § 315c > (1) > 1 > a)
stgb 13111 § 315c > (3) > 2
stgb 13278 § 317
stgb 13749 § 328 > (2) > 1
stgb 14304 § 335a > (1) > 2 > b)
"""

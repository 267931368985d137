#!/usr/bin/env python3
"""Writes the tables beside this file. Run with a python that has sourmash 4.9.4 and mpmath.

pvalue.tsv          exact binomial tails, summed with mpmath in 60 digits
sourmash_pairs.tsv  what sourmash's MinHash says of two sets of a and b hashes, c of them shared
size_accurate.tsv   MinHash.size_is_accurate for 1..320 hashes, one line per scaled
"""
import os, random
from mpmath import mp, mpf, binomial, log10, nstr
from sourmash import MinHash
from sourmash.logging import set_quiet

HERE = os.path.dirname(os.path.abspath(__file__))
set_quiet(True)
mp.dps = 60
rng = random.Random(29)


def table(name, header, rows):
    with open(os.path.join(HERE, name), "w") as f:
        f.write(header.replace(" ", "\t") + "\n")
        for r in rows:
            f.write("\t".join("NA" if v is None else repr(v) if isinstance(v, float) else str(v) for v in r) + "\n")


def tail(x, n, la, lb, alphabet, k):
    if x == 0:
        return mpf(1), mpf(0)
    s = mpf(alphabet) ** k
    pa, pb = 1 / (1 + s / la), 1 / (1 + s / lb)
    r = pa * pb / (pa + pb - pa * pb)
    if x > n * r:
        start, step, term = x, 1, binomial(n, x) * r**x * (1 - r) ** (n - x)
    else:  # the other side is the short sum
        start, step, term = x - 1, -1, binomial(n, x - 1) * r ** (x - 1) * (1 - r) ** (n - x + 1)
    total, i = mpf(0), start
    while 0 <= i <= n:
        total += term
        if term < total * mpf(10) ** -50:
            break
        term *= (n - i) / mpf(i + 1) * r / (1 - r) if step > 0 else mpf(i) / (n - i + 1) * (1 - r) / r
        i += step
    return (total, log10(total)) if step > 0 else (1 - total, mp.log1p(-total) / mp.ln10)


def pvalues():
    cases = [
        (477, 1000, 626, 626, 4, 21), (48, 100, 500000, 500000, 4, 16), (1000, 1000, 5000000, 5000000, 4, 21),
        (1, 1, 30, 50, 4, 21), (1, 1014, 626, 700, 4, 6), (0, 1000, 5, 5, 4, 21), (1, 1000, 5, 5, 4, 32),
        (5, 1000, 10**9, 10**9, 4, 3), (900, 1000, 10**6, 10**7, 4, 9), (300, 1000, 10**6, 10**6, 4, 10),
        (10, 10**6, 3 * 10**9, 3 * 10**9, 4, 21), (600000, 10**6, 10**6, 10**6, 4, 10), (640000, 10**6, 2**20, 2**21, 4, 10),
        (999999, 10**6, 10**8, 10**8, 4, 21), (400, 400, 10**4, 10**3, 20, 9), (3, 2000, 10**5, 10**5, 20, 7),
    ]
    for _ in range(300):
        n = rng.choice([1, 2, 5, 10, 37, 100, 400, 1000, 1000, 10000, 100000])
        x = rng.choice([rng.randint(0, n), min(n, rng.randint(0, 20))])
        k, alphabet = rng.randint(1, 32), rng.choice([4, 4, 4, 20])
        la, lb = (int(10 ** rng.uniform(1, 9.7)) for _ in range(2))
        cases.append((x, n, la, lb, alphabet, k))
    for c in cases:
        p, lg = tail(*c)
        yield c + (nstr(p, 20) if p > mpf(10) ** -300 else "NA", nstr(lg, 20))


def sketch(first, last, scaled, k, abundances=None):
    mh = MinHash(n=0, ksize=k, scaled=scaled, track_abundance=abundances is not None)
    if abundances is None:
        mh.add_many(list(range(first, last)))
    else:
        mh.set_abundances({h: abundances(h) for h in range(first, last)})
    return mh


def pairs():
    shapes = [(3, 5, 1), (3, 3, 3), (1, 1, 0), (0, 0, 0), (0, 4, 0), (4, 0, 0), (200, 300, 0), (200, 200, 200)]
    for _ in range(150):
        a, b = (int(10 ** rng.uniform(0.3, 4)) for _ in range(2))
        shapes.append((a, b, rng.choice([rng.randint(0, min(a, b)), int(min(a, b) * 0.98), rng.randint(0, min(a, b, 6))])))
    for a, b, c in shapes:
        scaled, k = rng.choice([1, 2, 10, 100, 1000, 1000, 10000]), rng.choice([7, 11, 21, 31, 51])
        x, y = sketch(1, a + 1, scaled, k), sketch(a - c + 1, a - c + b + 1, scaled, k)
        ca = x.containment_ani(y, estimate_ci=True) if a else None
        mx = x.max_containment_ani(y, estimate_ci=True) if a and b else None
        try:
            ja = x.jaccard_ani(y).ani
        except ValueError:  # a negative variance, which sourmash does not catch here
            ja = None
        p = lambda h: h % 7 * h % 301 + 1
        q = lambda h: h % 11 * h % 103 + 1
        ang = sketch(1, a + 1, scaled, k, p).angular_similarity(sketch(a - c + 1, a - c + b + 1, scaled, k, q))
        yield (a, b, c, scaled, k, x.jaccard(y), x.contained_by(y), y.contained_by(x), x.max_containment(y), x.avg_containment(y),
               ca and ca.ani, ca and ca.ani_low, ca and ca.ani_high, mx and mx.ani, mx and mx.ani_low, mx and mx.ani_high,
               x.avg_containment_ani(y) if a and b else None, ja, int(bool(ca and ca.p_exceeds_threshold)), float(ang))


def sizes():
    for scaled in (1, 2, 3, 10, 50, 100, 200, 1000, 2000, 10000, 100000, 1000000):
        yield scaled, "".join(str(int(sketch(1, n + 1, scaled, 21).size_is_accurate())) for n in range(1, 321))


table("pvalue.tsv", "shared of length_a length_b alphabet k p log10_p", pvalues())
table("sourmash_pairs.tsv", "a b shared scaled k jaccard containment reverse_containment max_containment avg_containment "
      "ani ani_low ani_high max_ani max_ani_low max_ani_high avg_ani jaccard_ani miss angular", pairs())
table("size_accurate.tsv", "scaled accurate", sizes())

"""datasketch and rensa on a corpus of texts: the peers' side of bench-text and
study-text. Prints tab-separated lines as internal/textpeers does.

    textpeers.py speed CORPUS.jsonl.gz
    textpeers.py recall CORPUS.jsonl.gz TRUTH.tsv.gz SEEDS
"""

import gzip
import json
import math
import random
import re
import statistics
import sys
import time

from datasketch import MinHash, MinHashLSH
from datasketch.hashfunc import sha1_hash32
from datasketch.lsh import _optimal_param
from rensa import RMinHash, RMinHashLSH

SLOTS = 128
SAMPLE = 1000  # documents that speed is measured on, as in internal/textpeers
WORD = re.compile(r"\w+")


def corpus(path):
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line)["text"] for line in lines]


def shingles(text, width=5):
    words = WORD.findall(text.lower())
    if len(words) < width:
        return {" ".join(words)} if words else set()
    return {" ".join(words[i : i + width]) for i in range(len(words) - width + 1)}


def report(tool, task, units, f):
    runs, start = 0, time.process_time()
    while time.process_time() - start < 0.2:
        f()
        runs += 1
    print(tool, task, (time.process_time() - start) / runs / units, sep="\t")


def datasketch_of(items, seed=1, **more):
    m = MinHash(num_perm=SLOTS, seed=seed, **more)
    m.update_batch(items)
    return m


def rensa_of(items, seed=1):
    m = RMinHash(SLOTS, seed)
    m.update(items)
    return m


def speed(path):
    texts = corpus(path)[:SAMPLE]
    r = random.Random(1)
    hashes = [r.getrandbits(32) for _ in range(1000)]
    ready = MinHash(num_perm=SLOTS, hashfunc=lambda x: x)
    report("datasketch", "permute", 1, lambda: ready.update_batch(hashes))
    report("datasketch", "document", len(texts), lambda: [datasketch_of([s.encode() for s in shingles(t)]) for t in texts])
    report("rensa", "document", len(texts), lambda: [rensa_of(list(shingles(t))) for t in texts])
    sets = [list(shingles(t)) for t in texts]
    report("rensa", "sketch", len(texts), lambda: [rensa_of(s) for s in sets])
    made = [datasketch_of([s.encode() for s in x]) for x in sets]
    rensas = [rensa_of(x) for x in sets]
    for threshold in (0.5, 0.8):
        bands, _ = _optimal_param(threshold, SLOTS, 0.5, 0.5)
        for tool, all_, new in (
            ("datasketch", made, lambda: MinHashLSH(threshold=threshold, num_perm=SLOTS)),
            ("rensa", rensas, lambda: RMinHashLSH(threshold, SLOTS, 32 if threshold == 0.5 else 16)),
        ):
            index = None

            def insert():
                nonlocal index
                index = new()
                for row, m in enumerate(all_):
                    index.insert(row, m)

            report(tool, f"insert-{threshold}", len(texts), insert)
            report(tool, f"query-{threshold}", len(texts), lambda: [index.query(m) for m in all_])


def truth(path):
    with gzip.open(path, "rt") as lines:
        rows = (tuple(map(int, line.split())) for line in lines)
        return {(i, j): both / either for i, j, both, either in rows}


def recall(path, truth_path, seeds):
    sets = [shingles(t) for t in corpus(path)]
    hashed = [[sha1_hash32(s.encode()) for s in x] for x in sets]
    lists = [list(x) for x in sets]
    exact = truth(truth_path)
    tools = {
        "datasketch": lambda seed: [datasketch_of(x, seed, hashfunc=lambda h: h) if x else None for x in hashed],
        "rensa": lambda seed: [rensa_of(x, seed) if x else None for x in lists],
    }
    for tool, make in tools.items():
        tallies = {t: [0] * 5 + [0.0, 0.0, "", []] for t in (0.5, 0.7, 0.8)}
        for seed in range(1, seeds + 1):
            made = make(seed)
            for t, tally in tallies.items():
                study(tool, t, made, exact, tally)
        for t, (pairs, found, candidates, verified, right, errors, squares, cut, recalls) in tallies.items():
            b, r = map(int, cut.split(" x "))
            expected = statistics.mean(1 - (1 - j**r) ** b for j in exact.values() if j >= t)
            spread = statistics.stdev(recalls) / math.sqrt(len(recalls))
            figures = statistics.mean(recalls), spread, expected, found / candidates, right / pairs, right / verified
            print(tool, t, cut, *(f"{x:.3f}" for x in figures), f"{errors / pairs:+.4f}", f"{math.sqrt(squares / pairs):.4f}", sep="\t")


def study(tool, threshold, made, exact, tally):
    if tool == "datasketch":
        index = MinHashLSH(threshold=threshold, num_perm=SLOTS)
        b, r = index.b, index.r
    else:  # its bands must divide the slots
        b = 32 if threshold == 0.5 else 16 if threshold == 0.7 else 8
        r = SLOTS // b
        index = RMinHashLSH(threshold, SLOTS, b)
    tally[7] = f"{b} x {r}"
    before = tally[1], tally[0]
    for row, m in enumerate(made):
        if m is None:
            continue
        for other in index.query(m):
            j = exact.get((other, row), 0)
            above = m.jaccard(made[other]) >= threshold
            tally[2] += 1
            tally[1] += j >= threshold
            tally[3] += above
            tally[4] += above and j >= threshold
        index.insert(row, m)
    for (i, j), similarity in exact.items():
        if similarity >= threshold:
            error = made[i].jaccard(made[j]) - similarity
            tally[0] += 1
            tally[5] += error
            tally[6] += error * error
    tally[8].append((tally[1] - before[0]) / (tally[0] - before[1]))


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "speed":
        speed(sys.argv[2])
    elif len(sys.argv) == 5 and sys.argv[1] == "recall":
        recall(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    else:
        sys.exit(__doc__)

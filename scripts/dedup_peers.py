# SPDX-License-Identifier: Apache-2.0
"""Near-duplicates of a corpus in JSON lines by other programs, for
scripts/bench-dedup: `dedup_peers.py TOOL CORPUS OUT` writes the label of the
cluster of each document, in their order, one a line. `dedup_peers.py judge
CORPUS TRUTH LABELS...` prints recall and precision of labels.

All take words as Python's \\w has them, in lower case, runs of five, 128
permutations and a threshold of 0.8; what else they do is as they come."""

import gzip
import json
import os
import re
import sys
import unicodedata
from collections import Counter, defaultdict

WIDTH, PERMUTATIONS, THRESHOLD = 5, 128, 0.8
WORD = re.compile(r"\w+")


def texts(path):
    for line in open(path, encoding="utf-8"):
        yield json.loads(line)["text"]


def shingles(text):
    words = WORD.findall(unicodedata.normalize("NFC", text).lower())
    if words and len(words) < WIDTH:
        return {" ".join(words)}
    return {" ".join(words[i : i + WIDTH]) for i in range(len(words) - WIDTH + 1)}


class Components:
    def __init__(self, n):
        self.parent = list(range(n))

    def find(self, x):
        while self.parent[x] != x:
            self.parent[x] = x = self.parent[self.parent[x]]
        return x

    def union(self, a, b):
        a, b = self.find(a), self.find(b)
        self.parent[max(a, b)] = min(a, b)

    def labels(self):
        return [self.find(i) for i in range(len(self.parent))]


def datasketch(path):
    """MinHashLSH at the threshold; what shares a bucket is joined."""
    from datasketch import MinHash, MinHashLSH

    lsh = MinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS)
    pairs, n = [], 0
    for n, text in enumerate(texts(path), 1):
        m = MinHash(num_perm=PERMUTATIONS)
        m.update_batch([s.encode() for s in shingles(text)])
        pairs += [(n - 1, other) for other in lsh.query(m)]
        lsh.insert(n - 1, m)
    joined = Components(n)
    for a, b in pairs:
        joined.union(a, b)
    return joined.labels()


def spark(path):
    """MLlib's MinHashLSH and approxSimilarityJoin at distance 0.2, which compares
    exactly. It has no rows in bands: a table is one hash, and more of them are more
    candidates, so that 8 already find all."""
    from pyspark.ml.feature import HashingTF, MinHashLSH
    from pyspark.sql import SparkSession

    session = SparkSession.builder.master("local[2]").config("spark.driver.memory", "4g").config("spark.ui.enabled", "false") \
        .config("spark.sql.shuffle.partitions", "8").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    rows = [(i, sorted(shingles(t))) for i, t in enumerate(texts(path))]
    frame = session.createDataFrame([r for r in rows if r[1]], ["row", "shingles"]).repartition(8)
    sets = HashingTF(inputCol="shingles", outputCol="set", numFeatures=1 << 20, binary=True).transform(frame).select("row", "set").cache()
    model = MinHashLSH(inputCol="set", outputCol="hashes", numHashTables=SPARK_TABLES, seed=1).fit(sets)
    found = model.approxSimilarityJoin(sets, sets, 1 - THRESHOLD + 1e-9, "distance").selectExpr("datasetA.row a", "datasetB.row b").where("a < b")
    joined = Components(len(rows))
    for r in found.toLocalIterator():
        joined.union(r.a, r.b)
    report_jvm(session.sparkContext._gateway.proc.pid)
    session.stop()
    return joined.labels()


def report_jvm(pid):
    """Tells processor time and peak memory of the JVM, which time(1) does not see."""
    fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    peak = next(line.split()[1] for line in open(f"/proc/{pid}/status") if line.startswith("VmHWM"))
    print(f"jvm {seconds:.1f} s of processor time, peak {peak} KB", file=sys.stderr)


SPARK_TABLES = int(os.environ.get("SPARK_TABLES", 8))


def text_dedup(path):
    """text_dedup.minhash, sha1, as it comes."""
    import glob
    import pickle
    import subprocess
    import tempfile

    with tempfile.TemporaryDirectory() as dir:
        subprocess.run([sys.executable, "-m", "text_dedup.minhash", "--path", "json", "--data_files", path, "--split", "train", "--column", "text",
                        "--cache_dir", dir + "/cache", "--output", dir + "/out", "--threshold", str(THRESHOLD), "--num_perm", str(PERMUTATIONS),
                        "--ngram", str(WIDTH), "--min_length", "0", "--num_proc", "2", "--debug", "--clean_cache"], check=True, stdout=sys.stderr)
        with open(glob.glob(dir + "/out/uf.pkl")[0], "rb") as f:
            saved = pickle.load(f)
    n = sum(1 for _ in texts(path))
    joined = Components(n)
    parent = saved["parent"] if isinstance(saved, dict) and "parent" in saved else getattr(saved, "parent", saved)
    for a, b in parent.items():
        joined.union(int(a), int(b))
    return joined.labels()


def read_truth(path, corpus):
    """The pairs of the truth at the threshold, and equal sets of shingles below
    its reach: documents without any are in no pair."""
    for line in gzip.open(path, "rt"):
        a, b, both, either = map(int, line.split())
        if both >= THRESHOLD * either:
            yield a, b


def judge(corpus, truth, *labels):
    n = sum(1 for _ in texts(corpus))
    joined, pairs = Components(n), []
    for a, b in read_truth(truth, corpus):
        pairs.append((a, b))
        joined.union(a, b)
    right = joined.labels()
    for path in labels:
        got = [line.strip() for line in open(path)]
        assert len(got) == n, (path, len(got), n)
        found = sum(got[a] == got[b] for a, b in pairs)
        together = sum(k * (k - 1) // 2 for k in Counter(got).values())
        true = sum(k * (k - 1) // 2 for k in Counter(zip(got, right)).values())
        largest = max(Counter(got).values())
        print(f"{path}\t{found / len(pairs):.4f}\t{true / together if together else 1:.4f}\t{len(set(got))}\t{largest}")


if __name__ == "__main__":
    if sys.argv[1] == "judge":
        judge(*sys.argv[2:])
    else:
        tool, corpus, out = sys.argv[1:]
        with open(out, "w") as f:
            f.writelines(f"{label}\n" for label in {"datasketch": datasketch, "spark": spark, "text-dedup": text_dedup}[tool](corpus))

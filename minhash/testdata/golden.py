# SPDX-License-Identifier: Apache-2.0
"""What datasketch makes of some sets: writes datasketch.json.

    pip install datasketch==2.0.0 numpy==2.4.6
    python golden.py > datasketch.json
"""
import hashlib, json, sys
import datasketch, numpy
from datasketch import MinHash, WeightedMinHashGenerator

sets = {
    "empty": [],
    "one": ["a"],
    "words": "the quick brown fox jumps over the lazy dog".split(),
    "numbers": [str(i) for i in range(1500)],
}
hashes = {name: [str(int.from_bytes(hashlib.sha1(w.encode()).digest()[:8], "little")) for w in ws] for name, ws in sets.items()}

kperm = []
for scheme, seeds in (("affine32", (0, 1, 4294967295)), ("affine64", (0, 1, 4294967295)), ("legacy", (0, 1, 4294967295))):
    for seed in seeds:
        for k in (1, 7, 16, 33, 128):
            m = MinHash(num_perm=k, seed=seed, scheme=scheme)
            fresh = hashlib.sha256(numpy.array(m.permutations, dtype="<u8").tobytes()).hexdigest()
            row = {"scheme": scheme, "seed": seed, "k": k, "permutations_sha256": fresh, "sets": {}}
            for name, ws in sets.items():
                m = MinHash(num_perm=k, seed=seed, scheme=scheme)
                m.update_batch([w.encode() for w in ws])
                row["sets"][name] = {"sha256": hashlib.sha256(m.hashvalues.astype("<u8").tobytes()).hexdigest(),
                                     "first": str(m.hashvalues[0]), "count": m.count()}
            kperm.append(row)

weighted = []
r = numpy.random.RandomState(7)
for dim, k, seed in ((3, 5, 1), (40, 64, 2), (40, 64, 4294967295)):
    g = WeightedMinHashGenerator(dim, sample_size=k, seed=seed)
    for kind in ("counts", "reals", "sparse", "huge", "tiny"):
        v = {"counts": r.randint(0, 20, dim), "reals": r.gamma(0.5, 3, dim), "sparse": r.randint(0, 20, dim) * (r.rand(dim) < 0.3),
             "huge": r.rand(dim) * 1e30, "tiny": r.rand(dim) * 1e-30}[kind].astype(numpy.float32)
        if not v.any():
            v[0] = 1
        m = g.minhash(v)
        weighted.append({"dim": dim, "k": k, "seed": seed, "kind": kind, "weights": [float(x) for x in v], "slots": m.hashvalues.ravel().tolist()})

json.dump({"datasketch": datasketch.__version__, "numpy": numpy.__version__, "hashes": hashes, "kperm": kperm, "weighted": weighted}, sys.stdout, indent=None, separators=(",", ":"))
print()

# SPDX-License-Identifier: Apache-2.0
"""LeanMinHash bytes of some sets: writes lean.json.

    pip install datasketch==2.0.0
    python golden.py > lean.json
"""
import json, sys
from datasketch import LeanMinHash, MinHash

cases = []
for scheme in ("legacy", "affine32", "affine64"):
    for seed, k, words in ((1, 1, ["a"]), (4294967295, 5, ["a", "b", "c"]), (0, 3, [])):
        m = MinHash(num_perm=k, seed=seed, scheme=scheme)
        m.update_batch([w.encode() for w in words])
        lean, layouts = LeanMinHash(m), {}
        for order in "<>@":
            buf = bytearray(lean.bytesize(order))
            lean.serialize(buf, order)
            layouts[order] = bytes(buf).hex()
        cases.append({"scheme": scheme, "seed": seed, "slots": [str(v) for v in m.hashvalues], "bytes": layouts})
json.dump(cases, sys.stdout, indent=1)
print()

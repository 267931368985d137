# SPDX-License-Identifier: Apache-2.0
"""One-permutation hashing written down plainly, apart from the Go code: writes oph.json.

    python oph.py > oph.json
"""
import json, sys

M = (1 << 64) - 1
EMPTY = M

def fmix64(h):
    h ^= h >> 33
    h = h * 0xff51afd7ed558ccd & M
    h ^= h >> 33
    h = h * 0xc4ceb9fe1a85ec53 & M
    return h ^ h >> 33

def bins(hashes, k):
    slots = [EMPTY] * k
    for h in hashes:
        i = (h * 0x9e3779b97f4a7c15 & M) * k >> 64
        slots[i] = min(slots[i], h)
    return slots

def following(slots, i):
    while slots[i % len(slots)] == EMPTY:
        i += 1
    return slots[i % len(slots)]

def rotation(slots):
    return [following(slots, i) for i in range(len(slots))]

def optimal(slots):
    k, out = len(slots), []
    for i, h in enumerate(slots):
        for attempt in range(1, 257):
            if h != EMPTY:
                break
            j = fmix64(i << 32 | attempt) * k >> 64
            h = slots[j]
        out.append(h if h != EMPTY else following(slots, j))
    return out

cases = []
for n, k in ((1, 1), (1, 7), (5, 16), (10, 128), (100, 128), (2000, 128), (50, 100), (3, 5000)):
    hashes = [fmix64(1000 * n + i) for i in range(n)]
    own = bins(hashes, k)
    some = range(0, k, max(1, k // 128))
    cases.append({"k": k, "hashes": [str(h) for h in hashes], "own": [str(own[i]) for i in some],
                  "optimal": [str(optimal(own)[i]) for i in some], "rotation": [str(rotation(own)[i]) for i in some]})
json.dump(cases, sys.stdout, separators=(",", ":"))
print()

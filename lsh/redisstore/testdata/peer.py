# An index of datasketch in Redis, driven line by line: what a command answers
# is one line of JSON.
import json, pickle, sys
import numpy as np
from datasketch import MinHash, MinHashLSH

port, basename, b, r, n, scheme = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5]), sys.argv[6]
lsh = MinHashLSH(params=(b, r), num_perm=n, storage_config={
    "type": "redis", "basename": basename.encode(), "redis": {"host": "127.0.0.1", "port": port}})


def minhash(values):
    dtype = np.uint32 if scheme == "affine32" else np.uint64
    return MinHash(num_perm=n, seed=1, scheme=scheme, hashvalues=np.array(values, dtype=dtype))


for line in sys.stdin:
    what, name, values = json.loads(line)
    answer = None
    if what == "insert":
        lsh.insert(name, minhash(values))
    elif what == "query":
        answer = sorted(str(k) for k in lsh.query(minhash(values)))
    elif what == "remove":
        lsh.remove(name)
    elif what == "contains":
        answer = name in lsh
    elif what == "pickle":
        answer = [pickle.dumps(name, p).hex() for p in range(6)]
    print(json.dumps(answer), flush=True)

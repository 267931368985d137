# SPDX-License-Identifier: Apache-2.0
"""What dedup_duckdb.py and dedup_spark.py share: the steps, and how they resume.

The working directory has a directory for each table. A step makes its table in new/,
renames it, and then writes done/STEP.json with the sizes and SHA-256
sums of its files and those of what it was made of. A step is done if that
file is there and all agrees; otherwise it is done again, and with it what
was made of it, unless it came out the same.
"""

import argparse
import glob
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

SHARD = 1 << 32  # row = shard * SHARD + place in the shard


class Refused(Exception):
    """The arguments, or what is in the directory, do not fit."""


class Locked(Exception):
    """Another run works in the directory."""


def arguments(description):
    p = argparse.ArgumentParser(description=description, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    p.add_argument("corpus", nargs="+", help="shards: files that gsketch sketch reads, JSON lines or Parquet; up to 2^32 documents in each")
    p.add_argument("--work", required=True, help="directory for the tables; of a cluster, one that all its machines see")
    p.add_argument("--gsketch", default="gsketch", help="the program; of a cluster, where all its machines have it")
    p.add_argument("--sketch", default="--family oph", help="flags of gsketch sketch")
    p.add_argument("--threshold", type=float, default=0.8, help="similarity from which documents are near-duplicates")
    p.add_argument("--recall", type=float, default=0.95, help="share of pairs at the threshold that is to be found")
    p.add_argument("--bands", type=int, default=0, help="with --rows, instead of --recall")
    p.add_argument("--rows", type=int, default=0)
    p.add_argument("--bucket-cap", type=int, default=200, help="rows above which a bucket is a star")
    p.add_argument("--parts", type=int, default=0, help="of the candidates, each compared at once in memory; 0: one a shard, at least 4")
    p.add_argument("--quick", action="store_true", help="trust the sizes of finished files, and do not read them")
    return p


def sha256(path):
    with open(path, "rb") as f:
        return hashlib.file_digest(f, "sha256").hexdigest()


def write_json(path, value):
    with open(path + ".new", "w") as f:
        json.dump(value, f, indent=1, sort_keys=True)
        f.flush()
        os.fsync(f.fileno())
    os.replace(path + ".new", path)


def gsketch(args, program, *words):
    """Runs gsketch and returns what it prints; what it says on an error is the error."""
    got = subprocess.run([program, *words, *args], capture_output=True, text=True)
    if got.returncode:
        raise RuntimeError(f"{' '.join([program, *words])}: exit {got.returncode}: {got.stderr.strip().removeprefix('gsketch: ')}")
    return got.stdout


def produce(job):
    """A job of gsketch, on whatever machine: (program, words, args, output). Returns
    what went wrong, or None."""
    program, words, args, output = job
    try:
        gsketch(["-q", *args, "--force", "-o", output], program, *words)
    except (RuntimeError, OSError) as e:
        return str(e)


def moment():
    """Seconds on the wall, and of processor time here and of programs that have ended."""
    t = os.times()
    return time.monotonic(), t.user + t.system + t.children_user + t.children_system


class Work:
    """A working directory, with the steps that are done in it."""

    def __init__(self, options, engine):
        self.options, self.dir, self.engine = options, os.path.abspath(options.work), engine
        self.cache = {}
        self.times = {}
        self.redone = []
        os.makedirs(self.path("done"), exist_ok=True)
        self.lock()
        shutil.rmtree(self.path("new"), ignore_errors=True)  # what was not finished
        os.mkdir(self.path("new"))
        if options.parts == 0:
            options.parts = max(4, len(options.corpus))
        self.check()

    def lock(self):
        """Keeps another run out of the directory as long as this one lives."""
        if fcntl is None:
            return
        self.held = open(self.path("lock"), "w")
        try:
            fcntl.flock(self.held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Locked(f"{self.dir}: another run works in it") from None

    def check(self):
        """Refuses parameters other than those that the directory was begun with."""
        o = self.options
        now = {k: getattr(o, k) for k in ("sketch", "threshold", "recall", "bands", "rows", "bucket_cap", "parts")}
        now["engine"] = self.engine
        now["corpus"] = [[os.path.abspath(c), os.stat(c).st_size] for c in o.corpus]
        path = self.path("parameters.json")
        if not os.path.exists(path):
            write_json(path, now)
            return
        with open(path) as f:
            then = json.load(f)
        other = [k for k in sorted(now) if now[k] != then.get(k)]
        if other:
            raise Refused(f"{self.dir} was begun with other parameters: {', '.join(f'{k} {then.get(k)}, now {now[k]}' for k in other)}")

    def path(self, *parts):
        return os.path.join(self.dir, *parts)

    def files(self, output):
        """The files of a table, or the one file that it is."""
        top = self.path(output)
        if os.path.isfile(top):
            return [top]
        return sorted(p for p in glob.glob(os.path.join(top, "**"), recursive=True)
                      if os.path.isfile(p) and not os.path.basename(p).startswith((".", "_")))

    def sums(self, output):
        return {os.path.relpath(p, self.dir): [os.path.getsize(p), sha256(p)] for p in self.files(output)}

    def marker(self, output):
        return self.path("done", output.replace("/", "-") + ".json")

    def digest(self, output):
        """What a finished output is known by to those that are made of it."""
        if output not in self.cache:
            with open(self.marker(output)) as f:
                self.cache[output] = hashlib.sha256(json.dumps(json.load(f)["files"], sort_keys=True).encode()).hexdigest()
        return self.cache[output]

    def done(self, output, made_of):
        try:
            with open(self.marker(output)) as f:
                m = json.load(f)
        except (FileNotFoundError, ValueError):
            return None
        if m["made_of"] != {i: self.digest(i) for i in made_of} or {self.path(p) for p in m["files"]} != set(self.files(output)):
            return None
        for p, (size, digest) in m["files"].items():
            if os.path.getsize(self.path(p)) != size or not (self.options.quick or sha256(self.path(p)) == digest):
                return None
        return m

    def finish(self, output, made_of, note=None):
        """Moves what was made under another name to its own, and marks it."""
        final, temporary = self.path(output), self.temporary(output)
        if os.path.isdir(final):
            shutil.rmtree(final)
        os.replace(temporary, final)
        self.cache.pop(output, None)
        write_json(self.marker(output), {"made_of": {i: self.digest(i) for i in made_of}, "files": self.sums(output), "note": note})
        self.redone.append(output)

    def temporary(self, output):
        return self.path("new", output.replace("/", "-"))

    def clear(self, output):
        if os.path.exists(self.marker(output)):
            os.remove(self.marker(output))
        self.cache.pop(output, None)

    def timed(self, name, do):
        begin = moment()
        result = do()
        self.times[name] = [t + end - start for t, end, start in zip(self.times.get(name, (0, 0)), moment(), begin)]
        return result

    def query(self, name, output, made_of, run, **params):
        """A step of the engine: run executes a statement and returns a note."""
        m = self.done(output, made_of)
        if m is None:
            self.clear(output)
            text = self.statement(name, out=self.temporary(output), **params)
            note = self.timed(name, lambda: run(text))
            self.finish(output, made_of, note)

    def statement(self, step, **params):
        o = self.options
        flags = {"engine": self.engine, "step": step, "dir": self.dir, "bucket-cap": o.bucket_cap, "parts": o.parts, **params}
        return gsketch([f"--{k}={v}" for k, v in flags.items()], o.gsketch, "dedup", "sql")

    def jobs(self, name, jobs, run):
        """Steps of gsketch: jobs are (output, made_of, words, args); run executes many at once and returns what went wrong in each."""
        missing = [j for j in jobs if self.done(j[0], j[1]) is None]
        for output, _, _, _ in missing:
            os.makedirs(os.path.dirname(self.path(output)), exist_ok=True)
            self.clear(output)
        if not missing:
            return
        errors = self.timed(name, lambda: run([(self.options.gsketch, words, args, self.temporary(output)) for output, _, words, args in missing]))
        for (output, made_of, _, _), error in zip(missing, errors):
            if error is None:
                self.finish(output, made_of)
        if any(errors):
            raise RuntimeError(next(e for e in errors if e))


def remove_others(work, directory, wanted):
    """Removes files of a directory that no job makes any more."""
    for path in work.files(directory) if os.path.isdir(work.path(directory)) else []:
        if os.path.relpath(path, work.dir) not in wanted:
            os.remove(path)


def deduplicate(options, engine):
    """Runs all steps. An engine has: name; jobs(list), which runs gsketch many
    times and returns what produce does; errors, its exceptions; run(statement), which executes SQL and returns what it may tell;
    number(query), the one number of a query; empty(directory), which writes a table
    of edges without any."""
    w, o = Work(options, engine.name), options
    shards = range(len(o.corpus))
    banding = ["--threshold", str(o.threshold)]
    banding += ["--bands", str(o.bands), "--rows", str(o.rows)] if o.bands else ["--recall", str(o.recall)]
    name = "{}/{:05d}.parquet".format
    w.jobs("sketch", [(name("sketches", i), [], ["sketch"], [*o.sketch.split(), "--row-base", str(i * SHARD), o.corpus[i]]) for i in shards], engine.jobs)
    w.jobs("bands", [(name("bands", i), [name("sketches", i)], ["dedup", "bands"], [*banding, w.path(name("sketches", i))]) for i in shards], engine.jobs)
    sketches, bands = [[name(t, i) for i in shards] for t in ("sketches", "bands")]
    w.query("hot", "hot", bands, engine.run)
    w.query("candidates", "candidates", [*bands, "hot"], engine.run)
    if w.files("candidates"):
        w.query("needed", "needed", ["candidates", *sketches], engine.run)

    parts = [p for p in range(o.parts) if w.files(f"candidates/part={p}")]
    verify = []
    for p in parts:
        candidates = [f"--candidates={f}" for f in w.files(f"candidates/part={p}")]
        verify.append((name("edges", p), ["candidates", "needed"], ["dedup", "verify"],
                       ["--threshold", str(o.threshold), *candidates, *w.files(f"needed/part={p}")]))
    edges = [v[0] for v in verify]
    remove_others(w, "edges", edges)
    w.jobs("verify", verify, engine.jobs)
    if not parts:
        engine.empty(w.path("edges"))

    last = cluster(w, edges, engine)
    w.query("clusters", "clusters", [last], engine.run, round=int(last.split("-")[1]))
    w.query("manifest", "manifest", ["clusters", *sketches], engine.run)
    return w


def cluster(w, edges, engine):
    """Rounds of large and small stars until the edges are stars."""
    made_of, n = edges, 1
    while True:
        large, small = f"large-{n}", f"small-{n}"
        w.query("large_star", large, made_of, engine.run, round=n)
        w.query("small_star", small, [large], engine.run, round=n)
        if engine.number(w.statement("unfinished", round=n)) == 0:
            return small
        made_of, n = [small], n + 1


def main(options, make_engine):
    """Runs all, tells what was done and how long it took. Exit 2 for parameters, 5
    where another run works in the directory, 7 for what gsketch or the engine could
    not do."""
    try:
        with make_engine(options) as engine:
            w = deduplicate(options, engine)
            for step, (seconds, processor) in w.times.items():
                print(f"{step}\t{seconds:.2f} s, {processor:.2f} s of processor time here", file=sys.stderr)
            print(f"{len(w.redone)} outputs made: {' '.join(w.redone) or 'none, all were there'}", file=sys.stderr)
            print(f"manifest: {w.path('manifest')}", file=sys.stderr)
    except Refused as e:
        print(f"{os.path.basename(sys.argv[0])}: {e}", file=sys.stderr)
        sys.exit(2)
    except Locked as e:
        print(f"{os.path.basename(sys.argv[0])}: {e}", file=sys.stderr)
        sys.exit(5)
    except (RuntimeError, OSError, *make_engine.errors) as e:
        print(f"{os.path.basename(sys.argv[0])}: {e}", file=sys.stderr)
        sys.exit(7)

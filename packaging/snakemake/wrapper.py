"""Snakemake wrapper for gsketch."""

import shlex

from snakemake.shell import shell

log = snakemake.log_fmt_shell(stdout=False, stderr=True)
command = snakemake.params.get("command", "sketch")
extra = snakemake.params.get("extra", "")
named = dict(snakemake.input.items())
references = named.get("reference", [])
if isinstance(references, str):
    references = [references]
inputs = [path for path in snakemake.input if path not in references]
options = " ".join(f"-r {shlex.quote(path)}" for path in references)

shell(
    "gsketch {command} --threads {snakemake.threads} --quiet --force "
    "-o {snakemake.output[0]:q} {options} {extra} {inputs:q} {log}"
)

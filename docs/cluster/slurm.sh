#!/usr/bin/env bash
# All pairs of a large collection, and searches of it, as arrays of Slurm jobs
# that can be repeated one by one: README.md beside this file.
#
#   slurm.sh pairs     submit what is missing for pairs.tsv
#   slurm.sh found     submit what is missing for found.tsv
#
# in a directory with config.yaml. Partition, memory and time are told by
# Slurm's own variables: SBATCH_PARTITION, SBATCH_MEM_PER_NODE, SBATCH_TIMELIMIT.
# LARGEST_ARRAY (1000) is one less than the site's MaxArraySize: with more
# targets each task makes several.
set -euo pipefail
shopt -s nullglob

config() { sed -n "s/^$1:[[:space:]]*//p" config.yaml | sed 's/[[:space:]]*#.*$//'; }
shards=$(config shards)
groups=$(config groups)
number() { echo "$((10#$1))"; } # without leading zeros

# targets lists the files of a step.
targets() {
	local i j
	case $1 in
	shards) for ((i = 0; i < shards; i++)); do printf 'shards/%04d.parquet\n' "$i"; done ;;
	blocks) for ((i = 0; i < groups; i++)); do for ((j = 0; j <= i; j++)); do printf 'blocks/%04d-%04d.tsv\n' "$i" "$j"; done; done ;;
	indexes) for ((i = 0; i < shards; i++)); do printf 'indexes/%04d/MANIFEST\n' "$i"; done ;;
	hits) for ((i = 0; i < shards; i++)); do printf 'found/%04d.tsv\n' "$i"; done ;;
	pairs | found) echo "$1.tsv" ;;
	esac
}

# make makes a file. Outputs of gsketch are whole or absent, so what is there is
# done.
make() {
	local name=${1#*/}
	name=${name%%[./]*} # 0003, 0003-0001
	local threads=${SLURM_CPUS_PER_TASK:-1}
	case $1 in
	shards/*)
		gsketch sketch -q -t "$threads" $(config sketch) -l "lists/$name.txt" -o "$1"
		;;
	blocks/*)
		gsketch dist -q -t "$threads" $(config dist) --block "$(number "${name%-*}"),$(number "${name#*-}")/$groups" -o "$1" $(targets shards)
		;;
	pairs.tsv)
		gsketch dist --merge -o "$1" $(targets blocks)
		;;
	indexes/*)
		rm -rf "indexes/$name"
		gsketch index build -q -t "$threads" $(config index) "indexes/$name" "shards/$name.parquet"
		;;
	found/*)
		gsketch search -q -t "$threads" $(config search) --shard "$(number "$name")/$shards" -r "indexes/$name" -l "$(config queries)" -o "$1"
		;;
	found.tsv)
		gsketch search --merge-shards -o "$1" $(targets hits)
		;;
	esac
}

# lists splits the list of genomes: neighbours stay together, so the order does.
lists() {
	mkdir -p lists shards blocks indexes found jobs
	awk -v n="$shards" 'NF { line[total++] = $0 }
		END { for (i = 0; i < n; i++) {
			file = sprintf("lists/%04d.txt", i); printf "" >file
			for (l = int(total * i / n); l < int(total * (i + 1) / n); l++) print line[l] >file
			close(file) } }' "$(config genomes)"
}

# submit submits what is missing of a step, after the job $after if there is one.
after=
submit() {
	local todo missing tasks
	todo=$(mktemp jobs/"$1".XXXXXX)
	for t in $(targets "$1"); do [ -e "$t" ] || echo "$t"; done >"$todo"
	missing=$(wc -l <"$todo")
	if [ "$missing" = 0 ]; then
		echo "$1: nothing is missing"
		rm "$todo"
		return
	fi
	tasks=$((missing < ${LARGEST_ARRAY:-1000} ? missing : ${LARGEST_ARRAY:-1000}))
	after=$(sbatch --parsable --job-name "$1" --array "0-$((tasks - 1))" --cpus-per-task "$(config threads)" \
		--output "$todo.%a.log" ${after:+--dependency "afterok:$after" --kill-on-invalid-dep yes} "$0" run "$todo" "$tasks")
	echo "$1: $missing are missing, job $after"
}

case ${1-} in
pairs)
	lists
	submit shards
	submit blocks
	submit pairs
	;;
found)
	lists
	submit shards
	submit indexes
	submit hits
	submit found
	;;
run) # a task of an array: every $3-th of the files that $2 lists
	status=0
	for t in $(awk -v n="$3" -v i="$SLURM_ARRAY_TASK_ID" 'NR % n == (i + 1) % n' "$2"); do
		[ -e "$t" ] || make "$t" || [ -e "$t" ] || status=1 # another job may have made it
	done
	exit "$status"
	;;
*)
	sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
	exit 2
	;;
esac

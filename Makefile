# Everything CI does is a target here. `make build test` needs nothing but Go and make.
VERSION   ?= $(shell git describe --tags --match 'v*' 2>/dev/null | sed 's/^v//')
LDFLAGS    = -s -w $(if $(VERSION),-X main.version=$(VERSION))
PKG       ?= ./...
FUZZTIME  ?= 30s
BENCH     ?= .

.PHONY: all build test noasm purego race stats fuzz bench bench-peers bench-data lint \
	peers inputs golden interop test-engines arm64 man completions site release test-packages test-cluster generate clean

all: build test

build: ## one static binary, bin/gsketch
	CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)' -o bin/gsketch ./cmd/gsketch
test: ## all tests; a test that needs more than Go says that it is skipped
	go test $(PKG)
noasm: ## the same without assembly
	go test -tags noasm $(PKG)
purego: ## the same without assembly and without package unsafe
	go test -tags purego $(PKG)
race: ## the same under the race detector (needs a C compiler); commands that tests start need not wait at exit
	CGO_ENABLED=1 GORACE=atexit_sleep_ms=0 go test -race -timeout 30m $(PKG)
arm64: ## the same for arm64, on another processor under qemu
	CGO_ENABLED=0 GOARCH=arm64 go test -exec qemu-aarch64 $(PKG)
stats: ## bias, variance and coverage of the estimators at 10,000 pairs per point (minutes)
	GSKETCH_PAIRS=10000 go test -count=1 -timeout 2h -v -run 'Statistics|FilledVariance' ./minhash ./simhash
fuzz: ## every fuzz target for FUZZTIME
	scripts/fuzz $(FUZZTIME) $(PKG)
lint: ## formatting and vet for both processors and without assembly
	scripts/lint
bench: ## Go benchmarks; BENCH selects
	go test -run '^$$' -bench '$(BENCH)' -benchmem $(PKG)
bench-data: ## larger real genomes and reads from Debian's example packages, into bench-data/
	scripts/bench-data
bench-peers: build ## gsketch and its peers on the same files, interleaved; Markdown; of texts if TEXT says where they are
	scripts/bench-peers
	$(if $(TEXT),scripts/bench-text,@echo 'TEXT is not set: no texts')
peers: ## mash, capnp, a browser and others from Debian, sourmash, datasketch and others from PyPI into .peers/venv
	scripts/peers
inputs: ## testdata/inputs anew
	go run ./internal/generate/cmd golden -o testdata/inputs
golden: ## what the peers make of testdata, into testdata/mash and testdata/sourmash
	scripts/golden
interop: build ## the peers read our files and we theirs (make peers first)
	scripts/interop
test-engines: ## dedup with DuckDB and Spark: the clusters of one process, row by row (installs both)
	scripts/test-engines
man: build ## man pages, into packaging/extra/man
	mkdir -p packaging/extra/man && bin/gsketch man packaging/extra/man
completions: build ## completions of bash, zsh and fish, into packaging/extra/completions
	mkdir -p packaging/extra/completions
	for s in bash zsh fish; do bin/gsketch completion $$s >packaging/extra/completions/gsketch.$$s || exit 1; done
release: ## static binaries for three systems and two processors, checksums; into dist/ (needs goreleaser)
	goreleaser release --clean --snapshot
test-packages: build ## what of packaging/ can be tried here: recipe, Dockerfile, Snakemake wrapper
	scripts/test-packages
test-cluster: ## the workflows of docs/cluster, by Snakemake and on a Slurm of one node that is started here
	scripts/test-cluster
site: ## the documentation as pages, with the laboratory, into dist/site
	go run ./internal/site . dist/site
generate: ## generated Go and assembly anew
	go generate $(PKG)
clean:
	rm -rf bin dist

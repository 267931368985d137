// SPDX-License-Identifier: Apache-2.0

package arrows

// A rule says what packages may import besides the standard library: which
// packages of ours, and packages of which modules of others. It speaks of the
// code that is compiled into the product; tests may import what they like.
type rule struct {
	packages []string
	ours     []string
	anyOurs  bool
	modules  []string
}

// families are the sketches; elements are what they are sketches of. They never
// import one another: n inputs and m families need n + m packages.
var families = []string{"bottomk", "fracminhash", "minhash", "simhash"}

// rules is the table of docs/design.md; the first rule that names a package
// holds for it. Each heavy module appears in the one leaf that is named for it.
var rules = []rule{
	// Level 0: the vocabulary and the machinery.
	{packages: []string{"sketch"}},
	{packages: []string{"sketch/sketchtest"}, ours: []string{"sketch"}, modules: []string{"pgregory.net/rapid"}},
	{packages: []string{"internal/generate/..."}, ours: []string{"internal/generate/...", "sketch", "bottomk", "fracminhash", "formats/fastx", "formats/stream", "formats/table"}},
	{packages: []string{"internal/replace"}, modules: []string{"github.com/google/renameio/v2"}},
	{packages: []string{"internal/sealed"}, ours: []string{"sketch", "internal/replace"}, modules: []string{
		"github.com/zeebo/xxh3", "golang.org/x/sys"}},
	{packages: []string{"internal/site/..."}, ours: []string{"report", "lab", "lsh", "internal/browser"}, modules: []string{"github.com/yuin/goldmark"}},
	{packages: []string{"internal/textpeers"}, anyOurs: true, modules: []string{"gonum.org/v1/gonum"}},
	{packages: []string{"internal/interval"}, modules: []string{"gonum.org/v1/gonum"}},
	{packages: []string{"internal/..."}, modules: []string{"golang.org/x/sys"}},

	// Level 1: elements, families, bytes and records of files.
	{packages: []string{"kmer"}, ours: []string{"sketch", "internal/cpu"}, modules: []string{
		"github.com/twmb/murmur3", "golang.org/x/sys"}},
	{packages: []string{"residue"}, ours: []string{"sketch"}},
	{packages: []string{"shingle"}, ours: []string{"sketch"}, modules: []string{
		"github.com/zeebo/xxh3", "github.com/twmb/murmur3", "golang.org/x/text", "golang.org/x/net",
		"github.com/clipperhouse/uax29/v2", "github.com/blevesearch/snowballstem"}},
	{packages: families, ours: []string{"sketch", "internal/cpu", "internal/interval", "internal/mix", "internal/radix"},
		modules: []string{"gonum.org/v1/gonum", "github.com/bits-and-blooms/bloom/v3", "golang.org/x/sys"}},
	{packages: []string{"formats/stream"}, ours: []string{"sketch"}, modules: []string{
		"github.com/klauspost/compress", "github.com/klauspost/pgzip", "github.com/klauspost/readahead",
		"github.com/shenwei356/bio", "github.com/therootcompany/xz"}},
	{packages: []string{"formats/fastx"}, ours: []string{"sketch"}, modules: []string{"github.com/shenwei356/bio"}},

	// Level 2: what is said about sketches, and the files that hold them.
	{packages: []string{"distance"}, ours: []string{"sketch", "internal/..."}, modules: []string{"gonum.org/v1/gonum"}},
	{packages: []string{"lsh"}, ours: []string{"sketch", "internal/..."}, modules: []string{"gonum.org/v1/gonum", "github.com/zeebo/xxh3"}},
	{packages: []string{"lsh/storetest"}, ours: []string{"lsh"}, modules: []string{"pgregory.net/rapid"}},
	{packages: []string{"cluster", "report"}, ours: []string{"sketch"}},
	{packages: []string{"taxonomy"}, ours: []string{"sketch", "internal/python"}},
	{packages: []string{"formats/msh/..."}, ours: leaf("formats/msh/..."), modules: []string{"capnproto.org/go/capnp/v3"}},
	{packages: []string{"formats/table/..."}, ours: append(leaf("formats/table/..."), "internal/parquetcheck"), modules: []string{
		"github.com/parquet-go/parquet-go", "github.com/klauspost/compress", "github.com/zeebo/xxh3", "golang.org/x/sys"}},
	{packages: []string{"formats/columns"}, ours: []string{"sketch", "internal/parquetcheck"}, modules: []string{
		"github.com/parquet-go/parquet-go", "github.com/klauspost/compress", "github.com/pierrec/lz4/v4", "github.com/andybalholm/brotli"}},
	{packages: []string{"formats/corpus/..."}, ours: []string{"sketch", "formats/stream", "formats/columns"}, modules: []string{
		"github.com/go-json-experiment/json"}},
	{packages: []string{"formats/sig/..."}, ours: leaf("formats/sig/..."), modules: []string{
		"github.com/klauspost/compress", "github.com/klauspost/pgzip"}},
	{packages: []string{"formats/steps"}, ours: []string{"sketch", "formats/columns"}, modules: []string{"github.com/parquet-go/parquet-go"}},
	{packages: []string{"formats/lean", "formats/milvus"}, ours: leaf("")},
	{packages: []string{"formats"}, ours: append([]string{"sketch", "formats/..."}, families...)},

	// Level 3: from files to sketches, and collections on disk.
	{packages: []string{"ingest"}, ours: append([]string{
		"sketch", "kmer", "residue", "shingle", "formats/...", "lsh", "distance", "internal/..."}, families...)},
	{packages: []string{"lsh/redisstore"}, ours: []string{"sketch", "lsh", "index/bands"}, modules: []string{"github.com/redis/rueidis"}},
	{packages: []string{"index/bands"}, ours: append([]string{"sketch", "lsh", "internal/sealed"}, families...),
		modules: []string{"github.com/zeebo/xxh3", "golang.org/x/sys"}},
	{packages: []string{"lab"}, ours: []string{"sketch", "shingle", "minhash", "lsh"}},
	{packages: []string{"index"}, ours: append([]string{
		"sketch", "formats/...", "lsh", "distance", "internal/..."}, families...),
		modules: []string{"github.com/zeebo/xxh3", "golang.org/x/sys"}},

	// Level 4 and 5: pipelines, the server and the command.
	{packages: []string{"calibrate"}, ours: append([]string{
		"sketch", "shingle", "ingest", "lsh", "distance", "cluster", "formats/corpus", "formats/columns", "formats/steps", "internal/..."}, families...),
		modules: []string{"github.com/zeebo/xxh3", "gonum.org/v1/gonum"}},
	{packages: []string{"dedup"}, anyOurs: true, modules: []string{"github.com/zeebo/xxh3"}},
	{packages: []string{"dedup/...", "serve"}, anyOurs: true},
	{packages: []string{"cmd/gsketch/..."}, anyOurs: true, modules: []string{
		"github.com/spf13/cobra", "github.com/spf13/pflag", "github.com/vbauerster/mpb/v8",
		"golang.org/x/sys", "golang.org/x/term", "gonum.org/v1/gonum"}},
}

// leaf is what a format may import: the vocabulary, the families (whose
// constructors validate), decompressed bytes, and what lies below itself.
func leaf(below string) []string {
	return append([]string{"sketch", "formats/stream", "internal/replace", below}, families...)
}

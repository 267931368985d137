module github.com/gsketch/gsketch/kmer/_asm

go 1.26

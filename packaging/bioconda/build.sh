#!/bin/bash
set -eu
go-licenses save ./cmd/gsketch --save_path library_licenses
mkdir -p "$PREFIX/bin" "$PREFIX/share/man/man1"
CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.version=$PKG_VERSION" -o "$PREFIX/bin/gsketch" ./cmd/gsketch
"$PREFIX/bin/gsketch" man "$PREFIX/share/man/man1"
for shell in bash zsh fish; do
	"$PREFIX/bin/gsketch" completion "$shell" >"completion.$shell"
done
install -Dm644 completion.bash "$PREFIX/share/bash-completion/completions/gsketch"
install -Dm644 completion.zsh "$PREFIX/share/zsh/site-functions/_gsketch"
install -Dm644 completion.fish "$PREFIX/share/fish/vendor_completions.d/gsketch.fish"

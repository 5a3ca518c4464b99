#!/usr/bin/env bash
# Installs the built command-line tool with its manual pages and completions.
#
#   Scripts/install.sh BINARY PREFIX
#
# DESTDIR is put in front of PREFIX, for packages. The binary is stripped; the folders are those in which man, bash, zsh
# and fish look by default.
set -euo pipefail
cd "$(dirname "$0")/.."

binary=${1:?the built tool} prefix=${2:?where to install, such as /usr/local}
case $prefix in /*) ;; *) echo "install: PREFIX must be an absolute path, not '$prefix'." >&2 && exit 64 ;; esac
root=${DESTDIR:-}$prefix

install -d "$root/bin" "$root/share/man/man1" "$root/share/bash-completion/completions" \
  "$root/share/zsh/site-functions" "$root/share/fish/vendor_completions.d" "$root/share/doc/openvision"
install -m 755 "$binary" "$root/bin/openvision"
strip "$root/bin/openvision"

Scripts/man-pages.py "$binary" "$root/share/man/man1"
gzip -9nf "$root"/share/man/man1/openvision*.1
"$binary" --generate-completion-script bash >"$root/share/bash-completion/completions/openvision"
"$binary" --generate-completion-script zsh >"$root/share/zsh/site-functions/_openvision"
"$binary" --generate-completion-script fish >"$root/share/fish/vendor_completions.d/openvision.fish"
install -m 644 README.md LICENSE "$root/share/doc/openvision/"
find "$root/share" -path '*openvision*' -type f -exec chmod 644 {} +
[ -n "${DESTDIR:-}" ] || echo "installed $root/bin/openvision, its manual (man openvision) and completions"

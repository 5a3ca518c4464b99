#!/bin/sh
# Fetches real footage for the demonstration, once, and prints the folder that holds it.
#
# The film of a street (vtest.avi, 795 frames) and the photographs come from Debian's package opencv-doc, which is
# downloaded (92 MiB) and unpacked without being installed. Every file is checked against its SHA-256 before it gets its
# name in the folder, so a file that is there is whole; a second run checks only and costs nothing.
#
# usage: fetch-footage.sh [--force]
# OPENVISION_FOOTAGE  the folder; default ${XDG_CACHE_HOME:-~/.cache}/openvision/footage
set -eu

package=opencv-doc
inside=./usr/share/doc/opencv-doc/examples/data
folder=${OPENVISION_FOOTAGE:-${XDG_CACHE_HOME:-$HOME/.cache}/openvision/footage}

# The package's version may move; these files have not changed for years.
wanted='45cddc9490be69345cbdab64ca583be65987e864ca408038e648db99e10516cf  vtest.avi
eb312435369dac9efcc92f7e098edbd9ed8d7e6dfede8b3b4d8e3702cd80b796  rubberwhale1.png
ee309a00d47b837b322ea5d9128775e0c46869b8014376286ba316a073d293ac  rubberwhale2.png'

say() { printf '%s\n' "$*" >&2; }

fail() {
    say "The footage could not be fetched: $*"
    say "It is needed by the demonstration only. To provide it by hand, put vtest.avi of OpenCV's samples into"
    say "$folder"
    exit 1
}

whole() { # folder: whether all files are there with their hashes
    (cd "$1" 2>/dev/null && printf '%s\n' "$wanted" | sha256sum --check --status 2>/dev/null)
}

case ${1:-} in
"" | --force) ;;
*)
    say "usage: fetch-footage.sh [--force]"
    exit 64
    ;;
esac
if [ "${1:-}" != --force ] && whole "$folder"; then
    printf '%s\n' "$folder"
    exit 0
fi

for tool in apt-get dpkg-deb tar sha256sum; do
    command -v "$tool" >/dev/null 2>&1 || fail "$tool is not on this machine"
done
mkdir -p "$folder" || fail "the folder $folder cannot be made"
# Beside the final place, so that the last step is a rename.
work=$(mktemp -d "$folder/.fetch.XXXXXX") || fail "nothing can be written to $folder"
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

say "Fetching $package from the Debian archive (92 MiB, once) …"
download() { (cd "$work" && apt-get -q -o APT::Sandbox::User=root download "$package") >"$work/log" 2>&1; }
refresh() { # a machine may have no package lists, or lists that name a version that is gone
    if [ "$(id -u)" -eq 0 ]; then apt-get -q update; else sudo -n apt-get -q update; fi >"$work/log" 2>&1
}
if ! download && ! { refresh && download; }; then
    tail -n 3 "$work/log" >&2
    fail "'apt-get download $package' failed; is there a network, and does 'apt-get update' work?"
fi
names=$(printf '%s\n' "$wanted" | awk -v folder="$inside" '{ print folder "/" $2 }')
# shellcheck disable=SC2086 # the names hold no spaces
if ! dpkg-deb --fsys-tarfile "$work/$package"_*.deb | tar -x -C "$work" --strip-components=7 $names; then
    fail "$package does not hold the files that were expected"
fi
whole "$work" || fail "the files in $package are not those that were expected (SHA-256 differs)"

printf '%s\n' "$wanted" | while read -r _ name; do
    mv -f "$work/$name" "$folder/$name"
done
whole "$folder" || fail "the files in $folder changed while they were being put there"
printf '%s\n' "$folder"

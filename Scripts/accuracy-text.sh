#!/usr/bin/env bash
# Scores text detection, ours and RapidOCR's, one thread each: on text rendered over photos, on unchanged photos, and on
# photographs that were labelled by hand.
#
#   Scripts/accuracy-text.sh PHOTOS FONTS [DOCS…]
#
# PHOTOS: a folder of photos; those named in PHOTOS/with-text.txt, if there is one, contain text and are left out.
# FONTS: a folder of .ttf and .otf files, e.g. /usr/share/fonts. DOCS: folders with the photographs of
# Scripts/peers/text_labels.py. SEED (77) and COUNT (150) determine which images are rendered.
set -euo pipefail

if [ $# -lt 2 ]; then
    echo "Usage: $0 PHOTOS FONTS [DOCS…]" >&2
    exit 64
fi
root=$(cd "$(dirname "$0")/.." && pwd)
photos=$1 fonts=$2
shift 2
# shellcheck source=Scripts/peers/environment.sh
. "$root/Scripts/peers/environment.sh"
peers_environment peers-text text-requirements.txt

swift build -c release --product Benchmarks --package-path "$root" >&2
binary=$(swift build -c release --package-path "$root" --show-bin-path)/Benchmarks

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
without=()
[ -e "$photos/with-text.txt" ] && without=(--without "$photos/with-text.txt")
scripts=$root/Scripts/peers
"$peers_python" "$scripts/text_images.py" "$photos" "$fonts" "$out/rendered" \
    --count "${COUNT:-150}" --seed "${SEED:-77}" "${without[@]}"
"$peers_python" "$scripts/text_images.py" "$photos" "$fonts" "$out/plain" --plain "${without[@]}"
folders=("$out/rendered" "$out/plain")
if [ $# -gt 0 ]; then
    "$peers_python" "$scripts/text_labels.py" "$out/labelled" "$@"
    folders+=("$out/labelled")
fi
for folder in "${folders[@]}"; do
    "$binary" accuracy text "$folder" --characters
    for peer in v6 v4; do
        "$peers_python" "$scripts/text.py" "$out/found.json" "$folder" --peer "$peer"
        echo "RapidOCR, $peer:"
        "$binary" accuracy text "$folder" --found "$out/found.json"
    done
done

#!/usr/bin/env bash
# Tracks one target through each of a folder of labelled videos, with our trackers and with those of OpenCV and dlib,
# and prints a table of each, with intervals over the videos. Then it fits the confidence of our trackers anew, and
# prints what it is worth by cross-validation over the videos. Videos with corners are tracked as planes as well.
#
#   Scripts/accuracy-tracking.sh VIDEOS
#
# The layout of the folder: `Benchmarks accuracy tracking --help`. The peers' environment: Scripts/peers/environment.sh.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
[ $# -eq 1 ] || { echo "usage: accuracy-tracking.sh VIDEOS" >&2; exit 64; }
# shellcheck source=Scripts/peers/environment.sh
. "$root/Scripts/peers/environment.sh"
peers_environment tracking-peers tracking-requirements.txt

swift build -c release --product Benchmarks --package-path "$root" >&2
binary=$(swift build -c release --package-path "$root" --show-bin-path)/Benchmarks

outputs=$(mktemp -d "${TMPDIR:-/tmp}/openvision-tracking.XXXXXX")
trap 'rm -rf "$outputs"' EXIT
echo "== fast"
"$binary" accuracy tracking --revision 1 "$1"
echo "== accurate"
"$binary" accuracy tracking --revision 1 --accurate "$1"
echo "== learned"
"$binary" accuracy tracking --revision 2 "$1"
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
"$peers_python" "$root/Scripts/peers/tracking.py" "$1" "$outputs"
for peer in still mosse kcf dlib csrt; do
    echo "== $peer"
    "$binary" accuracy tracking --results "$outputs/$peer" "$1"
done

confidence() { # NAME COLUMNS VIDEOS ARGUMENTS…: cross-validates the confidence of one of our trackers
    echo "== confidence of the $1 tracker"
    "$binary" accuracy tracking --evidence "$outputs/$1.csv" "${@:4}" "$3"
    "$peers_python" "$root/Training/Tracking/fit_presence.py" "$outputs/$1.csv" --columns "$2"
}
# The columns are those that the tracker's confidence has weights for.
confidence fast steady_margin,relative_scale_peak "$1" --revision 1
confidence accurate steady_margin,relative_scale_peak "$1" --revision 1 --accurate
confidence learned presence,score,recent_score "$1" --revision 2

echo "== planes, accurate"
"$binary" accuracy planar-videos "$1"
echo "== planes, fast"
"$binary" accuracy planar-videos --fast "$1"
"$peers_python" "$root/Scripts/peers/planar.py" "$1" "$outputs/planes"
for chain in lk orb ecc; do
    echo "== planes, OpenCV, $chain"
    "$binary" accuracy planar-videos --results "$outputs/planes/$chain" "$1"
done

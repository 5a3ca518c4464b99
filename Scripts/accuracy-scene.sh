#!/usr/bin/env bash
# Classifies labelled photos with VNClassifyImageRequest and, from the same pixels, with ONNX Runtime; prints both
# accuracies and the differences of the logits.
#
#   Scripts/accuracy-scene.sh PHOTOS [options of `Benchmarks accuracy scene`]
#
# The models are those of the store (`make models`). The peers' environment: Scripts/peers/environment.sh.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
[ $# -gt 0 ] || { echo "accuracy-scene: name a folder of photos" >&2; exit 64; }
# shellcheck source=Scripts/peers/environment.sh
. "$root/Scripts/peers/environment.sh"
peers_environment models-peers models-requirements.txt

swift build -c release --product Benchmarks --package-path "$root" >&2
binary=$(swift build -c release --package-path "$root" --show-bin-path)/Benchmarks

outputs=$(mktemp -d "${TMPDIR:-/tmp}/openvision-scene.XXXXXX")
trap 'rm -rf "$outputs"' EXIT
"$binary" accuracy scene --output "$outputs" "$@"
"$peers_python" "$root/Scripts/peers/classification.py" "$outputs"

#!/usr/bin/env bash
# Trains image classifiers on labelled photos, and scikit-learn's logistic regression on the features that ONNX Runtime
# gives for the same photos with the same network; prints the accuracies of both.
#
#   Scripts/accuracy-classifier.sh PHOTOS [options of `Benchmarks accuracy classifier`]
#
# The peers' environment: Scripts/peers/environment.sh; onnx, Pillow and scikit-learn are added to it.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
[ $# -gt 0 ] || { echo "accuracy-classifier: name a folder of folders of photos" >&2; exit 64; }
# shellcheck source=Scripts/peers/environment.sh
. "$root/Scripts/peers/environment.sh"
peers_environment models-peers models-requirements.txt
"$peers_python" -c 'import onnx, PIL, sklearn' 2>/dev/null ||
    "$peers_python" -m pip install --quiet onnx==1.20.1 pillow==13.0.0 scikit-learn==1.9.1

for product in Benchmarks openvision; do
    swift build -c release --product "$product" --package-path "$root" >&2
done
binary=$(swift build -c release --package-path "$root" --show-bin-path)/Benchmarks
openvision=$(swift build -c release --package-path "$root" --show-bin-path)/openvision

rounds=$(mktemp "${TMPDIR:-/tmp}/openvision-classifier.XXXXXX")
trap 'rm -f "$rounds"' EXIT
"$binary" accuracy classifier --output "$rounds" "$@"
model=efficientnet-lite0
[[ " $* " == *" --revision 2 "* ]] && model=efficientnet-lite2
"$peers_python" "$root/Scripts/peers/classifier.py" "$rounds" "$("$openvision" models where "$model")"

#!/usr/bin/env bash
# Runs networks in ONNX Runtime or LiteRT, in double precision and in our engine, on the same inputs, and prints the
# differences of the outputs.
#
#   Scripts/accuracy-models.sh SOURCE… [--filter TEXT] [--size N] [--markdown]
#
# A SOURCE is a model, a wheel with .tflite files in it, or a folder of both. The peers' environment:
# Scripts/peers/environment.sh.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
[ $# -gt 0 ] || { echo "accuracy-models: name a folder of models (make accuracy-models DATA=folder)" >&2; exit 64; }
# shellcheck source=Scripts/peers/environment.sh
. "$root/Scripts/peers/environment.sh"
peers_environment models-peers models-requirements.txt

swift build -c release --product Benchmarks --package-path "$root" >&2
binary=$(swift build -c release --package-path "$root" --show-bin-path)/Benchmarks

expected=$(mktemp -d "${TMPDIR:-/tmp}/openvision-models.XXXXXX")
trap 'rm -rf "$expected"' EXIT
sources=() ours=()
for argument in "$@"; do
    if [ "$argument" = --markdown ]; then ours+=("$argument"); else sources+=("$argument"); fi
done
TF_CPP_MIN_LOG_LEVEL=2 "$peers_python" "$root/Scripts/peers/models.py" "$expected" "${sources[@]}"
"$binary" accuracy models "$expected" "${ours[@]}"

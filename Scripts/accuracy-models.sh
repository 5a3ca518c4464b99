#!/usr/bin/env bash
# Runs networks in ONNX Runtime or LiteRT and in our engine, on the same inputs, and prints how far the outputs are apart.
#
#   Scripts/accuracy-models.sh SOURCE… [--filter TEXT] [--size N]
#
# A SOURCE is a model, a wheel with .tflite files in it, or a folder of both. The peers live in a Python environment of their
# own in the cache folder (OPENVISION_CACHE, else ~/.cache/openvision); it is made on the first run and again when
# Scripts/peers/models-requirements.txt changes.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
cache=${OPENVISION_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/openvision}/models-peers
requirements=$root/Scripts/peers/models-requirements.txt
python=${PYTHON:-python3}
[ $# -gt 0 ] || { echo "accuracy-models: name a folder of models (make accuracy-models DATA=folder)" >&2; exit 64; }

if ! cmp -s "$requirements" "$cache/requirements.txt"; then
    echo "Installing the peers into $cache" >&2
    mkdir -p "$cache"
    rm -f "$cache/requirements.txt"
    "$python" -m venv --clear "$cache/venv" || {
        echo "accuracy-models: $python cannot make a virtual environment; on Debian: apt-get install python3-venv" >&2
        exit 1
    }
    "$cache/venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: -r "$requirements"
    cp "$requirements" "$cache/requirements.txt"
fi

swift build -c release --product Benchmarks --package-path "$root" >&2
binary=$(swift build -c release --package-path "$root" --show-bin-path)/Benchmarks

expected=$(mktemp -d "${TMPDIR:-/tmp}/openvision-models.XXXXXX")
trap 'rm -rf "$expected"' EXIT
TF_CPP_MIN_LOG_LEVEL=2 "$cache/venv/bin/python" "$root/Scripts/peers/models.py" "$expected" "$@"
"$binary" accuracy models "$expected"

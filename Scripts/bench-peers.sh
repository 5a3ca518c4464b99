#!/usr/bin/env bash
# Times OpenCV, dlib, Pillow, scikit-image and FFTW against ours, on the same inputs, in turns, one thread each; and OpenVINO,
# ONNX Runtime and LiteRT on the installed networks and those of a folder, one thread and two.
#
#   Scripts/bench-peers.sh [FILTER] [--markdown] [--json FILE] [--photos FOLDER] [--models FOLDER] [--list] [--rounds N]
#
# The peers live in a Python environment of their own in the cache folder (OPENVISION_CACHE, else ~/.cache/openvision);
# it is made on the first run and again when Scripts/peers/requirements.txt changes.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
cache=${OPENVISION_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/openvision}/peers
requirements=$root/Scripts/peers/requirements.txt
python=${PYTHON:-python3}

if ! cmp -s "$requirements" "$cache/requirements.txt"; then
    echo "Installing the peers into $cache" >&2
    mkdir -p "$cache"
    rm -f "$cache/requirements.txt"
    "$python" -m venv --clear "$cache/venv" || {
        echo "bench-peers: $python cannot make a virtual environment; on Debian: apt-get install python3-venv" >&2
        exit 1
    }
    "$cache/venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: -r "$requirements"
    cp "$requirements" "$cache/requirements.txt"
fi

swift build -c release --product Benchmarks --package-path "$root" >&2
binary=$(swift build -c release --package-path "$root" --show-bin-path)/Benchmarks

# One thread each: the libraries read these when they are loaded.
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1
exec "$cache/venv/bin/python" "$root/Scripts/peers/compare.py" --binary "$binary" --cache "$cache" "$@"

#!/usr/bin/env bash
# Times OpenCV, dlib, Pillow, scikit-image and FFTW against ours, on the same inputs, alternating, one thread each; and
# OpenVINO, ONNX Runtime and LiteRT on the installed networks and those of a folder, one thread and two.
#
#   Scripts/bench-peers.sh [FILTER] [--markdown] [--json FILE] [--photos FOLDER] [--models FOLDER] [--list] [--rounds N]
#
# The peers' environment: Scripts/peers/environment.sh.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=Scripts/peers/environment.sh
. "$root/Scripts/peers/environment.sh"
peers_environment peers requirements.txt

swift build -c release --product Benchmarks --package-path "$root" >&2
binary=$(swift build -c release --package-path "$root" --show-bin-path)/Benchmarks

# One thread each: the libraries read these when they are loaded.
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1
exec "$peers_python" "$root/Scripts/peers/compare.py" --binary "$binary" --cache "$peers_cache" "$@"

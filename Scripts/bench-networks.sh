#!/usr/bin/env bash
# Exports PyTorch and torchvision networks with seeded weights as ONNX files, times OpenVINO and ONNX Runtime against
# ours on them, one thread and two, and prints a table with the geometric means.
#
#   Scripts/bench-networks.sh [NETWORK] [--rounds N] [--binary BENCHMARKS]
#
# NETWORK is a part of a name ("resnet"). The files are kept in the cache folder and made once. The peers' environments:
# Scripts/peers/environment.sh.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
network="" rounds=5 binary=""
while [ $# -gt 0 ]; do
    case $1 in
        --rounds) rounds=${2:?--rounds needs a number} && shift ;;
        --binary) binary=${2:?--binary needs a file} && shift ;;
        -h | --help) sed -n '2,8s/^# \{0,1\}//p' "$0" && exit 0 ;;
        -*) echo "unknown option $1" >&2 && exit 2 ;;
        *) network=$1 ;;
    esac
    shift
done

# shellcheck source=Scripts/peers/environment.sh
. "$root/Scripts/peers/environment.sh"
peers_environment network-peers networks-requirements.txt
networks=$peers_cache/networks
"$peers_python" "$root/Scripts/peers/networks.py" export "$networks" "$network" >&2
peers_environment peers requirements.txt

if [ -z "$binary" ]; then
    swift build -c release --product Benchmarks --package-path "$root" >&2
    binary=$(swift build -c release --package-path "$root" --show-bin-path)/Benchmarks
fi
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1
figures=$(mktemp "${TMPDIR:-/tmp}/openvision-networks.XXXXXX")
trap 'rm -f "$figures"' EXIT
"$peers_python" "$root/Scripts/peers/compare.py" --binary "$binary" --cache "$peers_cache" "${network:-.onnx/}" \
    --models "$networks" --rounds "$rounds" --json "$figures" >&2
"$peers_python" "$root/Scripts/peers/networks.py" summary "$figures"

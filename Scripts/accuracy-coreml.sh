#!/usr/bin/env bash
# Makes Core ML files with coremltools out of PyTorch networks and scikit-learn models, runs both, and prints the
# differences. Converts the networks of folders to Core ML packages, and has coremltools load them.
#
#   Scripts/accuracy-coreml.sh [SOURCE…] [--filter TEXT] [--markdown]
#
# A SOURCE is an .onnx or .tflite file, or a folder of them. The peers' environment: Scripts/peers/environment.sh.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=Scripts/peers/environment.sh
. "$root/Scripts/peers/environment.sh"
peers_environment coreml-peers coreml-requirements.txt

swift build -c release --product Benchmarks --package-path "$root" >&2
binary=$(swift build -c release --package-path "$root" --show-bin-path)/Benchmarks

made=$(mktemp -d "${TMPDIR:-/tmp}/openvision-coreml.XXXXXX")
trap 'rm -rf "$made"' EXIT
sources=() making=() ours=() failed=0
while [ $# -gt 0 ]; do
    case $1 in
        --markdown) ours+=("$1") ;;
        --filter) making+=("$1" "$2") && shift ;;
        *) sources+=("$1") ;;
    esac
    shift
done
"$peers_python" "$root/Scripts/peers/coreml.py" make "$made/files" ${making[@]+"${making[@]}"}
"$binary" accuracy models "$made/files" ${ours[@]+"${ours[@]}"} || failed=1
"$binary" accuracy tables "$made/files" || failed=1
if [ ${#sources[@]} -gt 0 ]; then
    for options in "" --half; do
        # Half precision has errors of its own.
        "$binary" accuracy conversion "${sources[@]}" --output "$made/packages$options" ${options:+--half --limit 1} ||
            failed=1
        "$peers_python" "$root/Scripts/peers/coreml.py" check "$made/packages$options"/*.mlpackage || failed=1
    done
fi
exit $failed

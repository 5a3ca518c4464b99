#!/usr/bin/env bash
# Runs the backend tests of ONNX against the engine: every operator that Documentation/Operators.md claims, whole
# networks among them, with the passes that make networks fast and without.
#
#   Scripts/check-onnx.sh [--filter TEXT] [--list] …
#
# The tests come from the wheel of onnx 1.20.1 (later ones have none), which is fetched once into the cache folder
# (OPENVISION_CACHE, else ~/.cache/openvision); ONNX_WHEEL=file takes one that is there already. Only Python itself is
# needed. CONFORMANCE=program takes that one instead of building it.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
cache=${OPENVISION_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/openvision}/onnx-1.20.1
name=onnx-1.20.1-cp311-cp311-manylinux_2_27_x86_64.manylinux_2_28_x86_64.whl
sum=2297f428c51c7fc6d8fad0cf34384284dfeff3f86799f8e83ef905451348ade0
python=${PYTHON:-python3}

if [ ! -e "$cache/complete" ]; then
    mkdir -p "$cache"
    work=$(mktemp -d "$cache/fetch.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    if [ -n "${ONNX_WHEEL:-}" ]; then
        cp "$ONNX_WHEEL" "$work/$name"
    else
        # Only the files in it are wanted, so that the platform and the version of Python do not matter.
        "$python" -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: \
            --python-version 311 --implementation cp --abi cp311 \
            --platform manylinux_2_27_x86_64 --platform manylinux_2_28_x86_64 --dest "$work" onnx==1.20.1
    fi
    echo "$sum  $work/$name" | sha256sum --check --quiet || {
        echo "check-onnx: the wheel is not the one that is expected" >&2
        exit 1
    }
    "$python" -m zipfile -e "$work/$name" "$work/wheel"
    rm -rf "$cache/data"
    mv "$work/wheel/onnx/backend/test/data" "$cache/data"
    touch "$cache/complete"
fi

binary=${CONFORMANCE:-}
if [ -z "$binary" ]; then
    swift build -c release --product Conformance --package-path "$root" >&2
    binary=$(swift build -c release --package-path "$root" --show-bin-path)/Conformance
fi
minimum=1380
for argument in "$@"; do
    # A selection cannot be expected to pass as many.
    [ "$argument" = --filter ] && minimum=0
done
"$binary" --skips "$root/Scripts/onnx-skipped.txt" --minimum $minimum "$@" "$cache/data"
echo "Without passes:"
"$binary" --skips "$root/Scripts/onnx-skipped.txt" --minimum $minimum --plain "$@" "$cache/data"

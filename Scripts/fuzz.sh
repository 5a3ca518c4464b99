#!/usr/bin/env bash
# Fuzzes the image decoders with libFuzzer under the address and undefined-behaviour sanitizers, SECONDS_EACH seconds.
# What it finds stays in .build-fuzz/decode/crash-*; run the fuzzer with such a file as its argument to see it again.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${SECONDS_EACH:-60}
folder=.build-fuzz/decode
mkdir -p "$folder/corpus" "$folder/seeds"

# The pictures of the tests, each with four first bytes: these pick the layout and the reduction.
awk '/static let .* = data\($/ { name = $3 } /^ *"""$/ { inside = 1; text = ""; next }
     inside && /"""\)$/ { print name, text; inside = 0 } inside { gsub(/ /, ""); text = text $0 }' \
    Tests/VisionImageTests/CodingFixtures.swift |
    while read -r name base64; do
        for first in 000 001 006 013; do
            { printf "\\$first"; base64 -d <<<"$base64"; } >"$folder/seeds/$name-$first"
        done
    done
[ -n "$(ls -A "$folder/seeds")" ] || { echo "fuzz: no seeds found in the tests" >&2; exit 1; }

packages="libjpeg libpng libwebpdemux libwebp libtiff-4 libheif libexif"
# shellcheck disable=SC2046 # flags are words
clang -std=c11 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
    -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION \
    -ICSources/CVisionDecode/include $(pkg-config --cflags $packages) \
    Fuzz/decode.c CSources/CVisionDecode/src/*.c -o "$folder/fuzzer" $(pkg-config --libs $packages) -lgif \
    2>&1 | { grep -v 'Cannot export local symbol' || true; }

# -detect_leaks stays on; the memory limit is far above what a million pixels take.
"$folder/fuzzer" -max_total_time="$seconds" -max_len=16384 -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
    -artifact_prefix="$folder/" "$folder/corpus" "$folder/seeds" 2>"$folder/log" || {
    tail -60 "$folder/log" >&2
    exit 1
}
grep -E 'stat::(number_of_executed_units|peak_rss_mb)|cov:' "$folder/log" | tail -3

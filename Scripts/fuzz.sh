#!/usr/bin/env bash
# Fuzzes the image decoders, the barcode reader, the search for 2-D barcodes, text detection and the importers of
# networks with libFuzzer under the address sanitizer (the first two also under the undefined-behaviour sanitizer),
# SECONDS_EACH seconds each; then, with MODELS=folder, damages real models.
#
#   Scripts/fuzz.sh [decode|barcodes|grids|text|models]
#
# Its findings are kept in .build-fuzz/*/crash-*, timeout-* or oom-* and .build-fuzz/models/real/last-damaged.model; run
# the fuzzer with such a file as its argument to reproduce one.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${SECONDS_EACH:-60}
subject=${1:-all}

fuzz_decoders() {
    folder=.build-fuzz/decode
    mkdir -p "$folder/corpus" "$folder/seeds"

    # The images of the tests, each with four different first bytes, which select the layout and the reduction.
    awk '/static let .* = data\($/ { name = $3 } /^ *"""$/ { inside = 1; text = ""; next }
         inside && /"""\)$/ { print name, text; inside = 0 } inside { gsub(/ /, ""); text = text $0 }' \
        Tests/VisionImageTests/CodingFixtures*.swift |
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
}

fuzz_barcodes() {
    folder=.build-fuzz/barcodes
    mkdir -p "$folder/corpus"
    # Of the kernels only those that the reader calls are sanitized: the others take minutes.
    find CSources/CVisionKernels/src -name '*.c' -print0 |
        xargs -0 -P "$(nproc)" -I{} sh -c 'case $1 in
            */rows.c | */orientation.c)
                sanitize="-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined" ;;
            esac
            clang -std=c11 -g -O1 $sanitize -ICSources/CVisionKernels/include -ICSources/CVisionKernels/src \
                -c "$1" -o "$2/$(echo "$1" | tr / _).o"' sh {} "$folder"
    # shellcheck disable=SC2046 # flags are words
    clang++ -std=c++17 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
        -ICSources/CVisionBarcode/include -ICSources/CVisionKernels/include $(pkg-config --cflags zxing) \
        Fuzz/barcodes.cpp CSources/CVisionBarcode/src/*.cpp "$folder"/*.o -o "$folder/fuzzer" \
        $(pkg-config --libs zxing) 2>&1 | { grep -v 'Cannot export local symbol' || true; }
    "$folder/fuzzer" -max_total_time="$seconds" -max_len=4096 -timeout=60 -rss_limit_mb=4096 -print_final_stats=1 \
        -artifact_prefix="$folder/" "$folder/corpus" 2>"$folder/log" || {
        tail -60 "$folder/log" >&2
        exit 1
    }
    grep -E 'stat::(number_of_executed_units|peak_rss_mb)|cov:' "$folder/log" | tail -3
}

# Builds one of the fuzzers that are written in Swift, in a folder of its own: other flags would rebuild everything.
#
#   build_fuzzer PRODUCT -O|-Onone
#
# Both have the same checks. Unoptimised Swift builds in a fraction of the time, but its loops over pixels are slow
# under the sanitizer: single inputs of the text fuzzer took 3 s of processor time, and on a busy machine more than the
# time limit.
build_fuzzer() {
    # gold cannot link it; the sanitizer's runtime contains the entry point that it calls.
    OPENVISION_FUZZ=1 swift build -c release --product "$1" --scratch-path "$folder/build" --sanitize=address \
        -Xswiftc -sanitize=fuzzer -Xswiftc -use-ld=lld -Xswiftc "$2" 2>"$folder/build-log" >&2 || {
        tail -40 "$folder/build-log" >&2
        exit 1
    }
    fuzzer=$folder/build/release/$1
    # A trap must end the process at once, and what Swift never frees is not a leak.
    export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=0
}

# Runs a fuzzer in Swift whose inputs are pixels: fuzz_pixels NAME PRODUCT
fuzz_pixels() {
    folder=.build-fuzz/$1
    mkdir -p "$folder/corpus"
    build_fuzzer "$2" -O
    "$fuzzer" -max_total_time="$seconds" -max_len=4096 -timeout=60 -rss_limit_mb=4096 -print_final_stats=1 \
        -artifact_prefix="$folder/" "$folder/corpus" 2>"$folder/log" || {
        tail -60 "$folder/log" >&2
        exit 1
    }
    grep -E 'stat::(number_of_executed_units|peak_rss_mb)|cov:' "$folder/log" | tail -3
}

fuzz_models() {
    folder=.build-fuzz/models
    mkdir -p "$folder/seeds" "$folder/mlmodel" "$folder/onnx" "$folder/tflite"
    build_fuzzer ModelFuzzer -Onone
    "$fuzzer" --seeds "$folder/seeds"
    for format in mlmodel onnx tflite; do
        mkdir -p "$folder/seeds-$format"
        cp "$folder"/seeds/*."$format" "$folder/seeds-$format"
        "$fuzzer" -max_total_time="$seconds" -max_len=8192 -timeout=60 -rss_limit_mb=4096 -print_final_stats=1 \
            -artifact_prefix="$folder/$format-" "$folder/$format" "$folder/seeds-$format" 2>"$folder/$format-log" || {
            tail -60 "$folder/$format-log" >&2
            exit 1
        }
        grep -E 'stat::(number_of_executed_units|peak_rss_mb)|cov:' "$folder/$format-log" | tail -3
    done
    if [ -n "${MODELS:-}" ]; then
        rm -rf "$folder/real"
        mkdir -p "$folder/real"
        find -L "$MODELS" \( -name '*.mlmodel' -o -name '*.onnx' -o -name '*.tflite' \) -exec cp {} "$folder/real" \;
        "$fuzzer" --damage "$folder/real" "$seconds"
    fi
}

case $subject in
decode) fuzz_decoders ;;
barcodes) fuzz_barcodes ;;
grids) fuzz_pixels grids GridFuzzer ;;
text) fuzz_pixels text TextFuzzer ;;
models) fuzz_models ;;
all)
    fuzz_decoders
    fuzz_barcodes
    fuzz_pixels grids GridFuzzer
    fuzz_pixels text TextFuzzer
    fuzz_models
    ;;
*)
    echo "fuzz: unknown subject '$subject'; choose decode, barcodes, grids, text or models" >&2
    exit 64
    ;;
esac

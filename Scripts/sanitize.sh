#!/usr/bin/env bash
# Runs the tests under the address and thread sanitizers, and the C kernels under address and undefined-behaviour
# checks.
#
#   Scripts/sanitize.sh [FILTER]
#
# With a filter (a regular expression, as for `swift test --filter`) only the tests that match run, without the kernels'
# checks.
set -euo pipefail
cd "$(dirname "$0")/.."

filter=()
if [ $# -gt 0 ]; then
    filter=(--filter "$1")
else
    Scripts/check-kernels.sh --sanitize
fi
# LeakSanitizer does not understand Swift's runtime and reports its singletons.
export ASAN_OPTIONS=detect_leaks=0
# In release mode: the whole suite takes minutes then, and most of an hour without optimisation.
for sanitizer in address thread; do
    swift test -c release --sanitize=$sanitizer -Xswiftc -enable-testing --scratch-path ".build-$sanitizer-release" \
        ${filter[@]+"${filter[@]}"}
done

#!/usr/bin/env bash
# Runs the tests under the address and thread sanitizers, and the C kernels under address and undefined-behaviour checks.
set -euo pipefail
cd "$(dirname "$0")/.."

Scripts/check-kernels.sh --sanitize
# LeakSanitizer does not understand Swift's runtime and reports its singletons.
export ASAN_OPTIONS=detect_leaks=0
swift test --sanitize=address -Xcc -O2 --scratch-path .build-address
swift test --sanitize=thread -Xcc -O2 --scratch-path .build-thread

#!/usr/bin/env bash
# Runs the test suite in release mode and ends with the count of passed and failed tests. Arguments go to `swift test`.
#
# Tests with real networks need the models. The tool that is built with the tests installs them: a release build of its
# own would take as long again. OPENVISION_REQUIRE_MODELS makes a model that is missing all the same a failure, not a
# skip.
set -uo pipefail
cd "$(dirname "$0")/.."

log=$(mktemp)
trap 'rm -f "$log"' EXIT
scratch=.build
previous=
for argument in "$@"; do
  [ "$previous" != --scratch-path ] || scratch=$argument
  previous=$argument
done
# Listing the tests builds them, with the very flags of a test run.
echo "Building …"
swift test list -c release --scratch-path "$scratch" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
tool=$(swift build -c release --scratch-path "$scratch" --show-bin-path)/openvision
"$tool" models install || exit 1
"$tool" models install dlib-face-print || exit 1
export OPENVISION_REQUIRE_MODELS=1
swift test -c release "$@" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}

# XCTest sums up once a suite; the last sum is of everything.
total=$(grep -oE 'Executed [0-9]+ tests?, with ([0-9]+ tests? skipped and )?[0-9]+ failures?' "$log" | tail -n 1)
executed=$(sed -E 's/Executed ([0-9]+) .*/\1/' <<<"$total")
failed=$(grep -cE "^Test Case '.*' failed \(" "$log")
skipped=$(grep -cE "^Test Case '.*' skipped \(" "$log")
if [ -z "$executed" ] || [ "$executed" -eq 0 ]; then
  echo "no test ran" >&2
  exit 1
fi
[ "$failed" -eq 0 ] || grep -E "^Test Case '.*' failed \(|error: -?\[?" "$log" | head -n 40
echo "$((executed - failed - skipped)) passed, $failed failed, $skipped skipped"
exit "$status"

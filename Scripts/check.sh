#!/usr/bin/env bash
# Checks everything that the tests do not: format and style, layers, every kernel variant, ONNX's own tests, the
# compiled code and the documents that are written by programs. Ends with the count of passed and failed checks.
#
#   Scripts/check.sh SCRATCH-FOLDER
#
# The programs come from the folder that `make test` built in; they are built there where they are missing.
set -uo pipefail
cd "$(dirname "$0")/.."

scratch=${1:?the scratch folder of the tests}
passed=0 failed=()

check() { # check TITLE COMMAND…
  local title=$1 start=$SECONDS && shift
  echo "== $title"
  if "$@"; then passed=$((passed + 1)); else failed+=("$title") && echo "== FAILED: $title" >&2; fi
  echo "   ($((SECONDS - start)) s)"
}

products=$(swift build -c release --scratch-path "$scratch" --show-bin-path) || exit 1
if [ ! -x "$products/Conformance" ] || [ -z "$(find "$products" -maxdepth 1 -name '*.xctest')" ]; then
  swift test list -c release --scratch-path "$scratch" >/dev/null || exit 1
fi

operators_are_current() {
  "$products/Conformance" --operators | diff -u Documentation/Operators.md - || {
    echo "Documentation/Operators.md is out of date: run \`make operators\`." >&2
    return 1
  }
}

site_is_right() {
  local site && site=$(mktemp -d)
  PRODUCTS=$products Scripts/docs.sh "$site" && Scripts/check-site.py "$site"
  local status=$?
  rm -rf "$site"
  return $status
}

service_tests_pass() {
  local log && log=$(mktemp)
  swift test -Xcc -O2 --package-path Service --scratch-path .build-service >"$log" 2>&1
  local status=$?
  if [ $status -eq 0 ]; then grep "Executed" "$log" | tail -n 1; else tail -n 60 "$log"; fi
  rm -f "$log"
  return $status
}

check "format" swift format lint --strict --recursive --parallel \
  Package.swift Plugins Sources Tests Benchmarks Conformance Examples Fuzz \
  Service/Package.swift Service/Sources Service/Tests
check "words and lengths of lines" Scripts/check-style.py
check "layers" eval "Scripts/check-layers.py --self-test && Scripts/check-layers.py"
check "kernel variants, here and emulated" Scripts/check-kernels.sh --qemu
check "tests of ONNX" env CONFORMANCE="$products/Conformance" Scripts/check-onnx.sh
check "documents" Scripts/check-docs.py
check "documentation site" site_is_right
check "manual pages" Scripts/man-pages.py --self-test
check "compiled code" Scripts/check-binary.py "$products/openvision" "$products"/*.xctest
check "table of operators" operators_are_current
check "table of the API" Scripts/api-status.py
check "names that ported files lack" Scripts/check-porting.sh --self-test --build "$products"
check "plugin for the classes of models" Scripts/check-plugin.py
check "modules with the names of Apple's frameworks" Scripts/check-frameworks.py
check "tests of the HTTP service" service_tests_pass
check "the HTTP service against its OpenAPI document" Scripts/check-service-schema.py \
  .build-service/debug/openvision-serve --tool "$products/openvision"
check "the index in PostgreSQL" Scripts/check-database.sh "$scratch"

for title in ${failed[@]+"${failed[@]}"}; do echo "failed: $title"; done
echo "$passed checks passed, ${#failed[@]} failed"
[ ${#failed[@]} -eq 0 ]

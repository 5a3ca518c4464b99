#!/usr/bin/env bash
# Installs the Python wheel into a new virtual environment and runs its tests.
#
#   Scripts/check-wheel.sh [WHEEL] [PYTEST-ARGUMENT…]    without a wheel it is built
#
# The tests that compare with coremltools and with the tool are skipped where these are missing.
set -euo pipefail
cd "$(dirname "$0")/.."

wheel=${1:-}
[ $# -eq 0 ] || shift
if [ -z "$wheel" ]; then
  Scripts/wheel.sh
  wheel=$(ls -t .build-wheel/dist/openvision-*.whl | head -n 1)
fi
environment=$(mktemp -d)
trap 'rm -rf "$environment"' EXIT
python3 -m venv "$environment"
"$environment/bin/pip" install --quiet --disable-pip-version-check -r Scripts/python-tests.txt "$wheel"
"$environment/bin/openvision-models" install
"$environment/bin/python" -m pytest -q -p no:cacheprovider Python/tests "$@"

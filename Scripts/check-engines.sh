#!/usr/bin/env bash
# Runs the examples of Spark and Ray on the real engines on this machine, and compares what they store with the answers
# of `openvision worker`.
#
#   Scripts/check-engines.sh [FOLDER] [--engine spark|ray]… [--rate N]
#
# FOLDER: photographs; without it some are made. --rate N: the rates as well, over each photograph N times.
# WHEEL=file, TOOL=program: without them the wheel and the tool are built.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=Scripts/peers/environment.sh
. Scripts/peers/environment.sh
Scripts/setup.sh Scripts/debian-packages-engines.txt

wheel=${WHEEL:-} tool=${TOOL:-}
if [ -z "$wheel" ]; then
  Scripts/wheel.sh
  wheel=$(ls -t .build-wheel/dist/openvision-*.whl | head -n 1)
fi
if [ -z "$tool" ]; then
  swift build -c release --product openvision
  tool=$(swift build -c release --show-bin-path)/openvision
fi
"$tool" models install >/dev/null
peers_environment engines engines-requirements.txt
"$peers_cache/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --force-reinstall "$wheel"
exec "$peers_python" Scripts/check-engines.py "$tool" "$@"

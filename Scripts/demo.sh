#!/usr/bin/env bash
# The demonstration: installs what is missing, builds, fetches footage, and shows what the tool does with it. What these
# steps print goes to demo/setup.log; the results and a page that shows them go to demo.
#
#   Scripts/demo.sh [FOLDER]     FOLDER: where the results are written; default demo
#
# TOOL=program uses an installed openvision and builds nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=${1:-demo} tool=${TOOL:-}
mkdir -p "$folder"
log=$folder/setup.log
: >"$log"

quietly() { # TITLE COMMAND…
  local title=$1 start=$SECONDS && shift
  printf '%s … ' "$title"
  if ! "$@" >>"$log" 2>&1; then
    echo "failed; the end of $log:"
    tail -n 12 "$log"
    exit 1
  fi
  echo "$((SECONDS - start)) s"
}

if [ -z "$tool" ]; then
  quietly "Debian packages" Scripts/setup.sh
  quietly "Building (some minutes the first time)" swift build -c release --product openvision
  tool=$(swift build -c release --show-bin-path)/openvision
fi
quietly "Networks (114 MB the first time)" "$tool" models install
quietly "Footage (105 MB the first time)" Scripts/fetch-footage.sh
echo
exec Scripts/demo/show.py "$tool" "$(Scripts/fetch-footage.sh)" "$folder"

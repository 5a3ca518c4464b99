#!/usr/bin/env bash
# Builds the tool and installs the models that are missing. Arguments go to `openvision models install`.
set -euo pipefail
cd "$(dirname "$0")/.."

swift build -c release --product openvision
exec "$(swift build -c release --show-bin-path)/openvision" models install "$@"

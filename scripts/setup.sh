#!/bin/sh
# Makes .venv from uv.lock: with uv where it is installed, else with a Python 3.13 found here.
set -eu
cd "$(dirname "$0")/.."

missing() {
    cat >&2 <<'TEXT'
Keepsake needs Python 3.13, and none was found. Install one of these, then run the same command again:
  - uv (it brings Python along):  https://docs.astral.sh/uv/
  - CPython 3.13 as python3.13 or python3 (on Debian and Ubuntu with its venv package)
TEXT
    exit 1
}

is_right() {
    "$1" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 13))' >/dev/null 2>&1
}

if command -v uv >/dev/null 2>&1; then
    UV=uv
else
    if ! is_right .venv/bin/python; then
        found=""
        for name in python3.13 python3 python; do
            if is_right "$name"; then found=$name; break; fi
        done
        [ -n "$found" ] || missing
        echo "Making .venv with $found."
        rm -rf .venv
        "$found" -m venv .venv || missing
    fi
    if ! [ -x .venv/bin/uv ]; then
        .venv/bin/python -m pip install --quiet --quiet --disable-pip-version-check "uv>=0.9"
    fi
    UV=.venv/bin/uv
fi
echo "Installing the packages of uv.lock (the first time takes a minute)."
# --inexact keeps uv itself, which is in .venv but not in uv.lock.
"$UV" sync --locked --inexact --quiet

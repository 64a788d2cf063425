#!/bin/sh
# Pin runtime and development requirements, with the hashes of every platform's files and without
# registry addresses. Usage: tests/lock.sh .venv/bin
set -eu
bin=$1
"$bin/python" -m pip install --quiet pip-tools
pin() {
  "$bin/pip-compile" --quiet --generate-hashes --no-emit-index-url --no-emit-options --no-header \
    --strip-extras --allow-unsafe "$@" pyproject.toml requirements-build.in
}
pin --output-file requirements.lock
pin --extra dev --constraint requirements.lock --output-file requirements-dev.lock

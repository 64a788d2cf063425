#!/bin/sh
# Every static check, in the order of what fails fastest. Usage: tests/check.sh .venv/bin
set -u
bin=$1
failed=0
check() {
  printf '%s… ' "$1"
  shift
  if output=$("$@" 2>&1); then echo ok; else echo FAILED; echo "$output"; failed=1; fi
}
need() {
  command -v "$1" >/dev/null 2>&1 && return
  echo "$1 is missing. Debian: apt-get install $2   macOS: brew install $3"
  failed=1
}
check "ruff" "$bin/ruff" check decoder tests
check "ruff format" "$bin/ruff" format --check decoder tests
check "mypy --strict" "$bin/mypy"
check "import-linter" "$bin/lint-imports"
check "djlint" "$bin/djlint" --lint templates
check "hadolint" "$bin/hadolint" Dockerfile
need luacheck lua-check luacheck
check "luacheck" luacheck -q lua
# The audit asks a service for known vulnerabilities; where that cannot be reached it says so.
printf 'pip-audit… '
if output=$("$bin/pip-audit" --disable-pip --require-hashes --requirement requirements.lock --progress-spinner off --timeout 10 2>&1); then
  echo ok
elif printf '%s' "$output" | grep -qE 'ConnectionError|Max retries exceeded|ConnectTimeout|ReadTimeout|NameResolutionError'; then
  echo "not done: its data cannot be reached from here"
else
  echo FAILED
  echo "$output"
  failed=1
fi
exit $failed

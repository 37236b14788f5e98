#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# release.sh [OUTPUT [BUILD]]: makes all that a release consists of in the folder
# OUTPUT (dist), and tries each part. BUILD, a build folder of the preset
# portable, is gone on with; without it the preset's own is. Publishes nothing:
# docs/release.md says what is done before and after.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
output=$(realpath -m "${1:-dist}")
build=${2:-$root/build/portable}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
say() { echo "release.sh: $*"; }
die() { say "$*" >&2; exit 1; }
[ -z "$(ls -A "$output" 2>/dev/null)" ] || die "$output is not empty"
mkdir -p "$output"

say "building"
[ -n "${2:-}" ] || (cd "$root" && cmake --preset portable >"$work/log") ||
  { cat "$work/log"; die "cmake could not configure"; }
cmake --build "$build" --target kpipe kpipe-pages
cmake --install "$build" --prefix "$work/kpipe" --strip >/dev/null
program=$work/kpipe/bin/kpipe
version=$("$program" --version | awk '{ print $2 }')
readelf -l "$program" | grep -q INTERP && die "the program is not static"

say "packing kpipe $version"
name=kpipe-$version-linux-$(uname -m)
tar -C "$work/kpipe" --sort=name --owner=0 --group=0 --mtime=@0 -cf - . |
  gzip -n9 >"$output/$name.tar.gz"
python3 "$root/tool/package/wheel.py" "$work/kpipe" "$output"
(cd "$work" && cpack --config "$build/CPackConfig.cmake" -G DEB -B deb >log) ||
  { cat "$work/log"; die "cpack failed"; }
mv "$work"/deb/*.deb "$output"

say "trying the program with nothing around it"
kernel=$root/docs/examples/python/gemm_kernel.cu
mkdir "$work/try" && tar -C "$work/try" -xf "$output/$name.tar.gz"
env -i "$work/try/bin/kpipe" rewrite "$kernel" --arch=sm_86 2>/dev/null |
  grep -q 'As_stages\[2\]' || die "it does not rewrite $kernel"

say "trying the wheel"
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --no-index "$output"/*.whl
env -i "$work/env/bin/python" "$root/test/Python/Inputs/module.py"
if python3 -c 'import auditwheel' 2>/dev/null; then
  python3 -m auditwheel show "$output"/*.whl | grep 'platform tag'
fi

say "trying the Debian package"
dpkg-deb -f "$output"/*.deb Depends | grep . && die "it depends on something"
dpkg-deb -x "$output"/*.deb "$work/root"
env -i "$work/root/usr/bin/kpipe" --version >/dev/null

(cd "$output" && sha256sum -- * >"$work/sums" && mv "$work/sums" SHA256SUMS)
say "made, and not published:"
ls -l "$output"

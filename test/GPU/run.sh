#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs the programs that build.py made, in the folder that this file is in:
# every rewritten one must print what its original prints, which is a hash of
# each buffer of each case. The originals' output is left in <kernel>/original.txt.
# With SANITIZER=path of compute-sanitizer, its four tools must be clean as well.
cd "$(dirname "$0")" || exit 2
programs=0
failures=0

fail() {
  echo "FAIL: $1"
  failures=$((failures + 1))
}

for original in */original; do
  kernel=$(dirname "$original")
  KPIPE_STAGES=${KPIPE_STAGES:-3}
  export KPIPE_STAGES
  "$original" > "$kernel/original.txt" || fail "$original"
  for program in "$kernel"/*; do
    case $program in *.cu | *.txt) continue ;; esac
    programs=$((programs + 1))
    "$program" > "$program.out.txt" || fail "$program"
    cmp -s "$kernel/original.txt" "$program.out.txt" ||
      fail "$program differs: $(diff "$kernel/original.txt" "$program.out.txt" | grep '^>' | head -1)"
    if [ -n "$SANITIZER" ]; then
      for tool in racecheck memcheck synccheck initcheck; do
        "$SANITIZER" --tool $tool --error-exitcode 9 "$program" \
          > "$program.$tool.txt" 2>&1 || fail "$program: $tool: $(grep -m1 'Error\|Warning\|ERROR SUMMARY' "$program.$tool.txt")"
      done
    fi
  done
done
echo "$programs programs, $failures failures"
test "$failures" = 0

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs the programs that build.py made, in the folder that this file is in:
# every rewritten one must print what its original prints, which is a hash of
# each buffer of each case. The originals' output is left in <kernel>/original.txt.
# With SANITIZER=compute-sanitizer its four tools must find nothing either, in
# JOBS programs at a time. KPIPE_STAGES gives S, from which trip counts come.
cd "$(dirname "$0")" || exit 2
export KPIPE_STAGES="${KPIPE_STAGES:-3}"

programs() { find . -mindepth 2 -type f -perm -u+x ! -name '*.txt' | sort; }

if [ "$1" = --sanitize ]; then # one program, called by the line below
  for tool in racecheck memcheck synccheck initcheck; do
    log=$2.$tool.txt
    "$SANITIZER" --tool $tool --error-exitcode 9 "$2" > "$log" 2>&1 ||
      echo "FAIL: $2: $tool: $(grep -m1 -E '^=+ *(Error|Warning|Invalid|Uninit|Barrier)' "$log")"
  done
  exit 0
fi

{
  for original in */original; do
    kernel=$(dirname "$original")
    "$original" > "$kernel/original.txt" || echo "FAIL: $original"
    for program in "$kernel"/*; do
      case $program in *.cu | *.txt | */original) continue ;; esac
      "$program" > "$program.txt" || echo "FAIL: $program"
      cmp -s "$kernel/original.txt" "$program.txt" ||
        echo "FAIL: $program differs: $(diff "$kernel/original.txt" "$program.txt" | grep -m1 '^>')"
    done
  done
  if [ -n "$SANITIZER" ]; then
    export SANITIZER
    programs | xargs -P "${JOBS:-8}" -n 1 sh run.sh --sanitize
  fi
} > failures.txt
cat failures.txt
echo "$(programs | wc -l) programs, $(wc -l < failures.txt) failures${SANITIZER:+, four sanitizer tools each}"
test ! -s failures.txt

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# interrupt.py RUNS COMMAND...: runs the command, sends it SIGINT when the file
# 'runs', to which each program adds a line, has that many, and prints what it
# ended with.
import os
import signal
import subprocess
import sys
import time

# A busy machine's, for taking turns.
PATIENCE = 2


def runs():
    if not os.path.exists("runs"):
        return 0
    with open("runs") as file:
        return len(file.readlines())


# What runs in the background of a shell ignores SIGINT, and so do its children.
process = subprocess.Popen(
    sys.argv[2:], preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
while runs() < int(sys.argv[1]):
    time.sleep(0.02)
    if process.poll() is not None:
        sys.exit("it ended too early")
begin = time.monotonic()
process.send_signal(signal.SIGINT)
code = process.wait(timeout=60)
# A second, and what a busy machine takes to run anything at all.
late = time.monotonic() - begin > 1 + PATIENCE
print("exit code", code, "late" if late else "", flush=True)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# interrupt.py FILE COMMAND...: runs the command, sends it SIGINT two seconds
# after it started its first program, and prints what it ended with.
import glob
import os
import signal
import subprocess
import sys
import time

process = subprocess.Popen(sys.argv[2:])
# A program has run when there is a file with what it printed.
while not glob.glob(os.path.join(os.environ["TMPDIR"], "*", "*.out")):
    time.sleep(0.05)
    if process.poll() is not None:
        sys.exit("it ended too early")
time.sleep(2)
process.send_signal(signal.SIGINT)
print("exit code", process.wait(timeout=20), flush=True)

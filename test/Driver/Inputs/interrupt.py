# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# interrupt.py SIGNALS STARTED COMMAND...: runs the command in a group of its
# own, sends the program (INT, TERM) or, in small letters, its whole group the
# signals, such as INT,INT, as soon as a file fits the pattern STARTED, and
# prints what it ended with.
import glob
import os
import signal
import subprocess
import sys
import time

for number in (signal.SIGINT, signal.SIGTERM):  # shells' background ignores it
    signal.signal(number, signal.SIG_DFL)
process = subprocess.Popen(sys.argv[3:], start_new_session=True)
while not glob.glob(sys.argv[2]):
    time.sleep(0.02)
    if process.poll() is not None:
        sys.exit("it ended too early")
for name in sys.argv[1].split(","):
    number = getattr(signal, "SIG" + name.upper())
    (os.kill if name.isupper() else os.killpg)(process.pid, number)
    time.sleep(0.2)
try:
    print("ended with", process.wait(timeout=60), flush=True)
except subprocess.TimeoutExpired:
    process.kill()
    sys.exit("it did not end")

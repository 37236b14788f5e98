#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Stands in for an nvcc that takes long and does not end when it is asked to.
import signal
import sys
import time

if "--version" in sys.argv:
    print("Cuda compilation tools, release 13.0, V13.0.88")
    sys.exit(0)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
open("started", "w").close()
time.sleep(10)

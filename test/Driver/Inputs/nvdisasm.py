#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Stands in for nvdisasm: prints the listing that nvcc.py named.
import os
import sys

if os.path.exists("refuse-nvdisasm"):
    sys.exit("nvdisasm fatal : stand-in")
with open(sys.argv[-1]) as file:
    with open(file.read()) as listing:
        sys.stdout.write(listing.read())

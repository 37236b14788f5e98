# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Prints, kernel by kernel, the static shared bytes of kpipe's report and those
# that `ptxas -v` told.
import json
import re
import sys

report, listing = sys.argv[1:]
kernel, told = None, {}
for line in open(listing):
    if match := re.search(r"entry function '_Z\d+([a-z_]+?)PKf", line):
        kernel = match[1]
    if match := re.search(r"(\d+) bytes smem", line):
        told[kernel] = match[1]
for loop in json.load(open(report))["loops"]:
    (arch,) = loop["archs"]
    print(loop["function"], arch["budget"]["sharedBytesBefore"],
          told.get(loop["function"]))

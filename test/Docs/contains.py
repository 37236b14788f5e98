# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# contains.py FILE PART: does the first file hold the second as it stands?
import sys
from pathlib import Path

sys.exit(Path(sys.argv[2]).read_text() not in Path(sys.argv[1]).read_text())

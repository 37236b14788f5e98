# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs the .cu files of this folder as tests: copy it beside yours.
#   lit .                        kpipe and FileCheck on PATH
#   lit -Dkpipe=/path/kpipe .    another kpipe
import os
import tempfile

import lit.formats

config.name = "my-kernels"
config.test_format = lit.formats.ShTest()
config.suffixes = [".cu"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = tempfile.mkdtemp()
config.substitutions.append(("%kpipe", lit_config.params.get("kpipe", "kpipe")))
config.environment["PATH"] = os.environ["PATH"]

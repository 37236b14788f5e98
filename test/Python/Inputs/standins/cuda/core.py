# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cuda.core's compiler, as far as docs/examples use it."""
import nvrtc


class ProgramOptions:
    def __init__(self, arch):
        self.arch = arch


class Code:
    def __init__(self, code):
        self.code = code


class Program:
    def __init__(self, source, language, options):
        assert language == "c++"
        self.source, self.arch = source, options.arch

    def compile(self, target):
        assert target == "cubin"
        return Code(nvrtc.compile_text(self.source, self.arch))

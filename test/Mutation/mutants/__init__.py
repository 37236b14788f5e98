# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The mutants: one small break each, as a replacement in the source. A text
# that is to be replaced must occur exactly once in its file; score.py --check,
# which runs with the tests, says where it no longer does.
from .asynchronous import ASYNCHRONOUS
from .lowered import LOWERED
from .mutant import SUITES
from .planning import PLANNING
from .registers import REGISTERS
from .rules import RULES
from .runtime import RUNTIME
from .schedules import HEAD, SCHEDULE, SLOTS, VALIDATOR
from .sums import SUMS
from .text import EMISSION
from .tune import TUNE
from .validation import VALIDATION

ALL = SCHEDULE + HEAD + SLOTS + VALIDATOR + EMISSION + RULES + PLANNING + RUNTIME \
    + VALIDATION + REGISTERS + ASYNCHRONOUS + LOWERED + TUNE + SUMS

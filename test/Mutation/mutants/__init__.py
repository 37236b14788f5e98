# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The mutants: one small break each, as a replacement in the source. A text
# that is to be replaced must occur exactly once in its file; score.py --check,
# which runs with the tests, says where it no longer does.
from .archs import ARCHS
from .asynchronous import ASYNCHRONOUS
from .boxes import BOXES
from .bulk import BULK
from .bulk_rows import BULK_ROWS
from .clones import CLONES
from .contents import CONTENTS
from .copies import COPIES
from .indirect import INDIRECT
from .lowered import LOWERED
from .mutant import SUITES
from .names import NAMES
from .partial import PARTIAL
from .planning import PLANNING
from .producers import PRODUCERS
from .reach import REACH
from .registers import REGISTERS
from .restaged import RESTAGED
from .rings import RINGS
from .rules import RULES
from .runtime import RUNTIME
from .schedules import HEAD, SCHEDULE, SLOTS, VALIDATOR
from .staged import STAGED
from .steps import STEPS
from .sums import SUMS
from .text import EMISSION
from .threads import THREADS
from .tma import TMA
from .tune import TUNE
from .validation import VALIDATION
from .ways import WAYS

ALL = SCHEDULE + HEAD + SLOTS + VALIDATOR + EMISSION + RULES + RINGS \
    + COPIES + NAMES + THREADS + PLANNING + RUNTIME + VALIDATION + REGISTERS \
    + ASYNCHRONOUS + LOWERED + STAGED + STEPS + TUNE + SUMS + BULK \
    + CONTENTS + ARCHS + WAYS + PRODUCERS + BOXES + TMA \
    + PARTIAL + BULK_ROWS + CLONES + RESTAGED \
    + REACH + INDIRECT

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Rings that the copy engine fills: what recognition asks for, the schedule, its
# validator, and the check of the result.
from .mutant import Mutant, source


def ring(file, what, old, new):
    return Mutant(f'bulk tile: {what}', source(file), old, new)


RINGS = [
    ring('BulkBarrier', 'any count of arrivals', 'if (Init->Value != 1)',
         'if (false)'),
    ring('BulkLoops', 'any bytes', 'else if (*Copied != int64_t(*Tile.Bulk->Bytes))',
         'else if (false)'),
    ring('BulkLoops', 'any bytes of arrays', 'else if (*Tile.Bulk->Bytes != Room)',
         'else if (false)'),
    ring('BulkLoops', 'another mbarrier',
         '(variableAt(Op.Barrier, Context, &Whole) != Barrier || !Whole)',
         'false'),
    ring('BulkLoops', 'who issues varies', 'if (Facts.Variant.count(V))',
         'if (false)'),
    ring('BulkBarrier', 'the mbarrier is used elsewhere', 'if (F.Found)\n      no(',
         'if (false)\n      no('),
    ring('BulkParity', 'any variable is a phase',
         'return Flip && timesChanged(Facts.Tile.Function->getBody(), V) == 1;',
         'return true;'),
    ring('BulkParity', 'any step of the tile',
         'return startsAtZero(V) && stepOf(H) == Step;', 'return true;'),
    ring('BulkFlight', 'sums that are used stay in flight',
         "Why = {msg::flight_sums_used, quoted(InLoop.Other->getDecl())};", ';'),
    ring('BulkObstacles', 'stores in the loop',
         'else if (A.Write)\n        no(At, msg::bulk_stores);', ''),
    ring('BulkObstacles', 'fences in the loop',
         'if (!llvm::StringRef(E.Name).starts_with("fence.proxy.async") &&',
         'if (false &&'),
    ring('BulkObstacles', 'a barrier for some threads', 'if (Apart)', 'if (false)'),
    ring('RingSchedule', 'no wait for the tile',
         'S.Steady = {Step::waitFull(), Step::compute(0, 0)};',
         'S.Steady = {Step::compute(0, 0)};'),
    ring('RingSchedule', 'no release', 'S.Steady.push_back(Step::release());',
         ''),
    ring('RingSchedule', 'no fence',
         'S.Steady.push_back(Step::proxyFence().ifThere());', ''),
    ring('RingSchedule', 'two groups stay in flight',
         'S.Steady.push_back(Step::matrixWait(1));',
         'S.Steady.push_back(Step::matrixWait(2));'),
    ring('RingSchedule', 'wgmma are in flight at the end',
         'S.Epilogue.push_back(Step::matrixWait(0));', ''),
    ring('Emission/Skeleton', 'the parity stays',
         '" ^= " + T.Stage + " == 0;"', '" ^= 0;"'),
    ring('BarrierStages', 'one stage less is initialised',
         'std::to_string(Plan.Buffers)', 'std::to_string(Plan.Buffers - 1)'),
    ring('BulkMatcher', 'any wait', 'M.names(O.kid(2), Parity)) ||', 'true) ||'),
    ring('BulkMatcher', 'waits that do more', 'return Reader.read(Item.S) && Reader.Waits == 1;',
         'return true;'),
]

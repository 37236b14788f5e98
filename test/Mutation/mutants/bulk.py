# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Rings that the copy engine fills: what recognition asks for, the schedule, its
# validator, and the check of the result.
from .mutant import Mutant, source


def bulk(file, what, old, new):
    return Mutant(f'bulk tile: {what}', source(file), old, new)


BULK = [
    bulk('BulkBarrier', 'any count of arrivals', 'if (Init->Value != 1)',
         'if (false)'),
    bulk('BulkLoops', 'any bytes', 'else if (*Copied != int64_t(*Tile.Bulk->Bytes))',
         'else if (false)'),
    bulk('BulkLoops', 'any bytes of arrays', 'else if (*Tile.Bulk->Bytes != Room)',
         'else if (false)'),
    bulk('BulkLoops', 'another mbarrier',
         '(variableAt(Op.Barrier, Context, &Whole) != Barrier || !Whole)',
         'false'),
    bulk('BulkLoops', 'who issues varies', 'if (Facts.Variant.count(V))',
         'if (false)'),
    bulk('BulkBarrier', 'the mbarrier is used elsewhere', 'if (F.Found)\n      no(',
         'if (false)\n      no('),
    bulk('BulkParity', 'any variable is a phase',
         'return Flip && timesChanged(Facts.Tile.Function->getBody(), V) == 1;',
         'return true;'),
    bulk('BulkParity', 'any step of the tile',
         'return startsAtZero(V) && stepOf(H) == Step;', 'return true;'),
    bulk('BulkFlight', 'sums that are used stay in flight',
         "Why = {msg::flight_sums_used, quoted(InLoop.Other->getDecl())};", ';'),
    bulk('BulkObstacles', 'stores in the loop',
         'else if (A.Write)\n        no(At, msg::bulk_stores);', ''),
    bulk('BulkObstacles', 'fences in the loop',
         'if (!llvm::StringRef(E.Name).starts_with("fence.proxy.async") &&',
         'if (false &&'),
    bulk('BulkObstacles', 'a barrier for some threads', 'if (Apart)', 'if (false)'),
    bulk('RingSchedule', 'no wait for the tile',
         'S.Steady = {Step::waitFull(), Step::compute(0, 0)};',
         'S.Steady = {Step::compute(0, 0)};'),
    bulk('RingSchedule', 'no release', 'S.Steady.push_back(Step::release());',
         ''),
    bulk('RingSchedule', 'no fence',
         'S.Steady.push_back(Step::proxyFence().ifThere());', ''),
    bulk('RingSchedule', 'two groups stay in flight',
         'S.Steady.push_back(Step::matrixWait(1));',
         'S.Steady.push_back(Step::matrixWait(2));'),
    bulk('RingSchedule', 'wgmma are in flight at the end',
         'S.Epilogue.push_back(Step::matrixWait(0));', ''),
    bulk('Emission/Skeleton', 'the parity stays',
         '" ^= " + T.Stage + " == 0;"', '" ^= 0;"'),
    bulk('BarrierStages', 'one stage less is initialised',
         'std::to_string(Plan.Buffers)', 'std::to_string(Plan.Buffers - 1)'),
    bulk('BulkMatcher', 'any wait', 'M.names(O.kid(2), Parity)) ||', 'true) ||'),
    bulk('BulkMatcher', 'waits that do more', 'return Reader.read(Item.S) && Reader.Waits == 1;',
         'return true;'),
    bulk('BulkBarrier', 'the initialising statement does more',
         'if (!initialisesOnly(V))', 'if (false)'),
    bulk('BulkLoops', 'tiles fill other elements', '    checkPlaces();\n', ''),
    bulk('BulkFlight', 'sums are used in calls',
         'if (usesSums(Product, Sums))', 'if (false)'),
]

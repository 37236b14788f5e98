# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A warp of its own that has the copy engine bring the tiles: what the kernel may
# do beside it, its schedule, and the check of the result.
from .mutant import Mutant, source


def producer(file, what, old, new):
    return Mutant(f'producer warp: {what}', source(file), old, new)


PRODUCERS = [
    producer('SeenLaunches', 'blocks of several axes',
             'if ((*L.CertainBlock)[1] != 1 || (*L.CertainBlock)[2] != 1)',
             'if (false)'),
    producer('SeenLaunches', 'blocks that differ',
             'Producer.Authors && Producer.Authors != Threads', 'false'),
    producer('SeenLaunches', 'a part of a warp',
             'if (Producer.Authors % ProducerWarp::Threads != 0)', 'if (false)'),
    producer('SeenLaunches', 'no room for a warp',
             'if (Producer.Authors + ProducerWarp::Threads > Most)',
             'if (false)'),
    producer('Kernel/LaunchBounds', 'bounds stay',
             'return replace(First.Offset, Length, Text + " + " + '
             'std::to_string(More));', 'return std::move(Made);'),
    producer('ProducerCode', 'sizes in functions', 'if (In)\n      return no({msg::producer_size',
             'if (false)\n      return no({msg::producer_size'),
    producer('ProducerCode', 'barriers in functions',
             'if (In)\n      no({msg::producer_barrier', 'if (false)\n      no({msg::producer_barrier'),
    producer('ProducerCode', 'groups of the block',
             'if (isIn(F, "cooperative_groups") || isIn(F, "cub") ||', 'if ('),
    producer('ProducerCode', 'numbered barriers in assembly',
             'if (Word.starts_with("bar.") || Word.starts_with("barrier."))\n'
             '        return no({msg::producer_numbered',
             'if (false)\n        return no({msg::producer_numbered'),
    producer('ProducerCode', 'threads that leave',
             'return In || Closures || no(msg::producer_leaves);\n  }\n'
             '  bool VisitGoto', 'return true;\n  }\n  bool VisitGoto'),
    producer('ProducerCode', 'copies that depend on the thread',
             '!Values.dependent(D) || named(V);', 'true;'),
    producer('ProducerWarps', 'all threads arrive', 'if (B.AllArrive)',
             'if (false)'),
    producer('ProducerWarps', 'barriers under conditions in front',
             'return no({msg::producer_barrier_place, line(B)});', 'return;'),
    producer('ProducerWarps', 'loops with barriers behind', 'if (isLoop(Around))',
             'if (false)'),
    producer('ProducerWarps', 'statements in front are for all',
             'Made->Guarded.push_back(S);', ';'),
    producer('ProducerWarps', 'elements that more threads would not have',
             'if (By && (Threads.dependent(By) || readsUnset(By)))', 'if (false)'),
    producer('ProducerWarps', 'values of the author\'s threads',
             'return no({msg::producer_guarded_value, quoted(V)});', 'return;'),
    producer('ProducerWarps', 'declarations that do more',
             'if (Declares && !Own)', 'if (false)'),
    producer('SpecializedSchedule', 'no fence',
             'Step::waitEmpty(), Step::proxyFence(), Step::load(0, 0)',
             'Step::waitEmpty(), Step::load(0, 0)'),
    producer('SpecializedSchedule', 'no wait for a free stage',
             'Step::waitEmpty(), Step::proxyFence()', 'Step::proxyFence()'),
    producer('SpecializedSchedule', 'freed while wgmma read it',
             'Done = Shape.InFlight ? Last : 0;', 'Done = 0;'),
    producer('SpecializedSchedule', 'the parity of the other form',
             'Step::turn(Done)', 'Step::turn()'),
    producer('SpecializedSchedule', 'any stage may be overwritten',
             'if (To.Now != Stage::State::Empty)', 'if (false)'),
    producer('SpecializedSchedule', 'nobody is stuck',
             'return fail(msg::schedule_stuck, W.Computed);', 'return;'),
    producer('ProducerEdits', 'launches stay',
             'Edits.push_back(\n        {At->Begin, 0, Calls.to(Primitive::WithProducer) + "("});\n'
             '    Edits.push_back({At->End, 0, ")"});', ''),
    producer('ProducerEdits', 'barriers are for all',
             'for (const Expr *E : Producer.Barriers)',
             'for (const Expr *E : llvm::ArrayRef<const Expr *>())'),
    producer('Emission/Skeleton', 'the producer goes on', 'line("return;");', ''),
    producer('Emission/Skeleton', 'the producer waits for the first phase',
             '" = 1;");\n    everyTile(S.Producer', '" = 0;");\n    everyTile(S.Producer'),
    producer('LaunchValidator', 'launches without the warp',
             'Wanted.push_back("kpipe::with_producer(");', ';'),
    producer('ProducerValidator', 'whatever stands in front',
             'if (Writes != Found.All.end() ||', 'if (false &&'),
    Mutant('producer warp: arrivals without a fence',
           'runtime/include/kpipe/free_stage.h', '  __threadfence_block();\n', ''),
    Mutant('producer warp: arrivals of a warp in pieces',
           'runtime/include/kpipe/free_stage.h', '  __syncwarp();\n', ''),
    Mutant('producer warp: another count of arrivals',
           'runtime/include/kpipe/start_stages.h', '"r"(_Threads / 32)',
           '"r"(_Threads)'),
]

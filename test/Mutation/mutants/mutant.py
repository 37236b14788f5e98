# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A small break of one source file, and who is asked first if it notices.
from collections import namedtuple
from pathlib import Path

ROOT = Path(__file__).parents[3]

Mutant = namedtuple('Mutant', 'name file old new')

# Who notices most mutants of a folder or file, the fastest and likeliest first:
# tests, unit tests (with * at the end), folders of tests, 'unit' for all of them.
UNIFORM = ['Legality/unequal-trips.cu', 'Legality/thread-values.cu',
           'Legality/multiples.cu',
           'Legality/uniform-barrier.cu', 'Kernels/equal_trips.cu',
           'Legality/verdicts.test', 'Kernels/verdicts.test', 'Adversary',
           'Legality', 'Planning', 'Kernels']
BRANCHES = ['LoweredMeaning.*', 'Legality/constant-branches.cu',
            'Legality/constant-branches-of-headers.cu',
            'Kernels/constant_branches.cu', 'Legality', 'Kernels']
STEPS = ['Legality/counted-loops.cu', 'Kernels/counted_loops.cu',
         'Legality/verdicts.test', 'Legality', 'Kernels']
JUMPS = ['Legality/jumps.cu', 'Kernels/jumps.cu', 'Legality', 'Kernels']
ASYNC = ['Async/load_helpers.cu', 'Async/rewritten.test', 'Async/reasons.test',
         'Async/verdicts.test', 'Legality/foreign-async.cu', 'Async']
BULK = ['Legality/one-stage-tma.cu', 'Legality/places-of-bulk-copies.cu',
        'Kernels/one_stage_tma.cu',
        'Kernels/one_stage_unclosed.cu', 'Legality', 'Kernels']
PRODUCER = ['SpecializedSchedule.*', 'ProducerRegisters.*',
            'Emission/producer_warp.test', 'Emission/producer_group.test',
            'Legality/producer-warp.cu', 'Legality/producer-group.cu',
            'Legality/producer-reads.cu', 'Legality/producer-values.cu',
            'Kernels/producer_warp.cu', 'Kernels/producer_group.cu',
            'Emission/producer_warp_code.test',
            'Emission/producer_group_code.test', 'Legality', 'Kernels']
CONTENTS = ['Planning/no-ring.cu', 'Kernels/kept_contents.cu',
            'Adversary/contents_by_other_names.cu', 'Legality/verdicts.test',
            'Adversary/verdicts.test', 'Legality', 'Planning', 'Kernels']
CLONED = ['Kernels/unused_parameters.cu', 'Kernels/uncalled_helpers.cu',
          'NameValidator.*', 'Emission']
WAYS = ['Legality/other-ways-to-stages.cu', 'Legality/number-views.cu',
        'Kernels/number_views.cu', 'Legality/verdicts.test']
PARTS = ['Legality/partial-tiles.cu', 'Legality/partial-rows.cu',
         'Legality/partial-counts.cu', 'Kernels/partial_counts.cu',
         'Kernels/partial_tiles.cu', 'Adversary/partial_tiles.cu',
         'Legality/verdicts.test', 'Legality']
CONFIGURED = ['Legality/configured-launches.cu', 'Legality/handed-launches.cu',
              'Legality/bytes-for-more.cu', 'Validation/indirect-launches.test',
              'Kernels/configured_launches.cu',
              'Legality', 'Planning']
MATRIX = ['Legality/sums-by-other-names.cu', 'Legality/plain-wgmma.cu',
          'Kernels/sums_by_other_names.cu', 'Kernels/plain_wgmma.cu', *BULK]
LOWERED = ['LoweredMeaning.*', 'Async/verdicts.test', 'Async/rewritten.test',
           'Legality/constant-branches.cu', 'Legality/foreign-async.cu', 'unit',
           'Validation', 'Adversary', 'Legality', 'Async']
SUMS = ['ElementTurns.*', 'Planning/sums.cu', 'Planning', 'Legality', 'Kernels']
THREADS = ['Registers/certain-threads.cu', 'Registers/min-blocks.cu',
           'Registers/capped.test', 'Planning/block-size.test', 'Registers',
           'Legality', 'Kernels']
UNITS_OF_VALIDATION = ['NameValidator.*', 'Order.*']

SUITES = {
    'lib/Boxes': ['Recognition/boxes.cu', 'Recognition/remap.cu',
                  'Kernels/remapped_copies.cu'],
    'lib/Tma': ['Recognition/tma.cu', 'Kernels/tma_copies.cu',
                'Recognition/bulk_copies.cu', 'Kernels/bulk_copies.cu'],
    'lib/Tma/Bulk.cpp': ['Recognition/bulk_copies.cu', 'Kernels/bulk_copies.cu'],
    'lib/Tma/Row': ['Recognition/bulk_copies.cu', 'Kernels/bulk_copies.cu'],
    'lib/Emission/UncalledHelpers.cpp': CLONED,
    'lib/Emission/UnusedParameters.cpp': CLONED,
    'lib/Emission/ArgumentLists.cpp': CLONED,
    'lib/Remap': ['Recognition/remap.cu', 'Kernels/remapped_copies.cu',
                  'RemappedMeaning.*'],
    'lib/Frontend': ['Frontend', 'Legality', 'Planning', 'Kernels'],
    'lib/Code': ['Legality', 'Planning', 'Adversary', 'Kernels'],
    'lib/Code/AstUtils.cpp': ['Recognition', 'Legality', 'Planning', 'Adversary',
                              'Kernels'],
    'lib/Code/AsyncOps.cpp': ASYNC,
    'lib/Code/AsyncWrappers.cpp': ASYNC,
    'lib/Code/CallIndex.cpp': ['Recognition', 'Legality', 'Planning',
                               'Adversary', 'Kernels'],
    'lib/Code/Conversions.cpp': ASYNC,
    'lib/Code/EqualTrips.cpp': UNIFORM,
    'lib/Code/InFlight.cpp': ['Async/besides.cu', *ASYNC, 'Legality'],
    'lib/Code/Multiples': UNIFORM,
    'lib/Code/OfArguments.cpp': UNIFORM,
    'lib/Code/Scope.h': UNIFORM,
    'lib/Code/ThreadDependence.cpp': [*UNIFORM, *PARTS],
    'lib/Code/Values.cpp': THREADS,
    'lib/Emission': ['Legality', 'Kernels', 'Execution'],
    'lib/Emission/BarrierStages.cpp': [*BULK, 'Emission'],
    'lib/Emission/DynamicShared.cpp': ['Planning', 'Kernels'],
    'lib/Emission/ProducerEdits.cpp': PRODUCER,
    'lib/Emission/RingSchedule.cpp': ['RingSchedule.*', *BULK],
    'lib/Emission/Schedule.cpp': ['Schedule.*', 'Planning', 'Kernels'],
    'lib/Emission/ScheduleValidator.cpp': ['Schedule.*', 'unit'],
    'lib/Emission/Skeleton.cpp': ['Emission', *BULK],
    'lib/Emission/SpecializedSchedule.cpp': PRODUCER,
    'lib/Emission/Unroll.cpp': ['Kernels/user_macros.cu', 'Kernels'],
    'lib/Emission/Stages.cpp': ['Planning', 'Legality', 'Kernels'],
    'lib/Engine': ['Planning', 'Legality', 'Kernels'],
    'lib/Engine/KernelsOfLoops.cpp': ['Registers', 'Planning'],
    'lib/HandStaged': ['HandStaged'],
    'lib/Kernel': ['Planning', 'Legality', 'Kernels'],
    'lib/Kernel/ConfiguredApart.cpp': CONFIGURED,
    'lib/Kernel/HandedLaunches.cpp': CONFIGURED,
    'lib/Kernel/LaunchConfigs.cpp': CONFIGURED,
    'lib/Validation/Launches/IndirectLaunches.cpp': CONFIGURED,
    'lib/Recognition/TileCopies/StoredByEitherCall.cpp': [
        'Legality/stored-by-either-call.cu', 'Legality/verdicts.test'],
    'lib/Recognition/Sums/RowsOfPlaces.cpp': [
        'Legality/partial-small-rows.cu', 'Legality/verdicts.test'],
    'lib/Kernel/KernelShape.cpp': ['Planning/handed-kernel.cu', *THREADS],
    'lib/Kernel/LaunchBounds.cpp': [*PRODUCER, *THREADS],
    'lib/Kernel/LaunchEdits.cpp': [*THREADS, 'Planning'],
    'lib/Kernel/MacroLaunches.cpp': ['Planning/grown.test', 'Planning/relaunch.test',
                                     'Kernels/kept_contents.cu', 'Planning'],
    'lib/Kernel/Producer': PRODUCER,
    'lib/Kernel/SeenLaunches.cpp': [*PRODUCER, *THREADS, 'Planning'],
    'lib/Kernel/UnreadSizes.cpp': THREADS,
    'lib/Kernel/UnreadText.cpp': [*THREADS, 'Planning'],
    'lib/Legality': ['Legality', 'Adversary'],
    'lib/Legality/CountedTurns.cpp': ['Legality/waits-in-compute.cu',
                                      'Legality', 'Adversary'],
    'lib/Legality/UniformBarrier.cpp': ['Legality/uniform-barrier.cu',
                                        'Legality/switch-into-branch.cu',
                                        'Legality/branch-behind-a-switch.cu',
                                        *UNIFORM],
    'lib/Validation/Restaged': ['HandStaged'],
    'lib/Lowering': [*ASYNC, 'Legality', 'Kernels'],
    'lib/Lowering/ConstantBranches.cpp': BRANCHES,
    'lib/Lowering/CountedLoops.cpp': STEPS,
    'lib/Lowering/EndingBreaks.cpp': JUMPS,
    'lib/Lowering/LocalNames.cpp': STEPS,
    'lib/Lowering/SecondSteps.cpp': STEPS,
    'lib/Lowering/Lowering.cpp': [*BRANCHES, 'Async'],
    'lib/Lowering/NegatedText.cpp': JUMPS,
    'lib/Lowering/PlainJumps.cpp': JUMPS,
    'lib/Metrics': ['Planning', 'Legality', 'Kernels'],
    'lib/Metrics/ElementTurns.cpp': SUMS,
    'lib/Metrics/FloatCode.cpp': SUMS,
    'lib/Metrics/KeptProducts.cpp': SUMS,
    'lib/Metrics/ProductReads.cpp': SUMS,
    'lib/Metrics/SeenCalls.cpp': SUMS,
    'lib/Metrics/Sums.cpp': SUMS,
    'lib/Planning': ['unit', 'Planning', 'Legality', 'Kernels'],
    'lib/Planning/BulkPlan.cpp': [*PRODUCER, *BULK, 'Planning'],
    'lib/Planning/RegisterChoice.cpp': ['RegisterChoice.*',
                                        'Registers/unrolled.test', 'Planning',
                                        'Registers'],
    'lib/Recognition': ['Legality', 'Planning', 'Adversary', 'Kernels'],
    'lib/Recognition/Stages/AddressFlow': ['Legality/kept-addresses.cu',
                                    'Legality/kept-by-calls.cu',
                                    'Kernels/kept_addresses.cu', *WAYS],
    'lib/Recognition/Stages/Blocks.cpp': [*WAYS, 'Legality', 'Kernels'],
    'lib/Recognition/Stages/ViewsAsAddresses.cpp': WAYS,
    'lib/Recognition/Stages/ViewsByNumber.cpp': WAYS,
    'lib/Recognition/Stages/Rings.cpp': [*WAYS, 'Legality', 'Planning', 'Adversary',
                                  'Kernels'],
    'lib/Code/OtherBlocks.cpp': WAYS,
    'lib/Recognition/Bulk': BULK,
    'lib/Recognition/Body/MatrixFlight.cpp': MATRIX,
    'lib/Recognition/Body/SumNames.cpp': MATRIX,
    'lib/Validation/Order/SumsInFlight.cpp': [*UNITS_OF_VALIDATION, *MATRIX],
    'lib/Recognition/Stages/PartialTiles.cpp': PARTS,
    'lib/Recognition/Sums/PathConditions.cpp': PARTS,
    'lib/Emission/ElementTypes.cpp': ['Legality/tiles-of-templates.cu',
                                      'Kernels/tiles_of_templates.cu',
                                      'Legality', 'Kernels'],
    'lib/Recognition/Steady': PARTS,
    'lib/Validation/BlockRuns/PartialReads.cpp': PARTS,
    'lib/Code/BulkOps.cpp': MATRIX,
    'lib/Validation/Order/OrderRuns.cpp': ['Order.*', *MATRIX],
    'lib/Recognition/Stages/KeptContents.cpp': CONTENTS,
    'lib/Recognition/Stages/OutsideAddresses.cpp': CONTENTS,
    'lib/Validation/Lockstep/ContentMoves.cpp': [*UNITS_OF_VALIDATION, *CONTENTS],
    'lib/Validation/Storage/WordsOfAddresses.cpp': WAYS,
    'lib/Validation/Lockstep/OutsideNames.cpp': CONTENTS,
    'lib/Recognition/Stages/Movable.cpp': [*WAYS, 'Planning', 'Kernels'],
    'lib/Target': ['unit', 'Planning'],
    'lib/Validation': [*UNITS_OF_VALIDATION, 'Validation', 'Adversary',
                       'Legality', 'unit'],
    'lib/Validation/Order/Accesses.cpp': [*UNITS_OF_VALIDATION,
                                    'Legality/switch-into-branch.cu',
                                    'Validation', 'Adversary', 'Legality',
                                    'unit'],
    'lib/Validation/Storage/StorageResolver.cpp': [
        'Kernels/returned_references.cu', *UNITS_OF_VALIDATION, 'Validation',
        'Adversary', 'Legality', 'unit'],
    'lib/Validation/Trees/StepMeaning.cpp': ['LoweredMeaning.*'],
    'lib/Validation/Trees/Addresses.cpp': LOWERED,
    'lib/Validation/Lowered/AsyncMeaning.cpp': LOWERED,
    'lib/Validation/Lockstep/BulkMatcher.cpp': [*UNITS_OF_VALIDATION, *BULK],
    'lib/Validation/Lowered/CopyInstructions.cpp': LOWERED,
    'lib/Validation/Lowered/KeptBytes.cpp': LOWERED,
    'lib/Validation/Trees/JumpMeaning.cpp': LOWERED,
    'lib/Validation/Trees/PairedNames.cpp': LOWERED,
    'lib/Validation/Lowered/LoweredCode.cpp': LOWERED,
    'lib/Validation/Lowered/LoweredMeaning.cpp': LOWERED,
    'lib/Validation/Lowered/Meetings.cpp': LOWERED,
    'lib/Validation/Lowered/MissedWaits.cpp': LOWERED,
    'lib/Validation/Lowered/OpenedBranches.cpp': LOWERED,
    'lib/Validation/Lowered/PlainCopies.cpp': LOWERED,
    'lib/Validation/Lowered/RoleTurns.cpp': LOWERED,
    'lib/Validation/Lockstep/Producer': PRODUCER,
    'lib/Validation/Lockstep/SkeletonProducer': PRODUCER,
    'lib/Validation/Order/Producer': [*UNITS_OF_VALIDATION, *PRODUCER],
    'lib/Validation/Order/WorkOfProducer': [*UNITS_OF_VALIDATION, *PRODUCER],
    'lib/Validation/Copies/PiecesRun.cpp': ['RemappedMeaning.*'],
    'lib/Validation/Copies/TileRuns.cpp': ['TmaMeaning.*'],
    'lib/Validation/Tma': ['TmaMeaning.*'],
    'lib/Recognition/Stages/FilledWhole.cpp': ['Legality/refilled-tiles.cu'],
    'lib/Validation/Storage/AllCome.cpp': ['RemappedMeaning.*'],
    'lib/Validation/Copies/EngineComparison.cpp': ['TmaMeaning.*', 'BulkMeaning.*'],
    'lib/Validation/Order/EngineFills.cpp': ['Legality/one-stage-tma.cu',
                                       'Legality/refilled-tiles.cu'],
    'lib/Validation/Copies/BulkCode.cpp': ['BulkMeaning.*'],
    'lib/Validation/Copies/BulkRun.cpp': ['BulkMeaning.*'],
    'lib/Validation/Copies/RowRuns.cpp': ['BulkMeaning.*'],
    'lib/Validation/Copies/RemappedCode.cpp': ['RemappedMeaning.*'],
    'lib/Validation/Copies/WordsStored.cpp': ['RemappedMeaning.*'],
    'lib/Validation/Trees/SameForAll.cpp': LOWERED,
    'lib/Validation/Lowered/UnseenCode.cpp': LOWERED,
    'lib/Validation/Order/UseChecks.cpp': [*WAYS, *UNITS_OF_VALIDATION, 'Adversary',
                                     'Legality'],
    'lib/Verify': ['Verify.*', 'unit', 'Verify'],
    'runtime': ['Runtime', 'Kernels'],
    'runtime/include/kpipe/free_stage.h': PRODUCER,
    'runtime/include/kpipe/give_registers.h': PRODUCER,
    'runtime/include/kpipe/start_stages.h': PRODUCER,
    'runtime/include/kpipe/take_registers.h': PRODUCER,
    'runtime/include/kpipe/with_producer.h': PRODUCER,
    'tool/nvcc': ['Registers', 'Verify'],
    'tool/registers': ['RegisterCache.*', 'Registers', 'unit'],
    'tool/rewrite/ArchGuards.cpp': ['Driver/per-arch.test',
                                    'Kernels/several_archs.cu', 'Driver'],
    'tool/rewrite/HeaderReaders.cpp': ['Driver/headers.test', 'Driver'],
    'tool/rewrite/SeveralArchs.cpp': ['Kernels/several_archs.cu',
                                      'Driver/architectures.test', 'Driver'],
    'tool/tune': ['Skips.*', 'Times.*', 'Tune/skips.test', 'Tune/resume.test',
                  'Tune/registers.test', 'Tune/gpus.test', 'unit', 'Tune'],
}


def source(name, within='lib'):
    """The one file there with that name, `Rings` or `Emission/Skeleton` or `Tree.h`."""
    file = name if name.endswith(('.cpp', '.h')) else f'{name}.cpp'
    found = list(ROOT.glob(f'{within}/**/{file}'))
    assert len(found) == 1, f'{name}: {len(found)} files'
    return str(found[0].relative_to(ROOT))


def drop(name, file, text):
    return Mutant(name, file, text, '')


def analysis(what, file, old, new):
    return Mutant(f'analysis: {what}', source(file), old, new)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Which form is chosen, which are skipped, and what stands for a measurement.
from .mutant import Mutant


def tuned(file, what, old, new):
    return Mutant(f'tune: {what}', f'tool/tune/{file}', old, new)


TUNE = [
    tuned('Times.cpp', 'the original wins only if it is fastest',
          'Forms[I].Asked.Original ? 0 :', 'Forms[I].Asked.Original ? 3 :'),
    tuned('Times.cpp', 'what failed can be chosen',
          'Forms[I].Times.Rounds && Forms[I].Failure.empty()',
          'Forms[I].Times.Rounds'),
    tuned('Times.cpp', 'the spread hides no gain',
          'Forms[*Fastest].Times.UpperQuartile', 'Forms[*Fastest].Times.Median'),
    tuned('Skips.cpp', 'one disturbed trial skips a form',
          'return fastest(F) > Factor * slowest(Than);',
          'return slowest(F) > Factor * fastest(Than);'),
    tuned('Skips.cpp', 'the plan is skipped before it is built',
          'if (F.Asked.Original || F.Planned)\n    return "";', ''),
    tuned('Skips.cpp', 'the plan is not measured',
          'if (F.Asked.Original || F.Planned || !isTried(F)',
          'if (F.Asked.Original || !isTried(F)'),
    tuned('Skips.cpp', 'stages that got slower once',
          'if (!isSlower(Second, First, Slower) || ', 'if ('),
    tuned('Skips.cpp', 'stages of another schedule count',
          'differences(O, F) == InStages', 'differences(O, F) & InStages'),
    tuned('Skips.cpp', 'stages of another route count',
          'isTried(O) && !O.Asked.Original && O.Variant == F.Variant',
          'isTried(O) && !O.Asked.Original'),
    tuned('Skips.cpp', 'rows that are a little slower as written',
          'isSlower(Short, Long, MostGained)', 'isSlower(Short, Long, 1)'),
    tuned('Skips.cpp', 'additions to a form that is a little slower',
          '!isSlower(*Plain, *Best, MostGained)', '!isSlower(*Plain, *Best, 1)'),
    tuned('Skips.cpp', 'additions to what failed',
          'if (Plain->IsUnbuilt)', 'if (!isTried(*Plain))'),
    tuned('BuiltRegisters.cpp', 'forms may spill',
          'case RegisterVerdict::Spills:\n      return', 'case RegisterVerdict::Spills:\n      if (false) return'),
    tuned('Contest.cpp', 'the plan is not run for its registers',
          'if (Everything || Form.Planned)', 'if (Everything)'),
    tuned('Skips.cpp', 'who failed leads the race',
          'return !F.Runs.Trials.empty() && F.Failure.empty();',
          'return !F.Runs.Trials.empty();'),
    tuned('Skips.cpp', 'additions come first', 'else if (plainForm(Forms, F))',
          'else if (false)'),
    tuned('Contest.cpp', 'another command is as good',
          '!llvm::is_contained(Earlier.Setup.Commands, std::pair(Name, Text))',
          'false'),
    tuned('Contest.cpp', 'another source is as good',
          'Form.first.Source == hashOfSource(C.Text)', 'true'),
    tuned('Benchmark.cpp', 'results are not compared',
          'Wanted && C.SameOutput && Out.Rest != *Wanted', 'false'),
    tuned('Benchmark.cpp', 'a round is the GPUs\' by turns',
          'ByGpu[Round % ByGpu.size()]', 'ByGpu[I % ByGpu.size()]'),
    tuned('Benchmark.cpp', 'an earlier session printed something else',
          'Wanted && !EarlierOutput.empty() && EarlierOutput != output()',
          'false'),
]

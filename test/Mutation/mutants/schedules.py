# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The schedules that kpipe makes, and what checks them.
from .mutant import Mutant, drop


def schedule(what, step, condition=''):
    """A step of the schedule that is left out, with its condition."""
    return drop(f'schedule: no {what}', 'lib/Emission/Schedule.cpp',
                f'{condition}{step}\n')


SCHEDULE = [
    Mutant('schedule: no barrier before the prologue',
           'lib/Emission/Schedule.cpp',
           '    S.Prologue.push_back(Step::barrier());\n  S.Prologue',
           '    ;\n  S.Prologue'),
    schedule('load in the prologue', '  S.Prologue.push_back(Step::load(0, 0));'),
    schedule('commit in the prologue',
             '    S.Prologue.push_back(Step::commit());',
             '  if (Shape.Async)\n'),
    schedule('store in the prologue',
             '    S.Prologue.push_back(Step::store(0, 0));',
             '  if (Shape.Registers)\n'),
    schedule('wait in the prologue', '    S.Prologue.push_back(Step::wait(0));',
             '  if (Shape.Async)\n'),
    Mutant('schedule: no barrier after the prologue', 'lib/Emission/Schedule.cpp',
           '  show(Shape, S.Prologue);\n\n  // Tile 1',
           '  // Tile 1'),
    schedule('load in the loop', '  S.Steady.push_back(Step::load(1, Other));'),
    schedule('commit in the loop', '    S.Steady.push_back(Step::commit());',
             '  if (Shape.Async)\n'),
    Mutant('schedule: no compute in the loop', 'lib/Emission/Schedule.cpp',
           '  compute(Shape, S.Steady);\n  if (!Ring)', '  if (!Ring)'),
    schedule('barrier before the store of a single buffer',
             '    S.Steady.push_back(Step::barrier());', '  if (!Ring)\n'),
    schedule('store in the loop',
             '    S.Steady.push_back(Step::store(1, Other));',
             '  if (Shape.Registers)\n'),
    schedule('wait in the loop', '    S.Steady.push_back(Step::wait(0));',
             '  if (Shape.Async)\n'),
    Mutant('schedule: a wait that is too weak', 'lib/Emission/Schedule.cpp',
           'S.Steady.push_back(Step::wait(0))',
           'S.Steady.push_back(Step::wait(1))'),
    Mutant('schedule: no barrier at the end of the loop',
           'lib/Emission/Schedule.cpp',
           '  show(Shape, S.Steady);\n  if (Ring)\n',
           '  if (Ring)\n'),
    schedule('turn of the stage', '    S.Steady.push_back(Step::turn());',
             '  if (Ring)\n'),
    schedule('epilogue', '  compute(Shape, S.Epilogue);'),
    Mutant('schedule: the epilogue on the wrong stage',
           'lib/Emission/Schedule.cpp',
           'compute(Shape, S.Epilogue);',
           'S.Epilogue.push_back(Step::compute(0, 1));'),
    Mutant('schedule: no barrier after the epilogue',
           'lib/Emission/Schedule.cpp',
           '    S.Epilogue.push_back(Step::barrier());\n  return S;\n}\n\n/// What',
           '    ;\n  return S;\n}\n\n/// What'),
    Mutant('schedule: a prologue for zero trips', 'lib/Emission/Schedule.cpp',
           'S.Guarded = Shape.MayBeEmpty;', 'S.Guarded = false;'),
    Mutant('schedule: prefetch one tile too far', 'lib/Emission/Schedule.cpp',
           'Step::load(1, Other)', 'Step::load(2, Other)'),
]


def head(what, old, new=';'):
    return Mutant(f'schedule at the head: {what}', 'lib/Emission/Schedule.cpp',
                  old, new)


HEAD = [
    head('no barrier before the fill',
         'S.Prologue.push_back(Step::barrier());\n\n  S.Fills', ';\n\n  S.Fills'),
    head('a fill that is one tile short', 'S.Fills = Shape.ahead();',
         'S.Fills = Shape.ahead() - 1;'),
    head('no load in the fill',
         'Shape.ahead();\n  S.Fill.push_back(Step::load(0, 0).ifThere());',
         'Shape.ahead();'),
    head('no store in the fill',
         'S.Fill.push_back(Step::store(0, 0).ifThere());'),
    head('no commit in the fill', 'S.Fill.push_back(Step::commit());'),
    head('a fill that does not ask',
         'Shape.ahead();\n  S.Fill.push_back(Step::load(0, 0).ifThere());',
         'Shape.ahead();\n  S.Fill.push_back(Step::load(0, 0));'),
    head('no wait', 'Out.push_back(Step::wait(Ahead - 1));'),
    head('a wait that is too weak', 'Step::wait(Ahead - 1)', 'Step::wait(Ahead)'),
    head('no barrier',
         '  show(Shape, Out);\n  if (Load)\n', '  if (Load)\n'),
    head('no load', 'Out.push_back(Step::load(Ahead, To).ifThere(IfThere));'),
    head('a load that does not ask', 'Step::load(Ahead, To).ifThere(IfThere)',
         'Step::load(Ahead, To)'),
    head('no commit', 'Out.push_back(Step::commit());'),
    head('no compute', 'Out.push_back(Step::compute(0, 0));'),
    head('no barrier before the store of a single buffer',
         'if (Load && !Ring)\n    Out.push_back(Step::barrier());'),
    head('no store', 'Out.push_back(Step::store(Ahead, To).ifThere(IfThere));'),
    head('no turn of the stage', 'Out.push_back(Step::turn());'),
    head('no drain', 'S.Drain = tile(Shape, false, false);'),
    head('a loop that peels too few tiles',
         'S.SteadyAhead = Peeled ? Shape.ahead() : 0;',
         'S.SteadyAhead = Peeled ? Shape.ahead() - 1 : 0;'),
    head('the stage after the loop',
         'already\n  if (Shape.StageAfter)\n    '
         'S.Epilogue.push_back(Step::turnBack());', 'already'),
    head('no barrier after the loop',
         'S.Epilogue.push_back(Step::barrier());\n  return S;\n}\n\n/// Each',
         ';\n  return S;\n}\n\n/// Each'),
]


def slots(what, old, new):
    return Mutant(f'schedule of several tiles in registers: {what}',
                  'lib/Emission/Schedule.cpp', old, new)


SLOTS = [
    slots('no barrier before the fill',
          'S.Prologue.push_back(Step::barrier());\n  S.Slots', ';\n  S.Slots'),
    slots('a fill that is a tile short', 'S.Slots = S.Fills = Shape.InRegisters;',
          'S.Slots = Shape.InRegisters;\n  S.Fills = Shape.InRegisters - 1;'),
    slots('a fill that does not ask',
          'Shape.InRegisters;\n  S.Fill.push_back(Step::load(0, 0).ifThere());',
          'Shape.InRegisters;\n  S.Fill.push_back(Step::load(0, 0));'),
    slots('no store', 'S.Steady = {Step::store(0, 0)};', ''),
    slots('no barrier', 'show(Shape, S.Steady);\n  S.Steady.push_back(Step::load(Shape',
          'S.Steady.push_back(Step::load(Shape'),
    slots('a load of the next tile', 'Step::load(Shape.InRegisters, 0)',
          'Step::load(1, 0)'),
    slots('a load that does not ask', 'InRegisters, 0).ifThere()',
          'InRegisters, 0)'),
    slots('no barrier behind a single buffer',
          'S.Steady.push_back(Step::barrier());\n    return S;', 'return S;'),
    slots('no turn of the stage',
          'S.Steady.push_back(Step::turn());\n  if (Shape.StageAfter)',
          'if (Shape.StageAfter)'),
    slots('the stage after the loop',
          'Step::turn());\n  if (Shape.StageAfter)\n    '
          'S.Epilogue.push_back(Step::turnBack());', 'Step::turn());'),
    slots('no barrier after the loop',
          'S.Epilogue.push_back(Step::barrier());\n  return S;\n}\n\nSchedule',
          ';\n  return S;\n}\n\nSchedule'),
]


def validator(what, old, new):
    return Mutant(f'validator: {what}', 'lib/Emission/ScheduleValidator.cpp',
                  old, new)


VALIDATOR = [
    validator('copies in flight to one stage', 'if (Old.InFlight())', 'if (false)'),
    validator('a stage that is still read', 'else if (Read[At])',
              'else if (false)'),
    validator('a tile that was not computed',
              'else if (Old.Tile && *Old.Tile >= Computed)', 'else if (false)'),
    validator('a tile that does not exist', 'if (Tile >= Trips)', 'if (false)'),
    validator('registers that are overwritten', 
              'if (InRegisters[InSlot])\n        fail',
              'if (false)\n        fail'),
    validator('a store of another tile', 'if (InRegisters[InSlot] != Tile)',
              'if (!InRegisters[InSlot])'),
    validator('all tiles in one slot', '(First + Turn) % S.Slots', '0'),
    validator('a wait that waits for all', 'A.Group + Pending <= Groups', 'true'),
    validator('a commit that is not needed',
              'A.Now == Slot::State::Flying && A.Group', 'A.InFlight() && A.Group'),
    validator('the wrong tile', 'if (X.Tile != Tile)', 'if (false)'),
    validator('a wait that is missing', 'else if (X.InFlight())',
              'else if (false)'),
    validator('a barrier that is missing',
              'else if (X.Now != Slot::State::Visible)', 'else if (false)'),
    validator('tiles out of order', 'if (Tile != Computed)', 'if (false)'),
    validator('tiles that are left out', 'if (Computed != Trips)', 'if (false)'),
    validator('copies in flight at the end',
              '    for (const Slot &A : Async)\n      if (A.InFlight())',
              '    for (const Slot &A : Async)\n      if (false)'),
    validator('a tile that is not asked for', '!Step.IfThere || Tile < Trips',
              'Tile < Trips'),
    validator('the stage after the loop', 'if (Shape.StageAfter && Trips',
              'if (false && Trips'),
    validator('no barrier after the loop', 'if (R && Shape.BarrierAfter)',
              'if (false)'),
]

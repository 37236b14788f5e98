# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# All axes in the order in which they are asked. What an option needs of earlier
# answers it says itself; nothing depends on later ones.
from . import (access, address, around, barrier, behind, carried, compute,
               delivery, effect, element, ends, expression, fill, header, held,
               helper, home, illegal, launch, naming, objects, place,
               reference, shape, view, walk)
from .axis import ARRAYS, View

EFFECTS = effect.EFFECTS
# What is put beside the staged arrays; many of these kpipe may only refuse.
BESIDES = [naming.COLLISION, reference.REFERENCE, expression.EXPRESSION,
           fill.COPY, helper.HELPER, carried.CARRIED, carried.STORED,
           behind.BESIDE, view.VIEW, held.HELD, objects.OBJECT]
_FIRST = shape.PROGRAM
_OF_ARRAYS = [*shape.ARRAY, element.TYPE, place.PLACE, access.UNIT,
              access.ACCESS, walk.WALK, access.FILL, compute.READ]
_THEN = [home.HOME, around.QUALIFIER, delivery.WRAP, home.PASSED,
         around.OUTER, header.HEADER, launch.LAUNCH]
_OF_ARRAYS_AGAIN = [address.ADDRESS]
_LAST = [address.BUMP, barrier.BARRIER, barrier.ARRANGEMENT, compute.PRODUCT,
         delivery.LOAD, delivery.COMPUTE, around.NAMES, around.DIRECTIVE,
         around.PRAGMA, *EFFECTS, *BESIDES, around.AFTER, illegal.ILLEGAL]


def questions(choices):
    """Yields (name, axis, view) for each question that these choices raise. The
    caller may fill the choices in as it goes."""
    def ask(axes, arrays):
        for array in arrays:
            for axis in axes:
                name = f"{array}.{axis.name}" if array else axis.name
                yield name, axis, View(choices, array)

    yield from ask(_FIRST, [None])
    arrays = ARRAYS[:int(choices["arrays"])]
    yield from ask(_OF_ARRAYS, arrays)
    yield from ask(_THEN, [None])
    yield from ask(_OF_ARRAYS_AGAIN, arrays)
    yield from ask(_LAST, [None])

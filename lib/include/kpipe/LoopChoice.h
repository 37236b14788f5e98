// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form that one loop is to get, and the name under which the loop is found
// again: in another run, in another checkout, after its file has grown. Nothing
// here knows how a form was chosen or where choices are kept.
#ifndef KPIPE_LOOPCHOICE_H
#define KPIPE_LOOPCHOICE_H

#include <optional>
#include <string>

namespace kpipe {

/// Which way a tile takes from global to shared memory.
enum class Variant { Auto, Ldg, CpAsync };

/// How the last tiles of a loop are computed, which have none behind them to
/// load.
enum class LastTiles {
  Peeled, ///< by code of their own behind the loop, which asks for nothing
  Guarded ///< by the loop, which asks for each load if its tile exists
};

/// Which loops the compiler is told to unroll, or not to.
enum class Unrolling {
  Keep,    ///< as pragmas of the author's say, or as the compiler likes
  Stages,  ///< the pipelined loop as often as there are stages, whose numbers
           ///< become constants
  Never,   ///< not the pipelined loop
  Compute, ///< short loops of the compute region, so that the loads of one
           ///< iteration can run beside the arithmetic of the one before
};

/// Whether rows of staged arrays are made longer where their accesses conflict
/// for banks of shared memory.
enum class Padding {
  Never,
  Auto,  ///< where that costs no block per SM
  Always ///< also where it does
};

/// What is left in a loop, to measure what it would take at least. Only the
/// whole loop computes what the input did.
enum class LoopPart {
  All,
  Loads,  ///< the tiles are loaded, and nothing is computed on them
  Compute ///< the first tile is loaded and computed on again and again
};

/// A loop, named so that neither paths nor line numbers matter.
struct LoopKey {
  /// Qualified name of the function that holds it, without template arguments.
  std::string Function;
  /// Its place among the function's loops with a block barrier, from 1.
  unsigned Ordinal = 0;
  /// Hash of its text, in which any white space is one blank: 16 hexadecimal
  /// digits.
  std::string Text;

  bool operator==(const LoopKey &O) const {
    return Function == O.Function && Ordinal == O.Ordinal && Text == O.Text;
  }
};

/// What is asked for one loop, in the words of the options.
struct LoopForm {
  /// The loop is left as it is; the rest does not matter.
  bool Original = false;
  Variant Copy = Variant::Auto;
  /// Buffers per staged array; empty means auto.
  std::optional<unsigned> Stages;
  /// Empty means auto.
  std::optional<LastTiles> Last;
  /// Although blocks per SM drop.
  bool AllowOccupancyDrop = false;
  Unrolling Unroll = Unrolling::Keep;
  /// Empty means auto.
  std::optional<Padding> Pad;
  LoopPart Part = LoopPart::All;

  bool operator==(const LoopForm &O) const {
    return Original == O.Original && Copy == O.Copy && Stages == O.Stages &&
           Last == O.Last && AllowOccupancyDrop == O.AllowOccupancyDrop &&
           Unroll == O.Unroll && Pad == O.Pad && Part == O.Part;
  }
};

/// A loop's form on one architecture.
struct LoopChoice {
  LoopKey Loop;
  std::string Arch; ///< "sm_86" form
  LoopForm Form;
};

} // namespace kpipe

#endif // KPIPE_LOOPCHOICE_H

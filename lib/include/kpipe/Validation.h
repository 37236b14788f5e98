// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does the rewritten text mean what the author's means? Both are taken as
// trees, the author's from its AST and the other from what the parse of the
// result answers, and compared under a mapping that emission declares. Nothing
// that the analysis concluded is believed here.
#ifndef KPIPE_VALIDATION_H
#define KPIPE_VALIDATION_H

#include "kpipe/Diagnostic.h"
#include "kpipe/LoopForm.h"
#include "kpipe/TileLoop.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace clang {
class ASTContext;
class CallExpr;
class VarDecl;
} // namespace clang

namespace kpipe {

/// What emission says that it did with one loop of one body: where statements
/// went, and what names stand for others there. Each claim is checked.
struct DeclaredLoop {
  TileLoop Tile;
  unsigned Stages = 2;
  /// Stages of dynamic shared memory are parts of it as it is: behind the loop
  /// its names mean all of it, and the last tile has moved to the first stage.
  bool InBlock = false;
  /// Parallel to Tile.Copies: asynchronous, or through registers.
  llvm::SmallVector<bool, 4> Async;
  /// Elements added to each row, parallel to Tile.Buffers.
  llvm::SmallVector<unsigned, 2> Pads;
  /// Arguments that hold the length of a padded row, and what is added.
  std::vector<std::pair<const clang::Expr *, unsigned>> Strides;
  /// Names that the pipeline introduces; Store is empty where nothing goes
  /// through registers.
  std::string Load, Store, Compute, Stage, Slot, StageBytes, More, HasTile,
      NextTile, Parity;
  /// Where there are stages: what has them, and what all of them are called.
  struct StagedVar {
    const clang::VarDecl *Var = nullptr;
    std::string Stages;
    bool View = false; ///< a pointer or reference into a staged buffer
    bool OfArray = false; ///< the buffer of a view is an array
    bool Given = false;   ///< a parameter, whose caller's arrays have stages
  };
  std::vector<StagedVar> Staged;
  /// Calls of helpers that store into tiles, and the names of their clones.
  struct Clone {
    const clang::CallExpr *Call = nullptr;
    std::string Ahead, Store;
    /// Numbers of the parameters that each of the two does without.
    std::vector<unsigned> AheadWithout, StoreWithout;
  };
  std::vector<Clone> Clones;
  /// Of the loop's function, which is a kernel; empty: they are as they were.
  std::optional<WrittenBounds> Bounds;
  /// Threads of a block as the author launches it, where a producer's warp
  /// follows them; 0: none does. And the mbarriers of stages that are free.
  unsigned Authors = 0;
  /// The producer's threads, and the registers of a thread that these keep and
  /// the author's take; 0: nobody gives or takes any.
  unsigned Extra = 0, Keeps = 0, Takes = 0;
  std::string Empty;
};

/// The functions whose names stand in Wanted, one a line and qualified, as
/// text: what a parse of the result is asked for.
std::string describeFunctions(clang::ASTContext &Context,
                              llvm::StringRef Wanted);

/// What has to be asked of the result to check these loops.
std::string functionsToDescribe(llvm::ArrayRef<const DeclaredLoop *> Loops);

/// A loop of which the result means something else.
struct ChangedMeaning {
  const DeclaredLoop *Loop = nullptr;
  Diagnostic Why;
};

/// The functions of a result, as describeFunctions() said them: read once, for
/// all loops of the result.
class DescribedFunctions {
public:
  explicit DescribedFunctions(llvm::StringRef Text);
  DescribedFunctions(DescribedFunctions &&);
  ~DescribedFunctions();

private:
  friend std::optional<ChangedMeaning>
  findChangedMeaning(clang::ASTContext &Context,
                     llvm::ArrayRef<const DeclaredLoop *> Loops,
                     llvm::ArrayRef<const DeclaredLoop *> All,
                     const DescribedFunctions &Result);
  struct Trees;
  std::unique_ptr<Trees> All;
};

/// Compares one function with what became of it.
/// \param Loops all pipelined loops of one body. \param All of all bodies.
/// \returns the first loop whose meaning differs; none if all is the same.
std::optional<ChangedMeaning>
findChangedMeaning(clang::ASTContext &Context,
                   llvm::ArrayRef<const DeclaredLoop *> Loops,
                   llvm::ArrayRef<const DeclaredLoop *> All,
                   const DescribedFunctions &Result);

} // namespace kpipe

#endif // KPIPE_VALIDATION_H

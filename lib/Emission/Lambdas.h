// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lambdas that hold the author's statements: what each is called and is
// given, and the stages that it names.
#ifndef KPIPE_EMISSION_LAMBDAS_H
#define KPIPE_EMISSION_LAMBDAS_H

#include "Advance.h"
#include "LoopPlace.h"
#include "Regions.h"
#include "Skeleton.h"
#include "Stages.h"

namespace kpipe {

/// What is done with a tile, each in a lambda of its own.
enum class TileWork { Ahead, Store, Compute };

class Lambdas {
public:
  /// \param Text of the regions, which this keeps.
  Lambdas(const TileLoop &Loop, const PipelinePlan &Plan,
          const SourceText &Source, const HeaderText &Header,
          const StageNames &Stages, Regions &Text)
      : Loop(Loop), Plan(Plan), Source(Source), Header(Header), Stages(Stages),
        Text(Text) {}

  /// Chooses names and takes the statements.
  llvm::Error make(const Lines &Where, Names &Fresh, RuntimeCalls &Calls);

  /// Empty for a store where nothing goes through registers.
  const std::string &name(TileWork W) const { return Parts[int(W)].Name; }
  /// Is the lambda given this variable of the header?
  bool isGiven(TileWork W, unsigned Variable) const;
  TileCall caller(TileWork W) const;
  /// Names that the statements spell.
  llvm::StringSet<> identifiers() const;
  /// Adds the definitions of all.
  void define(Lines &Out) const;

private:
  struct Part {
    std::string Name, Body;
    bool TakesStage = false;
  };
  const TileLoop &Loop;
  const PipelinePlan &Plan;
  const SourceText &Source;
  const HeaderText &Header;
  const StageNames &Stages;
  Regions &Text;
  Part Parts[3]; ///< by TileWork

  bool has(TileWork W) const { return !name(W).empty(); }
  bool takesSlot(TileWork W) const;
  llvm::Error take(TileWork W, llvm::Expected<std::string> Statements,
                   llvm::StringRef Indent, RuntimeCalls &Calls);
  std::string parameters(TileWork W) const;
  void define(TileWork W, const std::string &Captures, bool Mutable,
              Lines &Out) const;
};

} // namespace kpipe

#endif // KPIPE_EMISSION_LAMBDAS_H

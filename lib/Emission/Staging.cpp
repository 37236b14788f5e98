// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Register staging, see Staging.h.

#include "Staging.h"
#include "ElementTypes.h"
#include "PartCounts.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

class Stager {
public:
  Stager(const TileLoop &Loop, const PipelinePlan &Plan,
         const SourceText &Source, Names &Fresh, RuntimeCalls &Calls)
      : Loop(Loop), Plan(Plan), Source(Source), Fresh(Fresh), Calls(Calls) {}

  llvm::Expected<Staging> run(const std::string &Slot) {
    if (Plan.TilesInRegisters > 1) {
      Out.Tiles = "[" + std::to_string(Plan.TilesInRegisters) + "]";
      Out.Slot = "[" + Slot + "]";
    }
    Out.Registers.resize(Loop.Copies.size());
    Out.Members.resize(Loop.Copies.size());
    Out.TileParameter = Fresh.fresh("tile");
    for (unsigned I = 0; I != Loop.Copies.size(); ++I) {
      const TileCopy &C = Loop.Copies[I];
      if (Plan.Copies[I].Way != Route::Registers || !C.ValueIsLoaded)
        continue;
      auto Type = registerType(C, Loop, Source);
      if (!Type)
        return Type.takeError();
      Group *G = find(C, *Type);
      if (!G) {
        Groups.push_back({&C, {}, std::move(*Type)});
        G = &Groups.back();
      }
      G->Members.push_back(I);
    }
    for (Group &G : Groups)
      if (llvm::Error E = declare(G))
        return std::move(E);
    return std::move(Out);
  }

private:
  struct Group {
    const TileCopy *First;
    llvm::SmallVector<unsigned, 4> Members;
    std::string Type;
  };

  const TileLoop &Loop;
  const PipelinePlan &Plan;
  const SourceText &Source;
  Names &Fresh;
  RuntimeCalls &Calls;
  Staging Out;
  std::vector<Group> Groups;

  /// What people call the array that is stored: in dynamic shared memory the
  /// part of it.
  const VarDecl *array(const TileCopy &C) const {
    const StagedBuffer &B = Loop.Buffers[C.Buffer];
    return llvm::is_contained(B.Views, C.Through) ? C.Through : B.Var;
  }

  Group *find(const TileCopy &C, const std::string &Type) {
    for (Group &G : Groups) {
      bool SameLoops = G.First->Loops.size() == C.Loops.size();
      for (unsigned I = 0; SameLoops && I != C.Loops.size(); ++I)
        SameLoops = G.First->Loops[I].For == C.Loops[I].For;
      if (SameLoops && G.First->Buffer == C.Buffer &&
          array(*G.First) == array(C) && G.First->HelperCall == C.HelperCall &&
          G.Type == Type &&
          Source.context().hasSameUnqualifiedType(G.First->Dst->getType(),
                                                  C.Dst->getType()))
        return &G;
    }
    return nullptr;
  }

  /// Which of the parts a turn of the loop copies.
  std::string index(const CopyLoop &L, const PartCount &Parts) {
    if (L.ConstantInit)
      return partIndex(L, Source);
    for (const CountedLoop &C : Out.Counted)
      if (C.For == L.For)
        return C.Counter;
    Out.Counted.push_back({L.For,
                           Fresh.fresh("part"),
                           Parts.Text,
                           {},
                           L.Partly == CopyLoop::Partial::None});
    if (L.Partly == CopyLoop::Partial::Last && L.Trips > 1)
      Out.Counted.back().Whole = wholeParts(Parts, L, Source);
    return Out.Counted.back().Counter;
  }

  /// In a helper's tile the parameter's own name says more than the kernel's
  /// array, and is the same for every call.
  std::string memberName(const TileCopy &C) {
    struct Finder : ConstDynamicRecursiveASTVisitor {
      const VarDecl *First = nullptr;
      bool VisitDeclRefExpr(const DeclRefExpr *D) override {
        if (!First)
          First = dyn_cast<VarDecl>(D->getDecl());
        return true;
      }
    } F;
    F.TraverseStmt(C.Dst);
    std::string Base = F.First ? F.First->getNameAsString() : "value";
    unsigned Before = 0;
    for (const Group &G : Groups)
      Before += G.First != &C && G.First->HelperCall == C.HelperCall &&
                G.First < &C && G.First->Buffer == C.Buffer;
    return Before ? Base + std::to_string(Before + 1) : Base;
  }

  llvm::Error declare(Group &G) {
    std::string Buffer = array(*G.First)->getNameAsString();
    const FunctionDecl *Helper = G.First->Helper;
    std::string Name =
        Helper ? memberName(*G.First) : Fresh.fresh(Buffer + "_reg");
    // A helper's tile is one of an array.
    std::string Extents, Indices;
    if (!Helper) {
      Extents = Out.Tiles;
      Indices = Out.Slot;
    }
    for (const CopyLoop &L : G.First->Loops) {
      auto Parts = partCount(L, Helper, Loop, Source, Calls);
      if (!Parts)
        return Parts.takeError();
      Extents += "[" + Parts->Text + "]";
      Indices += "[" + index(L, *Parts) + "]";
    }
    bool Many = G.Members.size() > 1;
    if (Many)
      Extents += "[" + std::to_string(G.Members.size()) + "]";
    std::string Declaration = G.Type + " " + Name + Extents + ";";
    if (Helper)
      Out.Members[G.Members.front()] = Declaration;
    else
      Out.Declarations.push_back(Declaration);
    if (Helper)
      Name = Out.TileParameter + "." + Name;
    for (unsigned I = 0; I != G.Members.size(); ++I)
      Out.Registers[G.Members[I]] =
          Name + Indices + (Many ? "[" + std::to_string(I) + "]" : "");
    return llvm::Error::success();
  }
};

} // namespace

llvm::Expected<Staging> stageRegisters(const TileLoop &Loop,
                                       const PipelinePlan &Plan,
                                       const SourceText &Source, Names &Fresh,
                                       const std::string &Slot,
                                       RuntimeCalls &Calls) {
  return Stager(Loop, Plan, Source, Fresh, Calls).run(Slot);
}

} // namespace kpipe

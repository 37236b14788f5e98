// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of legality, see Legality.h and docs/legality.md.

#include "Legality.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

using Findings = llvm::SmallVectorImpl<Finding>;

SourceLocation place(const MemoryAccess &A, const LoopFacts &F) {
  return startOf(A.At ? static_cast<const Stmt *>(A.At) : F.Tile.Loop);
}

/// The name of what an access touches, or "memory that is not known".
std::string named(const MemoryRoot &R) {
  if (R.Var)
    return quoted(R.Var);
  return R.Where == Space::Shared ? "shared memory" : "unknown memory";
}

bool shared(const MemoryAccess &A) {
  return A.Root.Where == Space::Shared || A.Root.Where == Space::Unknown;
}
bool global(const MemoryAccess &A) {
  return A.Root.Where == Space::Global || A.Root.Where == Space::Unknown;
}

bool staged(const LoopFacts &F, const VarDecl *V) {
  return llvm::any_of(F.Tile.Buffers,
                      [&](const StagedBuffer &B) { return B.Var == V; });
}

/// control-flow: nothing leaves load or compute midway.
void controlFlow(const LoopFacts &F, const Directives &, Findings &Out) {
  for (const Event &E : F.Body.Events) {
    const char *What = nullptr;
    switch (E.Kind) {
    case EventKind::Return:
      What = "'return' leaves the loop from its body";
      break;
    case EventKind::Break:
      What = "'break' leaves the loop from its body";
      break;
    case EventKind::Continue:
      What = "'continue' skips a part of the loop's body";
      break;
    case EventKind::Goto:
      What = "the loop's body holds a jump or a label";
      break;
    default:
      continue;
    }
    Out.push_back({"control-flow", startOf(E.At), What, {}});
  }
}

/// carried-shared: the load reads no shared memory that the loop writes.
void carriedShared(const LoopFacts &F, const Directives &, Findings &Out) {
  for (const MemoryAccess &R : F.Load.Memory) {
    if (R.Write || !shared(R))
      continue;
    for (const MemoryAccess &W : F.Body.Memory) {
      if (!W.Write || !shared(W) ||
          (R.Root.Var && W.Root.Var && R.Root.Var != W.Root.Var))
        continue;
      Finding Found{"carried-shared",
                    place(R, F),
                    "the load region reads " + named(R.Root) +
                        ", which the loop writes",
                    {}};
      Found.Notes.push_back({place(W, F), "it is written here"});
      Out.push_back(std::move(Found));
      return;
    }
  }
}

/// shared-escape: staged memory stays within code that was analysed.
void sharedEscape(const LoopFacts &F, const Directives &, Findings &Out) {
  for (const Event &E : F.Body.Events) {
    if (E.Kind != EventKind::UnknownCall)
      continue;
    for (const MemoryAccess &A : F.Body.Memory)
      if (A.At && shared(A) && startOf(A.At) == startOf(E.At)) {
        Out.push_back({"shared-escape",
                       startOf(E.At),
                       named(A.Root) + " is passed to '" + E.Name +
                           "', whose body is not in this file",
                       {}});
        break;
      }
  }
}

/// other-shared: code that moves behind the first barrier reads no shared
/// array that the loop writes.
void otherShared(const LoopFacts &F, const Directives &, Findings &Out) {
  bool BeforeBarrier = true;
  for (unsigned I = 0; I != F.Items.size(); ++I) {
    const BodyItem &Item = F.Tile.Body[I];
    if (Item.S == F.Tile.LoadBarrier)
      BeforeBarrier = false;
    if (!BeforeBarrier || !Item.InCompute || Item.Barrier)
      continue;
    for (const MemoryAccess &R : F.Items[I].Memory) {
      bool Written = shared(R) && llvm::any_of(F.Body.Memory, [&](auto &W) {
                       return W.Write && shared(W) &&
                              (!W.Root.Var || !R.Root.Var ||
                               W.Root.Var == R.Root.Var);
                     });
      if (!Written)
        continue;
      Out.push_back({"other-shared",
                     startOf(Item.S),
                     named(R.Root) + " is read before the barrier and written "
                                     "in the loop",
                     {}});
      break;
    }
  }
}

bool disjoint(const MemoryRoot &A, const MemoryRoot &B) {
  if (!A.Var || !B.Var || A.Where == Space::Unknown ||
      B.Where == Space::Unknown)
    return false;
  if (A.Var == B.Var)
    return false;
  // Two arrays with names of their own.
  if (A.Var->getType()->isArrayType() && B.Var->getType()->isArrayType())
    return true;
  return A.Restrict || B.Restrict;
}

/// may-alias: no store of the loop touches what the load reads.
void mayAlias(const LoopFacts &F, const Directives &Asked, Findings &Out) {
  if (Asked.AssumeNoAlias)
    return;
  llvm::SmallVector<std::pair<const VarDecl *, const VarDecl *>, 4> Reported;
  for (const MemoryAccess &W : F.Body.Memory) {
    if (!(W.Write || W.Atomic) || !global(W))
      continue;
    for (const MemoryAccess &R : F.Load.Memory) {
      if (R.Write || R.ReadOnly || !global(R) || disjoint(W.Root, R.Root))
        continue;
      auto Pair = std::make_pair(W.Root.Var, R.Root.Var);
      if (llvm::is_contained(Reported, Pair))
        continue;
      Reported.push_back(Pair);
      bool Same = W.Root.Var && W.Root.Var == R.Root.Var;
      Finding Found{"may-alias",
                    place(W, F),
                    named(W.Root) + " is stored in the loop and " +
                        (Same ? "is loaded from as well"
                              : "may alias " + named(R.Root)),
                    {}};
      Found.Notes.push_back({place(R, F), "the load region reads it here"});
      if (!Same)
        Found.Notes.push_back(
            {place(W, F), "declare the pointers __restrict__, or write "
                          "'// kpipe: assume(no-alias)' above the loop if "
                          "they never overlap"});
      Out.push_back(std::move(Found));
    }
  }
}

/// load-effects: the load does nothing but fill staged buffers.
void loadEffects(const LoopFacts &F, const Directives &, Findings &Out) {
  auto Report = [&](SourceLocation Where, std::string Message) {
    Out.push_back({"load-effects", Where, std::move(Message), {}});
  };
  for (const MemoryAccess &A : F.Load.Memory) {
    if (A.Volatile)
      Report(place(A, F), "the load region makes a volatile access");
    else if (A.Atomic)
      Report(place(A, F), "the load region has an atomic operation on " +
                              named(A.Root));
    else if (A.Write && (global(A) && A.Root.Where != Space::Shared))
      Report(place(A, F), "the load region stores to " + named(A.Root));
    else if (A.Write && shared(A) && A.Root.Var && !staged(F, A.Root.Var))
      Report(place(A, F), "the load region writes " + named(A.Root) +
                              " in a way that is not understood");
  }
  for (const Event &E : F.Load.Events) {
    if (E.Kind == EventKind::Output)
      Report(startOf(E.At), "the load region calls '" + E.Name + "'");
    else if (E.Kind == EventKind::UnknownCall)
      Report(startOf(E.At), "the load region calls '" + E.Name +
                                "', whose effects are not known");
    else if (E.Kind == EventKind::UnknownAsm)
      Report(startOf(E.At), "the load region has inline assembly that is not "
                            "understood: '" +
                                E.Name + "'");
  }
}

/// sync-order: only block barriers order memory in the body.
void syncOrder(const LoopFacts &F, const Directives &, Findings &Out) {
  auto Report = [&](const Event &E, std::string What) {
    Out.push_back({"sync-order", startOf(E.At), std::move(What), {}});
  };
  for (const Event &E : F.Body.Events) {
    if (E.Kind == EventKind::NamedBarrier)
      Report(E, "'" + E.Name + "' synchronizes other threads than the block's");
    else if (E.Kind == EventKind::GridSync)
      Report(E, "'" + E.Name + "' synchronizes the grid");
    else if (E.Kind == EventKind::Fence)
      Report(E, "'" + E.Name + "' orders memory in the loop");
    else if (E.Kind == EventKind::UnknownAsm)
      Report(E, "inline assembly that is not understood may order memory: '" +
                    E.Name + "'");
  }
  for (const Event &E : F.Load.Events)
    if (E.Kind == EventKind::WarpSync)
      Report(E, "'" + E.Name + "' exchanges data between threads in the load "
                               "region");
    else if (E.Kind == EventKind::BlockBarrier ||
             E.Kind == EventKind::ValueBarrier)
      Report(E, "a barrier stands inside the load region");
}

/// foreign-async: no asynchronous copies of the author's own are in flight.
void foreignAsync(const LoopFacts &F, const Directives &, Findings &Out) {
  for (const Event &E : F.Body.Events)
    if (E.Kind == EventKind::AsyncCopy || E.Kind == EventKind::KpipePrimitive) {
      Out.push_back({"foreign-async",
                     startOf(E.At),
                     "the loop already copies asynchronously with '" + E.Name +
                         "'",
                     {}});
      return;
    }
  if (F.AsyncBefore)
    Out.push_back({"foreign-async",
                   startOf(F.AsyncBefore),
                   "an asynchronous copy may still be in flight when the loop "
                   "begins",
                   {}});
}

struct Rule {
  llvm::StringRef Id;
  void (*Check)(const LoopFacts &, const Directives &, Findings &);
};

/// In the order of the checks; a null check is made while recognising.
const Rule Rules[] = {
    {"invalid-code", nullptr},         {"not-a-tile-loop", nullptr},
    {"control-flow", controlFlow},     {"carried-scalar", nullptr},
    {"missing-barrier", nullptr},      {"carried-shared", carriedShared},
    {"shared-escape", sharedEscape},   {"other-shared", otherShared},
    {"may-alias", mayAlias},           {"load-effects", loadEffects},
    {"sync-order", syncOrder},         {"foreign-async", foreignAsync},
    {"uniform-barrier", nullptr},
};

} // namespace

llvm::ArrayRef<llvm::StringRef> legalityRules() {
  static const llvm::SmallVector<llvm::StringRef, 16> Ids = [] {
    llvm::SmallVector<llvm::StringRef, 16> Found;
    for (const Rule &R : Rules)
      Found.push_back(R.Id);
    return Found;
  }();
  return Ids;
}

llvm::SmallVector<Finding, 4> checkLegality(const LoopFacts &Facts,
                                            const Directives &Asked) {
  llvm::SmallVector<Finding, 4> Out;
  for (const Rule &R : Rules) {
    for (const Finding &F : Facts.Findings)
      if (F.Rule == R.Id)
        Out.push_back(F);
    if (R.Check && Facts.IsTileLoop)
      R.Check(Facts, Asked, Out);
  }
  // The same place for the same reason says it once.
  llvm::SmallVector<Finding, 4> Unique;
  for (Finding &F : Out)
    if (llvm::none_of(Unique, [&](const Finding &U) {
          return U.Rule == F.Rule && U.Where == F.Where &&
                 U.Message == F.Message;
        }))
      Unique.push_back(std::move(F));
  return Unique;
}

} // namespace kpipe

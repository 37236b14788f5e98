// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of legality, see Legality.h and docs/legality.md. Rules that need a
// walk of their own are in UniformBarrier.cpp and HiddenWrites.cpp.

#include "Legality.h"
#include "Rules.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

using Findings = llvm::SmallVectorImpl<Finding>;

SourceLocation place(const MemoryAccess &A, const LoopFacts &F) {
  return startOf(A.At ? static_cast<const Stmt *>(A.At) : F.Tile.Loop);
}

/// What an access touches, as messages call it.
std::string named(const MemoryRoot &R) {
  if (R.Var)
    return (R.Indirect ? "memory that is reached through " : "") +
           quoted(R.Var);
  return R.Where == Space::Shared   ? "shared memory"
         : R.Where == Space::Global ? "global memory"
                                    : "memory that cannot be traced";
}

/// May it be shared memory? What nothing shows to be global may.
bool shared(const MemoryAccess &A) {
  return A.Root.Where == Space::Shared || A.Root.Where == Space::Unknown ||
         A.Root.Assumed;
}
bool global(const MemoryAccess &A) {
  return A.Root.Where == Space::Global || A.Root.Where == Space::Unknown;
}
bool overlap(const MemoryAccess &A, const MemoryAccess &B) {
  return mayOverlap(A.Root, B.Root);
}

/// A callee that cannot be looked into, as messages call it.
std::string callee(const Event &E) {
  bool Described = llvm::StringRef(E.Name).starts_with("a ") ||
                   llvm::StringRef(E.Name).starts_with("the ");
  return (Described ? E.Name : "'" + E.Name + "'") +
         ", which cannot be looked into";
}

/// The cure for one, where the author can do anything about it.
void addCure(Finding &F, const Event &E) {
  if (!llvm::StringRef(E.Name).contains(' '))
    F.Notes.push_back(
        {startOf(E.At), "define '" + E.Name + "' where it can be seen"});
}

bool staged(const LoopFacts &F, const VarDecl *V) {
  return llvm::any_of(F.Tile.Buffers,
                      [&](const StagedBuffer &B) { return B.Var == V; });
}

/// What the input does before the barrier that ends its load region: some of
/// it may have been given to the compute, and so moves behind that barrier.
Effects beforeBarrier(const LoopFacts &F, bool AndLoad = true) {
  llvm::SmallVector<const Effects *, 16> Parts;
  bool Before = true;
  for (unsigned I = 0; I != F.Items.size(); ++I) {
    if (F.Tile.Body[I].S == F.Tile.LoadBarrier)
      Before = false;
    if (!F.Tile.Body[I].Barrier &&
        (Before || (AndLoad && F.Tile.Body[I].InLoad)))
      Parts.push_back(&F.Items[I]);
  }
  return inSequence(Parts);
}

/// control-flow: nothing leaves load or compute midway.
void controlFlow(const LoopFacts &F, const Directives &, Findings &Out) {
  for (const Event &E : F.Body.Events) {
    const char *What = nullptr, *Cure = nullptr;
    switch (E.Kind) {
    case EventKind::Return:
      What = "'return' leaves the loop from its body";
      Cure = "leave the function before the loop, or let the loop's condition "
             "end it";
      break;
    case EventKind::Break:
      What = "'break' leaves the loop from its body";
      Cure = "let the loop's condition end it";
      break;
    case EventKind::Continue:
      What = "'continue' skips a part of the loop's body";
      Cure = "put what it skips under an 'if'";
      break;
    case EventKind::Goto:
      What = "the loop's body holds a jump or a label";
      break;
    default:
      continue;
    }
    Finding Found{"control-flow", startOf(E.At), What, {}};
    if (Cure)
      Found.Notes.push_back({startOf(E.At), Cure});
    Out.push_back(std::move(Found));
  }
}

/// Has recognition said something of this place already?
bool reported(const LoopFacts &F, SourceLocation Where) {
  return llvm::any_of(F.Findings, [&](const Finding &Found) {
    return Found.Where == Where && (Found.Rule == "carried-shared" ||
                                    Found.Rule == "load-effects");
  });
}

/// carried-shared: the load reads no shared memory that the loop writes. What
/// the compute reads to make a scalar that the load needs is carried-scalar.
void carriedShared(const LoopFacts &F, const Directives &, Findings &Out) {
  bool Scalar = llvm::any_of(F.Findings, [](const Finding &Found) {
    return Found.Rule == "carried-scalar";
  });
  Effects Front = beforeBarrier(F, /*AndLoad=*/!Scalar);
  for (const MemoryAccess &R : Front.Memory) {
    if (R.Write || !shared(R) || reported(F, place(R, F)))
      continue;
    for (const MemoryAccess &W : F.Body.Memory) {
      if (!W.Write || !shared(W) || !overlap(R, W))
        continue;
      Finding Found{"carried-shared",
                    place(R, F),
                    "the load region reads " + named(R.Root) +
                        (R.Root.Assumed
                             ? ", which may be shared memory that the loop "
                               "writes"
                             : ", which the loop writes"),
                    {}};
      Found.Notes.push_back({place(W, F), "it is written here"});
      Out.push_back(std::move(Found));
      return;
    }
  }
}

/// Was an access made by what an event describes?
bool within(const MemoryAccess &A, const Event &E) {
  return A.At &&
         E.At->getSourceRange().fullyContains(A.At->getSourceRange());
}

/// shared-escape: staged memory stays within code that was analysed.
void sharedEscape(const LoopFacts &F, const Directives &, Findings &Out) {
  for (const Event &E : F.Body.Events) {
    if (E.Kind != EventKind::UnknownCall)
      continue;
    for (const MemoryAccess &A : F.Body.Memory)
      if (within(A, E) && shared(A)) {
        Finding Found{"shared-escape",
                      startOf(E.At),
                      named(A.Root) + " is passed to " + callee(E),
                      {}};
        addCure(Found, E);
        Out.push_back(std::move(Found));
        break;
      }
  }
}

/// other-shared: code that moves behind the first barrier reads no shared
/// array that the loop writes.
void otherShared(const LoopFacts &F, const Directives &, Findings &Out) {
  for (unsigned I = 0; I != F.Items.size(); ++I) {
    const BodyItem &Item = F.Tile.Body[I];
    if (Item.S == F.Tile.LoadBarrier)
      return;
    if (!Item.InCompute || Item.Barrier)
      continue;
    for (const MemoryAccess &R : F.Items[I].Memory) {
      const MemoryAccess *W =
          llvm::find_if(F.Body.Memory, [&](const MemoryAccess &W) {
            return W.Write && shared(W) && overlap(W, R);
          });
      if (!shared(R) || W == F.Body.Memory.end())
        continue;
      Finding Found{"other-shared",
                    place(R, F),
                    named(R.Root) + " is read before the barrier for the "
                                    "compute region, and written in the loop",
                    {}};
      Found.Notes.push_back({place(*W, F), "it is written here"});
      Found.Notes.push_back(
          {place(R, F), "read it behind the barrier, next to its use"});
      Out.push_back(std::move(Found));
      break;
    }
  }
}

/// The local variables that are alive in every iteration: declared by the loop
/// itself or, in front of it, in a block around it.
bool aliveAt(const Stmt *Loop, const Stmt *Around, VarSet &Alive) {
  VarSet Here;
  for (const Stmt *Child : Around->children()) {
    if (!Child)
      continue;
    if (const auto *D = dyn_cast<DeclStmt>(Child))
      for (const Decl *X : D->decls())
        if (const auto *V = dyn_cast<VarDecl>(X))
          Here.insert(V);
    if (Around != Loop && aliveAt(Loop, Child, Alive)) {
      Alive.insert(Here.begin(), Here.end());
      return true;
    }
  }
  if (Around != Loop)
    return false;
  Alive.insert(Here.begin(), Here.end());
  return true;
}

/// Can two accesses to global memory never meet, in whatever iterations?
class Apart {
public:
  explicit Apart(const LoopFacts &F) {
    aliveAt(F.Tile.Loop, F.Tile.Function->getBody(), Alive);
  }

  bool operator()(const MemoryRoot &A, const MemoryRoot &B) const {
    if (!A.Var || !B.Var || A.Where == Space::Unknown ||
        B.Where == Space::Unknown || A.Var == B.Var)
      return false;
    // Two arrays with names of their own; what the pointers in them point to
    // may be the same.
    if (A.Var->getType()->isArrayType() && B.Var->getType()->isArrayType() &&
        !A.Indirect && !B.Indirect)
      return true;
    // Through one promising pointer both may be reached.
    if (A.Promise && A.Promise == B.Promise)
      return false;
    return promised(A, B) || promised(B, A);
  }

private:
  VarSet Alive;

  /// A promise that says something of the whole loop. A parameter may have been
  /// put where device code loads its pointers from.
  bool promised(const MemoryRoot &A, const MemoryRoot &Other) const {
    return (A.Restrict && !(Other.Indirect && Other.Assumed)) ||
           (A.Promise && Alive.count(A.Promise));
  }
};

const char NeverOverlap[] = "write '// kpipe: assume(no-alias)' above the loop "
                            "if what it stores is never loaded by a later "
                            "iteration";

/// What stands before the barrier for the compute, and so moves behind it.
Effects movedBehind(const LoopFacts &F) {
  llvm::SmallVector<const Effects *, 16> Parts;
  for (unsigned I = 0; I != F.Items.size(); ++I) {
    if (F.Tile.Body[I].S == F.Tile.LoadBarrier)
      break;
    if (!F.Tile.Body[I].Barrier && F.Tile.Body[I].InCompute)
      Parts.push_back(&F.Items[I]);
  }
  return inSequence(Parts);
}

/// may-alias: no store of the loop touches what the load reads. The promise
/// that stores never meet the loads of other iterations says nothing of one
/// iteration, where the barrier orders a read before the compute's stores.
void mayAlias(const LoopFacts &F, const Directives &Asked, Findings &Out) {
  Effects Load = Asked.AssumeNoAlias ? movedBehind(F) : beforeBarrier(F);
  Apart disjoint(F);
  llvm::SmallVector<std::pair<const VarDecl *, const VarDecl *>, 4> Reported;
  for (const MemoryAccess &W : F.Body.Memory) {
    if (!(W.Write || W.Atomic) || !global(W))
      continue;
    for (const MemoryAccess &R : Load.Memory) {
      if (R.Write || R.Atomic || R.ReadOnly || !global(R) ||
          disjoint(W.Root, R.Root))
        continue;
      auto Pair = std::make_pair(W.Root.Var, R.Root.Var);
      if (llvm::is_contained(Reported, Pair))
        continue;
      Reported.push_back(Pair);
      bool Same = W.Root.Var && W.Root.Var == R.Root.Var;
      bool Pointers = W.Root.Var && R.Root.Var && !W.Root.Indirect &&
                      !R.Root.Indirect && !Same;
      Finding Found{"may-alias",
                    place(W, F),
                    named(W.Root) + " is stored in the loop and " +
                        (Same ? "is loaded from as well"
                              : "may alias " + named(R.Root)),
                    {}};
      if (Asked.AssumeNoAlias) {
        Found.Notes.push_back(
            {place(R, F), "it is read here before the barrier for the compute "
                          "region, and 'assume(no-alias)' is about other "
                          "iterations; read it behind the barrier"});
        Out.push_back(std::move(Found));
        continue;
      }
      Found.Notes.push_back({place(R, F), "the load region reads it here"});
      Found.Notes.push_back(
          {place(W, F),
           Pointers ? "declare the pointers __restrict__, or write "
                      "'// kpipe: assume(no-alias)' above the loop, if they "
                      "never overlap"
                    : NeverOverlap});
      Out.push_back(std::move(Found));
    }
  }
  if (Asked.AssumeNoAlias)
    return;
  // A call that cannot be looked into may store anywhere.
  const MemoryAccess *R = llvm::find_if(Load.Memory, [](auto &A) {
    return !A.Write && !A.ReadOnly && global(A);
  });
  if (R == Load.Memory.end())
    return;
  for (const Event &E : F.Compute.Events)
    if (E.Kind == EventKind::UnknownCall) {
      Finding Found{"may-alias",
                    startOf(E.At),
                    callee(E) + ", is called in the loop and may store to " +
                        named(R->Root),
                    {}};
      Found.Notes.push_back({place(*R, F), "the load region reads it here"});
      addCure(Found, E);
      Out.push_back(std::move(Found));
    }
}

/// load-effects: the load does nothing but fill staged buffers.
void loadEffects(const LoopFacts &F, const Directives &, Findings &Out) {
  auto Report = [&](SourceLocation Where, std::string Message) {
    Out.push_back({"load-effects", Where, std::move(Message), {}});
  };
  Effects Load = beforeBarrier(F);
  auto Asynchronous = [&](const MemoryAccess &A) { // rule foreign-async
    return llvm::any_of(Load.Events, [&](const Event &E) {
      return (E.Kind == EventKind::AsyncCopy ||
              E.Kind == EventKind::KpipePrimitive) &&
             within(A, E);
    });
  };
  for (const MemoryAccess &A : Load.Memory) {
    if (A.Volatile)
      Report(place(A, F), "the load region makes a volatile access");
    else if (A.Atomic)
      Report(place(A, F), "the load region has an atomic operation on " +
                              named(A.Root));
    else if (A.Write && (global(A) && A.Root.Where != Space::Shared))
      Report(place(A, F), "the load region stores to " + named(A.Root));
    else if (A.Write && shared(A) && !(A.Root.Var && staged(F, A.Root.Var)) &&
             !reported(F, place(A, F)) && !Asynchronous(A))
      Report(place(A, F), "the load region writes " + named(A.Root) +
                              " in a way that is not understood");
  }
  for (const Event &E : Load.Events) {
    if (E.Kind == EventKind::Output)
      Report(startOf(E.At), "the load region calls '" + E.Name + "'");
    else if (E.Kind == EventKind::UnknownCall)
      Report(startOf(E.At), "the load region calls " + callee(E));
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
  }
  // In the load region these are load-effects.
  for (const Event &E : F.Compute.Events)
    if (E.Kind == EventKind::UnknownCall)
      Report(E, callee(E) + ", may synchronize threads");
    else if (E.Kind == EventKind::UnknownAsm)
      Report(E, "inline assembly that is not understood may order memory: '" +
                    E.Name + "'");
  for (const Event &E : beforeBarrier(F).Events)
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
                   {{startOf(F.Tile.Loop),
                     "wait for all copies before the loop, as "
                     "__pipeline_wait_prior(0) does"}}});
}

struct Rule {
  llvm::StringRef Id;
  void (*Check)(const LoopFacts &, const Directives &, Findings &);
};

/// In the order of the checks; a null check is made while recognising.
const Rule Rules[] = {
    {"invalid-code", nullptr},
    {"not-a-tile-loop", nullptr},
    {"control-flow", controlFlow},
    {"moved-text", nullptr},
    {"carried-scalar", hiddenWrites},
    {"missing-barrier", nullptr},
    {"carried-shared", carriedShared},
    {"shared-escape", sharedEscape},
    {"other-shared", otherShared},
    {"may-alias", mayAlias},
    {"load-effects", loadEffects},
    {"sync-order", syncOrder},
    {"foreign-async", foreignAsync},
    {"uniform-barrier", uniformBarrier},
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
  const SourceManager &SM = Facts.In->context().getSourceManager();
  llvm::SmallVector<Finding, 4> Out;
  for (const Rule &R : Rules) {
    llvm::SmallVector<Finding, 4> Found;
    for (const Finding &F : Facts.Findings)
      if (F.Rule == R.Id)
        Found.push_back(F);
    if (R.Check && Facts.IsTileLoop)
      R.Check(Facts, Asked, Found);
    llvm::stable_sort(Found, [&](const Finding &A, const Finding &B) {
      return A.Where != B.Where &&
             SM.isBeforeInTranslationUnit(A.Where, B.Where);
    });
    // The same place for the same reason says it once.
    for (Finding &F : Found)
      if (llvm::none_of(Out, [&](const Finding &U) {
            return U.Rule == F.Rule && U.Where == F.Where &&
                   U.Message == F.Message;
          }))
        Out.push_back(std::move(F));
  }
  return Out;
}

} // namespace kpipe

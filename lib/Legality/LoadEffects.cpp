// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rule load-effects: the load does nothing but fill staged buffers.

#include "Code/HeldPointers.h"
#include "CountedTurns.h"
#include "Queries.h"
#include "Recognition/Body/NamesInBody.h"
#include "Rules.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace kpipe {

namespace {

bool staged(const LoopFacts &F, const VarDecl *V) {
  return llvm::any_of(F.Tile.Buffers,
                      [&](const StagedBuffer &B) { return B.Var == V; });
}

/// A loop that loads what no turn of it changes, neither the memory nor the
/// address: only another thread's store ends it.
bool waits(const Stmt *S, const Scope &In) {
  if (!S)
    return false;
  if (isa<ForStmt, WhileStmt, DoStmt>(S)) {
    const Effects E = effectsOf(S, In);
    auto Moves = [&](const MemoryAccess &A) {
      return A.Write || llvm::any_of(E.Writes, [&](const VarDecl *V) {
               return mentions(A.At, V);
             });
    };
    if (llvm::any_of(E.Memory, mayBeGlobal) && llvm::none_of(E.Memory, Moves))
      return true;
  }
  if (const auto *C = dyn_cast<CallExpr>(S)) {
    const HeldPointers::Call Made = calleeOf(C);
    const FunctionDecl *Definition = nullptr;
    if (Made.Callee && Made.Callee->hasBody(Definition) &&
        !In.contains(Definition) &&
        waits(Definition->getBody(),
              Scope(In, Definition, Made.Arguments, Made.Object)))
      return true;
  }
  return llvm::any_of(S->children(),
                      [&](const Stmt *Child) { return waits(Child, In); });
}

/// May a loop go on until another thread stores something? It has atomics or
/// volatile loads, or loads from where no turn of it moves on, and does not
/// count.
bool spins(const Stmt *S, const Scope &In) {
  const Effects E = effectsOf(S, In);
  auto stays = [&](const MemoryAccess &A) {
    return mayBeGlobal(A) && !A.Write &&
           llvm::none_of(E.Writes,
                         [&](const VarDecl *V) { return mentions(A.At, V); });
  };
  auto asks = [&](const MemoryAccess &A) {
    return A.Atomic || A.Volatile || (stays(A) && asksAgain(A));
  };
  if (llvm::none_of(E.Memory,
                    [&](const MemoryAccess &A) { return asks(A) || stays(A); }))
    return false;
  const std::optional<CountedTurns> Counted = countedTurns(S, In);
  return !Counted || (Counted->MayEndEarlier && llvm::any_of(E.Memory, asks));
}

/// A loop of the compute that ends when another thread has stored something.
bool waitsInCompute(const Stmt *S, const Scope &In) {
  if (!S)
    return false;
  if (isa<ForStmt, WhileStmt, DoStmt>(S) && spins(S, In))
    return true;
  if (const auto *C = dyn_cast<CallExpr>(S)) {
    const HeldPointers::Call Made = calleeOf(C);
    const FunctionDecl *Definition = nullptr;
    if (Made.Callee && Made.Callee->hasBody(Definition) &&
        !In.contains(Definition) &&
        waitsInCompute(Definition->getBody(),
                       Scope(In, Definition, Made.Arguments, Made.Object)))
      return true;
  }
  return llvm::any_of(S->children(), [&](const Stmt *Child) {
    return waitsInCompute(Child, In);
  });
}

/// An atomic that changes nothing, `atomicAdd(flag, 0)`: people read so what
/// other threads store.
bool onlyReads(const CallExpr *C, const ASTContext &Context) {
  const FunctionDecl *F = C->getDirectCallee();
  if (!F || classifyCall(F) != CallKind::Atomic || C->getNumArgs() < 2)
    return false;
  auto number = [&](unsigned I) {
    const Expr *E = C->getArg(I);
    return E->isValueDependent() ? std::nullopt
                                 : E->getIntegerConstantExpr(Context);
  };
  const auto By = number(1);
  if (!By)
    return false;
  if (C->getNumArgs() == 2)
    return By->isZero() && llvm::is_contained({"atomicAdd", "atomicSub",
                                               "atomicOr", "atomicXor"},
                                              F->getName());
  const auto To = number(2);
  return To && llvm::APSInt::isSameValue(*By, *To);
}

/// Does the compute ask for what another thread stores, be it once?
bool asksInCompute(const Stmt *S, const Scope &In) {
  const Effects E = effectsOf(S, In);
  if (llvm::any_of(E.Memory, [](const MemoryAccess &A) {
        return A.Volatile && !A.Write && mayBeGlobal(A);
      }))
    return true;
  // The effects do not tell what an atomic does.
  struct Finder : ConstDynamicRecursiveASTVisitor {
    const ASTContext &Context;
    llvm::SmallPtrSet<const FunctionDecl *, 4> Seen;
    bool Found = false;
    explicit Finder(const ASTContext &Context) : Context(Context) {}
    bool VisitCallExpr(const CallExpr *C) override {
      Found |= onlyReads(C, Context);
      const FunctionDecl *F = C->getDirectCallee(), *Definition = nullptr;
      if (!Found && F && F->hasBody(Definition) &&
          Seen.insert(Definition).second)
        TraverseStmt(Definition->getBody());
      return !Found;
    }
  } Find(In.context());
  Find.TraverseStmt(S);
  return Find.Found;
}

} // namespace

void loadEffects(const LoopFacts &F, const Directives &, Findings &Out) {
  auto Report = [&](SourceLocation Where, Message Why) {
    Out.push_back({RuleId::LoadEffects, Where, std::move(Why), {}});
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
      Report(placeOf(A, F), msg::load_is_volatile);
    else if (A.Atomic)
      Report(placeOf(A, F), {msg::load_is_atomic, named(A.Root)});
    else if (A.Write && (mayBeGlobal(A) && A.Root.Where != Space::Shared))
      Report(placeOf(A, F), {msg::load_stores_elsewhere, named(A.Root)});
    else if (A.Write && mayBeShared(A) && !(A.Root.Var && staged(F, A.Root.Var)) &&
             !isReported(F, placeOf(A, F)) && !Asynchronous(A))
      Report(placeOf(A, F), {msg::load_writes_otherwise, named(A.Root)});
  }
  // What `const __restrict__` promises no thread stores.
  const bool MayChange = llvm::any_of(Load.Memory, [](const MemoryAccess &A) {
    return !A.Write && mayBeGlobal(A) && !A.ReadOnly && !A.Root.Restrict &&
           !A.Root.Promise;
  });
  bool Before = true;
  for (const BodyItem &I : F.Tile.Body) {
    Before &= I.S != F.Tile.LoadBarrier;
    if ((Before || I.InLoad) && waits(I.S, *F.In))
      Report(startOf(I.S), msg::load_waits);
    else if (!Before && !I.InLoad && MayChange) {
      const bool Waits = waitsInCompute(I.S, *F.In);
      if (Waits || asksInCompute(I.S, *F.In))
        Out.push_back({RuleId::LoadEffects,
                       startOf(I.S),
                       Waits ? msg::compute_waits : msg::compute_asks,
                       {{startOf(I.S), msg::promise_tiles}}});
    }
  }
  for (const Event &E : Load.Events) {
    if (E.Kind == EventKind::Output)
      Report(startOf(E.At), {msg::load_calls, E.Name});
    else if (E.Kind == EventKind::UnknownCall)
      Report(startOf(E.At), {msg::load_calls_unknown, E.Callee});
    else if (E.Kind == EventKind::UnknownAsm)
      Report(startOf(E.At), {msg::load_has_assembly, E.Name});
  }
}

} // namespace kpipe

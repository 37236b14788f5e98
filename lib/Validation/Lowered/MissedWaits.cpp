// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies that stay asynchronous, followed through the statements of a function:
// nothing of them may be in flight where a wait or a commit went. See
// LoweredCode.h.
#include "BarrierTrees.h"
#include "LoweredCode.h"
#include "Validation/Trees/JumpMeaning.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// Copies of that object, or of the thread itself, that may be in flight.
struct Flight {
  std::set<std::string> Issued, Committed;
  bool Unknown = false; ///< of somebody else's function

  void join(const Flight &O) {
    Issued.insert(O.Issued.begin(), O.Issued.end());
    Committed.insert(O.Committed.begin(), O.Committed.end());
    Unknown |= O.Unknown;
  }
};

const FunctionDecl *calledBody(const CallExpr *C) {
  const FunctionDecl *Callee = C ? C->getDirectCallee() : nullptr;
  const FunctionDecl *Body = nullptr;
  return Callee && Callee->hasBody(Body) ? Body : nullptr;
}

class WaitsWalk {
public:
  WaitsWalk(const Tree &Author, const ASTContext &Of,
            const std::set<const Tree *> &Gone, const PlainFunctions &Plain)
      : F(Author, Of), Gone(Gone), Plain(Plain) {}

  const Tree *Missed = nullptr;

  /// What a jump brings to its label is there the next time.
  void function(const Tree &T) {
    for (unsigned Turn = 0; Turn == 0 || (Jumps && Turn != 3); ++Turn) {
      Now = Flight();
      statement(*T.Kids.back());
    }
  }

private:
  Frame F;
  const std::set<const Tree *> &Gone;
  const PlainFunctions &Plain;
  Flight Now, AtBreak, AtContinue, AtJump;
  bool Jumps = false;

  void statement(const Tree &T) {
    if (Gone.count(&T))
      return gone(T);
    if (T.is("LabelStmt"))
      Now.join(AtJump);
    if (T.is("GotoStmt") || T.is("IndirectGotoStmt")) {
      AtJump.join(Now);
      Jumps = true;
    } else if (T.is("BreakStmt")) {
      AtBreak.join(Now);
    } else if (T.is("ContinueStmt")) {
      AtContinue.join(Now);
    } else if (T.is("IfStmt") || T.is("SwitchStmt")) {
      branches(T);
    } else if (T.is("ForStmt") || T.is("WhileStmt") || T.is("DoStmt") ||
               T.is("CXXForRangeStmt")) {
      loop(T);
    } else if (auto Async = leaf(T)) {
      for (const AsyncEvent &E : Async->Events)
        stays(E);
    } else if (const FunctionDecl *Body = waitingFunction(T)) {
      waits(Body);
    } else if (isa_and_nonnull<Expr>(T.Origin) || T.is("DeclStmt") ||
               T.is("GCCAsmStmt")) {
      if (callsWithoutWaits(T.Origin, Plain) && isAnyInFlight() && !Missed)
        Missed = &T;
      Now.Unknown |= copiesAsynchronously(T.Origin, Plain);
    } else {
      for (const auto &Kid : T.Kids)
        statement(*Kid);
    }
  }

  /// A function of the author's that is given nothing and whose statements are
  /// waits and commits of the thread, and barriers of the block.
  const FunctionDecl *waitingFunction(const Tree &T) const {
    const auto *C = dyn_cast_or_null<CallExpr>(exprOf(T));
    const FunctionDecl *Body = calledBody(C);
    if (!Body || isa<CXXMethodDecl>(Body) || Body->getNumParams() ||
        !keepsWaits(Body, 0))
      return nullptr;
    bool Waits = false;
    return eachWait(Body, [&](const AsyncEvent &) { Waits = true; }) && Waits
               ? Body
               : nullptr;
  }

  /// Is it, and what it calls, as its author wrote it?
  bool keepsWaits(const FunctionDecl *Body, unsigned Depth) const {
    return Depth != 4 && !Plain.count(Body) &&
           keepsWaits(Body->getBody(), Depth);
  }
  bool keepsWaits(const Stmt *S, unsigned Depth) const {
    if (!S)
      return true;
    const auto *C = dyn_cast<CallExpr>(S);
    const FunctionDecl *Body = calledBody(C);
    return (!C || C->getDirectCallee()) &&
           (!Body || keepsWaits(Body, Depth + 1)) &&
           llvm::all_of(S->children(), [&](const Stmt *Kid) {
             return keepsWaits(Kid, Depth);
           });
  }

  bool eachWait(const FunctionDecl *Body,
                llvm::function_ref<void(const AsyncEvent &)> Do) const {
    auto Inside = treeOf(Body, const_cast<ASTContext &>(F.Context));
    Frame In(*Inside, F.Context);
    for (const Tree *S : statementsIn(*Inside->Kids.back())) {
      if (S->is("NullStmt") || isBlockBarrier(*S))
        continue;
      In.Here = S;
      const auto Async = asyncStatement(*S, In);
      if (!Async || Async->Effects)
        return false;
      for (const AsyncEvent &E : Async->Events)
        if ((E.What != AsyncEvent::Wait && E.What != AsyncEvent::Commit) ||
            !E.Object.empty())
          return false;
      llvm::for_each(Async->Events, Do);
    }
    return true;
  }

  void waits(const FunctionDecl *Body) {
    eachWait(Body, [&](const AsyncEvent &E) { stays(E); });
  }

  bool isInFlight(const std::string &Object) const {
    return Now.Issued.count(Object) || Now.Committed.count(Object);
  }
  bool isAnyInFlight() const {
    return !Now.Issued.empty() || !Now.Committed.empty() || Now.Unknown;
  }

  std::optional<AsyncStatement> leaf(const Tree &T) {
    if (T.is("CompoundStmt") || T.is("NullStmt"))
      return std::nullopt;
    // What it did it does at once.
    const Expr *Call = exprOf(withoutCasts(T));
    if (Plain.count(calledBody(dyn_cast_or_null<CallExpr>(Call))) &&
        !Gone.count(&T))
      return std::nullopt;
    F.Here = &T;
    return asyncStatement(T, F);
  }

  void stays(const AsyncEvent &E) {
    switch (E.What) {
    case AsyncEvent::Copy:
      // A barrier counts a copy from the beginning.
      (E.Object.empty() ? Now.Issued : Now.Committed).insert(E.Object);
      break;
    case AsyncEvent::ArriveOn:
    case AsyncEvent::ArriveBehind:
      // The thread's own waits are for them as well.
      if (isInFlight(""))
        Now.Committed.insert(E.Object);
      break;
    case AsyncEvent::Commit:
      if (Now.Issued.erase(E.Object))
        Now.Committed.insert(E.Object);
      break;
    case AsyncEvent::Wait:
    case AsyncEvent::Barrier:
    case AsyncEvent::GroupBarrier:
      if (E.All)
        Now.Committed.erase(E.Object);
      if (E.All && E.Uncommitted)
        Now.Issued.erase(E.Object);
      break;
    default:
      break;
    }
  }

  void gone(const Tree &T) {
    auto Async = leaf(T);
    if (!Async) {
      for (const auto &Kid : T.Kids)
        gone(*Kid);
      return;
    }
    bool Waits = llvm::any_of(Async->Events, [&](const AsyncEvent &E) {
      return E.What != AsyncEvent::Copy &&
             (isInFlight(E.Object) ||
              ((E.What == AsyncEvent::ArriveOn ||
                E.What == AsyncEvent::ArriveBehind) &&
               isInFlight("")) ||
              Now.Unknown);
    });
    if (Waits && !Missed)
      Missed = &T;
  }

  void branches(const Tree &T) {
    Flight Before = Now, After = Now;
    bool Switch = T.is("SwitchStmt");
    Flight Outer = std::exchange(AtBreak, Switch ? Flight() : AtBreak);
    for (const auto &Kid : T.Kids) {
      Now = Before;
      statement(*Kid);
      After.join(Now);
      // A case may fall into the next.
      if (Switch)
        After.join(AtBreak);
    }
    if (Switch)
      AtBreak = std::move(Outer);
    Now = std::move(After);
  }

  void loop(const Tree &T) {
    Flight OuterBreak = std::exchange(AtBreak, Flight()),
           OuterContinue = std::exchange(AtContinue, Flight());
    Flight Entry = Now;
    // What the first turn leaves is there in the second; the third adds nothing
    // but what the second did.
    for (unsigned Turn = 0; Turn != 3; ++Turn) {
      for (const auto &Kid : T.Kids)
        statement(*Kid);
      Now.join(AtContinue);
      if (!T.is("DoStmt"))
        AtBreak.join(Now);
      if (Turn != 2)
        Now.join(Entry);
    }
    Flight After = Now;
    After.join(AtBreak);
    if (!T.is("DoStmt"))
      After.join(Entry);
    AtBreak = std::move(OuterBreak);
    AtContinue = std::move(OuterContinue);
    Now = std::move(After);
  }
};

} // namespace

bool callsWithoutWaits(const Stmt *S, const PlainFunctions &Plain) {
  if (!S)
    return false;
  // Threads that a launch begins have nothing in flight.
  auto Found = isa<CUDAKernelCallExpr>(S)
                   ? Plain.end()
                   : Plain.find(calledBody(dyn_cast<CallExpr>(S)));
  return (Found != Plain.end() && Found->second) ||
         llvm::any_of(S->children(), [&](const Stmt *Kid) {
           return callsWithoutWaits(Kid, Plain);
         });
}

const Tree *waitThatIsMissed(const Tree &Author, const ASTContext &Of,
                             const std::set<const Tree *> &Gone,
                             const PlainFunctions &Plain) {
  WaitsWalk W(Author, Of, Gone, Plain);
  W.function(Author);
  return W.Missed;
}

} // namespace kpipe

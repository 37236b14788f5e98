// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waits by parity that became barriers of the block. A phase has to end in each
// turn, and the wait has to be for that one: followed through a loop's body,
// statement by statement. See LoweredCode.h.
#include "Code/KnownFunctions.h"
#include "LoweredCode.h"
#include "MbarrierMeaning.h"
#include "PhaseCounter.h"
#include "Validation/Trees/SameForAll.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

bool contains(const Tree &In, const Tree *T) {
  return &In == T || llvm::any_of(In.Kids, [&](const auto &Kid) {
    return contains(*Kid, T);
  });
}

class TurnsOfBarriers {
public:
  TurnsOfBarriers(const Tree &Author, const ASTContext &Of,
                  const std::set<const Tree *> &Gone)
      : Author(Author), Gone(Gone), F(Author, Of) {}

  const Tree *run() {
    walk(*Author.Kids.back());
    return Missed;
  }

private:
  const Tree &Author;
  const std::set<const Tree *> &Gone;
  Frame F;
  const Tree *Missed = nullptr;
  std::vector<const Tree *> Path; ///< statements around, outermost first

  void walk(const Tree &T) {
    if (Missed)
      return;
    for (const AsyncEvent &E :
         Gone.count(&T) ? eventsOf(T) : std::vector<AsyncEvent>())
      if (E.Parity && !isOfTurn(T, E))
        Missed = &T;
    Path.push_back(&T);
    for (const auto &Kid : T.Kids)
      walk(*Kid);
    Path.pop_back();
  }

  std::vector<AsyncEvent> eventsOf(const Tree &T) {
    if (T.is("CompoundStmt") || T.is("NullStmt") || T.is("IfStmt") ||
        T.is("ForStmt"))
      return {};
    F.Here = &T;
    auto Async = asyncStatement(T, F);
    return Async ? std::move(Async->Events) : std::vector<AsyncEvent>();
  }

  bool isOfTurn(const Tree &Wait, const AsyncEvent &E) {
    const size_t Depth = Path.size();
    // Directly in the body of a loop.
    if (Depth < 2 || !Path[Depth - 1]->is("CompoundStmt") ||
        !isLoop(*Path[Depth - 2]) || !E.At)
      return false;
    const Tree &Turn = *Path[Depth - 1], &Loop = *Path[Depth - 2];
    std::vector<const Tree *> Outer;
    for (const Tree *Up : llvm::ArrayRef(Path).drop_back(2))
      if (isLoop(*Up) || Up->is("LambdaExpr"))
        Outer.push_back(Up);
    // Others have the phases behind these; each is asked for its own waits.
    Turns = {&Turn};
    findTurns(*Author.Kids.back(), E);
    const bool ComesAgain = !Outer.empty() || Turns.size() != 1;
    PhaseCounter C;
    return !jumps(Author) && !leaves(Turn, ComesAgain) &&
           isOnlyHere(E, Loop, Outer) &&
           counter(plain(*E.Parity), Loop, Turn, Outer, C) && inOrder(E, C);
  }

  /// The bodies of loops that wait at the same barrier.
  std::set<const Tree *> Turns;

  void findTurns(const Tree &T, const AsyncEvent &Of) {
    if (isLoop(T))
      for (const auto &Body : T.Kids)
        if (Body->is("CompoundStmt") &&
            llvm::any_of(Body->Kids, [&](const auto &S) {
              return Gone.count(S.get()) &&
                     llvm::any_of(eventsOf(*S), [&](const AsyncEvent &E) {
                       return E.Parity && E.Object == Of.Object;
                     });
            }))
          Turns.insert(Body.get());
    for (const auto &Kid : T.Kids)
      findTurns(*Kid, Of);
  }

  static bool jumps(const Tree &T) {
    return T.is("GotoStmt") || T.is("LabelStmt") || T.is("IndirectGotoStmt") ||
           llvm::any_of(T.Kids, [](const auto &Kid) { return jumps(*Kid); });
  }

  /// May a turn end without its waits, or the loop, and come again?
  static bool leaves(const Tree &T, bool ComesAgain, bool Nested = false) {
    if ((T.is("ContinueStmt") && !Nested) || T.is("SwitchStmt") ||
        (T.is("BreakStmt") && !Nested && ComesAgain) ||
        (T.is("ReturnStmt") && ComesAgain))
      return true;
    return llvm::any_of(T.Kids, [&](const auto &Kid) {
      return leaves(*Kid, ComesAgain, Nested || isLoop(T));
    });
  }

  /// Does everybody that names the barrier do so to make it, once before the
  /// loop, or in the loop's turns?
  bool isOnlyHere(const AsyncEvent &E, const Tree &Loop,
                  llvm::ArrayRef<const Tree *> Outer) {
    bool Before = true;
    return uses(*Author.Kids.back(), E, Loop, Outer, Before);
  }

  bool uses(const Tree &T, const AsyncEvent &E, const Tree &Loop,
            llvm::ArrayRef<const Tree *> Outer, bool &Before) {
    Before &= &T != &Loop && !Turns.count(&T);
    if (Turns.count(&T))
      return true; // inOrder() looks there
    if (T.is("UnaryExprOrTypeTraitExpr"))
      return true;
    // A variable that holds its address has the same uses.
    if (T.is("Var") && T.Kids.size() == 1) {
      std::string Key;
      const Tree *Held = barrierAt(T.kid(0), F, Key);
      if (Held && Held->Local == E.At->Local)
        return F.isKept(T.Local) && T.Local != E.At->Local;
    }
    if (isNamed(T, E) && isa_and_nonnull<Expr, GCCAsmStmt>(T.Origin))
      return Before && initialises(T, E) &&
             llvm::none_of(Outer,
                           [&](const Tree *L) { return contains(*L, &T); });
    return llvm::all_of(T.Kids, [&](const auto &Kid) {
      return uses(*Kid, E, Loop, Outer, Before);
    });
  }

  bool isNamed(const Tree &T, const AsyncEvent &E) const {
    if (T.is("DeclRefExpr") && T.Local) {
      std::string Key;
      const Tree *Held = T.Local == E.At->Local ? E.At : barrierAt(T, F, Key);
      return Held && Held->Local == E.At->Local;
    }
    return llvm::any_of(T.Kids,
                        [&](const auto &Kid) { return isNamed(*Kid, E); });
  }

  bool initialises(const Tree &T, const AsyncEvent &E) {
    F.Here = &T;
    if (auto AtBarrier = mbarrierStatement(T, F))
      return AtBarrier->size() == 1 && AtBarrier->front().Count;
    const FunctionDecl *Callee = calleeOf(plain(T));
    return Callee && Callee->getIdentifier() && Callee->getName() == "init" &&
           recordNamed(plain(T), E);
  }

  bool recordNamed(const Tree &Call, const AsyncEvent &E) const {
    auto Given = argumentsOf(Call);
    return Given.size() >= 2 && isNamed(*Given[0], E) && !isNamed(*Given[1], E);
  }

  bool counter(const Tree &Parity, const Tree &Loop, const Tree &Turn,
               llvm::ArrayRef<const Tree *> Outer, PhaseCounter &C) const {
    const Tree *Of = &Parity;
    int64_t By = 1, More = 0;
    C.Flips = Of->is("DeclRefExpr");
    if (!C.Flips) {
      if (!Of->is("BinaryOperator"))
        return false;
      const auto Right = constantOf(Of->kid(1), F);
      if (!(Of->Label == "&" && Right == 1) &&
          !(Of->Label == "%" && Right == 2))
        return false;
      Of = &plain(Of->kid(0));
      if (Of->is("BinaryOperator") && (Of->Label == "+" || Of->Label == "-")) {
        const auto Times = constantOf(Of->kid(1), F);
        if (!Times || *Times < 0 || *Times > 1 << 20)
          return false;
        More = Of->Label == "+" ? *Times : -*Times;
        Of = &plain(Of->kid(0));
      } else if (Of->is("BinaryOperator") &&
                 (Of->Label == "/" || Of->Label == ">>")) {
        const auto Parts = constantOf(Of->kid(1), F);
        if (!Parts || *Parts <= 0 || *Parts > (Of->Label == "/" ? 1 << 20 : 19))
          return false;
        By = Of->Label == "/" ? *Parts : int64_t(1) << *Parts;
        Of = &plain(Of->kid(0));
      }
    }
    C.Local = localIn(*Of);
    const Tree *Made = C.Local ? declared(Author, C.Local) : nullptr;
    const auto *V = Made ? dyn_cast_or_null<VarDecl>(Made->Of) : nullptr;
    if (!V || !V->hasLocalStorage() || V->getType()->isReferenceType() ||
        V->getType().isVolatileQualified() ||
        !V->getType()->isIntegralOrEnumerationType() || Made->Kids.size() != 1)
      return false;
    // What is asked for in the first turn is 0, and no remainder of less.
    const auto First = constantOf(Made->kid(0), F);
    if (!First || *First < 0 || *First > 1 << 20 || *First + More < 0 ||
        (*First + More) % 2 || ((C.Flips || By != 1) && *First))
      return false;
    C.InHeader = contains(Loop, Made);
    if (!C.InHeader)
      return By == 1 &&
             llvm::none_of(Turns,
                           [&](const Tree *T) { return contains(*T, Made); }) &&
             llvm::none_of(Outer,
                           [&](const Tree *L) { return contains(*L, Made); });
    // `for (int k = 0; …; k += By)`, which runs once.
    const Tree *Step = nullptr;
    if (Loop.is("ForStmt") && Outer.empty() && Turns.size() == 1 && !C.Flips &&
        contains(Loop.kid(0), Made) && Loop.Kids.size() >= 2)
      Step = Loop.Kids[Loop.Kids.size() - 2].get();
    return Step && goesOn(*Step, C.Local, By, F) == 1 &&
           changes(Author, C.Local) == 1 && !contains(Turn, Made);
  }

  static const Tree *declared(const Tree &T, unsigned Local) {
    if (T.is("Var") && T.Local == Local)
      return &T;
    for (const auto &Kid : T.Kids)
      if (const Tree *Found = declared(*Kid, Local))
        return Found;
    return nullptr;
  }

  /// Arrivals, a wait, a step, and again.
  bool inOrder(const AsyncEvent &Of, const PhaseCounter &C) {
    unsigned Steps = 0;
    return llvm::all_of(Turns,
                        [&](const Tree *Turn) {
                          return inOrder(Of, *Turn, C, Steps);
                        }) &&
           (C.InHeader || Steps == changes(Author, C.Local));
  }

  bool inOrder(const AsyncEvent &Of, const Tree &Turn, const PhaseCounter &C,
               unsigned &Steps) {
    bool Arrived = false, Ready = true;
    unsigned Waits = 0;
    for (const auto &S : Turn.Kids) {
      if (!C.InHeader && isPhaseStep(*S, C, F)) {
        if (Ready)
          return false;
        Ready = true;
        ++Steps;
        continue;
      }
      if (!isNamed(*S, Of))
        continue;
      bool Here = false;
      for (const AsyncEvent &E :
           Gone.count(S.get()) ? eventsOf(*S) : std::vector<AsyncEvent>())
        if (E.Parity && E.Object == Of.Object) {
          if (!Arrived || !Ready)
            return false;
          Arrived = Ready = false;
          ++Waits;
          Here = true;
        }
      if (!Here && !arrives(*S, Of, Arrived))
        return false;
    }
    return !Arrived && (C.InHeader ? Waits == 1 : Ready);
  }

  /// All that names the barrier in a statement arrives there, or copies.
  bool arrives(const Tree &T, const AsyncEvent &Of, bool &Arrived) {
    if (!isNamed(T, Of) || T.is("UnaryExprOrTypeTraitExpr"))
      return true;
    if (T.is("DeclStmt")) {
      // A variable that holds the address.
      std::string Key;
      return llvm::all_of(T.Kids, [&](const auto &V) {
        const Tree *Held =
            V->Kids.size() == 1 ? barrierAt(V->kid(0), F, Key) : nullptr;
        return !isNamed(*V, Of) || (Held && F.isKept(V->Local));
      });
    }
    std::vector<AsyncEvent> Events = eventsOf(T);
    for (const AsyncEvent &E : Events) {
      const bool ElsewhereWaits = E.Parity && E.Object != Of.Object;
      if (E.What == AsyncEvent::Copy || E.What == AsyncEvent::ArriveOn ||
          ElsewhereWaits)
        continue;
      if ((E.What != AsyncEvent::Arrive &&
           E.What != AsyncEvent::ArriveBehind) ||
          E.Token)
        return false;
      Arrived |= E.Object == Of.Object;
    }
    if (!Events.empty())
      return true;
    return !isa_and_nonnull<Expr, GCCAsmStmt>(T.Origin) &&
           llvm::all_of(T.Kids, [&](const auto &Kid) {
             return arrives(*Kid, Of, Arrived);
           });
  }
};

} // namespace

const Tree *phaseThatIsMissed(const Tree &Author, const ASTContext &Of,
                              const std::set<const Tree *> &Gone) {
  return TurnsOfBarriers(Author, Of, Gone).run();
}

} // namespace kpipe

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Can a load region be split into a fetch (global memory to registers) and a
// store (registers to shared memory)? The store half runs the place of each
// store again, so a place must not depend on what was loaded, nor on anything
// that the fetch has moved on, and nothing that changes a variable may be run by
// both; and what copy loops load must fit registers that are counted at compile
// time.

#include "Split.h"
#include "Code/AstUtils.h"
#include "Code/Jumps.h"
#include "Code/QuietConstruction.h"
#include "CopyLimits.h"
#include "HelperCalls.h"
#include "Support/RuleSwitch.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// Which local variables each local variable of the load region is computed
/// from, and which hold loaded values.
class Flow : public ConstDynamicRecursiveASTVisitor {
public:
  explicit Flow(const Scope &In) : In(In) {}

  void add(const Stmt *S) { TraverseStmt(S); }

  bool VisitVarDecl(const VarDecl *V) override {
    if (V->hasInit())
      note(V, effectsOf(V->getInit(), In));
    return true;
  }
  bool VisitBinaryOperator(const BinaryOperator *B) override {
    if (B->isAssignmentOp())
      assign(B);
    return true;
  }
  bool VisitUnaryOperator(const UnaryOperator *U) override {
    if (U->isIncrementDecrementOp())
      assign(U);
    return true;
  }
  bool VisitCallExpr(const CallExpr *C) override {
    assign(C);
    return true;
  }
  bool VisitGCCAsmStmt(const GCCAsmStmt *A) override {
    assign(A);
    return true;
  }

  VarSet closure(const VarSet &From) const {
    VarSet All = From;
    llvm::SmallVector<const VarDecl *, 8> Work(From.begin(), From.end());
    while (!Work.empty())
      if (auto It = Sources.find(Work.pop_back_val()); It != Sources.end())
        for (const VarDecl *V : It->second)
          if (All.insert(V).second)
            Work.push_back(V);
    return All;
  }
  bool loaded(const VarSet &Vars) const {
    return llvm::any_of(closure(Vars), [&](const VarDecl *V) {
      return Loaded.count(V);
    });
  }

private:
  const Scope &In;
  llvm::DenseMap<const VarDecl *, VarSet> Sources;
  VarSet Loaded;

  void note(const VarDecl *V, const Effects &E) {
    Sources[V].insert(E.Reads.begin(), E.Reads.end());
    if (E.readsGlobal())
      Loaded.insert(V);
  }
  void assign(const Stmt *S) {
    Effects E = effectsOf(S, In);
    for (const VarDecl *V : E.Writes)
      note(V, E);
  }
};

class SplitCheck {
public:
  explicit SplitCheck(LoopFacts &Facts) : Facts(Facts) {}

  void run() {
    Flow Body(*Facts.In);
    for (const BodyItem &I : Facts.Tile.Body)
      if (I.InLoad)
        Body.add(I.S);
    for (TileCopy &C : Facts.Tile.Copies) {
      if (C.Helper) {
        const auto Args = givenTo(C.HelperCall);
        const Scope Callee = helperScope(C, *Facts.In);
        Flow Inner(Callee);
        Inner.add(C.Helper->getBody());
        check(C, Callee, Inner, C.Helper->getBody());
        // The store half is given the arguments again; only those that a place
        // needs matter to it.
        VarSet Needed;
        if (const Expr *Object = calledOn(C.HelperCall)) {
          if (Once && !effectsOf(Object, *Facts.In).Writes.empty())
            no(Object, msg::argument_changes_variable);
          // Any place may need which object it is.
          const VarSet Which = variables(Object, *Facts.In);
          Needed.insert(Which.begin(), Which.end());
        }
        for (unsigned I = 0; I != Args.size(); ++I) {
          if (Once && !effectsOf(Args[I], *Facts.In).Writes.empty())
            no(Args[I], msg::argument_changes_variable);
          const Effects E = effectsOf(Args[I], *Facts.In);
          const bool Asked = placesNeed(C, I);
          // What only the values need is asked for in the half that loads.
          if (E.readsGlobal() && (Asked || !isBits(C, I, *Facts.In)))
            no(Args[I], msg::argument_is_loaded);
          if (!Asked)
            continue;
          Needed.insert(E.Reads.begin(), E.Reads.end());
        }
        // Where the helper's own variables end, those of the loop go on.
        Needed.insert(C.PlaceNeeds.begin(), C.PlaceNeeds.end());
        Needed.insert(C.GuardNeeds.begin(), C.GuardNeeds.end());
        Needed = Body.closure(Needed);
        C.PlaceNeeds.insert(Needed.begin(), Needed.end());
        guards(C, C.HelperCall, *Facts.In, Body, nullptr);
        moved(C, C.HelperCall);
      } else {
        check(C, *Facts.In, Body, nullptr);
        moved(C, C.Dst);
      }
      if (Once)
        waits(C);
    }
    if (Once)
      advancedTwice();
    for (const TileCopy &C : Facts.Tile.Copies)
      if (C.Helper)
        calledOnce(C);
  }

private:
  LoopFacts &Facts;
  /// What is done once must not be done by both halves.
  const bool Once = !ruleIsSwitchedOff("split-effects");

  void no(const Stmt *Where, Message Why) {
    if (!Facts.Tile.NotSplittable.empty())
      return;
    Facts.Tile.NotSplittable = std::move(Why);
    Facts.Tile.NotSplittableLoc = startOf(Where);
  }

  /// Those that S names, and those that what it calls reads.
  static VarSet variables(const Stmt *S, const Scope &In) {
    struct Finder : ConstDynamicRecursiveASTVisitor {
      VarSet Found;
      bool VisitDeclRefExpr(const DeclRefExpr *D) override {
        if (const auto *V = dyn_cast<VarDecl>(D->getDecl()))
          Found.insert(V);
        return true;
      }
    } F;
    F.TraverseStmt(S);
    Effects E = effectsOf(S, In);
    F.Found.insert(E.Reads.begin(), E.Reads.end());
    // An object that is copied by its assignment: `xs[t] = *p`.
    if (const auto *Object = dyn_cast<Expr>(S); Object && Object->isGLValue())
      for (const MemoryRoot &R : In.ofLValue(Object))
        if (R.Where == Space::Local && R.Var)
          F.Found.insert(R.Var);
    return F.Found;
  }

  /// A value of class type may be an lvalue that the assignment reads.
  static bool readsGlobal(const Expr *Value, const Scope &In) {
    if (effectsOf(Value, In).readsGlobal())
      return true;
    return Value->isGLValue() &&
           llvm::any_of(In.ofLValue(Value), [](const MemoryRoot &R) {
             return R.Where == Space::Global || R.Where == Space::Unknown;
           });
  }

  void check(TileCopy &C, const Scope &In, const Flow &Values,
             const Stmt *Root) {
    VarSet Place = variables(C.Dst, In);
    Effects Dst = effectsOf(C.Dst, In);
    if (Dst.readsGlobal() || Values.loaded(Place))
      no(C.Dst, msg::destination_is_loaded);
    C.PlaceNeeds = Values.closure(Place);
    C.ValueNeeds = Values.closure(variables(C.Value, In));
    C.ValueIsLoaded = readsGlobal(C.Value, In) || C.FillStore ||
                      Values.loaded(C.ValueNeeds);
    if (C.FillStore) {
      VarSet Fill = Values.closure(variables(C.FillStore, In));
      C.ValueNeeds.insert(Fill.begin(), Fill.end());
    }
    if (C.Guard) {
      VarSet Guard = Values.closure(variables(C.Guard, In));
      C.ValueNeeds.insert(Guard.begin(), Guard.end());
    }
    if (Once)
      once(C, Dst, In);
    guards(C, C.Store, In, Values, Root);
    for (const CopyLoop &L : C.Loops) {
      if (!L.Trips)
        no(L.For, whyNotCounted(L, Facts.In->context()));
      for (const Stmt *Part : {L.For->getInit(),
                               static_cast<const Stmt *>(L.For->getInc())})
        if (Part) {
          VarSet Needs = Values.closure(variables(Part, In));
          C.GuardNeeds.insert(Needs.begin(), Needs.end());
        }
    }
  }

  /// A call's registers are those of one turn of a loop around it.
  void calledOnce(const TileCopy &C) {
    if (C.ValueIsLoaded && !ruleIsSwitchedOff("helper-loops"))
      for (const BodyItem &I : Facts.Tile.Body)
        for (const Stmt *S : pathTo(C.HelperCall, I.S))
          if (isLoop(S))
            no(S, {msg::helper_in_loop, quoted(C.Helper)});
  }

  /// What the place or the value changes is changed in one half, and must not
  /// be asked for in the other.
  void once(const TileCopy &C, const Effects &Dst, const Scope &In) {
    if (!Dst.Writes.empty())
      return no(C.Dst, msg::destination_changes_variable);
    if (!C.ValueIsLoaded && !effectsOf(C.Value, In).Writes.empty())
      return no(C.Value, msg::value_changes_variable);
    // Only the half that fetches chooses between values.
    for (const Expr *E : {C.Value, C.Guard, C.FillStore})
      if (E)
        for (const VarDecl *V : inOrder(effectsOf(E, In).Writes))
          if (C.PlaceNeeds.count(V))
            no(E, {msg::value_changes_destination, quoted(V)});
  }

  /// The loaded value waits in a variable of its own, which must do nothing
  /// when it comes and goes.
  void waits(const TileCopy &C) {
    const CXXRecordDecl *R =
        C.Dst->getType().getNonReferenceType()->getAsCXXRecordDecl();
    if (R && R->hasDefinition() && hasOtherAssignments(R))
      return no(C.Dst, {msg::type_assigns_otherwise, quoted(R)});
    if (!R || !R->hasDefinition() || copiesBits(R))
      return;
    for (const CXXConstructorDecl *D : R->ctors())
      if (D->isDefaultConstructor() &&
          (D->isDeleted() || D->getAccess() == AS_private ||
           D->getAccess() == AS_protected))
        return no(C.Dst, {msg::type_needs_value, quoted(R)});
    if (!isMadeQuietly(R))
      no(C.Dst, {msg::type_needs_value, quoted(R)});
  }

  /// Conditions around the store are evaluated by both halves.
  void guards(TileCopy &C, const Expr *Target, const Scope &In,
              const Flow &Values, const Stmt *Root) {
    struct Finder : ConstDynamicRecursiveASTVisitor {
      const Stmt *Target, *Exempt;
      llvm::SmallVector<const Expr *, 4> Stack, Found;
      bool Done = false;
      const Stmt *Unsupported = nullptr, *Jump = nullptr;
      llvm::SmallVector<const Stmt *, 4> Loops;
      bool TraverseStmt(const Stmt *S) override {
        if (!S || Done)
          return true;
        if (S == Target) {
          Found = Stack;
          Done = true;
          return true;
        }
        size_t Before = Stack.size();
        const Stmt *Outer = Unsupported, *OuterJump = Jump;
        if (auto *I = dyn_cast<IfStmt>(S); I && I != Exempt)
          Stack.push_back(I->getCond());
        else if (auto *F = dyn_cast<ForStmt>(S); F && F->getCond())
          Stack.push_back(F->getCond());
        else if (isa<WhileStmt, DoStmt, SwitchStmt>(S))
          Unsupported = S;
        if (auto *F = dyn_cast<ForStmt>(S); F && !Jump)
          Jump = findJump(F);
        ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
        Stack.resize(Before);
        if (!Done) {
          Unsupported = Outer;
          Jump = OuterJump;
        }
        return true;
      }
    };
    for (const BodyItem &I : Facts.Tile.Body) {
      if (!Root && !I.InLoad)
        continue;
      Finder F;
      F.Target = Target;
      F.Exempt = C.IfElse;
      F.TraverseStmt(Root ? Root : I.S);
      if (!F.Done)
        continue;
      if (F.Unsupported)
        no(F.Unsupported, msg::stored_in_other_statement);
      // The store half would have to jump as the fetch half did.
      if (F.Jump)
        no(F.Jump, msg::jump_decides_store);
      for (const Expr *E : F.Found) {
        VarSet Needs = variables(E, In);
        if (Once && !effectsOf(E, In).Writes.empty())
          no(E, msg::guard_changes_variable);
        if (Values.loaded(Needs) || effectsOf(E, In).readsGlobal())
          no(E, msg::guard_is_loaded);
        Needs = Values.closure(Needs);
        C.GuardNeeds.insert(Needs.begin(), Needs.end());
      }
      return;
    }
  }

  /// Both halves begin anew with what the body itself declares.
  bool declaredInBody(const VarDecl *V) const {
    return llvm::any_of(Facts.Items,
                        [&](const Effects &E) { return E.Declared.count(V); });
  }

  /// Does the load find V as the tile before left it, and change it?
  bool advanced(const VarDecl *V) const {
    if (declaredInBody(V) || !Facts.Load.Exposed.count(V))
      return false;
    for (unsigned I = 0; I != Facts.Items.size(); ++I)
      if (Facts.Tile.Body[I].InLoad && Facts.Items[I].Writes.count(V))
        return true;
    return false;
  }

  /// The store half runs after the fetch half moved the load's own variables
  /// on, so its places must not need them.
  void moved(const TileCopy &C, const Stmt *Where) {
    auto check = [&](const VarSet &Needs) {
      for (const VarDecl *V : inOrder(Needs))
        if (advanced(V))
          no(Where, {msg::destination_is_advanced, quoted(V)});
    };
    check(C.PlaceNeeds);
    check(C.GuardNeeds);
    if (!C.ValueIsLoaded)
      check(C.ValueNeeds);
  }

  /// The store half computes what places need again: a statement that does so
  /// and advances another variable besides would advance that twice.
  void advancedTwice() {
    VarSet Needed;
    for (const TileCopy &C : Facts.Tile.Copies)
      for (const VarSet *Needs : {&C.PlaceNeeds, &C.GuardNeeds, &C.ValueNeeds})
        Needed.insert(Needs->begin(), Needs->end());
    for (const BodyItem &I : Facts.Tile.Body)
      if (I.InLoad)
        advancedTwice(I.S, Needed);
  }
  void advancedTwice(const Stmt *S, const VarSet &Needed) {
    if (!S)
      return;
    if (isa<CompoundStmt, IfStmt, ForStmt, AttributedStmt>(S)) {
      for (const Stmt *Child : S->children())
        advancedTwice(Child, Needed);
      return;
    }
    const VarDecl *Again = nullptr;
    const VarDecl *On = nullptr;
    Effects E = effectsOf(S, *Facts.In);
    if (E.writesShared())
      return; // a copy, which has rules of its own
    for (const VarDecl *V : inOrder(E.Writes))
      (advanced(V) ? On : Again) = V;
    if (On && Again && llvm::any_of(E.Writes, [&](const VarDecl *V) {
          return Needed.count(V) && !advanced(V);
        }))
      no(S, {msg::store_would_advance_again, quoted(On), quoted(Again)});
  }
};

} // namespace

void checkSplit(LoopFacts &Facts) { SplitCheck(Facts).run(); }

} // namespace kpipe

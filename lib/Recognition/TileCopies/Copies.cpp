// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tile copies, see Copies.h.

#include "Copies.h"
#include "Branches.h"
#include "Code/AstUtils.h"
#include "Code/DeclaredAlignment.h"
#include "Code/Jumps.h"
#include "CopiedValues.h"
#include "CopyLoops.h"
#include "HelperCalls.h"
#include "Support/RuleSwitch.h"
#include "Temporaries.h"
#include "WiderLoads.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// The single statement of a branch, looking through braces.
const Stmt *only(const Stmt *S) {
  while (const auto *C = dyn_cast_or_null<CompoundStmt>(S)) {
    if (C->size() != 1)
      return nullptr;
    S = C->body_front();
  }
  return S;
}

bool same(const Stmt *A, const Stmt *B, const ASTContext &Context) {
  llvm::FoldingSetNodeID X, Y;
  A->Profile(X, Context, true);
  B->Profile(Y, Context, true);
  return X == Y;
}

/// The first return statement of a helper, or null.
const ReturnStmt *returnIn(const Stmt *S) {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    const ReturnStmt *Found = nullptr;
    bool VisitReturnStmt(const ReturnStmt *R) override {
      Found = R;
      return false;
    }
    bool TraverseLambdaExpr(const LambdaExpr *) override { return true; }
  } F;
  F.TraverseStmt(S);
  return F.Found;
}

bool isLastOf(const Stmt *Body, const Stmt *S) {
  const auto *Block = dyn_cast<CompoundStmt>(Body);
  return Block && !Block->body_empty() && Block->body_back() == S;
}

class CopyFinder {
public:
  explicit CopyFinder(LoopFacts &Facts)
      : Facts(Facts), Context(Facts.In->context()) {}

  void item(const Stmt *S) {
    Walk.push_back(Facts.In.get());
    stmt(S);
    Walk.pop_back();
  }

private:
  LoopFacts &Facts;
  ASTContext &Context;
  llvm::SmallVector<const Scope *, 4> Walk;
  llvm::SmallVector<const ForStmt *, 4> Loops;
  const CallExpr *OuterCall = nullptr;

  const Scope &in() const { return *Walk.back(); }

  void stmt(const Stmt *S) {
    if (!S)
      return;
    if (const auto *F = dyn_cast<ForStmt>(S)) {
      stmt(F->getInit());
      Loops.push_back(F);
      stmt(F->getBody());
      Loops.pop_back();
      return;
    }
    if (const auto *I = dyn_cast<IfStmt>(S)) {
      if (ifElseFill(I))
        return;
      if (I->isConstexpr())
        if (auto Taken = I->getNondiscardedCase(Context))
          return *Taken ? stmt(*Taken) : void();
      stmt(I->getThen());
      stmt(I->getElse());
      return;
    }
    if (const auto *E = dyn_cast<Expr>(S))
      return expr(E);
    for (const Stmt *Child : S->children())
      stmt(Child);
  }

  void expr(const Expr *E) {
    E = unwrapped(E);
    auto [Dst, Value] = assignmentOf(E);
    if (Dst && isShared(Dst)) {
      add(E, Dst, Value);
      return;
    }
    if (const auto *B = dyn_cast<BinaryOperator>(E);
        B && B->getOpcode() == BO_Comma) {
      expr(B->getLHS());
      expr(B->getRHS());
      return;
    }
    if (const auto *C = dyn_cast<CallExpr>(E))
      return call(C);
    Effects Rest = effectsOf(E, in());
    if (Rest.writesShared())
      reject(E, RuleId::CarriedShared,
             msg::shared_changed_in_place);
  }

  void call(const CallExpr *C) {
    Effects E = effectsOf(C, in());
    // The author's own asynchronous copies are a rule of their own.
    if (!E.writesShared() || E.has(EventKind::AsyncCopy) ||
        E.has(EventKind::KpipePrimitive))
      return;
    const FunctionDecl *Definition = nullptr;
    const FunctionDecl *F = C->getDirectCallee();
    if (!F || !F->hasBody(Definition) || in().contains(Definition))
      return reject(C, RuleId::LoadEffects, msg::shared_written_by_call);
    if (Message Why = whyNotCloned(C, Definition)) {
      reject(C, RuleId::LoadEffects, std::move(Why));
      Facts.Obstacles.back().Notes.push_back(
          {Definition->getLocation(), {msg::make_it_a_function}});
      return;
    }
    if (OuterCall)
      return reject(C, RuleId::LoadEffects,
                    msg::filled_by_nested_helper);
    // A return would be one more guard around the stores behind it, and what it
    // gives would be wanted of both halves.
    if (const ReturnStmt *R = returnIn(Definition->getBody()))
      return reject(C, RuleId::LoadEffects,
                    R->getRetValue() && isLastOf(Definition->getBody(), R)
                        ? msg::filled_by_valued_helper
                        : msg::filled_by_returning_helper);
    if (Message Why = whyObjectVaries(C, Definition, Facts))
      reject(C, RuleId::LoadEffects, std::move(Why));
    Scope Callee(in(), Definition, givenTo(C), calledOn(C));
    OuterCall = C;
    Walk.push_back(&Callee);
    auto Outer = std::move(Loops);
    Loops.clear();
    size_t Before = Facts.Tile.Copies.size();
    stmt(Definition->getBody());
    for (size_t I = Before; I != Facts.Tile.Copies.size(); ++I) {
      Facts.Tile.Copies[I].Helper = Definition;
      Facts.Tile.Copies[I].HelperCall = C;
    }
    Loops = std::move(Outer);
    Walk.pop_back();
    OuterCall = nullptr;
  }

  bool isShared(const Expr *LValue) const {
    return llvm::any_of(in().ofLValue(LValue), [](const MemoryRoot &R) {
      return R.Where == Space::Shared || R.Where == Space::Unknown;
    });
  }

  void reject(const Expr *E, RuleId Rule, Message Why) {
    Facts.Obstacles.push_back({Rule,
                              startOf(OuterCall ? OuterCall : E),
                              std::move(Why),
                              {}});
  }

  bool ifElseFill(const IfStmt *I) {
    const Stmt *Then = only(I->getThen()), *Else = only(I->getElse());
    const auto *ThenE = dyn_cast_or_null<Expr>(Then);
    const auto *ElseE = dyn_cast_or_null<Expr>(Else);
    if (!ThenE || !ElseE || I->isConstexpr() || I->getInit() ||
        I->getConditionVariable())
      return false;
    auto [Dst, Value] = assignmentOf(ThenE);
    auto [FillDst, FillValue] = assignmentOf(ElseE);
    if (!Dst || !FillDst || !isShared(Dst) || !same(Dst, FillDst, Context))
      return false;
    TileCopy *C = add(unwrapped(ThenE), Dst, Value);
    if (!C)
      return true;
    if (C->Kind == Fill::None)
      C->Guard = I->getCond();
    else if (C->NotAsync.empty())
      C->NotAsync = msg::fill_has_two_conditions;
    C->Kind = Fill::IfElse;
    C->IfElse = I;
    C->FillStore = unwrapped(ElseE);
    if (C->NotAsync.empty() && !isZero(FillValue, Context))
      C->NotAsync = msg::fill_is_not_zero;
    return true;
  }

  TileCopy *add(const Expr *Store, const Expr *Dst, const Expr *Value) {
    Roots R = in().ofLValue(Dst);
    if (R.size() != 1 || R[0].Where != Space::Shared || !R[0].Var) {
      reject(Store, RuleId::LoadEffects,
             msg::destination_unknown);
      return nullptr;
    }
    TileCopy C;
    C.Buffer = bufferOf(R[0].Var);
    C.Through = pointerIn(Dst, R[0].Var);
    C.Store = Store;
    C.Dst = Dst;
    C.Written = C.Value = Value;
    for (const ForStmt *F : Loops)
      C.Loops.push_back(describeCopyLoop(F, in()));
    QualType T = Dst->getType().getNonReferenceType();
    C.Bytes = T->isIncompleteType()
                  ? 0
                  : Context.getTypeSizeInChars(T).getQuantity();
    shape(C, T);
    if (!C.Source)
      followTemporary(C, T);
    Facts.Tile.Copies.push_back(C);
    return &Facts.Tile.Copies.back();
  }

  /// A pure copy that takes its way through a variable is one all the same.
  void followTemporary(TileCopy &C, QualType T) {
    const Stmt *Root = OuterCall ? in().function()->getBody()
                                 : bodyOf(Facts.Tile.Loop);
    auto Held = valueBehind(C.Written, C.Store, Root, in());
    if (!Held || !Context.hasSameUnqualifiedType(Held->Value->getType(), T))
      return;
    TileCopy Direct = C;
    Direct.Value = Held->Value;
    Direct.Via = Held->In;
    Direct.NotAsync = {};
    shape(Direct, T);
    // Other memory might change on the way.
    if (Direct.Source && !Direct.NotAsync.is(msg::source_may_not_be_global))
      C = std::move(Direct);
  }

  /// The pointer that an lvalue is reached through, else the array itself.
  const VarDecl *pointerIn(const Expr *Dst, const VarDecl *Array) const {
    struct Finder : ConstDynamicRecursiveASTVisitor {
      const VarDecl *Found = nullptr;
      bool VisitDeclRefExpr(const DeclRefExpr *D) override {
        if (const auto *V = dyn_cast<VarDecl>(D->getDecl());
            V && !Found && V->getType()->isPointerType())
          Found = V;
        return !Found;
      }
    } Find;
    Find.TraverseStmt(Dst);
    return Find.Found ? Find.Found : Array;
  }

  void shape(TileCopy &C, QualType T) {
    const Expr *Load = C.Value;
    if (const auto *Cond = dyn_cast<ConditionalOperator>(
            unwrapped(C.Value->IgnoreImpCasts()))) {
      // Conversions between the ternary and the store make it no pure copy.
      if (Context.hasSameUnqualifiedType(Cond->getType(), T) &&
          isZero(Cond->getFalseExpr(), Context)) {
        C.Kind = Fill::Ternary;
        C.Guard = Cond->getCond();
        Load = Cond->getTrueExpr();
      }
    }
    bool ReadOnly = false, NotShown = false;
    const Expr *Source = readLValue(Load, ReadOnly);
    QualType SourceType;
    if (Source) {
      SourceType = Source->getType().getNonReferenceType();
      if (Source->isPRValue() && SourceType->isPointerType())
        SourceType = SourceType->getPointeeType();
      Roots From = Source->isPRValue() ? in().ofPointer(Source)
                                       : in().ofLValue(Source);
      bool Reads = llvm::all_of(From, [](const MemoryRoot &R) {
        return R.Where == Space::Global;
      });
      if (!Reads || From.empty())
        Source = nullptr;
      else if (llvm::any_of(From,
                            [](const MemoryRoot &R) { return R.Assumed; }))
        NotShown = true;
    }
    if (!Source || !Context.hasSameUnqualifiedType(SourceType, T)) {
      if (C.Kind == Fill::Ternary && !Source)
        C.Kind = Fill::None, C.Guard = nullptr;
      C.NotAsync = whyNoCopy(C.Value, T, Facts.Tile.Loop, in());
      return;
    }
    C.Source = Source;
    // The guard is written twice, and a place may be found before a value.
    Effects Place = effectsOf(C.Dst, in()), Loaded = effectsOf(C.Value, in());
    bool Meet = llvm::any_of(Place.Writes, [&](const VarDecl *V) {
      return Loaded.Reads.count(V) || Loaded.Writes.count(V);
    });
    Meet |= llvm::any_of(Loaded.Writes, [&](const VarDecl *V) {
      return Place.Reads.count(V);
    });
    const bool Counts = !ruleIsSwitchedOff("async-effects");
    if (NotShown && !ruleIsSwitchedOff("async-source"))
      C.NotAsync = msg::source_may_not_be_global;
    else if (Counts && C.Guard && !effectsOf(C.Guard, in()).Writes.empty())
      C.NotAsync = msg::copy_condition_changes_variable;
    else if (Counts && Meet)
      C.NotAsync = msg::destination_and_value_interact;
    else if (C.Bytes != 4 && C.Bytes != 8 && C.Bytes != 16)
      C.NotAsync = C.Bytes == 1 ? msg::copies_one_byte
                                : Message(msg::copies_odd_size, C.Bytes);
    else if (uint64_t Has = std::min(declaredAlignment(C.Dst, Context),
                                     declaredAlignment(C.Source, Context));
             Has < C.Bytes && !ruleIsSwitchedOff("async-alignment"))
      C.NotAsync = {msg::copy_is_underaligned, Has, C.Bytes};
    else if (T.isVolatileQualified() || SourceType.isVolatileQualified())
      C.NotAsync = msg::copy_is_volatile;
    else if (const auto *R = T->getAsCXXRecordDecl();
             !T.isTriviallyCopyableType(Context) && !(R && copiesBits(R)))
      C.NotAsync = msg::copy_is_not_trivial;
  }

  unsigned bufferOf(const VarDecl *V) {
    auto &Buffers = Facts.Tile.Buffers;
    for (unsigned I = 0; I != Buffers.size(); ++I)
      if (Buffers[I].Var == V)
        return I;
    StagedBuffer B;
    B.Var = V;
    if (hasSize(V->getType()))
      B.Bytes = Context.getTypeSizeInChars(V->getType()).getQuantity();
    Buffers.push_back(B);
    return Buffers.size() - 1;
  }
};

} // namespace

void keepTemporary(TileCopy &C) {
  if (!C.Via.Var)
    return;
  C.ValueNeeds.insert(C.Via.Var);
  C.Via = {};
  C.Value = C.Written;
  C.Source = nullptr;
  C.NotAsync = msg::value_is_computed;
  if (C.Kind == Fill::Ternary) {
    C.Kind = Fill::None;
    C.Guard = nullptr;
  }
}

void keepAsyncOrder(LoopFacts &Facts) {
  TileLoop &Tile = Facts.Tile;
  const Branches Ways(Facts);
  for (unsigned I = 0; I != Tile.Copies.size(); ++I)
    for (unsigned J = 0; J != Tile.Copies.size(); ++J) {
      TileCopy &C = Tile.Copies[I];
      const TileCopy &Other = Tile.Copies[J];
      if (C.NotAsync.empty() && Other.Buffer == C.Buffer &&
          !Other.NotAsync.empty() && !Ways.excludeForTile(I, J) &&
          !Ways.neverRuns(J))
        C.NotAsync = {msg::store_could_be_overtaken,
                      quoted(Tile.Buffers[C.Buffer].Var)};
    }
}

void findCopies(LoopFacts &Facts) {
  CopyFinder Finder(Facts);
  for (unsigned I = 0; I != Facts.Items.size(); ++I)
    if (Facts.Tile.Body[I].InLoad && Facts.Items[I].writesShared())
      Finder.item(Facts.Tile.Body[I].S);
  TileLoop &Tile = Facts.Tile;
  // One store of a helper that is called twice has one text, and one route.
  for (TileCopy &C : Tile.Copies)
    for (const TileCopy &Other : Tile.Copies)
      if (C.Store == Other.Store && !Other.Via.Var)
        keepTemporary(C);
  for (TileCopy &C : Tile.Copies)
    for (const TileCopy &Other : Tile.Copies)
      if (C.NotAsync.empty() && C.Store == Other.Store)
        C.NotAsync = Other.NotAsync;
  keepAsyncOrder(Facts);
}

} // namespace kpipe

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Temporaries, see Temporaries.h. Set and store stand in one block, or in loops
// of one block that run in step: `for (i…) r[i] = x[i]; for (j…) xs[j] =
// r[j];`.

#include "Temporaries.h"
#include "Code/AstUtils.h"
#include "Code/Effects.h"
#include "Code/Jumps.h"
#include "CopiedValues.h"
#include "CopyLoops.h"
#include "OwnPlaces.h"
#include "SameExpressions.h"
#include "Support/RuleSwitch.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// The variable that an lvalue is a part of: `r` of `*(float4 *)&r[4 * i]`. What
/// a pointer points to is no part of it, and a bit-field holds less than its
/// type says.
const DeclRefExpr *baseOf(const Expr *E) {
  for (const Expr *Whole = E;;) {
    if (E->refersToBitField())
      return nullptr;
    E = E->IgnoreParenCasts();
    if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
      E = A->getBase();
    else if (const auto *M = dyn_cast<MemberExpr>(E); M && !M->isArrow())
      E = M->getBase();
    else if (const auto *U = dyn_cast<UnaryOperator>(E);
             U && (U->getOpcode() == UO_Deref || U->getOpcode() == UO_AddrOf))
      E = U->getSubExpr();
    else
      return E == Whole->IgnoreParenCasts() || !E->getType()->isPointerType()
                 ? dyn_cast<DeclRefExpr>(E)
                 : nullptr;
  }
}

llvm::SmallVector<const DeclRefExpr *, 4> mentionsOf(const VarDecl *V,
                                                     const Stmt *In) {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    SourceLocation Of;
    llvm::SmallVector<const DeclRefExpr *, 4> Found;
    bool VisitDeclRefExpr(const DeclRefExpr *D) override {
      // A template's variable stands where its instantiation's stands.
      if (D->getDecl()->getLocation() == Of)
        Found.push_back(D);
      return true;
    }
  } F;
  F.Of = V->getLocation();
  F.TraverseStmt(In);
  return F.Found;
}

class TemporaryFinder {
public:
  TemporaryFinder(const Expr *Store, const Stmt *Root, const Scope &In)
      : Store(Store), Root(Root), In(In), Context(In.context()) {}

  std::optional<HeldValue> find(const Expr *Written) {
    bool ByFunction = false;
    const Expr *Read = readLValue(Written, ByFunction);
    Read = Read ? Read->IgnoreParenNoopCasts(Context) : nullptr;
    const DeclRefExpr *Base = Read && !ByFunction ? baseOf(Read) : nullptr;
    const auto *V = Base ? dyn_cast<VarDecl>(Base->getDecl()) : nullptr;
    if (!V || !mayHold(V) || !findSet(V, Base) || !standInStep())
      return std::nullopt;
    Found.In.Var = V;
    if (Place ? Checked &&
                    !sameButFor(Found.In.Counters, Place, Read, Context)
              : !isa<DeclRefExpr>(Read))
      return std::nullopt;
    if (!isWritten() || !namesMeanTheSame())
      return std::nullopt;
    if (!Checked)
      return Found;
    if (Place && !Loops.empty() && !hasOwnPlaces(Place, V, Loops, Context))
      return std::nullopt;
    if (!staysSame())
      return std::nullopt;
    return Found;
  }

private:
  const Expr *Store;
  const Stmt *Root;
  const Scope &In;
  const ASTContext &Context;
  const bool Checked = !ruleIsSwitchedOff("temporaries");
  HeldValue Found;
  const Expr *Place = nullptr;                ///< what an assignment sets
  llvm::SmallVector<const Stmt *, 8> Between; ///< from the set to the store
  llvm::SmallVector<const Stmt *, 16> ToStore; ///< from their block
  llvm::SmallVector<CopyLoop, 2> Loops;        ///< around the set

  static bool mayHold(const VarDecl *V) {
    return V->hasLocalStorage() && !isa<ParmVarDecl>(V) &&
           !V->getType()->isReferenceType() &&
           !V->getType().isVolatileQualified() && !V->isConstexpr() &&
           !V->isInitCapture() && !isa<DecompositionDecl>(V);
  }

  /// The value that a declaration gives, null where it gives none.
  static const Expr *initOf(const VarDecl *V) {
    const Expr *Init = V->getInit();
    if (const auto *C = dyn_cast_or_null<CXXConstructExpr>(Init);
        C && C->getNumArgs() == 0 && !C->requiresZeroInitialization() &&
        !C->isListInitialization() &&
        (C->getConstructor()->isTrivial() ||
         C->getConstructor()->isDefaulted()))
      return nullptr;
    if (const auto *L = dyn_cast_or_null<InitListExpr>(Init);
        L && L->getNumInits() == 1 && V->getType()->isScalarType())
      return L->getInit(0);
    return Init;
  }

  bool findSet(const VarDecl *V, const DeclRefExpr *Read) {
    const Stmt *Body = In.function()->getBody();
    auto Mentions = mentionsOf(V, Body);
    // `if constexpr` leaves out of an instantiation what the text still names.
    const FunctionDecl *P = In.function()->getTemplateInstantiationPattern();
    if (P && P->getBody() &&
        mentionsOf(V, P->getBody()).size() != Mentions.size())
      return false;
    Found.In.Declaration = declarationOf(V, Root);
    if (const Expr *Init = initOf(V)) {
      Found.In.Set = Found.In.Declaration;
      Found.Value = Init;
      return Mentions.size() == 1 && Found.In.Set &&
             Found.In.Declaration->isSingleDecl();
    }
    if (Mentions.size() != 2 || !llvm::is_contained(Mentions, Read))
      return false;
    const DeclRefExpr *Other = Mentions[0] == Read ? Mentions[1] : Mentions[0];
    for (const Stmt *S : llvm::reverse(pathTo(Other, Root)))
      if (const auto *E = dyn_cast<Expr>(S)) {
        auto [To, Value] = assignmentOf(E);
        if (!To || E != unwrapped(E))
          continue;
        Found.In.Set = E;
        Found.Value = Value;
        Place = To->IgnoreParens();
        return baseOf(To) == Other;
      }
    return false;
  }

  /// The loops on a way into a statement; false where it leads into more than
  /// loops, blocks and, behind the set, conditions.
  bool loopsOn(llvm::ArrayRef<const Stmt *> Way, bool Conditions,
               llvm::SmallVectorImpl<const ForStmt *> &Found) const {
    for (size_t I = 0; I + 1 < Way.size(); ++I) {
      const Stmt *S = Way[I], *Next = Way[I + 1];
      if (const auto *F = dyn_cast<ForStmt>(S)) {
        if (Next != F->getBody() || findJump(F))
          return false;
        Found.push_back(F);
      } else if (const auto *If = dyn_cast<IfStmt>(S)) {
        if (!Conditions || Next == If->getCond() || Next == If->getInit())
          return false;
      } else if (!isa<CompoundStmt, AttributedStmt, FullExpr, ParenExpr>(S)) {
        return false;
      }
    }
    return true;
  }

  /// Set and store belong to one block, in this order, and the loops in which
  /// they stand there run the same turns.
  bool standInStep() {
    auto ToSet = pathTo(Found.In.Set, Root);
    ToStore = pathTo(Store, Root);
    size_t I = 0;
    while (I < ToSet.size() && I < ToStore.size() && ToSet[I] == ToStore[I])
      ++I;
    if (!I || I >= ToSet.size() || I >= ToStore.size())
      return false;
    const auto *Block = dyn_cast<CompoundStmt>(ToSet[I - 1]);
    if (!Block)
      return false;
    bool Seen = false;
    for (const Stmt *S : Block->body()) {
      Seen |= S == ToSet[I];
      if (Seen)
        Between.push_back(S);
      if (S == ToStore[I])
        break;
    }
    if (Between.empty() || Between.back() != ToStore[I])
      return false; // the store comes first
    ToStore.erase(ToStore.begin(), ToStore.begin() + I);
    llvm::SmallVector<const ForStmt *, 2> Sets, Stores;
    if (!loopsOn(llvm::ArrayRef(ToSet).drop_front(I), false, Sets) ||
        !loopsOn(ToStore, true, Stores) || Sets.size() != Stores.size())
      return false;
    if (Sets.empty())
      Between.erase(Between.begin());
    for (auto [A, B] : llvm::zip(Sets, Stores))
      if (!inStep(A, B))
        return false;
    return true;
  }

  bool inStep(const ForStmt *A, const ForStmt *B) {
    CopyLoop X = describeCopyLoop(A, In), Y = describeCopyLoop(B, In);
    Counters &Map = Found.In.Counters;
    auto same = [&](const Expr *P, const Expr *Q) {
      return (!P && !Q) || sameButFor(Map, P, Q, Context);
    };
    for (const Expr *Part : {X.Init, X.Bound, X.Step})
      if (Part && !constantValue(Part, Context))
        return false;
    if (!X.Index || !Y.Index || !X.Trips || !X.ConstantInit ||
        !X.Step != !Y.Step)
      return false;
    if (Checked &&
        (X.Trips != Y.Trips || X.Compare != Y.Compare ||
         !Context.hasSameType(X.Index->getType(), Y.Index->getType()) ||
         !same(X.Init, Y.Init) || !same(X.Bound, Y.Bound) ||
         !same(X.Step, Y.Step)))
      return false;
    Map.push_back({X.Index, Y.Index});
    Loops.push_back(X);
    return true;
  }

  bool isCounter(const Decl *D) const {
    return llvm::any_of(Found.In.Counters,
                        [&](auto &C) { return C.first == D; });
  }

  /// The value can be spelled at the store: as text of this file, with names
  /// that nothing on the way declares anew.
  bool isWritten() const {
    const SourceManager &SM = Context.getSourceManager();
    auto written = [&](SourceRange R) {
      return Lexer::makeFileCharRange(CharSourceRange::getTokenRange(R), SM,
                                      Context.getLangOpts())
          .isValid();
    };
    return written(Found.Value->getSourceRange()) &&
           written(Found.In.Set->getSourceRange()) &&
           (!Found.In.Declaration ||
            written(Found.In.Declaration->getSourceRange()));
  }

  /// What is declared between set and store, as far as the store knows it.
  llvm::SmallVector<const NamedDecl *, 8> declaredAtStore() const {
    llvm::SmallVector<const NamedDecl *, 8> Declared;
    auto add = [&](const Stmt *S) {
      if (const auto *D = dyn_cast_or_null<DeclStmt>(S))
        for (const Decl *One : D->decls())
          if (const auto *N = dyn_cast<NamedDecl>(One))
            Declared.push_back(N);
    };
    for (const Stmt *S : Between)
      add(S);
    for (const Stmt *S : ToStore)
      for (const Stmt *Child : S->children())
        add(Child); // of a block, or of the header of a loop or condition
    return Declared;
  }

  bool namesMeanTheSame() const {
    struct Names : ConstDynamicRecursiveASTVisitor {
      llvm::SmallVector<const NamedDecl *, 8> Used, Declared;
      bool VisitDeclRefExpr(const DeclRefExpr *D) override {
        Used.push_back(D->getDecl());
        return true;
      }
      bool VisitTypedefTypeLoc(TypedefTypeLoc T) override {
        Used.push_back(T.getDecl());
        return true;
      }
      bool VisitTagTypeLoc(TagTypeLoc T) override {
        Used.push_back(T.getDecl());
        return true;
      }
      bool VisitNamedDecl(const NamedDecl *D) override {
        Declared.push_back(D);
        return true;
      }
    } Value, Way;
    Value.TraverseStmt(const_cast<Expr *>(Found.Value));
    for (const Stmt *S : Between)
      Way.TraverseStmt(S);
    llvm::SmallVector<const NamedDecl *, 8> AtStore = declaredAtStore();
    auto taken = [&](const NamedDecl *D) {
      return llvm::any_of(AtStore, [&](const NamedDecl *Other) {
        return Other != D && Other != Found.In.Var &&
               Other->getDeclName() == D->getDeclName();
      });
    };
    for (const NamedDecl *D : Value.Used) {
      if (isCounter(D))
        continue;
      // What the loop around the set declares is not known at the store.
      if (llvm::is_contained(Way.Declared, D) || taken(D))
        return false;
    }
    return llvm::none_of(Found.In.Counters,
                         [&](auto &C) { return taken(C.second); });
  }

  /// The value is the same where the store stands.
  bool staysSame() const {
    Effects Value = effectsOf(Found.Value, In);
    if (!Value.Writes.empty() || !Value.Events.empty())
      return false;
    // One load: of an address that is loaded itself nothing is known.
    unsigned Loads = 0;
    for (const MemoryAccess &A : Value.Memory) {
      const VarDecl *V = A.Root.Var;
      if (A.Root.Where == Space::Constant && V &&
          V->getType()->isScalarType() && V->getType().isConstQualified())
        continue;
      ++Loads;
      if (A.Write || A.Volatile || A.Atomic || A.Root.Where != Space::Global)
        return false;
    }
    if (Loads > 1)
      return false;
    VarSet Needs = Value.Reads;
    if (Place) {
      Effects At = effectsOf(Place, In);
      Needs.insert(At.Reads.begin(), At.Reads.end());
    }
    for (const CopyLoop &L : Loops)
      for (const Expr *Part : {L.Init, L.Bound, L.Step})
        if (Part) {
          Effects E = effectsOf(Part, In);
          Needs.insert(E.Reads.begin(), E.Reads.end());
        }
    return llvm::all_of(Between, [&](const Stmt *S) {
      Effects E = effectsOf(S, In);
      return E.Events.empty() && doesPlainThings(S) &&
             llvm::none_of(E.Memory,
                           [](const MemoryAccess &A) {
                             return A.Write && A.Root.Where != Space::Shared;
                           }) &&
             llvm::none_of(E.Writes, [&](const VarDecl *W) {
               return Needs.count(W) && !isCounter(W) && W != Found.In.Var;
             });
    });
  }

  /// No jumps, and no calls that change anything: what they would do to the
  /// value is for nobody to find out.
  bool doesPlainThings(const Stmt *S) const {
    const auto *C = dyn_cast_or_null<CallExpr>(S);
    if (C && !assignmentOf(C).first) {
      Effects E = effectsOf(C, In);
      if (!E.Writes.empty() || !E.isPure() || E.writesShared())
        return false;
    }
    return !S || (!isJump(S) && !isa<LambdaExpr>(S) &&
                  llvm::all_of(S->children(), [&](const Stmt *Child) {
                    return doesPlainThings(Child);
                  }));
  }
};

} // namespace

std::optional<HeldValue> valueBehind(const Expr *Written, const Expr *Store,
                                     const Stmt *Root, const Scope &In) {
  return TemporaryFinder(Store, Root, In).find(Written);
}

} // namespace kpipe

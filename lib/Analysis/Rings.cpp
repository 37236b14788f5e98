// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which staged buffers may become a ring of stages (rules carried-shared and
// shared-escape): in a ring, an element that a tile does not store holds what
// it held two tiles ago instead of one tile ago. So the places that are stored
// must be the same in every iteration, nothing else may store the buffer, and
// every mention of it must be one that a stage index can be added to.

#include "Blocks.h"
#include "CarriedAddress.h"
#include "Copies.h"
#include "RuleSwitch.h"
#include "Variance.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// Of the buffer, by its own name or by that of a view.
struct Mentions : RecursiveASTVisitor<Mentions> {
  explicit Mentions(const StagedBuffer &B) : B(B) {}
  const StagedBuffer &B;
  llvm::SmallVector<const DeclRefExpr *, 8> Found;
  const DeclRefExpr *Typed = nullptr; ///< one whose type a declaration takes
  bool shouldVisitImplicitCode() const { return false; }
  bool VisitDecltypeTypeLoc(DecltypeTypeLoc T) {
    if (const auto *D =
            dyn_cast<DeclRefExpr>(T.getUnderlyingExpr()->IgnoreParens());
        D && D->getDecl() == B.Var)
      Typed = D;
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *D) {
    if (D->getDecl() == B.Var || llvm::is_contained(B.Views, D->getDecl()))
      Found.push_back(D);
    return true;
  }
};

llvm::SmallVector<const DeclRefExpr *, 8> mentionsIn(const Stmt *S,
                                                     const StagedBuffer &B) {
  Mentions M(B);
  M.TraverseStmt(const_cast<Stmt *>(S));
  return M.Found;
}

using Guards = llvm::SmallVector<const Expr *, 4>;

class RingFinder {
public:
  explicit RingFinder(LoopFacts &Facts)
      : Facts(Facts), Context(Facts.In->context()) {}

  void run() {
    llvm::SmallVector<const Stmt *, 16> Load;
    for (const BodyItem &I : Facts.Tile.Body)
      if (I.InLoad)
        Load.push_back(I.S);
    spreadVariance(Facts.Variant, Load, *Facts.In);
    for (StagedBuffer &B : Facts.Tile.Buffers) {
      B.DeclaredInLoop = declaredInLoop(B.Var);
      findAlignment(B);
      decide(B);
    }
  }

private:
  LoopFacts &Facts;
  ASTContext &Context;

  static void no(StagedBuffer &B, SourceLocation Where, std::string Why) {
    if (!B.NoRing.empty())
      return;
    B.NoRing = std::move(Why);
    B.NoRingLoc = Where;
  }

  bool declaredInLoop(const VarDecl *V) const {
    for (const BodyItem &I : Facts.Tile.Body)
      if (I.SharedDecl)
        for (const Decl *D : cast<DeclStmt>(I.S)->decls())
          if (D == V)
            return true;
    return false;
  }

  void decide(StagedBuffer &B) {
    const VarDecl *V = B.Var;
    if (isa<ParmVarDecl>(V))
      return no(B, V->getLocation(),
                quoted(V) + " is a parameter, whose storage the caller sizes");
    B.Block = V->hasExternalStorage() || B.Bytes == 0;
    if (B.Block) {
      if (auto Why = findViews(Facts, B))
        return no(B, Why->Where, std::move(Why->Why));
      if (B.Alignment > StageAlignment)
        return no(B, V->getLocation(),
                  "accesses to " + quoted(V) + " rely on more than the " +
                      std::to_string(StageAlignment) + " bytes of a stage");
    } else if (V->getDeclContext() != Facts.Tile.Function) {
      return no(B, V->getLocation(),
                quoted(V) + " is declared outside the function");
    } else if (V->getLocation().isMacroID()) {
      return no(B, V->getLocation(),
                quoted(V) + " is declared by a macro, where no stages can be "
                            "added");
    } else if (B.Bytes % B.Alignment != 0) {
      no(B, V->getLocation(),
         "a stage of " + quoted(V) + " is " + std::to_string(B.Bytes) +
             " bytes, no multiple of the " + std::to_string(B.Alignment) +
             " bytes that its accesses are aligned to");
    }
    findMentions(B);
    for (const MemoryAccess &A : Facts.Compute.Memory)
      if (A.Write && (A.Root.Where == Space::Shared ||
                      A.Root.Where == Space::Unknown) &&
          (!A.Root.Var || A.Root.Var == V))
        no(B, A.At ? startOf(A.At) : V->getLocation(),
           A.Root.Var ? quoted(V) + " is also stored by the compute region"
                      : "the compute region stores to memory that cannot be "
                        "traced and may be " +
                            quoted(V));
    if (auto Kept = carriedAddress(Facts, B))
      no(B, Kept->Where,
         Kept->What + " an address of " + quoted(V) +
             " beyond the iteration that took it");
    for (const TileCopy &C : Facts.Tile.Copies)
      if (Facts.Tile.Buffers[C.Buffer].Var == V)
        checkPlace(B, C);
  }

  void checkPlace(StagedBuffer &B, const TileCopy &C) {
    // What a helper is given differs from call to call: no call says anything
    // of another one's parameters.
    VarSet Variant = Facts.Variant;
    auto Varies = [&](const Expr *E, const Scope &In) {
      return varies(E, Variant, In);
    };
    const Scope *In = Facts.In.get();
    std::optional<Scope> Callee;
    const Stmt *Root = nullptr;
    if (C.Helper) {
      llvm::SmallVector<const Expr *, 8> Args(C.HelperCall->arguments());
      Callee.emplace(*Facts.In, C.Helper, Args);
      In = &*Callee;
      Root = C.Helper->getBody();
      // What the helper is given decides whether its guards vary.
      for (unsigned I = 0; I != Args.size(); ++I)
        if (I < C.Helper->getNumParams() &&
            (Args[I]->getType()->isPointerType()
                 ? placeVaries(Args[I], Facts.Variant, *Facts.In)
                 : varies(Args[I], Facts.Variant, *Facts.In)))
          Variant.insert(C.Helper->getParamDecl(I));
      spreadVariance(Variant, Root, *In);
    }
    const Expr *Place = C.Dst;
    if (placeVaries(Place, Variant, *In))
      no(B, startOf(Place),
         "the elements of " + quoted(B.Var) +
             " that are stored differ from iteration to iteration");
    for (const BodyItem &I : Facts.Tile.Body) {
      if (!Root && !I.InLoad)
        continue;
      auto Around = conditionsOf(C.Store, Root ? Root : I.S, C.IfElse);
      for (const Expr *E : Around.value_or(Guards()))
        if (Varies(E, *In))
          no(B, startOf(E),
             quoted(B.Var) +
                 " is stored under a condition that differs from iteration to "
                 "iteration");
      if (Root || Around)
        break;
    }
    if (C.Helper)
      for (const BodyItem &I : Facts.Tile.Body) {
        if (!I.InLoad)
          continue;
        for (const Expr *E :
             conditionsOf(C.HelperCall, I.S, nullptr).value_or(Guards()))
          if (Varies(E, *Facts.In))
            no(B, startOf(E),
               quoted(B.Var) +
                   " is stored under a condition that differs from iteration "
                   "to iteration");
      }
  }

  /// The block in which the loop is a statement of its own, where the stage of
  /// the last tile can be declared; null if it is the branch of a condition.
  const CompoundStmt *blockOfLoop() const {
    struct Finder : RecursiveASTVisitor<Finder> {
      const Stmt *Loop;
      const CompoundStmt *Found = nullptr;
      bool VisitCompoundStmt(CompoundStmt *C) {
        for (const Stmt *S : C->body()) {
          while (const auto *A = dyn_cast<AttributedStmt>(S))
            S = A->getSubStmt();
          if (S == Loop)
            Found = C;
        }
        return !Found;
      }
    } F;
    F.Loop = Facts.Tile.Loop;
    F.TraverseStmt(Facts.Tile.Function->getBody());
    return F.Found;
  }

  /// May a `goto` or a `case` of the function lead past the loop within its
  /// block, where a declaration before the loop would be in its way?
  bool isJumpedOver(const Stmt *Block) const {
    struct Finder : RecursiveASTVisitor<Finder> {
      const Stmt *Block;
      bool Found = false;
      bool VisitLabelStmt(LabelStmt *) { return !(Found = true); }
      bool VisitSwitchStmt(SwitchStmt *S) {
        return !(Found |= S->getBody() == Block);
      }
      bool TraverseLambdaExpr(LambdaExpr *) { return true; }
    } F;
    F.Block = Block;
    F.TraverseStmt(Facts.Tile.Function->getBody());
    return F.Found;
  }

  void findMentions(StagedBuffer &B) {
    const SourceManager &SM = Context.getSourceManager();
    const Stmt *FunctionBody = Facts.Tile.Function->getBody();
    auto All = mentionsIn(FunctionBody, B);
    auto InLoop = mentionsIn(Facts.Tile.Loop, B);
    const Stmt *Block = blockOfLoop();
    auto within = [&](SourceLocation L, const Stmt *S) {
      return SM.isBeforeInTranslationUnit(SM.getExpansionLoc(L),
                                          SM.getExpansionLoc(S->getEndLoc()));
    };
    SourceLocation LoopEnd = SM.getExpansionLoc(Facts.Tile.Loop->getEndLoc());
    llvm::SmallVector<const DeclRefExpr *, 8> InBody;
    for (const BodyItem &I : Facts.Tile.Body)
      InBody.append(mentionsIn(I.S, B));
    Mentions Types(B);
    Types.TraverseStmt(const_cast<Stmt *>(FunctionBody));
    const bool Uses = !ruleIsSwitchedOff("ring-use");
    if (Types.Typed && Uses)
      no(B, Types.Typed->getLocation(),
         "the type of " + quoted(B.Var) +
             " is asked for, which is another one with stages");
    for (const DeclRefExpr *D : InLoop)
      if (!llvm::is_contained(InBody, D))
        no(B, D->getLocation(),
           quoted(D->getDecl()) + " is used in the loop's header");
      else if (SM.isMacroBodyExpansion(D->getLocation()))
        no(B, D->getLocation(),
           quoted(D->getDecl()) + " is mentioned inside a macro, where no "
                                  "stage can be added");
    for (const DeclRefExpr *D : All) {
      if (llvm::is_contained(InLoop, D) || makesView(B, D))
        continue;
      bool After = SM.isBeforeInTranslationUnit(
          LoopEnd, SM.getExpansionLoc(D->getLocation()));
      if (!After)
        no(B, D->getLocation(),
           quoted(D->getDecl()) + " is also used before the loop");
      else if (Facts.InOuterLoop)
        no(B, D->getLocation(),
           quoted(D->getDecl()) + " is also used after the loop, and the loop "
                                  "is entered again");
      else if (SM.isMacroBodyExpansion(D->getLocation()))
        no(B, D->getLocation(),
           quoted(D->getDecl()) + " is mentioned inside a macro, where no "
                                  "stage can be added");
      else if (Uses && isJumpedOver(Block))
        no(B, D->getLocation(),
           quoted(D->getDecl()) + " is also used after the loop, and a jump "
                                  "leads past the loop");
      else if (!Block || !within(D->getLocation(), Block))
        no(B, D->getLocation(),
           quoted(D->getDecl()) +
               " is also used after the block that holds the loop");
      else
        B.MentionsAfter.push_back(D);
    }
    // A staged buffer that the loop reaches through a pointer or reference
    // made outside has no mention there to add a stage to; one made inside
    // has. Mentions before the loop are refused above, so nothing is left.
  }

  /// Casts to wider types and wmma loads rely on more than the element type.
  void findAlignment(StagedBuffer &B) {
    struct Casts : RecursiveASTVisitor<Casts> {
      Casts(const Scope &In, const VarDecl *V) : In(In), V(V) {}
      const Scope &In;
      const VarDecl *V;
      unsigned Widest = 1;

      bool is(const Roots &R) const {
        return llvm::any_of(R, [&](const MemoryRoot &X) {
          return X.Var == V || X.Where == Space::Unknown;
        });
      }
      bool VisitExplicitCastExpr(ExplicitCastExpr *C) {
        QualType T = C->getType();
        ASTContext &Ctx = In.context();
        if (T->isPointerType() && !T->getPointeeType()->isIncompleteType() &&
            !T->getPointeeType()->isDependentType() &&
            C->getSubExpr()->getType()->isPointerType() &&
            is(In.ofPointer(C->getSubExpr())))
          Widest = std::max<unsigned>(
              Widest,
              Ctx.getTypeAlignInChars(T->getPointeeType()).getQuantity());
        return true;
      }
      bool VisitCallExpr(CallExpr *C) {
        const FunctionDecl *F = C->getDirectCallee();
        if (!F)
          return true;
        CallKind K = classifyCall(F);
        unsigned I = K == CallKind::WmmaLoad ? 1 : 0;
        if ((K == CallKind::WmmaLoad || K == CallKind::WmmaStore) &&
            C->getNumArgs() > I && is(In.ofPointer(C->getArg(I))))
          // "must be a 256-bit aligned pointer", Programming Guide.
          Widest = std::max(Widest, 32u);
        else if (K == CallKind::Ordinary)
          into(F, C);
        return true;
      }
      bool VisitGCCAsmStmt(GCCAsmStmt *) {
        Widest = std::max(Widest, 16u); // ldmatrix rows
        return true;
      }
      void into(const FunctionDecl *F, const CallExpr *C) {
        const FunctionDecl *Definition = nullptr;
        if (!F->hasBody(Definition) || In.contains(Definition))
          return;
        bool Takes = false;
        for (const Expr *A : C->arguments())
          Takes |= A->getType()->isPointerType() ? is(In.ofPointer(A))
                   : A->isGLValue()              ? is(In.ofLValue(A))
                                                 : false;
        if (!Takes)
          return;
        llvm::SmallVector<const Expr *, 8> Args(C->arguments());
        Scope Callee(In, Definition, Args);
        Casts Inner(Callee, V);
        Inner.TraverseStmt(Definition->getBody());
        Widest = std::max(Widest, Inner.Widest);
      }
    };
    Casts C(*Facts.In, B.Var);
    for (const BodyItem &I : Facts.Tile.Body)
      C.TraverseStmt(const_cast<Stmt *>(I.S));
    QualType Element = Context.getBaseElementType(B.Var->getType());
    B.Alignment = std::max<unsigned>(
        C.Widest, Context.getTypeAlignInChars(Element).getQuantity());
  }
};

} // namespace

void findRings(LoopFacts &Facts) { RingFinder(Facts).run(); }

} // namespace kpipe

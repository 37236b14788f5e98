// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views of shared memory, see Blocks.h.

#include "Blocks.h"
#include "Code/InlineAssembly.h"
#include "Code/Values.h"
#include "Support/RuleSwitch.h"
#include "ViewsAsAddresses.h"
#include "ViewsByNumber.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace kpipe {

namespace {

bool dynamicShared(const VarDecl *V) {
  return V->hasAttr<CUDASharedAttr>() &&
         (V->hasExternalStorage() || V->getType()->isIncompleteType());
}

/// All that a kernel runs: what may know its dynamic shared memory by another
/// name, all of which begin at the same place, and code that asks how much of
/// it there is.
class Reached : public ConstDynamicRecursiveASTVisitor {
public:
  /// \param Makers calls that make names of Block.
  /// \param Home the kernel, or the function that names Block.
  Reached(const FunctionDecl *Kernel, const FunctionDecl *Home,
          const VarDecl *Block,
          const llvm::SmallPtrSetImpl<const CallExpr *> &Makers)
      : Home(Home->getDefinition()), Block(Block), Makers(Makers) {
    // Default arguments, loops over ranges, operators that stand for others.
    ShouldVisitImplicitCode = true;
    enter(Kernel);
  }
  std::optional<NoBlock> Found;

  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    if (!V || !dynamicShared(V))
      return true;
    if (In != Home && !In->hasAttr<CUDAGlobalAttr>())
      no(D->getLocation(), {msg::callee_uses_it, quoted(In)});
    else if (V != Block)
      no(D->getLocation(), {msg::is_its_other_name, quoted(V)});
    return !Found;
  }
  bool VisitGCCAsmStmt(const GCCAsmStmt *A) override {
    const std::string Text = A->getAsmString();
    if (llvm::StringRef(Text).contains("_smem_size"))
      no(A->getBeginLoc(), msg::kernel_asks_for_size);
    return !Found;
  }
  bool VisitCallExpr(const CallExpr *C) override {
    const FunctionDecl *F = C->getDirectCallee();
    const auto *M = dyn_cast_or_null<CXXMethodDecl>(F);
    if (Makers.contains(C) && In == Home)
      return true;
    if (!F || (M && M->isVirtual()))
      no(C->getBeginLoc(), msg::unknown_may_use_it);
    else if (!F->hasBody() &&
             (classifyCall(F) == CallKind::Unknown ||
              (classifyCall(F) == CallKind::Ordinary && !F->getBuiltinID() &&
               !touchesOnlyArguments(F))))
      no(C->getBeginLoc(), {msg::callee_may_use_it, quoted(F)});
    else
      enter(F);
    return !Found;
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *C) override {
    enter(C->getConstructor());
    if (const CXXConstructorDecl *Inherited =
            C->getConstructor()->getInheritedConstructor().getConstructor())
      enter(Inherited);
    return !Found;
  }
  bool VisitVarDecl(const VarDecl *V) override {
    end(V->getType());
    return !Found;
  }
  bool VisitCXXBindTemporaryExpr(const CXXBindTemporaryExpr *E) override {
    end(E->getType());
    return !Found;
  }

private:
  const FunctionDecl *Home;
  const VarDecl *Block;
  const llvm::SmallPtrSetImpl<const CallExpr *> &Makers;
  const FunctionDecl *In = nullptr;
  llvm::SmallPtrSet<const FunctionDecl *, 16> Seen;

  void no(SourceLocation Where, Message Why) {
    if (!Found)
      Found = NoBlock{Where, std::move(Why)};
  }
  void enter(const FunctionDecl *F) {
    const FunctionDecl *Definition = nullptr;
    if (!F->hasBody(Definition) || !Seen.insert(Definition).second)
      return;
    const FunctionDecl *Outer = In;
    // Closures are a part of the function that holds them.
    const auto *M = dyn_cast<CXXMethodDecl>(Definition);
    if (!M || !M->getParent()->isLambda())
      In = Definition;
    if (const auto *Makes = dyn_cast<CXXConstructorDecl>(Definition))
      for (const CXXCtorInitializer *I : Makes->inits())
        TraverseStmt(I->getInit());
    TraverseStmt(Definition->getBody());
    In = Outer;
  }
  /// What runs where an object ends.
  void end(QualType T) {
    const auto *R = T->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    if (!R || !R->hasDefinition() || R->hasTrivialDestructor())
      return;
    if (const CXXDestructorDecl *D = R->getDestructor())
      enter(D);
    for (const FieldDecl *F : R->fields())
      end(F->getType());
    for (const CXXBaseSpecifier &B : R->bases())
      end(B.getType());
  }
};

struct Variables : ConstDynamicRecursiveASTVisitor {
  llvm::SmallVector<const VarDecl *, 16> Found;
  bool VisitVarDecl(const VarDecl *V) override {
    Found.push_back(V);
    return true;
  }
  bool TraverseLambdaExpr(const LambdaExpr *) override { return true; }
};

/// Nothing is done on the way to an address that a stage would matter to.
bool onlyComputes(const Expr *E, const Scope &In) {
  Effects Of = effectsOf(E, In);
  return Of.Events.empty() && Of.Writes.empty() &&
         llvm::all_of(Of.Memory, [](const MemoryAccess &A) {
           return !A.Write && (A.Root.Where == Space::Global ||
                               A.Root.Where == Space::Constant);
         });
}

/// Is an address taken as a number? Its bits are others in another stage, so
/// that what they decide would be, too.
bool takesNumber(const Stmt *S) {
  if (!S)
    return false;
  const auto *C = dyn_cast<CastExpr>(S);
  const auto *Call = dyn_cast<CallExpr>(S);
  return (C && C->getCastKind() == CK_PointerToIntegral) ||
         (Call && Call->getType()->isIntegerType() &&
          llvm::any_of(Call->arguments(), [](const Expr *A) {
            return A->getType()->isPointerType();
          })) ||
         llvm::any_of(S->children(), takesNumber);
}

/// A function that declares Block and returns its address, or has one do it
/// that does, with casts and sums on the way.
bool givesOut(const FunctionDecl *F, const VarDecl *Block, unsigned Depth = 0) {
  const FunctionDecl *Definition = nullptr;
  const auto *M = dyn_cast_or_null<CXXMethodDecl>(F);
  if (!F || Depth > 2 || (M && M->isVirtual()) || !F->hasBody(Definition) ||
      !Definition->getReturnType()->isPointerType())
    return false;
  const auto *Body = dyn_cast<CompoundStmt>(Definition->getBody());
  const auto *Return = Body && !Body->body_empty()
                           ? dyn_cast<ReturnStmt>(Body->body_back())
                           : nullptr;
  if (!Return || !Return->getRetValue() || takesNumber(Return->getRetValue()))
    return false;
  for (const Stmt *S : Body->body()) {
    const auto *D = dyn_cast<DeclStmt>(S);
    if (S != Return &&
        (!D || !D->isSingleDecl() || D->getSingleDecl() != Block))
      return false;
  }
  struct Walk : ConstDynamicRecursiveASTVisitor {
    const VarDecl *Block = nullptr;
    unsigned Depth = 0, Names = 0;
    bool Plain = true;
    bool VisitDeclRefExpr(const DeclRefExpr *D) override {
      Names += D->getDecl() == Block;
      return true;
    }
    bool VisitCallExpr(const CallExpr *C) override {
      Names += Plain &= givesOut(C->getDirectCallee(), Block, Depth + 1);
      return Plain;
    }
    bool VisitCXXConstructExpr(const CXXConstructExpr *C) override {
      return Plain &= C->getConstructor()->isTrivial();
    }
    bool VisitBinaryOperator(const BinaryOperator *B) override {
      return Plain &= !B->isAssignmentOp() && !B->isCommaOp();
    }
    bool VisitUnaryOperator(const UnaryOperator *U) override {
      return Plain &= !U->isIncrementDecrementOp();
    }
    bool VisitLambdaExpr(const LambdaExpr *) override { return Plain = false; }
    bool VisitStmtExpr(const StmtExpr *) override { return Plain = false; }
  } In;
  In.Block = Block;
  In.Depth = Depth;
  In.TraverseStmt(Return->getRetValue());
  return In.Plain && In.Names == 1;
}

/// The calls by which the views of B are made.
llvm::SmallPtrSet<const CallExpr *, 4> makersOf(const StagedBuffer &B) {
  struct Calls : ConstDynamicRecursiveASTVisitor {
    const VarDecl *Block = nullptr;
    llvm::SmallPtrSet<const CallExpr *, 4> Found;
    bool VisitCallExpr(const CallExpr *C) override {
      if (givesOut(C->getDirectCallee(), Block))
        Found.insert(C);
      return true;
    }
    bool TraverseLambdaExpr(const LambdaExpr *) override { return true; }
  } All;
  All.Block = B.Var;
  if (B.GivenOut)
    for (const VarDecl *V : B.Views)
      All.TraverseStmt(V->getInit());
  return All.Found;
}

bool reaches(const Roots &R, const VarDecl *Block) {
  return R.size() == 1 && R[0].Where == Space::Shared && R[0].Var == Block;
}

} // namespace

Message whyNotDynamic(const FunctionDecl *Kernel) {
  const llvm::SmallPtrSet<const CallExpr *, 1> None;
  Reached Code(Kernel, Kernel, nullptr, None);
  return Code.Found ? Code.Found->Why : Message();
}

std::optional<NoBlock> whyNoBlock(const LoopFacts &Facts,
                                  const StagedBuffer &B) {
  const VarDecl *V = B.Var;
  const FunctionDecl *F = Facts.Tile.Function;
  auto no = [&](SourceLocation Where, const Message &Why) {
    return NoBlock{Where, {msg::block_has_no_stages, quoted(V), Why}};
  };
  const CallIndex *Calls = Facts.In->calls();
  const Runners Of = Calls ? runnersOf(F, *Calls) : Runners();
  if (!Of.areOneKernel())
    return no(V->getLocation(), msg::sized_by_callers);
  if (!V->getType()->isArrayType())
    return no(V->getLocation(), msg::is_not_an_array);
  const unsigned Most = Facts.Tile.stageAlignment();
  if (V->getMaxAlignment() / 8 > Most)
    return no(V->getLocation(), {msg::is_overaligned, Most});
  const auto Makers = makersOf(B);
  for (const FunctionDecl *K : Of.Kernels) {
    Reached Code(K, F, V, Makers);
    if (Code.Found)
      return no(Code.Found->Where, Code.Found->Why);
  }
  return std::nullopt;
}

bool isGivenOut(const LoopFacts &Facts, const StagedBuffer &B) {
  // What is extern belongs to the namespace around.
  const DeclContext *In = B.Var->getLexicalDeclContext();
  return B.Block && B.Var->isLocalVarDecl() && In != Facts.Tile.Function &&
         givesOut(dyn_cast<FunctionDecl>(In), B.Var);
}

void findViews(const LoopFacts &Facts, StagedBuffer &B) {
  const VarDecl *V = B.Var;
  B.ApartInBlock = Facts.In->certainBlock();
  const SourceManager &SM = Facts.In->context().getSourceManager();
  SourceLocation Loop = SM.getExpansionLoc(Facts.Tile.Loop->getBeginLoc());
  Values Known(Facts.In->context());
  Variables All;
  All.TraverseStmt(Facts.Tile.Function->getBody());
  for (const VarDecl *P : All.Found) {
    const VarDecl *Part = Facts.In->parts().lookup(P);
    if (Part && Part != V) {
      B.Apart.push_back({P, Part});
      continue;
    }
    // A structured binding has other names than its declaration's.
    if (P == V || isa<DecompositionDecl>(P) || !P->hasInit() ||
        !P->hasLocalStorage() ||
        !SM.isBeforeInTranslationUnit(SM.getExpansionLoc(P->getLocation()),
                                      Loop))
      continue;
    QualType T = P->getType();
    bool Reference = T->isReferenceType();
    if (T->isIntegerType()) {
      if (movesWith(B, P->getInit(), Facts.In->context()) &&
          onlyComputes(P->getInit(), *Facts.In) &&
          (ruleIsSwitchedOff("number-views") ||
           (Known.unchanged(P) && isOnlyAddress(P, Facts.Tile.Function))))
        B.Views.push_back(P);
      continue;
    }
    if (!Part && !(Reference && reaches(Facts.In->ofLValue(P->getInit()), V)) &&
        !(T->isPointerType() && reaches(Facts.In->ofPointer(P->getInit()), V)))
      continue;
    const bool Moves =
        !takesNumber(P->getInit()) || ruleIsSwitchedOff("view-numbers");
    if (Moves && onlyComputes(P->getInit(), *Facts.In) &&
        (Reference || Known.unchanged(P)))
      B.Views.push_back(P);
  }
}

bool makesView(const StagedBuffer &B, const DeclRefExpr *Mention) {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    const DeclRefExpr *Wanted;
    bool Found = false;
    bool VisitDeclRefExpr(const DeclRefExpr *D) override { return !(Found |= D == Wanted); }
  } Find;
  Find.Wanted = Mention;
  for (const VarDecl *P : B.Views)
    Find.TraverseStmt(P->getInit());
  for (const auto &[P, Part] : B.Apart)
    Find.TraverseStmt(P->getInit());
  return Find.Found;
}

} // namespace kpipe

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See IndirectLaunches.h. Takes nothing from the search for launches: each name
// of the kernel, of the variable and of the parameters has to be where it can
// do no more than ask for the bytes that were changed.
#include "IndirectLaunches.h"
#include "SpelledNames.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/ParentMapContext.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

llvm::StringRef calledName(const CallExpr *C) {
  const FunctionDecl *F = C->getDirectCallee();
  // A function of the author's may have CUDA's name.
  return F && F->getIdentifier() &&
                 F->getDeclContext()->getRedeclContext()->isTranslationUnit() &&
                 F->getASTContext().getSourceManager().isInSystemHeader(
                     F->getLocation())
             ? F->getName()
             : "";
}

class IndirectLaunch {
public:
  IndirectLaunch(ASTContext &Context, bool InStatement,
                 llvm::function_ref<bool(SourceRange)> Grown)
      : Context(Context), SM(Context.getSourceManager()),
        InStatement(InStatement), Grown(Grown) {}

  bool isEveryName(SourceLocation Place) {
    NamesOfCode All([&](const Expr *E) {
      const auto *O = dyn_cast<OverloadExpr>(E);
      return SM.getSpellingLoc(O ? O->getNameLoc()
                                 : cast<DeclRefExpr>(E)->getLocation()) ==
             Place;
    });
    for (const Decl *D : Context.getTranslationUnitDecl()->noload_decls())
      if (!SM.isInSystemHeader(D->getLocation()))
        All.TraverseDecl(D);
    bool Any = false;
    for (const Expr *E : All.Found) {
      // A template's own text is asked as its instances have it.
      if (isInTemplate(E))
        continue;
      if (!isLaunched(E))
        return false;
      Any = true;
    }
    return Any;
  }

private:
  ASTContext &Context;
  const SourceManager &SM;
  const bool InStatement;
  llvm::function_ref<bool(SourceRange)> Grown;

  /// A list is there as it is written, too.
  template <typename T> const Stmt *parent(const T &Of) {
    const Stmt *Found = nullptr;
    for (const DynTypedNode &Node : Context.getParents(Of)) {
      const auto *Up = Node.template get<Stmt>();
      if (const auto *List = dyn_cast_or_null<InitListExpr>(Up);
          List && !List->isSemanticForm())
        continue;
      if (Found || !Up)
        return nullptr;
      Found = Up;
    }
    return Found;
  }

  /// The call that an expression is given to, and which argument it is there.
  std::pair<const CallExpr *, unsigned> givenTo(const Expr *E) {
    const Expr *Last = E;
    for (const Stmt *Up = parent(*E); Up; Up = parent(*Up)) {
      if (const auto *C = dyn_cast<CallExpr>(Up)) {
        for (unsigned I = 0; I != C->getNumArgs(); ++I)
          if (C->getArg(I) == Last)
            return {C, I};
        return {nullptr, 0};
      }
      const auto *U = dyn_cast<UnaryOperator>(Up);
      if (!isa<ParenExpr, CastExpr>(Up) && !(U && U->getOpcode() == UO_AddrOf))
        return {nullptr, 0};
      Last = cast<Expr>(Up);
    }
    return {nullptr, 0};
  }

  bool isInTemplate(const Expr *E) {
    DynTypedNode Node = DynTypedNode::create(*E);
    while (true) {
      auto Up = Context.getParents(Node);
      if (Up.empty())
        return false;
      Node = Up[0];
      if (const auto *D = Node.get<Decl>())
        if (const auto *DC = dyn_cast<DeclContext>(D))
          return DC->isDependentContext();
    }
  }

  const CUDAKernelCallExpr *chevronsOf(const Expr *E) {
    const Expr *Last = E;
    for (const Stmt *Up = parent(*E); Up; Up = parent(*Up)) {
      if (const auto *C = dyn_cast<CUDAKernelCallExpr>(Up))
        return C->getCallee() == Last ? C : nullptr;
      const auto *U = dyn_cast<UnaryOperator>(Up);
      if (!isa<ParenExpr, CastExpr>(Up) && !(U && U->getOpcode() == UO_Deref))
        return nullptr;
      Last = cast<Expr>(Up);
    }
    return nullptr;
  }

  bool isLaunched(const Expr *E) {
    // Of these the statement itself asks for more.
    if (chevronsOf(E))
      return InStatement;
    if (const VarDecl *Holder = heldBy(E))
      return isHeldForLaunches(Holder);
    const auto [C, I] = givenTo(E);
    if (!C)
      return false;
    const llvm::StringRef Name = calledName(C);
    // Nor does it matter who asks how many blocks with as much would fit.
    if (((Name == "cudaLaunchKernel" ||
          Name == "cudaLaunchCooperativeKernel") &&
         I == 0) ||
        Name.starts_with("cudaOccupancy"))
      return InStatement;
    const auto *D = dyn_cast<DeclRefExpr>(E);
    if (Name == "cudaLaunchKernelEx" || Name == "cudaLaunchKernelExC")
      return I == 1 && D && isConfigured(C, D->getDecl(), nullptr);
    return isHanded(C, I);
  }

  /// The local variable that a kernel's name initialises.
  const VarDecl *heldBy(const Expr *E) {
    DynTypedNode Node = DynTypedNode::create(*E);
    while (true) {
      auto Up = Context.getParents(Node);
      if (Up.size() != 1)
        return nullptr;
      Node = Up[0];
      if (const auto *V = Node.get<VarDecl>())
        return V->isLocalVarDecl() && !V->isStaticLocal() &&
                       (V->getType()->isFunctionPointerType() ||
                        V->getType()->isFunctionReferenceType())
                   ? V
                   : nullptr;
      const auto *U = Node.get<UnaryOperator>();
      if (!Node.get<ParenExpr>() && !Node.get<CastExpr>() &&
          !(U && U->getOpcode() == UO_AddrOf))
        return nullptr;
    }
  }

  /// By configured launches; the others are asked by their own statements.
  bool isHeldForLaunches(const VarDecl *V) {
    const auto *Host = dyn_cast<FunctionDecl>(V->getDeclContext());
    if (!Host || !Host->getBody())
      return false;
    const std::vector<const Expr *> Names = mentionsIn(V, Host->getBody());
    return llvm::all_of(Names,
                        [&](const Expr *E) {
                          const auto [C, I] = givenTo(E);
                          const llvm::StringRef Name = C ? calledName(C) : "";
                          return (Name == "cudaFuncSetAttribute" && I == 0) ||
                                 (Name.starts_with("cudaLaunchKernelEx") &&
                                  I == 1 && isConfigured(C, V, nullptr));
                        }) &&
           spellsNowhereElse(Host, V, Names, Context);
  }

  static const VarDecl *variableIn(const Expr *E) {
    if (!E)
      return nullptr;
    const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreUnlessSpelledInSource());
    if (!D)
      D = dyn_cast<DeclRefExpr>(E->IgnoreParenCasts());
    return D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  }

  /// What asks for bytes: \p Bytes by its name if there is one, else a text
  /// that was changed.
  bool isAsked(const Expr *E, const VarDecl *Bytes) {
    return Bytes ? variableIn(E) == Bytes : Grown(E->getSourceRange());
  }

  /// Is a launch by a variable that configures launches of this kernel alone,
  /// all of whose counts are such?
  bool isConfigured(const CallExpr *C, const Decl *Kernel,
                    const VarDecl *Bytes) {
    const auto *Address =
        dyn_cast<UnaryOperator>(C->getArg(0)->IgnoreParenCasts());
    const VarDecl *V = Address && Address->getOpcode() == UO_AddrOf
                           ? variableIn(Address->getSubExpr())
                           : nullptr;
    const auto *Host =
        V ? dyn_cast<FunctionDecl>(V->getDeclContext()) : nullptr;
    if (!Host || !Host->getBody() || !V->hasLocalStorage() ||
        isa<ParmVarDecl>(V))
      return false;
    const auto *R = V->getType()->getAsCXXRecordDecl();
    if (!R || !SM.isInSystemHeader(R->getLocation()))
      return false;
    bool Any = false;
    if (const Expr *Init = V->getInit(); Init && !initGrows(Init, Bytes, Any))
      return false;
    const std::vector<const Expr *> Names = mentionsIn(V, Host->getBody());
    return llvm::all_of(Names,
                        [&](const Expr *E) {
                          return isPartOrLaunch(E, Kernel, Bytes, Any);
                        }) &&
           Any && spellsNowhereElse(Host, V, Names, Context);
  }

  /// \param Any set where bytes are asked for.
  bool initGrows(const Expr *Init, const VarDecl *Bytes, bool &Any) {
    Init = Init->IgnoreImplicit();
    if (const auto *Made = dyn_cast<CXXConstructExpr>(Init))
      return Made->getNumArgs() == 0;
    const auto *List = dyn_cast<InitListExpr>(Init);
    const auto *R = Init->getType()->getAsCXXRecordDecl();
    if (!List || !R)
      return false;
    if (!List->isSemanticForm() && List->getSemanticForm())
      List = List->getSemanticForm();
    for (const FieldDecl *F : R->fields()) {
      if (F->getName() != "dynamicSmemBytes" ||
          F->getFieldIndex() >= List->getNumInits())
        continue;
      const Expr *E = List->getInit(F->getFieldIndex());
      if (isa<ImplicitValueInitExpr>(E))
        continue;
      if (!isAsked(E, Bytes))
        return false;
      Any = true;
    }
    return true;
  }

  bool isPartOrLaunch(const Expr *E, const Decl *Kernel, const VarDecl *Bytes,
                      bool &Any) {
    const Stmt *Up = parent(*E);
    while (isa_and_nonnull<ParenExpr>(Up))
      Up = parent(*Up);
    if (const auto *M = dyn_cast_or_null<MemberExpr>(Up)) {
      if (M->getMemberDecl()->getName() != "dynamicSmemBytes")
        return true;
      const auto *Set = dyn_cast_or_null<BinaryOperator>(parent(*M));
      if (!Set || Set->getOpcode() != BO_Assign || Set->getLHS() != M ||
          !isAsked(Set->getRHS(), Bytes))
        return false;
      // Its value goes to nobody, and no macro has the bytes for more.
      const Stmt *Whole = parent(*Set);
      if (isa_and_nonnull<ExprWithCleanups>(Whole))
        Whole = parent(*Whole);
      if (!isa_and_nonnull<CompoundStmt>(Whole) ||
          Set->getOperatorLoc().isMacroID())
        return false;
      Any = true;
      return true;
    }
    const auto [C, I] = givenTo(E);
    if (!C || I != 0 || !calledName(C).starts_with("cudaLaunchKernelEx") ||
        C->getNumArgs() < 2)
      return false;
    const VarDecl *Holder = variableIn(C->getArg(1));
    const Expr *Launched = C->getArg(1)->IgnoreParenCasts();
    if (const auto *U = dyn_cast<UnaryOperator>(Launched))
      Launched = U->getSubExpr()->IgnoreParenCasts();
    const auto *D = dyn_cast<DeclRefExpr>(Launched);
    return Holder == Kernel || (D && sameKernel(D->getDecl(), Kernel));
  }

  static bool sameKernel(const Decl *A, const Decl *B) {
    auto written = [](const Decl *D) -> const Decl * {
      const auto *F = dyn_cast<FunctionDecl>(D);
      if (F)
        if (const FunctionDecl *P = F->getTemplateInstantiationPattern())
          return P->getCanonicalDecl();
      return D->getCanonicalDecl();
    };
    return written(A) == written(B);
  }

  /// Is it given to a function which launches it with what it is given beside
  /// it, and whose call asks for more?
  bool isHanded(const CallExpr *C, unsigned I) {
    const FunctionDecl *Callee = C->getDirectCallee(), *F = nullptr;
    if (!Callee || !Callee->hasBody(F) || F->isDependentContext() ||
        F->hasAttr<WeakAttr>() || isa<CXXOperatorCallExpr>(C) ||
        I >= F->getNumParams())
      return false;
    if (const auto *M = dyn_cast<CXXMethodDecl>(F); M && M->isVirtual())
      return false;
    const ParmVarDecl *Kernel = F->getParamDecl(I);
    for (unsigned J = 0; J != F->getNumParams() && J < C->getNumArgs(); ++J)
      if (J != I && Grown(C->getArg(J)->getSourceRange()))
        return isOnlyOfName(F, J) &&
               launchesWith(F, Kernel, F->getParamDecl(J));
    return false;
  }

  /// Is it called whatever type the bytes have?
  bool isOnlyOfName(const FunctionDecl *F, unsigned Bytes) {
    const FunctionDecl *Written = F->getTemplateInstantiationPattern();
    Written = Written ? Written : F;
    if (Bytes >= Written->getNumParams() ||
        Written->getParamDecl(Bytes)->getType()->isDependentType())
      return false;
    for (const DeclContext *In :
         {F->getDeclContext()->getRedeclContext(),
          static_cast<const DeclContext *>(Context.getTranslationUnitDecl())})
      for (const NamedDecl *D : In->lookup(F->getDeclName()))
        if (const FunctionDecl *G = D->getAsFunction();
            !G || G->getCanonicalDecl() != Written->getCanonicalDecl())
          return false;
    return true;
  }

  bool launchesWith(const FunctionDecl *F, const ParmVarDecl *Kernel,
                    const ParmVarDecl *Bytes) {
    const std::vector<const Expr *> Kernels = mentionsIn(Kernel, F->getBody()),
                                    Counts = mentionsIn(Bytes, F->getBody());
    bool Launched = false;
    auto onlyLaunches = [&](const Expr *E) {
      if (const CUDAKernelCallExpr *L = chevronsOf(E))
        return Launched = true, variableIn(L->getConfig()->getArg(2)) == Bytes;
      const auto [C, I] = givenTo(E);
      const llvm::StringRef Name = C ? calledName(C) : "";
      if (Name == "cudaLaunchKernel" && I == 0)
        return Launched = true,
               C->getNumArgs() > 4 && variableIn(C->getArg(4)) == Bytes;
      if (Name.starts_with("cudaLaunchKernelEx") && I == 1)
        return Launched = true, isConfigured(C, Kernel, Bytes);
      // Less than it is launched with must not be all that it may have.
      return Name == "cudaFuncSetAttribute" && I == 0 &&
             variableIn(C->getArg(2)) == Bytes;
    };
    // A count is only asked for, or allowed.
    auto onlyAsks = [&](const Expr *E) {
      const Expr *Last = E;
      for (const Stmt *Up = parent(*E); Up; Up = parent(*Up)) {
        if (const auto *C = dyn_cast<CallExpr>(Up)) {
          const llvm::StringRef Name = calledName(C);
          return (Name == "cudaLaunchKernel" && C->getNumArgs() > 4 &&
                  C->getArg(4) == Last) ||
                 (Name == "cudaFuncSetAttribute" && C->getArg(2) == Last) ||
                 Name == "cudaConfigureCall" ||
                 Name == "__cudaPushCallConfiguration";
        }
        if (const auto *B = dyn_cast<BinaryOperator>(Up)) {
          const auto *M = dyn_cast<MemberExpr>(B->getLHS());
          return B->getOpcode() == BO_Assign && B->getRHS() == Last && M &&
                 M->getMemberDecl()->getName() == "dynamicSmemBytes";
        }
        if (isa<InitListExpr>(Up))
          return true; // isConfigured has seen to it
        if (!isa<ParenExpr, CastExpr>(Up))
          return false;
        Last = cast<Expr>(Up);
      }
      return false;
    };
    return llvm::all_of(Kernels, onlyLaunches) && Launched &&
           llvm::all_of(Counts, onlyAsks) &&
           spellsNowhereElse(F, Kernel, Kernels, Context) &&
           spellsNowhereElse(F, Bytes, Counts, Context);
  }
};

} // namespace

bool isLaunchedIndirectly(SourceLocation Name, bool InStatement,
                          ASTContext &Context,
                          llvm::function_ref<bool(SourceRange)> Grown) {
  return IndirectLaunch(Context, InStatement, Grown).isEveryName(Name);
}

} // namespace kpipe

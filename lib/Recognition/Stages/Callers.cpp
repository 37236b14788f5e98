// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every call of the loop's function, and the array that it gives: a static one
// of its caller's, which nothing else there uses. See Callers.h.

#include "Callers.h"
#include "Code/AstUtils.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"

using namespace clang;

namespace kpipe {

namespace {

class CallReader {
public:
  CallReader(const LoopFacts &Facts, StagedBuffer &B)
      : Facts(Facts), B(B), F(Facts.Tile.Function), P(cast<ParmVarDecl>(B.Var)),
        In(*Facts.In), SM(In.context().getSourceManager()) {}

  /// A reference to an array, or to a structure of arrays, has the bytes of a
  /// stage in its type. For a pointer they are a number, the same in all
  /// instantiations.
  bool tellsBytes() const {
    const QualType To = P->getType().getNonReferenceType();
    if (P->getType()->isReferenceType())
      return To->isConstantArrayType() ||
             (To->isRecordType() && !To->isIncompleteType());
    return P->getType()->isPointerType() &&
           !F->getTemplateInstantiationPattern();
  }

  Message run() {
    const CallIndex *Calls = In.calls();
    const FunctionDecl *Canonical = F->getCanonicalDecl();
    const Message Unseen = {msg::not_every_call_is_seen, quoted(F)};
    if (P->getDeclContext() != F || !In.isCalledInSight())
      return Unseen;
    auto Found = Calls->Calls.find(Canonical);
    if (Found == Calls->Calls.end() || Found->second.empty())
      return Unseen;
    for (const CallExpr *C : Found->second) {
      const FunctionDecl *Caller = Calls->CallerOf.lookup(C);
      if (!Caller || Caller == F || !Caller->getBody())
        return Unseen;
      if (Message Why = call(C, Caller))
        return Why;
    }
    if (givenElsewhere(*Calls))
      return {msg::instantiation_gives_other, quoted(F)};
    for (const MemoryAccess &A : Facts.Compute.Memory)
      if (!A.Write && A.Root.Where == Space::Unknown)
        return {msg::compute_may_read, quoted(P)};
    return {};
  }

private:
  const LoopFacts &Facts;
  StagedBuffer &B;
  const FunctionDecl *F;
  const ParmVarDecl *P;
  const Scope &In;
  const SourceManager &SM;

  unsigned lineOf(SourceLocation L) const {
    return SM.getExpansionLineNumber(L);
  }

  bool inFileOfLoop(SourceLocation L) const {
    return L.isFileID() &&
           SM.getFileID(L) ==
               SM.getFileID(SM.getExpansionLoc(F->getLocation()));
  }

  /// What a call gives; an expression of its caller's.
  Roots given(const Expr *Argument, const FunctionDecl *Caller) const {
    Scope From(In.context(), Caller, In.calls());
    return Argument->getType()->isPointerType() ? From.ofPointer(Argument)
                                                : From.ofLValue(Argument);
  }

  /// Is another instantiation given other arrays? One text serves all of them,
  /// and says which arrays have stages.
  bool givenElsewhere(const CallIndex &Calls) const {
    const FunctionDecl *Pattern = F->getTemplateInstantiationPattern();
    if (!Pattern)
      return false;
    auto at = [](const VarDecl *V) {
      return V->getLocation().getRawEncoding();
    };
    llvm::SmallSet<unsigned, 4> Mine;
    for (const GivenArray &G : B.Given)
      Mine.insert(at(G.Array));
    for (const auto &[Other, All] : Calls.Calls) {
      if (Other == F->getCanonicalDecl() ||
          Other->getTemplateInstantiationPattern() != Pattern)
        continue;
      llvm::SmallSet<unsigned, 4> Theirs;
      for (const CallExpr *C : All) {
        const FunctionDecl *Caller = Calls.CallerOf.lookup(C);
        const auto Args = calleeOf(C).Arguments;
        if (!Caller || !Caller->getBody() ||
            P->getFunctionScopeIndex() >= Args.size())
          return true;
        for (const MemoryRoot &R :
             given(Args[P->getFunctionScopeIndex()], Caller))
          Theirs.insert(R.Var ? at(R.Var) : 0);
      }
      if (Mine != Theirs)
        return true;
    }
    return false;
  }

  Message call(const CallExpr *C, const FunctionDecl *Caller) {
    const unsigned Line = lineOf(C->getBeginLoc());
    const Message NoArray = {msg::call_gives_no_array, Line};
    const unsigned I = P->getFunctionScopeIndex();
    const HeldPointers::Call To = calleeOf(C);
    if (I >= To.Arguments.size())
      return NoArray;
    if (pathTo(C, Caller->getBody()).empty())
      return {msg::call_in_lambda, Line};
    const Roots Given = given(To.Arguments[I], Caller);
    if (Given.size() != 1 || Given[0].Where != Space::Shared || !Given[0].Var ||
        isa<ParmVarDecl>(Given[0].Var) || Given[0].Var->hasExternalStorage())
      return NoArray;
    const VarDecl *Array = Given[0].Var;
    const Message CannotGrow = {msg::array_cannot_grow, quoted(Array), Line};
    ASTContext &Context = In.context();
    if (!(Context.getAsConstantArrayType(Array->getType()) ||
          Array->getType()->isRecordType()) ||
        Array->getDeclContext() != Caller ||
        !inFileOfLoop(Array->getLocation()) ||
        !inFileOfLoop(C->getBeginLoc()) || !inFileOfLoop(C->getRParenLoc()))
      return CannotGrow;
    const uint64_t Bytes =
        Context.getTypeSizeInChars(Array->getType()).getQuantity();
    // A parameter's own type may be a pointer's.
    if (B.Given.empty())
      B.Bytes = Bytes;
    if (B.Bytes != Bytes)
      return CannotGrow;
    // A reference to a part of the array would count its stages in parts.
    if (P->getType()->isReferenceType() &&
        Context.getTypeSizeInChars(P->getType().getNonReferenceType())
                .getQuantity() != int64_t(Bytes))
      return CannotGrow;
    if (Message Why = usedElsewhere(Array, Caller, C, To, I))
      return Why;
    B.Given.push_back({C, Caller, Array});
    return {};
  }

  /// A mention of the array that is no argument for this parameter.
  Message usedElsewhere(const VarDecl *Array, const FunctionDecl *Caller,
                        const CallExpr *Call, const HeldPointers::Call &To,
                        unsigned Parameter) {
    struct Mentions : ConstDynamicRecursiveASTVisitor {
      SourceLocation Of;
      std::vector<const DeclRefExpr *> Found;
      bool VisitDeclRefExpr(const DeclRefExpr *D) override {
        if (D->getDecl()->getLocation() == Of)
          Found.push_back(D);
        return true;
      }
    };
    auto mentions = [&](const Stmt *S) {
      Mentions M;
      M.Of = Array->getLocation();
      M.TraverseStmt(S);
      return M.Found;
    };
    // This call's and those of the same function that give it once more.
    llvm::SmallVector<SourceLocation, 4> Fine;
    const CallIndex *Calls = In.calls();
    for (const CallExpr *C : Calls->Calls.find(F->getCanonicalDecl())->second)
      if (Calls->CallerOf.lookup(C) == Caller)
        if (const auto Args = calleeOf(C).Arguments; Parameter < Args.size())
          for (const DeclRefExpr *D : mentions(Args[Parameter]))
            Fine.push_back(D->getLocation());
    for (unsigned I = 0; I != To.Arguments.size(); ++I)
      if (I != Parameter && !mentions(To.Arguments[I]).empty())
        return {msg::call_gives_array_twice, lineOf(Call->getBeginLoc()),
                quoted(Array)};
    llvm::SmallVector<const Stmt *, 2> Bodies{Caller->getBody()};
    if (const FunctionDecl *Pattern = Caller->getTemplateInstantiationPattern())
      Bodies.push_back(Pattern->getBody());
    for (const Stmt *Body : Bodies)
      for (const DeclRefExpr *D : mentions(Body))
        if (D->getLocation().isMacroID() ||
            !llvm::is_contained(Fine, D->getLocation()))
          return {msg::array_is_used_beside_call, quoted(Array),
                  lineOf(Call->getBeginLoc()), lineOf(D->getLocation())};
    if (mentions(To.Arguments[Parameter]).empty())
      return {msg::call_gives_no_array, lineOf(Call->getBeginLoc())};
    return {};
  }
};

} // namespace

Message findGiven(const LoopFacts &Facts, StagedBuffer &B) {
  CallReader Calls(Facts, B);
  if (!Calls.tellsBytes())
    return {msg::is_parameter, quoted(B.Var)};
  Message Why = Calls.run();
  if (!Why)
    return {};
  B.Given.clear();
  return {msg::is_parameter_and, quoted(B.Var), Why};
}

} // namespace kpipe

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a turn computes. Each mention of a buffer is a read where its statement
// stands; an address that is kept for later is a read wherever that is named.
#include "Code/Effects.h"
#include "Code/KnownFunctions.h"
#include "TurnFacts.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

bool TurnReads::computes(const Tree &X, const Tree &Y, int At) {
  std::vector<BufferEvent> Reads;
  auto Before = T.Both.Numbers, Back = T.Both.Back;
  if (!same(X, Y, At, Reads)) {
    T.Both.Numbers = std::move(Before);
    T.Both.Back = std::move(Back);
    return false;
  }
  if (waitsOnly(X, T.Both.AuthorIn, T.Mine.Turn))
    return waitsOnly(Y, T.Both.OtherIn, T.Others.Turn);
  eachNode(X, [&](const Tree &N) {
    if (auto V = N.is("DeclRefExpr") ? Views.find(N.Local) : Views.end();
        V != Views.end())
      llvm::append_range(Reads, V->second);
  });
  if (Reads.empty())
    return true;
  Loads = Escapes = Passes = false;
  Inner.clear();
  bool IsRead = true;
  if (X.is("DeclStmt") ? !declares(X, Reads, IsRead)
                       : flow(X) == Has::Address && !exprOf(X))
    return T.fail(X, msg::proof_code);
  if (Escapes)
    return T.fail(X, msg::proof_code);
  for (BufferEvent E : Reads)
    if (IsRead) {
      T.Mine.Turn.push_back(E);
      E.Buffer = {};
      T.Others.Turn.push_back(E);
    }
  return writesNone(X);
}

bool TurnReads::same(const Tree &X, const Tree &Y, int At,
                     std::vector<BufferEvent> &Reads) {
  if (X.is("ArraySubscriptExpr") && Y.is("DeclRefExpr") &&
      T.Both.OthersBuffers.count(Y.Local) && X.Kids.size() == 2) {
    const Tree &Array = X.kid(0);
    const Tree &Name =
        Array.Label == "ArrayToPointerDecay" ? Array.kid(0) : Array;
    if (!Name.is("DeclRefExpr") || !T.Both.Buffers.count(Name.Local) ||
        X.Type != Y.Type || !T.Both.pair(Name.Local, Y.Local))
      return false;
    const auto Buffer = T.Index.of(X.kid(1), At);
    if (!Buffer)
      return T.fail(X, msg::proof_buffer);
    Reads.push_back({BufferEvent::Read, &X, Name.Local, *Buffer, false});
    return true;
  }
  if (const Tree *Made = T.Index.bufferOf(X)) {
    // `cur` and the one buffer, `As`.
    const Tree &Plane = Made->kid(0), &Name = Plane.kid(0).kid(0);
    if (Y.Label != "ArrayToPointerDecay" || Y.Kids.size() != 1 ||
        !Y.kid(0).is("DeclRefExpr") ||
        !T.Both.OthersBuffers.count(Y.kid(0).Local) ||
        !T.Both.Buffers.count(Name.Local) || Made->Type != Y.Type ||
        Plane.Type != Y.kid(0).Type || !T.Both.pair(Name.Local, Y.kid(0).Local))
      return false;
    const auto Buffer = T.Index.of(X, At);
    if (!Buffer)
      return T.fail(X, msg::proof_buffer);
    Reads.push_back({BufferEvent::Read, &X, Name.Local, *Buffer});
    return true;
  }
  if (!T.Both.sameNode(X, Y) || X.Kids.size() != Y.Kids.size())
    return false;
  for (size_t I = 0; I != X.Kids.size(); ++I)
    if (!same(X.kid(I), Y.kid(I), At, Reads))
      return false;
  return true;
}

/// One that makes an address alone reads nothing yet.
bool TurnReads::declares(const Tree &X, const std::vector<BufferEvent> &Reads,
                         bool &IsRead) {
  IsRead = false;
  for (const auto &V : X.Kids) {
    if (!V->is("Var"))
      return false;
    if (V->Kids.empty())
      continue;
    const auto *Of = dyn_cast_or_null<VarDecl>(V->Of);
    const Has Made = flow(V->kid(0));
    const bool Keeps =
        Made == Has::Address ||
        (Made == Has::Place && Of && Of->getType()->isReferenceType());
    IsRead |= Loads || (Made != Has::Nothing && !Keeps);
    if (!Keeps)
      continue;
    // A variable that is changed may name what another one does.
    if (!Of || !V->Label.empty() ||
        (!Of->getType()->isReferenceType() &&
         !T.Both.AuthorIn.isKept(V->Local)))
      return false;
    Views[V->Local] = Reads;
  }
  return true;
}

TurnReads::Has TurnReads::flow(const Tree &X) {
  if (T.Index.bufferOf(X))
    return Has::Address;
  if (X.is("DeclRefExpr")) {
    if (T.Both.Buffers.count(X.Local))
      return Has::Place;
    const auto *V = dyn_cast_or_null<VarDecl>(X.Of);
    return !Views.count(X.Local) && !Inner.count(X.Local) ? Has::Nothing
           : V && V->getType()->isReferenceType()         ? Has::Place
                                                          : Has::Address;
  }
  if (X.is("CallExpr") || X.is("CXXMemberCallExpr") ||
      X.is("CXXOperatorCallExpr") || X.is("CXXConstructExpr") ||
      X.is("GCCAsmStmt"))
    return callFlow(X);
  std::vector<Has> Kids;
  Has Most = Has::Nothing;
  for (const auto &Kid : X.Kids) {
    Kids.push_back(flow(*Kid));
    Most = std::max(Most, Kids.back());
  }
  if (Most == Has::Nothing)
    return Most;
  if (X.is("LambdaExpr") || X.is("ReturnStmt")) {
    Escapes = true;
    return Most;
  }
  if (X.is("ImplicitCastExpr") && X.Label == "LValueToRValue") {
    // The name of a pointer is no read of what it points to; a pointer that is
    // read may be a member of what was made of an address.
    if (Most == Has::Place)
      Loads = true;
    const Expr *E = exprOf(X);
    return Most == Has::Address || (E && E->getType()->isAnyPointerType())
               ? Has::Address
               : Has::Nothing;
  }
  if (X.Label == "ArrayToPointerDecay" ||
      (X.is("UnaryOperator") && X.Label == "&"))
    return Has::Address;
  if ((X.is("UnaryOperator") && X.Label == "*") || X.is("ArraySubscriptExpr") ||
      X.is("MemberExpr"))
    return Has::Place;
  if ((X.is("BinaryOperator") && X.Label == "=") ||
      X.is("CompoundAssignOperator")) {
    Escapes |= Kids.back() == Has::Address;
    Loads |= Kids.back() == Has::Place;
    return Has::Nothing;
  }
  if (X.is("Var")) {
    // One of an inner block ends with the statement: what it holds need not.
    const auto *V = dyn_cast_or_null<VarDecl>(X.Of);
    if (Most == Has::Address || (V && V->getType()->isReferenceType()))
      Inner.insert(X.Local);
    return Has::Nothing;
  }
  return exprOf(X) ? Most : Has::Nothing;
}

/// Can a value of that type hold an address, as a number too?
static bool holdsAddress(QualType Type, bool AsNumber, unsigned Depth = 0) {
  Type = Type.getCanonicalType();
  if (const auto *A = Type->getAsArrayTypeUnsafe())
    Type = A->getElementType().getCanonicalType();
  if (Type->isAnyPointerType() || Type->isReferenceType() || Depth == 6)
    return true;
  const CXXRecordDecl *R = Type->getAsCXXRecordDecl();
  if (!R)
    return AsNumber && Depth &&
           (Type->isSpecificBuiltinType(BuiltinType::Int) ||
            Type->isSpecificBuiltinType(BuiltinType::UInt) ||
            Type->isSpecificBuiltinType(BuiltinType::Long) ||
            Type->isSpecificBuiltinType(BuiltinType::ULong) ||
            Type->isSpecificBuiltinType(BuiltinType::LongLong) ||
            Type->isSpecificBuiltinType(BuiltinType::ULongLong));
  if (!R->hasDefinition())
    return true;
  auto Holds = [&](QualType T) { return holdsAddress(T, AsNumber, Depth + 1); };
  return llvm::any_of(R->bases(),
                      [&](const auto &B) { return Holds(B.getType()); }) ||
         llvm::any_of(R->fields(),
                      [&](const auto *F) { return Holds(F->getType()); });
}

/// May a call put the address of a buffer, or what names it, somewhere else? Of
/// the toolkit's own functions none does.
bool TurnReads::mayKeep(const Tree &X, bool Address) {
  const Expr *E = exprOf(X);
  if (!E)
    return false; // what assembly writes are numbers
  if (E->getType()->isRecordType() && holdsAddress(E->getType(), Address))
    return true;
  const FunctionDecl *Callee = calleeOf(X);
  if (!Callee || isToolkits(Callee))
    return false;
  for (const ParmVarDecl *P : Callee->parameters()) {
    const QualType To = P->getType()->getPointeeType();
    if (To.isNull())
      continue;
    const QualType Each = Callee->getASTContext().getBaseElementType(To);
    if (!Each.isConstQualified() && !Each->isFunctionType() &&
        (Each->isAnyPointerType() ||
         (Each->isRecordType() && holdsAddress(Each, false))))
      return true;
  }
  const auto *M = dyn_cast<CXXMethodDecl>(Callee);
  return M && M->isInstance() && !isa<CXXConstructorDecl>(M) &&
         !M->isTrivial() &&
         (!M->getParent()->hasDefinition() ||
          holdsAddress(M->getFunctionObjectParameterType(), Address));
}

/// What is called reads, and may give an address back.
TurnReads::Has TurnReads::callFlow(const Tree &X) {
  Has Most = Has::Nothing;
  for (const auto &Kid : X.Kids)
    Most = std::max(Most, flow(*Kid));
  if (Most == Has::Nothing)
    return Most;
  const FunctionDecl *Callee = calleeOf(X);
  if (X.is("CallExpr") && Callee && isToolkits(Callee) &&
      Callee->getIdentifier() &&
      Callee->getName() == "__cvta_generic_to_shared")
    return Has::Address;
  Loads = true;
  Escapes |= mayKeep(X, Most == Has::Address);
  const auto *Operator = dyn_cast_or_null<CXXOperatorCallExpr>(exprOf(X));
  Escapes |= Most == Has::Address && Operator && Operator->isAssignmentOp();
  Passes |= Most == Has::Address && Callee && !isToolkits(Callee);
  const Expr *E = exprOf(X);
  if (!E)
    return Has::Nothing;
  const QualType Type = E->getType();
  if (Type->isPointerType() || E->isGLValue())
    return X.is("CXXOperatorCallExpr") ? Has::Nothing : Has::Address;
  return Type->isIntegerType() && !Type->isBooleanType() ? Has::Address
                                                         : Has::Nothing;
}

/// A statement that names buffers writes none of them, and is understood.
bool TurnReads::writesNone(const Tree &X) {
  if (!X.Origin)
    return T.fail(X, msg::proof_code);
  const Effects All = effectsOf(X.Origin, T.Written);
  for (const MemoryAccess &M : All.Memory)
    if (M.Write && (M.Root.Where == Space::Unknown ||
                    (M.Root.Where == Space::Shared && isBuffer(M.Root.Var))))
      return T.fail(X, {msg::proof_write, M.Root.Var
                                              ? M.Root.Var->getNameAsString()
                                              : std::string("memory")});
    else if (M.Write && Passes && M.Root.Where != Space::Local)
      return T.fail(X, msg::proof_code); // it may be the address that is kept
  for (const Event &E : All.Events)
    if (E.Kind == EventKind::UnknownCall || E.Kind == EventKind::UnknownAsm ||
        E.Kind == EventKind::AsyncCopy)
      return T.fail(X, msg::proof_code);
  return true;
}

bool TurnReads::isBuffer(const VarDecl *V) const {
  bool Found = !V;
  eachNode(T.Both.Author, [&](const Tree &N) {
    Found |= N.is("Var") && N.Of && V &&
             N.Of->getCanonicalDecl() == V->getCanonicalDecl() &&
             T.Both.Buffers.count(N.Local);
  });
  return Found;
}

} // namespace kpipe

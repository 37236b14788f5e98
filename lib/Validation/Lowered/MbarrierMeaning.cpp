// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See MbarrierMeaning.h. Sources: PTX ISA, "mbarrier"; CUDA C++ Programming
// Guide, "Asynchronous Barrier"; libcu++'s cuda/barrier and cuda/ptx.
#include "MbarrierMeaning.h"
#include "BarrierTrees.h"
#include "Code/KnownFunctions.h"
#include "LibraryTypes.h"
#include "MbarrierInstructions.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// Without conversions of any kind.
const Tree &bare(const Tree &T) {
  const Tree *Up = &T;
  while (Up->Kids.size() == 1 &&
         (dyn_cast_or_null<CastExpr>(exprOf(*Up)) ||
          isa_and_nonnull<MaterializeTemporaryExpr>(exprOf(*Up))))
    Up = &Up->kid(0);
  return *Up;
}

/// What a parameter is given, or what a variable of a function was made of.
const Tree *givenTo(const Tree &Name, const Frame &F, const Frame *&Where) {
  if (!Name.is("DeclRefExpr") || !Name.Local)
    return nullptr;
  if (auto Found = F.Given.find(Name.Local); Found != F.Given.end()) {
    Where = F.Caller;
    return F.isKept(Name.Local) || F.isReference(Name.Local) ? Found->second
                                                             : nullptr;
  }
  const auto *V = dyn_cast_or_null<VarDecl>(Name.Of);
  if (!V || !V->hasLocalStorage() || V->getType()->isReferenceType())
    return nullptr;
  Where = &F;
  return F.initOf(Name.Local);
}

/// Reads the body of a function that a call calls as if it stood there.
template <typename Result, typename Do>
Result inCallee(const Tree &Call, const Frame &F, Do Read) {
  const FunctionDecl *Callee = calleeOf(Call), *Body = nullptr;
  std::vector<const Tree *> Arguments = argumentsOf(Call);
  if (!Callee || !Call.is("CallExpr") || isToolkits(Callee) ||
      isa<CXXMethodDecl>(Callee) || !Callee->hasBody(Body) ||
      Body->getNumParams() != Arguments.size())
    return Result();
  auto Inside = treeOf(Body, const_cast<ASTContext &>(F.Context));
  std::map<unsigned, const Tree *> Given;
  for (size_t I = 0; I != Arguments.size(); ++I)
    Given[Inside->kid(I).Local] = Arguments[I];
  const Frame Own(*Inside, F, std::move(Given));
  return Read(*Inside->Kids.back(), Own);
}

const Tree *barrierOf(const Tree &Address, const Frame &F, std::string &Key,
                      unsigned Depth) {
  const Tree *T = &bare(Address);
  if (T->is("UnaryOperator") && T->Label == "&")
    T = &bare(T->kid(0));
  if (Depth == 8)
    return nullptr;
  if (const FunctionDecl *Callee = calleeOf(*T)) {
    std::vector<const Tree *> Given = argumentsOf(*T);
    if (isToolkits(Callee) && Callee->getIdentifier() && Given.size() == 1 &&
        (Callee->getName() == "__cvta_generic_to_shared" ||
         Callee->getName() == "barrier_native_handle"))
      return barrierOf(*Given[0], F, Key, Depth + 1);
    return inCallee<const Tree *>(
        *T, F, [&](const Tree &Body, const Frame &Own) -> const Tree * {
          const Tree *Last =
              Body.Kids.empty() ? nullptr : Body.Kids.back().get();
          if (!Last || !Last->is("ReturnStmt") || Last->Kids.size() != 1)
            return nullptr;
          // `uint32_t address = …; return address;`
          const Tree &Value = bare(Last->kid(0));
          const bool Named =
              Body.Kids.size() == 2 && Body.kid(0).is("DeclStmt") &&
              Body.kid(0).Kids.size() == 1 && Value.is("DeclRefExpr") &&
              Body.kid(0).kid(0).Local == Value.Local;
          if (Body.Kids.size() != 1 && !Named)
            return nullptr;
          return barrierOf(Last->kid(0), Own, Key, Depth + 1);
        });
  }
  const Frame *Where = nullptr;
  if (const Tree *Means = givenTo(*T, F, Where))
    return barrierOf(*Means, *Where, Key, Depth + 1);
  const Tree *Name = T;
  while (Name->is("ArraySubscriptExpr") || Name->is("ImplicitCastExpr"))
    Name = &Name->kid(0);
  const auto *V = dyn_cast_or_null<VarDecl>(Name->Of);
  if (!Name->is("DeclRefExpr") || !Name->Local || !V || F.Caller ||
      !V->hasAttr<CUDASharedAttr>())
    return nullptr;
  if (!barrierIn(T->is("DeclRefExpr") && V->getType()->isArrayType() ? Address
                                                                     : *T,
                 F, Key))
    Key.clear();
  return Name;
}

/// What is done, statement by statement; functions are read where they are
/// called.
class BarrierReader {
public:
  enum class Is { Nothing, Once, Asked, Else };
  std::optional<AsyncEvent> Found;

  Is statement(const Tree &T, const Frame &F) {
    if (T.is("NullStmt"))
      return Is::Nothing;
    if (T.is("CompoundStmt"))
      return list(T, F);
    if (T.is("DeclStmt"))
      return llvm::all_of(T.Kids, [&](const auto &V) { return local(*V, F); })
                 ? Is::Nothing
                 : Is::Else;
    if (T.is("WhileStmt") && T.Kids.size() == 2)
      return loop(T.kid(0), T.kid(1), F, true);
    if (T.is("DoStmt") && T.Kids.size() == 2)
      return constantOf(T.kid(1), F) == 0 ? statement(T.kid(0), F)
                                          : loop(T.kid(1), T.kid(0), F, false);
    if (T.is("GCCAsmStmt"))
      return assembly(T, F);
    const Tree &Call = bare(T);
    return calleeOf(Call) ? call(Call, F) : Is::Else;
  }

private:
  unsigned Done = 0; ///< the variable that says what was asked
  unsigned Depth = 0;

  static bool local(const Tree &V, const Frame &F) {
    const auto *Var = dyn_cast_or_null<VarDecl>(V.Of);
    std::string Key;
    return V.is("Var") && Var && Var->hasLocalStorage() &&
           (V.Kids.empty() || !effectsIn(V.kid(0)) ||
            barrierOf(V.kid(0), F, Key, 0));
  }

  Is list(const Tree &Block, const Frame &F) {
    Is All = Is::Nothing;
    for (const auto &S : Block.Kids) {
      if (S->is("ReturnStmt"))
        return S == Block.Kids.back() ? returned(*S, All, F) : Is::Else;
      const Is Now = statement(*S, F);
      if (Now == Is::Nothing)
        continue;
      if (Now == Is::Else || All != Is::Nothing)
        return Is::Else;
      All = Now;
    }
    return All;
  }

  Is returned(const Tree &Return, Is Before, const Frame &F) {
    if (Return.Kids.empty() || Return.kid(0).is("-"))
      return Before;
    const Tree *T = &bare(Return.kid(0));
    if (Before == Is::Nothing)
      return calleeOf(*T) ? call(*T, F) : Is::Else;
    if (Before == Is::Once)
      return T->is("DeclRefExpr") ? Is::Once : Is::Else;
    if (T->is("BinaryOperator") && T->Label == "!=" &&
        constantOf(T->kid(1), F) == 0)
      T = &bare(T->kid(0));
    return Before == Is::Asked && Done && T->is("DeclRefExpr") &&
                   T->Local == Done
               ? Is::Asked
               : Is::Else;
  }

  Is loop(const Tree &Cond, const Tree &Body, const Frame &F, bool First) {
    const Tree *T = &bare(Cond);
    if (T->is("UnaryOperator") && T->Label == "!")
      T = &bare(T->kid(0));
    else if (T->is("BinaryOperator") && T->Label == "==" &&
             constantOf(T->kid(1), F) == 0)
      T = &bare(T->kid(0));
    else
      return Is::Else;
    if (calleeOf(*T))
      return statement(Body, F) == Is::Nothing && call(*T, F) == Is::Asked
                 ? Is::Once
                 : Is::Else;
    // A variable of the function's that says no at first.
    const unsigned Asks = T->is("DeclRefExpr") ? T->Local : 0;
    if (!Asks || !F.Caller || (First && !startsAsNo(*T)))
      return Is::Else;
    return statement(Body, F) == Is::Asked && Done == Asks ? Is::Once
                                                           : Is::Else;
  }

  static bool startsAsNo(const Tree &Name) {
    const auto *V = dyn_cast_or_null<VarDecl>(Name.Of);
    Expr::EvalResult Value;
    return V && V->getInit() && !V->getInit()->isValueDependent() &&
           V->getInit()->EvaluateAsInt(Value, V->getASTContext()) &&
           Value.Val.getInt().isZero();
  }

  Is found(AsyncEvent::Kind What, const Tree &Barrier, const Frame &F,
           const Tree *Number, bool IsCount) {
    AsyncEvent E;
    E.What = What;
    E.At = barrierOf(Barrier, F, E.Object, 0);
    if (!E.At || Found || (E.Object.empty() && !IsCount))
      return Is::Else;
    if (Number) {
      const Tree *T = &bare(*Number);
      const Frame *In = &F;
      while (In->Caller) {
        const Frame *Where = nullptr;
        const Tree *Means = givenTo(*T, *In, Where);
        if (!Means)
          return Is::Else;
        T = &bare(*Means);
        In = Where;
      }
      (IsCount ? E.Count : E.Parity) = T;
    }
    Found = std::move(E);
    return Is::Once;
  }

  Is assembly(const Tree &T, const Frame &F) {
    const auto *A = cast<GCCAsmStmt>(T.Origin);
    const BarrierInstruction I = barrierInstruction(A->getAsmString());
    if (I.Is == BarrierInstruction::Nothing)
      return Is::Nothing;
    if (I.Is == BarrierInstruction::None || A->isAsmGoto() ||
        I.Barrier >= T.Kids.size() || I.Number >= T.Kids.size())
      return Is::Else;
    const Tree &Barrier = T.kid(I.Barrier);
    for (unsigned N = 0; N != A->getNumOutputs(); ++N)
      if (!F.Caller || !T.kid(N).is("DeclRefExpr"))
        return Is::Else;
    switch (I.Is) {
    case BarrierInstruction::Init:
      return found(AsyncEvent::Other, Barrier, F, &T.kid(I.Number), true);
    case BarrierInstruction::Arrive:
      return found(AsyncEvent::Arrive, Barrier, F, nullptr, false);
    case BarrierInstruction::ArriveOn:
      return found(AsyncEvent::ArriveOn, Barrier, F, nullptr, false);
    case BarrierInstruction::ArriveBehind:
      return found(AsyncEvent::ArriveBehind, Barrier, F, nullptr, false);
    default:
      break;
    }
    if (I.Is == BarrierInstruction::Ask) {
      if (A->getNumOutputs() != 1)
        return Is::Else;
      Done = T.kid(0).Local;
    }
    if (found(AsyncEvent::Barrier, Barrier, F, &T.kid(I.Number), false) !=
        Is::Once)
      return Is::Else;
    return I.Is == BarrierInstruction::Ask ? Is::Asked : Is::Once;
  }

  Is call(const Tree &T, const Frame &F) {
    const FunctionDecl *Callee = calleeOf(T);
    if (isToolkits(Callee))
      return Callee->getIdentifier() ? library(T, F, Callee->getName())
                                     : Is::Else;
    std::string Key;
    for (const Tree *A : argumentsOf(T))
      if (effectsIn(*A) && !barrierOf(*A, F, Key, 0))
        return Is::Else;
    if (Depth == 6)
      return Is::Else;
    ++Depth;
    const unsigned Outer = std::exchange(Done, 0);
    const bool Void = Callee->getReturnType()->isVoidType();
    Is Inside = inCallee<std::optional<Is>>(
                    T, F,
                    [&](const Tree &Body, const Frame &Own) {
                      return std::optional(statement(Body, Own));
                    })
                    .value_or(Is::Else);
    Done = Outer;
    --Depth;
    return Inside == Is::Asked && Void ? Is::Else : Inside;
  }

  Is library(const Tree &T, const Frame &F, llvm::StringRef Name) {
    std::vector<const Tree *> Given = argumentsOf(T);
    if (T.is("CXXMemberCallExpr")) {
      const Tree &Of = T.kid(0);
      const bool Parity = Of.is("MemberExpr") && Of.Kids.size() == 1 &&
                          isClass(Of.kid(0), "barrier") && Given.size() == 1 &&
                          Name == "wait_parity" && !effectsIn(*Given[0]);
      return Parity ? found(AsyncEvent::Barrier, Of.kid(0), F, Given[0], false)
                    : Is::Else;
    }
    if (Name == "__nanosleep" || Name.starts_with("fence_mbarrier_init"))
      return Is::Nothing;
    // cuda::ptx names its order, its scope and its space in front.
    while (!Given.empty() && isEmptyClass(*Given[0]))
      Given.erase(Given.begin());
    const bool Ptx = Name.consume_front("mbarrier_");
    if ((!Ptx && !Name.consume_front("__mbarrier_")) || Given.empty())
      return Is::Else;
    for (const Tree *A : llvm::ArrayRef(Given).drop_front())
      if (effectsIn(*A))
        return Is::Else;
    if (Name == "init" && Given.size() == 2)
      return found(AsyncEvent::Other, *Given[0], F, Given[1], true);
    if (Name == "arrive" && Given.size() == 1)
      return found(AsyncEvent::Arrive, *Given[0], F, nullptr, false);
    if ((Name != "test_wait_parity" && Name != "try_wait_parity") ||
        Given.size() < 2 ||
        found(AsyncEvent::Barrier, *Given[0], F, Given[1], false) != Is::Once)
      return Is::Else;
    return Is::Asked;
  }

  static bool isEmptyClass(const Tree &T) {
    const Expr *E = exprOf(T);
    const auto *R = E ? E->getType()->getAsCXXRecordDecl() : nullptr;
    return R && R->isEmpty();
  }
};

} // namespace

const Tree *barrierAt(const Tree &Address, const Frame &F, std::string &Key) {
  return barrierOf(Address, F, Key, 0);
}

std::optional<std::vector<AsyncEvent>> mbarrierStatement(const Tree &T,
                                                         const Frame &F) {
  BarrierReader Reader;
  const bool May = T.is("GCCAsmStmt") || T.is("WhileStmt") || T.is("DoStmt") ||
                   calleeOf(bare(T));
  const auto Is = May ? Reader.statement(T, F) : BarrierReader::Is::Else;
  if (Is != BarrierReader::Is::Once || !Reader.Found)
    return std::nullopt;
  return std::vector{std::move(*Reader.Found)};
}

} // namespace kpipe

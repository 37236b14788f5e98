// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See AsyncMeaning.h. Sources: CUDA C++ Programming Guide, "Asynchronous Data
// Copies"; PTX ISA, "cp.async"; libcu++'s cuda/barrier and cuda/pipeline.
#include "AsyncMeaning.h"
#include "Code/KnownFunctions.h"
#include "CopyInstructions.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

static bool isTruth(const Tree &T) { return T.Type.substr(0, 4) == "bool"; }

Truth askedBy(const Tree &Condition, const Frame &F) {
  const Tree *T = &Condition;
  Truth Is;
  const Frame *In = &F;
  for (;;) {
    const auto *Cast = dyn_cast_or_null<CastExpr>(exprOf(*T));
    bool Drops =
        Cast && T->Kids.size() == 1 &&
        (Cast->getCastKind() == CK_NoOp ||
         Cast->getCastKind() == CK_IntegralToBoolean ||
         (Cast->getCastKind() == CK_IntegralCast && isTruth(T->kid(0))));
    bool Not = T->is("UnaryOperator") && T->Label == "!" && isTruth(*T);
    if (Not)
      Is.Negated = !Is.Negated;
    if (Drops || Not) {
      T = &T->kid(0);
      continue;
    }
    const Tree &Name = T->is("ImplicitCastExpr") && T->Label == "LValueToRValue"
                           ? T->kid(0)
                           : *T;
    auto Found = Name.is("DeclRefExpr") && In->Caller
                     ? In->Given.find(Name.Local)
                     : In->Given.end();
    if (Found == In->Given.end())
      break;
    T = Found->second;
    In = In->Caller;
  }
  Is.Text = spelled(*T, *In);
  return Is;
}

namespace {

const CXXRecordDecl *recordOf(QualType T) {
  T = T.getNonReferenceType();
  if (T->isPointerType())
    T = T->getPointeeType();
  const auto *R = T->getAsCXXRecordDecl();
  return R && R->getIdentifier() && isToolkits(R) ? R : nullptr;
}

bool isClass(const Tree &T, llvm::StringRef Name) {
  const Expr *E = exprOf(T);
  const CXXRecordDecl *R = E ? recordOf(E->getType()) : nullptr;
  return R && R->getName() == Name;
}

std::optional<int64_t> templateNumber(const Decl *D, unsigned N) {
  const TemplateArgumentList *Given = nullptr;
  if (const auto *F = dyn_cast_or_null<FunctionDecl>(D))
    Given = F->getTemplateSpecializationArgs();
  else if (const auto *R = dyn_cast_or_null<ClassTemplateSpecializationDecl>(D))
    Given = &R->getTemplateArgs();
  if (!Given || N >= Given->size() ||
      Given->get(N).getKind() != TemplateArgument::Integral)
    return std::nullopt;
  return Given->get(N).getAsIntegral().getExtValue();
}

class Reader {
public:
  AsyncStatement Read;

  bool statement(const Tree &T, const Frame &F, bool Nested) {
    if (T.is("CompoundStmt"))
      return llvm::all_of(
          T.Kids, [&](const auto &Kid) { return statement(*Kid, F, true); });
    if (T.is("NullStmt"))
      return true;
    if (T.is("DoStmt") && T.Kids.size() == 2)
      return constantOf(T.kid(1), F) == 0 && statement(T.kid(0), F, true);
    if (T.is("ReturnStmt"))
      return F.Caller && (T.Kids.empty() || T.kid(0).is("-"));
    if (T.is("DeclStmt"))
      return declaration(T, F, Nested);
    if (T.is("GCCAsmStmt"))
      return assembly(T, F);
    const Tree &Call = withoutCasts(T);
    if (Call.is("CStyleCastExpr") && Call.Label == "ToVoid")
      return statement(Call.kid(0), F, Nested);
    return call(Call, F);
  }

private:
  /// Functions that were read, whose trees the events' texts came from.
  std::vector<std::unique_ptr<Tree>> Bodies;
  unsigned Depth = 0;

  AsyncEvent &event(AsyncEvent::Kind What) {
    Read.Events.emplace_back();
    Read.Events.back().What = What;
    return Read.Events.back();
  }

  /// `auto token = bar.arrive();`, or a variable of a macro or a function.
  bool declaration(const Tree &T, const Frame &F, bool Nested) {
    if (Nested || F.Caller) {
      Read.Effects += F.Caller ? 0 : effectsIn(T);
      return !effectsIn(T);
    }
    if (T.Kids.size() != 1 || !T.kid(0).is("Var") || T.kid(0).Kids.size() != 1)
      return false;
    size_t Before = Read.Events.size();
    if (!call(withoutCasts(T.kid(0).kid(0)), F) ||
        Read.Events.size() != Before + 1 ||
        Read.Events.back().What != AsyncEvent::Arrive)
      return false;
    Read.Events.back().Token = T.kid(0).Local;
    return true;
  }

  bool call(const Tree &T, const Frame &F) {
    const FunctionDecl *Callee = calleeOf(T);
    if (!Callee)
      return false;
    for (const Tree *A : argumentsOf(T))
      Read.Effects += F.Caller ? 0 : effectsIn(*A);
    if (!isToolkits(Callee))
      return authors(T, Callee, F);
    if (T.is("CXXMemberCallExpr"))
      return method(T, F, Callee->getNameAsString());
    return function(T, F, Callee);
  }

  /// A function of the author's around some of these.
  bool authors(const Tree &T, const FunctionDecl *Callee, const Frame &F) {
    const FunctionDecl *Body = nullptr;
    std::vector<const Tree *> Arguments = argumentsOf(T);
    if (!T.is("CallExpr") || Depth == 4 || !Callee->hasBody(Body) ||
        Body->getNumParams() != Arguments.size())
      return false;
    Bodies.push_back(treeOf(Body, const_cast<ASTContext &>(F.Context)));
    const Tree &Inside = *Bodies.back();
    std::map<unsigned, const Tree *> Given;
    for (size_t I = 0; I != Arguments.size(); ++I)
      Given[Inside.kid(I).Local] = Arguments[I];
    Frame Own(Inside, F, std::move(Given));
    ++Depth;
    bool Fits = statement(*Inside.Kids.back(), Own, false);
    --Depth;
    return Fits;
  }

  bool method(const Tree &T, const Frame &F, llvm::StringRef Name) {
    const Tree &Of = T.kid(0);
    if (!Of.is("MemberExpr") || Of.Kids.size() != 1)
      return false;
    const Tree &Object = Of.kid(0);
    std::string Key = objectOf(Object, F);
    size_t Given = argumentsOf(T).size();
    if (isClass(Object, "pipeline") && !Given) {
      bool Release = Name == "consumer_release";
      bool Waits = Name == "consumer_wait";
      if (!Release && !Waits && Name != "producer_commit" &&
          Name != "producer_acquire")
        return false;
      bool OfBlock = !Key.empty();
      AsyncEvent &E = event((Release || Waits) && OfBlock ? AsyncEvent::Barrier
                            : Waits                       ? AsyncEvent::Wait
                            : Name == "producer_commit"   ? AsyncEvent::Commit
                                                          : AsyncEvent::Other);
      E.Object = Key;
      return true;
    }
    if (!isClass(Object, "barrier"))
      return false;
    if (Name == "arrive_and_wait" && !Given) {
      AsyncEvent &E = event(AsyncEvent::Barrier);
      E.Object = Key;
      E.All = true;
      return true;
    }
    // A count that is not 1 stands for other threads.
    if (Name == "arrive" && llvm::all_of(argumentsOf(T), [&](const Tree *A) {
          return A->is("CXXDefaultArgExpr") || constantOf(*A, F) == 1;
        })) {
      event(AsyncEvent::Arrive).Object = Key;
      return true;
    }
    if (Name != "wait" || Given != 1)
      return false;
    AsyncEvent E;
    E.What = AsyncEvent::Barrier;
    E.Object = Key;
    E.All = true;
    const Tree *Token = tokenOf(*argumentsOf(T)[0]);
    if (!Token)
      return false;
    if (Token->is("DeclRefExpr")) {
      E.Token = Token->Local;
    } else if (!call(*Token, F) ||
               Read.Events.back().What != AsyncEvent::Arrive ||
               Read.Events.back().Object != Key) {
      return false;
    }
    Read.Events.push_back(std::move(E));
    return true;
  }

  /// `std::move(token)`, `cuda::std::move(token)`, `bar.arrive()`.
  static const Tree *tokenOf(const Tree &Argument) {
    const Tree *T = &withoutCasts(Argument);
    while (!T->is("DeclRefExpr") && !T->is("CXXMemberCallExpr")) {
      const FunctionDecl *F = calleeOf(*T);
      const auto *Made = dyn_cast_or_null<CXXConstructExpr>(exprOf(*T));
      if (F && F->getIdentifier() && F->getName() == "move" &&
          T->Kids.size() == 2)
        T = &withoutCasts(T->kid(1));
      else if (Made && Made->getConstructor()->isCopyOrMoveConstructor() &&
               T->Kids.size() == 1)
        T = &withoutCasts(T->kid(0));
      else if (T->is("CStyleCastExpr") || T->is("CXXStaticCastExpr"))
        T = &withoutCasts(T->kid(0));
      else
        return nullptr;
    }
    return T;
  }

  /// What counts copies: nothing but the thread itself has no name.
  std::string objectOf(const Tree &Object, const Frame &F) {
    const Expr *E = exprOf(Object);
    // thread_scope_thread is 10 in libcu++.
    if (E && isClass(Object, "pipeline") &&
        templateNumber(recordOf(E->getType()), 0) == 10)
      return "";
    return spelled(withoutCasts(Object), F);
  }

  bool function(const Tree &T, const Frame &F, const FunctionDecl *Callee) {
    llvm::StringRef Name = Callee->getIdentifier() ? Callee->getName() : "";
    std::vector<const Tree *> Given = argumentsOf(T);
    while (!Given.empty() && Given.back()->is("CXXDefaultArgExpr"))
      Given.pop_back();
    if (Name == "__pipeline_commit" && Given.empty()) {
      event(AsyncEvent::Commit);
      return true;
    }
    if (Name == "__pipeline_wait_prior" && Given.size() == 1) {
      event(AsyncEvent::Wait).All = constantOf(*Given[0], F) == 0;
      return true;
    }
    if (Name == "pipeline_consumer_wait_prior" && Given.size() == 1) {
      AsyncEvent &E = event(AsyncEvent::Wait);
      E.All = templateNumber(Callee, 0) == 0;
      E.Object = objectOf(*Given[0], F);
      return E.Object.empty();
    }
    if (Name == "__pipeline_memcpy_async" &&
        (Given.size() == 3 || Given.size() == 4)) {
      AsyncEvent &E = event(AsyncEvent::Copy);
      addresses(E, *Given[0], *Given[1], F);
      std::optional<int64_t> Bytes = constantOf(*Given[2], F);
      if (!Bytes || *Bytes <= 0)
        return false;
      E.Bytes = {{"", *Bytes}};
      E.Alignment = *Bytes;
      return Given.size() == 3 || keptBy(E, *Given[3], F, true);
    }
    if (Name == "memcpy_async")
      return libraryCopy(Given, F);
    if ((Name == "wait" || Name == "wait_prior") && Given.size() == 1 &&
        (Name == "wait" || templateNumber(Callee, 0) == 0)) {
      AsyncEvent &E = event(isOneThread(*Given[0]) ? AsyncEvent::Wait
                                                   : AsyncEvent::GroupBarrier);
      E.Group = spelled(withoutCasts(*Given[0]), F);
      E.All = E.Uncommitted = true;
      return true;
    }
    return false;
  }

  static bool isOneThread(const Tree &Group) {
    const Expr *E = exprOf(Group);
    return isClass(Group, "thread_block_tile") &&
           templateNumber(recordOf(E->getType()), 0) == 1;
  }

  void addresses(AsyncEvent &E, const Tree &To, const Tree &From,
                 const Frame &F) {
    E.To = addressIn(To, F);
    E.From = addressIn(From, F);
  }

  /// `memcpy_async([group,] to, from, size[, object])`.
  bool libraryCopy(std::vector<const Tree *> Given, const Frame &F) {
    AsyncEvent E;
    E.What = AsyncEvent::Copy;
    bool Counted = !Given.empty() && (isClass(*Given.back(), "pipeline") ||
                                      isClass(*Given.back(), "barrier"));
    if (Counted) {
      E.Object = objectOf(*Given.back(), F);
      Given.pop_back();
    }
    if (Given.size() == 4) {
      if (!isOneThread(*Given[0]))
        E.Group = spelled(withoutCasts(*Given[0]), F);
      Given.erase(Given.begin());
    } else if (!Counted) {
      return false;
    }
    if (Given.size() != 3)
      return false;
    addresses(E, *Given[0], *Given[1], F);
    E.Alignment =
        std::min(alignmentOf(*Given[0], F), alignmentOf(*Given[1], F));
    const Tree *Size = sizeIn(*Given[2], F, E.Alignment);
    if (!Size)
      return false;
    E.Bytes = numberOf(*Size, F, 1);
    Read.Events.push_back(std::move(E));
    return true;
  }

  /// Of what a pointer points to, before it became one to anything.
  static unsigned alignmentOf(const Tree &Pointer, const Frame &F) {
    const Tree *T = &Pointer;
    while (T->Kids.size() == 1 &&
           isa_and_nonnull<ImplicitCastExpr>(exprOf(*T)) &&
           (T->Label == "BitCast" || T->Label == "NoOp"))
      T = &T->kid(0);
    const Expr *E = exprOf(*T);
    QualType To = E ? E->getType() : QualType();
    if (To.isNull() || !To->isPointerType() ||
        To->getPointeeType()->isIncompleteType())
      return 1;
    return F.Context.getTypeAlignInChars(To->getPointeeType()).getQuantity();
  }

  /// The number in `cuda::aligned_size_t<16>(n)`, or the number itself.
  static const Tree *sizeIn(const Tree &Size, const Frame &F,
                            unsigned &Alignment) {
    const Tree *T = &withoutCasts(Size);
    while (isClass(*T, "aligned_size_t")) {
      const Expr *E = exprOf(*T);
      if (auto N = templateNumber(recordOf(E->getType()), 0))
        Alignment = std::max<unsigned>(Alignment, *N);
      if (T->Kids.size() == 1)
        T = &withoutCasts(T->kid(0));
      else if (const Tree *Value = T->is("DeclRefExpr") && T->Local
                                       ? F.valueOf(T->Local)
                                       : nullptr)
        T = &withoutCasts(*Value);
      else
        return nullptr;
    }
    const Expr *E = exprOf(*T);
    return E && E->getType()->isIntegerType() ? T : nullptr;
  }

  /// Bytes: how many are copied, or with OfZeros how many of them are zeros.
  bool keptBy(AsyncEvent &E, const Tree &Bytes, const Frame &F, bool OfZeros) {
    int64_t All = E.Bytes.at("");
    const Tree *T = &Bytes;
    const Frame *In = &F;
    for (;;) {
      if (auto Known = constantOf(*T, *In))
        return *Known == (OfZeros ? 0 : All);
      const auto *Cast = dyn_cast_or_null<CastExpr>(exprOf(*T));
      if (Cast && T->Kids.size() == 1 &&
          (Cast->getCastKind() == CK_NoOp ||
           Cast->getCastKind() == CK_IntegralCast ||
           Cast->getCastKind() == CK_LValueToRValue)) {
        T = &T->kid(0);
        continue;
      }
      if (!T->is("DeclRefExpr") || !T->Local)
        break;
      auto Found = In->Given.find(T->Local);
      const Tree *Value =
          Found != In->Given.end() ? Found->second : In->valueOf(T->Local);
      if (!Value)
        return false;
      if (Found != In->Given.end())
        In = In->Caller;
      T = Value;
    }
    if (!T->is("ConditionalOperator") || T->Kids.size() != 3)
      return false;
    auto Then = constantOf(T->kid(1), *In), Else = constantOf(T->kid(2), *In);
    bool AllThen = Then == All && Else == 0, AllElse = Then == 0 && Else == All;
    if (!AllThen && !AllElse)
      return false;
    E.Kept = askedBy(T->kid(0), *In);
    if (OfZeros ? AllThen : AllElse)
      E.Kept->Negated = !E.Kept->Negated;
    return true;
  }

  bool assembly(const Tree &T, const Frame &F) {
    const auto *A = cast<GCCAsmStmt>(T.Origin);
    if (A->getNumOutputs() || A->isAsmGoto())
      return false;
    auto All = readCopyInstructions(A->getAsmString());
    if (!All || All->empty())
      return false;
    for (const auto &Kid : T.Kids)
      Read.Effects += F.Caller ? 0 : effectsIn(*Kid);
    return llvm::all_of(
        *All, [&](const CopyInstruction &I) { return instruction(I, T, F); });
  }

  bool instruction(const CopyInstruction &I, const Tree &T, const Frame &F) {
    auto Is = [&](const CopyInstruction::Operand &O, int64_t &Value) {
      if (!O.Number) {
        Value = O.Value;
        return true;
      }
      auto Known = *O.Number < T.Kids.size() ? constantOf(T.kid(*O.Number), F)
                                             : std::nullopt;
      Value = Known.value_or(0);
      return Known.has_value();
    };
    int64_t Value = 0;
    switch (I.What) {
    case CopyInstruction::Commit:
      event(AsyncEvent::Commit);
      return true;
    case CopyInstruction::WaitAll: {
      AsyncEvent &E = event(AsyncEvent::Wait);
      E.All = E.Uncommitted = true;
      return true;
    }
    case CopyInstruction::WaitGroup:
      if (!Is(I.Bytes, Value))
        return false;
      event(AsyncEvent::Wait).All = Value == 0;
      return true;
    case CopyInstruction::Copy:
      break;
    }
    if (!Is(I.Bytes, Value) || Value <= 0 || I.To >= T.Kids.size() ||
        I.From >= T.Kids.size())
      return false;
    AsyncEvent &E = event(AsyncEvent::Copy);
    addresses(E, T.kid(I.To), T.kid(I.From), F);
    E.Bytes = {{"", Value}};
    E.Alignment = Value;
    if (I.Only) {
      if (*I.Only >= T.Kids.size())
        return false;
      E.Only = askedBy(T.kid(*I.Only), F);
    }
    if (!I.Kept)
      return true;
    if (!I.Kept->Number)
      return I.Kept->Value == Value;
    return *I.Kept->Number < T.Kids.size() &&
           keptBy(E, T.kid(*I.Kept->Number), F, false);
  }
};

} // namespace

std::optional<AsyncStatement> asyncStatement(const Tree &S, const Frame &F) {
  Reader R;
  if (!R.statement(S, F, false))
    return std::nullopt;
  return std::move(R.Read);
}

} // namespace kpipe

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Addresses.h. What is not known for a sum is a term by itself, so that two
// places are the same only where their texts say so.
#include "Addresses.h"
#include "Code/KnownFunctions.h"
#include "SideEffects.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace kpipe {

const Expr *exprOf(const Tree &T) { return dyn_cast_or_null<Expr>(T.Origin); }

static bool isLoad(const Tree &T) {
  return T.is("ImplicitCastExpr") && T.Label == "LValueToRValue";
}

Frame::Frame(const Tree &Function, const ASTContext &Context)
    : Context(Context) {
  read(Function, false, false);
}

Frame::Frame(const Tree &Function, const Frame &Caller,
             std::map<unsigned, const Tree *> Given)
    : Context(Caller.Context), Caller(&Caller), Given(std::move(Given)) {
  read(Function, false, false);
}

/// Reads: the node around T wants no more than its value, or its address as
/// that of an array.
void Frame::read(const Tree &T, bool Reads, bool InClosure) {
  Range &Place = Places[&T];
  Place.Begin = Next++;
  if (T.is("Var") && !T.Kids.empty())
    Declared.try_emplace(T.Local, &T.kid(0));
  if (T.is("ParmVar") && !T.Type.empty() && T.Type.back() == '&')
    References.insert(T.Local);
  const auto *V = dyn_cast_or_null<VarDecl>(T.Of);
  const bool Constant = V && V->getType().isConstQualified();
  if (T.is("DeclRefExpr") && T.Local && !Reads && !Constant) {
    Changed.insert(T.Local);
    Changes[T.Local].push_back(Place.Begin);
    if (InClosure)
      ChangedAnywhere.insert(T.Local);
  }
  Jumps |= T.is("GotoStmt") || T.is("IndirectGotoStmt");
  bool Decays = T.is("ImplicitCastExpr") && T.Label == "ArrayToPointerDecay";
  for (const auto &Kid : T.Kids)
    read(*Kid, isLoad(T) || Decays, InClosure || T.is("LambdaExpr"));
  Place.End = Next;
  if (T.is("ForStmt") || T.is("WhileStmt") || T.is("DoStmt") ||
      T.is("CXXForRangeStmt"))
    Loops.push_back(Place);
}

/// Does an expression have the same value in two places? Of what is in memory
/// that is not known.
bool Frame::isSame(const Tree &T, const Range &Made, const Range &Used) const {
  if (T.is("DeclRefExpr") && T.Local) {
    const auto *V = dyn_cast_or_null<VarDecl>(T.Of);
    if (!V || ChangedAnywhere.count(T.Local))
      return false;
    if (V->getType()->isArrayType())
      return true;
    auto Found = Changes.find(T.Local);
    return Found == Changes.end() ||
           llvm::none_of(Found->second, [&](unsigned At) {
             return (Made.End <= At && At < Used.End) ||
                    llvm::any_of(Loops, [&](const Range &L) {
                      return L.has(At) && L.has(Used.Begin) &&
                             !L.has(Made.Begin);
                    });
           });
  }
  if (isLoad(T) && !T.kid(0).is("DeclRefExpr"))
    return false;
  return !effectsIn(T) && llvm::all_of(T.Kids, [&](const auto &Kid) {
    return isSame(*Kid, Made, Used);
  });
}

const Tree *Frame::valueOf(unsigned Local) const {
  auto Found = Declared.find(Local);
  if (Found == Declared.end() || !isKept(Local))
    return nullptr;
  if (Caller)
    return Found->second;
  if (!Here || Jumps)
    return nullptr;
  return isSame(*Found->second, Places.at(Found->second), Places.at(Here))
             ? Found->second
             : nullptr;
}

const FunctionDecl *calleeOf(const Tree &Call) {
  const auto *C = dyn_cast_or_null<CallExpr>(Call.Origin);
  return C ? C->getDirectCallee() : nullptr;
}

std::vector<const Tree *> argumentsOf(const Tree &Call) {
  std::vector<const Tree *> All;
  for (size_t I = 1; I < Call.Kids.size(); ++I)
    All.push_back(&Call.kid(I));
  return All;
}

static unsigned sizeOf(QualType T, const ASTContext &Context) {
  if (T.isNull() || T->isIncompleteType() || T->isDependentType())
    return 1;
  return Context.getTypeSizeInChars(T).getQuantity();
}

/// A conversion that changes no value that is a number of things.
static bool keepsNumber(const Tree &T, const ASTContext &Context) {
  const auto *C = dyn_cast_or_null<CastExpr>(exprOf(T));
  if (!C || T.Kids.size() != 1)
    return false;
  switch (C->getCastKind()) {
  case CK_NoOp:
  case CK_ConstructorConversion:
    return true;
  case CK_IntegralCast:
    return Context.getTypeSize(C->getType()) >=
           Context.getTypeSize(C->getSubExpr()->getType());
  default:
    return false;
  }
}

const Tree &withoutCasts(const Tree &T) {
  const Tree *Up = &T;
  for (;;) {
    const Expr *E = exprOf(*Up);
    const auto *C = dyn_cast_or_null<CastExpr>(E);
    const auto *Made = dyn_cast_or_null<CXXConstructExpr>(E);
    bool Keeps =
        (C && (C->getCastKind() == CK_NoOp ||
               C->getCastKind() == CK_ConstructorConversion ||
               C->getCastKind() == CK_UserDefinedConversion ||
               C->getCastKind() == CK_LValueToRValue)) ||
        isa_and_nonnull<MaterializeTemporaryExpr, CXXBindTemporaryExpr>(E) ||
        (Made && Made->getConstructor()->isCopyOrMoveConstructor() &&
         Made->getConstructor()->isTrivial());
    if (!Keeps || Up->Kids.size() != 1)
      return *Up;
    Up = &Up->kid(0);
  }
}

std::optional<int64_t> constantOf(const Tree &T, const Frame &F) {
  const Tree *Up = &T;
  while (keepsNumber(*Up, F.Context) || isLoad(*Up))
    Up = &Up->kid(0);
  if (Up->is("DeclRefExpr") && F.Caller)
    if (auto Found = F.Given.find(Up->Local); Found != F.Given.end())
      return constantOf(*Found->second, *F.Caller);
  const Expr *E = exprOf(T);
  Expr::EvalResult Value;
  if (!E || E->isValueDependent() ||
      !E->getType()->isIntegralOrEnumerationType() ||
      !E->EvaluateAsInt(Value, F.Context) || Value.HasSideEffects)
    return std::nullopt;
  return Value.Val.getInt().getExtValue();
}

/// What a name stands for: an argument, or what a variable of the function that
/// is read as if it stood in its caller was made of.
static const Tree *meaning(const Tree &Name, const Frame &F,
                           const Frame *&Where) {
  if (!F.Caller || !Name.is("DeclRefExpr") || !Name.Local)
    return nullptr;
  auto Found = F.Given.find(Name.Local);
  if (Found != F.Given.end()) {
    Where = F.Caller;
    return F.isKept(Name.Local) || F.isReference(Name.Local) ? Found->second
                                                             : nullptr;
  }
  Where = &F;
  return F.valueOf(Name.Local);
}

std::string spelled(const Tree &T, const Frame &F) {
  const Frame *Where = nullptr;
  const Tree *Name = isLoad(T) ? &T.kid(0) : &T;
  if (const Tree *Means = meaning(*Name, F, Where))
    return spelled(*Means, *Where);
  std::string Text = "(" + T.Kind + " " + T.Label + " " + T.Type + " ";
  if (!T.Local) {
    Text += T.Name;
  } else if (F.Caller) {
    // A variable of a function that is not the author's own one.
    Text += "?" + std::to_string(reinterpret_cast<uintptr_t>(&T));
  } else if (!F.Renumbered) {
    Text += "v" + std::to_string(T.Local);
  } else {
    auto Other = F.Renumbered->find(T.Local);
    Text += Other != F.Renumbered->end() ? "v" + std::to_string(Other->second)
                                         : "new " + T.Name;
  }
  for (const auto &Kid : T.Kids)
    Text += " " + spelled(*Kid, F);
  return Text + ")";
}

static void add(Sum &To, const Sum &More, int64_t Times = 1) {
  for (const auto &[Term, Bytes] : More)
    if (!(To[Term] += Times * Bytes))
      To.erase(Term);
}

Sum numberOf(const Tree &Count, const Frame &F, int64_t Scale) {
  if (auto Known = constantOf(Count, F))
    return *Known ? Sum{{"", *Known * Scale}} : Sum();
  const Tree *T = &Count;
  while (keepsNumber(*T, F.Context))
    T = &T->kid(0);
  const Frame *Where = nullptr;
  if (const Tree *Means = meaning(isLoad(*T) ? T->kid(0) : *T, F, Where))
    return numberOf(*Means, *Where, Scale);
  if (T->is("BinaryOperator") && T->Label == "*") {
    if (auto Known = constantOf(T->kid(0), F))
      return numberOf(T->kid(1), F, *Known * Scale);
    if (auto Known = constantOf(T->kid(1), F))
      return numberOf(T->kid(0), F, *Known * Scale);
  }
  // By value or by reference.
  if (isLoad(*T) && T->kid(0).is("DeclRefExpr"))
    T = &T->kid(0);
  return {{spelled(*T, F), Scale}};
}

/// Is a number a pointer in the other text?
static bool becamePointer(const Tree &Name, const Frame &F) {
  if (!F.Pointers || F.Caller || !Name.Local)
    return false;
  if (!F.Renumbered)
    return F.Pointers->count(Name.Local);
  auto Other = F.Renumbered->find(Name.Local);
  return Other != F.Renumbered->end() && F.Pointers->count(Other->second);
}

/// Does a number come from a pointer?
static bool isAddress(const Tree &T, const Frame &F) {
  if (T.Type.find('*') != std::string::npos)
    return true;
  const Tree *Name = isLoad(T) ? &T.kid(0) : &T;
  const Frame *Where = nullptr;
  if (const Tree *Means = meaning(*Name, F, Where))
    return isAddress(*Means, *Where);
  if (Name->is("DeclRefExpr") && Name->Local) {
    if (becamePointer(*Name, F))
      return true;
    const Tree *Value = F.valueOf(Name->Local);
    return Value && isAddress(*Value, F);
  }
  if (const FunctionDecl *Callee = calleeOf(T))
    return llvm::any_of(argumentsOf(T),
                        [&](const Tree *A) { return isAddress(*A, F); }) ||
           !Callee;
  bool Through =
      T.is("BinaryOperator") || dyn_cast_or_null<CastExpr>(exprOf(T));
  return Through && llvm::any_of(T.Kids, [&](const auto &Kid) {
           return isAddress(*Kid, F);
         });
}

/// `static inline` functions of the author's around `__cvta_generic_to_shared`.
static Sum calledAddress(const Tree &Call, const Frame &F) {
  const FunctionDecl *Callee = calleeOf(Call);
  std::vector<const Tree *> Arguments = argumentsOf(Call);
  const FunctionDecl *Body = nullptr;
  if (Callee && isToolkits(Callee)) {
    if (Callee->getIdentifier() && Arguments.size() == 1 &&
        Callee->getName() == "__cvta_generic_to_shared")
      return addressIn(*Arguments[0], F);
  } else if (Callee && !isa<CXXMethodDecl>(Callee) && Callee->hasBody(Body) &&
             Body->getNumParams() == Arguments.size()) {
    auto Inside = treeOf(Body, const_cast<ASTContext &>(F.Context));
    const Tree &Block = *Inside->Kids.back();
    if (Block.Kids.size() == 1 && Block.kid(0).is("ReturnStmt") &&
        Block.kid(0).Kids.size() == 1) {
      std::map<unsigned, const Tree *> Given;
      for (size_t I = 0; I != Arguments.size(); ++I)
        Given[Inside->kid(I).Local] = Arguments[I];
      Frame Callees(*Inside, F, std::move(Given));
      if (isAddress(Block.kid(0).kid(0), Callees))
        return addressIn(Block.kid(0).kid(0), Callees);
    }
  }
  return {{spelled(Call, F), 1}};
}

Sum addressIn(const Tree &Pointer, const Frame &F) {
  const Tree &T = Pointer;
  const auto *Cast = dyn_cast_or_null<CastExpr>(exprOf(T));
  if (Cast && Cast->getCastKind() == CK_ArrayToPointerDecay)
    return addressOf(T.kid(0), F);
  const Frame *Where = nullptr;
  if (const Tree *Means = meaning(isLoad(T) ? T.kid(0) : T, F, Where))
    return addressIn(*Means, *Where);
  if (isLoad(T) && T.kid(0).is("DeclRefExpr")) {
    const Tree &Name = T.kid(0);
    if (becamePointer(Name, F))
      return {{"pointer " + Name.Name, 1}};
    // A number that stayed one, or is gone: what it was made of.
    bool Number = T.Type.find('*') == std::string::npos;
    const Tree *Value = Number ? F.valueOf(Name.Local) : nullptr;
    if (Value)
      return addressIn(*Value, F);
    return {{spelled(T.kid(0), F), 1}};
  }
  if (Cast && T.Kids.size() == 1)
    switch (Cast->getCastKind()) {
    case CK_NoOp:
    case CK_BitCast:
    case CK_AddressSpaceConversion:
    case CK_PointerToIntegral:
    case CK_IntegralToPointer:
      return addressIn(T.kid(0), F);
    case CK_IntegralCast:
      if (isAddress(T.kid(0), F))
        return addressIn(T.kid(0), F);
      break;
    default:
      break;
    }
  if (T.is("UnaryOperator") && T.Label == "&")
    return addressOf(T.kid(0), F);
  if (T.is("CallExpr"))
    return calledAddress(T, F);
  if (T.is("BinaryOperator") && (T.Label == "+" || T.Label == "-")) {
    bool First = isAddress(T.kid(0), F);
    if (!First && T.Label == "-")
      return {{spelled(T, F), 1}};
    const Tree &Base = T.kid(First ? 0 : 1), &More = T.kid(First ? 1 : 0);
    const Expr *E = exprOf(T);
    int64_t Step = E->getType()->isPointerType()
                       ? sizeOf(E->getType()->getPointeeType(), F.Context)
                       : 1;
    Sum All = addressIn(Base, F);
    add(All, numberOf(More, F, Step), T.Label == "+" ? 1 : -1);
    return All;
  }
  return {{spelled(T, F), 1}};
}

Sum addressOf(const Tree &Place, const Frame &F) {
  const Tree &T = Place;
  const Frame *Where = nullptr;
  if (const Tree *Means = meaning(T, F, Where))
    return addressOf(*Means, *Where);
  const auto *Cast = dyn_cast_or_null<CastExpr>(exprOf(T));
  if (Cast && Cast->getCastKind() == CK_NoOp)
    return addressOf(T.kid(0), F);
  if (T.is("UnaryOperator") && T.Label == "*")
    return addressIn(T.kid(0), F);
  if (T.is("ArraySubscriptExpr") && T.Kids.size() == 2) {
    bool First = isAddress(T.kid(0), F);
    Sum All = addressIn(T.kid(First ? 0 : 1), F);
    add(All, numberOf(T.kid(First ? 1 : 0), F,
                      sizeOf(exprOf(T)->getType(), F.Context)));
    return All;
  }
  return {{"&" + spelled(T, F), 1}};
}

unsigned effectsIn(const Tree &T) {
  unsigned Count = hasOwnEffect(T.Origin);
  if (const FunctionDecl *Callee = calleeOf(T);
      Count && Callee && Callee->getIdentifier() && isToolkits(Callee))
    Count = classifyCall(Callee) != CallKind::Pure &&
            !llvm::StringSwitch<bool>(Callee->getName())
                 .Cases({"__cvta_generic_to_shared", "thread_rank", "size",
                         "num_threads", "this_thread_block", "this_thread",
                         "tiled_partition", "move", "forward"},
                        true)
                 .Default(false);
  for (const auto &Kid : T.Kids)
    Count += effectsIn(*Kid);
  return Count;
}

} // namespace kpipe

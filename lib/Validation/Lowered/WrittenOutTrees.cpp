// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "WrittenOutTrees.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <set>

using namespace clang;

namespace kpipe {

/// Does the capture only name a variable, or copy a number? `[&r = ++count]`
/// does something where the closure is made.
static bool isQuiet(const LambdaCapture &C) {
  if (C.getCaptureKind() == LCK_This)
    return true;
  const auto *V = C.capturesVariable() ? dyn_cast<VarDecl>(C.getCapturedVar())
                                       : nullptr;
  if (!V || V->isInitCapture())
    return false;
  return C.getCaptureKind() == LCK_ByRef ||
         (V->getType()->isScalarType() && !V->getType().isVolatileQualified());
}

namespace {

using Node = std::unique_ptr<Tree>;

Node deep(const Tree &T) {
  Node New = nodeOf(T);
  for (const auto &Kid : T.Kids)
    New->Kids.push_back(deep(*Kid));
  return New;
}

bool anyOf(const Tree &T, llvm::function_ref<bool(const Tree &)> Is) {
  return Is(T) ||
         llvm::any_of(T.Kids, [&](const auto &Kid) { return anyOf(*Kid, Is); });
}

/// The closure that a variable is initialised with; null for any other.
const Tree *lambdaIn(const Tree &Var) {
  const Tree *T = Var.is("Var") && Var.Kids.size() == 1 ? &Var.kid(0) : nullptr;
  while (T && !T->is("LambdaExpr"))
    T = T->Kids.size() == 1 ? &T->kid(0) : nullptr;
  return T;
}

/// A variable by its name, or members of one; null for any other place.
const Tree *placeIn(const Tree &T) {
  const Tree *Place = &T;
  while (Place->is("ImplicitCastExpr") && Place->Label == "NoOp")
    Place = &Place->kid(0);
  const Tree *Root = Place;
  while (Root->is("MemberExpr") && Root->Label == "." && Root->Kids.size() == 1)
    Root = &Root->kid(0);
  return Root->is("DeclRefExpr") ? Place : nullptr;
}

class InPlace {
public:
  InPlace(const Tree &Call, const Tree &Function, const Frame &F,
          const Tree &Block, unsigned &Next)
      : Call(Call), Function(Function), F(F), Block(Block), Next(Next) {}

  Node run() {
    if (!Block.is("CompoundStmt") || (!closure() && !member()))
      return nullptr;
    auto Out = std::make_unique<Tree>();
    Out->Kind = "CompoundStmt";
    if (!parameters(*Out) || !Body->is("CompoundStmt"))
      return nullptr;
    for (const auto &Kid : Body->Kids)
      Out->Kids.push_back(copy(*Kid));
    return Failed ? nullptr : std::move(Out);
  }

private:
  const Tree &Call, &Function;
  const Frame &F;
  const Tree &Block;
  unsigned &Next;
  Node Owned;                   ///< the member function
  const Tree *Body = nullptr;   ///< of what is called
  const Tree *Object = nullptr; ///< what it is called on
  const Tree *Closure = nullptr;
  std::vector<const Tree *> Parameters, Given;
  /// By the callee's numbers: what a reference is, what a variable became.
  std::map<unsigned, const Tree *> References;
  std::map<unsigned, std::pair<unsigned, std::string>> Renamed;
  bool Failed = false;

  bool closure() {
    if (!Call.is("CXXOperatorCallExpr") || Call.Kids.size() < 2)
      return false;
    const Tree *Name = &Call.kid(1);
    while (Name->is("ImplicitCastExpr") && Name->Label == "NoOp")
      Name = &Name->kid(0);
    if (!Name->is("DeclRefExpr") || !Name->Local)
      return false;
    unsigned Named = 0, Called = 0;
    eachNode(Function, [&](const Tree &T) {
      if (T.is("Var") && T.Local == Name->Local)
        Closure = lambdaIn(T);
      Named += T.is("DeclRefExpr") && T.Local == Name->Local;
      Called += T.is("CXXOperatorCallExpr") && T.Kids.size() > 1 &&
                placeIn(T.kid(1)) && placeIn(T.kid(1))->Local == Name->Local;
    });
    // Nothing else is done with it: it is what it was made to be.
    if (!Closure || Named != Called ||
        llvm::StringRef(Closure->Label).contains("mutable") ||
        calleeOf(Call) !=
            cast<LambdaExpr>(Closure->Origin)->getCallOperator() ||
        !capturesAre())
      return false;
    for (const auto &Kid : Closure->Kids)
      if (Kid->is("ParmVar"))
        Parameters.push_back(Kid.get());
    for (size_t I = 2; I < Call.Kids.size(); ++I)
      Given.push_back(&Call.kid(I));
    Body = Closure->Kids.back().get();
    return true;
  }

  /// What is captured by copy has the value that it had.
  bool capturesAre() const {
    for (const LambdaCapture &C :
         cast<LambdaExpr>(Closure->Origin)->captures()) {
      if (!isQuiet(C))
        return false;
      if (C.getCaptureKind() != LCK_ByCopy)
        continue;
      const auto *V = cast<VarDecl>(C.getCapturedVar());
      bool Kept = true;
      eachNode(Function, [&](const Tree &T) {
        if (T.is("DeclRefExpr") && T.Of == V->getCanonicalDecl())
          Kept &= F.isKept(T.Local);
      });
      if (!Kept)
        return false;
    }
    return true;
  }

  bool member() {
    const FunctionDecl *Callee = calleeOf(Call);
    const auto *M = dyn_cast_or_null<CXXMethodDecl>(Callee);
    if (!Call.is("CXXMemberCallExpr") || !M || M->isVirtual() ||
        !M->hasBody() || Call.kid(0).Kids.size() != 1 ||
        Call.kid(0).Label != ".")
      return false;
    Object = placeIn(Call.kid(0).kid(0));
    if (!Object)
      return false;
    Owned = treeOf(M, M->getASTContext());
    for (size_t I = 0; I + 1 < Owned->Kids.size(); ++I)
      Parameters.push_back(&Owned->kid(I));
    Given = argumentsOf(Call);
    Body = Owned->Kids.back().get();
    return true;
  }

  bool parameters(Tree &Out) {
    if (Parameters.size() != Given.size())
      return false;
    for (size_t I = 0; I != Given.size(); ++I) {
      const Tree &P = *Parameters[I];
      const auto *Var = dyn_cast_or_null<VarDecl>(P.Of);
      if (!Var)
        return false;
      if (Var->getType()->isReferenceType()) {
        const Tree *Place = placeIn(*Given[I]);
        if (!Place)
          return false;
        References[P.Local] = Place;
        continue;
      }
      const size_t At = Out.Kids.size();
      if (At >= Block.Kids.size() || !Block.kid(At).is("DeclStmt") ||
          Block.kid(At).Kids.size() != 1)
        return false;
      Renamed[P.Local] = {Next++, Block.kid(At).kid(0).Name};
      auto Made = nodeOf(P);
      Made->Kind = "Var";
      Made->Local = Renamed[P.Local].first;
      Made->Name = Renamed[P.Local].second;
      Made->Kids.push_back(deep(*Given[I]));
      auto Declared = std::make_unique<Tree>();
      Declared->Kind = "DeclStmt";
      Declared->Kids.push_back(std::move(Made));
      Out.Kids.push_back(std::move(Declared));
    }
    return true;
  }

  Node copy(const Tree &T) {
    static const char *const Not[] = {"ReturnStmt", "LambdaExpr",  "GotoStmt",
                                      "LabelStmt",  "CXXThisExpr", "Binding"};
    if (T.is("DeclRefExpr"))
      if (auto It = References.find(T.Local); It != References.end())
        return deep(*It->second);
    if (Object && T.is("MemberExpr") && T.Label == "->" && T.Kids.size() == 1 &&
        T.kid(0).is("CXXThisExpr")) {
      Node New = nodeOf(T);
      New->Label = ".";
      New->Kids.push_back(deep(*Object));
      return New;
    }
    if (llvm::is_contained(Not, T.Kind) && !(Closure && T.is("CXXThisExpr")))
      Failed = true;
    Node New = nodeOf(T);
    if (T.is("Var")) {
      if (!T.Label.empty())
        Failed = true; // static, shared
      Renamed[T.Local] = {Next++, T.Name};
    }
    if (auto It = Renamed.find(T.Local); T.Local && It != Renamed.end()) {
      New->Local = It->second.first;
      New->Name = It->second.second;
    } else if (T.Local && Owned && !T.is("MemberExpr")) {
      Failed = true; // a type of its own, or what is declared behind
    } else if (T.is("DeclRefExpr") && T.Local) {
      captured(*New);
    }
    for (const auto &Kid : T.Kids)
      New->Kids.push_back(copy(*Kid));
    return New;
  }

  /// A copy in a closure is constant: the variable's own type.
  void captured(Tree &Name) const {
    const auto *V = dyn_cast_or_null<VarDecl>(Name.Of);
    if (V && V->getType()->isScalarType())
      eachNode(Function, [&](const Tree &T) {
        if ((T.is("Var") || T.is("ParmVar")) && T.Of == Name.Of)
          Name.Type = T.Type + " lvalue";
      });
  }
};

} // namespace

std::unique_ptr<Tree> bodyInPlace(const Tree &Call, const Tree &Function,
                                  const Frame &F, const Tree &Block,
                                  unsigned &Next) {
  return InPlace(Call, Function, F, Block, Next).run();
}

/// What is stored there has fewer bits than the type says.
static bool isBitField(const Tree &Place) {
  const auto *E = dyn_cast_or_null<Expr>(Place.Origin);
  return !E || E->refersToBitField();
}

std::vector<std::unique_ptr<Tree>> assignmentsOf(const Tree &Chain) {
  std::vector<const Tree *> Links;
  for (const Tree *T = &Chain; T->is("BinaryOperator") && T->Label == "=";) {
    Links.push_back(T);
    const Tree &Value = T->kid(1);
    if (!Value.is("ImplicitCastExpr") || Value.Label != "LValueToRValue")
      break;
    T = &Value.kid(0);
  }
  std::vector<Node> All;
  if (Links.size() < 2)
    return All;
  const Tree &Value = Links.back()->kid(1);
  const bool Constant = !anyOf(Value, [](const Tree &T) {
    return !T.is("IntegerLiteral") && !T.is("FloatingLiteral") &&
           !T.is("ImplicitCastExpr") && !T.is("CStyleCastExpr") &&
           !T.is("CXXFunctionalCastExpr") && !T.is("CXXStaticCastExpr") &&
           !T.is("CXXBoolLiteralExpr") && !T.is("CharacterLiteral") &&
           !(T.is("UnaryOperator") && (T.Label == "-" || T.Label == "+"));
  });
  for (const Tree *Link : Links)
    if (!Constant || Link->Type != Links.back()->Type ||
        llvm::StringRef(Link->Type).contains("volatile") ||
        isBitField(Link->kid(0)) ||
        effectsIn(Link->kid(0)))
      return All;
  for (const Tree *Link : llvm::reverse(Links)) {
    Node One = nodeOf(*Link);
    One->Kids.push_back(deep(Link->kid(0)));
    One->Kids.push_back(deep(Value));
    All.push_back(std::move(One));
  }
  return All;
}

static bool leaves(const Tree &T) {
  if (T.is("ForStmt") || T.is("WhileStmt") || T.is("DoStmt") ||
      T.is("CXXForRangeStmt"))
    return anyOf(T, [](const Tree &In) { return In.is("GotoStmt"); });
  return T.is("BreakStmt") || T.is("ContinueStmt") || T.is("LabelStmt") ||
         T.is("GotoStmt") ||
         llvm::any_of(T.Kids, [](const auto &Kid) { return leaves(*Kid); });
}

const Tree *blockOfOnce(const Tree &Loop) {
  if (!Loop.is("DoStmt") || Loop.Kids.size() != 2)
    return nullptr;
  const Tree *Cond = &Loop.kid(1);
  while (Cond->is("ImplicitCastExpr") && Cond->Kids.size() == 1)
    Cond = &Cond->kid(0);
  const bool Once = (Cond->is("IntegerLiteral") && Cond->Label == "0") ||
                    (Cond->is("CXXBoolLiteralExpr") && Cond->Label == "false");
  return Once && Loop.kid(0).is("CompoundStmt") && !leaves(Loop.kid(0))
             ? &Loop.kid(0)
             : nullptr;
}

std::optional<ListPair> branchAsIf(const Tree &Author, const Tree &Lowered,
                                   const Frame &F, SameTrees Same) {
  const auto *If = dyn_cast_or_null<IfStmt>(Author.Origin);
  bool First = false;
  if (!Author.is("IfStmt") || Author.Label != "constexpr" || !If ||
      If->getInit() || If->getConditionVariable() ||
      If->getCond()->isValueDependent() || !Lowered.is("IfStmt") ||
      !Lowered.Label.empty() ||
      !If->getCond()->EvaluateAsBooleanCondition(First, F.Context) ||
      !Same(withoutCasts(Author.kid(0)), withoutCasts(Lowered.kid(0))))
    return std::nullopt;
  const size_t Branch = First ? 1 : 2;
  ListPair Taken;
  if (Branch < Author.Kids.size())
    Taken.Author = statementsIn(Author.kid(Branch));
  if (Branch < Lowered.Kids.size())
    Taken.Lowered = statementsIn(Lowered.kid(Branch));
  return Taken;
}

bool isQuietClosure(const Tree &Var) {
  const Tree *Closure = lambdaIn(Var);
  const auto *L =
      Closure ? dyn_cast_or_null<LambdaExpr>(Closure->Origin) : nullptr;
  return L && llvm::all_of(L->captures(), isQuiet);
}

} // namespace kpipe

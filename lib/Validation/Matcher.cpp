// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lockstep itself, and the names that the mapping changes, see Matcher.h.
#include "Matcher.h"
#include "Code/KnownFunctions.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

static void flatten(const Tree &S, TreeList &Out) {
  if (S.is("NullStmt"))
    return;
  if (!S.is("DeclStmt")) {
    Out.push_back(&S);
    return;
  }
  for (const std::unique_ptr<Tree> &Kid : S.Kids)
    Out.push_back(Kid.get());
}

TreeList flattened(const Tree &Block) {
  TreeList Out;
  for (const std::unique_ptr<Tree> &Kid : Block.Kids)
    flatten(*Kid, Out);
  return Out;
}

const Tree &withoutConversions(const Tree &T) {
  const Tree *At = &T;
  while (At->is("ImplicitCastExpr"))
    At = At->Kids[0].get();
  return *At;
}

bool callsRuntime(const Tree &T, llvm::StringRef Name) {
  if (!T.is("CallExpr") || T.Kids.empty())
    return false;
  const Tree &Callee = withoutConversions(T.kid(0));
  std::string Key = ("Function kpipe::" + Name).str();
  llvm::StringRef Named = Callee.Name;
  return Named.consume_front(Key) &&
         (Named.starts_with("<") || Named.starts_with(" "));
}

bool Matcher::fail(const Tree &A, Message Why) {
  if (!Difference.Where || Trail.size() >= Difference.Reached)
    Difference = {Trail.size(), &A, std::move(Why), Loop};
  return false;
}

bool Matcher::differ(const Tree &A, const Tree &O) {
  if (A.is("PredefinedExpr"))
    return fail(A, {msg::meaning_label, A.Label, O.Label});
  if (!A.Name.empty() && A.Name == O.Name)
    return fail(A, {msg::meaning_name, A.Name});
  if (!A.Label.empty() && A.Kind == O.Kind && A.Label != O.Label)
    return fail(A, {msg::meaning_label, A.Label, O.Label});
  if (A.Kind == O.Kind && A.Type != O.Type && !A.Type.empty())
    return fail(A, {msg::meaning_type, O.Type, A.Type});
  return fail(A, {msg::meaning_other});
}

bool Matcher::attempt(llvm::function_ref<bool()> Try) {
  OneToOne Names = Bound;
  size_t Length = Trail.size();
  std::optional<Account> Before;
  if (Counted)
    Before = *Counted;
  if (Try())
    return true;
  Bound = std::move(Names);
  Trail.resize(Length);
  if (Counted) {
    // Helpers' trees stay: nodes of them are named elsewhere.
    auto Helpers = std::move(Counted->Helpers);
    *Counted = std::move(*Before);
    Counted->Helpers = std::move(Helpers);
  }
  return false;
}

void Matcher::number(const Tree &A) {
  if (A.Of && A.Local)
    Numbers[A.Of] = A.Local;
  else if (A.Of)
    Keys[A.Of] = A.Name;
  for (const std::unique_ptr<Tree> &Kid : A.Kids)
    number(*Kid);
}

bool Matcher::matchFunction(const Tree &A, const Tree &O) {
  number(A);
  findPaddedTypes();
  return matchKids(A, O);
}

const DeclaredLoop *Matcher::loopOf(const Tree &A) const {
  for (const DeclaredLoop *L : Loops)
    if (A.Origin && L->Tile.Loop == A.Origin)
      return L;
  return nullptr;
}

const DeclaredLoop *Matcher::stagedBy(const Decl *D) const {
  for (const DeclaredLoop *L : Loops)
    for (const StagedBuffer &B : L->Tile.Buffers)
      if (D && B.Var->getCanonicalDecl() == D)
        return L;
  return nullptr;
}

bool Matcher::names(const Tree &O, unsigned Local) const {
  const Tree &Plain = withoutConversions(O);
  return Local && Plain.is("DeclRefExpr") && Plain.Local == Local;
}

std::string Matcher::typeText(QualType T) const {
  PrintingPolicy Policy(Context.getLangOpts());
  Policy.AnonymousTagLocations = false;
  Policy.SuppressDefaultTemplateArgs = false;
  return T.getCanonicalType().getAsString(Policy);
}

/// The type with Pad elements more in the innermost extent.
static QualType padded(QualType T, unsigned Pad, ASTContext &Context) {
  const ConstantArrayType *A = Context.getAsConstantArrayType(T);
  if (!A)
    return T;
  llvm::APInt Size = A->getSize();
  QualType Element = A->getElementType();
  if (Context.getAsConstantArrayType(Element))
    Element = padded(Element, Pad, Context);
  else
    Size += Pad;
  return Context.getConstantArrayType(Element, Size, nullptr,
                                      ArraySizeModifier::Normal, 0);
}

void Matcher::findPaddedTypes() {
  for (const DeclaredLoop *L : Loops)
    for (unsigned I = 0; I != L->Tile.Buffers.size(); ++I) {
      unsigned Pad = I < L->Pads.size() ? L->Pads[I] : 0;
      QualType T = L->Tile.Buffers[I].Var->getType().getNonReferenceType();
      for (; Pad && Context.getAsConstantArrayType(T);
           T = Context.getAsConstantArrayType(T)->getElementType()) {
        QualType P = padded(T, Pad, Context);
        for (auto [From, To] :
             {std::pair(T, P),
              std::pair(Context.getPointerType(T), Context.getPointerType(P))})
          for (const char *Value : {"", " lvalue"})
            PaddedTypes[typeText(From) + Value] = typeText(To) + Value;
      }
    }
}

bool Matcher::sameType(const Tree &A, const Tree &O) const {
  // A comma's type is that of its last copy, which may have become a call.
  if (Loose || A.Type == O.Type ||
      (Half != LoadHalf::None && A.is("BinaryOperator") && A.Label == ","))
    return true;
  auto It = PaddedTypes.find(A.Type);
  return It != PaddedTypes.end() && It->second == O.Type;
}

bool Matcher::matchDecl(const Tree &A, const Tree &O) {
  if (!A.Local || !O.Local)
    return A.Local == O.Local && A.Name == O.Name;
  if (unsigned Known = Bound.ours(A.Local))
    return Known == O.Local;
  if (A.Name != O.Name || Bound.authors(O.Local) ||
      (A.Of && isa<VarDecl, BindingDecl>(A.Of)))
    return false;
  Bound.bind(A.Local, O.Local); // labels, types, members, functions
  return true;
}

/// `xs` is the reference to its stage, or `xs_stages[stage]`, where a ring of
/// stages is known.
std::optional<bool> Matcher::matchStaged(const Tree &A, const Tree &O) {
  if (!A.is("DeclRefExpr"))
    return std::nullopt;
  const DeclaredLoop *L = stagedBy(A.Of);
  if (!L || L->Stages == 1)
    return std::nullopt;
  for (const StagedBuffer &B : L->Tile.Buffers)
    if (B.Block && B.Var->getCanonicalDecl() == A.Of)
      return std::nullopt;
  const Standing &At = Standings[L];
  if (At.Where == Standing::Before)
    return std::nullopt;
  if (!sameType(A, O))
    return fail(A, {msg::meaning_stage, A.Name});
  auto Reference = At.References.find(A.Of);
  bool Same = Reference != At.References.end() && names(O, Reference->second);
  if (!Same && O.is("ArraySubscriptExpr") && names(O.kid(1), At.Stage)) {
    const Tree &Array = withoutConversions(O.kid(0));
    Same = Array.is("DeclRefExpr") && Array.Local && A.Local &&
           Bound.ours(A.Local) == Array.Local;
  }
  if (Same)
    Trail.push_back(&A);
  return Same || fail(A, {msg::meaning_stage, A.Name});
}

/// A view of dynamic shared memory is its stage.
std::optional<bool> Matcher::matchView(const Tree &A, const Tree &O) {
  const Tree *Name = &A;
  if (A.is("ImplicitCastExpr") &&
      (A.Label == "ArrayToPointerDecay" || A.Label == "LValueToRValue"))
    Name = &A.kid(0);
  const bool Capture = Name->is("Capture");
  if (!Name->is("DeclRefExpr") && !Capture)
    return std::nullopt;
  for (const DeclaredLoop *L : Loops) {
    if (L->Stages == 1 || !llvm::any_of(L->Staged, [&](const auto &N) {
          return N.View && N.Var->getCanonicalDecl() == Name->Of;
        }))
      continue;
    const Standing &At = Standings[L];
    if (At.Where == Standing::Before)
      return std::nullopt;
    if (!sameType(A, O))
      return differ(A, O);
    if (At.Where == Standing::Inside) {
      auto Reference = At.References.find(Name->Of);
      bool Same =
          Reference != At.References.end() &&
          (Capture ? O.is("Capture") && O.Label == A.Label && O.Kids.empty() &&
                         O.Local == Reference->second
                   : names(O, Reference->second));
      if (Same)
        Trail.push_back(&A);
      return Same || fail(A, {msg::meaning_stage, Name->Name});
    }
    const Tree *Call = &O;
    if (Call->is("UnaryOperator") && Call->Label == "*")
      Call = &Call->kid(0);
    if (!callsRuntime(*Call, "advance_bytes") || Call->Kids.size() != 3)
      return fail(A, {msg::meaning_stage, Name->Name});
    const Tree *Pointer = &withoutConversions(Call->kid(1));
    if (Pointer->is("UnaryOperator") && Pointer->Label == "&")
      Pointer = &Pointer->kid(0);
    const Tree &Bytes = Call->kid(2);
    bool Same = Pointer->is("DeclRefExpr") && matchDecl(*Name, *Pointer) &&
                Bytes.is("BinaryOperator") && Bytes.Label == "*" &&
                names(Bytes.kid(0), At.Stage) && names(Bytes.kid(1), At.Bytes);
    if (Same)
      Trail.push_back(&A);
    return Same ||
           fail(A, {msg::meaning_stage, Name->Name});
  }
  return std::nullopt;
}

/// The length of a padded row: `BK` is `BK + 8`.
std::optional<bool> Matcher::matchStride(const Tree &A, const Tree &O) {
  const auto *E = dyn_cast_or_null<Expr>(A.Origin);
  if (!E)
    return std::nullopt;
  for (const DeclaredLoop *L : Loops)
    for (auto [Stride, Count] : L->Strides) {
      if (Stride->IgnoreParenImpCasts() != E->IgnoreParenImpCasts())
        continue;
      const Tree &Sum = withoutConversions(O), &Plain = withoutConversions(A);
      if (!Sum.is("BinaryOperator") || Sum.Label != "+" ||
          withoutConversions(Sum.kid(1)).Label != std::to_string(Count))
        return std::nullopt; // the author's own sum, below which it stands
      const Tree &Left = withoutConversions(Sum.kid(0));
      return matchNode(Plain, Left) && matchKids(Plain, Left);
    }
  return std::nullopt;
}

std::string Matcher::nameOfStages(const Tree &A, const DeclaredLoop &L) const {
  for (const DeclaredLoop::StagedVar &N : L.Staged)
    if (A.Of && !N.View && N.Var->getCanonicalDecl() == A.Of)
      return N.Stages;
  return A.Name;
}

/// The declaration of a staged array, which got a stage and maybe longer rows.
bool Matcher::bindStaged(const Tree &A, const Tree &O, const DeclaredLoop &L) {
  const auto *V = cast<VarDecl>(A.Of);
  unsigned Pad = 0;
  bool Block = false;
  for (unsigned I = 0; I != L.Tile.Buffers.size(); ++I)
    if (L.Tile.Buffers[I].Var->getCanonicalDecl() == A.Of) {
      Pad = I < L.Pads.size() ? L.Pads[I] : 0;
      Block = L.Tile.Buffers[I].Block;
    }
  if (!O.Local != !A.Local || O.Name != nameOfStages(A, L))
    return differ(A, O);
  QualType T = V->getType();
  if (!T->isReferenceType() && !Block) {
    T = Pad ? padded(T, Pad, Context) : T;
    if (L.Stages > 1)
      T = Context.getConstantArrayType(T, llvm::APInt(64, L.Stages), nullptr,
                                       ArraySizeModifier::Normal, 0);
  }
  bool Plain = O.Type == typeText(T) && O.Label == A.Label;
  // As a part of dynamic shared memory it is a reference.
  bool Moved = O.Type == typeText(Context.getLValueReferenceType(T)) &&
               O.Kids.size() == 1;
  if (!Plain && !Moved)
    return differ(A, O);
  if (A.Local)
    Bound.bind(A.Local, O.Local);
  if (Plain && !A.Kids.empty() && T->isArrayType() && L.Stages > 1)
    return true; // the elements' constructors, as many more
  return Moved || matchKids(A, O);
}

bool Matcher::matchBlock(const Tree &A, const Tree &O) {
  TreeList As = flattened(A), Os = flattened(O);
  size_t J = 0;
  auto more = [&] { return J != Os.size(); };
  for (const Tree *S : As) {
    const DeclaredLoop *L = S->is("Var") ? stagedBy(S->Of) : nullptr;
    if (L) {
      // The dynamic shared memory that the array became a part of.
      while (more() && Os[J]->is("Var") && Os[J]->Name != S->Name &&
             llvm::StringRef(Os[J]->Label).contains("extern"))
        ++J;
      if (Standings[L].Where == Standing::Inside)
        continue; // it moved out of the loop
      if (!more() || !bindStaged(*S, *Os[J++], *L))
        return fail(*S, {msg::meaning_declaration});
      continue;
    }
    if ((L = loopOf(*S))) {
      Standing &At = Standings[L];
      for (; more() && Os[J]->is("Var") && Os[J]->Local; ++J)
        if (Os[J]->Name == L->StageBytes && !L->StageBytes.empty())
          At.Bytes = Os[J]->Local;
        else if (Os[J]->Name == L->Stage)
          At.Stage = Os[J]->Local;
        else
          break;
    }
    if (!more())
      return fail(*S, {msg::meaning_statement_missing});
    if (!match(*S, *Os[J++]))
      return false;
    if (L) // `auto &xs = xs_stages[stage];` for what stands behind it
      while (more() && Os[J]->is("Var") && bindReference(*L, *Os[J]))
        ++J;
  }
  return !more() || fail(A, {msg::meaning_statement_added});
}

bool Matcher::matchNode(const Tree &A, const Tree &O) {
  bool Same = A.Kind == O.Kind && A.Label == O.Label && sameType(A, O);
  if (Same && (A.is("Var") || A.is("ParmVar") || A.is("Binding") ||
               A.is("Decomposition"))) {
    Same = !A.Local == !O.Local && A.Name == O.Name;
    if (Same && A.Local)
      Bound.bind(A.Local, O.Local);
  } else if (Same) {
    Same = matchDecl(A, O);
  }
  if (!Same)
    return differ(A, O);
  Trail.push_back(&A);
  return true;
}

static bool saysFunction(const Tree &T) {
  const Tree &Plain = withoutConversions(T);
  return Plain.is("PredefinedExpr") ||
         (Plain.is("UnaryOperator") && Plain.Label == "__extension__" &&
          saysFunction(Plain.kid(0)));
}

bool Matcher::matchKids(const Tree &A, const Tree &O, size_t From) {
  if (A.Kids.size() != O.Kids.size())
    return differ(A, O);
  // What an assertion that fails says of its function may be a lambda's name.
  const auto *Call = dyn_cast_or_null<CallExpr>(A.Origin);
  bool Ends = Call && Call->getDirectCallee() &&
              (Call->getDirectCallee()->isNoReturn() ||
               classifyCall(Call->getDirectCallee()) == CallKind::Assertion);
  for (size_t I = From; I != A.Kids.size(); ++I)
    if (Ends && saysFunction(A.kid(I)) && saysFunction(O.kid(I)))
      Trail.push_back(A.Kids[I].get());
    else if (!match(A.kid(I), O.kid(I)))
      return false;
  return true;
}

bool Matcher::match(const Tree &A, const Tree &O) {
  if (Loose && (A.is("ImplicitCastExpr") || O.is("ImplicitCastExpr")))
    return match(withoutConversions(A), withoutConversions(O));
  if (Replaced)
    if (auto Known = Replaced(A, O))
      return *Known;
  if (loopOf(A))
    return matchLoop(A, O);
  if (Half != LoadHalf::None)
    if (auto Known = matchHalf(A, O))
      return *Known;
  for (auto Way : {&Matcher::matchStaged, &Matcher::matchView,
                   &Matcher::matchStride})
    if (auto Known = (this->*Way)(A, O))
      return *Known;
  if (!matchNode(A, O))
    return false;
  return A.is("CompoundStmt") ? matchBlock(A, O) : matchKids(A, O);
}

} // namespace kpipe

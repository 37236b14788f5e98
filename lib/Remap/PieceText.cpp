// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text, see PieceText.h; that it says the same is PieceProof.cpp's.
#include "PieceText.h"
#include "AlignedText.h"
#include "Code/AstUtils.h"
#include "Code/Sugar.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

PieceText::PieceText(const LoopFacts &Facts, TileBoxes &Boxes,
                     const TileBox &Box, const SourceText &Source,
                     const PieceNames &Names)
    : Facts(Facts), Boxes(Boxes), Box(Box), Source(Source), Names(Names),
      Copy(Facts.Tile.Copies[Box.at(0, 0).Copy]),
      Elements(Bytes / Box.ElementBytes) {}

bool PieceText::fail(Message M) {
  if (!Why)
    Why = std::move(M);
  return false;
}

/// E as a sum of row and column, if it is one for all elements that this copy
/// brings.
std::optional<PieceText::Affine> PieceText::affine(const Expr *E) {
  const unsigned Of = Box.at(0, 0).Copy;
  Offsets &At = Boxes.offsets();
  std::vector<std::tuple<int64_t, int64_t, int64_t>> Seen;
  for (size_t I = 0; I != Box.Elements.size(); ++I) {
    const CopiedElement &Element = Box.Elements[I];
    if (Element.Copy != Of)
      continue;
    At.setThread(Element.Thread);
    for (auto [V, Turn] : Element.Turns)
      At.setCounter(V, Turn);
    std::optional<int64_t> N = At.number(E);
    for (auto [V, Turn] : Element.Turns)
      At.dropCounter(V);
    At.setThread(std::nullopt);
    if (!N)
      return std::nullopt;
    Seen.push_back({I / Box.Columns, I % Box.Columns, *N});
  }
  const auto [R0, C0, N0] = Seen.front();
  Affine A;
  for (auto [R, C, N] : Seen)
    if (R == R0 && C != C0) {
      A.Column = (N - N0) / (C - C0);
      break;
    }
  for (auto [R, C, N] : Seen)
    if (R != R0) {
      A.Row = (N - N0 - A.Column * (C - C0)) / (R - R0);
      break;
    }
  A.Rest = N0 - A.Row * R0 - A.Column * C0;
  for (auto [R, C, N] : Seen)
    if (N != A.Row * R + A.Column * C + A.Rest)
      return std::nullopt;
  return A;
}

/// Has A its value in the type that it is written as, and on the way to it, for
/// every row and column? They are numbers of 32 bits.
bool PieceText::fits(const Affine &A, QualType T) const {
  const ASTContext &Context = Facts.In->context();
  const int64_t R = A.Row * int64_t(Box.Rows - 1),
                C = A.Column * int64_t(Box.Columns - 1);
  if (std::abs(R) + std::abs(C) + std::abs(A.Rest) > INT32_MAX)
    return false;
  const int64_t None = 0;
  const int64_t Least = std::min(R, None) + std::min(C, None) + A.Rest,
                Most = std::max(R, None) + std::max(C, None) + A.Rest;
  const bool Signed = T->isSignedIntegerOrEnumerationType();
  const unsigned Width = Context.getIntWidth(T),
                 Bits = std::min(32u, Width) - Signed;
  if (Most >= int64_t(1) << Bits ||
      Least < (Signed ? -(int64_t(1) << Bits) : 0))
    return false;
  // Below 0, what counts without a sign is another number in more bits.
  return Least >= 0 || Type.isNull() ||
         Type->isSignedIntegerOrEnumerationType() ||
         Width <= Context.getIntWidth(Type);
}

std::string PieceText::text(const Affine &A, QualType T, bool Operand) {
  std::string Sum;
  unsigned Terms = 0;
  auto Add = [&](int64_t Factor, llvm::StringRef Name) {
    if (!Factor)
      return;
    const int64_t Size = std::abs(Factor);
    if (Terms++)
      Sum += Factor < 0 ? " - " : " + ";
    else if (Factor < 0)
      Sum += "-";
    if (Name.empty())
      Sum += std::to_string(Size);
    else
      Sum += (Size == 1 ? "" : std::to_string(Size) + " * ") + Name.str();
  };
  Add(A.Row, Names.Row);
  Add(A.Column, Names.Column);
  Add(A.Rest, "");
  if (!Terms)
    return "0";
  T = T.getCanonicalType().getUnqualifiedType();
  if (Type.isNull()) // small numbers are computed as `int` anyway
    Type = Facts.In->context().getIntWidth(T) < 32
               ? QualType(Facts.In->context().IntTy)
               : T;
  const bool Converts = T != Type;
  const bool Plain = A.isName() || (!A.Row && !A.Column && A.Rest > 0);
  if ((Operand || Converts) && !Plain)
    Sum = "(" + Sum + ")";
  return Converts ? "(" + T.getAsString() + ")" + Sum : Sum;
}

bool PieceText::replace(const Expr *E, std::string By, std::set<Edit> &Edits) {
  std::optional<Range> R = Source.expression(E);
  if (!R)
    return fail({msg::remap_in_macro});
  Edits.insert({R->Begin, R->size(), std::move(By)});
  return true;
}

/// Is V declared in the loop's body?
bool PieceText::isOfLoop(const VarDecl *V) const {
  const SourceManager &SM = Facts.In->context().getSourceManager();
  const Stmt *Body = Facts.Tile.Body.front().S;
  return V->hasLocalStorage() && !isa<ParmVarDecl>(V) &&
         !SM.isBeforeInTranslationUnit(V->getLocation(), Body->getBeginLoc());
}

/// Does E name a variable that is declared in the loop's body?
bool PieceText::namesOfLoop(const Expr *E) const {
  return namesAny(E, [&](const VarDecl *V) { return isOfLoop(V); });
}

bool PieceText::number(const Expr *E, const Affine &A, bool Operand,
                       std::set<Edit> &Edits) {
  if (!fits(A, E->getType()))
    return fail({msg::remap_not_affine});
  Numbers[E] = A;
  return replace(E, text(A, E->getType(), Operand), Edits);
}

/// `r * D` is better as `piece_row * D` than as `16 * piece_row`.
bool PieceText::keepsOperator(const Expr *E, const Affine &A) {
  const auto *B = dyn_cast<BinaryOperator>(E);
  if (!B || A.isName() || !(B->isAdditiveOp() || B->getOpcode() == BO_Mul))
    return false;
  return llvm::all_of(B->children(), [&](const Stmt *Kid) {
    const Expr *Operand = withoutSugar(cast<Expr>(Kid));
    return !Boxes.offsets().differs(Operand) || affine(Operand);
  });
}

bool PieceText::collect(const Expr *E, std::set<Edit> &Edits, bool Operand) {
  E = withoutSugar(E);
  const bool Differs = Boxes.offsets().differs(E);
  if (!Differs && !namesOfLoop(E))
    return true;
  // What is converted anyway is written in its own type.
  if (const auto *C = dyn_cast<ImplicitCastExpr>(E);
      C && Differs && C->getCastKind() == CK_IntegralCast)
    if (const Expr *Own = withoutSugar(C->getSubExpr()); affine(Own))
      return collect(Own, Edits, Operand);
  if (Differs && E->getType()->isIntegerType() &&
      !E->getType()->isBooleanType())
    if (std::optional<Affine> A = affine(E))
      return keepsOperator(E, *A) ? collectKids(E, Edits)
                                  : number(E, *A, Operand, Edits);
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    const Expr *Init = V ? Boxes.offsets().initialValue(V) : nullptr;
    if (V && V->getType()->isArrayType())
      return true;
    return Init ? inlined(E, V, Init, Edits) : fail({msg::remap_not_affine});
  }
  return collectKids(E, Edits);
}

/// What a variable was given in place of its name, as a value of its type.
bool PieceText::inlined(const Expr *E, const VarDecl *V, const Expr *Init,
                        std::set<Edit> &Edits) {
  std::optional<std::string> Text = write(Init);
  if (!Text || namesShadowed(Init))
    return fail({msg::remap_not_affine});
  const ASTContext &Context = Facts.In->context();
  const QualType From = withoutSugar(Init)->IgnoreImpCasts()->getType(),
                 To = V->getType().getCanonicalType().getUnqualifiedType();
  if (To->isPointerType() && From->isPointerType()) {
    if (!Context.hasSameUnqualifiedType(To->getPointeeType(),
                                        From->getPointeeType()))
      return fail({msg::remap_not_affine});
  } else if (To->isPointerType() || !To->isBuiltinType()) {
    return fail({msg::remap_not_affine});
  } else if (!Context.hasSameUnqualifiedType(From, To)) {
    return replace(E, "((" + To.getAsString() + ")(" + *Text + "))",
                   Edits);
  }
  return replace(E, "(" + *Text + ")", Edits);
}

/// Does E name a variable of which the function has another one?
bool PieceText::namesShadowed(const Expr *E) const {
  return namesAny(E, [&](const VarDecl *V) {
    return !isOfLoop(V) && isDeclaredTwice(Facts, V);
  });
}

bool PieceText::collectKids(const Expr *E, std::set<Edit> &Edits) {
  const auto *U = dyn_cast<UnaryOperator>(E);
  if (!isa<CastExpr, ArraySubscriptExpr, UnaryOperator, BinaryOperator>(E) ||
      (U && U->isIncrementDecrementOp()))
    return fail({msg::remap_not_affine});
  const auto *Index = dyn_cast<ArraySubscriptExpr>(E);
  for (const Stmt *Kid : E->children())
    if (!collect(cast<Expr>(Kid), Edits, !Index || Kid != Index->getIdx()))
      return false;
  return true;
}

std::optional<std::string> PieceText::write(const Expr *E) {
  std::set<Edit> Edits;
  std::optional<Range> R = Source.expression(E);
  if (!R || !collect(E, Edits, false)) {
    fail({msg::remap_in_macro});
    return std::nullopt;
  }
  unsigned End = R->Begin;
  for (const Edit &One : Edits) {
    if (One.Offset < End || One.Offset + One.Length > R->End) {
      fail({msg::remap_in_macro});
      return std::nullopt;
    }
    End = One.Offset + One.Length;
  }
  return Source.edited(*R, std::vector<Edit>(Edits.begin(), Edits.end()));
}

/// All conditions of the copy, joined.
std::string PieceText::guard() {
  llvm::SmallVector<const Expr *, 2> All(Box.Around);
  if (Copy.Guard)
    All.push_back(Copy.Guard);
  std::string Text;
  for (const Expr *E : All) {
    std::optional<std::string> One = write(E);
    if (!One)
      return "";
    const bool Loose = All.size() > 1 || Copy.Kind != Fill::None;
    const auto *B = dyn_cast<BinaryOperator>(withoutSugar(E));
    const bool Tight =
        isa<ParenExpr>(E) || (B && (B->isComparisonOp() ||
                                    B->getOpcode() == BO_LAnd));
    Text += (Text.empty() ? "" : " && ") +
            (Loose && !Tight ? "(" + *One + ")" : *One);
  }
  return Text;
}

/// The type of CUDA's that a piece is copied as.
static std::string vectorFor(QualType T, const ASTContext &Context) {
  const std::string Name =
      T.getCanonicalType().getUnqualifiedType().getAsString();
  return Name == "float" || Name == "float2" || Name == "struct float2"
             ? "float4"
         : Name == "double" ? "double2"
                            : "int4";
}

std::string PieceText::statement() {
  std::optional<std::string> To = write(Copy.Dst), From = write(Copy.Source);
  if (!To || !From)
    return "";
  const std::string Vector =
      vectorFor(Copy.Dst->getType(), Facts.In->context());
  const std::string Condition = guard();
  if (Why)
    return "";
  // `*p` is of the address p.
  auto AddressOf = [](const std::string &Of) { return "&" + Of; };
  const std::string Load =
      "*(const " + Vector + " *)" + AddressOf(*From);
  std::string Text = "*(" + Vector + " *)" + AddressOf(*To) + " = ";
  if (Condition.empty())
    return Text + Load + ";";
  if (Copy.Kind == Fill::None)
    return "if (" + Condition + ") " + Text + Load + ";";
  // A guard around a copy that fills itself is one of both.
  if (!Box.Around.empty()) {
    fail({msg::box_guard});
    return "";
  }
  return Text + Condition + " ? " + Load + " : " + Vector + "{};";
}

std::string PieceText::declaration() const {
  std::string T =
      Type.isNull() ? "int" : Type.getUnqualifiedType().getAsString();
  if (T == "unsigned int")
    T = "unsigned";
  const std::string Step =
      perRow() == 1 ? "0"
      : Box.Rows == 1
          ? Names.Piece + " * " + std::to_string(Elements)
          : Names.Piece + " % " + std::to_string(perRow()) + " * " +
                std::to_string(Elements);
  std::string Row = Box.Rows == 1    ? "0"
                    : perRow() == 1  ? Names.Piece
                                     : Names.Piece + " / " +
                                          std::to_string(perRow());
  return "const " + T + " " + Names.Row + " = " + Row + ", " + Names.Column +
         " = " + Step + ";";
}

} // namespace kpipe

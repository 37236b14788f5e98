// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In elements of the array where one is copied, else in the widest words that
// the call's promises allow, as the library does; see PlainCopy.h.
#include "PlainCopy.h"
#include "Code/AstUtils.h"
#include "Code/AsyncCalls.h"
#include "Code/ComputesOnly.h"
#include "Code/GroupQueries.h"
#include "Code/KnownFunctions.h"
#include "Code/Multiples.h"
#include "SameMeaning.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace clang;

namespace kpipe {

namespace {

/// A type of CUDA's with so many bytes and that alignment.
const char *wordOf(unsigned Bytes) {
  switch (Bytes) {
  case 16:
    return "int4";
  case 8:
    return "int2";
  case 4:
    return "int";
  case 2:
    return "short";
  default:
    return "char";
  }
}

class Copy {
public:
  Copy(const AsyncOp &Op, const SourceText &Source, PointerText To,
       PointerText From, const CopyPlace &Place)
      : Op(Op), Source(Source), Context(Source.context()), To(std::move(To)),
        From(std::move(From)), Place(Place) {}

  std::optional<std::string> text() {
    // Where nothing is copied, the addresses are computed all the same.
    if (!condition() ||
        ((!Guard.empty() || !KeepsIf.empty() || Part) && mayNotRepeat()))
      return std::nullopt;
    std::optional<std::string> Body = Op.Group   ? byGroup()
                                      : Op.Bytes ? byThread()
                                                 : std::nullopt;
    if (Body && !Guard.empty())
      Body = "if (" + Guard + ") " + *Body;
    return Body;
  }

private:
  const AsyncOp &Op;
  const SourceText &Source;
  const ASTContext &Context;
  PointerText To, From;
  const CopyPlace &Place;
  std::string Guard;   ///< asked before the copy
  std::string KeepsIf; ///< else zeros
  /// How many bytes are copied, or are zeros, where it may be some.
  const Expr *Part = nullptr;

  std::optional<std::string> textOf(const Expr *E) const {
    if (!Source.expression(E))
      return std::nullopt;
    return Source.text(E);
  }

  /// What decides whether bytes are copied at all, or are zeros.
  bool condition() {
    if (Op.Predicate) {
      auto Text = textOf(Op.Predicate);
      if (!Text)
        return false;
      Guard = *Text;
    }
    AsyncOp Read = Op;
    if (Op.Kept)
      readKept(Read, Op.Kept, /*OfZeros=*/false, Context);
    else if (Op.Zeros)
      readKept(Read, Op.Zeros, /*OfZeros=*/true, Context);
    if (!Read.KeptIf) {
      Part = Op.Kept ? Op.Kept : Op.Zeros;
      return !Part || (!Op.OnlyTruth && Op.Bytes && !Op.Group && textOf(Part) &&
                       namesOnly(Part));
    }
    auto Text = textOf(Read.KeptIf);
    if (!Text || !meansSame(Read.KeptIf, Op, Place.Ops))
      return false;
    const Expr *If = Read.KeptIf->IgnoreImpCasts();
    const auto *B = dyn_cast<BinaryOperator>(If);
    bool Simple = isa<DeclRefExpr, ParenExpr, CallExpr>(If);
    // `?:` binds looser than comparisons, `!` tighter.
    bool Compares = B && !B->isAssignmentOp() && !B->isCommaOp();
    KeepsIf =
        Simple || (Compares && !Read.KeptUnless) ? *Text : "(" + *Text + ")";
    if (Read.KeptUnless)
      KeepsIf = "!" + KeepsIf;
    return true;
  }

  /// Does a number stay the same while the tile is written? It asks no memory.
  static bool namesOnly(const Expr *E) {
    const auto *D = dyn_cast<DeclRefExpr>(E);
    const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
    if ((V && (!V->hasLocalStorage() || V->getType()->isReferenceType())) ||
        isa<ArraySubscriptExpr, MemberExpr, CXXThisExpr>(E))
      return false;
    if (const auto *P = dyn_cast<PseudoObjectExpr>(E);
        P && isSpecialRegister(P))
      return true;
    if (const auto *U = dyn_cast<UnaryOperator>(E);
        U && (U->getOpcode() == UO_Deref || U->getOpcode() == UO_AddrOf))
      return false;
    // Not a clock's.
    if (const auto *C = dyn_cast<CallExpr>(E)) {
      const FunctionDecl *F = C->getDirectCallee();
      return F && F->getIdentifier() && isToolkits(F) &&
             (F->getName() == "min" || F->getName() == "max") &&
             llvm::all_of(C->arguments(), namesOnly);
    }
    return computesOnly(E) && llvm::all_of(E->children(), [](const Stmt *Kid) {
             const auto *One = dyn_cast_or_null<Expr>(Kid);
             return One && namesOnly(One);
           });
  }

  /// `word * 4 < bytes`: the piece is copied, not zeros. The widest pieces of
  /// which there is a whole number.
  std::optional<std::string> byParts() const {
    unsigned Word = std::min(*Op.Bytes / 2, alignment());
    Values Known(Context);
    while (Word && !(*Op.Bytes % Word == 0 &&
                     Multiples(Context, Known, Word).has(Part)))
      Word /= 2;
    const char *Type = wordOf(Word);
    if (Word < 2 || !isCudas(Type, Place.Body))
      return std::nullopt;
    const std::string I = Place.File.counter().str(),
                      At = I + " * " + std::to_string(Word),
                      Given = "(" + *textOf(Part) + ")",
                      All = std::to_string(*Op.Bytes);
    std::string Asks =
        Op.Kept ? At + " < " + Given : At + " + " + Given + " < " + All;
    return "for (int " + I + " = 0; " + I + " < " +
           std::to_string(*Op.Bytes / Word) + "; ++" + I + ") " +
           as(Type, To.Text, false) + "[" + I + "] = " + Asks + " ? " +
           as(Type, From.Text, true) + "[" + I + "] : " + Type + "{};";
  }

  /// Is `=` a copy, whatever the right side is?
  static bool assignsBytes(QualType T) {
    const auto *R = T->getAsCXXRecordDecl();
    if (!R)
      return true;
    DeclarationName Assign =
        R->getASTContext().DeclarationNames.getCXXOperatorName(OO_Equal);
    return R->hasSimpleCopyAssignment() &&
           llvm::all_of(R->lookup(Assign), [](const NamedDecl *D) {
             const auto *M = dyn_cast<CXXMethodDecl>(D);
             return M && M->isTrivial();
           });
  }

  /// Bytes of an element where both sides have the same, else 0.
  unsigned element() const {
    if (To.Pointee.isNull() || From.Pointee.isNull() || !hasSize(To.Pointee) ||
        !Context.hasSameUnqualifiedType(To.Pointee, From.Pointee) ||
        !To.Pointee.isTriviallyCopyableType(Context) ||
        !assignsBytes(To.Pointee))
      return 0;
    return Context.getTypeSizeInChars(To.Pointee).getQuantity();
  }

  /// What the addresses are multiples of.
  unsigned alignment() const {
    unsigned Promised = Op.Alignment;
    if (!To.Pointee.isNull() && !From.Pointee.isNull() && hasSize(To.Pointee) &&
        hasSize(From.Pointee))
      Promised = std::max<unsigned>(
          Promised,
          std::min(Context.getTypeAlignInChars(To.Pointee).getQuantity(),
                   Context.getTypeAlignInChars(From.Pointee).getQuantity()));
    return std::min(Promised, 16u);
  }

  std::string assign(std::string Left, std::string Right,
                     llvm::StringRef Word) const {
    if (!KeepsIf.empty())
      Right = KeepsIf + " ? " + Right + " : " + Word.str() + "{}";
    return Left + " = " + Right + ";";
  }

  /// A copy in several pieces names its addresses for each.
  bool mayNotRepeat() const {
    return !computesOnly(Op.To) || !computesOnly(Op.From);
  }

  static std::string indexed(llvm::StringRef Pointer) {
    bool Name = llvm::all_of(
        Pointer, [](char C) { return llvm::isAlnum(C) || C == '_'; });
    return Name ? Pointer.str() : ("(" + Pointer + ")").str();
  }

  /// `tile` of `&tile[0]`.
  static llvm::StringRef array(llvm::StringRef Pointer) {
    llvm::StringRef Name = Pointer;
    return Name.consume_front("&") && Name.consume_back("[0]") &&
                   llvm::all_of(
                       Name,
                       [](char C) { return llvm::isAlnum(C) || C == '_'; })
               ? Name
               : Pointer;
  }

  static std::string pointed(llvm::StringRef Pointer) {
    return "*" + indexed(Pointer);
  }

  static std::string as(llvm::StringRef Word, llvm::StringRef Pointer,
                        bool Const) {
    return (llvm::Twine("reinterpret_cast<") + (Const ? "const " : "") + Word +
            " *>(" + Pointer + ")")
        .str();
  }

  std::optional<std::string> byThread() const {
    if (!*Op.Bytes)
      return std::nullopt;
    if (Part)
      return byParts();
    if (element() == *Op.Bytes && KeepsIf.empty())
      return assign(place(To.Text, Op.To), place(From.Text, Op.From), "");
    unsigned Word = alignment();
    while (Word > 1 && *Op.Bytes % Word)
      Word /= 2;
    const char *Type = wordOf(Word);
    if (!isCudas(Type, Place.Body))
      return std::nullopt;
    std::string Left = as(Type, To.Text, false),
                Right = as(Type, From.Text, true);
    if (Word == *Op.Bytes)
      return assign("*" + Left, "*" + Right, Type);
    if (mayNotRepeat())
      return std::nullopt;
    const std::string I = Place.File.counter().str(), At = "[" + I + "]";
    return "for (int " + I + " = 0; " + I + " < " +
           std::to_string(*Op.Bytes / Word) + "; ++" + I + ") " +
           assign(Left + At, Right + At, Type);
  }

  static const Expr *written(const Expr *E) { return E->IgnoreParenCasts(); }

  /// `As[r][c]` of `&As[r][c]`, where the whole text is that.
  static std::string place(llvm::StringRef Pointer, const Expr *E) {
    llvm::StringRef Rest = Pointer;
    if (!Rest.consume_front("&") || isa<CXXOperatorCallExpr>(written(E)))
      return pointed(Pointer);
    int Depth = 0;
    for (char C : Rest) {
      Depth += C == '[' || C == '(';
      Depth -= C == ']' || C == ')';
      if (!Depth && !llvm::isAlnum(C) && !llvm::StringRef("_.]).").contains(C))
        return pointed(Pointer);
    }
    return Rest.str();
  }

  /// The threads of a group take the words in turn.
  std::optional<std::string> byGroup() const {
    auto Group = textOf(Op.Group);
    if (!Group || !KeepsIf.empty() || !Guard.empty() || mayNotRepeat() ||
        !namesGroup(Op.Group) ||
        (!Op.Bytes && (!computesOnly(Op.BytesGiven) ||
                       !meansSame(Op.BytesGiven, Op, Place.Ops))))
      return std::nullopt;
    unsigned Word = alignment();
    std::optional<std::string> Count = words(Word);
    if (!Count)
      return std::nullopt;
    const char *Type = wordOf(Word);
    if (element() != Word && !isCudas(Type, Place.Body))
      return std::nullopt;
    std::string I = Place.File.counter().str();
    std::string Left = as(Type, To.Text, false),
                Right = as(Type, From.Text, true);
    if (element() == Word) {
      Left = indexed(array(To.Text));
      Right = indexed(array(From.Text));
    }
    // Where it is a number that may be negative, turns are left out by that.
    const char *Counter = countsByInt() ? "int " : "unsigned ";
    return "for (" + std::string(Counter) + I + " = " + *Group +
           ".thread_rank(); " + I + " < " + *Count + "; " + I +
           " += " + *Group + ".size()) " + Left + "[" + I + "] = " + Right +
           "[" + I + "];";
  }

  bool countsByInt() const {
    const Expr *E = Op.Bytes ? nullptr : Op.BytesGiven->IgnoreParenImpCasts();
    if (const auto *Times = dyn_cast_or_null<BinaryOperator>(E);
        Times && Op.Unit == 1) {
      const bool Left = constantValue(Times->getLHS(), Context).has_value();
      E = (Left ? Times->getRHS() : Times->getLHS())->IgnoreParenImpCasts();
    }
    return E && E->getType()->isSpecificBuiltinType(BuiltinType::Int);
  }

  /// How many words the bytes are; none if it may be no whole number.
  std::optional<std::string> words(unsigned Word) const {
    if (Op.Bytes)
      return *Op.Bytes % Word ? std::nullopt
                              : std::optional(std::to_string(*Op.Bytes / Word));
    // Elements, not bytes.
    if (auto Text = textOf(Op.BytesGiven); Text && Op.Unit != 1) {
      if (Op.Unit % Word)
        return std::nullopt;
      if (!isa<DeclRefExpr>(Op.BytesGiven->IgnoreParenImpCasts()))
        Text = "(" + *Text + ")";
      return Op.Unit == Word ? *Text
                             : *Text + " * " + std::to_string(Op.Unit / Word);
    }
    // `n * sizeof(float)`
    const auto *Times =
        dyn_cast<BinaryOperator>(Op.BytesGiven->IgnoreParenImpCasts());
    if (!Times || Times->getOpcode() != BO_Mul)
      return std::nullopt;
    for (auto [One, Other] : {std::pair(Times->getLHS(), Times->getRHS()),
                              std::pair(Times->getRHS(), Times->getLHS())}) {
      auto Size = constantValue(One, Context);
      auto Text = textOf(Other);
      if (!Size || *Size <= 0 || *Size % Word || !Text)
        continue;
      return *Size == Word ? *Text
                           : *Text + " * " + std::to_string(*Size / Word);
    }
    return std::nullopt;
  }
};

} // namespace

std::optional<std::string> plainCopy(const AsyncOp &Op,
                                     const SourceText &Source,
                                     SharedNumbers &Numbers,
                                     const CopyPlace &Place) {
  std::optional<PointerText> To = Numbers.pointer(Op.To),
                             From = Numbers.pointer(Op.From);
  if (!To || !From || !Op.From->getType()->isPointerType())
    return std::nullopt;
  return Copy(Op, Source, std::move(*To), std::move(*From), Place).text();
}

} // namespace kpipe

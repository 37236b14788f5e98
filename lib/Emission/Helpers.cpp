// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clones of helpers, see Helpers.h.

#include "Helpers.h"
#include "ArgumentLists.h"
#include "HelperNames.h"
#include "HelperPlace.h"
#include "OneLine.h"
#include "UnusedParameters.h"
#include "kpipe/Refusal.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// The body of a clone, which may stand in another file than the loop.
llvm::Expected<std::string>
helperBody(const FunctionDecl *F, const HelperUse &U, Half Which,
           const TileLoop &Loop, const PipelinePlan &Plan, SourceTexts &Texts,
           const Staging &Registers, llvm::ArrayRef<HelperUse> Uses,
           Regions &Writer, RuntimeCalls &Calls) {
  if (!Texts.isElsewhere(F))
    return Writer.helperBody(F, U.Call, Which);
  Regions There(Loop, Plan, Texts.of(F), Registers, {}, Writer.unit(), Uses,
                Calls);
  return There.helperBody(F, U.Call, Which);
}

bool hasRoute(const TileLoop &Loop, const PipelinePlan &Plan,
              const CallExpr *Call, Route R) {
  for (unsigned I = 0; I != Loop.Copies.size(); ++I)
    if (Loop.Copies[I].HelperCall == Call && Plan.Copies[I].Way == R)
      return true;
  return false;
}

std::string templateHead(const FunctionDecl *F, const SourceText &Source) {
  const FunctionTemplateDecl *T = written(F)->getDescribedFunctionTemplate();
  if (!T)
    return {};
  auto Begin = Source.offset(T->getTemplateParameters()->getTemplateLoc());
  auto End = Source.offset(T->getTemplateParameters()->getRAngleLoc());
  return Begin && End ? Source.at({*Begin, *End + 1}).str() : std::string();
}

/// `<BM, BN>` made of the names of the template's own parameters.
std::string ownArguments(const FunctionDecl *F) {
  const FunctionTemplateDecl *T = written(F)->getDescribedFunctionTemplate();
  if (!T)
    return {};
  std::string Args;
  for (const NamedDecl *P : *T->getTemplateParameters())
    Args += (Args.empty() ? "" : ", ") + P->getNameAsString();
  return "<" + Args + ">";
}

/// Names are better than numbers: where several calls hold a tile each is
/// called after the array that it fills.
std::string tileName(const TileCopy &C, const TileLoop &Loop,
                     const PipelinePlan &Plan, Names &Fresh) {
  const bool Several = llvm::any_of(Loop.Copies, [&](const TileCopy &Other) {
    return Other.HelperCall && Other.HelperCall != C.HelperCall &&
           hasRoute(Loop, Plan, Other.HelperCall, Route::Registers);
  });
  const std::string Wish =
      Several ? Loop.Buffers[C.Buffer].Var->getNameAsString() + "_tile"
              : "tile";
  std::string Name = Fresh.fresh(Wish);
  return Name == Wish ? Name : Fresh.fresh("held_" + Wish);
}

} // namespace

llvm::Expected<HelperUses> planHelpers(const TileLoop &Loop,
                                       const PipelinePlan &Plan,
                                       SourceTexts &Texts,
                                       const Staging &Registers, Names &Fresh,
                                       bool Apart) {
  HelperUses Out;
  const SourceText &Source = Texts.own();
  llvm::StringMap<std::string> Chosen;
  auto Name = [&](const FunctionDecl *F, llvm::StringRef Suffix) {
    std::string Wish = nameForClones(F) + Suffix.str();
    auto [It, New] = Chosen.try_emplace(
        Wish + (Apart ? " " + std::to_string(Out.Uses.size()) : ""));
    // The name is one of the file's from then on, and must not join others of
    // it: an overload, or what a header declares.
    ASTContext &Context = F->getASTContext();
    do
      It->second = New ? Fresh.fresh(Wish) : It->second;
    while (New && !F->getDeclContext()
                       ->getRedeclContext()
                       ->lookup(&Context.Idents.get(It->second))
                       .empty());
    return It->second;
  };
  for (const TileCopy &C : Loop.Copies) {
    if (!C.Helper || llvm::any_of(Out.Uses, [&](const HelperUse &U) {
          return U.Call == C.HelperCall;
        }))
      continue;
    const FunctionDecl *W = written(C.Helper);
    const std::string Called = C.Helper->getNameAsString();
    if (W->getLocation().isMacroID())
      return cannotMove(msg::helper_in_macro, Called);
    // The members of a class know each other in any order.
    if (!Texts.isElsewhere(W) && !isMemberBeside(W, Loop.Function) &&
        Source.expansionOffset(W->getEndLoc()) >
            Source.expansionOffset(Loop.Function->getBeginLoc()))
      return cannotMove(msg::helper_after_kernel, Called);
    bool Staged = hasRoute(Loop, Plan, C.HelperCall, Route::Registers);
    HelperUse U;
    U.Call = C.HelperCall;
    U.Qualifier = missingQualifier(U.Call, W, Loop.Function);
    U.AheadName = Name(C.Helper, Staged ? "_fetch" : "_async");
    if (Staged) {
      U.StoreName = Name(C.Helper, "_store");
      U.TileVar = tileName(C, Loop, Plan, Fresh);
      // `load_tile_tile` would stutter.
      const std::string Of = llvm::StringRef(nameForClones(C.Helper)).lower();
      const bool Tile = llvm::StringRef(Of).ends_with("tile") ||
                        llvm::StringRef(Of).ends_with("tiles");
      U.TileType = Name(C.Helper, Tile ? "_registers" : "_tile");
      auto Type = tileType(C, U.TileType, Loop.Function, Source);
      if (!Type)
        return Type.takeError();
      Out.Tiles.push_back(U.Qualifier + *Type + " " + U.TileVar +
                          Registers.Tiles + ";");
      U.TileVar += Registers.Slot;
    }
    Out.Uses.push_back(std::move(U));
  }
  return Out;
}

namespace {

const FunctionDecl *helperOf(const HelperUse &U, const TileLoop &Loop) {
  for (const TileCopy &C : Loop.Copies)
    if (C.HelperCall == U.Call)
      return C.Helper;
  return nullptr;
}

} // namespace

llvm::Error findUnused(const TileLoop &Loop, const PipelinePlan &Plan,
                       SourceTexts &Texts, const Staging &Registers,
                       Regions &Writer, RuntimeCalls &Calls,
                       HelperUses &Helpers) {
  for (HelperUse &U : Helpers.Uses) {
    const FunctionDecl *F = helperOf(U, Loop);
    for (Half Which : {Half::Ahead, Half::Store}) {
      if (U.name(Which).empty())
        continue;
      auto Body = helperBody(F, U, Which, Loop, Plan, Texts, Registers,
                             Helpers.Uses, Writer, Calls);
      if (!Body)
        return Body.takeError();
      U.Unused[Which == Half::Store] =
          unusedParameters(F, U.Call, *Body, Texts.of(F), Texts.own());
    }
  }
  return llvm::Error::success();
}

namespace {

/// Writes the clones of the loop's helpers.
class Cloner {
public:
  Cloner(const TileLoop &Loop, const PipelinePlan &Plan, SourceTexts &Texts,
         const Staging &Registers, const HelperUses &Helpers, Regions &Writer,
         RuntimeCalls &Calls)
      : Loop(Loop), Plan(Plan), Texts(Texts), Registers(Registers),
        Helpers(Helpers), Writer(Writer), Calls(Calls) {}

  llvm::Expected<HelperClones> run() {
    for (const HelperUse &U : Helpers.Uses)
      if (llvm::Error Failed = add(U))
        return std::move(Failed);
    return std::move(Out);
  }

private:
  const TileLoop &Loop;
  const PipelinePlan &Plan;
  SourceTexts &Texts;
  const Staging &Registers;
  const HelperUses &Helpers;
  Regions &Writer;
  RuntimeCalls &Calls;
  HelperClones Out;

  llvm::Error add(const HelperUse &U) {
    const FunctionDecl *F = helperOf(U, Loop);
    auto Place = clonePlace(F, Texts);
    if (!Place)
      return Place.takeError();
    std::vector<std::string> Parts;
    if (!U.TileType.empty())
      Parts.push_back(tileStruct(U, F));
    for (Half Which : {Half::Ahead, Half::Store}) {
      if (U.name(Which).empty())
        continue;
      auto Text = clone(U, F, Which, Place->Behind);
      if (!Text)
        return Text.takeError();
      Parts.push_back(std::move(*Text));
    }
    EmittedClone Called;
    Called.Names.push_back(U.AheadName);
    if (!U.StoreName.empty())
      Called.Names.insert(Called.Names.end(), {U.StoreName, U.TileType});
    if (Place->Behind)
      Called.Behind = written(F);
    if (!U.TileType.empty())
      Called.Struct = Parts.front();
    Called.Text = standing(Parts, *Place, F);
    for (const EmittedClone &Other : Out.Called)
      if (Other.Names == Called.Names) {
        Out.Differ |= Other.Text != Called.Text;
        return llvm::Error::success();
      }
    Out.Edits.push_back({Place->Offset, 0, Called.Text});
    if (Place->Behind)
      keepApart(Place->Offset);
    Out.Called.push_back(std::move(Called));
    return llvm::Error::success();
  }

  /// What follows the last clone is apart from it by a blank line.
  void keepApart(unsigned End) {
    llvm::StringRef Rest = Texts.own().all().substr(End);
    const size_t Line = Rest.find('\n') + 1;
    const llvm::StringRef Next = Rest.substr(Line).take_until(
                                                      [](char C) { return C == '\n'; })
                                     .trim();
    const unsigned At = End + static_cast<unsigned>(Line);
    if (Line && !Next.empty() && Next[0] != '}' && Next[0] != '#' &&
        llvm::none_of(Out.Edits, [&](const Edit &E) { return E.Offset == At; }))
      Out.Edits.push_back({At, 0, "\n"});
  }

  std::string tileStruct(const HelperUse &U, const FunctionDecl *F) {
    std::string Members;
    for (unsigned I = 0; I != Loop.Copies.size(); ++I)
      if (Loop.Copies[I].HelperCall == U.Call && !Registers.Members[I].empty())
        Members += "  " + Registers.Members[I] + "\n";
    std::string Head = templateHead(F, Texts.of(F));
    const std::string Text = "// " + Message(msg::comment_tile_struct).str() +
                             "\n" + (Head.empty() ? "" : Head + "\n") +
                             "struct " + U.TileType + " {\n" + Members + "};";
    // The first line is indented with the others parts.
    const SourceText &Its = Texts.of(F);
    return reindent(Text, "", Its.indentation(wholeText(F, Its).Begin))
        .substr(Its.indentation(wholeText(F, Its).Begin).size());
  }

  /// \param Behind the original, whose linkage is what it is; elsewhere each
  /// file has clones of its own, and they may differ.
  llvm::Expected<std::string> clone(const HelperUse &U, const FunctionDecl *F,
                                    Half Which, bool Behind) {
    const SourceText &Its = Texts.of(F);
    const FunctionDecl *W = written(F);
    auto Body = helperBody(F, U, Which, Loop, Plan, Texts, Registers,
                           Helpers.Uses, Writer, Calls);
    if (!Body)
      return Body.takeError();
    const SourceRange Name = W->getNameInfo().getSourceRange();
    unsigned NameAt = *Its.offset(Name.getBegin());
    unsigned NameEnd = Its.tokenEnd(*Its.offset(Name.getEnd()));
    std::vector<Edit> Head;
    if (!Behind && W->isExternallyVisible() &&
        W->getStorageClass() != SC_Static)
      Head.push_back({Its.expansionOffset(W->getBeginLoc()), 0, "static "});
    // Its namespaces are open where it stands.
    unsigned From = NameAt;
    if (auto Begin = Its.offset(W->getQualifierLoc().getBeginLoc());
        Begin && !Behind)
      From = *Begin;
    Head.push_back({From, NameEnd - From, U.name(Which)});
    auto Parameters = parameterList(W, Its);
    if (!Parameters)
      return cannotMove(msg::helper_parameters_in_macro);
    std::string Tile;
    if (!U.TileType.empty())
      Tile = (Which == Half::Store ? "const " : "") + U.TileType +
             ownArguments(F) + " &" + Registers.TileParameters.lookup(W);
    llvm::append_range(
        Head, editList(*Parameters, U.unused(Which), tileParameter(W), Tile));
    const unsigned Begin = wholeText(F, Its).Begin;
    unsigned BodyAt = Its.statement(W->getBody()).Begin;
    const Range List{Parameters->Open, Parameters->Close};
    std::string New = Its.edited(List, Head);
    if (Parameters->Plain && New != Its.at(List))
      New = onOneLine(New);
    return Its.edited({Begin, List.Begin}, Head) + New +
           Its.at({List.End, BodyAt}).str() + *Body;
  }

  std::string standing(llvm::ArrayRef<std::string> Parts,
                       const ClonePlace &Place, const FunctionDecl *F) {
    if (Place.Behind) {
      const SourceText &Own = Texts.own();
      const llvm::StringRef Indent = Own.indentation(wholeText(F, Own).Begin);
      std::string Text;
      for (llvm::StringRef Part : Parts)
        Text += "\n\n" + Indent.str() + Part.str();
      return Text;
    }
    const std::string First = Place.AfterBlank ? "" : "\n";
    const SourceText &Its = Texts.of(F);
    std::string Text =
        reindent(llvm::join(Parts, "\n\n"),
                 Its.indentation(wholeText(F, Its).Begin), Place.Indent) +
        "\n";
    if (!Place.Open.empty())
      Text = Place.Open + "\n" + Text + "\n" + Place.Close;
    return First + Text + "\n";
  }
};

} // namespace

llvm::Expected<HelperClones>
cloneHelpers(const TileLoop &Loop, const PipelinePlan &Plan, SourceTexts &Texts,
             const Staging &Registers, const HelperUses &Helpers,
             Regions &Writer, RuntimeCalls &Calls) {
  return Cloner(Loop, Plan, Texts, Registers, Helpers, Writer, Calls).run();
}

} // namespace kpipe

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The author's loop in its file, see LoopPlace.h.
#include "LoopPlace.h"
#include "kpipe/Refusal.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace kpipe {

/// The step of indentation that the author uses in a loop.
static std::string unitOf(const TileLoop &Loop, llvm::StringRef Indent,
                          const SourceText &Source) {
  for (const BodyItem &I : Loop.Body) {
    llvm::StringRef Inner = Source.indentation(I.S);
    if (Inner.size() > Indent.size() && Inner.starts_with(Indent))
      return Inner.drop_front(Indent.size()).str();
  }
  return "  ";
}

/// A line that says nothing to the compiler: blank, or a comment's own.
static bool saysNothing(llvm::StringRef Line) {
  return Line.empty() || Line.starts_with("//") ||
         (Line.starts_with("/*") && Line.find("*/") == Line.size() - 2);
}

/// Pragmas above the loop speak of the loop: they go where it goes. Comments
/// between them and the loop stay. True if there are any.
static bool widenToPragma(LoopPlace &Place, const PipelinePlan &Plan,
                          const SourceText &Source) {
  bool Any = false;
  unsigned Begin = Place.Whole.Begin;
  // Behind other code on its line, it has no lines above.
  if (!Source.at({Source.lineStart(Begin), Begin}).trim().empty())
    return false;
  for (unsigned Start = Source.lineStart(Begin); Start != 0;) {
    unsigned Above = Source.lineStart(Start - 1);
    llvm::StringRef Line = Source.at({Above, Start}).trim();
    if (Line.starts_with("#pragma"))
      Begin = Above + Source.indentation(Above).size();
    else if (!saysNothing(Line))
      break;
    Start = Above;
  }
  for (llvm::StringRef Line : llvm::split(
           Source.at({Source.lineStart(Begin), Place.Whole.Begin}), '\n')) {
    llvm::StringRef Indented = Line.rtrim();
    Line = Line.trim();
    bool Replaced =
        Plan.Unroll == Unrolling::Stages || Plan.Unroll == Unrolling::Never;
    if (Line.starts_with("#pragma")) {
      const bool Unrolls = Line.contains("unroll");
      Any = true;
      Place.AuthorUnrolls |= Unrolls;
      if (!Replaced || !Unrolls)
        Place.Pragma += Indented.str() + "\n";
    } else if (!Line.empty()) {
      Place.Comments.push_back(Line.str());
    }
  }
  Place.Whole.Begin = Begin;
  return Any;
}

static bool hasAttribute(const TileLoop &Loop) {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    const Stmt *Loop;
    bool Found = false;
    bool VisitAttributedStmt(const AttributedStmt *A) override {
      return !(Found |= A->getSubStmt() == Loop);
    }
  } F;
  F.Loop = Loop.Loop;
  F.TraverseStmt(Loop.Function->getBody());
  return F.Found;
}

llvm::Expected<LoopPlace> findLoopPlace(const TileLoop &Loop,
                                        const PipelinePlan &Plan,
                                        const SourceText &Source) {
  LoopPlace Place;
  Place.Whole = Source.statement(Loop.Loop);
  Place.Indent = Source.indentation(Loop.Loop).str();
  if (!widenToPragma(Place, Plan, Source) && hasAttribute(Loop))
    return cannotMove(msg::attribute_cannot_move);
  Place.Unit = unitOf(Loop, Place.Indent, Source);
  return Place;
}

void Lines::add(unsigned Depth, const llvm::Twine &Text) {
  Out += indent(Depth) + Text.str() + '\n';
}

std::string Lines::indent(unsigned Depth) const {
  std::string S = Indent;
  for (unsigned I = 0; I != Depth; ++I)
    S += Unit;
  return S;
}

} // namespace kpipe

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of load and compute regions: the author's statements, cut from the
// file, with stages added and stores turned into asynchronous copies or
// register moves. Knows nothing of the loop around them.
#ifndef KPIPE_EMISSION_REGIONS_H
#define KPIPE_EMISSION_REGIONS_H

#include "CopyText.h"
#include "Needs.h"
#include "SourceText.h"
#include "Staging.h"
#include "kpipe/Plan.h"
#include "llvm/Support/Error.h"

namespace kpipe {

class Regions {
public:
  /// \param Source of the loop, or of a helper in another file whose bodies are
  /// all that is asked for.
  /// \param Mentions edits of names and extents inside the loop, whatever
  /// becomes of the statements around them.
  /// \param Unit a step of indentation.
  Regions(const TileLoop &Loop, const PipelinePlan &Plan,
          const SourceText &Source, const Staging &Registers,
          llvm::ArrayRef<Edit> Mentions, std::string Unit,
          llvm::ArrayRef<HelperUse> Helpers, RuntimeCalls &Calls);
  Regions(const Regions &) = delete;

  /// A step of indentation.
  const std::string &unit() const { return Unit; }
  /// The body of a helper as one half runs it for the copies of one call.
  llvm::Expected<std::string> helperBody(const clang::FunctionDecl *Helper,
                                         const clang::CallExpr *Call,
                                         Half Which);

  /// Statements of one half, indented by Indent, ending with a newline.
  llvm::Expected<std::string> load(Half Which, llvm::StringRef Indent);
  llvm::Expected<std::string> compute(llvm::StringRef Indent);
  /// Declarations of shared variables that stood in the loop's body.
  std::string hoisted(llvm::StringRef Indent, llvm::ArrayRef<Edit> Edits);
  /// Does this half read the variable?
  bool reads(Half Which, const clang::VarDecl *V) const {
    return Needs.reads(Which, V);
  }

private:
  struct Piece {
    const BodyItem *Item;
    Range Gap;  ///< from the statement before to this one: comments
    Range Code; ///< with a trailing comment
  };

  const TileLoop &Loop;
  const PipelinePlan &Plan;
  const SourceText &Source;
  std::vector<Edit> Mentions;
  std::string Unit;
  std::vector<HelperUse> Helpers;
  /// The call whose helper's body is being written; null for the loop's own.
  const clang::CallExpr *Within = nullptr;
  /// Would an `else` behind what is kept belong to an `if` in it?
  bool EndsOpen = false;
  std::vector<Piece> Pieces;
  Message Failure;
  HalfNeeds Needs;
  CopyText CopyStatements;

  void cut();
  bool keep(const clang::Stmt *S, Half Which, std::vector<Edit> &Edits);
  void dropCondition(const clang::IfStmt &I, std::vector<Edit> &Edits);
  bool keepBranches(const clang::IfStmt &I, Half Which,
                    std::vector<Edit> &Edits);
  bool keepLeaf(const clang::Stmt *S, Half Which, std::vector<Edit> &Edits);
  bool areJoined(const clang::Stmt *S, const CopiesIn &Found) const;
  bool keepHelper(const clang::CallExpr *Call, Half Which,
                  std::vector<Edit> &Edits);
  void keepCompound(const clang::CompoundStmt *C, Half Which,
                    std::vector<Edit> &Edits, bool &Any);
  std::string comments(Range Gap, llvm::StringRef From,
                       llvm::StringRef Indent) const;
  std::string moved(const Piece &P, llvm::ArrayRef<Edit> Edits,
                    llvm::StringRef From, llvm::StringRef To) const;
  bool blankLine(Range Gap) const;
  bool hasRegisterCopy(const clang::Stmt *S) const;
  llvm::Error failure() const;
};

} // namespace kpipe

#endif // KPIPE_EMISSION_REGIONS_H

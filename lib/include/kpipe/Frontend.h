// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a file name and flags to one device-side Clang AST. This box finds the
// toolkit, Clang's resource headers and the flags, parses, and keeps errors as
// values. It must not know loops, print, or write files.
#ifndef KPIPE_FRONTEND_H
#define KPIPE_FRONTEND_H

#include "kpipe/Diagnostic.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class SourceRange;
} // namespace clang

namespace kpipe {

/// What is asked of the tree of a changed unit, in the process that has it.
using Describe =
    std::string (*)(clang::ASTContext &Context, llvm::StringRef Question);

/// What a text is called that comes from standard input.
inline constexpr llvm::StringLiteral StandardInput = "<stdin>";

/// What a user may say about how files are parsed.
struct FrontendOptions {
  /// The text of the file named StandardInput.
  std::optional<std::string> InputText;
  /// The running program's path (argv[0]); Clang's resource headers are looked
  /// for beside it first.
  std::string Program;
  /// Root of a CUDA toolkit (`--cuda-path`); empty means: look for one.
  std::string CudaPath;
  /// Folder with compile_commands.json (`-p`); empty means: none is read.
  std::string BuildDir;
  /// Flags put after all others (`--extra-arg`).
  std::vector<std::string> ExtraArgs;
  /// Flags of the command line after `--`; with them BuildDir is not read.
  std::vector<std::string> Flags;
  /// Template kernels to instantiate: `name<arguments>`.
  std::vector<std::string> Instantiate;
  /// `parseAgain` will be called, once or more: prepare for it while parsing.
  bool WillCheck = false;
  /// Answers the questions that it is given; null: no question is asked.
  Describe Answerer = nullptr;
};

/// An error of Clang's that was passed over, resolved to a place.
struct ParseError {
  Place Where;
  std::string Message;
  /// It stands in a function that no kernel can call, or says that a header is
  /// missing: kernels that parse have nothing to do with it.
  bool HostOnly = false;
  bool MissingFile = false;
};

/// What became of a unit with other texts.
struct ParsedAgain {
  /// The first error that the result has and the input did not have.
  std::optional<ParseError> Error;
  /// To the question; of a result with an error it says nothing.
  std::string Answer;
};

/// One parsed translation unit. Owns the AST; everything that points into it
/// dies with it.
class ParsedUnit {
public:
  ~ParsedUnit();
  ParsedUnit(const ParsedUnit &) = delete;
  ParsedUnit &operator=(const ParsedUnit &) = delete;

  clang::ASTContext &context();

  /// Errors that were passed over, in the order Clang found them.
  llvm::ArrayRef<ParseError> errors() const;

  /// What preprocessor conditions left out, in all files.
  llvm::ArrayRef<clang::SourceRange> skipped() const;

  /// The main file's name as Clang knows it and as edits name it.
  llvm::StringRef mainFile() const;

  /// The main file's text as it was parsed, without what --instantiate adds.
  llvm::StringRef mainText() const;

  /// True when no CUDA toolkit was found and kpipe's own declarations of
  /// CUDA's names were parsed instead.
  bool usesOwnDeclarations() const;

  /// Flags that no compiler is known to have; they were left out.
  llvm::ArrayRef<std::string> unknownFlags() const;

  /// The arguments that Clang's driver was given, program and file included.
  llvm::ArrayRef<std::string> arguments() const;

  /// Of flags for nvcc those, in its words, that decide what code it makes, and
  /// the folder that relative paths start from; empty: the process's own.
  llvm::ArrayRef<std::string> codeFlags() const;
  llvm::StringRef directory() const;

  /// The files that were read, the main one first, then the others in order of
  /// their names; relative to the working directory where the flags name them
  /// so. What is embedded in the program is not among them.
  std::vector<std::string> dependencies() const;

  /// False when nothing at all in the main file is a valid declaration.
  bool declaresAnything() const;

  /// Parses the unit once more with new texts in place of files, in memory.
  /// \param NewTexts complete texts by file name, as in `mainFile()`.
  /// \param Question what FrontendOptions::Answerer is asked of the result.
  /// \returns an error where no tree could be had at all.
  llvm::Expected<ParsedAgain>
  parseAgain(const llvm::StringMap<std::string> &NewTexts,
             llvm::StringRef Question = {});

  /// The text of a file where the unit was not parsed with the one on disk, and
  /// the main file's.
  std::optional<llvm::StringRef> knownText(llvm::StringRef File) const;

  /// Parses the unit anew with other texts, into a unit of its own; what it
  /// parses again has them as well.
  /// \param Texts as parseAgain()'s.
  /// \param WithRuntime they name the runtime's primitives, without an include.
  llvm::Expected<std::unique_ptr<ParsedUnit>>
  withTexts(const llvm::StringMap<std::string> &Texts,
            bool WithRuntime = false) const;

  struct Impl;
  explicit ParsedUnit(std::unique_ptr<Impl> I);

private:
  std::unique_ptr<Impl> I;
};

/// Parses one CUDA file for the device side of one architecture.
/// \param File path of the file, as a user wrote it.
/// \param Arch "sm_86" form.
/// \returns the unit, also when the file holds errors (see `errors()`); an
/// error only where no AST can be had: unreadable file, flags that Clang
/// refuses. The message is one line and says the cure.
llvm::Expected<std::unique_ptr<ParsedUnit>>
parseUnit(llvm::StringRef File, llvm::StringRef Arch,
          const FrontendOptions &Options);

/// The CUDA files that the compile_commands.json of a build folder compiles, as
/// absolute paths, in its order, each once.
/// \returns an error of one line, with the cure, when it cannot be read.
llvm::Expected<std::vector<std::string>> cudaFilesOf(llvm::StringRef BuildDir);

/// The architectures that flags for nvcc or Clang compile for, each once, as
/// "sm_86", or in the flags' own words: "native", "all".
std::vector<std::string> archsInFlags(llvm::ArrayRef<std::string> Flags);

/// The same for a file's flags: those of the command line, else those of its
/// entry in the compile database.
/// \returns an error of one line where the database has no entry for it.
llvm::Expected<std::vector<std::string>>
archsOf(llvm::StringRef File, const FrontendOptions &Options);

/// Is a word of a command line a flag that nvcc or Clang has?
bool isCompilerFlag(llvm::StringRef Word);

/// Does a file's name say that it is included rather than compiled?
bool isHeaderName(llvm::StringRef File);

} // namespace kpipe

#endif // KPIPE_FRONTEND_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc's command line, see NvccFlags.h. LLVM's option library knows where one
// option ends and the next begins: `-lineinfo` is no `-l ineinfo`, and `-G`
// takes no argument.
#include "NvccFlags.h"
#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Option/Option.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Errc.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

namespace kpipe {

namespace {

enum NvccOption {
  OPT_INVALID = 0,
#define OPTION(...) LLVM_MAKE_OPT_ID(__VA_ARGS__),
#include "NvccOptions.inc"
#undef OPTION
};

#define OPTTABLE_STR_TABLE_CODE
#include "NvccOptions.inc"
#undef OPTTABLE_STR_TABLE_CODE

#define OPTTABLE_PREFIXES_TABLE_CODE
#include "NvccOptions.inc"
#undef OPTTABLE_PREFIXES_TABLE_CODE

using namespace llvm::opt;

const OptTable::Info InfoTable[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include "NvccOptions.inc"
#undef OPTION
};

class NvccTable : public GenericOptTable {
public:
  NvccTable()
      : GenericOptTable(OptionStrTable, OptionPrefixesTable, InfoTable) {}
};

const NvccTable &nvccTable() {
  static const NvccTable Table;
  return Table;
}

std::vector<const char *> pointers(llvm::ArrayRef<std::string> Arguments) {
  std::vector<const char *> Found;
  for (const std::string &A : Arguments)
    Found.push_back(A.c_str());
  return Found;
}

class Translator {
public:
  explicit Translator(llvm::StringRef Directory) : Directory(Directory) {}

  llvm::Error run(llvm::ArrayRef<std::string> Arguments) {
    unsigned MissingAt = 0, MissingCount = 0;
    std::vector<const char *> Argv = pointers(Arguments);
    InputArgList Parsed = nvccTable().ParseArgs(Argv, MissingAt, MissingCount);
    for (const Arg *A : Parsed)
      if (llvm::Error Failed = one(*A))
        return Failed;
    return llvm::Error::success();
  }

  TranslatedFlags result() {
    host();
    return std::move(Out);
  }

private:
  llvm::StringRef Directory;
  TranslatedFlags Out;
  /// What goes to the host compiler, in its order.
  std::vector<std::string> Host;
  bool Forwarded = false;
  unsigned Depth = 0;

  void add(const llvm::Twine &Flag) { Out.Flags.push_back(Flag.str()); }
  /// CMake writes -isystem=DIR, which Clang accepts and does not search.
  static llvm::StringRef value(const Arg &A) {
    llvm::StringRef V = A.getValue();
    V.consume_front("=");
    return V;
  }
  /// nvcc separates several values of one option by commas.
  static llvm::SmallVector<llvm::StringRef, 4> values(const Arg &A) {
    llvm::SmallVector<llvm::StringRef, 4> Found;
    value(A).split(Found, ',', -1, /*KeepEmpty=*/false);
    return Found;
  }
  void addEach(const Arg &A, llvm::StringRef Flag) {
    for (llvm::StringRef V : values(A)) {
      add(Flag);
      add(V);
    }
  }

  /// Options that the parse needs, in Clang's words; false for all others.
  bool addsFlag(const Arg &A, unsigned Id) {
    switch (Id) {
    case OPT_define:
      add("-D" + value(A));
      return true;
    case OPT_undefine:
      add("-U" + value(A));
      return true;
    case OPT_include_path:
      addEach(A, "-I");
      return true;
    case OPT_system_include:
      addEach(A, "-isystem");
      return true;
    case OPT_pre_include:
      addEach(A, "-include");
      return true;
    case OPT_std:
      add("-std=" + value(A));
      return true;
    case OPT_optimize:
      add("-O" + value(A));
      return true;
    case OPT_rdc:
      if (value(A) == "true")
        relocatable();
      return true;
    case OPT_device_c:
      relocatable();
      Out.Code.push_back("-rdc=true");
      return true;
    case OPT_relaxed_constexpr:
      add("-D__CUDACC_RELAXED_CONSTEXPR__");
      return true;
    case OPT_extended_lambda:
    case OPT_expt_extended_lambda:
      add("-D__CUDACC_EXTENDED_LAMBDA__");
      return true;
    case OPT_default_stream:
      if (value(A) == "per-thread")
        add("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
      return true;
    case OPT_disable_warnings:
      add("-w");
      return true;
    case OPT_template_depth:
      add("-ftemplate-depth=" + value(A));
      return true;
    case OPT_no_exceptions:
      add("-fno-exceptions");
      return true;
    case OPT_device_debug:
      add("-D__CUDACC_DEBUG__");
      return true;
    default:
      return false;
    }
  }

  /// Of what is translated, that which nvcc has to be told in its own words.
  static bool decidesCodeToo(unsigned Id) {
    return llvm::is_contained<unsigned>(
        {OPT_rdc, OPT_relaxed_constexpr, OPT_extended_lambda,
         OPT_expt_extended_lambda, OPT_disable_warnings, OPT_template_depth,
         OPT_device_debug},
        Id);
  }

  void addForNvcc(const Arg &A) {
    const Arg &Written = A.getAlias() ? *A.getAlias() : A;
    Out.Code.push_back(Written.getSpelling().str());
    if (Written.getNumValues() == 0)
      return;
    if (Written.getOption().getKind() == Option::JoinedClass)
      Out.Code.back() += Written.getValue();
    else
      Out.Code.push_back(Written.getValue());
  }

  llvm::Error one(const Arg &A) {
    const Option Which = A.getOption().getUnaliasedOption();
    if (Which.matches(OPT_Ignored))
      return llvm::Error::success();
    if (Which.matches(OPT_Code) || decidesCodeToo(Which.getID()))
      addForNvcc(A);
    if (Which.matches(OPT_Code))
      return llvm::Error::success();
    if (Which.getKind() == Option::InputClass) {
      // It may be the argument of an option that was forwarded before it.
      if (Forwarded)
        Host.push_back(A.getSpelling().str());
      return llvm::Error::success();
    }
    if (addsFlag(A, Which.getID()))
      return llvm::Error::success();
    switch (Which.getID()) {
    case OPT_compiler_options:
      for (llvm::StringRef V : values(A))
        Host.push_back(V.str());
      break;
    case OPT_forward_host:
    case OPT_forward:
      Forwarded = true;
      break;
    case OPT_options_file:
      for (llvm::StringRef File : values(A))
        if (llvm::Error Failed = optionsFile(File))
          return Failed;
      break;
    case OPT_device_w:
      Out.Code.push_back("-rdc=true");
      break;
    case OPT_debug:
      break;
    default:
      (Forwarded ? Host : Out.Unknown).push_back(A.getSpelling().str());
    }
    return llvm::Error::success();
  }

  void relocatable() {
    add("-fgpu-rdc");
    add("-D__CUDACC_RDC__");
  }

  llvm::Error optionsFile(llvm::StringRef File) {
    llvm::SmallString<256> Path(File);
    if (!Directory.empty())
      llvm::sys::path::make_absolute(Directory, Path);
    auto Text = llvm::MemoryBuffer::getFile(Path, /*IsText=*/true);
    if (!Text || Depth == 16)
      return llvm::createStringError(
          llvm::errc::no_such_file_or_directory,
          "%s: file of options cannot be read: %s", Path.c_str(),
          Text ? "it includes itself" : Text.getError().message().c_str());
    llvm::BumpPtrAllocator Allocator;
    llvm::StringSaver Saver(Allocator);
    llvm::SmallVector<const char *, 32> Words;
    llvm::cl::TokenizeGNUCommandLine((*Text)->getBuffer(), Saver, Words);
    std::vector<std::string> Arguments(Words.begin(), Words.end());
    ++Depth;
    llvm::Error Failed = run(Arguments);
    --Depth;
    return Failed;
  }

  /// Of the host compiler's flags, what changes how the text reads.
  void host() {
    namespace clangs = clang::options;
    unsigned MissingAt = 0, MissingCount = 0;
    std::vector<const char *> Argv = pointers(Host);
    InputArgList Parsed = clang::getDriverOptTable().ParseArgs(
        Argv, MissingAt, MissingCount,
        llvm::opt::Visibility(clangs::ClangOption));
    for (const Arg *A : Parsed) {
      const Option Which = A->getOption().getUnaliasedOption();
      switch (Which.getID()) {
      case clangs::OPT_D:
      case clangs::OPT_U:
      case clangs::OPT_I:
      case clangs::OPT_include:
      case clangs::OPT_isystem:
      case clangs::OPT_iquote:
      case clangs::OPT_idirafter:
      case clangs::OPT_std_EQ: {
        ArgStringList Rendered;
        A->render(Parsed, Rendered);
        for (const char *Word : Rendered)
          add(Word);
        break;
      }
      case clangs::OPT_UNKNOWN:
        Out.Unknown.push_back(A->getSpelling().str());
        break;
      default:
        break;
      }
    }
  }
};

} // namespace

llvm::Expected<TranslatedFlags>
translateNvccFlags(llvm::ArrayRef<std::string> Arguments,
                   llvm::StringRef Directory) {
  Translator T(Directory);
  if (llvm::Error Failed = T.run(Arguments))
    return std::move(Failed);
  return T.result();
}

bool isNvccOnly(llvm::StringRef Argument) {
  if (!Argument.starts_with("-") || Argument.size() < 2)
    return false;
  // A value may follow; none of the options looks at it.
  std::string Text = Argument.str();
  const char *Argv[] = {Text.c_str(), "value"};
  auto Matched = [&](const OptTable &Table,
                     llvm::opt::Visibility Who) -> size_t {
    unsigned Index = 0;
    InputArgList List(Argv, Argv + 2);
    std::unique_ptr<Arg> A = Table.ParseOneArg(List, Index, Who);
    if (!A || A->getOption().getKind() == Option::UnknownClass)
      return 0;
    return (A->getAlias() ? A->getAlias() : A.get())->getSpelling().size();
  };
  // Clang takes -use_fast_math for a -u with the argument se_fast_math.
  return Matched(nvccTable(), llvm::opt::Visibility()) >
         Matched(clang::getDriverOptTable(),
                 llvm::opt::Visibility(clang::options::ClangOption));
}

bool isNvcc(llvm::StringRef Program) {
  return llvm::sys::path::stem(Program) == "nvcc";
}

} // namespace kpipe

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Goes through the driver's own parts (Session, Rewriter), everything but the
// command line and the writing of files.
#include "Contract.h"
#include "kpipe/LineDiff.h"
#include "rewrite/Rewriter.h"
#include "rewrite/UnifiedDiff.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <fcntl.h>
#include <map>
#include <unistd.h>

namespace kpipe::fuzz {
namespace {

constexpr llvm::StringLiteral File = "k.cu";

const char KernelHead[] = "__global__ void __launch_bounds__(32)\n"
                          "k(const float *A, float *C, int n) {\n"
                          "  __shared__ float S[32];\n"
                          "  float s = 0;\n";
const char KernelLoop[] = "  for (int t = 0; t < n; t += 32) {\n"
                          "    S[threadIdx.x] = A[t + threadIdx.x];\n"
                          "    __syncthreads();\n"
                          "    s += S[31 - threadIdx.x];\n"
                          "    __syncthreads();\n"
                          "  }\n"
                          "  C[threadIdx.x] = s;\n"
                          "}\n";

[[noreturn]] void broken(const llvm::Twine &Promise) {
  restoreOutput();
  llvm::errs() << "== broken promise: " << Promise << "\n";
  ::_exit(1);
}

void write(llvm::StringRef Path, llvm::StringRef Text) {
  std::error_code Failed;
  llvm::raw_fd_ostream OS(Path, Failed);
  OS << Text;
  OS.close();
  if (Failed || OS.has_error())
    broken("the harness cannot write " + Path);
}

std::string read(llvm::StringRef Path) {
  auto Buffer = llvm::MemoryBuffer::getFile(Path);
  return Buffer ? (*Buffer)->getBuffer().str() : "";
}

std::string currentFolder() {
  llvm::SmallString<128> Path;
  llvm::sys::fs::current_path(Path);
  return Path.str().str();
}

/// Every file below the current folder with its size.
std::map<std::string, uint64_t> listFolder() {
  std::map<std::string, uint64_t> Files;
  std::error_code Failed;
  for (llvm::sys::fs::recursive_directory_iterator At(".", Failed), End;
       At != End && !Failed; At.increment(Failed)) {
    uint64_t Size = 0;
    if (At->type() == llvm::sys::fs::file_type::regular_file)
      llvm::sys::fs::file_size(At->path(), Size);
    Files[At->path()] = Size;
  }
  return Files;
}

std::string commentLines(llvm::StringRef Input, llvm::StringRef Indent) {
  std::string Text;
  for (llvm::StringRef Line : llvm::split(Input, '\n')) {
    // Each line is a comment; what it says and how it goes on is the input's.
    Line = Line.ltrim();
    Text += Indent;
    Text += Line.starts_with("//") || Line.starts_with("#") ? "" : "// kpipe: ";
    Text += Line;
    Text += '\n';
  }
  return Text;
}

/// Writes the input where it belongs, and says what kpipe is asked.
FileRequest makeRequest(Mode M, llvm::StringRef Input) {
  FileRequest Request;
  Request.File = File.str();
  Request.Transform.Archs = {"sm_86"};
  std::string Folder = currentFolder();
  Request.Frontend.CudaPath = Folder + "/toolkit";
  Request.Frontend.ExtraArgs = {"-nogpuinc", "-include",
                                Folder + "/toolkit/include/cuda_runtime.h"};
  switch (M) {
  case Mode::Source:
    write(File, Input);
    break;
  case Mode::Directives:
    write(File, commentLines(Input, "") + KernelHead +
                    commentLines(Input, "  ") + KernelLoop);
    break;
  case Mode::Database: {
    write(File, std::string(KernelHead) + KernelLoop);
    std::string Text;
    for (char C : Input)
      C == '@' ? Text += Folder : Text += C;
    write("build/compile_commands.json", Text);
    Request.Frontend.BuildDir = "build";
    break;
  }
  }
  return Request;
}

struct Result {
  std::string Error;
  std::string Said;
  std::string Old, New;
  std::vector<Diagnostic> Others;
  bool operator==(const Result &R) const {
    return Error == R.Error && Said == R.Said && New == R.New;
  }
};

Result rewrite(const FileRequest &Request) {
  Result R;
  llvm::raw_string_ostream Said(R.Said);
  Rewriter All(Said, /*Colored=*/false);
  llvm::Expected<FileResult> Done = rewriteFile(Request, /*Alone=*/true);
  if (llvm::Error Failed =
          Done ? All.add(std::move(*Done)) : Done.takeError()) {
    R.Error = llvm::toString(std::move(Failed));
    if (R.Error.empty())
      broken("an error says nothing");
    if (llvm::StringRef(R.Error).contains('\n'))
      broken("an error is more than one line: " + R.Error);
    if (llvm::StringRef(R.Error).starts_with("internal error"))
      broken(R.Error);
    if (!All.Files.empty())
      broken("an error comes with a text: " + R.Error);
    return R;
  }
  if (All.Files.size() != 1 || All.Files.front().Path != File)
    broken("there is not one result for one file");
  R.Old = All.Files.front().Old;
  R.New = All.Files.front().New;
  printTable(Said, mergeReports(All.Found.Loops));
  for (const std::string &Report : {All.Found.json(), All.Found.sarif()})
    if (auto Json = llvm::json::parse(Report); !Json)
      broken("a report is no JSON: " + llvm::toString(Json.takeError()));
  for (const Diagnostic &D : All.Found.Others)
    if (D.Level == Severity::Error)
      broken("an error that is none: " + D.What.str());
  R.Others = std::move(All.Found.Others);
  return R;
}

/// No line that Clang finds an error in may be touched.
void checkErrorsUntouched(const Result &R) {
  std::vector<llvm::StringRef> Old = splitLines(R.Old), New = splitLines(R.New);
  std::vector<LineChange> Changes = diffLines(Old, New);
  for (const Diagnostic &D : R.Others) {
    if (D.Rule != RuleId::PassedOver)
      continue;
    for (const Note &N : D.Notes)
      for (const LineChange &C : Changes)
        if (N.Where.File == File && N.Where.Line > C.OldBegin &&
            N.Where.Line <= C.OldEnd)
          broken("line " + llvm::Twine(N.Where.Line) +
                 " is edited in spite of: " + N.What.str());
  }
}

/// Takes the place of a descriptor for as long as this lives: nobody may write
/// there.
class Silence {
public:
  Silence(int Descriptor, const char *Name)
      : Descriptor(Descriptor), Name(Name), Saved(::dup(Descriptor)) {
    if (::pipe2(Ends, O_NONBLOCK | O_CLOEXEC) != 0)
      broken("the harness has no pipe");
    ::dup2(Ends[1], Descriptor);
    Kept.push_back(this);
  }
  ~Silence() { end(); }
  /// Puts everything back.
  /// \returns what was written.
  std::string end() {
    if (Saved < 0)
      return "";
    ::dup2(Saved, Descriptor);
    ::close(Saved);
    Saved = -1;
    llvm::erase(Kept, this);
    std::string Written(1 << 16, '\0');
    ssize_t Count = ::read(Ends[0], Written.data(), Written.size());
    Written.resize(Count > 0 ? Count : 0);
    ::close(Ends[0]);
    ::close(Ends[1]);
    return Written;
  }
  void check() {
    llvm::outs().flush();
    if (std::string Written = end(); !Written.empty())
      broken(llvm::Twine(Name) + " was written to: " + Written);
  }
  static void endAll() {
    while (!Kept.empty())
      llvm::errs() << Kept.back()->end();
  }

private:
  static std::vector<Silence *> Kept;
  int Descriptor;
  const char *Name;
  int Saved;
  int Ends[2];
};

std::vector<Silence *> Silence::Kept;

} // namespace

void restoreOutput() { Silence::endAll(); }

std::optional<Mode> modeNamed(llvm::StringRef Name) {
  return llvm::StringSwitch<std::optional<Mode>>(Name)
      .Case("source", Mode::Source)
      .Case("directives", Mode::Directives)
      .Case("database", Mode::Database)
      .Default(std::nullopt);
}

void prepareFolder() {
  for (llvm::StringRef Folder : {"toolkit/include", "build", "include"})
    llvm::sys::fs::create_directories(Folder);
  for (llvm::StringRef Header :
       {"toolkit/include/cuda.h", "toolkit/include/cuda_runtime.h"})
    write(Header, read((KPIPE_FUZZ_INPUTS "/" + Header).str()));
  write("flags.txt", "-DX=1 -Iinclude");
}

Outcome checkContract(Mode M, llvm::StringRef Input) {
  FileRequest Request = makeRequest(M, Input);
  std::string Text = read(File);
  std::map<std::string, uint64_t> Before = listFolder();
  Silence Output(STDOUT_FILENO, "standard output");
  std::optional<Silence> Errors;
  // A source can ask Clang for dumps (#pragma clang __debug); flags may not.
  if (M != Mode::Source)
    Errors.emplace(STDERR_FILENO, "standard error");

  Result First = rewrite(Request);
  if (Errors)
    Errors->check();
  Output.check();
  if (listFolder() != Before || read(File) != Text)
    broken("files were written");
  if (!First.Error.empty())
    return Outcome::Error;
  if (First.Old != Text)
    broken("the text before is not the file's");
  checkErrorsUntouched(First);
  // A fourth of the inputs is enough; the same one always or never.
  if (llvm::xxh3_64bits(Input) % 4 == 0 && !(rewrite(Request) == First))
    broken("a second run differs");
  if (First.New == First.Old)
    return Outcome::Unchanged;

  unifiedDiff(File, First.Old, First.New);
  write(File, First.New);
  Result Again = rewrite(Request);
  if (!Again.Error.empty())
    broken("the rewritten text is refused: " + Again.Error);
  if (Again.New != First.New)
    broken("the rewritten text is rewritten once more");
  return Outcome::Pipelined;
}

} // namespace kpipe::fuzz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's YAML reads and writes the file from one list of keys.
#include "Settings.h"
#include "kpipe/Suggestions.h"
#include "kpipe/Words.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Errc.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLTraits.h"
#include "llvm/Support/raw_ostream.h"

namespace kpipe {

/// Calls Visit with the name and the member of each key but `arch` and the
/// fields of a loop's form, which come first.
template <class S, class Visitor>
static void forEachKey(S &All, Visitor Visit) {
  Visit("dynamic-shared", &S::DynamicShared, All);
  Visit("launches", &S::Launches, All);
  Visit("kernel", &S::Kernel, All);
  Visit("block", &S::Block, All);
  Visit("instantiate", &S::Instantiate, All);
  Visit("header-filter", &S::HeaderFilter, All);
  Visit("inline-runtime", &S::InlineRuntime, All);
  Visit("line-directives", &S::LineDirectives, All);
  Visit("strict", &S::Strict, All);
  Visit("verbose", &S::Verbose, All);
  Visit("cuda-path", &S::CudaPath, All);
  Visit("profile", &S::Profile, All);
  Visit("registers", &S::Registers, All);
  Visit("extra-arg", &S::ExtraArgs, All);
}

void Settings::addMissing(const Settings &Other) {
  if (!Arch)
    Arch = Other.Arch;
  Form = overlay(Other.Form, Form);
  forEachKey(*this, [&](const char *, auto Member, Settings &Mine) {
    if (!(Mine.*Member))
      Mine.*Member = Other.*Member;
  });
}

/// A permission is a boolean of YAML's.
static void mapField(llvm::yaml::IO &Io, const FormField &Field,
                     Asked<Flag> &Value) {
  std::optional<bool> Given;
  if (Value.said())
    Given = Value.has_value();
  Io.mapOptional(Field.Name.data(), Given);
  if (Given)
    Value = *Given ? Asked<Flag>(Flag::Given) : Asked<Flag>::automatic();
}

/// All else is a word. The first that is none is said in the context of Io.
template <typename T>
static void mapField(llvm::yaml::IO &Io, const FormField &Field,
                     Asked<T> &Value) {
  std::optional<std::string> Word;
  if (Value.said())
    Word = wordFor(Value);
  Io.mapOptional(Field.Name.data(), Word);
  if (!Word || Io.outputting())
    return;
  auto &Wrong = *static_cast<std::string *>(Io.getContext());
  if (auto Read = Spelling<T>::parse(*Word))
    Value = *Read;
  else if (Wrong.empty())
    Wrong = ("--" + Field.Name + "=" + *Word + ": " + Spelling<T>::Want).str();
}

} // namespace kpipe

namespace kpipe {
namespace {

/// A list of which people may write the only value without brackets.
struct ListOrOne {
  std::vector<std::string> All;
};

} // namespace
} // namespace kpipe

namespace llvm::yaml {

template <> struct PolymorphicTraits<kpipe::ListOrOne> {
  static NodeKind getKind(const kpipe::ListOrOne &) {
    return NodeKind::Sequence;
  }
  static std::string &getAsScalar(kpipe::ListOrOne &List) {
    return List.All.emplace_back();
  }
  static std::vector<std::string> &getAsSequence(kpipe::ListOrOne &List) {
    return List.All;
  }
  static kpipe::Settings &getAsMap(kpipe::ListOrOne &) {
    // Its own keys tell that this is no place for them.
    static thread_local kpipe::Settings Nowhere;
    return Nowhere;
  }
};

} // namespace llvm::yaml

namespace kpipe {

static void mapKey(llvm::yaml::IO &Io, const char *Key,
                   std::optional<std::vector<std::string>> &List) {
  std::optional<ListOrOne> Given;
  if (List)
    Given = ListOrOne{*List};
  Io.mapOptional(Key, Given);
  if (Given)
    List = std::move(Given->All);
}

template <typename T>
static void mapKey(llvm::yaml::IO &Io, const char *Key, T &Value) {
  Io.mapOptional(Key, Value);
}

} // namespace kpipe

namespace llvm::yaml {

template <> struct MappingTraits<kpipe::Settings> {
  static void mapping(IO &Io, kpipe::Settings &S) {
    kpipe::mapKey(Io, "arch", S.Arch);
    kpipe::forEachField([&](const kpipe::FormField &Field, auto Member) {
      kpipe::mapField(Io, Field, S.Form.*Member);
    });
    kpipe::forEachKey(S, [&](const char *Key, auto Member, auto &All) {
      kpipe::mapKey(Io, Key, All.*Member);
    });
  }
};

} // namespace llvm::yaml

namespace kpipe {

std::vector<std::string> findSettingsFiles(llvm::StringRef Source) {
  llvm::SmallString<256> Folder(Source);
  llvm::sys::fs::make_absolute(Folder);
  llvm::sys::path::remove_dots(Folder, /*remove_dot_dot=*/true);
  std::vector<std::string> Found;
  while (llvm::sys::path::has_relative_path(Folder)) {
    llvm::sys::path::remove_filename(Folder);
    llvm::SmallString<256> File(Folder);
    llvm::sys::path::append(File, ".kpipe");
    if (llvm::sys::fs::is_regular_file(File))
      Found.push_back(File.str().str());
  }
  return Found;
}

/// Behind what LLVM says of a key: "; did you mean 'arch'?", else where to find
/// the keys.
static std::string keyMeantBy(llvm::StringRef Complaint) {
  std::vector<llvm::StringRef> Known{"arch"};
  forEachField([&](const FormField &Field, auto) {
    Known.push_back(Field.Name);
  });
  Settings None;
  forEachKey(None, [&](const char *Key, auto, Settings &) {
    Known.push_back(Key);
  });
  const llvm::StringRef Key =
      Complaint.split("unknown key '").second.split('\'').first;
  std::string Meant = didYouMean(Key, Known);
  return Meant.empty()
             ? "; the keys are the names of kpipe's options (docs/guide.md)"
             : Meant;
}

llvm::Expected<Settings> readSettingsFile(llvm::StringRef Path) {
  auto Buffer = llvm::MemoryBuffer::getFile(Path);
  if (!Buffer)
    return llvm::createStringError(Buffer.getError(),
                                   "'" + Path + "': cannot be read: " +
                                       Buffer.getError().message());
  std::string Complaint;
  auto Keep = [](const llvm::SMDiagnostic &D, void *Text) {
    auto &First = *static_cast<std::string *>(Text);
    if (First.empty())
      First = (llvm::Twine(D.getLineNo()) + ":" +
               llvm::Twine(D.getColumnNo() + 1) + ": " + D.getMessage())
                  .str();
  };
  Settings S;
  std::string Wrong;
  llvm::yaml::Input In(**Buffer, &Wrong, Keep, &Complaint);
  In >> S;
  if (In.error())
    return llvm::createStringError(llvm::errc::invalid_argument,
                                   Path + ":" + Complaint +
                                       keyMeantBy(Complaint));
  if (!Wrong.empty())
    return llvm::createStringError(llvm::errc::invalid_argument,
                                   "'" + Path + "': " + Wrong);
  for (std::optional<std::string> *Named : {&S.CudaPath, &S.Profile})
    if (*Named && !llvm::sys::path::is_absolute(**Named)) {
      llvm::SmallString<256> Full(llvm::sys::path::parent_path(Path));
      llvm::sys::path::append(Full, **Named);
      *Named = Full.str().str();
    }
  return S;
}

std::string toYaml(const Settings &S) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  llvm::yaml::Output Out(OS, nullptr, /*WrapColumn=*/0);
  Settings Copy = S;
  Out << Copy;
  return Text + "\n";
}

} // namespace kpipe

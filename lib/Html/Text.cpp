// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cleaning and escaping, see Text.h.
#include "Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/JSON.h"

namespace kpipe::html {

/// Code points that HTML forbids: controls beyond ASCII and noncharacters.
static bool isForbidden(uint32_t Point) {
  return (Point >= 0x80 && Point < 0xA0) ||
         (Point >= 0xFDD0 && Point <= 0xFDEF) || (Point & 0xFFFE) == 0xFFFE;
}

static bool turnsDirection(uint32_t Point) {
  return Point == 0x061C || Point == 0x200E || Point == 0x200F ||
         (Point >= 0x202A && Point <= 0x202E) ||
         (Point >= 0x2066 && Point <= 0x2069);
}

static void append(std::string &Out, uint32_t Point) {
  char Buffer[UNI_MAX_UTF8_BYTES_PER_CODE_POINT];
  char *End = Buffer;
  llvm::ConvertCodePointToUTF8(Point, End);
  Out.append(Buffer, End);
}

std::string cleaned(llvm::StringRef Bytes) {
  std::string Utf8 =
      llvm::json::isUTF8(Bytes) ? Bytes.str() : llvm::json::fixUTF8(Bytes);
  std::string Out;
  const auto *At = reinterpret_cast<const llvm::UTF8 *>(Utf8.data());
  const auto *End = At + Utf8.size();
  while (At != End) {
    uint32_t Point;
    llvm::convertUTF8Sequence(&At, End, &Point, llvm::strictConversion);
    if (Point == '\r' && (At == End || *At == '\n'))
      continue;
    if (Point == 0x7F)
      append(Out, 0x2421);
    else if (Point < 0x20 && Point != '\t' && Point != '\n')
      append(Out, 0x2400 + Point);
    else if (turnsDirection(Point))
      Out += "<U+" + llvm::utohexstr(Point, /*LowerCase=*/false, 4) + ">";
    else
      append(Out, isForbidden(Point) ? 0xFFFD : Point);
  }
  return Out;
}

std::string escaped(llvm::StringRef Clean) {
  std::string Out;
  Out.reserve(Clean.size());
  for (char C : Clean)
    switch (C) {
    case '&':
      Out += "&amp;";
      break;
    case '<':
      Out += "&lt;";
      break;
    case '>':
      Out += "&gt;";
      break;
    case '"':
      Out += "&quot;";
      break;
    case '\'':
      Out += "&#39;";
      break;
    default:
      Out += C;
    }
  return Out;
}

std::string text(llvm::StringRef Bytes) { return escaped(cleaned(Bytes)); }

std::string grouped(uint64_t Number) {
  std::string Digits = std::to_string(Number), Out;
  for (size_t I = 0; I < Digits.size(); ++I) {
    if (I && (Digits.size() - I) % 3 == 0)
      Out += "\u202F";
    Out += Digits[I];
  }
  return Out;
}

} // namespace kpipe::html

#include "server/message.h"

#include <algorithm>
#include <string_view>

namespace {

// The parser skips a byte order mark, and takes a null byte outside of texts for the end of the line.
bool HasWhatTheParserSkips(const std::string& line) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  return line.compare(0, kByteOrderMark.size(), kByteOrderMark) == 0 || line.find('\0') != std::string::npos;
}

// The closing quotation mark of the text that begins at `at`, or the end of the line.
size_t EndOfText(const std::string& line, size_t at) {
  for (++at; at < line.size() && line[at] != '"'; ++at) {
    if (line[at] == '\\') ++at;
  }
  return at;
}

// The levels of a line, as far as it is JSON.
size_t LevelsOf(const std::string& line) {
  size_t level = 0;
  size_t most = 0;
  for (size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    if (c == '"') {
      at = EndOfText(line, at);
    } else if (c == '[' || c == '{') {
      most = std::max(most, ++level);
    } else if (c == ']' || c == '}') {
      if (level-- == 0) return most;  // here the parser ends
    }
  }
  return most;
}

}  // namespace

Json MessageOf(const std::string& line, size_t max_levels) {
  if (HasWhatTheParserSkips(line) || LevelsOf(line) > max_levels) return Json(Json::value_t::discarded);
  return Json::parse(line, /*cb=*/nullptr, /*allow_exceptions=*/false);
}

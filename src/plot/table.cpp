#include "plot/table.h"

#include <algorithm>
#include <string>

namespace posenc {
namespace {

// Of UTF-8: all bytes but those that continue a character.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

// Without line breaks and what else would move a terminal.
std::string plain(const std::string& text) {
  std::string result;
  for (const char c : text) result += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  return result;
}

Table plain(Table table) {
  for (auto& row : table.rows)
    for (std::string& cell : row) cell = plain(cell);
  return table;
}

}  // namespace

std::string markdown_cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? "\\|" : std::string(1, c);
  return escaped;
}

std::string text_of(const Table& given) {
  const Table table = plain(given);
  std::vector<std::size_t> widths;
  for (const std::string& name : table.header) widths.push_back(width(name));
  for (const auto& row : table.rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string text;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string space(widths[i] - width(cells[i]), ' ');
      text += (i == 0 ? "" : "  ") + (holds_words(table, i) ? cells[i] + space : space + cells[i]);
    }
    return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
  };
  std::string text = table.title + "\n";
  text += line(table.header);
  for (const auto& row : table.rows) text += line(row);
  for (const std::string& note : table.notes) text += "  " + note + "\n";
  return text;
}

std::string markdown_of(const Table& given) {
  const Table table = plain(given);
  std::string text = "### " + table.title + "\n\n|";
  for (const std::string& name : table.header) text += " " + markdown_cell(name) + " |";
  text += "\n|";
  for (std::size_t i = 0; i < table.header.size(); ++i) text += holds_words(table, i) ? "---|" : "---:|";
  text += "\n";
  for (const auto& row : table.rows) {
    text += "|";
    for (const std::string& cell : row) text += " " + markdown_cell(cell) + " |";
    text += "\n";
  }
  for (const std::string& note : table.notes) text += "\n" + note + "\n";
  return text;
}

}  // namespace posenc

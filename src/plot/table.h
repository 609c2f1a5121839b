// A table of texts, and how it is written for a terminal and as Markdown.
#pragma once

#include <string>
#include <vector>

namespace posenc {

struct Table {
  std::string title;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  // as many cells each as the header
  std::size_t words = 1;                       // columns from the left that hold words; the others are numbers
  bool last_is_words = false;
  std::vector<std::string> notes;  // one sentence each, below the table
};

inline bool holds_words(const Table& table, std::size_t column) {
  return column < table.words || (table.last_is_words && column + 1 == table.header.size());
}

// Title, header and rows with aligned columns, then the notes; each line ends. Width counts code points.
std::string text_of(const Table& table);

std::string markdown_of(const Table& table);

// Text in a cell of a Markdown table.
std::string markdown_cell(const std::string& text);

}  // namespace posenc

#include "encodings/registry.h"

#include "config/choice.h"
#include "posenc/encoding.h"

namespace posenc {

std::vector<EncodingEntry> all_encodings() {
  return {
#define POSENC_ENCODING(name) encodings::name(),
#include "encodings/encodings.def"
#undef POSENC_ENCODING
  };
}

std::shared_ptr<Encoding> make_encoding(const std::string& choice, const EncodingSizes& sizes) {
  const ChoiceText text = split_choice(choice, "--pos");
  const EncodingEntry& entry = find_entry(catalog().encodings, text.name, "--pos", "encoding");
  return entry.make(sizes, read_parameters(entry, text, "--pos"));
}

}  // namespace posenc

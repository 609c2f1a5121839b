#include "config/curriculum_choice.h"

namespace posenc {

CurriculumChoice read_curriculum_choice(std::string_view text, const Catalog& catalog, std::string_view what) {
  const ChoiceText choice = split_choice(text, what);
  const CurriculumEntry& entry = find_entry(catalog.curricula, choice.name, what, "curriculum");
  return {&entry, read_parameters(entry, choice, what)};
}

}  // namespace posenc

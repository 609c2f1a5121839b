#include "config/fields.h"

#include <set>

#include "support/catch.h"

using namespace posenc;

TEST_CASE("the table's names are unique, plain and found", "[config]") {
  std::set<std::string> names;
  for (const Field& field : fields()) {
    CHECK(names.insert(field.name).second);
    CHECK(field.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == std::string::npos);
    CHECK(find_field(field.name) == &field);
    CHECK_FALSE(field.help.empty());
    CHECK(field.placeholder.empty() == (field.type.kind == ValueType::Kind::flag));
  }
  CHECK(find_field("no-such-field") == nullptr);
}

TEST_CASE("every default is a legal value of its field", "[config]") {
  const RunConfig defaults;
  for (const Field& field : fields()) {
    const Value value = field.get(defaults);
    if (to_text(value).empty()) continue;  // not set
    CHECK(parse_value(field.type, to_text(value), field.name) == value);
  }
}

TEST_CASE("every field sets the member it reads", "[config]") {
  for (const Field& field : fields()) {
    RunConfig config;
    Value value;
    switch (field.type.kind) {
      case ValueType::Kind::flag:
        value = true;
        break;
      case ValueType::Kind::integer:
        value = std::int64_t{77};
        break;
      case ValueType::Kind::real:
        value = 0.125;
        break;
      case ValueType::Kind::text:
        value = std::string("some text");
        break;
    }
    field.set(config, value);
    CHECK(field.get(config) == value);
    for (const Field& other : fields())
      if (other.name != field.name) CHECK(other.get(config) == other.get(RunConfig{}));
  }
}

TEST_CASE("what is only shown is not part of a run's identity", "[config]") {
  for (const char* name : {"json", "config", "expect-val-acc"}) CHECK_FALSE(find_field(name)->identity);
  for (const char* name : {"pos", "seed", "device", "threads", "dropout", "max-len"}) CHECK(find_field(name)->identity);
}

TEST_CASE("the defaults are the published ones", "[config]") {
  const RunConfig c;
  CHECK((c.vocab == 100 && c.seq_len == 16 && c.train_size == 2000 && c.val_size == 400));
  CHECK((c.epochs == 30 && c.batch_size == 64 && c.lr == 1e-3 && c.seed == 42 && c.dropout == 0.1));
  CHECK((c.d_model == 32 && c.heads == 4 && c.layers == 1 && c.ffn == 64));
}

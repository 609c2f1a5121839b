#include "checkpoint/pickle.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "checkpoint/byte_reader.h"
#include "checkpoint/opcodes.h"
#include "checkpoint/pickle_globals.h"
#include "checkpoint/printable.h"
#include "posenc/error.h"

namespace posenc {
namespace {

// A tensor takes about 40 opcodes. Each opcode makes at most one value, so this bounds every table below.
constexpr std::size_t kMostOpcodes = std::size_t{1} << 20;
constexpr std::size_t kMostTensors = std::size_t{1} << 15;
constexpr std::size_t kMostDimensions = 8;
constexpr std::size_t kLongestText = 256;  // a name is copied for every tensor, and the file may hold it once

// 16 bytes, since a hostile file can ask for a million of them. Texts stay in the pickle, all else in the tables.
struct Operand {
  enum class Kind : std::uint8_t { mark, boolean, integer, text, global, tuple, dict, storage, tensor };
  Kind kind;
  std::uint32_t length = 0;  // text: bytes; tuple: elements
  std::uint64_t at = 0;      // text: where in the pickle; integer: the number itself; else: where in its table
};

class PickleReader {
 public:
  explicit PickleReader(std::string_view pickle) : pickle_(pickle), in_(pickle) {}

  std::vector<TensorEntry> read() {
    for (std::size_t count = 0; count < kMostOpcodes; ++count) {
      opcode_ = static_cast<Opcode>(in_.byte());
      if (opcode_ == Opcode::kStop) return tensors_of(pop(Operand::Kind::dict));
      step();
    }
    throw Error(fmt::format("the pickle is too long (allowed: {} opcodes)", kMostOpcodes));
  }

 private:
  struct Storage {
    const PickleGlobal* type;
    Operand key;
    std::int64_t size;
  };
  struct Tensor {
    std::uint64_t storage;
    std::int64_t offset;
    Operand shape, stride;  // tuples of integers
  };
  struct Item {
    std::uint64_t dict;
    Operand key, value;
  };

  void step() {
    switch (opcode_) {
      case Opcode::kProto:
        if (const std::uint8_t protocol = in_.byte(); protocol != 2)
          throw Error(fmt::format("pickle opcode PROTO {} is not allowed (allowed: 2, torch.save's own)", protocol));
        break;
      case Opcode::kMark:
        return push(Operand::Kind::mark);
      case Opcode::kNewTrue:
      case Opcode::kNewFalse:
        return push(Operand::Kind::boolean);
      case Opcode::kBinInt1:
        return push_integer(static_cast<std::int64_t>(in_.little_endian(1)));
      case Opcode::kBinInt2:
        return push_integer(static_cast<std::int64_t>(in_.little_endian(2)));
      case Opcode::kBinInt:
        return push_integer(static_cast<std::int32_t>(in_.little_endian(4)));
      case Opcode::kLong1:
        return long1();
      case Opcode::kBinUnicode:
        return text();
      case Opcode::kEmptyDict:
        return push_dict();
      case Opcode::kEmptyTuple:
        return push_tuple(0);
      case Opcode::kTuple1:
        return push_tuple(1);
      case Opcode::kTuple2:
        return push_tuple(2);
      case Opcode::kTuple3:
        return push_tuple(3);
      case Opcode::kTuple:
        return push_tuple(above_mark());
      case Opcode::kBinPut:
        return put(in_.little_endian(1));
      case Opcode::kLongBinPut:
        return put(in_.little_endian(4));
      case Opcode::kBinGet:
        return get(in_.little_endian(1));
      case Opcode::kLongBinGet:
        return get(in_.little_endian(4));
      case Opcode::kSetItem:
        return set_items(2);
      case Opcode::kSetItems:
        return set_items(above_mark());
      case Opcode::kGlobal:
        return global();
      case Opcode::kBinPersId:
        return storage();
      case Opcode::kReduce:
        return reduce();
      case Opcode::kBuild:
        return build();
      case Opcode::kStackGlobal:
        if (stack_.size() >= 2 && stack_.back().kind == Operand::Kind::text &&
            stack_[stack_.size() - 2].kind == Operand::Kind::text)
          find_pickle_global(view(stack_[stack_.size() - 2]), view(stack_.back()));  // throws the better message
        [[fallthrough]];
      default:
        throw Error(fmt::format("pickle opcode {} is not allowed (given at byte {}, allowed: those of a state dict)",
                                opcode_name(static_cast<std::uint8_t>(opcode_)), in_.position() - 1));
    }
  }

  // --- stack

  [[noreturn]] void malformed() const {
    throw Error(fmt::format("pickle opcode {} does not fit its operands (before byte {})",
                            opcode_name(static_cast<std::uint8_t>(opcode_)), in_.position()));
  }

  void push(Operand::Kind kind, std::uint64_t at = 0, std::uint32_t length = 0) {
    stack_.push_back({kind, length, at});
  }
  void push_integer(std::int64_t number) { push(Operand::Kind::integer, static_cast<std::uint64_t>(number)); }
  void push_dict() { push(Operand::Kind::dict, dicts_++); }

  const Operand& top() const {
    if (stack_.empty() || stack_.back().kind == Operand::Kind::mark) malformed();
    return stack_.back();
  }

  Operand pop() {
    const Operand value = top();
    stack_.pop_back();
    return value;
  }

  Operand pop(Operand::Kind kind) {
    const Operand value = pop();
    if (value.kind != kind) malformed();
    return value;
  }

  // Removes the topmost mark. Returns how many values were above it.
  std::uint32_t above_mark() {
    const auto mark = std::find_if(stack_.rbegin(), stack_.rend(),
                                   [](const Operand& value) { return value.kind == Operand::Kind::mark; });
    if (mark == stack_.rend()) malformed();
    const auto count = static_cast<std::uint32_t>(mark - stack_.rbegin());
    stack_.erase(std::next(mark).base());
    return count;
  }

  // The topmost `count` values, in the order they were pushed.
  std::span<const Operand> topmost(std::uint32_t count) const {
    if (count > stack_.size()) malformed();
    const std::span<const Operand> values = std::span<const Operand>(stack_).last(count);
    for (const Operand& value : values)
      if (value.kind == Operand::Kind::mark) malformed();
    return values;
  }

  void drop(std::uint32_t count) { stack_.resize(stack_.size() - count, Operand{Operand::Kind::mark}); }

  // --- values

  std::string_view view(const Operand& text) const { return pickle_.substr(text.at, text.length); }
  std::span<const Operand> view_tuple(const Operand& tuple) const {
    return std::span<const Operand>(elements_).subspan(tuple.at, tuple.length);
  }
  static std::int64_t number(const Operand& integer) { return static_cast<std::int64_t>(integer.at); }

  void long1() {
    const std::size_t length = in_.byte();
    if (length > 8) throw Error(fmt::format("the pickle holds a number of {} bytes (allowed: at most 8)", length));
    std::uint64_t value = in_.little_endian(length);
    const bool negative = length > 0 && length < 8 && (value >> (8 * length - 1)) != 0;
    if (negative) value |= ~std::uint64_t{0} << (8 * length);
    push_integer(static_cast<std::int64_t>(value));
  }

  void text() {
    const auto length = static_cast<std::uint32_t>(in_.little_endian(4));
    if (length > kLongestText)
      throw Error(fmt::format("the pickle holds a text of {} bytes (allowed: at most {})", length, kLongestText));
    const std::size_t at = in_.position();
    in_.bytes(length);
    push(Operand::Kind::text, at, length);
  }

  void push_tuple(std::uint32_t count) {
    const std::span<const Operand> values = topmost(count);
    const std::size_t at = elements_.size();
    elements_.insert(elements_.end(), values.begin(), values.end());
    drop(count);
    push(Operand::Kind::tuple, at, count);
  }

  // Pickle writers number their memo without gaps.
  void put(std::uint64_t index) {
    if (index > memo_.size()) malformed();
    if (index == memo_.size())
      memo_.push_back(top());
    else
      memo_[index] = top();
  }

  void get(std::uint64_t index) {
    if (index >= memo_.size()) malformed();
    stack_.push_back(memo_[index]);
  }

  void set_items(std::uint32_t count) {
    const std::span<const Operand> values = topmost(count);
    if (count % 2 != 0 || count >= stack_.size()) malformed();
    const Operand& dict = stack_[stack_.size() - count - 1];
    if (dict.kind != Operand::Kind::dict) malformed();
    for (std::size_t i = 0; i < count; i += 2) {
      if (values[i].kind != Operand::Kind::text) malformed();
      items_.push_back({dict.at, values[i], values[i + 1]});
    }
    drop(count);
  }

  // A state dict's _metadata, which is an attribute of the OrderedDict and means nothing here.
  void build() {
    pop(Operand::Kind::dict);
    if (top().kind != Operand::Kind::dict) malformed();
  }

  void global() {
    const std::string_view module = in_.line(), name = in_.line();
    globals_.push_back(&find_pickle_global(module, name));
    push(Operand::Kind::global, globals_.size() - 1);
  }

  // ('storage', type, key, device, size)
  void storage() {
    const Operand tuple = pop(Operand::Kind::tuple);
    const std::span<const Operand> v = view_tuple(tuple);
    if (v.size() != 5 || v[0].kind != Operand::Kind::text || view(v[0]) != "storage" ||
        v[1].kind != Operand::Kind::global || globals_[v[1].at]->kind != PickleGlobal::Kind::storage ||
        v[2].kind != Operand::Kind::text || v[3].kind != Operand::Kind::text || v[4].kind != Operand::Kind::integer)
      malformed();
    if (number(v[4]) < 0)
      throw Error(fmt::format("storage {} has a negative size (given {})", printable(view(v[2])), number(v[4])));
    storages_.push_back({globals_[v[1].at], v[2], number(v[4])});
    push(Operand::Kind::storage, storages_.size() - 1);
  }

  void reduce() {
    const Operand arguments = pop(Operand::Kind::tuple);
    const Operand callee = pop(Operand::Kind::global);
    const std::span<const Operand> v = view_tuple(arguments);
    switch (globals_[callee.at]->kind) {
      case PickleGlobal::Kind::dict:
        if (!v.empty()) malformed();
        return push_dict();
      case PickleGlobal::Kind::tensor:
        return rebuild_tensor(v);
      case PickleGlobal::Kind::parameter:  // (tensor, requires_grad, hooks)
        if (v.size() != 3 || v[0].kind != Operand::Kind::tensor) malformed();
        stack_.push_back(v[0]);
        return;
      case PickleGlobal::Kind::storage:
        malformed();
    }
  }

  bool is_integers(const Operand& value) const {
    if (value.kind != Operand::Kind::tuple || value.length > kMostDimensions) return false;
    const std::span<const Operand> all = view_tuple(value);
    return std::all_of(all.begin(), all.end(), [](const Operand& v) { return v.kind == Operand::Kind::integer; });
  }

  // (storage, offset, shape, stride, requires_grad, hooks); a seventh argument marks a conjugate or negated view.
  void rebuild_tensor(std::span<const Operand> v) {
    if (v.size() != 6 || v[0].kind != Operand::Kind::storage || v[1].kind != Operand::Kind::integer ||
        !is_integers(v[2]) || !is_integers(v[3]) || v[2].length != v[3].length || v[4].kind != Operand::Kind::boolean ||
        v[5].kind != Operand::Kind::dict)
      malformed();
    tensors_.push_back({v[0].at, number(v[1]), v[2], v[3]});
    push(Operand::Kind::tensor, tensors_.size() - 1);
  }

  std::vector<std::int64_t> numbers(const Operand& tuple) const {
    std::vector<std::int64_t> all;
    all.reserve(tuple.length);
    for (const Operand& value : view_tuple(tuple)) all.push_back(number(value));
    return all;
  }

  // --- the result

  std::vector<TensorEntry> tensors_of(const Operand& dict) const {
    std::vector<TensorEntry> entries;
    std::vector<std::string_view> names;
    for (const Item& item : items_) {
      if (item.dict != dict.at) continue;
      if (entries.size() == kMostTensors) throw Error(fmt::format("too many tensors (allowed: {})", kMostTensors));
      entries.push_back(entry(item));
      names.push_back(view(item.key));
    }
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice != names.end()) throw Error(fmt::format("{} is there twice", printable(*twice)));
    return entries;
  }

  TensorEntry entry(const Item& item) const {
    const std::string name = printable(view(item.key));
    if (item.value.kind != Operand::Kind::tensor)
      throw Error(fmt::format("{} is not a tensor (allowed: a state dict itself, not one inside another dict)", name));
    const Tensor& tensor = tensors_[item.value.at];
    const Storage& store = storages_[tensor.storage];
    if (store.type->dtype != "float32")
      throw Error(fmt::format("{} has the wrong type (given {}, allowed: float32)", name, store.type->dtype));
    TensorEntry entry{std::string(view(item.key)),  numbers(tensor.shape),
                      numbers(tensor.stride),       tensor.offset,
                      std::string(view(store.key)), store.size};
    if (!lies_inside_storage(entry))
      throw Error(
          fmt::format("{} does not lie inside its storage (given shape ({}), stride ({}), offset {}, storage {})", name,
                      fmt::join(entry.shape, ","), fmt::join(entry.stride, ","), entry.offset, entry.storage_size));
    return entry;
  }

  std::string_view pickle_;
  ByteReader in_;
  Opcode opcode_ = Opcode::kStop;
  std::vector<Operand> stack_, memo_;
  std::vector<Operand> elements_;  // of all tuples
  std::vector<const PickleGlobal*> globals_;
  std::vector<Storage> storages_;
  std::vector<Tensor> tensors_;
  std::vector<Item> items_;  // of all dicts, in the order they were set
  std::uint64_t dicts_ = 0;
};

}  // namespace

std::vector<TensorEntry> read_pickle(std::string_view pickle) { return PickleReader(pickle).read(); }

}  // namespace posenc

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "checkpoint/checkpoint.h"
#include "checkpoint/printable.h"
#include "checkpoint/state_dict.h"
#include "checkpoint/tensor_index.h"
#include "checkpoint/wrapped_names.h"
#include "posenc/encoding.h"
#include "posenc/error.h"

namespace posenc {
namespace {

// Every error of the readers below, with the file it is about.
template <typename Function>
auto about(const std::string& path, Function&& function) {
  try {
    return function();
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", path, error.what()), error.kind());
  }
}

// Views into the storages, each of which is read once: no tensor takes memory that the file does not hold.
std::vector<torch::Tensor> read_tensors(const Archive& archive, const std::vector<TensorEntry>& entries) {
  std::unordered_map<std::string, torch::Tensor> storages;
  std::vector<torch::Tensor> tensors;
  tensors.reserve(entries.size());
  for (const TensorEntry& entry : entries) {
    torch::Tensor& storage = storages[entry.storage];
    if (!storage.defined()) {
      storage = torch::empty({entry.storage_size});
      archive.read(storage_entry(archive, entry), {static_cast<char*>(storage.mutable_data_ptr()), storage.nbytes()});
    }
    tensors.push_back(storage.as_strided(entry.shape, entry.stride, entry.offset));
  }
  return tensors;
}

// One kind of misfit: "missing: a, b". A hostile file may have thousands; a model has not.
void add_list(std::vector<std::string>& lists, std::string_view kind, const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 1000;
  if (names.empty()) return;
  const std::size_t shown = std::min(names.size(), kMost);
  lists.push_back(fmt::format("{}: {}{}", kind, fmt::join(names.begin(), names.begin() + shown, ", "),
                              shown < names.size() ? fmt::format(" and {} more", names.size() - shown) : ""));
}

void check_names_and_shapes(const std::vector<NamedTensor>& model, const std::map<std::string, std::size_t>& places,
                            const std::vector<TensorEntry>& entries) {
  std::vector<std::string> missing, surplus, misshapen;
  std::map<std::string, const NamedTensor*> expected;
  for (const NamedTensor& named : model) {
    expected[named.name] = &named;
    const auto found = places.find(named.name);
    if (found == places.end()) {
      missing.push_back(named.name);
    } else if (const auto& shape = entries[found->second].shape; named.tensor.sizes() != torch::IntArrayRef(shape)) {
      misshapen.push_back(
          fmt::format("{} is ({}), not ({})", named.name, fmt::join(shape, ","), fmt::join(named.tensor.sizes(), ",")));
    }
  }
  for (const TensorEntry& entry : entries)
    if (!expected.contains(entry.name)) surplus.push_back(entry.name);
  if (const std::string explained = explain_wrapped_names(missing, surplus); !explained.empty()) throw Error(explained);
  std::transform(surplus.begin(), surplus.end(), surplus.begin(), [](const auto& name) { return printable(name); });
  std::vector<std::string> lists;
  add_list(lists, "missing", missing);
  add_list(lists, "surplus", surplus);
  add_list(lists, "wrong shape", misshapen);
  if (!lists.empty())
    throw Error(fmt::format("does not fit the model that the options make ({})", fmt::join(lists, "; ")));
}

// A buffer is computed from the configuration, so a file with another one belongs to another model. Its rows are those
// of positions: PyTorch's own tables have their angles in single precision, and are off by more the later a position is.
void check_buffer(const NamedTensor& named, const torch::Tensor& loaded) {
  constexpr double kTolerance = 1e-5, kPerRow = 6e-8;
  if (named.tensor.numel() == 0) return;
  const torch::Tensor own = named.tensor.cpu().to(torch::kFloat64).flatten(/*start_dim=*/1);
  const torch::Tensor difference = (own - loaded.to(torch::kFloat64).flatten(/*start_dim=*/1)).abs().amax(/*dim=*/1);
  const torch::Tensor allowed = kTolerance + kPerRow * torch::arange(difference.numel(), torch::kFloat64);
  const torch::Tensor wrong = torch::nonzero(~(difference <= allowed)).flatten();  // nan too
  if (wrong.numel() == 0) return;
  const int64_t row = wrong[0].item<int64_t>();
  throw Error(
      fmt::format("{} is not what this model computes (given values that differ by {:.3g} in row {}, allowed: {:.3g})",
                  named.name, difference[row].item<double>(), row, allowed[row].item<double>()));
}

// What a model with such weights answers means nothing.
void check_finite(const std::string& name, const torch::Tensor& loaded) {
  const torch::Tensor wrong = loaded.masked_select(~loaded.isfinite());
  if (wrong.numel() > 0)
    throw Error(fmt::format("{} has {} of {} values that are not finite (the first is {}): the model cannot answer",
                            name, wrong.numel(), loaded.numel(), wrong[0].item<double>()),
                Error::Kind::failure);
}

// Gives tensors that an earlier release saved under another name the name of today; by that name, the factor of each.
std::map<std::string, double> rename_former(const torch::nn::Module& model, std::vector<TensorEntry>& entries) {
  std::map<std::string, double> factors;
  const auto named = [&](const std::string& name) {
    return std::find_if(entries.begin(), entries.end(), [&](const TensorEntry& entry) { return entry.name == name; });
  };
  for (const auto& module : model.named_modules("", /*include_self=*/false)) {
    const auto* encoding = dynamic_cast<const Encoding*>(module.value().get());
    if (encoding == nullptr) continue;
    for (const Encoding::FormerTensor& former : encoding->former_tensors()) {
      const auto found = named(module.key() + "." + former.was);
      if (found == entries.end() || named(module.key() + "." + former.now) != entries.end()) continue;
      found->name = module.key() + "." + former.now;
      factors[found->name] = former.factor;
    }
  }
  return factors;
}

}  // namespace

std::vector<std::pair<std::string, torch::Tensor>> read_checkpoint(const std::string& path) {
  return about(path, [&] {
    const Archive archive = Archive::open(path);
    const std::vector<TensorEntry> entries = read_index(archive);
    const std::vector<torch::Tensor> tensors = read_tensors(archive, entries);
    std::vector<std::pair<std::string, torch::Tensor>> named;
    named.reserve(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) named.emplace_back(entries[i].name, tensors[i]);
    return named;
  });
}

void load_checkpoint(const std::string& path, torch::nn::Module& model) {
  about(path, [&] {
    const torch::NoGradGuard no_grad;
    const std::vector<NamedTensor> own = state_dict(model);
    const Archive archive = Archive::open(path);
    std::vector<TensorEntry> entries = read_index(archive);
    const std::map<std::string, double> factors = rename_former(model, entries);
    std::map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < entries.size(); ++i) places[entries[i].name] = i;
    check_names_and_shapes(own, places, entries);
    const std::vector<torch::Tensor> tensors = read_tensors(archive, entries);
    const auto loaded = [&](const NamedTensor& named) { return tensors[places.at(named.name)]; };
    for (const NamedTensor& named : own) {
      if (named.is_buffer) check_buffer(named, loaded(named));
      check_finite(named.name, loaded(named));
    }
    for (const NamedTensor& named : own) named.tensor.copy_(loaded(named));
    for (const NamedTensor& named : own)
      if (const auto factor = factors.find(named.name); factor != factors.end()) named.tensor.mul_(factor->second);
  });
}

}  // namespace posenc

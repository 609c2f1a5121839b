// torch::pickle_save writes type tags that Python's torch.load(weights_only=True) refuses, so the two halves of the
// format are put together here: torch's own pickler without tags, and torch's own container.
#include <caffe2/serialize/inline_container.h>
#include <fmt/format.h>
#include <torch/csrc/jit/serialization/pickler.h>

#include "base/replacement_file.h"
#include "checkpoint/checkpoint.h"
#include "checkpoint/state_dict.h"
#include "posenc/error.h"

namespace posenc {
namespace {

// A compact copy on the CPU: the storage of a view would go into the file whole.
torch::Tensor copy_to_save(const NamedTensor& named) {
  if (named.tensor.scalar_type() != torch::kFloat)
    throw Error(
        fmt::format("cannot save {} (given {}, allowed: Float)", named.name, toString(named.tensor.scalar_type())),
        Error::Kind::failure);
  return named.tensor.detach().to(torch::kCPU).clone(at::MemoryFormat::Contiguous);
}

}  // namespace

void save_checkpoint(const std::string& path, const torch::nn::Module& model) {
  c10::Dict<std::string, torch::Tensor> dict;
  for (const NamedTensor& named : state_dict(model)) dict.insert(named.name, copy_to_save(named));

  std::string pickle;
  int64_t count = 0;
  torch::jit::Pickler pickler([&](const char* bytes, std::size_t size) { pickle.append(bytes, size); },
                              /*tensor_table=*/nullptr, /*type_renamer=*/nullptr, /*memoized_class_types=*/nullptr,
                              [&](const torch::Tensor&) { return std::to_string(count++); }, /*tag_aggregates=*/false);
  pickler.protocol();
  pickler.pushIValue(dict);
  pickler.stop();

  ReplacementFile file(path);
  {
    // The writer's destructor writes, and would end the process when told of an error.
    caffe2::serialize::PyTorchStreamWriter writer([&](const void* data, std::size_t size) {
      file.write(data, size);
      return size;
    });
    writer.writeRecord("data.pkl", pickle.data(), pickle.size());
    writer.writeRecord("byteorder", "little", 6);
    int64_t key = 0;
    for (const torch::Tensor& tensor : pickler.tensorData())
      writer.writeRecord("data/" + std::to_string(key++), tensor.const_data_ptr(), tensor.nbytes());
    writer.writeEndOfFile();
  }
  file.commit();
}

}  // namespace posenc

// Accuracy of a model, without dropout, gradients or random numbers.
#pragma once

#include "model/tiny_transformer.h"
#include "training/dataset.h"

namespace posenc {

// Share of `data` whose most probable class is its label, 0..1. Sequences go through the model `chunk` at a time.
double accuracy(TinyTransformer& model, const Dataset& data, int64_t chunk);

}  // namespace posenc

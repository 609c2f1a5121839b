// The kernels' matrix product by itself, and what this core's arithmetic could do at most: for measuring.
#pragma once

#include <cstddef>

namespace posenc::kernels {

// c (rows,columns) = a (rows,depth) b (depth,columns); with a_transposed, a is (depth,rows). All contiguous.
void matrix_product(std::size_t rows, std::size_t columns, std::size_t depth, const float* a, bool a_transposed,
                    const float* b, float* c);

// Multiplications and additions of floats a second on this core, in thousands of millions: independent fused
// multiply-adds in registers, for about 20 ms.
double peak_gflops();

}  // namespace posenc::kernels

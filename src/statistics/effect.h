// How great a difference is: in the outcome's units, and in standard deviations.
#pragma once

#include <span>

#include "statistics/bootstrap.h"

namespace posenc {

// Each with its BCa interval (bootstrap.h), both from the same resamples.
struct Effect {
  Estimate difference;    // of the means, in the units of the values
  Estimate standardized;  // no unit; nan and a reason where it is undefined
};

// Mean over standard deviation of the differences: Cohen's d_z (Cohen 1988, "Statistical power analysis",
// section 2.3.5). nan for fewer than two differences. Where the standard deviation is 0: 0 if the mean is, too, else
// infinite.
double cohen_dz(std::span<const double> differences);

// (mean of first - mean of second) over the pooled standard deviation, times the exact correction of its bias,
// J(m) = Gamma(m/2) / (sqrt(m/2) Gamma((m-1)/2)) of m = n1 + n2 - 2 (Hedges 1981, "Distribution theory for Glass's
// estimator of effect size", equation 6e). nan for an empty group and for m < 2. Where the pooled standard deviation is
// 0: 0 if the means are equal, else infinite.
double hedges_g(std::span<const double> first, std::span<const double> second);

// Pairs, one a seed; resampled as pairs. The standardized effect of differences that are all equal is undefined:
// nan and Why::all_equal. Throws posenc::Error on a value that is not finite.
Effect paired_effect(std::span<const double> differences, const Resampling& resampling = {});

// Independent groups, each resampled by itself. The standardized effect of two groups of no spread is undefined: nan
// and Why::all_equal. Throws as above.
Effect unpaired_effect(std::span<const double> first, std::span<const double> second,
                       const Resampling& resampling = {});

}  // namespace posenc

"""What scipy and statsmodels say of samples, pairs and groups: tests/golden/statistics.json, for tests/statistics.

  scipy 1.17.1        quantiles, binomial order statistics, BCa intervals, exact permutation tests, gamma functions
  statsmodels 0.15.0  Wilson's interval, Holm's adjustment, power
  numpy 2.4.6         means, standard deviations, quartiles

Needs nothing but pip install numpy==2.4.6 scipy==1.17.1 statsmodels==0.15.0. Infinity ("never") and nan (a failed run) are
the strings "inf" and "nan". A statistic that does not exist is null.
"""
import importlib.metadata, json, math, warnings
import numpy as np
from scipy import special, stats
from scipy.stats._resampling import _bca_interval  # for the levels that the ends are quantiles at
from statsmodels.stats import multitest, power, proportion

RESAMPLES = 999_999  # so many that the noise of a comparison is that of posenc's own resamples


def plain(number):
    if number is None:
        return None
    number = float(number)
    return number if math.isfinite(number) else str(number)


def samples(rng):
    normal, uniform = rng.standard_normal, rng.random
    accuracy = lambda x: np.round(np.clip(x, 0, 1) * 200) / 200
    return {
        "none": [],
        "one": [0.75],
        "two": [0.5, 1.0],
        "two equal": [0.25, 0.25],
        "three": [1.0, 2.0, 4.0],
        "four": [3.0, 1.0, 4.0, 1.5],
        "five": [0.9, 0.8, 0.95, 0.97, 0.5],
        "six": [2.0, 7.0, 1.0, 8.0, 2.5, 8.5],
        "seven, with ties": [1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 9.0],
        "eight": normal(8),
        "all equal": [1.0] * 8,
        "all equal but one": [1.0] * 7 + [0.5],
        "all never": [math.inf] * 8,
        "some never": [12.0, math.inf, 30.0, 17.0, math.inf, 21.0, 14.0, 55.0],
        "half never": [3.0, math.inf, 5.0, math.inf, 4.0, math.inf],
        "most never": [math.inf, math.inf, math.inf, 40.0, math.inf],
        "one failed": [0.9, math.nan, 0.8, 0.85, 0.95, 0.99, 0.7, 0.6, 0.97],
        "negative": [-3.0, -1.5, -2.25, 0.0, 1.0],
        "accuracies with ties": accuracy(0.95 + 0.03 * normal(16)),
        "accuracies at the ceiling": accuracy(uniform(32) ** (1 / 50)),
        "normal": 3 + 2 * normal(32),
        "lognormal": np.exp(normal(32)),
        "bimodal": np.where(uniform(16) < 0.5, 0.5, 1.0) + 0.02 * normal(16),
        "far from zero": 1e6 + normal(16),
        "hundred": uniform(100),
        "large": np.exp(0.5 * normal(501)),
    }


def quartiles(values):
    # numpy's own arithmetic gives inf - inf: a number beyond all others stands for never.
    beyond = np.where(np.isinf(values), 1e300, values)
    return [math.inf if q > 1e250 else q for q in np.quantile(beyond, [0.25, 0.5, 0.75])]


def middle_half_mean(values):
    # Each value four times: a quarter of 4n is then the whole number n.
    n = len(values)
    return np.mean(np.sort(np.repeat(values, 4))[n:3 * n])


def order_interval(values):
    n = len(values)
    ranks = [k for k in range(n) if stats.binom.cdf(k, n, 0.5) <= 0.025]
    if not ranks:
        return None
    ascending = np.sort(values)
    return [plain(ascending[ranks[-1]]), plain(ascending[n - 1 - ranks[-1]])]


def bca(data, statistic, rng):
    """The interval, and within what each end may be for the Monte-Carlo error of a program with 99,999 resamples.

    The level of an end of 0.025 has a standard error of sqrt(0.025 0.975 / 99,999) = 0.0005 by itself, and of as much by
    the bias correction's; together 0.0007. A fifth of the level is 7 of these, and where the level is far smaller, 5 of its
    own. Such a range holds for the steps of small samples and for long tails, where a share of the width would not.

    The statistics are rounded: scipy takes resamples whose mean is the estimate but for rounding to be above or below it,
    all alike, and the bias correction, for which they count half, then moves an end by a step of the data."""
    smallest = min(len(sample) for sample in data)
    if smallest < 2 or not all(np.all(np.isfinite(sample)) for sample in data):
        return None
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        found = stats.bootstrap(data, statistic, n_resamples=RESAMPLES, batch=20_000, method="BCa", rng=rng, vectorized=True)
        ends, resampled = found.confidence_interval, found.bootstrap_distribution
        if not np.isfinite(ends).all() or ends.low == ends.high:
            return None
        levels = _bca_interval(data, statistic, -1, 0.025, resampled, None, np)[:2]
    assert np.allclose(np.quantile(resampled, levels), ends)
    case = {"lower": float(ends.low), "upper": float(ends.high)}
    for name, level in zip(["lower_within", "upper_within"], levels):
        tail = min(level, 1 - level)
        noise = max(0.2 * tail, 5 * math.sqrt(tail / 99_999))
        case[name] = np.quantile(resampled, np.clip([level - noise, level + noise], 0, 1)).tolist()
    return case


def mean(x, axis=-1):
    return np.round(np.mean(x, axis=axis), 10)


def sd(x, axis=-1):
    return np.std(x, ddof=1, axis=axis)


def of_sample(name, values, rng):
    given = np.asarray(values, dtype=float)
    x = given[~np.isnan(given)]
    case = {"name": name, "values": [plain(v) for v in given], "failed": int(np.isnan(given).sum()), "n": len(x)}
    if len(x) == 0:
        return case
    low, median, high = quartiles(x)
    spread = np.std(x, ddof=1) if len(x) > 1 and np.all(np.isfinite(x)) else math.nan
    numbers = {"mean": np.mean(x), "sd": spread, "median": median, "lower_quartile": low, "upper_quartile": high,
               "interquartile_mean": middle_half_mean(x), "min": x.min(), "max": x.max()}
    case |= {key: plain(value) for key, value in numbers.items()}
    case["order_interval"] = order_interval(x)
    case["bca_mean"] = bca((x,), mean, rng)
    case["bca_sd"] = bca((x,), sd, rng) if len(x) in (8, 16, 32) else None
    return case


def ratio(difference, spread):
    with np.errstate(all="ignore"):
        return np.where(spread > 1e-12, difference / spread, np.where(difference == 0, 0.0, np.copysign(np.inf, difference)))


def cohen_dz(x, axis=-1):
    return ratio(np.mean(x, axis=axis), np.std(x, ddof=1, axis=axis))


def hedges_g(x, y, axis=-1):
    freedom = x.shape[axis] + y.shape[axis] - 2
    squares = lambda z: np.sum((z - np.mean(z, axis=axis, keepdims=True)) ** 2, axis=axis)
    pooled = np.sqrt((squares(x) + squares(y)) / freedom)
    # poch(z, 1/2) = Gamma(z + 1/2) / Gamma(z)
    return special.poch((freedom - 1) / 2, 0.5) / math.sqrt(freedom / 2) * ratio(np.mean(x, axis=axis) - np.mean(y, axis=axis), pooled)


def difference_of_means(x, y, axis=-1):
    return np.round(np.mean(x, axis=axis) - np.mean(y, axis=axis), 10)  # so that rounding does not part equal ones


def distance_of_means(x, y, axis=-1):
    return np.abs(difference_of_means(x, y, axis))


def exact(first, second, kind, statistic, alternative):
    return stats.permutation_test((first, second), statistic, permutation_type=kind, n_resamples=np.inf, batch=20_000, vectorized=True,
                                  alternative=alternative).pvalue


def pairs(rng):
    normal = rng.standard_normal
    steps = lambda x: np.round(x * 200) / 200
    yield "one pair", [0.9], [0.8]
    yield "two pairs", [0.9, 0.7], [0.8, 0.5]
    yield "three pairs", [0.9, 0.7, 0.6], [0.8, 0.5, 0.75]
    yield "equal pairs", [0.5, 0.6, 0.7], [0.5, 0.6, 0.7]
    yield "one difference", [0.9, 0.4, 0.1], [0.8, 0.3, 0.0]
    yield "six, one sided", [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [0.5, 1.0, 2.5, 3.0, 4.5, 5.75]
    yield "ties and zeros", [0.9, 0.9, 0.8, 1.0, 0.95, 0.9, 0.9, 0.8], [0.85, 0.9, 0.85, 0.9, 0.9, 0.9, 0.85, 0.85]
    for n in [8, 12, 16, 20]:
        x = normal(n)
        yield f"{n} normal", x, x - 0.4 + 0.8 * normal(n)
    x = steps(rng.random(14))
    yield "14 accuracies", x, steps(x - 0.02 + 0.05 * normal(14))
    x = normal(40)
    yield "40 pairs", x, x - 0.25 + normal(40)


def of_pairs(name, first, second, rng):
    x, y = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    d = x - y
    case = {"name": name, "first": x.tolist(), "second": y.tolist(), "difference": d.mean()}
    spread = np.std(d, ddof=1) if len(d) > 1 else 0
    case["cohen_dz"] = float(cohen_dz(d)) if spread > 1e-12 else None
    case["p"] = exact(x, y, "samples", distance_of_means, "greater") if 1 < len(d) <= 20 else None
    case["bca_difference"] = bca((d,), mean, rng) if spread > 1e-12 else None
    case["bca_standardized"] = bca((d,), cohen_dz, rng) if len(d) >= 8 else None
    return case


def groups(rng):
    normal = rng.standard_normal
    yield "one and three", [0.5], [0.7, 0.9, 0.8]
    yield "two and two", [1.0, 2.0], [3.0, 5.0]
    yield "no spread", [1.0, 1.0, 1.0], [0.5, 0.5]
    yield "no spread in one", [1.0, 1.0, 1.0, 1.0], [0.5, 0.75, 1.0, 0.25]
    yield "ties", [0.9, 0.95, 0.95, 1.0, 0.9], [0.9, 0.85, 0.9, 0.95]
    for n, m in [(5, 5), (8, 8), (4, 12), (10, 10), (3, 40)]:
        yield f"{n} and {m}", normal(n) + 0.7, 1.5 * normal(m)
    yield "lognormal", np.exp(normal(9)), np.exp(normal(9) + 0.6)
    yield "32 and 32", normal(32) + 0.4, normal(32)


def of_groups(name, first, second, rng):
    x, y = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    case = {"name": name, "first": x.tolist(), "second": y.tolist(), "difference": x.mean() - y.mean()}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        g = hedges_g(x, y)
    case["hedges_g"] = float(g) if np.isfinite(g) else None
    few = min(len(x), len(y)) > 1 and math.comb(len(x) + len(y), len(x)) <= 200_000
    case["p"] = exact(x, y, "independent", distance_of_means, "greater") if few else None
    # scipy's own two-sided p is that of posenc where the groups are of one size
    case["p_two_sided"] = exact(x, y, "independent", difference_of_means, "two-sided") if few else None
    case["bca_difference"] = bca((x, y), difference_of_means, rng)
    case["bca_standardized"] = bca((x, y), hedges_g, rng) if min(len(x), len(y)) >= 8 else None
    return case


def wilson():
    return [[k, n, *proportion.proportion_confint(k, n, method="wilson")]
            for n in [1, 2, 5, 8, 10, 32, 100, 1000] for k in sorted({0, 1, n // 3, n // 2, n - 1, n})]


def guessing():
    rows = []
    for n in [1, 2, 20, 200, 401, 2000]:
        for rate in [0.05, 1 / 3, 0.5, 0.9]:
            rows.append([n, rate, *(stats.binom.ppf(q, n, rate) / n for q in (0.025, 0.975))])
    return rows


def holm():
    lists = [[0.01], [0.04, 0.01, 0.03], [0.5, 0.6, 0.7], [0.001, 0.001, 0.02, 0.2, 1.0, 0.0], [math.nan, 0.02, math.nan, 0.01], [math.nan],
             [1 / 64, 1 / 64, 1 / 128, 0.05, 0.3, 0.049]]
    cases = []
    for given in lists:
        p = np.array(given)
        adjusted = p.copy()
        if (~np.isnan(p)).any():
            adjusted[~np.isnan(p)] = multitest.multipletests(p[~np.isnan(p)], method="holm")[1]
        cases.append({"given": [plain(v) for v in p], "adjusted": [plain(v) for v in adjusted]})
    return cases


def needed():
    rows = []
    for effect in [0.05, 0.1, 0.2, 0.35, 0.5, 0.8, 1.0, 1.2, -0.5, 2.0]:
        # NormalIndPower counts the runs of one of two groups; n pairs have the power of two groups of 2n.
        runs = power.NormalIndPower().solve_power(abs(effect), alpha=0.05, power=0.8, alternative="two-sided")
        # Its far tail, which the formula leaves out, is a millionth.
        pairs_of = ((stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) / effect) ** 2
        assert abs(runs - 2 * pairs_of) < 1e-4 * runs
        rows.append([effect, max(6, math.ceil(runs / 2)), max(4, math.ceil(runs))])
    return rows


def make(folder):
    rng = np.random.default_rng(8)
    parts = {"versions": {name: importlib.metadata.version(name) for name in ["numpy", "scipy", "statsmodels"]},
             "resamples": RESAMPLES,
             "samples": [of_sample(name, values, rng) for name, values in samples(rng).items()],
             "pairs": [of_pairs(*case, rng) for case in pairs(rng)],
             "groups": [of_groups(*case, rng) for case in groups(rng)],
             "wilson": wilson(), "guessing": guessing(), "holm": holm(), "needed": needed()}
    text = ",\n".join(f'"{name}": {json.dumps(part)}' for name, part in parts.items())
    (folder / "statistics.json").write_text("{" + text + "}\n")

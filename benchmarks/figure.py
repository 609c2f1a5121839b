"""A standalone SVG of log-log panels, two across, readable on light and dark pages."""
import math
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

WIDTH, HEIGHT, LEFT, TOP, ACROSS, DOWN = 300, 200, 64, 64, 400, 280
STYLE = """text { font: 12px system-ui, sans-serif; fill: #222; }
.page { fill: #fff; }
.frame { fill: none; stroke: #888; }
.grid { stroke: #888; stroke-opacity: 0.3; }
path { fill: none; stroke-width: 2; }
.line0 { stroke: #0072b2; } .dot0 { fill: #0072b2; }
.line1 { stroke: #d55e00; stroke-dasharray: 6 3; } .dot1 { fill: #d55e00; }
@media (prefers-color-scheme: dark) {
text { fill: #ddd; } .page { fill: #181818; }
.line0 { stroke: #56b4e9; } .dot0 { fill: #56b4e9; } .line1 { stroke: #e69f00; } .dot1 { fill: #e69f00; }
}"""


@dataclass
class Panel:
    across: str  # label of the horizontal axis, with its unit
    up: str
    curves: dict = field(default_factory=dict)  # {name: [(x, y)]}, x and y > 0
    notes: dict = field(default_factory=dict)  # {name: words}, in the curve's colour


def nice_ticks(low, high):
    """1, 2 and 5 times powers of ten from low to high; powers alone where those are many."""
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    factors = (1, 2, 5) if high / low < 50 else (1,)
    return [f * 10.0**d for d in decades for f in factors if low <= f * 10.0**d <= high]


def text(x, y, words, anchor="start", colour=""):
    return f'<text class="{colour}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def draw(panel, left, top, names):
    points = [point for curve in panel.curves.values() for point in curve]
    xs, ys = sorted({x for x, _ in points}), [y for _, y in points]
    low_y, high_y = min(ys) / 1.3, max(ys) * 1.3
    low_x, high_x = xs[0] / 1.1, xs[-1] * 1.1
    at_x = lambda x: left + WIDTH * math.log(x / low_x) / math.log(high_x / low_x)
    at_y = lambda y: top + HEIGHT * math.log(high_y / y) / math.log(high_y / low_y)
    parts = [f'<rect class="frame" x="{left}" y="{top}" width="{WIDTH}" height="{HEIGHT}"/>',
             text(left, top - 8, panel.up), text(left + WIDTH / 2, top + HEIGHT + 36, panel.across, "middle")]
    parts += [text(at_x(x), top + HEIGHT + 18, f"{x:g}", "middle") for x in xs]
    for y in nice_ticks(low_y, high_y):
        parts += [f'<path class="grid" d="M{left} {at_y(y):.1f}h{WIDTH}"/>', text(left - 6, at_y(y) + 4, f"{y:g}", "end")]
    for name, curve in panel.curves.items():
        i = names.index(name)
        parts.append(f'<path class="line{i}" d="M{" L".join(f"{at_x(x):.1f} {at_y(y):.1f}" for x, y in curve)}"/>')
        parts += [f'<circle class="dot{i}" cx="{at_x(x):.1f}" cy="{at_y(y):.1f}" r="3.5"/>' for x, y in curve]
        # Where the curves do not come: the lower corner that they rise or fall away from.
        falls = curve[-1][1] < curve[0][1]
        parts.append(text(left + 8 if falls else left + WIDTH - 8, top + HEIGHT - 26 + 16 * i, panel.notes.get(name, ""),
                          "start" if falls else "end", f"dot{i}"))
    return parts


def log_log_svg(panels, title):
    names = list(dict.fromkeys(name for panel in panels for name in panel.curves))
    width, height = 2 * ACROSS, TOP + 20 + DOWN * math.ceil(len(panels) / 2)
    parts = [text(LEFT, 24, title)]
    for i, name in enumerate(names):
        parts += [f'<path class="line{i}" d="M{LEFT + 200 * i} 42h24"/>', text(LEFT + 32 + 200 * i, 46, name)]
    for i, panel in enumerate(panels):
        parts += draw(panel, LEFT + ACROSS * (i % 2), TOP + 24 + DOWN * (i // 2), names)
    body = "\n".join(parts)
    return (f'<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" role="img">\n<title>{escape(title)}</title>\n<style>\n{STYLE}\n</style>\n'
            f'<rect class="page" width="{width}" height="{height}"/>\n{body}\n</svg>\n')

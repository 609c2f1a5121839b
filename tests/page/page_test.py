#!/usr/bin/env python3
"""The page of a report in headless Chromium: no console message, nothing loaded, no text outside its figure, no scrolling sideways.

page_test.py POSENC    makes a small sweep, writes its page, and looks at it at 400 and 1400 pixels, light and dark.
Exits 77, skipped, where there is no chromium.
"""
import html
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PROBE = """
<script>
addEventListener("load", () => {
  const outside = [];
  for (const text of document.querySelectorAll("svg text")) {
    const svg = text.ownerSVGElement.closest("figure > svg") || text.ownerSVGElement;
    const a = text.getBoundingClientRect(), b = svg.getBoundingClientRect();
    if (a.left < b.left - 0.5 || a.right > b.right + 0.5 || a.top < b.top - 0.5 || a.bottom > b.bottom + 0.5)
      outside.push(text.textContent);
  }
  const found = {figures: document.querySelectorAll("figure > svg").length, outside,
                 wider: document.documentElement.scrollWidth - innerWidth, loaded: performance.getEntriesByType("resource").length,
                 ink: getComputedStyle(document.body).color, page: getComputedStyle(document.body).backgroundColor};
  document.body.innerHTML = "<pre id=found></pre>";
  document.getElementById("found").textContent = JSON.stringify(found);
});
</script></body>"""


def chromium(page, width, dark):
    flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", f"--window-size={width},2000"]
    flags += ["--blink-settings=preferredColorScheme=0"] if dark else ["--blink-settings=preferredColorScheme=1"]
    done = subprocess.run(["chromium", *flags, "--dump-dom", page.as_uri()], capture_output=True, text=True, timeout=120)
    found = re.search(r'<pre id="found">(.*?)</pre>', done.stdout, re.S)
    if not found:
        sys.exit(f"chromium showed no page: {done.stderr[-500:]}")
    return json.loads(html.unescape(found.group(1))), [line for line in done.stderr.splitlines() if "CONSOLE" in line]


def main(posenc):
    if not shutil.which("chromium"):
        print("skipped: there is no chromium")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as top:
        top = pathlib.Path(top)
        subprocess.run([posenc, "sweep", "--pos", "none,fixed,rope:base=500,fraction=0.5+random:max=64+logn", "--seq-len", "4,8,16", "--seed",
                        "1..7", "--seeding", "paired", "--vocab", "6", "--train-size", "256", "--val-size", "100", "--epochs", "4",
                        "--out", top / "sweep"], check=True, capture_output=True)
        subprocess.run([posenc, "report", top / "sweep", "--out", top / "page", "--figures"], check=True, capture_output=True)
        text = (top / "page" / "report.html").read_text()
        assert "</body>" in text
        # The page allows no script, so the probe needs a copy that does.
        probed = top / "probed.html"
        probed.write_text(re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text).replace("</body>", PROBE))
        wrong = []
        for width in (400, 1400):
            for dark in (False, True):
                found, console = chromium(probed, width, dark)
                where = f"{width} px, {'dark' if dark else 'light'}"
                print(f"{where}: {found['figures']} figures, {len(found['outside'])} texts outside, ink {found['ink']} on {found['page']}")
                wrong += [f"{where}: text outside its figure: {words}" for words in found["outside"]]
                wrong += [f"{where}: {line}" for line in console]
                if found["wider"] > 0:
                    wrong.append(f"{where}: the page is {found['wider']} px wider than its window")
                if found["loaded"]:
                    wrong.append(f"{where}: {found['loaded']} things were loaded")
                if found["figures"] < 10:
                    wrong.append(f"{where}: only {found['figures']} figures")
                light = found["page"] == "rgb(255, 255, 255)"
                if light == dark:
                    wrong.append(f"{where}: the page is {found['page']}")
        for figure in (top / "page" / "figures").iterdir():
            import xml.dom.minidom
            xml.dom.minidom.parse(str(figure))
        for line in wrong:
            print(line)
        sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main(sys.argv[1])

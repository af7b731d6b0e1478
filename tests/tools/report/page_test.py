"""Drives the dashboard in headless Chromium. Usage: page_test.py MXPROOF OUTPUT_FOLDER [unittest arguments]

Expected values are computed here from the run files, by other code than the program's.
"""

import json
import math
import pathlib
import re
import statistics
import subprocess
import sys
import unittest
import urllib.parse

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

import browser
import make_store

PROGRAM = sys.argv[1]
OUTPUT = pathlib.Path(sys.argv[2])
STORE = OUTPUT / "store"
SITE = OUTPUT / "site"


def medians(run_file):
    """Row name to median time over the repeats; None for rows that failed."""
    times = {}
    for entry in json.loads((STORE / run_file).read_text())["benchmarks"]:
        times.setdefault(entry["name"], []).append(None if entry.get("error_occurred") else entry["real_time"])
    return {name: None if None in values else statistics.median(values) for name, values in times.items()}


def parse_us(text):
    return float(re.search(r"([\d.]+) µs", text).group(1))


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        make_store.make_store(STORE)
        subprocess.run([PROGRAM, "report", str(STORE), "-o", str(SITE)], check=True, capture_output=True)
        cls.driver = cls.enterClassContext(browser.chromium())
        cls.driver.execute_cdp_cmd("Network.enable", {})
        cls.driver.execute_cdp_cmd("Network.emulateNetworkConditions",
                                   {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0})
        cls.url = (SITE / "index.html").as_uri()

    def setUp(self):
        browser.resize(self.driver, 1280)
        browser.prefer_scheme(self.driver, "light")
        self.driver.get_log("browser")
        self.open("")

    def tearDown(self):
        self.assertEqual(self.driver.get_log("browser"), [], "the console must stay empty")

    def open(self, fragment):
        self.driver.get("about:blank")
        self.driver.get(self.url + fragment)
        browser.until(self.driver, lambda: self.one("#matrix table"), "the page shows its table")

    def one(self, css):
        return self.driver.find_element(By.CSS_SELECTOR, css)

    def all(self, css):
        return self.driver.find_elements(By.CSS_SELECTOR, css)

    def script(self, code, *arguments):
        return self.driver.execute_script(code, *arguments)

    def cell(self, path, shape):
        column = make_store.SHAPES.index(shape) + 2
        return self.one(f'#matrix tr[data-path="{path}"] > :nth-child({column})')

    # --- what is shown ---------------------------------------------------------------------------------------------

    def test_every_time_is_the_median_of_the_newest_run(self):
        expected = medians("gpu-5.json")
        seen = 0
        for cache in ("cold", "hot"):
            for launch in ("graph", "eager"):
                self.open(f"#device=Fixture+GPU&cache={cache}&launch={launch}")
                for path in ["stream_floor", "cublaslt_bf16"] + make_store.ROUTES:
                    for shape in make_store.SHAPES:
                        cell, us = self.cell(path, shape), expected[f"{path}/{shape}/{cache}/{launch}"]
                        if us is None:
                            self.assertEqual(cell.get_attribute("data-verdict"), "mismatch")
                            continue
                        self.assertAlmostEqual(float(cell.get_attribute("data-us")), us, places=9)
                        self.assertAlmostEqual(parse_us(cell.text), us, delta=0.006 * us)
                        seen += 1
        self.assertEqual(seen, 4 * (36 - 1))

    def test_wrong_output_shows_mismatch_and_no_time(self):
        cell = self.cell("fused", "32x4096x512")
        self.assertIn("mismatch", cell.text)
        self.assertIn("131 of 131072 outputs differ", cell.text)
        self.assertNotIn("µs", cell.text)
        self.assertIsNone(cell.get_attribute("data-us"))
        self.assertIn("–", self.one('#matrix tr[data-path="fused"] td:last-child').text, "no geometric mean either")
        last_point = self.script("""
            const chart = Chart.getChart(document.querySelector('[id="shape-32x4096x512"] canvas'));
            return chart.data.datasets.find(d => d.label === 'fused').data.at(-1)""")
        self.assertIsNone(last_point)

    def test_geometric_mean(self):
        expected = medians("gpu-5.json")
        values = [expected[f"direct/{shape}/cold/graph"] for shape in make_store.SHAPES]
        mean = math.exp(sum(map(math.log, values)) / len(values))
        self.assertAlmostEqual(parse_us(self.one('#matrix tr[data-path="direct"] td:last-child').text), mean,
                               delta=0.006 * mean)
        self.assertAlmostEqual(parse_us(self.one('.tile[data-path="direct"]').text), mean, delta=0.006 * mean)

    def test_planted_regression_is_flagged_and_nothing_else(self):
        text = self.one("#attention").text
        self.assertIn("8 rows of Fixture GPU are slower or wrong", text)
        self.assertEqual(len(re.findall("slower\n|slower ", text.split(":", 1)[1] + "\n")), 4)
        self.assertIn("staged, 64 × 7168 × 2048", text)
        self.assertIn("fused, 32 × 4096 × 512", text)
        for other in ("one_kernel", "direct", "cublaslt"):
            self.assertNotIn(other, text)
        self.assertIn("slower", self.cell("staged", "64x7168x2048").text)

    def test_unreadable_files_are_named_and_hide_nothing(self):
        problems = [item.text for item in self.all("#attention .notice.fair li")]
        self.assertEqual(len(problems), 2)
        self.assertTrue(problems[0].startswith("foreign.json: "), problems)
        self.assertTrue(problems[1].startswith("truncated.json: "), problems)
        self.assertEqual(len(self.all("#runs tbody tr")), 8)

    def test_published_figures_are_labelled(self):
        rows = self.all("#matrix tr.published")
        self.assertEqual(len(rows), 3)
        for row in rows:
            self.assertIn("published, MI355X", row.text)
        self.assertIn("9.70 µs", rows[0].text)
        self.one("#published").click()
        labels = self.script("""return Chart.getChart(document.querySelector('[id="shape-4x2880x512"] canvas'))
                                .data.datasets.map(d => d.label)""")
        self.assertEqual([label for label in labels if "published, MI355X" in label],
                         ["published, MI355X: entry benchmark run", "published, MI355X: entry ranked run",
                          "published, MI355X: vendor baseline"])

    def test_emulated_device_shows_counts_and_no_latency(self):
        Select(self.one("#device")).select_by_visible_text(make_store.EMULATED)
        text = self.one("#main-content").text
        self.assertIn("wave-instructions", text)
        self.assertEqual(text.count("modelled 0") + text.count("modelled 1") + text.count("modelled 2") +
                         text.count("modelled 3") + text.count("modelled 4"), 24)
        self.assertEqual(self.all("#main-content [data-us]"), [])
        self.assertFalse("987654" in (SITE / "data.js").read_text(), "the time of an emulated row is not even embedded")
        for line in text.splitlines():
            if "µs" in line:
                self.assertIn("modelled", line)
        self.assertFalse(self.one("#history").is_displayed())

    def test_host_dispatch_share(self):
        expected = medians("gpu-5.json")
        share = 1 - expected["direct/4x2880x512/cold/graph"] / expected["direct/4x2880x512/cold/eager"]
        cell = self.one('#dispatch tr[data-path="direct"] td')
        self.assertAlmostEqual(float(cell.get_attribute("data-share")), share, places=9)
        self.assertIn("enqueue", cell.text)

    def test_names_from_files_are_text(self):
        folder = OUTPUT / "hostile"
        make_store.make_store(folder / "store")
        run = json.loads((folder / "store/gpu-5.json").read_text())
        evil = "<img src=x onerror=document.title='broken'></script><script>document.title='broken'</script>"
        for key in ("compiler", "flags", "driver", "commit", "seed"):
            run["context"][key] = evil
        (folder / "store/gpu-5.json").write_text(json.dumps(run))
        subprocess.run([PROGRAM, "report", str(folder / "store"), "-o", str(folder / "site")], check=True,
                       capture_output=True)
        self.driver.get((folder / "site/index.html").as_uri())
        browser.until(self.driver, lambda: self.one("#matrix table"), "the page shows its table")
        self.assertEqual(self.driver.title, "mxproof latency")
        self.assertIn(evil, self.one("#runs").text)

    # --- filters and links -----------------------------------------------------------------------------------------

    def test_filter_by_path(self):
        self.one('#paths input[value="staged"]').click()
        self.assertEqual(self.all('#matrix tr[data-path="staged"]'), [])
        labels = self.script("return Chart.getChart(document.querySelector('#charts canvas')).data.datasets.map(d => d.label)")
        self.assertNotIn("staged", labels)
        self.assertIn("direct", labels)
        fragment = urllib.parse.parse_qs(self.driver.current_url.split("#")[1])
        self.assertNotIn("staged", fragment["paths"][0].split("."))
        self.one('#paths input[value="staged"]').click()
        self.assertEqual(len(self.all('#matrix tr[data-path="staged"]')), 1)

    def test_kernels_are_hidden_until_asked_for(self):
        self.assertEqual(self.all('#matrix tr[data-path="gemm_a4w4"]'), [])
        self.assertEqual(self.all('#paths input[value="gemm_a4w4"]'), [])
        self.one('#kernels input[value="gemm_a4w4"]').click()
        us = medians("gpu-5.json")["gemm_a4w4/4x2880x512/cold/graph"]
        self.assertAlmostEqual(float(self.cell("gemm_a4w4", "4x2880x512").get_attribute("data-us")), us, places=9)
        self.assertTrue(self.one('#paths input[value="direct"]').is_selected())

    def test_deep_link_shows_the_same_view(self):
        self.one('#cache input[value="hot"]').click()
        self.one('#launch input[value="eager"]').click()
        self.one('#paths input[value="fused"]').click()
        self.one('#matrix thead a[href*="64x7168x2048"]').click()
        Select(self.one("#theme")).select_by_value("dark")
        link, matrix = self.driver.current_url, self.one("#matrix").text
        self.driver.get("about:blank")
        self.driver.get(link)
        browser.until(self.driver, lambda: self.one("#matrix table"), "the page shows its table")
        self.assertEqual(self.one("#matrix").text, matrix)
        self.assertTrue(self.one('#cache input[value="hot"]').is_selected())
        self.assertTrue(self.one('#launch input[value="eager"]').is_selected())
        self.assertFalse(self.one('#paths input[value="fused"]').is_selected())
        self.assertEqual(self.script("return document.documentElement.dataset.theme"), "dark")
        card = self.one('[id="shape-64x7168x2048"]')
        self.assertIn("focus", card.get_attribute("class"))
        top = self.script("return arguments[0].getBoundingClientRect().top", card)
        self.assertTrue(0 <= top < 900, f"the linked shape is in view, not at {top}")

    def test_nonsense_in_the_link_falls_back(self):
        self.open("#device=none&cache=warm&launch=0&paths=..&shape=%3Cb%3E&theme=pink&published=maybe")
        self.assertEqual(Select(self.one("#device")).first_selected_option.text, make_store.GPU)
        self.assertTrue(self.one('#cache input[value="cold"]').is_selected())

    def test_copy_link_tells_what_it_did(self):
        self.one("#copy-link").click()
        browser.until(self.driver, lambda: self.one("#copy-link").text in ("Copied", "Link is in the address bar"),
                      "the button answers")

    # --- pointer, keys, sizes, themes ------------------------------------------------------------------------------

    def test_hover_shows_commit_time_and_verdict(self):
        canvas = self.one('[id="shape-64x7168x2048"] canvas')
        self.script("arguments[0].scrollIntoView({block: 'center'})", canvas)
        x, y = self.script("""
            const chart = Chart.getChart(arguments[0]);
            const point = chart.getDatasetMeta(chart.data.datasets.findIndex(d => d.label === 'staged')).data.at(-1);
            return [point.x - chart.width / 2, point.y - chart.height / 2]""", canvas)
        ActionChains(self.driver).move_to_element_with_offset(canvas, round(x), round(y)).perform()
        tooltip = self.one("#tooltip")
        browser.until(self.driver, tooltip.is_displayed, "the tooltip appears")
        us = medians("gpu-5.json")["staged/64x7168x2048/cold/graph"]
        self.assertAlmostEqual(parse_us(tooltip.text), us, delta=0.006 * us)
        for part in ("staged", "commit 5555555", "bit-equal", "id ", "against 4444444: slower"):
            self.assertIn(part, tooltip.text)
        ActionChains(self.driver).move_to_element(self.one("h1")).perform()
        browser.until(self.driver, lambda: not tooltip.is_displayed(), "the tooltip goes away")

    def test_keyboard_alone_reaches_everything(self):
        body = self.one("body")
        body.send_keys(Keys.TAB)
        self.assertEqual(self.driver.switch_to.active_element.text, "Skip to the results")
        reached = set()
        for _ in range(120):
            ActionChains(self.driver).send_keys(Keys.TAB).perform()
            active = self.driver.switch_to.active_element
            reached.add(active.get_attribute("id") or active.tag_name)
            if active.tag_name == "canvas" and active.get_attribute("id") != "latest-chart":
                break
        self.assertLessEqual({"copy-link", "theme", "device", "latest-chart", "matrix", "published", "canvas"}, reached)
        ActionChains(self.driver).send_keys(Keys.ARROW_RIGHT).perform()
        self.assertRegex(self.one("#announce").get_attribute("textContent"), r"commit 1111111.* µs")
        self.assertTrue(self.one("#tooltip").is_displayed())

    def test_everything_has_a_name_for_screen_readers(self):
        for canvas in self.all("canvas"):
            self.assertEqual(canvas.get_attribute("role"), "img")
            self.assertGreater(len(canvas.get_attribute("aria-label")), 10)
        nameless = self.script("""
            return [...document.querySelectorAll('input, select, button, a, summary, [role=region], table')].filter(node =>
              !(node.labels?.[0]?.textContent.trim() || node.textContent.trim() || node.ariaLabel ||
                document.getElementById(node.getAttribute('aria-labelledby'))?.textContent)).map(node => node.outerHTML)""")
        self.assertEqual(nameless, [])
        self.assertEqual(self.script("return [...document.querySelectorAll('th:not([scope])')].length"), 0)
        self.assertEqual(self.script("""return [...document.querySelectorAll('[id]')].map(n => n.id)
                                     .filter((id, i, all) => all.indexOf(id) !== i)"""), [])

    def test_text_has_contrast_in_both_themes(self):
        contrast = """
            const parse = text => text.match(/[0-9.]+/g).map(Number);
            const light = c => c.slice(0, 3).map(v => v / 255)
              .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
              .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
            const background = node => {
              for (; node; node = node.parentElement) {
                const color = parse(getComputedStyle(node).backgroundColor);
                if (color.length === 3 || color[3] > 0) return color;
              }
            };
            return [...document.querySelectorAll('body *')].filter(node =>
                node.checkVisibility() && [...node.childNodes].some(c => c.nodeType === 3 && c.data.trim()))
              .map(node => {
                const [a, b] = [light(parse(getComputedStyle(node).color)), light(background(node))].sort((x, y) => y - x);
                return [(a + 0.05) / (b + 0.05), node.outerHTML.slice(0, 120)];
              })"""
        for scheme in ("light", "dark"):
            browser.prefer_scheme(self.driver, scheme)
            self.open("")
            self.assertEqual(self.script("return document.documentElement.dataset.theme"), scheme)
            ratios = self.script(contrast)
            self.assertGreater(len(ratios), 200)
            self.assertEqual([entry for entry in ratios if entry[0] < 4.5], [], scheme)

    def test_fits_a_phone(self):
        browser.resize(self.driver, 390, phone=True)
        self.open("")
        self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), 390)
        self.assertTrue(self.one("#matrix").is_displayed())

    def test_nothing_comes_from_a_network(self):
        sources = self.script("return [...document.querySelectorAll('[src], link[href]')].map(node => node.src || node.href)")
        self.assertGreaterEqual(len(sources), 8)
        self.assertEqual([source for source in sources if not source.startswith(("file:", "data:"))], [])

    def test_pictures_of_the_page(self):
        """Leaves screenshots beside the build for a human to look at."""
        for name, width, fragment in (("wide-light", 1280, "#theme=light"), ("wide-dark", 1280, "#theme=dark"),
                                      ("phone-light", 390, "#theme=light"),
                                      ("emulated", 1280, "#device=" + urllib.parse.quote_plus(make_store.EMULATED))):
            browser.resize(self.driver, width, phone=width < 500)
            self.open(fragment)
            browser.screenshot(self.driver, OUTPUT / f"{name}.png")
            self.assertGreater((OUTPUT / f"{name}.png").stat().st_size, 20000)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])

"""Looks at the pages in headless Chromium. Usage: page_test.py MXPROOF OUTPUT_FOLDER [unittest arguments]

Expected places are computed here from the layouts' definitions, by other code than the program's.
"""

import pathlib
import struct
import subprocess
import sys
import unittest
import zlib

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import browser

PROGRAM = sys.argv[1]
OUTPUT = pathlib.Path(sys.argv[2])

# A wrong output of 64 x 160: one tile unwritten, the last 16 columns zero, everything else right.
ROWS, COLUMNS = 64, 160
POISON = 0x7FA5


def write_npy(path, rows, cols, bits):
    header = "{'descr': '<V2', 'fortran_order': False, 'shape': (%d, %d), }" % (rows, cols)
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() +
                     struct.pack("<%dH" % len(bits), *bits))


def make_outputs():
    right = [0x3F80 + (r * 37 + c * 11) % 97 for r in range(ROWS) for c in range(COLUMNS)]
    wrong = list(right)
    for r in range(ROWS):
        for c in range(COLUMNS):
            if 16 <= r < 32 and 32 <= c < 64:
                wrong[r * COLUMNS + c] = POISON
            if c >= 144:
                wrong[r * COLUMNS + c] = 0
    write_npy(OUTPUT / "right.npy", ROWS, COLUMNS, right)
    write_npy(OUTPUT / "wrong.npy", ROWS, COLUMNS, wrong)


def pixels(path):
    """Rows of (r, g, b) of an 8-bit PNG."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, body, width, height, depth, kind = 8, b"", 0, 0, 0, 0
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at:at + 8])
        chunk = data[at + 8:at + 8 + length]
        if name == b"IHDR":
            width, height, depth, kind = struct.unpack(">IIBB", chunk[:10])
        if name == b"IDAT":
            body += chunk
        at += length + 12
    assert depth == 8 and kind in (2, 6)
    size = 3 if kind == 2 else 4
    raw, previous, out = zlib.decompress(body), bytearray(width * size), []
    for y in range(height):
        start = y * (width * size + 1)
        filter_type, line = raw[start], bytearray(raw[start + 1:start + 1 + width * size])
        for x in range(len(line)):
            left = line[x - size] if x >= size else 0
            up = previous[x]
            corner = previous[x - size] if x >= size else 0
            if filter_type == 1:
                line[x] = (line[x] + left) & 255
            elif filter_type == 2:
                line[x] = (line[x] + up) & 255
            elif filter_type == 3:
                line[x] = (line[x] + (left + up) // 2) & 255
            elif filter_type == 4:
                guess = left + up - corner
                nearest = min((left, up, corner), key=lambda v: abs(guess - v))
                line[x] = (line[x] + nearest) & 255
        previous = line
        out.append([tuple(line[i * size:i * size + 3]) for i in range(width)])
    return out


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        OUTPUT.mkdir(parents=True, exist_ok=True)
        make_outputs()
        cls.run_program("layout", "scale_32x8", "--rows", "48", "--k", "512", "--html", str(OUTPUT / "layout.html"))
        done = subprocess.run([PROGRAM, "explain", "--expected", str(OUTPUT / "right.npy"), "--out", str(OUTPUT / "wrong.npy"),
                               "--html", str(OUTPUT / "map.html")], capture_output=True, text=True)
        assert done.returncode == 1, done.stderr
        cls.driver = cls.enterClassContext(browser.chromium())
        cls.driver.execute_cdp_cmd("Network.enable", {})
        cls.driver.execute_cdp_cmd("Network.emulateNetworkConditions",
                                   {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0})

    @staticmethod
    def run_program(*arguments):
        done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    def open(self, name, scheme="light", width=1280, height=900):
        browser.resize(self.driver, width, height)
        browser.prefer_scheme(self.driver, scheme)
        self.driver.get((OUTPUT / name).as_uri())
        browser.until(self.driver, lambda: self.driver.execute_script("return document.documentElement.dataset.ready") == "yes",
                      "the page's script must finish")

    def tearDown(self):
        self.assertEqual(self.driver.get_log("browser"), [], "the console must stay empty")

    def fields(self, selector):
        terms = self.driver.find_elements(By.CSS_SELECTOR, selector + " dt")
        values = self.driver.find_elements(By.CSS_SELECTOR, selector + " dd")
        return {t.text: v.text for t, v in zip(terms, values)}

    def test_hand_over_a_cell_says_where_it_lies(self):
        self.open("layout.html")
        grid = self.driver.find_element(By.CSS_SELECTOR, "[data-id=layout] svg")
        for row, block in ((0, 0), (1, 0), (16, 5), (31, 7)):
            cell = grid.find_element(By.CSS_SELECTOR, f"[data-cell='{row * 8 + block}']")
            self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", cell)
            ActionChains(self.driver).move_to_element(cell).perform()
            fields = self.fields("[data-id=layout] .info")
            byte = block // 8 * 256 + block % 4 * 64 + row % 16 * 4 + block % 8 // 4 * 2 + row % 32 // 16
            self.assertEqual(fields["row"], str(row))
            self.assertEqual(fields["block"], str(block))
            self.assertEqual(fields["byte in memory"], f"{byte} ({byte:#x})")
            self.assertEqual(fields["elements k"], f"{32 * block}..{32 * block + 31}")
            self.assertEqual(fields["16x16x128"], f"lane {row % 16 + 16 * (block % 4)}")
            self.assertEqual(fields["32x32x64"], f"lane {row % 32 + 32 * (block % 2)}")

    def test_memory_shows_what_lies_at_every_byte(self):
        self.open("layout.html")
        memory = self.driver.find_elements(By.CSS_SELECTOR, "[data-id=layout] svg")[1]
        labels = self.driver.execute_script(
            "return [...arguments[0].querySelectorAll('.cell')].map(c => [c.dataset.cell, c.nextSibling.textContent])", memory)
        self.assertEqual(len(labels), 256)
        for cell, label in labels:
            byte = int(cell)
            row = byte % 4 % 2 * 16 + byte // 4 % 16
            block = byte % 4 // 2 * 4 + byte // 64
            self.assertEqual(label, f"{row},{block}", byte)

    def test_arrow_keys_move_the_cursor(self):
        self.open("layout.html")
        grid = self.driver.find_element(By.CSS_SELECTOR, "[data-id=layout] svg")
        self.driver.execute_script("arguments[0].focus()", grid)
        ActionChains(self.driver).send_keys(Keys.HOME, Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_RIGHT).perform()
        fields = self.fields("[data-id=layout] .info")
        self.assertEqual((fields["row"], fields["block"]), ("2", "1"))

    def test_operand_maps_of_both_shapes(self):
        self.open("layout.html")
        for name, rows, depth in (("16x16x128", 16, 128), ("32x32x64", 32, 64)):
            host = f"[data-id='operand-{name}']"
            for row, k in ((0, 0), (5, 9), (rows - 1, depth - 1)):
                cell = self.driver.find_element(By.CSS_SELECTOR, f"{host} svg [data-cell='{row * depth + k}']")
                self.driver.execute_script("arguments[0].dispatchEvent(new PointerEvent('pointerover', {bubbles: true}))", cell)
                fields = self.fields(f"{host} .info")
                self.assertEqual(fields["lane"], str(row + rows * (k // 32)))
                self.assertEqual(fields["register"], str(k % 32 // 8))
                self.assertTrue(fields["nibble"].startswith(f"{k % 8} "), fields["nibble"])

    def test_error_map_reads_out_bins(self):
        self.open("map.html")
        svg = self.driver.find_element(By.CSS_SELECTOR, ".error-map svg")
        self.driver.execute_script("arguments[0].focus()", svg)
        ActionChains(self.driver).send_keys(*[Keys.ARROW_DOWN] * 20, *[Keys.ARROW_RIGHT] * 40).perform()
        fields = self.fields("#info")
        self.assertEqual((fields["rows"], fields["columns"]), ("20", "40"))
        self.assertEqual(fields["unwritten"], "1")

    def test_screenshot_shows_the_wrong_places_in_their_colours(self):
        for scheme, right in (("light", (0xDD, 0xE4, 0xEA)), ("dark", (0x2B, 0x33, 0x3D))):
            self.open("map.html", scheme, height=1700)
            picture = OUTPUT / f"map-{scheme}.png"
            self.driver.save_screenshot(str(picture))
            box = self.driver.execute_script(
                "const b = document.querySelector('.error-map svg').getBoundingClientRect();"
                "return [b.left + scrollX, b.top + scrollY, b.width, b.height]")
            shot = pixels(picture)

            def colour_at(row, col):
                x = box[0] + (col + .5) / COLUMNS * box[2]
                y = box[1] + (row + .5) / ROWS * box[3]
                return shot[int(y)][int(x)]

            for row, col in ((5, 5), (40, 70), (20, 70), (60, 140)):
                self.assertEqual(colour_at(row, col), right, (scheme, row, col))
            for row, col in ((17, 33), (30, 62)):
                self.assertEqual(colour_at(row, col), (0x1C, 0x9A, 0xA0), (scheme, row, col))
            for row, col in ((2, 145), (62, 158)):
                self.assertEqual(colour_at(row, col), (0x3B, 0x82, 0xC4), (scheme, row, col))

    def test_nothing_is_wider_than_a_phone(self):
        for name in ("layout.html", "map.html"):
            self.open(name, width=400)
            self.assertLessEqual(self.driver.execute_script("return document.documentElement.scrollWidth"), 400, name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])

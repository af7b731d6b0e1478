"""mxproof_tune on the device of this machine: a table that the router takes, with every way verified.

Usage: tune_test.py MXPROOF_TUNE OUTPUT_FOLDER emulator|gpu"""

import os
import pathlib
import shutil
import subprocess
import sys
import unittest

TUNE, FOLDER, DEVICE = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
HEADER = "m,n,k,route,tile_m,tile_n,waves,slices,splits"


def tune(*arguments):
    return subprocess.run([TUNE, *arguments], env={**os.environ, "MXPROOF_DEVICE": DEVICE}, capture_output=True,
                          text=True, check=False)


class Tune(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir(parents=True)
        cls.result = tune("--shapes", "5x48x512,16x32x64", "-o", f"{FOLDER}/table.csv", "--measurements",
                          f"{FOLDER}/all.csv")
        if cls.result.returncode != 0:
            raise AssertionError(cls.result.stdout + cls.result.stderr)
        cls.table = pathlib.Path(f"{FOLDER}/table.csv").read_text().splitlines()
        cls.all = pathlib.Path(f"{FOLDER}/all.csv").read_text().splitlines()

    def test_every_route_of_every_shape_has_a_row_below_its_time(self):
        header = self.table.index(HEADER)
        rows = self.table[header + 1:]
        self.assertEqual(len(rows), 2 * 2 * 4)
        for comment, row in zip(rows[::2], rows[1::2]):
            self.assertRegex(comment, r"^# \d+\.\d\d us( modelled)?$")
            self.assertGreater(float(comment.split()[1]), 0)
            self.assertRegex(row, r"^(5,48,512|16,32,64),(one_kernel|fused|staged|direct)(,\d+){5}$")
        times = [float(comment.split()[1]) for comment in rows[::2]]
        for shape in (times[:4], times[4:]):
            self.assertEqual(shape, sorted(shape))

    def test_everything_measured_is_right(self):
        rows = [row.split(",") for row in self.all if row[0].isdigit()]
        self.assertGreater(len(rows), 16)
        for row in rows:
            self.assertIn(row[9], ("bit-equal", "within-bound"))
            self.assertGreater(float(row[10]), 0)

    def test_modelled_times_are_called_so(self):
        if DEVICE != "emulator":
            self.assertFalse(any("modelled" in line for line in self.table))
            return
        self.assertTrue(any(line.startswith("# Modelled on gfx950 (emulated)") for line in self.table))
        self.assertIn(HEADER + ",verdict,modelled_us", self.all)

    def test_bad_flags(self):
        for flags in ((), ("-o", "x", "--shapes", "4x5"), ("-o", "x", "--routes", "teleport"), ("-o", "x", "--nonsense")):
            result = tune(*flags)
            self.assertEqual(result.returncode, 2, f"{flags} {result.stderr}")
            self.assertEqual(result.stderr.count("\n"), 1, result.stderr)

    def test_a_shape_that_no_route_takes(self):
        result = tune("--shapes", "5x48x40", "-o", f"{FOLDER}/none.csv")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertFalse(pathlib.Path(f"{FOLDER}/none.csv").exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

"""mxproof_bench on the emulator: every route and kernel verified, counts, no latency; then through the dashboard.

Usage: emulated_run_test.py MXPROOF_BENCH MXPROOF OUTPUT_FOLDER"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

BENCH, MXPROOF, FOLDER = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
SHAPES = ["4x2880x512", "20x64x128"]
REGISTRY = pathlib.Path(__file__).parents[2] / "optimized/registry/kernels.def"


class EmulatedRun(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir(parents=True)
        cls.result = subprocess.run([BENCH, f"--shapes={','.join(SHAPES)}", f"--store={FOLDER}/store"],
                                    env={**os.environ, "MXPROOF_DEVICE": "emulator"}, capture_output=True, text=True,
                                    check=False)
        files = list((FOLDER / "store").glob("*.json"))
        if len(files) != 1:
            raise AssertionError(cls.result.stdout + cls.result.stderr)
        cls.run_data = json.loads(files[0].read_text())

    def test_everything_passes(self):
        self.assertEqual(self.result.returncode, 0, self.result.stdout + self.result.stderr)
        for row in self.run_data["benchmarks"]:
            self.assertRegex(row["label"], r"^verdict=(bit-equal|within-bound) id=[0-9a-f]{16} kind=(route|kernel)$")

    def test_every_route_and_kernel_is_there_for_every_shape(self):
        kernels = re.findall(r"^MXPROOF_KERNEL\((\w+),", REGISTRY.read_text(), re.M)
        self.assertGreaterEqual(len(kernels), 10)
        expected = {f"{path}/{shape}/hot/eager" for shape in SHAPES
                    for path in kernels + ["one_kernel", "fused", "staged", "direct"]}
        self.assertEqual({row["name"] for row in self.run_data["benchmarks"]}, expected)

    def test_routes_verified_the_same_bytes(self):
        for shape in SHAPES:
            ids = {row["label"].split()[1] for row in self.run_data["benchmarks"]
                   if row["name"].split("/")[:2] in [[route, shape] for route in ("one_kernel", "fused", "staged", "direct")]}
            self.assertEqual(len(ids), 1, f"bit-equal routes share one verification id: {ids}")

    def test_counts_and_no_latency(self):
        self.assertEqual(self.run_data["context"]["emulated"], "true")
        self.assertIn("(emulated)", self.run_data["context"]["device"])
        for row in self.run_data["benchmarks"]:
            self.assertEqual(row["real_time"], 0)
            self.assertGreater(row["wave_instructions"], 0)
            self.assertGreaterEqual(row["launches"], 1)
            if "gemm" in row["name"]:
                self.assertGreater(row["modelled_us"], 0)
            self.assertNotIn("bytes_per_second", row)
            self.assertNotIn("enqueue_us", row)

    def test_counts_are_the_same_every_time(self):
        again = FOLDER / "again.json"
        subprocess.run([BENCH, f"--shapes={','.join(SHAPES)}", f"--out={again}"],
                       env={**os.environ, "MXPROOF_DEVICE": "emulator"}, capture_output=True, check=True)
        counts = lambda run: {row["name"]: row["wave_instructions"] for row in run["benchmarks"]}
        self.assertEqual(counts(json.loads(again.read_text())), counts(self.run_data))
        same = subprocess.run([MXPROOF, "report", "--check", str(next((FOLDER / "store").glob("*.json"))), str(again)],
                              capture_output=True, text=True, check=False)
        self.assertEqual(same.returncode, 2)
        self.assertIn("same binary", same.stderr)

    def test_dashboard_takes_it(self):
        result = subprocess.run([MXPROOF, "report", f"{FOLDER}/store", "-o", f"{FOLDER}/site"], capture_output=True,
                                text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("(runs: 1, files left out: 0)", result.stdout)

    def test_bad_flags(self):
        for flag in ("--shapes=4x5", "--seed=x", "--shapes=", "--nonsense"):
            result = subprocess.run([BENCH, flag], env={**os.environ, "MXPROOF_DEVICE": "emulator"}, capture_output=True,
                                    text=True, check=False)
            self.assertEqual(result.returncode, 2, flag + result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])

"""A run is plain Google Benchmark JSON: its own compare.py and github-action-benchmark can read it.

Usage: other_readers_test.py SAMPLE_RUN OUTPUT_FOLDER"""

import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

SAMPLE_RUN, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
COMPARE = pathlib.Path("/usr/share/benchmark/compare.py")  # Debian's libbenchmark-tools
GOOD = ["staged/4x2880x512/cold/graph", "staged/4x2880x512/cold/eager", "direct/4x2880x512/cold/graph"]


class OtherReaders(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        FOLDER.mkdir(parents=True, exist_ok=True)
        cls.runs = {}
        for name, slowdown in (("before", "1"), ("after", "1.5")):
            path = FOLDER / f"{name}.json"
            path.unlink(missing_ok=True)
            subprocess.run([SAMPLE_RUN, f"--out={path}"], env={**os.environ, "SAMPLE_SLOWDOWN": slowdown},
                           capture_output=True, check=False)
            cls.runs[name] = json.loads(path.read_text())

    def test_compare_py_finds_the_planted_slowdown(self):
        result = subprocess.run(["/usr/bin/python3", "-B", str(COMPARE), "--no-color", "benchmarks",
                                 str(FOLDER / "before.json"), str(FOLDER / "after.json")],
                                capture_output=True, text=True, check=True)
        rows = {}
        for line in result.stdout.splitlines():
            found = re.match(r"(\S+/\S+?)\s+([+-]\d+\.\d+)\s", line)
            if found and not found.group(1).endswith("_pvalue"):
                rows.setdefault(found.group(1), []).append(float(found.group(2)))
        for name in GOOD:
            self.assertEqual(len(rows[name]), 9, result.stdout)
            for change in rows[name]:
                self.assertAlmostEqual(change, 0.5, delta=0.12)
        self.assertIn("U Test, Repetitions: 9 vs 9", result.stdout)

    def test_fields_that_github_action_benchmark_reads(self):
        """What its extractor for the tool 'googlecpp' takes from each entry, with the types that it declares."""
        run = self.runs["before"]
        for key, kind in (("date", str), ("host_name", str), ("executable", str), ("num_cpus", int), ("mhz_per_cpu", int),
                          ("cpu_scaling_enabled", bool), ("load_avg", list), ("library_build_type", str)):
            self.assertIsInstance(run["context"][key], kind, key)
        self.assertEqual(len(run["benchmarks"]), 5 * 9)
        for entry in run["benchmarks"]:
            for key, kind in (("name", str), ("run_name", str), ("run_type", str), ("repetitions", int),
                              ("repetition_index", int), ("threads", int), ("iterations", int), ("real_time", float),
                              ("cpu_time", float), ("time_unit", str)):
                self.assertIsInstance(entry[key], kind, (entry["name"], key))
            self.assertEqual(entry["time_unit"], "us")

    def test_names_are_as_registered(self):
        names = {entry["name"] for entry in self.runs["before"]["benchmarks"]}
        self.assertEqual(names, set(GOOD) | {"fused/4x2880x512/cold/graph", "one_kernel/4x2880x512/cold/graph"})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])

"""The subcommand from outside: exit codes and messages. Usage: command_test.py MXPROOF OUTPUT_FOLDER"""

import json
import pathlib
import shutil
import subprocess
import sys
import unittest

import make_store

PROGRAM, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
STORE = FOLDER / "store"


def report(*arguments):
    return subprocess.run([PROGRAM, "report", *map(str, arguments)], capture_output=True, text=True, check=False)


class Command(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(FOLDER, ignore_errors=True)
        make_store.make_store(STORE)

    def changed_run(self, name, change):
        run = json.loads((STORE / "gpu-4.json").read_text())
        change(run)
        path = FOLDER / name
        path.write_text(json.dumps(run))
        return path

    def assert_one_line_error(self, result, *parts):
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        lines = result.stderr.splitlines()
        self.assertEqual(len(lines), 1, result.stderr)
        for part in parts:
            self.assertIn(part, lines[0])

    def test_regression_is_exit_one(self):
        result = report("--check", STORE / "gpu-4.json", STORE / "gpu-5.json")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertEqual(result.stdout.count("slower  staged/64x7168x2048/"), 4)
        self.assertEqual(result.stdout.count("lost    fused/32x4096x512/"), 4)
        self.assertIn("120 rows judged: 4 slower, 4 lost, 0 missing, 0 faster, 112 the same", result.stdout)

    def test_no_regression_is_exit_zero(self):
        result = report("--check", STORE / "gpu-3.json", STORE / "gpu-4.json")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("no regression", result.stdout)

    def test_improvement_is_told_and_passes(self):
        result = report("--check", STORE / "gpu-2.json", STORE / "gpu-3.json")
        self.assertEqual(result.returncode, 0)
        self.assertEqual(result.stdout.count("faster  direct/"), 24)

    def test_equal_build_ids_are_refused(self):
        same = self.changed_run("same.json", lambda run: None)
        self.assert_one_line_error(report("--check", STORE / "gpu-4.json", same), "same binary", "build4")
        self.assertEqual(report("--check", STORE / "gpu-4.json", same, "--same-build").returncode, 0)

    def test_different_devices_are_refused(self):
        self.assert_one_line_error(report("--check", STORE / "gpu-3.json", STORE / "emulated-4.json"), "Fixture GPU",
                                   "gfx950 (emulated)")

    def test_vanished_row_is_a_regression(self):
        fewer = self.changed_run("fewer.json", lambda run: run["benchmarks"].__delitem__(
            [entry["name"].startswith("direct/4x2880x512/cold/graph") for entry in run["benchmarks"]].index(True)))
        self.assertEqual(report("--check", STORE / "gpu-3.json", fewer).returncode, 0, "eight repeats are enough")

        def remove(run):
            run["benchmarks"] = [e for e in run["benchmarks"] if e["name"] != "direct/4x2880x512/cold/graph"]
        gone = self.changed_run("gone.json", remove)
        result = report("--check", STORE / "gpu-3.json", gone)
        self.assertEqual(result.returncode, 1)
        self.assertIn("missing direct/4x2880x512/cold/graph", result.stdout)
        self.assertEqual(report("--check", STORE / "gpu-3.json", gone, "--common").returncode, 0)

    def test_emulated_counts_are_compared_exactly(self):
        def more(run):
            run["context"]["build_id"] = "other"
            for entry in run["benchmarks"]:
                entry["wave_instructions"] = round(entry["wave_instructions"] * 1.02)
        run = json.loads((STORE / "emulated-4.json").read_text())
        more(run)
        (FOLDER / "more.json").write_text(json.dumps(run))
        result = report("--check", STORE / "emulated-4.json", FOLDER / "more.json")
        self.assertEqual(result.returncode, 1)
        self.assertIn("wave-instructions", result.stdout)
        self.assertNotIn(" us", result.stdout)

    def test_unreadable_runs_are_exit_two(self):
        good = STORE / "gpu-4.json"
        self.assert_one_line_error(report("--check", good, STORE / "truncated.json"), "truncated.json", "cut off")
        self.assert_one_line_error(report("--check", STORE / "foreign.json", good), "foreign.json")
        self.assert_one_line_error(report("--check", good, FOLDER / "none.json"), "none.json", "cannot be read: No such file")

    def test_page_needs_runs_a_folder_and_chart_js(self):
        self.assert_one_line_error(report(), "-o DIR")
        self.assert_one_line_error(report(STORE), "-o DIR")
        self.assert_one_line_error(report(FOLDER / "none", "-o", FOLDER / "site"), "cannot be read as a folder")
        self.assert_one_line_error(report(STORE, "-o", FOLDER / "site", "--chart-js", FOLDER / "none.js"), "Chart.js",
                                   "libjs-chart.js")
        self.assert_one_line_error(report(STORE, "-o", FOLDER / "site", "--chart-js", STORE / "gpu-1.json"),
                                   "not Chart.js 3")
        self.assert_one_line_error(report(STORE, "-o", STORE / "gpu-1.json"), "cannot be made")

    def test_store_without_a_usable_run_is_refused_with_every_reason(self):
        folder = FOLDER / "broken"
        folder.mkdir()
        shutil.copy(STORE / "truncated.json", folder)
        shutil.copy(STORE / "foreign.json", folder)
        self.assert_one_line_error(report(folder, "-o", FOLDER / "site"), "no usable run", "truncated.json: ",
                                   "foreign.json: ")

    def test_page_is_the_same_for_the_same_store(self):
        for name in ("one", "two"):
            self.assertEqual(report(STORE, "-o", FOLDER / name).returncode, 0)
        names = sorted(path.name for path in (FOLDER / "one").iterdir())
        self.assertIn("index.html", names)
        for name in names:
            self.assertEqual((FOLDER / "one" / name).read_bytes(), (FOLDER / "two" / name).read_bytes(), name)

    def test_runs_kept_in_the_repository_can_all_be_read(self):
        result = report(pathlib.Path(__file__).parents[3] / "data/runs", "-o", FOLDER / "kept")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"\(runs: [1-9]\d*, files left out: 0\)")

    def test_help_states_the_rule(self):
        self.assertIn("5 standard errors", report("--help").stdout.replace("\n", " "))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])

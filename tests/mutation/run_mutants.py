#!/usr/bin/env python3
"""Plants every known fault, in the reference and in the kernels, and prints which test catches each.

    run_mutants.py            the whole table; exit 1 when a mutant survives
    run_mutants.py --check    only that every mutant still applies to the sources (a default test)
    run_mutants.py --only ID  some of them

A file holds a list of {"id", "file", "from", "to", "what", "target", "tests"}: in `file` the text `from`, which occurs
exactly once, becomes `to`; the program `target` is built and run with the GoogleTest filter `tests`, which must fail.
"room" (the file's name) groups the table. The faults are planted in a copy under build/mutants, never in the tree.

Faults in kernels come from tests/optimized/mutants/mutants.json, whose CMakeLists.txt plants them: each is a program of
its own, which the default tests run too.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "build" / "mutants"
SOURCE = WORK / "source"
BUILD = WORK / "build"
KERNEL_MUTANTS = ROOT / "tests" / "optimized" / "mutants" / "mutants.json"
TIMEOUT_S = 300


def load(only):
    mutants = []
    for path in sorted(Path(__file__).parent.glob("*.json")):
        for mutant in json.loads(path.read_text()):
            mutants.append({**mutant, "room": path.stem, "program": mutant["target"]})
    for kernel in json.loads(KERNEL_MUTANTS.read_text()):
        mutants.append({"id": kernel["id"], "what": kernel["what"], "room": "optimized", "target": "test_optimized",
                        "program": f"mutant_{kernel['id']}", "tests": kernel["caught_by"]})
    names = [m["id"] for m in mutants]
    for name in names:
        if names.count(name) > 1:
            sys.exit(f"mutants: id '{name}' occurs twice")
    unknown = set(only) - set(names)
    if unknown:
        sys.exit(f"mutants: no mutant '{sorted(unknown)[0]}'; there are: {', '.join(names)}")
    return [m for m in mutants if not only or m["id"] in only]


def planted(mutant, root):
    """The mutated text of the file, or an error message; neither for a kernel, whose fault the build plants."""
    if "file" not in mutant:
        return None, None
    path = root / mutant["file"]
    if not path.exists():
        return None, f"no file {mutant['file']}"
    text = path.read_text()
    count = text.count(mutant["from"])
    if count != 1:
        return None, f"'{mutant['from']}' occurs {count} times in {mutant['file']}, not once"
    return text.replace(mutant["from"], mutant["to"]), None


def sh(*command, timeout=None):
    return subprocess.run(command, cwd=SOURCE, capture_output=True, text=True, timeout=timeout)


def build(target):
    result = sh("cmake", "--build", str(BUILD), "--target", target)
    if result.returncode == 0:
        return None
    lines = (result.stdout + result.stderr).splitlines()
    return next((line for line in lines if "error:" in line), lines[-1] if lines else "no output")


def run_tests(mutant):
    """(caught by, how). Nothing is caught by a run without tests."""
    program = next(BUILD.glob(f"**/bin/{mutant['program']}"), None)
    if program is None:
        return None, f"no program {mutant['program']}"
    try:
        result = sh(str(program), f"--gtest_filter={mutant['tests']}", timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired:
        return mutant["tests"], "ran past the time limit"
    if re.search(r"\[==========\] 0 tests from", result.stdout):
        return None, f"no test matches {mutant['tests']}"
    failed = re.findall(r"^\[  FAILED  \] (\S+?)(?:,| \()", result.stdout, re.MULTILINE)
    if failed:
        return failed[0], "failed"
    if result.returncode != 0:
        running = re.findall(r"^\[ RUN      \] (\S+)", result.stdout, re.MULTILINE)
        return (running[-1] if running else mutant["tests"]), "crashed"
    return None, "survived"


def prepare():
    """A copy of the tracked sources, configured; unchanged files keep their time, so that a second run builds little."""
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    for name in filter(None, tracked):
        source, target = ROOT / name, SOURCE / name
        if not source.is_file():
            continue
        if not target.exists() or target.read_bytes() != source.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
            shutil.copymode(source, target)
    if not (BUILD / "build.ninja").exists():
        launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
        result = sh("cmake", "--preset", "default", "-B", str(BUILD), "-DMXPROOF_BENCH=OFF", *launcher)
        if result.returncode != 0:
            sys.exit("mutants: configuring failed\n" + result.stdout + result.stderr)


def check_baseline(mutants):
    """Without a fault every test that is to catch one must pass, or its failure would say nothing."""
    for target in sorted({m["target"] for m in mutants}):
        error = build(target)
        if error:
            sys.exit(f"mutants: the sources without a fault do not build\n{error}")
        tests = ":".join(sorted({m["tests"] for m in mutants if m["target"] == target}))
        caught, how = run_tests({"program": target, "tests": tests})
        if caught or how != "survived":
            sys.exit(f"mutants: without a fault {target} {tests}: {how} ({caught})")


def catch(mutant):
    """(caught by, how) of a mutant that is planted, built and run."""
    text = planted(mutant, SOURCE)[0]
    path = SOURCE / mutant.get("file", "")
    original = path.read_text() if text else None
    try:
        if text:
            path.write_text(text)
        error = build(mutant["program"])
        return (None, "does not build: " + error) if error else run_tests(mutant)
    finally:
        if text:
            path.write_text(original)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="only check that every mutant applies")
    parser.add_argument("--only", nargs="+", default=[], metavar="ID")
    arguments = parser.parse_args()
    mutants = load(arguments.only)
    stale = [(m["id"], error) for m in mutants if (error := planted(m, ROOT)[1])]
    for name, error in stale:
        print(f"mutants: {name}: {error}")
    if stale or not mutants:
        sys.exit(1)
    if arguments.check:
        print(f"{len(mutants)} mutants apply")
        return

    prepare()
    check_baseline(mutants)
    print(f"{'room':<10} {'mutant':<28} {'caught by':<62} fault", flush=True)
    survivors = 0
    start = time.monotonic()
    for mutant in mutants:
        caught, how = catch(mutant)
        if caught is None:
            survivors += 1
        shown = caught if how == "failed" else f"{caught} ({how})" if caught else f"NOTHING ({how})"
        print(f"{mutant['room']:<10} {mutant['id']:<28} {shown:<62} {mutant['what']}", flush=True)
    print(f"{len(mutants)} mutants, {len(mutants) - survivors} caught, {survivors} survived, "
          f"{time.monotonic() - start:.0f} s")
    sys.exit(1 if survivors else 0)


if __name__ == "__main__":
    main()

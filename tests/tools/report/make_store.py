"""Writes a store of invented runs into a folder: two devices, a planted regression, a mismatch, a truncated file and a
foreign one. The values are made from a seed; page_test.py computes from the same files what the page must show."""

import json
import math
import pathlib
import random
import sys

SHAPES = ["4x2880x512", "16x2112x7168", "32x4096x512", "32x2880x512", "64x7168x2048", "256x3072x1536"]
ROUTES = ["one_kernel", "fused", "staged", "direct"]
KERNELS = ["gemm_a4w4"]
GPU = "Fixture GPU"
EMULATED = "gfx950 (emulated)"
REPEATS = 9


def base_us(path, shape):
    """A time that grows with the bytes of the shape, plus what each path costs on top."""
    m, n, k = map(int, shape.split("x"))
    floor = 0.8 + (n * k * 17 / 32 + 2 * m * k + 2 * m * n) / 4.3e6
    return floor * {"stream_floor": 1, "cublaslt_bf16": 2.6, "one_kernel": 1.9, "fused": 2.2, "staged": 2.4, "direct": 1.6,
                    "gemm_a4w4": 1.2}[path]


def entry(name, index, label, **fields):
    return {"name": name, "family_index": 0, "per_family_instance_index": 0, "run_name": name,
            "run_type": "iteration", "repetitions": REPEATS, "repetition_index": index, "threads": 1,
            "iterations": 1000, "real_time": 0.0, "cpu_time": 0.1, "time_unit": "us", "label": label, **fields}


def gpu_rows(rng, commit):
    rows = []
    for path in ["stream_floor", "cublaslt_bf16"] + ROUTES + KERNELS:
        kind = {"stream_floor": "floor", "cublaslt_bf16": "peer", "gemm_a4w4": "kernel"}.get(path, "route")
        for shape in SHAPES:
            m, n, k = map(int, shape.split("x"))
            for cache in ["cold", "hot"]:
                for launch in ["graph", "eager"]:
                    us = base_us(path, shape) * (0.8 if cache == "hot" else 1) + (4.2 if launch == "eager" else 0)
                    us *= math.exp(rng.gauss(0, 0.004))
                    if path == "direct" and commit >= 3:
                        us *= 0.85  # an improvement that stays
                    if path == "staged" and shape == "64x7168x2048" and commit == 5:
                        us *= 1.15  # the planted regression, in the newest run
                    name = f"{path}/{shape}/{cache}/{launch}"
                    wrong = path == "fused" and shape == "32x4096x512" and commit == 5
                    for i in range(REPEATS):
                        if wrong:
                            rows.append(entry(name, i, "verdict=mismatch id=badbadbadbadbad0 kind=route",
                                              error_occurred=True, error_message="131 of 131072 outputs differ"))
                            continue
                        time = us * math.exp(rng.gauss(0, 0.006))
                        verdict = "within-bound" if kind == "peer" else "bit-equal"
                        rows.append(entry(name, i, f"verdict={verdict} id={rng.getrandbits(64):016x} kind={kind}",
                                          real_time=time, flop=2 * m * n * k, bytes=n * k * 17 / 32 + 2 * m * k + 2 * m * n,
                                          launches={"one_kernel": 2, "fused": 2, "staged": 3}.get(path, 1),
                                          enqueue_us=1.9 + rng.random() * 0.2,
                                          roofline_share=base_us("stream_floor", shape) / time))
    for launch, us in [("graph", 0.5), ("eager", 4.7)]:
        for i in range(REPEATS):
            rows.append(entry(f"empty_launch/any/hot/{launch}", i, "verdict=no-output id=0 kind=floor",
                              real_time=us * math.exp(rng.gauss(0, 0.01))))
    return rows


def emulated_rows(commit):
    rows = []
    for path in ROUTES:
        for shape in SHAPES:
            instructions = int(20000 * base_us(path, shape)) - 100 * commit
            rows.append(entry(f"{path}/{shape}/cold/eager", 0, "verdict=bit-equal id=0123456789abcdef kind=route",
                              real_time=987654.0,  # a careless writer: the page must not show it
                              wave_instructions=instructions, launches=2, modelled_us=base_us(path, shape) / 2,
                              flop=1e9))
    return rows


def write(folder, name, device, commit, rows):
    emulated = "true" if "emulated" in device else "false"
    context = {"date": f"2031-05-{commit:02d}T10:00:00+00:00", "host_name": "", "executable": "mxproof_bench",
               "num_cpus": 2, "mhz_per_cpu": 2000, "cpu_scaling_enabled": False, "caches": [], "load_avg": [0.5],
               "library_build_type": "release", "commit": f"{commit * 0x1111111:07x}".ljust(40, "a"), "dirty": "false",
               "build_id": f"build{commit}", "compiler": "clang 22", "flags": "-O3", "device": device,
               "emulated": emulated, "driver": "1.2.3", "seed": str(1000 + commit),
               "state_before": "1980 MHz, 210 W, 41 C", "state_after": "1980 MHz, 260 W, 44 C"}
    (folder / name).write_text(json.dumps({"context": context, "benchmarks": rows}, indent=1))


def make_store(folder, seed=20310501):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(seed)
    for commit in range(1, 6):
        write(folder, f"gpu-{commit}.json", GPU, commit, gpu_rows(rng, commit))
    for commit in range(2, 5):
        write(folder, f"emulated-{commit}.json", EMULATED, commit, emulated_rows(commit))
    (folder / "truncated.json").write_text((folder / "gpu-1.json").read_text()[:4000])
    (folder / "foreign.json").write_text('{"results": [1, 2, 3]}')


if __name__ == "__main__":
    make_store(sys.argv[1])

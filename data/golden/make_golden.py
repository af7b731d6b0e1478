#!/usr/bin/env python3
"""Remakes the golden vectors: what public implementations give, recorded and not judged.

    python3 -m venv venv && venv/bin/pip install -r requirements.txt && venv/bin/python make_golden.py

Writes, next to this script:
  elements.json       f32 -> e2m1 code, element by element
  e8m0.json           byte -> f32, and f32 -> byte by plain casts (which are no scale rules)
  blocks.json         32 values -> scale byte and packed codes, block by block
  products.json       quantised operands -> exact products by rational arithmetic
  disagreements.json  where implementations of one rule differ from each other
  manifest.json       package versions and the SHA-256 of every file above
"""

import hashlib
import json
import logging
import struct
import warnings
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path

import gfloat
import gfloat.block
import gfloat.formats
import ml_dtypes
import mlx.core as mx
import numpy as np

warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)

import torch  # noqa: E402
from gguf.quants import MXFP4 as GgufMxfp4  # noqa: E402
from torchao.prototype.mx_formats.mx_tensor import ScaleCalculationMode, to_mx  # noqa: E402

HERE = Path(__file__).resolve().parent
PACKAGES = ["gfloat", "gguf", "ml_dtypes", "mlx", "numpy", "torch", "torchao"]
SEED = 20260101


def bits(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


def f32(pattern):
    return struct.unpack("<f", struct.pack("<I", pattern))[0]


def write(name, content):
    text = json.dumps(content, separators=(",", ":"), sort_keys=True)
    # One entry a line: the files are read by people too.
    text = text.replace("},{", "},\n{").replace('":[{', '":[\n{').replace("}]", "}\n]")
    (HERE / name).write_text(text + "\n")


# ---------------------------------------------------------------- elements


def element_inputs():
    patterns = set()
    for point in (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 7.0, 8.0):
        for step in (-3, -2, -1, 0, 1, 2, 3, 4, 5, 1 << 15, -(1 << 15), 1 << 16, -(1 << 16)):
            pattern = bits(point) + step
            if 0 <= pattern < 0x7F800000:
                patterns.add(pattern)
    patterns |= {1, 0x7FFFFF, 0x800000, 0x7F7FFFFF, 0x33000000}
    return sorted(patterns) + sorted(p | 0x80000000 for p in patterns)


def elements():
    inputs = element_inputs()
    values = np.array(inputs, np.uint32).view(np.float32)
    by_ml_dtypes = values.astype(ml_dtypes.float4_e2m1fn).view(np.uint8)
    info = gfloat.formats.format_info_ocp_e2m1
    by_gfloat = [
        gfloat.encode_float(info, gfloat.round_float(info, float(v), gfloat.RoundMode.TiesToEven, True)) for v in values
    ]
    return {
        "comment": "f32 bit pattern -> e2m1 code, nearest even, saturating",
        "cases": [
            {"f32": i, "ml_dtypes": int(a), "gfloat": int(b)} for i, a, b in zip(inputs, by_ml_dtypes, by_gfloat)
        ],
    }


# ---------------------------------------------------------------- e8m0


def e8m0():
    everything = np.arange(256, dtype=np.uint8)
    by_ml_dtypes = everything.view(ml_dtypes.float8_e8m0fnu).astype(np.float32).view(np.uint32)
    by_torch = torch.tensor(everything).view(torch.float8_e8m0fnu).to(torch.float32).numpy().view(np.uint32)
    casts = []
    for value in [1.0, 1.25, 1.5, 1.75, 2.0, 3.0, 0.75, 6.0, 2.0**-126, 2.0**-127, 2.0**-128, 1.5 * 2.0**-127, 0.0,
                  1.75 * 2.0**127, float("inf"), float("nan")]:
        array = np.array([value], np.float32)
        casts.append({
            "f32": bits(value),
            "ml_dtypes": int(array.astype(ml_dtypes.float8_e8m0fnu).view(np.uint8)[0]),
            "torch": int(torch.tensor(array).to(torch.float8_e8m0fnu).view(torch.uint8)[0]),
        })
    return {
        "comment": "decode: byte -> f32 bits. casts: what a plain cast to e8m0 gives; none of them is a scale rule",
        "decode": [{"byte": i, "ml_dtypes": int(a), "torch": int(b)}
                   for i, (a, b) in enumerate(zip(by_ml_dtypes, by_torch))],
        "casts": casts,
    }


# ---------------------------------------------------------------- blocks


def block_inputs():
    cases = []

    def add(name, head, rest=0.0):
        values = (list(head) + [rest] * 32)[:32]
        cases.append((name, np.array(values, np.float32)))

    pattern = [0.75, -0.25, 1.25, -1.75, 2.5, -3.5, 0.5, -0.0]
    mantissas = {"1": 1.0, "1+ulp": 1 + 2**-7, "1.5-ulp": 1.5 - 2**-7, "1.5": 1.5, "1.5+ulp": 1.5 + 2**-7,
                 "1.75-ulp": 1.75 - 2**-7, "1.75": 1.75, "2-ulp": 2 - 2**-7}
    for name, mantissa in mantissas.items():
        for exponent in (-120, -7, 0, 2, 9, 120):
            scale = 2.0 ** (exponent - 2)
            add(f"mantissa {name} exponent {exponent}", [mantissa * 2.0**exponent] + [p * scale for p in pattern])
    # Public reports; see tests/reference/public_reports_test.cpp.
    add("report [6.5, .25]", [6.5], 0.25)
    add("report [7, 1]", [7.0], 1.0)
    add("report triton#6054", [6, 0, 0.24, 0.25, 0.75, 0.99, 1.2, 1.3] * 4)
    add("report [1.75, .25]", [1.75], 0.25)
    add("report [3.03125, .5]", [3.03125], 0.5)
    add("report [6]", [6.0])
    add("report [4, -0.1]", [4.0], -0.1)
    add("zeros", [])
    add("negative zeros", [], -0.0)
    add("2^-126", [2.0**-126])
    add("2^-130 everywhere", [], 2.0**-130)
    add("6 * 2^-127", [6 * 2.0**-127])
    add("smallest f32", [2.0**-149])
    add("largest bf16", [f32(0x7F7F0000)])
    add("largest f32", [f32(0x7F7FFFFF), -1.0])
    add("1.5 * 2^127", [1.5 * 2.0**127, 2.0**126])
    add("one NaN", [float("nan")], 1.0)
    add("one Inf", [float("inf")], 1.0)
    add("negative Inf", [-float("inf")], 1.0)
    random = np.random.default_rng(SEED)
    for i in range(12):
        values = random.standard_normal(32).astype(np.float32)
        cases.append((f"normal f32 {i}", values))
    for i in range(12):
        values = random.standard_normal(32).astype(ml_dtypes.bfloat16).astype(np.float32)
        cases.append((f"normal bf16 {i}", values))
    for i in range(6):
        values = random.standard_t(2, 32).astype(ml_dtypes.bfloat16).astype(np.float32)
        cases.append((f"heavy tail {i}", values))
    return cases


def from_torchao(values, mode):
    scale, data = to_mx(torch.tensor(values).reshape(1, 32), torch.float4_e2m1fn_x2, 32, mode)
    return {"scale": int(scale.view(torch.uint8).reshape(-1)[0]),
            "codes": data.view(torch.uint8).reshape(-1).numpy().tobytes().hex()}


def from_mlx(values):
    packed, scale = mx.quantize(mx.array(values.reshape(1, 32)), group_size=32, bits=4, mode="mxfp4")
    return {"scale": int(np.array(scale).reshape(-1)[0]), "codes": np.array(packed).astype("<u4").tobytes().hex()}


def from_gguf(values):
    block = GgufMxfp4.quantize_blocks(values.reshape(1, 32))[0]
    return {"ggml": block.astype(np.uint8).tobytes().hex()}


def from_gfloat(values):
    info = gfloat.formats.format_info_mxfp4_e2m1 if hasattr(gfloat.formats, "format_info_mxfp4_e2m1") else None
    wide = values.astype(np.float64)
    scale = gfloat.block.compute_scale_amax(info.etype.emax, wide)
    encoded = list(gfloat.block.encode_block(info, scale, wide / scale))
    codes = bytes(int(encoded[1 + 2 * i]) | int(encoded[2 + 2 * i]) << 4 for i in range(16))
    return {"scale": int(encoded[0]), "codes": codes.hex()}


def attempt(function, *arguments):
    try:
        return function(*arguments)
    except Exception as error:  # what an implementation refuses is a result too
        return {"error": type(error).__name__}


def blocks():
    cases = []
    for name, values in block_inputs():
        results = {f"torchao-{mode.value}": attempt(from_torchao, values, mode) for mode in ScaleCalculationMode}
        results["mlx"] = attempt(from_mlx, values)
        results["gguf"] = attempt(from_gguf, values)
        results["gfloat"] = attempt(from_gfloat, values)
        cases.append({"name": name, "f32": [int(b) for b in values.view(np.uint32)], "results": results})
    return {"comment": "codes: 16 bytes, low nibble first. ggml: 17 bytes, scale first, byte j holds elements j and "
                       "j + 16", "cases": cases}


# ---------------------------------------------------------------- products


def products():
    random = np.random.default_rng(SEED + 1)
    table = np.arange(16, dtype=np.uint8).view(ml_dtypes.float4_e2m1fn).astype(np.float64)
    cases = []
    for name, low, high in [("ordinary scales", 124, 130), ("wide scales", 90, 165), ("all scales", 0, 254),
                            ("small scales", 0, 40), ("large scales", 214, 254)]:
        rows, cols, k = 3, 4, 96
        operands = []
        for count in (rows, cols):
            codes = random.integers(0, 16, (count, k), dtype=np.uint8)
            scales = random.integers(low, high + 1, (count, k // 32), dtype=np.uint8)
            operands.append((codes, scales))
        exact = []
        for r in range(rows):
            for c in range(cols):
                total = Fraction(0)
                for i in range(k):
                    (ca, sa), (cb, sb) = operands
                    total += (Fraction(table[ca[r, i]]) * Fraction(table[cb[c, i]])
                              * Fraction(2) ** (int(sa[r, i // 32]) + int(sb[c, i // 32]) - 254))
                exact.append({"f64": struct.unpack("<Q", struct.pack("<d", float(total)))[0]})

        def pack(operand):
            codes, scales = operand
            packed = (codes[:, 0::2] | codes[:, 1::2] << 4).astype(np.uint8)
            return {"codes": packed.tobytes().hex(), "scales": scales.tobytes().hex()}

        cases.append({"name": name, "m": rows, "n": cols, "k": k, "a": pack(operands[0]), "b": pack(operands[1]),
                      "exact": exact})
    return {"comment": "A * B^T by Python fractions; f64: the exact sum rounded once to double by CPython",
            "cases": cases}


# ---------------------------------------------------------------- disagreements


def linear(result):
    """A result as (scale, codes in linear order), whatever its packing."""
    if "error" in result:
        return (result["error"], "")
    if "ggml" not in result:
        return (result["scale"], result["codes"])
    block = bytes.fromhex(result["ggml"])
    codes = [block[1 + j % 16] >> (4 * (j // 16)) & 15 for j in range(32)]
    return (block[0], bytes(codes[2 * i] | codes[2 * i + 1] << 4 for i in range(16)).hex())


def disagreements(block_file, element_file):
    rules = {"floor": ["torchao-floor", "gguf", "gfloat"], "rceil": ["torchao-rceil", "mlx"]}
    found = []
    for case in block_file["cases"]:
        for rule, names in rules.items():
            answers = {name: linear(case["results"][name]) for name in names}
            if len(set(answers.values())) > 1:
                found.append({"case": case["name"], "rule": rule,
                              "answers": {name: list(answer) for name, answer in answers.items()}})
    for case in element_file["cases"]:
        if case["ml_dtypes"] != case["gfloat"]:
            found.append({"case": f"element {case['f32']:#010x}", "rule": "nearest even",
                          "answers": {"ml_dtypes": case["ml_dtypes"], "gfloat": case["gfloat"]}})
    return {"comment": "implementations of one rule that differ, as they answered; nothing is averaged or corrected",
            "found": found}


def main():
    element_file = elements()
    block_file = blocks()
    files = {
        "elements.json": element_file,
        "e8m0.json": e8m0(),
        "blocks.json": block_file,
        "products.json": products(),
        "disagreements.json": disagreements(block_file, element_file),
    }
    for name, content in files.items():
        write(name, content)
    write("manifest.json", {
        "packages": {name: version(name) for name in PACKAGES},
        "seed": SEED,
        "sha256": {name: hashlib.sha256((HERE / name).read_bytes()).hexdigest() for name in files},
    })


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Remakes the array files of this folder with the libraries that define the formats.

    pip install numpy==2.4.6 ml_dtypes==0.6.0 safetensors==0.8.0 && python3 make.py

Every file holds the same [2, 3] values: 0, -1.5, 2, 0.5, -6, 3 (bytes 0 to 5 for u8 and e8m0).
"""
import pathlib
import ml_dtypes
import numpy as np
from safetensors import TensorSpec, serialize

here = pathlib.Path(__file__).parent
values = np.array([[0, -1.5, 2], [0.5, -6, 3]])
bf16 = values.astype(ml_dtypes.bfloat16)
f16 = values.astype(np.float16)
f32 = values.astype(np.float32)
u8 = np.arange(6, dtype=np.uint8).reshape(2, 3)

np.save(here / "bf16.npy", bf16)
np.save(here / "f16.npy", f16)
np.save(here / "f32.npy", f32)
np.save(here / "f32_fortran.npy", np.asfortranarray(f32))
np.save(here / "u8.npy", u8)
for major in (2, 3):
    with open(here / f"f32_v{major}.npy", "wb") as file:
        np.lib.format.write_array(file, f32, version=(major, 0))
np.save(here / "f64.npy", values)
np.save(here / "refused_big_endian.npy", f32.astype(">f4"))
np.save(here / "refused_v1_bytes.npy", u8.astype(ml_dtypes.float8_e8m0fnu))
np.save(here / "refused_structured.npy", np.zeros(2, dtype=[("x", "<f4"), ("y", "<f4")]))
np.save(here / "refused_object.npy", np.array([[None, 1]], dtype=object))

# Codes [2, 4], two a byte, the even element low: 0 -1.5 2 0.5, -6 3 1 -0. Given with torch's shape, in bytes.
codes = np.array([[0xB0, 0x14], [0x5F, 0x82]], dtype=np.uint8)


def spec(dtype, data):
    return TensorSpec(dtype=dtype, shape=list(data.shape), data_ptr=data.ctypes.data, data_len=data.nbytes)


i64 = np.arange(6).reshape(2, 3)
tensors = {
    "bf16": spec("bfloat16", bf16),
    "f16": spec("float16", f16),
    "f32": spec("float32", f32),
    "u8": spec("uint8", u8),
    "scales": spec("float8_e8m0fnu", u8),
    "codes": spec("float4_e2m1fn_x2", codes),
    "i64": spec("int64", i64),
}
(here / "all.safetensors").write_bytes(serialize(tensors, {"made by": "make.py"}))
(here / "one.safetensors").write_bytes(serialize({"only": spec("bfloat16", bf16)}))

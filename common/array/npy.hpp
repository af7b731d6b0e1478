// NumPy's .npy, versions 1 to 3.
//
//   "\x93NUMPY"  major minor  header length (u16 in version 1, u32 after)  header  data
//   header: a Python dict literal, {'descr': '<f4', 'fortran_order': False, 'shape': (16, 512), }
//
// bf16 has no code in NumPy: ml_dtypes writes it as the opaque two-byte type '<V2', and that is how it is
// read and written here; nothing else of two opaque bytes occurs in this field. One opaque byte ('V1') could
// be e8m0, FP4 or FP8 and is refused: save such data as uint8. Dtype names ('bfloat16', 'float8_e8m0fnu') are
// accepted as descr too. Big-endian, structured and object arrays are refused. Fortran order is read, and
// turned to C order.
#pragma once

#include <string>

#include "common/array/array.hpp"
#include "common/array/byte_source.hpp"

namespace mxproof {

/// Reads a .npy. Messages say what is wrong and where, without the file's name: the caller adds it.
Expected<Array> read_npy(const ByteSource& source);

/// The header and padding that precede the data of `array` in a version 1 file.
std::string npy_header(const Array& array);

}  // namespace mxproof

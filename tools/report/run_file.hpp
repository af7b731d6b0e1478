// One benchmark run read back from Google Benchmark's JSON, as mxproof_bench writes it.
//
// What mxproof adds to the plain format: strings in `context` (commit, dirty, build_id, compiler, flags,
// device, emulated, driver, seed, state_before, state_after), and a label `verdict=... id=... kind=...` on
// every row.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/status.hpp"
#include "tools/report/bench_name.hpp"

namespace mxproof::report {

/// Where a run comes from. A field that the file lacks is empty.
struct RunContext {
  std::string date;      ///< ISO 8601 with time zone, as written.
  int64_t time = 0;      ///< The same in seconds since 1970, UTC.
  std::string commit;    ///< Full hash.
  bool dirty = false;    ///< Built from a tree with uncommitted changes.
  std::string build_id;  ///< The linker's hash over the program.
  std::string compiler;
  std::string flags;
  std::string device;     ///< "gfx950 (emulated)", "NVIDIA H200", ...
  bool emulated = false;  ///< True: no time of this run is a latency.
  std::string driver;
  std::string seed;
  std::string state_before;  ///< Clocks, power and temperature before the first row ...
  std::string state_after;   ///< ... and after the last one.
};

/// All repeats of one benchmark within a run.
struct Row {
  std::string text;              ///< The name as written.
  BenchName name;                ///< The same, parsed.
  std::string verdict;           ///< The worst verdict of the repeats; "unverified" when a row carries none.
  std::string id;                ///< Verification id: the same id means that the same bytes were verified.
  std::string kind;              ///< "route", "kernel", "peer", "floor" or "host".
  std::string message;           ///< Why there is no time, for rows that failed.
  std::vector<double> times_us;  ///< One per repeat; empty unless the row may show a time.
  std::map<std::string, double> counters;  ///< Median over the repeats.

  bool has_time() const { return !times_us.empty(); }
};

struct RunFile {
  std::string file;  ///< File name without its folder.
  RunContext context;
  std::vector<Row> rows;  ///< In the order of the file.
};

/// True for verdicts next to which a time may stand: "bit-equal", "within-bound", and "no-output" for work
/// that writes nothing (an empty launch).
bool verdict_allows_time(std::string_view verdict);

/// Reads the text of a run. `file` only names it in messages. Text that is not JSON, is cut off, or is the
/// JSON of something else is bad input: one sentence with the place and what would be right. A row whose
/// verdict is no pass, whose time is not a positive number, or that comes from an emulated device keeps no
/// time.
Expected<RunFile> parse_run(std::string_view text, const std::string& file);

/// The same from a file on disk.
Expected<RunFile> read_run(const std::string& path);

}  // namespace mxproof::report

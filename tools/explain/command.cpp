#include "tools/explain/command.hpp"

#include <fmt/format.h>

#include <memory>
#include <random>

#include "common/array/byte_source.hpp"
#include "common/report/progress.hpp"
#include "tools/explain/cause.hpp"
#include "tools/explain/corpus/corpus.hpp"
#include "tools/explain/engine.hpp"
#include "tools/explain/error_map.hpp"
#include "tools/explain/inputs.hpp"
#include "tools/explain/report.hpp"

namespace mxproof {
namespace {

using namespace explain;  // NOLINT(google-build-using-namespace): this file is that room's face

constexpr const char* kFooter =
    "Exit code: 0 nothing is wrong, 1 something is, 2 a flag or file is wrong.\n\n"
    "Files are .npy, .safetensors[:TENSOR] or raw bytes as FILE@DTYPE:ROWSxCOLS (out.bin@bf16:16x2880).\n"
    "Answers:\n"
    "  explained  one cause (or two together) predicts the wrong outputs bit for bit\n"
    "  located    where it is wrong has a clear shape; why is not known\n"
    "  unstable   runs of the same call differ (give --out several times)\n"
    "  unknown    nothing fits; what was seen is listed\n\n"
    "Examples:\n"
    "  mxproof explain --a a.npy --b w.safetensors --out c.npy --html map.html\n"
    "  mxproof explain --expected right.npy --out run1.npy --out run2.npy\n"
    "  mxproof explain --a a.npy --codes q.npy --scales s.npy --scales-layout scale_32x8\n"
    "  mxproof explain --self-test                          planted faults and what is made of them";

struct Flags {
  Inputs inputs;
  std::string json;
  std::string html;
  std::vector<int64_t> tile = {16, 16};
  bool causes = false;
  bool self_test = false;
  std::string seed;
};

void list_causes() {
  for (const Cause& cause : all_causes()) fmt::print("{:<24} {}\n", cause.name, cause.sentence);
}

Expected<int> self_test(const Flags& flags) {
  uint64_t seed = std::random_device()();
  if (!flags.seed.empty()) {
    const Expected<uint64_t> given = parse_seed(flags.seed);
    if (!given) return bad_flag("--seed", given.status());
    seed = *given;
  }
  struct Part {
    const char* title;
    std::vector<Fault> faults;
    std::vector<GemmShape> shapes;
  };
  const Part parts[] = {{"Faults that the causes were written for", all_faults(), scoring_shapes()},
                        {"Faults that no cause was written for", faults_unforeseen(), unforeseen_shapes()},
                        {"Faults of results with few rows", faults_small(), small_shapes()}};
  double trials = 0;
  for (const Part& part : parts) trials += static_cast<double>(part.faults.size() * part.shapes.size());
  Progress progress(trials);
  bool passed = true;
  for (const Part& part : parts) {
    const CorpusResult result =
        run_corpus(part.faults, part.shapes, seed, Coverage::every_shape,
                   [&](const CorpusTrial& trial) { progress.advance(1, trial.fault); });
    progress.clear();
    fmt::print("{}\n\n{}\n", part.title, confusion_table(result));
    passed = passed && is_good_enough(result);
  }
  fmt::print("seed {}\n", seed);
  return passed ? kExitPass : kExitFail;
}

Expected<int> run(const Flags& flags) {
  if (flags.causes) {
    list_causes();
    return static_cast<int>(kExitPass);
  }
  if (flags.self_test) return self_test(flags);
  const Expected<Evidence> evidence = gather(flags.inputs);
  if (!evidence) return evidence.status();
  Progress progress(1);
  double done = 0;
  const Expected<Explanation> explanation = explain::explain(
      *evidence, {.threads = 0, .pairs = true, .progress = [&](double at, std::string_view what) {
                    progress.advance(std::max(0.0, at - done), std::string(what));
                    done = std::max(done, at);
                  }});
  progress.clear();
  if (!explanation) return explanation.status();
  if (!flags.json.empty()) {
    if (Status status = write_text(flags.json, to_json(*explanation).dump(2) + "\n"); !status) return status;
  }
  if (!flags.html.empty()) {
    const Extent tile{flags.tile[0], flags.tile[1]};
    if (Status status = write_text(flags.html, error_map_page(*evidence, *explanation, tile)); !status)
      return status;
  }
  fmt::print("{}", to_text(*explanation));
  return static_cast<int>(explanation->answer == Answer::right ? kExitPass : kExitFail);
}

}  // namespace

void add_explain(Program& program) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command = program.app.add_subcommand("explain", "Why is this result wrong?");
  command->footer(kFooter);
  Inputs& in = flags->inputs;
  command->add_option("--a", in.a, "A [M, K]: numbers to quantise, or a quantised matrix")->type_name("FILE");
  command->add_option("--a-scales", in.a_scales, "Scales of A, when --a names codes alone")
      ->type_name("FILE");
  command->add_option("--b", in.b, "B [N, K]: numbers to quantise, or a quantised matrix")->type_name("FILE");
  command->add_option("--b-scales", in.b_scales, "Scales of B, when --b names codes alone")
      ->type_name("FILE");
  command->add_option("--out", in.outputs, "The kernel's output [M, N]; several for runs of the same call")
      ->type_name("FILE");
  command->add_option("--expected", in.expected, "The right output; computed from A and B when left out")
      ->type_name("FILE");
  command->add_flag("--nan-expected", in.nan_expected, "NaN in --expected is meant");
  command->add_option("--previous", in.previous, "What the output buffer held before")->type_name("FILE");
  command->add_option("--codes", in.codes, "The kernel's codes for A, to explain instead of an output")
      ->type_name("FILE");
  command->add_option("--scales", in.scales, "The kernel's scales for A")->type_name("FILE");
  command->add_option("--codes-layout", in.codes_layout, "Layout of --codes")
      ->type_name("LAYOUT")
      ->capture_default_str();
  command->add_option("--scales-layout", in.scales_layout, "Layout of --scales")
      ->type_name("LAYOUT")
      ->capture_default_str();
  command->add_option("--policy", in.policy, "How numbers are quantised")->capture_default_str();
  command->add_option("--packing", in.packing,
                      "Packing of quantised operands: low-first, high-first or ggml\n(default: what the file "
                      "says, or low-first)");
  command->add_option("--k", in.k, "K, when no operand tells it")->check(at_least(0));
  command->add_option("--json", flags->json, "Write the explanation as JSON")->type_name("FILE");
  command->add_option("--html", flags->html, "Write the error map as a page")->type_name("FILE");
  command->add_option("--tile", flags->tile, "Rows and columns of the grid over the map")
      ->expected(2)
      ->check(at_least(1))
      ->capture_default_str();
  command->add_flag("--causes", flags->causes, "List the causes that are tried");
  auto* self_test_flag = command->add_flag("--self-test", flags->self_test,
                                           "Run the corpus of planted faults and print how it went");
  command->add_option("--seed", flags->seed, "Seed of --self-test; drawn afresh when left out")
      ->needs(self_test_flag);
  // Alone these would be ignored.
  for (const auto& [flag, other] : {std::pair("--a-scales", "--a"),
                                    {"--b-scales", "--b"},
                                    {"--nan-expected", "--expected"},
                                    {"--codes-layout", "--codes"},
                                    {"--scales-layout", "--scales"},
                                    {"--tile", "--html"}})
    command->get_option(flag)->needs(command->get_option(other));
  for (const char* report : {"--json", "--html"})
    command->get_option("--self-test")->excludes(command->get_option(report));
  command->callback([&program, flags] {
    program.action = [flags] {
      const Expected<int> code = run(*flags);
      return code ? *code : report_error(code.status());
    };
  });
}

}  // namespace mxproof

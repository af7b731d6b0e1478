#include "tools/explain/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>
#include <mutex>
#include <thread>

#include "tools/explain/by_kind.hpp"
#include "tools/explain/cause.hpp"
#include "tools/explain/locate.hpp"
#include "tools/explain/observations.hpp"
#include "tools/explain/sample.hpp"
#include "tools/explain/trial.hpp"

namespace mxproof::explain {
namespace {

constexpr double kEnough = 0.98;         // share of wrong cells that a cause must account for
constexpr double kMarginBits = 8;        // an answer must say this much more than which hypothesis it is
constexpr double kWorthFullTest = 0.25;  // share of the sample that earns a test on all cells
constexpr size_t kMostFullTests = 16;
constexpr double kProbeShare = 0.75;    // share of the probe that a pair must explain to be looked at closely
constexpr double kDense = 0.9;          // a region this full of wrong cells is an answer to "where"
constexpr double kLargestRegion = 0.6;  // share of the result beyond which "where" says nothing
constexpr size_t kFirstCells = 8;
constexpr int64_t kFewestLines = 8;  // rows of an operand in a region to which a fault may be confined
constexpr double kFactorBits = 4;    // a power of two near 1

/// One or two candidates applied in order, and perhaps a factor on top.
struct Hypothesis {
  std::vector<const Candidate*> parts;
  double factor = 1;
  size_t rank = 0;  ///< Order of the registry; smaller is likelier.

  double fitted_bits() const {
    double bits = factor == 1 ? 0 : kFactorBits;
    for (const Candidate* part : parts) bits += part->fitted_bits;
    return bits;
  }
};

ProductModel model_of(const ProductModel& right, const Hypothesis& h) {
  ProductModel model = right;
  std::vector<const Candidate*> parts = h.parts;
  if (parts.size() == 2 && parts[1]->stage < parts[0]->stage) std::swap(parts[0], parts[1]);
  for (const Candidate* part : parts) part->apply(model);
  if (h.factor != 1) {
    model.source = [inner = model.source, factor = h.factor](int64_t row, int64_t col) {
      Source s = inner(row, col);
      s.factor *= factor;
      return s;
    };
  }
  return model;
}

std::string text_of(const Hypothesis& h) {
  std::string text;
  for (const Candidate* part : h.parts) text += (text.empty() ? "" : "; and ") + part->text;
  if (h.factor != 1) text += fmt::format("; and every output is {:.6g} times that", h.factor);
  return text;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double part[8] = {};
  for (size_t k = 0; k + 8 <= a.size(); k += 8) {
    for (size_t i = 0; i < 8; ++i) part[i] += a[k + i] * b[k + i];
  }
  return ((part[0] + part[4]) + (part[1] + part[5])) + ((part[2] + part[6]) + (part[3] + part[7]));
}

/// True unless rounding alone can never turn `sum` into `actual`.
bool is_near(double sum, Bf16 actual) {
  constexpr double kRelative = 0x1p-6;
  const double x = actual.to_float();
  if (!std::isfinite(sum) || !std::isfinite(x)) return std::isfinite(sum) == std::isfinite(x);
  return std::abs(sum - x) <= kRelative * std::max(std::abs(sum), std::abs(x));
}

/// The search over one piece of evidence.
class Search {
 public:
  Search(const Evidence& evidence, const EngineOptions& options, Explanation& out)
      : evidence_(evidence),
        options_(options),
        out_(out),
        map_(evidence.cells(), evidence.wrong_cells()),
        right_(right_model(evidence)) {}

  void run() {
    out_.wrong = map_.count;
    out_.first = first_cells();
    if (map_.count == 0) {
      out_.answer = Answer::right;
      return;
    }
    out_.regions = fit_regions(map_, evidence_.subject == Subject::output);
    out_.observations = observe(evidence_, map_, out_.regions);
    out_.observations.insert(out_.observations.begin(), evidence_.notes.begin(), evidence_.notes.end());
    sample_ = screening_sample(map_);
    full_ = full_sample(map_, evidence_.elements());
    propose();
    screen_singles();
    test_fully();
    if (options_.pairs && !settled()) {
      screen_pairs();
      test_fully();
    }
    add_locations();
    decide();
    if (out_.answer != Answer::explained) out_.patterns = patterns_of(evidence_, map_);
  }

 private:
  void report(double done, std::string_view what) const {
    if (options_.progress) options_.progress(done, what);
  }

  unsigned threads() const {
    return options_.threads != 0 ? options_.threads : std::max(1u, std::thread::hardware_concurrency());
  }

  /// Calls work(i) for all i in [0, count) on all threads.
  template <class Work>
  void parallel(size_t count, double from, double to, std::string_view what, Work work) {
    std::atomic<size_t> next{0};
    const auto loop = [&](bool reports) {
      for (size_t i = next++; i < count; i = next++) {
        work(i);
        if (reports) report(from + (to - from) * static_cast<double>(i) / static_cast<double>(count), what);
      }
    };
    std::vector<std::thread> others;
    for (unsigned t = 1; t < std::min<size_t>(threads(), count); ++t) others.emplace_back(loop, false);
    loop(true);
    for (std::thread& t : others) t.join();
  }

  std::vector<WrongCell> first_cells() const {
    std::vector<WrongCell> cells;
    for (int64_t i = 0; i < map_.cells.size() && cells.size() < kFirstCells; ++i) {
      const Coord c{i / map_.cells.cols, i % map_.cells.cols};
      if (map_.at(c.row, c.col)) cells.push_back(locate(evidence_, c));
    }
    return cells;
  }

  void propose() {
    report(0, "proposing causes");
    const Clues clues{evidence_, sample_.wrong};
    for (const Cause& cause : all_causes()) {
      const size_t first = candidates_.size();
      cause.propose(clues, candidates_);
      for (size_t i = first; i < candidates_.size(); ++i) candidates_[i].combines &= cause.combines;
    }
    std::erase_if(candidates_, [&](const Candidate& c) {
      ProductModel model = right_;
      c.apply(model);
      return !can_predict(evidence_, model);
    });
    out_.hypotheses = static_cast<int64_t>(candidates_.size());
  }

  void keep(Hypothesis h, double share) {
    const std::scoped_lock lock(mutex_);
    promising_.push_back({std::move(h), share});
  }

  void screen_singles() {
    const Sample wrong_only{sample_.wrong, {}};
    const Sample head{
        {sample_.wrong.begin(),
         sample_.wrong.begin() + static_cast<std::ptrdiff_t>(std::min<size_t>(12, sample_.wrong.size()))},
        {}};
    parallel(candidates_.size(), 0.05, 0.4, "trying causes", [&](size_t i) {
      Hypothesis h{{&candidates_[i]}, 1, i};
      ProductModel model = model_of(right_, h);
      // Most candidates explain nothing: a dozen cells show that.
      if (try_model(evidence_, model, head).explained() == 0) {
        if (!factor_on_top(h, model)) return;
        model = model_of(right_, h);
      }
      const Trial trial = try_model(evidence_, model, wrong_only);
      const double share = static_cast<double>(trial.explained()) / static_cast<double>(sample_.wrong.size());
      if (share >= kWorthFullTest) keep(std::move(h), share);
    });
  }

  /// Adds the factor that would make the hypothesis fit, if there is one.
  bool factor_on_top(Hypothesis& h, const ProductModel& model) const {
    if (evidence_.subject != Subject::output || !h.parts.front()->combines) return false;
    const size_t count = std::min<size_t>(8, sample_.wrong.size());
    const std::vector<Coord> cells(sample_.wrong.begin(),
                                   sample_.wrong.begin() + static_cast<std::ptrdiff_t>(count));
    h.factor = common_factor(evidence_, model, cells);
    return h.factor != 1;
  }

  /// Two wrong cells of one row, at which nearly every wrong pair of causes fails, and what each candidate
  /// alone makes of their operands.
  struct Glance {
    Sample cells;
    std::vector<double> a;
    std::vector<double> b[2];
    struct Operands {
      std::vector<double> a;  ///< Empty: as the right one.
      std::vector<double> b[2];
    };
    std::vector<Operands> of;  ///< Per candidate; empty ones for those that change more than an operand.
  };

  Glance glance_at(const std::vector<size_t>& usable) {
    const Sample probe = probe_sample(map_);
    Glance g;
    g.cells.wrong = {probe.wrong.front(), other_in_row(probe.wrong)};
    if (evidence_.subject != Subject::output || !right_.a.present() || !right_.b.present()) return g;
    g.a = decode_row(right_.a, g.cells.wrong[0].row);
    for (int i : {0, 1}) g.b[i] = decode_row(right_.b, g.cells.wrong[i].col);
    g.of.resize(candidates_.size());
    parallel(usable.size(), 0.5, 0.5, "trying pairs of causes", [&](size_t u) {
      decode_glance({{&candidates_[usable[u]]}, 1, 0}, candidates_[usable[u]].changes, g, g.of[usable[u]]);
    });
    return g;
  }

  void decode_glance(const Hypothesis& h, Part changes, const Glance& g, Glance::Operands& out) const {
    if (changes != Part::a && changes != Part::b) return;
    const ProductModel model = model_of(right_, h);
    if (changes == Part::a) out.a = decode_row(model.a, g.cells.wrong[0].row);
    for (int i : {0, 1}) {
      if (changes == Part::b) out.b[i] = decode_row(model.b, g.cells.wrong[i].col);
    }
  }

  /// False when a pair cannot be it, by its sums at two cells; true when it may be, or when that cannot be
  /// told from the operands' rows.
  bool survives_glance(size_t x, size_t y, const Glance& g) const {
    const Part changes[] = {candidates_[x].changes, candidates_[y].changes};
    if (g.of.empty()) return true;
    for (Part part : changes) {
      if (part != Part::a && part != Part::b) return true;
    }
    Glance::Operands both;
    if (changes[0] == changes[1])
      decode_glance({{&candidates_[x], &candidates_[y]}, 1, 0}, changes[0], g, both);
    using Numbers = const std::vector<double>*;
    const auto pick = [](Numbers p, Numbers q, Numbers r, Numbers right) {
      return !p->empty() ? p : !q->empty() ? q : !r->empty() ? r : right;
    };
    for (size_t i : {size_t{0}, size_t{1}}) {
      const std::vector<double>& a = *pick(&both.a, &g.of[x].a, &g.of[y].a, &g.a);
      const std::vector<double>& b = *pick(&both.b[i], &g.of[x].b[i], &g.of[y].b[i], &g.b[i]);
      if (a.size() != b.size()) return true;
      const Coord c = g.cells.wrong[i];
      if (is_near(dot(a, b), evidence_.runs.front()(c.row, c.col))) return true;
    }
    return false;
  }

  /// A second cell in the row of the first, or the first again.
  static Coord other_in_row(const std::vector<Coord>& cells) {
    for (size_t i = 1; i < cells.size(); ++i) {
      if (cells[i].row == cells[0].row) return cells[i];
    }
    return cells[0];
  }

  void screen_pairs() {
    std::vector<size_t> usable;
    for (size_t i = 0; i < candidates_.size(); ++i) {
      if (candidates_[i].combines) usable.push_back(i);
    }
    const Sample probe = probe_sample(map_);
    const Sample wrong_only{sample_.wrong, {}};
    const Glance glance = glance_at(usable);
    std::atomic<int64_t> tried{0};
    parallel(usable.size(), 0.5, 0.9, "trying pairs of causes", [&](size_t x) {
      for (size_t y = x + 1; y < usable.size(); ++y) {
        const Candidate& a = candidates_[usable[x]];
        const Candidate& b = candidates_[usable[y]];
        // The same mistake twice, in the same operand: one of them replaces the other, or they are one.
        if (a.cause == b.cause && a.changes == b.changes && a.changes != Part::all) continue;
        ++tried;
        if (!survives_glance(usable[x], usable[y], glance)) continue;
        Hypothesis h{{&a, &b}, 1, candidates_.size() * (1 + usable[x]) + usable[y]};
        const ProductModel model = model_of(right_, h);
        const auto share = [&](const Sample& s) {
          return static_cast<double>(try_model(evidence_, model, s).explained()) /
                 static_cast<double>(s.wrong.size());
        };
        if (share(glance.cells) == 0 || share(probe) < kProbeShare) continue;
        if (const double all = share(wrong_only); all >= kWorthFullTest) keep(std::move(h), all);
      }
    });
    out_.hypotheses += tried;
  }

  /// Tests the most promising hypotheses on all cells, also confined to the regions.
  void test_fully() {
    std::sort(promising_.begin(), promising_.end(), [](const auto& x, const auto& y) {
      return x.share != y.share ? x.share > y.share : x.hypothesis.rank < y.hypothesis.rank;
    });
    if (promising_.size() > kMostFullTests) promising_.resize(kMostFullTests);
    parallel(promising_.size(), 0.4, 0.5, "testing on all outputs", [&](size_t i) {
      const Hypothesis& h = promising_[i].hypothesis;
      const Trial trial = try_model(evidence_, model_of(right_, h), full_);
      Finding finding;
      for (const Candidate* part : h.parts) finding.causes.emplace_back(part->cause);
      if (h.factor != 1) finding.causes.emplace_back("constant-factor");
      finding.text = text_of(h);
      finding.score = score_of(trial, full_, nullptr);
      const Region* region = nullptr;
      // Only when it would break right cells: then it may act in a part of the result.
      if (finding.score.share() >= kEnough && !enough(finding.score)) {
        for (const Region& r : out_.regions) {
          if (!may_act_in(h, r)) continue;
          const Score confined = score_of(trial, full_, &r);
          if (confined.errors() < finding.score.errors()) {
            finding.score = confined;
            region = &r;
          }
        }
        if (region != nullptr) {
          finding.region = *region;
          finding.text += fmt::format(", in {} only", region->text);
          if (const auto overflow = overflow_at(*region, map_.cells, evidence_.elements())) {
            finding.text += fmt::format(" ({})", *overflow);
          }
        }
      }
      finding.score.bits -= h.fitted_bits();
      finding.fingerprint = fingerprint_of(evidence_, trial, full_, region);
      const std::scoped_lock lock(mutex_);
      found_.push_back({std::move(finding), h.rank});
    });
    promising_.clear();
  }

  /// A fault of an operand takes whole rows of it (columns of the output, for B). Over a few of them, picked
  /// for being wrong, one misreading of a row or another fits by chance, however many outputs they make.
  static bool may_act_in(const Hypothesis& h, const Region& r) {
    const auto enough_lines = [](const AxisSet& axis) {
      return !axis.is_list() && axis.size() >= kFewestLines;
    };
    return std::ranges::all_of(h.parts, [&](const Candidate* part) {
      const bool of_a = part->changes == Part::a || part->changes == Part::all;
      const bool of_b = part->changes == Part::b || part->changes == Part::all;
      return (!of_a || enough_lines(r.rows)) && (!of_b || enough_lines(r.cols));
    });
  }

  /// Explains enough, and more than chance would give one of so many hypotheses.
  bool convinces(const Score& score) const {
    const double tried = static_cast<double>(out_.hypotheses) * static_cast<double>(1 + out_.regions.size());
    return enough(score) && score.bits >= std::log2(tried) + kMarginBits;
  }

  static bool enough(const Score& score) {
    const double wrong = static_cast<double>(score.wrong);
    return static_cast<double>(score.explained) >= kEnough * wrong &&
           static_cast<double>(score.broken) <= (1 - kEnough) * wrong;
  }

  bool settled() const {
    return std::any_of(found_.begin(), found_.end(),
                       [&](const Ranked& r) { return convinces(r.finding.score); });
  }

  /// Findings that say where, but not what.
  void add_locations() {
    for (const Region& region : out_.regions) {
      if (region.density < kDense ||
          static_cast<double>(region.size) > kLargestRegion * static_cast<double>(map_.cells.size())) {
        continue;
      }
      Finding finding{.causes = {region.name},
                      .text = fmt::format("wrong in {}, and there nearly everywhere", region.text),
                      .region = region};
      if (const auto overflow = overflow_at(region, map_.cells, evidence_.elements())) {
        finding.causes = {"index-overflow"};
        finding.text += "; " + *overflow;
      }
      location_ = std::move(finding);
      break;
    }
  }

  void decide() {
    std::sort(found_.begin(), found_.end(), [](const Ranked& x, const Ranked& y) {
      const auto key = [](const Ranked& r) {
        return std::tuple(r.finding.score.errors(), r.finding.region.has_value(), r.rank);
      };
      return key(x) < key(y);
    });
    for (const Ranked& r : found_) {
      if (!out_.best) {
        out_.best = r.finding;
      } else if (r.finding.fingerprint == out_.best->fingerprint) {
        out_.alternatives.push_back(r.finding);
      } else if (!out_.runner_up) {
        out_.runner_up = r.finding;
      }
    }
    if (out_.best && convinces(out_.best->score)) {
      note_equals(*out_.best);
      out_.answer = Answer::explained;
    } else if (location_) {
      out_.answer = Answer::located;
      if (out_.best) out_.runner_up = out_.best;
      out_.best = location_;
      out_.alternatives.clear();
    } else {
      out_.answer = Answer::unknown;
    }
  }

  /// The runner-up must be further off; one that is as good makes the answer a choice between the two.
  void note_equals(const Finding& best) {
    if (!out_.runner_up || !enough(out_.runner_up->score)) return;
    if (out_.runner_up->score.errors() < 2 * best.score.errors() + 3)
      out_.alternatives.push_back(*out_.runner_up);
  }

  struct Promising {
    Hypothesis hypothesis;
    double share = 0;
  };
  struct Ranked {
    Finding finding;
    size_t rank = 0;
  };

  const Evidence& evidence_;
  const EngineOptions& options_;
  Explanation& out_;
  WrongMap map_;
  ProductModel right_;
  Sample sample_;
  Sample full_;
  std::vector<Candidate> candidates_;
  std::mutex mutex_;
  std::vector<Promising> promising_;
  std::vector<Ranked> found_;
  std::optional<Finding> location_;
};

/// Runs that differ have no one output to explain: where and how much they differ is the answer.
void describe_noise(const Evidence& evidence, const std::string& noise, Explanation& out) {
  const WrongMap map = unstable_cells(evidence);
  out.answer = Answer::unstable;
  out.wrong = map.count;
  out.regions = fit_regions(map, true);
  out.best = Finding{.causes = {"unstable"}, .text = noise};
  for (int64_t i = 0; i < map.cells.size() && out.first.size() < kFirstCells; ++i) {
    if (map.wrong[static_cast<size_t>(i)] == 0) continue;
    WrongCell cell = locate(evidence, {i / map.cells.cols, i % map.cells.cols});
    constexpr size_t kRuns = 4;
    cell.actual.clear();
    for (size_t run = 0; run < evidence.runs.size() && run < kRuns; ++run) {
      cell.actual +=
          fmt::format("{}{}", run == 0 ? "" : ", ", evidence.runs[run](cell.at.row, cell.at.col).to_float());
    }
    out.first.push_back(std::move(cell));
  }
}

}  // namespace

Expected<Explanation> explain(const Evidence& evidence, const EngineOptions& options) {
  if (Status status = validate(evidence); !status) return status;
  const auto start = std::chrono::steady_clock::now();
  Explanation out;
  out.subject = evidence.subject;
  out.cells = evidence.cells();
  if (const std::optional<std::string> noise = differing_runs(evidence)) {
    describe_noise(evidence, *noise, out);
  } else {
    Search(evidence, options, out).run();
    if (out.answer == Answer::unknown || out.answer == Answer::located)
      explain_by_kind(evidence, options, out);
  }
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (options.progress) options.progress(1, "done");
  return out;
}

}  // namespace mxproof::explain

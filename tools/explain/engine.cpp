#include "tools/explain/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <tuple>

#include "tools/explain/by_kind.hpp"
#include "tools/explain/cause.hpp"
#include "tools/explain/hypothesis.hpp"
#include "tools/explain/locate.hpp"
#include "tools/explain/observations.hpp"
#include "tools/explain/ranking.hpp"
#include "tools/explain/sample.hpp"
#include "tools/explain/trial.hpp"

namespace mxproof::explain {
namespace {

constexpr double kMarginBits = 8;        // an answer must say this much more than which hypothesis it is
constexpr double kWorthFullTest = 0.25;  // share of the sample that earns a test on all cells
constexpr size_t kMostPromising = 512;   // that are looked at again to choose those to be tested on all cells
constexpr double kProbeShare = 0.75;    // share of the probe that a pair must explain to be looked at closely
constexpr double kDense = 0.9;          // a region this full of wrong cells is an answer to "where"
constexpr double kLargestRegion = 0.6;  // share of the result beyond which "where" says nothing
constexpr size_t kFirstCells = 8;

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
    double place = 2;
    for (const Cause& cause : all_causes()) {
      const size_t first = candidates_.size();
      cause.propose(clues, candidates_);
      for (size_t i = first; i < candidates_.size(); ++i) {
        candidates_[i].combines &= cause.combines;
        candidates_[i].name_bits = std::log2(place);  // likely causes have short names
      }
      ++place;
    }
    std::erase_if(candidates_, [&](const Candidate& c) {
      ProductModel model = right_;
      c.apply(model);
      return !can_predict(evidence_, model);
    });
    name_candidates();
    out_.hypotheses = static_cast<int64_t>(candidates_.size());
  }

  /// One of many candidates takes longer to point at.
  void name_candidates() {
    std::map<std::string_view, double> of_cause;
    for (const Candidate& c : candidates_) ++of_cause[c.cause];
    for (Candidate& c : candidates_) c.name_bits += std::log2(of_cause[c.cause]);
  }

  void keep(Hypothesis h, double share) {
    const std::scoped_lock lock(mutex_);
    promising_.push_back({.hypothesis = std::move(h), .share = share});
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

  /// Looks at the right cells of the sample too, and chooses.
  void choose_promising() {
    std::ranges::sort(promising_, {}, [](const Promising& p) {
      return std::tuple(-p.share, p.hypothesis.description_bits(), p.hypothesis.rank);
    });
    if (promising_.size() > kMostPromising) promising_.resize(kMostPromising);
    parallel(promising_.size(), 0.4, 0.4, "choosing", [&](size_t i) {
      Promising& p = promising_[i];
      const Trial trial = try_model(evidence_, model_of(right_, p.hypothesis), sample_);
      p.broken = score_of(trial, sample_, nullptr).broken;
      p.fingerprint = fingerprint_of(evidence_, trial, sample_, nullptr);
    });
    promising_ = worth_testing(std::move(promising_));
  }

  /// Tests the most promising hypotheses on all cells, also confined to the regions.
  void test_fully() {
    choose_promising();
    parallel(promising_.size(), 0.4, 0.5, "testing on all outputs", [&](size_t i) {
      const Hypothesis& h = promising_[i].hypothesis;
      const Trial trial = try_model(evidence_, model_of(right_, h), full_);
      Finding finding{.causes = h.causes(), .text = h.text()};
      finding.score = score_of(trial, full_, nullptr);
      // Only when it would break right cells: then it may act in a part of the result.
      const bool confinable = finding.score.share() >= kEnough && !is_enough(finding.score);
      const Region* region = confinable ? best_region(h, trial, finding) : nullptr;
      if (region != nullptr) confine(*region, finding);
      finding.score.bits -= h.fitted_bits();
      finding.kind = h.kind();
      finding.description_bits =
          h.description_bits() + (region != nullptr ? description_bits(h, *region) : 0.0);
      finding.fingerprint = fingerprint_of(evidence_, trial, full_, region);
      const std::scoped_lock lock(mutex_);
      found_.push_back({std::move(finding), h.rank});
    });
    promising_.clear();
  }

  /// Where the hypothesis breaks the fewest right cells, if that is better than everywhere. Where it may well
  /// act comes first.
  const Region* best_region(const Hypothesis& h, const Trial& trial, Finding& finding) const {
    if (!std::ranges::all_of(h.parts, &Candidate::confinable)) return nullptr;
    const Region* region = nullptr;
    for (bool weak : {false, true}) {
      for (const Region& r : out_.regions) {
        const Score confined = score_of(trial, full_, &r);
        if (confined.errors() >= finding.score.errors()) continue;
        if (!weak && !may_act_in(right_, h, r, needed_bits())) continue;
        finding.score = confined;
        finding.weak = weak;
        region = &r;
      }
      if (region != nullptr) break;
    }
    return region;
  }

  void confine(const Region& region, Finding& finding) const {
    finding.region = region;
    finding.text += fmt::format(", in {} only", region.text);
    if (const auto overflow = overflow_at(region, map_.cells, evidence_.elements()))
      finding.text += fmt::format(" ({})", *overflow);
  }

  /// What an answer must say, so that chance would not give it to any of the hypotheses tried.
  double needed_bits() const {
    const double tried = static_cast<double>(out_.hypotheses) * static_cast<double>(1 + out_.regions.size());
    return std::log2(tried) + kMarginBits;
  }

  bool convinces(const Score& score) const { return is_enough(score) && score.bits >= needed_bits(); }

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
    rank_findings(std::move(found_), [&](const Finding& f) { return !f.weak && convinces(f.score); }, out_);
    if (out_.best && !out_.best->weak && convinces(out_.best->score)) {
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
  out.rounded_here = evidence.rounded_here;
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

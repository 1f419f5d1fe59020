// Makes honest results, forges them, and sees what verify says.
#include <fmt/format.h>

#include <fstream>

#include "checker.hpp"
#include "data/input_error.hpp"
#include "forgery.hpp"
#include "io/problem_file.hpp"
#include "io/result_json.hpp"
#include "judge.hpp"
#include "kinds.hpp"
#include "run.hpp"
#include "scratch_directory.hpp"
#include "watch.hpp"

namespace fcbio::adversary {
namespace {

constexpr int kPerResult = 40;  // of the forgeries of one result, drawn; the next result is another kind

void write_text(const std::filesystem::path& file, const std::string& text) { std::ofstream(file) << text; }

/// The next problem, from `index` on, whose result is certified, true and accepted.
std::optional<HonestResult> next_honest(const Kind& kind, std::uint64_t seed, std::uint64_t& index,
                                        const std::filesystem::path& file) {
  for (int attempt = 0; attempt < 20; ++attempt, ++index) {
    HostileProblem problem = make_problem(kind, seed, index);
    if (problem.data.dimension > 8) continue;
    const RunOutcome outcome = run(problem, "fcbio", limits_for(problem), false);
    if (!outcome.certified() || outcome.failed()) continue;
    ++index;
    io::write_result(outcome.result, {data::fingerprint(problem.data), 0, 0.0, {}}, file);
    return HonestResult{std::move(problem), Json::parse(std::ifstream(file))};
  }
  return std::nullopt;
}

class ForgeryRun {
 public:
  explicit ForgeryRun(const std::filesystem::path& failures)
      : failures_(failures), file_(scratch_.path() / "result.json") {}

  const std::filesystem::path& file() const { return file_; }
  const ForgeryCount& count() const { return count_; }

  void try_one(const HonestResult& honest, const std::string& name, const std::string& text, bool always_wrong) {
    ++count_.tried;
    write_text(file_, text);
    const std::string fingerprint = data::fingerprint(honest.problem.data);
    bool accepted = false;
    bool wrong = always_wrong;
    std::string why = always_wrong ? "contradicts the problem or the schema" : "";
    try {
      io::StoredResult stored = io::read_result(file_);
      stored.digest = stored.digest_found;  // an enemy can compute it, too
      const verify::Claims claims = stored_claims(stored);
      for (const std::string& claim : false_claims(honest.problem, claims)) {
        wrong = true;
        why = claim;
      }
      if (wrong) accepted = verify::verify(honest.problem.data, claims, fingerprint).all_hold;
    } catch (const InputError&) {
      ++count_.lies;  // refused as a file
      return;
    } catch (const std::exception& end) {
      accepted = wrong = true;
      why = fmt::format("ended by an exception: {}", end.what());
    }
    if (!wrong) return;
    ++count_.lies;
    if (!accepted) return;
    ++count_.accepted;
    count_.accepted_names.push_back(
        fmt::format("{} ({}): {}: {}", honest.problem.kind, honest.problem.note, name, why));
    if (failures_.empty()) return;
    const std::filesystem::path directory = failures_ / fmt::format("forgery-{}", count_.accepted);
    io::write_problem(honest.problem.data, directory, name);
    write_text(directory / "result.json", text);
    write_text(directory / "honest.json", honest.json.dump(1));
    write_text(directory / "truth.txt", count_.accepted_names.back() + "\n");
  }

 private:
  ScratchDirectory scratch_;
  std::filesystem::path failures_, file_;
  ForgeryCount count_;
};

}  // namespace

ForgeryCount forge_many(std::int64_t count, std::uint64_t seed, const std::filesystem::path& failures) {
  ForgeryRun run(failures);
  Dice dice(seed);
  std::vector<std::uint64_t> next(kinds().size(), 0);
  for (std::size_t round = 0; run.count().tried < count; ++round) {
    const std::size_t which = round % kinds().size();
    const Kind& kind = kinds()[which];
    const Watch watch(
        fmt::format("forgeries of kind {} with seed {}, from problem {}", kind.name, seed, next[which]));
    const auto honest = next_honest(kind, seed, next[which], run.file());
    if (!honest) continue;
    const std::vector<Forgery> list = forgeries(*honest, dice);
    for (int i = 0; i < kPerResult && run.count().tried < count; ++i) {
      const Forgery& first = list[static_cast<std::size_t>(dice.integer(0, static_cast<int>(list.size()) - 1))];
      Json json = honest->json;
      first.forge(json);
      run.try_one(*honest, first.name, json.dump(), first.always_wrong);
      if (!dice.chance(0.2)) continue;
      const Forgery& second = list[static_cast<std::size_t>(dice.integer(0, static_cast<int>(list.size()) - 1))];
      try {
        second.forge(json);
      } catch (const Json::exception&) {
        continue;  // the first one took away what the second one changes
      }
      run.try_one(*honest, first.name + " and " + second.name, json.dump(), false);
    }
    // The same key twice: readers differ in which one counts.
    std::string twice = honest->json.dump();
    twice.insert(1, "\"status\":\"certified\",");
    run.try_one(*honest, "the same key twice", twice, true);
  }
  return run.count();
}

}  // namespace fcbio::adversary

#include "io/map_plan_words.hpp"

#include <bit>

#include "fcbio/error.hpp"

namespace fcbio::io {

namespace {

/// One list of fields for both directions, so that they cannot differ.
template <class Plan, class Visitor>
void visit_tiles(Plan& plan, Visitor& visit) {
  visit(plan.rows);
  visit(plan.cols);
  visit(plan.longest_row);
  visit(plan.band_bits);
  visit(plan.stripes);
  visit(plan.blocks);
  visit(plan.stripe_starts);
  visit(plan.tile_bands);
  visit(plan.run_ends);
  visit(plan.runs);
}

template <class Plan, class Visitor>
void visit_map(Plan& plan, Visitor& visit) {
  visit(plan.bounds.scale);
  visit(plan.bounds.frobenius);
  visit(plan.bounds.squared);
  visit(plan.cols);
  visit(plan.numbers);
  visit(plan.used);
  visit_tiles(plan.transposed, visit);
  visit_tiles(plan.forward, visit);
}

struct PlanWriter {
  std::vector<std::uint64_t> words;
  void operator()(double number) { words.push_back(std::bit_cast<std::uint64_t>(number)); }
  void operator()(Index number) { words.push_back(static_cast<std::uint64_t>(number)); }
  void operator()(const TileRun& run) {
    (*this)(Index{run.packs});
    (*this)(2 * Index{run.groups} + (run.folded ? 1 : 0));
  }
  template <class Item>
  void operator()(const std::vector<Item>& items) {
    (*this)(static_cast<Index>(items.size()));
    for (const Item& item : items) (*this)(item);
  }
};

struct PlanReader {
  std::span<const std::uint64_t> rest;

  std::uint64_t next() {
    if (rest.empty()) throw InvalidArgument("expected a complete plan of tiles, found that it ends too early");
    const std::uint64_t word = rest.front();
    rest = rest.subspan(1);
    return word;
  }
  void operator()(double& number) { number = std::bit_cast<double>(next()); }
  void operator()(Index& number) { number = static_cast<Index>(next()); }
  void operator()(TileRun& run) {
    const std::uint64_t packs = next(), groups = next();
    if (packs > kMost || groups / 2 > kMost) throw InvalidArgument("expected runs of tiles, found larger numbers");
    run = {static_cast<std::int32_t>(packs), static_cast<std::int32_t>(groups / 2), groups % 2 == 1};
  }
  template <class Item>
  void operator()(std::vector<Item>& items) {
    const std::uint64_t count = next();
    if (count > rest.size())
      throw InvalidArgument("expected a complete plan of tiles, found that it ends too early");
    items.resize(static_cast<std::size_t>(count));
    for (Item& item : items) (*this)(item);
  }

 private:
  static constexpr std::uint64_t kMost = 0x7FFF'FFFF;
};

}  // namespace

std::vector<std::uint64_t> words_of(const SparseMapPlan& plan) {
  PlanWriter writer;
  visit_map(plan, writer);
  return std::move(writer.words);
}

SparseMapPlan plan_of(std::span<const std::uint64_t> words) {
  SparseMapPlan plan;
  PlanReader reader{words};
  visit_map(plan, reader);
  if (!reader.rest.empty()) throw InvalidArgument("expected the end of a plan of tiles, found more words");
  return plan;
}

}  // namespace fcbio::io

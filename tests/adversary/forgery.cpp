#include "forgery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "values.hpp"

namespace fcbio::adversary {
namespace {

using Pointer = Json::json_pointer;

struct ClaimField {
  const char* path;
  double harm;  // +1: more is a stronger claim, -1: less is
};
constexpr ClaimField kClaims[] = {{"/certificate/lower_lower_bound", 1.0}, {"/certificate/upper_lower_bound", 1.0},
                                  {"/certificate/lower_gap", -1.0},        {"/certificate/upper_excess", -1.0},
                                  {"/certificate/tight_excess", -1.0},     {"/certificate/tight_level", 1.0},
                                  {"/certificate/upper_deficit", -1.0}};

bool is_number(const Json& json, const char* path) {
  const Pointer pointer(path);
  return json.contains(pointer) && json.at(pointer).is_number();
}
double number(const Json& json, const char* path) { return json.at(Pointer(path)).get<double>(); }
void put(Json& json, const char* path, double value) {
  json[Pointer(path)] = std::isfinite(value) ? Json(value) : Json(nullptr);
}

class Forger {
 public:
  Forger(const HonestResult& honest, Dice& dice) : honest_(honest), json_(honest.json), dice_(dice) {}

  std::vector<Forgery> all() && {
    single_claims();
    claims_just_beyond_truth();
    consistent_claims();
    words();
    accuracy();
    points();
    witnesses();
    single_witness_numbers();
    return std::move(list_);
  }

 private:
  void lie(std::string name, std::function<void(Json&)> forge, bool always_wrong = false) {
    list_.push_back({std::move(name), std::move(forge), always_wrong});
  }

  void single_claims() {
    for (const ClaimField& field : kClaims) {
      if (!is_number(json_, field.path)) continue;
      const std::string path = field.path;
      const double value = number(json_, field.path), harm = field.harm;
      const auto set = [&](const std::string& how, double changed) {
        lie(path + " " + how, [path, changed](Json& json) { put(json, path.c_str(), changed); });
      };
      set("by one unit in the last place", std::nextafter(value, harm * kInfinity));
      for (const double relative : {1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 1.0})
        set(fmt::format("by {} relative", relative), value + harm * relative * std::abs(value));
      for (const double absolute : {1e-12, 1e-6, 1.0, 1e300}) set("by an amount", value + harm * absolute);
      set("with the other sign", -value);
      set("as zero", 0.0);
    }
    for (const char* path : {"/upper_value", "/lower_value"}) {
      const double value = number(json_, path);
      for (const double change : {1e-6 * (std::abs(value) + 1.0), -1e3 * (std::abs(value) + 1.0)})
        lie(
            std::string(path) + " changed", [path, value, change](Json& json) { put(json, path, value + change); },
            true);
    }
  }

  /// The weakest lies there are: the first doubles beyond what is true.
  void claims_just_beyond_truth() {
    const ExactVector x = exact_x();
    const auto beyond = [&](const char* path, const Exact& truth, bool bound) {
      if (!is_number(json_, path)) return;
      const double first =
          bound ? std::nextafter(double_above(truth), kInfinity) : std::nextafter(double_below(truth), -kInfinity);
      lie(std::string(path) + " just beyond the truth", [path, first](Json& json) { put(json, path, first); });
    };
    const Truth& truth = honest_.problem.truth;
    if (truth.lower) {
      const Exact at_x = value(honest_.problem.data.lower, x);
      beyond("/certificate/lower_lower_bound", *truth.lower, true);
      beyond("/certificate/lower_gap", at_x - *truth.lower, false);
    }
    if (truth.upper) {
      const Exact at_x = value(honest_.problem.data.upper, x);
      beyond("/certificate/upper_lower_bound", *truth.upper, true);
      beyond("/certificate/upper_excess", at_x - *truth.upper, false);
      beyond("/certificate/upper_deficit", *truth.upper - at_x, false);
    }
  }

  static void shift_level(Json& json, const char* bound, const char* gap, double by) {
    if (is_number(json, bound)) put(json, bound, number(json, bound) + by);
    if (is_number(json, gap)) put(json, gap, number(json, gap) - by);
  }
  static void shift_upper(Json& json, double by) {
    shift_level(json, "/certificate/upper_lower_bound", "/certificate/upper_excess", by);
  }
  static void shift_lower(Json& json, double by) {
    shift_level(json, "/certificate/lower_lower_bound", "/certificate/lower_gap", by);
  }

  void consistent_claims() {
    const double upper = number(json_, "/accuracy/upper"), lower = number(json_, "/accuracy/lower");
    for (const double share : {1e-9, 1e-6, 1e-3, 1.0, 1e3}) {
      lie("upper bound and excess together", [=](Json& json) { shift_upper(json, share * upper); });
      lie("lower bound and gap together", [=](Json& json) { shift_lower(json, share * lower); });
    }
    for (const double relative : {1e-15, 1e-13, 1e-10}) {
      const double f = std::abs(number(json_, "/upper_value")), g = std::abs(number(json_, "/lower_value"));
      lie("upper bound and excess together, in the last digits",
          [=](Json& json) { shift_upper(json, relative * f); });
      lie("lower bound and gap together, in the last digits",
          [=](Json& json) { shift_lower(json, relative * g); });
    }
    const auto swap = [&](const char* a, const char* b) {
      lie(std::string(a) + " and " + b + " exchanged",
          [a, b](Json& json) { std::swap(json[Pointer(a)], json[Pointer(b)]); });
    };
    swap("/certificate/upper_lower_bound", "/certificate/lower_lower_bound");
    swap("/certificate/upper_excess", "/certificate/lower_gap");
    swap("/witness/lower_bound", "/witness/upper_bound");
    lie("bound and gap exchanged", [](Json& json) {
      std::swap(json[Pointer("/certificate/upper_lower_bound")], json[Pointer("/certificate/upper_excess")]);
    });
  }

  void words() {
    for (const char* status : {"certified!", "", "Certified", "proved"})
      lie(
          "status '" + std::string(status) + "'", [status](Json& json) { json["status"] = status; }, true);
    for (const char* status : {"certified", "converged", "stalled", "iteration_limit"})
      lie("status '" + std::string(status) + "'", [status](Json& json) { json["status"] = status; });
    for (const char* evidence : {"proven", "", "Proved"})
      lie(
          "evidence", [evidence](Json& json) { json["certificate"]["evidence"] = evidence; }, true);
    lie(
        "fingerprint", [](Json& json) { json["problem"]["fingerprint"] = "0123456789abcdef"; }, true);
    lie(
        "no fingerprint", [](Json& json) { json["problem"]["fingerprint"] = ""; }, true);
    lie(
        "dimension", [](Json& json) { json["problem"]["dimension"] = json["x"].size() + 1; }, true);
    lie(
        "method", [](Json& json) { json["method"] = "oracle"; }, true);
    lie(
        "schema", [](Json& json) { json["schema"] = 2; }, true);
    lie(
        "certified without bounds",
        [](Json& json) {
          json["status"] = "certified";
          json["certificate"]["upper_lower_bound"] = nullptr;
        },
        true);
    lie(
        "certified without a gap",
        [](Json& json) {
          json["status"] = "certified";
          json["certificate"]["lower_gap"] = nullptr;
        },
        true);
    lie(
        "proved without a bound",
        [](Json& json) {
          json["certificate"]["evidence"] = "proved";
          json["certificate"]["upper_excess"] = nullptr;
        },
        true);
  }

  void accuracy() {
    for (const char* path : {"/accuracy/upper", "/accuracy/lower"}) {
      for (const double wrong : {0.0, -1.0, kInfinity})
        lie(
            std::string(path) + " is no accuracy", [path, wrong](Json& json) { put(json, path, wrong); }, true);
      const double asked = number(json_, path);
      lie(
          std::string(path) + " is not that of the problem",
          [path, asked](Json& json) {
            put(json, path, 10.0 * asked);
            json["accuracy"]["from"] = "problem";
          },
          true);
      lie(
          std::string(path) + " smaller than the gap",
          [path, asked](Json& json) {
            const bool upper = std::string(path) == "/accuracy/upper";
            const char* gap = upper ? "/certificate/upper_excess" : "/certificate/lower_gap";
            put(json, path, std::min(asked, 0.5 * std::abs(number(json, gap))));
            put(json, gap, std::abs(number(json, path)) * 2.1);
            json["status"] = "certified";
          },
          true);
    }
    const Accuracy& file = honest_.problem.data.accuracy;
    if (!file.tight)
      lie(
          "certified as tight without a tight claim", [](Json& json) { json["accuracy"]["tight"] = true; }, true);
    if (!file.absolute)
      lie(
          "certified as absolute without a deficit", [](Json& json) { json["accuracy"]["absolute"] = true; },
          true);
    if (file.tight) {
      lie("tight level at the bottom", [](Json& json) {
        json["certificate"]["tight_level"] = json["certificate"]["lower_lower_bound"];
        json["certificate"]["tight_excess"] = -1.0;
      });
      lie(
          "tight without its excess", [](Json& json) { json["certificate"]["tight_excess"] = nullptr; }, true);
    }
    if (file.absolute && file.holder) {
      for (const char* constant : {"alpha", "beta", "gradient_bound"})
        for (const double factor : {0.5, 1.0 + 1e-12, 2.0})
          lie(
              "told " + std::string(constant),
              [constant, factor](Json& json) {
                json["accuracy"]["holder"][constant] = factor * json["accuracy"]["holder"][constant].get<double>();
              },
              true);
      lie(
          "told bound called computed", [](Json& json) { json["accuracy"]["holder"]["source"] = "computed"; },
          true);
    }
    if (file.absolute && !file.holder) {
      lie(
          "computed bound called told", [](Json& json) { json["accuracy"]["holder"]["source"] = "told"; }, true);
      lie(
          "computed beta too large",
          [](Json& json) {
            json["accuracy"]["holder"]["beta"] = 1e6 * json["accuracy"]["holder"]["beta"].get<double>();
          },
          true);
    }
    if (file.absolute)
      lie(
          "certified as absolute with no deficit", [](Json& json) { json["certificate"].erase("upper_deficit"); },
          true);
  }

  ExactVector exact_x() const {
    ExactVector x;
    for (const Json& entry : json_["x"]) x.emplace_back(entry.get<double>());
    return x;
  }

  /// x changed, with the values at the new x.
  void move_x(const std::string& name, const std::vector<double>& x, bool keep_gaps) {
    const HostileProblem& problem = honest_.problem;
    const ExactVector point(x.begin(), x.end());
    const double f = nearest_double(value(problem.data.upper, point));
    const double g = nearest_double(value(problem.data.lower, point));
    lie(name, [x, f, g, keep_gaps](Json& json) {
      if (!keep_gaps) {
        if (is_number(json, "/certificate/upper_lower_bound"))
          put(json, "/certificate/upper_excess", f - number(json, "/certificate/upper_lower_bound"));
        if (is_number(json, "/certificate/lower_lower_bound"))
          put(json, "/certificate/lower_gap", g - number(json, "/certificate/lower_lower_bound"));
      }
      json["x"] = x;
      put(json, "/upper_value", f);
      put(json, "/lower_value", g);
    });
  }

  void points() {
    const auto x = json_["x"].get<std::vector<double>>();
    const double size = 1.0 + std::abs(x.front());
    for (const double by : {1e-12, 1e-9, 1e-6, 1e-3, 1.0, 1e3}) {
      std::vector<double> moved = x;
      for (double& entry : moved) entry += by * size * dice_.normal();
      move_x(fmt::format("x moved by {}", by), moved, true);
      move_x(fmt::format("x moved consistently by {}", by), moved, false);
    }
    std::vector<double> far = x;
    far.front() = 1e30;
    move_x("x far away", far, true);
    const double f = std::abs(number(json_, "/upper_value")) + 1.0;
    lie("x far away under huge bounds", [far, f](Json& json) {
      json["x"] = far;
      json["status"] = "stalled";
      put(json, "/certificate/lower_lower_bound", 1e20);
      put(json, "/certificate/upper_lower_bound", 1e6 * f);
      json["upper_value"] = json["lower_value"] = nullptr;
      json["certificate"]["upper_excess"] = json["certificate"]["lower_gap"] = nullptr;
      json["certificate"]["evidence"] = "none";
    });
    lie(
        "x without its last number",
        [](Json& json) {
          json["x"].erase(json["x"].size() - 1);
          json["problem"]["dimension"] = json["x"].size();
        },
        true);
    lie(
        "x not finite", [](Json& json) { json["x"][0] = nullptr; }, true);
  }

  /// A bad witness under claims that go with it: the upper level raised by all that could be wanted.
  void witness(const std::string& name, const std::function<void(Json&)>& spoil) {
    const double upper = number(json_, "/accuracy/upper"), lower = number(json_, "/accuracy/lower");
    lie(name, spoil);
    for (const double share : {1e-3, 10.0}) {
      lie(name + ", upper level raised", [=](Json& json) {
        spoil(json);
        shift_upper(json, share * upper);
      });
      lie(name + ", lower level raised", [=](Json& json) {
        spoil(json);
        shift_lower(json, share * lower);
      });
    }
    if (honest_.problem.truth.upper) {
      const double truth = nearest_double(*honest_.problem.truth.upper);
      const double first = truth + 1e-9 * (std::abs(truth) + upper);
      lie(name + ", upper bound beyond the truth", [=](Json& json) {
        spoil(json);
        put(json, "/certificate/upper_lower_bound", first);
      });
    }
  }

  void witnesses() {
    const double multiplier = is_number(json_, "/witness/multiplier") ? number(json_, "/witness/multiplier") : 0.0;
    for (const double other : {0.0, -multiplier, -1.0, 2.0 * multiplier, 1e6 * multiplier, 1e300, kInfinity})
      witness("multiplier", [other](Json& json) { put(json, "/witness/multiplier", other); });
    const double size = 1.0 + std::abs(json_["x"][0].get<double>());
    for (const double by : {1e-12, 1e-6, 1e-2, 10.0, 1e30}) {
      const double step = by * size * dice_.sign();
      const auto coordinate = static_cast<std::size_t>(dice_.integer(0, static_cast<int>(json_["x"].size()) - 1));
      witness("reference moved", [step, coordinate](Json& json) {
        Json& reference = json["witness"]["reference"];
        if (reference.size() > coordinate && reference[coordinate].is_number())
          reference[coordinate] = reference[coordinate].get<double>() + step;
      });
      witness("linearisation points moved", [step, coordinate](Json& json) {
        for (const char* bound : {"lower_bound", "upper_bound"}) {
          Json& point = json["witness"][bound]["point"];
          if (point.size() > coordinate && point[coordinate].is_number())
            point[coordinate] = point[coordinate].get<double>() + step;
        }
      });
    }
    witness("no reference", [](Json& json) { json["witness"]["reference"] = Json::array(); });
    for (const char* kind : {"known", "none", "dual"}) {
      witness("lower witness called " + std::string(kind),
              [kind](Json& json) { json["witness"]["lower_bound"]["kind"] = kind; });
      witness("upper witness called " + std::string(kind),
              [kind](Json& json) { json["witness"]["upper_bound"]["kind"] = kind; });
    }
    lie(
        "witness of no kind", [](Json& json) { json["witness"]["upper_bound"]["kind"] = "magic"; }, true);
    duals("negated", [](Json& dual) { each_number(dual, [](double d) { return -d; }); });
    duals("doubled", [](Json& dual) { each_number(dual, [](double d) { return 2.0 * d; }); });
    duals("huge", [](Json& dual) { each_number(dual, [](double d) { return 1e30 * (d + 1.0); }); });
    duals("off in the last digits",
          [](Json& dual) { each_number(dual, [](double d) { return d * (1.0 + 1e-14); }); });
    duals("reversed", [](Json& dual) { std::reverse(dual.begin(), dual.end()); });
    duals("cut short", [](Json& dual) {
      if (!dual.empty()) dual.erase(dual.size() - 1);
    });
    duals("not finite", [](Json& dual) {
      if (!dual.empty()) dual[0] = nullptr;
    });
  }

  /// Numbers anywhere in the witness, whatever it holds.
  void single_witness_numbers() {
    std::vector<std::string> paths;
    const Json flat = json_["witness"].flatten();  // held: items() refers to it
    for (const auto& [path, leaf] : flat.items())
      if (leaf.is_number()) paths.push_back("/witness" + path);
    for (int i = 0; i < 8 && !paths.empty(); ++i) {
      const std::string path =
          paths[static_cast<std::size_t>(dice_.integer(0, static_cast<int>(paths.size()) - 1))];
      const double value = number(json_, path.c_str());
      const double changed =
          dice_.pick({-value, 2.0 * value, 0.0, value + 1e-9, value - 1e-3, 1e30, -1e30, kInfinity});
      witness(path, [path, changed](Json& json) { put(json, path.c_str(), changed); });
    }
  }

  template <class Change>
  static void each_number(Json& array, Change change) {
    for (Json& entry : array)
      if (entry.is_number()) entry = change(entry.get<double>());
  }

  void duals(const std::string& how, const std::function<void(Json&)>& change) {
    for (const char* bound : {"lower_bound", "upper_bound"}) {
      witness("duals of " + std::string(bound) + " " + how, [bound, change](Json& json) {
        for (const char* level : {"upper_duals", "lower_duals"})
          for (Json& dual : json["witness"][bound][level])
            if (dual.is_array()) change(dual);
      });
    }
  }

  const HonestResult& honest_;
  const Json& json_;
  Dice& dice_;
  std::vector<Forgery> list_;
};

}  // namespace

std::vector<Forgery> forgeries(const HonestResult& honest, Dice& dice) { return Forger(honest, dice).all(); }

}  // namespace fcbio::adversary

#include "core/review/facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/units/text.hpp"

namespace crosspoint::review_facts {
namespace {

struct Interval {
    double from = 0, to = 0;
};

std::vector<Interval> merged(std::vector<Interval> all) {
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.from < b.from; });
    std::vector<Interval> out;
    for (const auto& i : all) {
        if (!out.empty() && i.from <= out.back().to) out.back().to = std::max(out.back().to, i.to);
        else out.push_back(i);
    }
    return out;
}

double length(const std::vector<Interval>& all) {
    double sum = 0;
    for (const auto& i : all) sum += i.to - i.from;
    return sum;
}

double common_length(const std::vector<Interval>& a, const std::vector<Interval>& b) {
    double sum = 0;
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        sum += std::max(0.0, std::min(a[i].to, b[j].to) - std::max(a[i].from, b[j].from));
        if (a[i].to < b[j].to) ++i;
        else ++j;
    }
    return sum;
}

std::vector<Interval> busy(const Timeline& t, const std::function<bool(const Stream&)>& which) {
    std::vector<Interval> all;
    for (const Bar& b : t.bars)
        if (b.stream >= 0 && std::size_t(b.stream) < t.streams.size() && which(t.streams[std::size_t(b.stream)]))
            all.push_back({b.start.si(), b.end().si()});
    return merged(std::move(all));
}

/// Time in which a selected stream is busy and compute is not.
double exposed(const Timeline& t, const std::function<bool(const Stream&)>& which) {
    const auto selected = busy(t, which);
    return length(selected) - common_length(selected, busy(t, [](const Stream& s) { return s.level < 0; }));
}

std::string percent(const Scenario& s, std::string_view name) { return format_percent(threshold(s, name)); }

}  // namespace

double micro_batches(const LayerResult& layer) {
    int last = 0;
    for (const Bar& b : layer.timeline.bars) last = std::max(last, b.micro_batch);
    return last + 1;
}

void each_operation(const Prediction& p, const std::function<void(const OperationResult&, double)>& visit) {
    for (const auto& layer : p.layers) {
        const double times = double(layer.count) * micro_batches(layer);
        for (const auto& r : layer.operations) visit(r, times);
    }
    for (const auto& r : p.ends) visit(r, 1);
}

bool has_experts(const Scenario& s) {
    return s.model && std::any_of(s.model->layers.begin(), s.model->layers.end(), [&](int kind) {
               return kind >= 0 && std::size_t(kind) < s.model->kinds.size() &&
                      s.model->kinds[std::size_t(kind)].feed_forward.experts.has_value();
           });
}

std::int64_t domain_size(const Prediction& p) {
    return p.network ? std::max<std::int64_t>(1, p.network->domain_size) : 1;
}

bool is_outside(const Prediction& p, int level) {
    return p.network && level >= 0 && std::size_t(level) < p.network->levels.size() &&
           !p.network->levels[std::size_t(level)].in_domain;
}

Bytes bytes_outside(const Prediction& p, const OperationResult& r) {
    Bytes most(0);
    for (const auto& at : r.levels)
        if (is_outside(p, at.level)) most = std::max(most, at.bytes);
    return most;
}

Bytes bytes_sent(const OperationResult& r) {
    return r.exchange ? r.exchange->sent_per_rank : r.collective ? r.collective->sent_per_rank : Bytes(0);
}

bool of_experts(const OperationResult& r) {
    return r.op.communication &&
           (r.op.communication->group == GroupKind::expert || r.op.communication->group == GroupKind::expert_tensor);
}

double ExpertTimes::ratio() const {
    return communication > Seconds(0) && products > Seconds(0) ? communication / products : 0;
}

ExpertTimes expert_times(const Prediction& p) {
    ExpertTimes sums;
    for (const auto& layer : p.layers) {
        bool any = false;
        for (const auto& r : layer.operations) {
            if (!of_experts(r) && r.op.kind != OpKind::experts) continue;
            any = true;
            (of_experts(r) ? sums.communication : sums.products) +=
                r.time * (double(layer.count) * micro_batches(layer));
        }
        if (any) sums.layers += double(layer.count);
    }
    return sums;
}

namespace {

/// The part of the time of bars outside domains that is spent there. A form in levels is drawn over its whole time on
/// its slowest level, though it works inside the domains for some of it.
double share_spent_outside(const Prediction& p) {
    double drawn = 0, spent = 0;
    each_operation(p, [&](const OperationResult& r, double times) {
        Seconds bar{0};
        for (const auto& at : r.levels)
            if (is_outside(p, at.level)) bar = std::max(bar, at.time);
        const bool in_levels = r.collective && r.collective->across > Seconds(0);
        drawn += bar.si() * times;
        spent += (in_levels ? std::min(bar, r.collective->across) : bar).si() * times;
    });
    return drawn > 0 ? spent / drawn : 1;
}

}  // namespace

Seconds exposed_outside(const Prediction& p) {
    double outside = 0, everywhere = 0;
    for (const auto& layer : p.layers) {
        outside +=
            exposed(layer.timeline, [&](const Stream& s) { return is_outside(p, s.level); }) * double(layer.count);
        everywhere += exposed(layer.timeline, [](const Stream& s) { return s.level >= 0; }) * double(layer.count);
    }
    for (const auto& r : p.ends) {
        if (!r.op.communication) continue;
        everywhere += r.time.si();
        if (bytes_outside(p, r).si() > 0) outside += r.time.si();
    }
    return everywhere > 0 ? p.step.shares.exposed * (outside / everywhere * share_spent_outside(p)) : Seconds(0);
}

std::string two_largest_terms(const Prediction& p, const std::function<bool(const OperationResult&)>& which) {
    std::map<std::string, double> sums;
    each_operation(p, [&](const OperationResult& r, double times) {
        if (which(r)) sums[r.op.label] += r.time.si() * times;
    });
    std::vector<std::pair<std::string, double>> order(sums.begin(), sums.end());
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    if (order.empty() || !(order[0].second > 0)) return {};
    std::string text = fmt::format("{} {}", order[0].first, format(Seconds(order[0].second)));
    if (order.size() > 1 && order[1].second > 0)
        text += fmt::format(" and {} {}", order[1].first, format(Seconds(order[1].second)));
    return text + fmt::format(", in a step of {}", format(p.step_time));
}

std::string two_largest_terms(const Prediction& p) {
    return two_largest_terms(p, [](const OperationResult&) { return true; });
}

const LinkUse* busiest_outside(const Prediction& p) {
    const LinkUse* most = nullptr;
    for (const auto& use : p.links) {
        if (use.link < 0 || !p.network || std::size_t(use.link) >= p.network->links.size()) continue;
        if (!is_outside(p, p.network->links[std::size_t(use.link)].level)) continue;
        if (!most || use.busy > most->busy) most = &use;
    }
    return most;
}

std::string describe_link(const Prediction& p, int link) {
    if (!p.network || link < 0 || std::size_t(link) >= p.network->links.size()) return "unknown link";
    const auto& l = p.network->links[std::size_t(link)];
    return fmt::format("{}, {} of {} usable ({})", l.name, format(l.capacity.value), format(l.nominal.value),
                       to_string(l.capacity.confidence));
}

void add_evidence(VerdictEvidence& evidence, const Prediction& p, const OperationResult& r, bool everywhere) {
    if (std::find(evidence.operations.begin(), evidence.operations.end(), r.op.id) == evidence.operations.end())
        evidence.operations.push_back(r.op.id);
    for (const auto& use : r.links) {
        if (!p.network || use.link < 0 || std::size_t(use.link) >= p.network->links.size()) continue;
        const auto& link = p.network->links[std::size_t(use.link)];
        if (!everywhere && !is_outside(p, link.level)) continue;
        if (std::find(evidence.links.begin(), evidence.links.end(), link.ref) == evidence.links.end())
            evidence.links.push_back(link.ref);
    }
}

std::vector<std::string> domain_ids(const Prediction& p) {
    std::vector<std::string> ids;
    if (p.network)
        for (const auto& link : p.network->links)
            if (link.ref.kind == LinkRef::Kind::domain) ids.push_back(link.ref.id);
    return ids;
}

Outcome grade(double value, double attention, double fail) {
    return value > fail ? Outcome::fail : value > attention ? Outcome::attention : Outcome::pass;
}

std::string share_thresholds(const Scenario& s, std::string_view attention, std::string_view fail) {
    return fmt::format("attention above {}, fail above {} ({}, {})", percent(s, attention), percent(s, fail), attention,
                       fail);
}

std::string latency_metric(const Scenario& s) {
    if (s.workload.phase == Phase::training) return "training step";
    return s.workload.phase == Phase::decode ? "inter-token latency" : "time to first token";
}

}  // namespace crosspoint::review_facts

// ASTRA-sim network.yml: parallel lists topology, npus_count, bandwidth (GB/s) and latency (ns), one entry a dimension,
// the innermost first. By ASTRA-sim's definition a bandwidth is that of one link, one direction: a Switch gives an
// accelerator one such link, a Ring two, FullyConnected one for each peer; a latency is that of one link, of which a
// Switch has two on the way.
#include <cmath>

#include <fmt/format.h>

#include "core/importers/rails.hpp"
#include "core/importers/text_probe.hpp"
#include "core/importers/text_tree.hpp"
#include "core/units/text.hpp"

namespace crosspoint {
namespace {

enum class Shape { ring, fully_connected, switched };

struct Dimension {
    Shape shape = Shape::switched;
    std::int64_t npus = 1;
    double bytes_per_s = 0, latency_s = 0;
    int line = 0;
};

constexpr double giga = 1e9, nano = 1e-9;
constexpr std::size_t most_dimensions = 16;

Result<const TextTree*> list_of(const TextTree& root, std::string_view key) {
    const TextTree* list = root.find(key);
    if (!list) return fail_at(root.line, ErrorCode::schema, fmt::format("the list '{}' is missing", key));
    if (!list->is_list() || list->items.empty())
        return fail_at(list->line, ErrorCode::schema, fmt::format("'{}' is {}, not a list", key, list->describe()));
    return list;
}

Result<Shape> shape_of(const TextTree& item) {
    const std::string word = lower(item.text);
    if (word == "ring") return Shape::ring;
    if (word == "fullyconnected" || word == "fully_connected") return Shape::fully_connected;
    if (word == "switch") return Shape::switched;
    return fail_at(item.line, ErrorCode::unsupported, fmt::format("the topology '{}' is not known", item.text),
                   "Ring, FullyConnected and Switch are read");
}

Result<double> number_in(const TextTree& list, std::size_t index, std::string_view what, bool zero) {
    const TextTree& item = list.items[index];
    const auto number = item.number();
    if (number && (*number > 0 || (zero && *number == 0))) return *number;
    return fail_at(item.line, ErrorCode::schema,
                   fmt::format("{} of dimension {} is {}, no number: the file was never filled in", what, index + 1,
                               item.describe()),
                   "put the figure in and import it again");
}

Result<std::vector<Dimension>> dimensions_of(const TextTree& root) {
    std::vector<const TextTree*> lists;
    for (const std::string_view key : {"topology", "npus_count", "bandwidth", "latency"}) {
        const auto list = list_of(root, key);
        if (!list) return tl::unexpected(list.error());
        lists.push_back(*list);
        if (lists.back()->items.size() != lists.front()->items.size() || lists.back()->items.size() > most_dimensions)
            return fail_at(lists.back()->line, ErrorCode::schema,
                           fmt::format("'{}' has {} entries and 'topology' has {}", key, lists.back()->items.size(),
                                       lists.front()->items.size()),
                           "give one entry for each dimension, at most 16");
    }
    std::vector<Dimension> result;
    for (std::size_t d = 0; d < lists[0]->items.size(); ++d) {
        const auto shape = shape_of(lists[0]->items[d]);
        const auto npus = count_of(lists[1]->items[d], "npus_count");
        const auto bandwidth = number_in(*lists[2], d, "the bandwidth", false);
        const auto latency = number_in(*lists[3], d, "the latency", true);
        if (!shape) return tl::unexpected(shape.error());
        if (!npus) return tl::unexpected(npus.error());
        if (!bandwidth) return tl::unexpected(bandwidth.error());
        if (!latency) return tl::unexpected(latency.error());
        result.push_back({*shape, *npus, *bandwidth * giga, *latency * nano, lists[0]->items[d].line});
    }
    return result;
}

/// Links of one accelerator in a dimension.
double links_of(const Dimension& d) {
    switch (d.shape) {
        case Shape::ring: return 2;
        case Shape::fully_connected: return std::max<double>(1, double(d.npus) - 1);
        case Shape::switched: break;
    }
    return 1;
}

std::string_view name_of(Shape shape) {
    return shape == Shape::ring ? "Ring" : shape == Shape::fully_connected ? "FullyConnected" : "Switch";
}

class AstraBuilder {
public:
    AstraBuilder(std::vector<Dimension> dimensions, const ImportOptions& options, Sketch& sketch)
        : dimensions_(std::move(dimensions)), options_(options), sketch_(sketch) {}

    Result<void> run() {
        double npus = 1;
        for (const Dimension& d : dimensions_) npus *= double(d.npus);
        constexpr double most = 1e9;
        if (npus > most) return fail_at(dimensions_.front().line, ErrorCode::unsupported, "more than 1e9 accelerators");
        ask_direction();
        system_.source = "ASTRA-sim network file";
        system_.accelerator_name = ask_accelerator(options_, "NVIDIA H100 SXM 80 GB", sketch_);
        system_.accelerator = sketch_.accelerator(system_.accelerator_name);
        const std::size_t inner = add_domain();
        for (std::size_t d = inner; d < dimensions_.size(); ++d) add_rail(d);
        draw_rails(system_, sketch_);
        return {};
    }

private:
    void ask_direction() {
        const std::string one = "one direction", both = "both directions together";
        const std::string answer = sketch_.ask(
            "bandwidth-means", "What do the bandwidths count? ASTRA-sim takes them as one direction of a link.",
            {one, both}, one);
        if (answer == both)
            for (Dimension& d : dimensions_) d.bytes_per_s /= 2;
        for (std::size_t d = 0; d < dimensions_.size(); ++d) {
            constexpr double shortest = 10e-9;
            if (dimensions_[d].latency_s > 0 && dimensions_[d].latency_s < shortest)
                sketch_.warn(
                    fmt::format("the latency of dimension {} is {}: less than light needs for two metres; is it in "
                                "microseconds?",
                                d + 1, format(Seconds(dimensions_[d].latency_s))));
        }
    }

    /// The first dimension, with all rings after a first ring that have its bandwidth (a torus); how many it took.
    std::size_t add_domain() {
        const Dimension& first = dimensions_.front();
        std::size_t taken = 1;
        constexpr std::size_t most_rings = 3;
        while (first.shape == Shape::ring && taken < dimensions_.size() && taken < most_rings &&
               dimensions_[taken].shape == Shape::ring && dimensions_[taken].bytes_per_s == first.bytes_per_s)
            ++taken;
        Interconnect fabric;
        double links = 0, slowest = 0;
        for (std::size_t d = 0; d < taken; ++d) {
            system_.domain *= dimensions_[d].npus;
            links += links_of(dimensions_[d]);
            slowest = std::max(slowest, dimensions_[d].latency_s);
        }
        fabric.kind = first.shape == Shape::switched          ? FabricKind::switched
                      : first.shape == Shape::fully_connected ? FabricKind::full_mesh
                      : taken > 1                             ? FabricKind::torus
                                                              : FabricKind::ring;
        if (taken > 1)
            for (std::size_t d = 0; d < taken; ++d) fabric.dimensions.push_back({dimensions_[d].npus, true});
        fabric.bandwidth = BytesPerSecond(first.bytes_per_s * links);
        if (fabric.kind == FabricKind::full_mesh) fabric.peer_bandwidth = BytesPerSecond(first.bytes_per_s);
        if (slowest > 0) fabric.step = Seconds(slowest * (first.shape == Shape::switched ? 2 : 1));
        fabric.part = sketch_.link("nvlink", taken > 1 ? "Dimensions of the torus" : "Dimension 1", *fabric.bandwidth,
                                   system_.source);
        if (system_.domain > 1) system_.fabric = fabric;
        say(0, taken, links, *fabric.bandwidth);
        return taken;
    }

    void say(std::size_t from, std::size_t count, double links, BytesPerSecond each) {
        const Dimension& d = dimensions_[from];
        const std::string which = count > 1 ? fmt::format("dimensions {} to {}", from + 1, from + count)
                                            : fmt::format("dimension {}", from + 1);
        sketch_.converted(
            fmt::format("{} ({}): {} GB/s a link times {:g} links is {} one direction, per accelerator; {} ns a "
                        "link{}",
                        which, name_of(d.shape), shortest(d.bytes_per_s / giga), links, format(each),
                        shortest(d.latency_s / nano),
                        d.shape == Shape::switched ? ", twice on the way through a switch" : ""),
            fmt::format("line {}", d.line));
    }

    void add_rail(std::size_t index) {
        const Dimension& d = dimensions_[index];
        RailTier tier;
        tier.units = d.npus;
        tier.rate = BytesPerSecond(d.bytes_per_s * links_of(d));
        tier.latency = Seconds(d.latency_s / (d.shape == Shape::switched ? 1 : 2));
        tier.name = fmt::format("Dimension {}", index + 1);
        say(index, 1, links_of(d), tier.rate);
        if (d.shape != Shape::switched)
            sketch_.warn(
                fmt::format("dimension {} is {} of whole groups; it is drawn as switches of the same bandwidth per "
                            "accelerator and the same latency, which joins any two at full rate",
                            index + 1, d.shape == Shape::ring ? "a ring" : "a full mesh"));
        if (index + 1 > 2 && system_.tiers.size() > 0)
            sketch_.assumed(
                fmt::format("dimension {}: accelerators of the same place in dimension 1 share one switch without "
                            "blocking, where ASTRA-sim has one for each place in the dimensions below",
                            index + 1));
        system_.tiers.push_back(std::move(tier));
    }

    std::vector<Dimension> dimensions_;
    const ImportOptions& options_;
    Sketch& sketch_;
    RailSystem system_;
};

}  // namespace

bool is_astra_network(std::string_view text) {
    const std::string_view head = text.substr(0, 65536);
    return has_key(head, "topology") && has_key(head, "npus_count");
}

Result<Imported> import_astra_network(std::string_view text, const ImportOptions& options) {
    const auto root = read_tree(text);
    if (!root) return tl::unexpected(root.error());
    if (!root->is_map()) return fail_at(root->line, ErrorCode::schema, "a map of lists is expected");
    auto dimensions = dimensions_of(*root);
    if (!dimensions) return tl::unexpected(dimensions.error());
    Sketch sketch(options, "astra-network", "ASTRA-sim network");
    for (const auto& [key, value] : root->members)
        if (key != "topology" && key != "npus_count" && key != "bandwidth" && key != "latency")
            sketch.ignored(fmt::format("the key '{}'", key), fmt::format("line {}", value.line));
    if (auto ok = AstraBuilder(std::move(*dimensions), options, sketch).run(); !ok) return tl::unexpected(ok.error());
    return sketch.finish();
}

}  // namespace crosspoint

// Both spellings of an edge: "server.0.nic.1.eth.leaf.0.port.3" (older), and ep1/ep2 with python slices and a scheme.
#include <algorithm>

#include <fmt/format.h>

#include "core/importers/infragraph.hpp"
#include "core/importers/text_probe.hpp"
#include "core/units/text.hpp"

namespace crosspoint {
namespace {

constexpr std::size_t edge_limit = 400'000;

std::string text_of(const TextTree& map, std::string_view key) {
    const TextTree* value = map.find(key);
    return value && value->is_scalar() ? value->text : std::string();
}

/// The unit is in the key, in several spellings: giga_bytes_per_second, gigabytes_per_second, g_bytes_per_second.
std::optional<double> bytes_per_s(std::string key, double value) {
    std::erase(key, '_');
    struct Unit {
        std::string_view name;
        double factor;
    };
    constexpr double pcie_coding = 128.0 / 130.0, lanes = 16;
    constexpr Unit units[] = {
        {"gigabytespersecond", 1e9},
        {"gbytespersecond", 1e9},
        {"gigabitspersecond", 1.25e8},
        {"gbitspersecond", 1.25e8},
        {"terabytespersecond", 1e12},
        {"terabitspersecond", 1.25e11},
        {"megabytespersecond", 1e6},
        {"megabitspersecond", 1.25e5},
        {"gigatransferspersecond", 1.25e8 * lanes * pcie_coding},
        {"gtransferspersecond", 1.25e8 * lanes * pcie_coding},
    };
    for (const Unit& unit : units)
        if (unit.name == key) return value * unit.factor;
    return std::nullopt;
}

Result<InfraLink> link_of(const TextTree& item) {
    InfraLink link;
    link.line = item.line;
    link.description = text_of(item, "description");
    const TextTree* physical = item.find("physical");
    const TextTree& place = physical && physical->is_map() ? *physical : item;
    if (const TextTree* bandwidth = place.find("bandwidth")) {
        for (const auto& [key, value] : bandwidth->members) {
            if (key == "choice") continue;
            const auto number = value.number();
            const auto rate = number ? bytes_per_s(key, *number) : std::nullopt;
            if (!rate || *rate <= 0)
                return fail_at(value.line, ErrorCode::schema,
                               fmt::format("'{}: {}' is no bandwidth that is known", key, value.text),
                               "gigabytes_per_second, gigabits_per_second and gigatransfers_per_second are read");
            link.bytes_per_s = *rate;
            link.unit = key;
        }
    }
    if (const TextTree* latency = place.find("latency")) {
        for (const auto& [key, value] : latency->members) {
            const auto number = value.number();
            const double unit = key == "ns" ? 1e-9 : key == "us" ? 1e-6 : key == "ms" ? 1e-3 : 0;
            if (unit > 0 && number && *number > 0) link.latency_s = *number * unit;
        }
    }
    return link;
}

Result<std::map<std::string, InfraLink>> links_of(const TextTree& parent) {
    std::map<std::string, InfraLink> links;
    const TextTree* list = parent.find("links");
    if (!list) return links;
    for (const TextTree& item : list->items) {
        auto link = link_of(item);
        if (!link) return tl::unexpected(link.error());
        links[text_of(item, "name")] = std::move(*link);
    }
    return links;
}

std::string type_of(const TextTree& item) {
    std::string type = lower(text_of(item, "type"));
    if (type.empty()) type = lower(text_of(item, "choice"));
    const TextTree* custom = item.find("custom");
    if (type == "custom" && custom && custom->is_map() && !text_of(*custom, "type").empty())
        type = lower(text_of(*custom, "type"));
    return type == "npu" || type == "gpu" || type == "tpu" ? "xpu" : type;
}

Result<void> read_components(const TextTree& parent, std::int64_t times, const std::string& outer, InfraDevice& device,
                             int depth) {
    const TextTree* list = parent.find("components");
    constexpr int deepest = 4;
    if (!list || depth > deepest) return {};
    for (const TextTree& item : list->items) {
        InfraComponent component{text_of(item, "name"), type_of(item), 0};
        if (const TextTree* count = item.find("count")) {
            const auto n = count_of(*count, "count");
            if (!n) return tl::unexpected(n.error());
            constexpr std::int64_t most = 1'000'000;
            if (*n > most / times) return fail_at(count->line, ErrorCode::unsupported, "more than 1e6 components");
            component.count = *n * times;
        }
        if (component.type == "xpu" && !outer.empty()) device.inside[outer] = component.name;
        const bool package = component.type == "xpu" && item.find("components");
        if (auto ok = read_components(item, std::max<std::int64_t>(1, component.count), package ? component.name : "",
                                      device, depth + 1);
            !ok)
            return ok;
        if (!package || !device.inside.contains(component.name)) device.components.push_back(std::move(component));
    }
    return {};
}

/// "nic[0:4]", "nic[2]", "nic", "nic[0:8:2]".
struct Slice {
    std::string name;
    std::vector<std::int64_t> indices;
};

class Reader {
public:
    Result<InfraGraph> run(const TextTree& document) {
        const TextTree* inner = document.find("infrastructure");
        const TextTree& root = inner && inner->is_map() ? *inner : document;
        graph_.name = text_of(root, "name");
        auto links = links_of(root);
        if (!links) return tl::unexpected(links.error());
        graph_.links = std::move(*links);
        for (const std::string_view key : {"devices", "device"})
            if (const TextTree* list = root.find(key))
                for (const TextTree& item : list->items)
                    if (auto ok = read_device(item); !ok) return tl::unexpected(ok.error());
        if (auto ok = read_instances(root, ""); !ok) return tl::unexpected(ok.error());
        if (auto ok = read_edges(root, nullptr, graph_.edges); !ok) return tl::unexpected(ok.error());
        for (const auto& [key, value] : root.members)
            if (key != "name" && key != "description" && key != "links" && key != "devices" && key != "device" &&
                key != "instances" && key != "edges" && key != "connections")
                graph_.unknown_keys.emplace_back(key, value.line);
        return std::move(graph_);
    }

private:
    Result<void> read_device(const TextTree& item) {
        InfraDevice device;
        device.name = text_of(item, "name");
        device.description = text_of(item, "description");
        auto links = links_of(item);
        if (!links) return tl::unexpected(links.error());
        device.links = std::move(*links);
        if (auto ok = read_components(item, 1, "", device, 0); !ok) return ok;
        if (auto ok = read_edges(item, &device, device.edges); !ok) return ok;
        if (device.name.empty()) device.name = fmt::format("device {}", graph_.devices.size() + 1);
        if (auto ok = read_instances(item, device.name); !ok) return ok;
        graph_.devices.push_back(std::move(device));
        return {};
    }

    Result<void> read_instances(const TextTree& parent, const std::string& device) {
        const TextTree* list = parent.find("instances");
        if (!list) return {};
        for (const TextTree& item : list->items) {
            InfraInstance instance{text_of(item, "name"), device.empty() ? text_of(item, "device") : device, 0};
            if (instance.name.empty()) instance.name = instance.device;
            if (const TextTree* count = item.find("count")) {
                const auto n = count_of(*count, "count");
                if (!n) return tl::unexpected(n.error());
                instance.count = *n;
            }
            graph_.instances.push_back(std::move(instance));
        }
        return {};
    }

    Result<void> read_edges(const TextTree& parent, const InfraDevice* device, std::vector<InfraEdge>& edges) {
        for (const std::string_view key : {"connections", "edges"}) {
            const TextTree* list = parent.find(key);
            if (!list) continue;
            for (const TextTree& item : list->items) {
                auto ok = item.is_scalar() ? dotted(item, device, edges) : sliced(item, device, edges);
                if (!ok) return ok;
                if (edges.size() > edge_limit)
                    return fail_at(item.line, ErrorCode::unsupported, fmt::format("more than {} edges", edge_limit));
            }
        }
        return {};
    }

    Result<void> dotted(const TextTree& item, const InfraDevice* device, std::vector<InfraEdge>& edges) {
        std::vector<std::string> words(1);
        for (const char c : item.text) {
            if (c == '.') words.emplace_back();
            else words.back() += c;
        }
        const std::size_t inner = 5, outer = 9;
        const auto end = [&](std::size_t at, bool with_instance) -> std::optional<InfraEnd> {
            InfraEnd e;
            std::size_t i = at;
            const auto index = [](const std::string& text) -> std::optional<std::int64_t> {
                const auto n = whole_number(text);
                constexpr long long most = 10'000'000;
                return n && *n >= 0 && *n < most ? std::optional<std::int64_t>(*n) : std::nullopt;
            };
            if (with_instance) {
                const auto n = index(words[i + 1]);
                if (!n) return std::nullopt;
                e.instance = words[i], e.index = *n, i += 2;
            }
            const auto n = index(words[i + 1]);
            if (!n) return std::nullopt;
            e.component = words[i], e.component_index = *n;
            return e;
        };
        const bool whole = words.size() == outer;
        if (whole || (words.size() == inner && device)) {
            const auto a = end(0, whole), b = end(whole ? 5 : 3, whole);
            if (a && b) {
                (whole ? graph_.edges : edges).push_back({*a, *b, words[whole ? 4 : 2]});
                return {};
            }
        }
        return fail_at(item.line, ErrorCode::syntax, fmt::format("'{}' is no edge", item.text.substr(0, 80)),
                       "expected component.0.link.component.1, or device.0.component.0.link.device.1.component.0");
    }

    Result<Slice> slice_of(const std::string& text, std::int64_t all, int line) {
        Slice slice;
        const auto open = text.find('[');
        slice.name = std::string(trimmed(std::string_view(text).substr(0, open)));
        std::int64_t from = 0, to = std::max<std::int64_t>(1, all), step = 1;
        if (open != std::string::npos) {
            const auto close = text.find(']', open);
            std::string inside = text.substr(open + 1, close == std::string::npos ? close : close - open - 1);
            std::vector<std::string> parts(1);
            for (const char c : inside) {
                if (c == ':') parts.emplace_back();
                else parts.back() += c;
            }
            const auto number = [&](std::size_t i, std::int64_t fallback) -> std::int64_t {
                const auto n =
                    i < parts.size() && !trimmed(parts[i]).empty() ? whole_number(trimmed(parts[i])) : std::nullopt;
                return n ? *n : fallback;
            };
            from = number(0, 0);
            to = parts.size() == 1 ? from + 1 : number(1, to);
            step = std::max<std::int64_t>(1, number(2, 1));
        }
        if (from < 0 || to <= from || (to - from) / step > std::int64_t(edge_limit))
            return fail_at(line, ErrorCode::schema, fmt::format("'{}' names nothing", text), "write name[first:end]");
        for (std::int64_t i = from; i < to; i += step) slice.indices.push_back(i);
        return slice;
    }

    [[nodiscard]] std::int64_t component_count(const std::string& device, const std::string& component) const {
        for (const InfraDevice& d : graph_.devices)
            if (d.name == device)
                if (const InfraComponent* c = d.find(component)) return c->count;
        return 0;
    }

    Result<std::vector<InfraEnd>> ends_of(const TextTree& item, std::string_view key, const InfraDevice* device) {
        const TextTree* end = item.find(key);
        if (!end || !end->is_map())
            return fail_at(item.line, ErrorCode::schema, fmt::format("an edge without '{}'", key));
        const std::string component = text_of(*end, "component");
        const std::string plain = component.substr(0, component.find('['));
        Slice instances{"", {0}};
        std::int64_t count = 0;
        if (device) {
            if (const InfraComponent* c = device->find(plain)) count = c->count;
        } else {
            const std::string text =
                text_of(*end, "instance").empty() ? text_of(*end, "device") : text_of(*end, "instance");
            const std::string name = text.substr(0, text.find('['));
            std::int64_t all = 0;
            for (const InfraInstance& i : graph_.instances)
                if (i.name == name) all = i.count, count = component_count(i.device, plain);
            auto slice = slice_of(text, all, end->line);
            if (!slice) return tl::unexpected(slice.error());
            instances = std::move(*slice);
        }
        const auto components = slice_of(component, count, end->line);
        if (!components) return tl::unexpected(components.error());
        if (instances.indices.size() * components->indices.size() > edge_limit)
            return fail_at(end->line, ErrorCode::unsupported, "too many ends in one edge");
        std::vector<InfraEnd> ends;
        for (const std::int64_t i : instances.indices)
            for (const std::int64_t c : components->indices) ends.push_back({instances.name, i, components->name, c});
        return ends;
    }

    Result<void> sliced(const TextTree& item, const InfraDevice* device, std::vector<InfraEdge>& edges) {
        const auto a = ends_of(item, "ep1", device), b = ends_of(item, "ep2", device);
        if (!a) return tl::unexpected(a.error());
        if (!b) return tl::unexpected(b.error());
        const std::string scheme = lower(text_of(item, "scheme")), link = text_of(item, "link");
        const bool many = scheme == "many2many" || lower(text_of(item, "many2many")) == "true";
        if (many) {
            if (a->size() * b->size() + edges.size() > edge_limit)
                return fail_at(item.line, ErrorCode::unsupported, fmt::format("more than {} edges", edge_limit));
            for (std::size_t i = 0; i < a->size(); ++i)
                for (std::size_t j = 0; j < b->size(); ++j)
                    if ((*a)[i] < (*b)[j] || ((*a)[i] != (*b)[j] && !contains(*b, (*a)[i])))
                        edges.push_back({(*a)[i], (*b)[j], link});
            return {};
        }
        if (scheme == "ring") {
            for (std::size_t i = 0; i < a->size(); ++i) edges.push_back({(*a)[i], (*a)[(i + 1) % a->size()], link});
            return {};
        }
        if (a->size() != b->size())
            return fail_at(item.line, ErrorCode::schema,
                           fmt::format("{} ends meet {} ends one to one", a->size(), b->size()));
        for (std::size_t i = 0; i < a->size(); ++i) edges.push_back({(*a)[i], (*b)[i], link});
        return {};
    }

    /// Both sides of an edge may name the same ends; then each pair counts once.
    static bool contains(const std::vector<InfraEnd>& sorted, const InfraEnd& end) {
        return std::binary_search(sorted.begin(), sorted.end(), end);
    }

    InfraGraph graph_;
};

}  // namespace

const InfraComponent* InfraDevice::find(std::string_view wanted) const {
    for (const InfraComponent& c : components)
        if (c.name == wanted) return &c;
    return nullptr;
}

Result<InfraGraph> read_infragraph(std::string_view text) {
    const auto document = read_tree(text);
    if (!document) return tl::unexpected(document.error());
    if (!document->is_map()) return fail_at(document->line, ErrorCode::schema, "a map is expected");
    return Reader().run(*document);
}

}  // namespace crosspoint

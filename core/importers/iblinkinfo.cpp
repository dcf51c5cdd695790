// iblinkinfo: "CA: name:" or "Switch: guid name:", then one line a port:
// [guid] lid port[ext] ==( 4X 25.78125 Gbps Active/ LinkUp)==> lid port[ext] "peer" ( remark ). The rate is that of one
// lane, as signalled. Ports are known by their LID: a switch has one, an adapter one for each port.
#include <algorithm>

#include <fmt/format.h>

#include "core/importers/ib_fabric.hpp"
#include "core/importers/text_probe.hpp"
#include "core/importers/text_tree.hpp"
#include "core/units/text.hpp"

namespace crosspoint {
namespace {

constexpr std::string_view arrow_open = "==(", arrow_close = ")==>";

/// "lid port" before or after the arrow; "12   1[  ]" has its port before the bracket.
struct Place {
    std::string lid, port;
};

std::optional<Place> place_of(std::string_view text) {
    std::string plain;
    int depth = 0;
    for (const char c : text) {  // what is in brackets is the outside number of a port
        if (c == '[') ++depth;
        if (depth == 0) plain += c;
        if (c == ']') {
            --depth;
            plain += ' ';
        }
    }
    std::vector<std::string_view> numbers;
    for (const auto word : words_of(plain))
        if (word.find('x') == std::string_view::npos && whole_number(word)) numbers.push_back(word);
    if (numbers.size() < 2) return std::nullopt;
    return Place{std::string(numbers[numbers.size() - 2]), std::string(numbers.back())};
}

class Reader {
public:
    Result<IbFabric> run(std::string_view text) {
        int number = 0;
        for (const std::string_view raw : lines_of(text)) {
            ++number;
            const std::string_view line = trimmed(raw);
            if (line.empty() || line.front() == '#') continue;
            if (line.find(arrow_open) != std::string_view::npos) {
                if (auto ok = port_line(line, number); !ok) return tl::unexpected(ok.error());
            } else {
                header(line);
            }
        }
        for (auto& [lid, node] : nodes_) fabric_.nodes.push_back(std::move(node));
        return std::move(fabric_);
    }

private:
    void header(std::string_view line) {
        const bool is_switch = line.starts_with("Switch:");
        if (!is_switch && !line.starts_with("CA:") && !line.starts_with("Router:")) return;
        kind_ = is_switch                 ? IbNode::Kind::network_switch
                : line.starts_with("CA:") ? IbNode::Kind::adapter
                                          : IbNode::Kind::router;
        line.remove_prefix(line.find(':') + 1);
        line = trimmed(line);
        if (line.ends_with(':')) line.remove_suffix(1);
        const auto words = words_of(line);
        if (!words.empty() && words.front().starts_with("0x")) line = trimmed(line.substr(words.front().size()));
        name_ = line;
        if (name_.size() > 1 && name_.front() == '"' && name_.back() == '"') name_ = name_.substr(1, name_.size() - 2);
    }

    Result<void> port_line(std::string_view line, int number) {
        const auto open = line.find(arrow_open), close = line.find(arrow_close);
        if (close == std::string_view::npos || close < open)
            return fail_at(number, ErrorCode::syntax, "a port line without its ')==>'", "was the line cut?");
        std::string_view left = line.substr(0, open);
        std::string_view right = line.substr(close + arrow_close.size());
        const std::string_view state = line.substr(open + arrow_open.size(), close - open - arrow_open.size());
        take_name_of_line(left);
        const auto here = place_of(left);
        ++fabric_.port_lines;
        if (state.find("LinkUp") == std::string_view::npos || !here) return {};
        const auto quote = right.find('"');
        const auto there = place_of(right.substr(0, quote));
        if (!there) return {};
        remember(here->lid, kind_, name_);
        std::string_view peer = quote == std::string_view::npos ? "" : right.substr(quote + 1);
        peer = peer.substr(0, peer.find('"'));
        nodes_.try_emplace(there->lid, IbNode{there->lid, guess(peer), std::string(trimmed(peer)), {}});
        add_cable(*here, *there, state);
        return {};
    }

    /// With -l every line names its own node: 0xguid "name" lid port ...
    void take_name_of_line(std::string_view& left) {
        const auto open = left.find('"'), close = left.rfind('"');
        if (open == std::string_view::npos || close == open) return;
        name_ = trimmed(left.substr(open + 1, close - open - 1));
        kind_ = guess(name_);
        left.remove_prefix(close + 1);
    }

    /// A peer without a block of its own: switches are described by their product, adapters by their host.
    static IbNode::Kind guess(std::string_view description) {
        if (ib_is_aggregation_node(description)) return IbNode::Kind::aggregation;
        const bool is_switch = description.find("MF0;") != std::string_view::npos ||
                               description.find("Quantum") != std::string_view::npos ||
                               lower(description).find("switch") != std::string::npos ||
                               description.find("SwitchX") != std::string_view::npos;
        return is_switch ? IbNode::Kind::network_switch : IbNode::Kind::adapter;
    }

    void remember(const std::string& lid, IbNode::Kind kind, const std::string& name) {
        IbNode& node = nodes_[lid];
        node.id = lid;
        node.kind = ib_is_aggregation_node(name) ? IbNode::Kind::aggregation : kind;
        node.description = name;
    }

    void add_cable(const Place& here, const Place& there, std::string_view state) {
        const auto words = words_of(state);
        if (words.size() < 3) return;
        const std::string speed = fmt::format("{} {} Gbps", words[0], words[1]);
        const auto width = whole_number(words[0].substr(0, words[0].find_first_of("xX")));
        const auto signalled = parse_number(words[1]);
        const auto lane = signalled ? ib_lane_of_signalling(*signalled) : std::nullopt;
        constexpr long long widest = 12;
        if (!lane || !width || *width < 1 || *width > widest) {
            fabric_.unknown_speeds.insert(speed);
            return;
        }
        std::pair<std::string, std::string> a{here.lid, here.port}, b{there.lid, there.port};
        if (b < a) std::swap(a, b);
        if (!seen_.insert({a, b}).second) return;
        fabric_.cables.push_back({a.first, b.first, a.second, b.second, speed, double(*width) * *lane});
    }

    IbFabric fabric_;
    std::map<std::string, IbNode> nodes_;  ///< by LID
    IbNode::Kind kind_ = IbNode::Kind::adapter;
    std::string name_;
    std::set<std::pair<std::pair<std::string, std::string>, std::pair<std::string, std::string>>> seen_;
};

}  // namespace

Result<IbFabric> read_iblinkinfo(std::string_view text) { return Reader().run(text); }

bool is_iblinkinfo(std::string_view text) {
    const std::string_view head = text.substr(0, 65536);
    return head.find(arrow_open) != std::string_view::npos && head.find(arrow_close) != std::string_view::npos;
}

Result<Imported> import_iblinkinfo(std::string_view text, const ImportOptions& options) {
    const auto fabric = read_iblinkinfo(text);
    if (!fabric) return tl::unexpected(fabric.error());
    return draw_ib_fabric(*fabric, "iblinkinfo", options);
}

}  // namespace crosspoint

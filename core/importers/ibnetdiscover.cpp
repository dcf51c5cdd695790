// ibnetdiscover: blocks of a header ("Switch 65 "S-..."", "Ca 1 "H-..."") and one line a connected port:
// [port]["(guid)"] "peer"[peer port] # "description" lid 4xNDR. Every cable stands at both of its ends.
#include <algorithm>

#include <fmt/format.h>

#include "core/importers/ib_fabric.hpp"
#include "core/importers/text_probe.hpp"
#include "core/importers/text_tree.hpp"
#include "core/units/text.hpp"

namespace crosspoint {
namespace {

/// Text between the next two quotes from `at` on; moves `at` behind them.
std::optional<std::string_view> quoted(std::string_view line, std::size_t& at) {
    const auto open = line.find('"', at);
    if (open == std::string_view::npos) return std::nullopt;
    const auto close = line.find('"', open + 1);
    if (close == std::string_view::npos) return std::nullopt;
    at = close + 1;
    return line.substr(open + 1, close - open - 1);
}

/// "[21]" at or after `at`, before anything else.
std::optional<std::string_view> bracketed(std::string_view line, std::size_t& at) {
    if (at >= line.size() || line[at] != '[') return std::nullopt;
    const auto close = line.find(']', at);
    if (close == std::string_view::npos) return std::nullopt;
    const auto inside = line.substr(at + 1, close - at - 1);
    at = close + 1;
    return inside;
}

std::optional<IbNode::Kind> kind_of(std::string_view word) {
    const std::string w = lower(word);
    if (w == "switch") return IbNode::Kind::network_switch;
    if (w == "ca" || w == "hca") return IbNode::Kind::adapter;
    if (w == "rt") return IbNode::Kind::router;
    return std::nullopt;
}

/// "4xNDR" as bytes/s of payload.
std::optional<double> rate_of(std::string_view word) {
    const auto x = word.find_first_of("xX");
    if (x == std::string_view::npos || x == 0) return std::nullopt;
    const auto width = whole_number(word.substr(0, x));
    const auto lane = ib_lane_of_word(word.substr(x + 1));
    constexpr long long widest = 12;
    if (!width || *width < 1 || *width > widest || !lane) return std::nullopt;
    return double(*width) * *lane;
}

bool looks_like_speed(std::string_view word) {
    return word.size() > 3 && word[0] >= '1' && word[0] <= '9' &&
           (word[1] == 'x' || (word.size() > 2 && word[2] == 'x'));
}

class Reader {
public:
    Result<IbFabric> run(std::string_view text) {
        int number = 0;
        for (const std::string_view raw : lines_of(text)) {
            ++number;
            const std::string_view line = trimmed(raw);
            if (line.empty() || line.front() == '#') continue;
            if (line.starts_with("sysimgguid=")) system_ = line.substr(line.find('=') + 1);
            else if (line.front() == '[') {
                if (auto ok = port_line(line, number); !ok) return tl::unexpected(ok.error());
            } else if (line.find('=') == std::string_view::npos || line.find('"') != std::string_view::npos) {
                header(line);
            }
        }
        for (auto& [id, node] : nodes_) fabric_.nodes.push_back(std::move(node));
        return std::move(fabric_);
    }

private:
    void header(std::string_view line) {
        const auto words = words_of(line);
        const auto kind = words.empty() ? std::nullopt : kind_of(words.front());
        std::size_t at = 0;
        const auto id = quoted(line, at);
        if (!kind || !id) return;
        here_ = std::string(*id);
        const auto description = quoted(line, at);
        IbNode& node = node_of(here_);
        node.kind = *kind;
        node.system = system_;
        if (description) describe(node, *description);
    }

    void describe(IbNode& node, std::string_view description) {
        node.description = trimmed(description);
        if (ib_is_aggregation_node(description)) node.kind = IbNode::Kind::aggregation;
    }

    IbNode& node_of(const std::string& id) {
        IbNode& node = nodes_[id];
        if (!node.id.empty()) return node;
        node.id = id;
        node.kind = id.starts_with("S-")   ? IbNode::Kind::network_switch
                    : id.starts_with("R-") ? IbNode::Kind::router
                                           : IbNode::Kind::adapter;
        return node;
    }

    Result<void> port_line(std::string_view line, int number) {
        if (here_.empty())
            return fail_at(number, ErrorCode::syntax, "a port before any switch or adapter", "was the file cut?");
        std::size_t at = 0;
        const auto port = bracketed(line, at);
        const auto peer = quoted(line, at);
        const auto peer_port = bracketed(line, at);
        if (!port || !peer || !peer_port)
            return fail_at(number, ErrorCode::syntax, "expected [port] \"peer\"[peer port]", "was the line cut?");
        ++fabric_.port_lines;
        std::size_t from = at;
        const auto description = quoted(line, from);
        const auto [it, fresh] = nodes_.try_emplace(std::string(*peer));
        IbNode& node = node_of(std::string(*peer));
        if (fresh && description) describe(node, *description);
        add_cable(*port, std::string(*peer), *peer_port, line.substr(at));
        return {};
    }

    void add_cable(std::string_view port, std::string peer, std::string_view peer_port, std::string_view rest) {
        std::pair<std::string, std::string> a{here_, port}, b{std::move(peer), peer_port};
        if (b < a) std::swap(a, b);
        const auto words = words_of(rest);
        std::string_view speed;
        for (const auto word : words)
            if (looks_like_speed(word)) speed = word;
        const auto rate = rate_of(speed);
        if (!rate) {
            fabric_.unknown_speeds.insert(speed.empty() ? "none" : std::string(speed));
            return;
        }
        if (!seen_.insert({a, b}).second) return;
        fabric_.cables.push_back({a.first, b.first, a.second, b.second, std::string(speed), *rate});
    }

    IbFabric fabric_;
    std::map<std::string, IbNode> nodes_;
    std::string here_, system_;
    std::set<std::pair<std::pair<std::string, std::string>, std::pair<std::string, std::string>>> seen_;
};

}  // namespace

Result<IbFabric> read_ibnetdiscover(std::string_view text) { return Reader().run(text); }

bool is_ibnetdiscover(std::string_view text) {
    const std::string_view head = text.substr(0, 16384);
    if (head.find("vendid=") != std::string_view::npos && head.find("guid=") != std::string_view::npos) return true;
    for (const auto line : lines_of(head)) {
        const auto words = words_of(line);
        if (words.size() < 3 || !kind_of(words.front()) || !whole_number(words[1])) continue;
        for (const std::string_view id : {"\"S-", "\"H-", "\"R-"})
            if (words[2].starts_with(id)) return true;
    }
    return false;
}

Result<Imported> import_ibnetdiscover(std::string_view text, const ImportOptions& options) {
    const auto fabric = read_ibnetdiscover(text);
    if (!fabric) return tl::unexpected(fabric.error());
    return draw_ib_fabric(*fabric, "ibnetdiscover", options);
}

}  // namespace crosspoint

// Slurm topology.conf: "Key=value" pairs, keys in any case, '#' to the end of the line, '\' continues it.
// SwitchName with Switches or Nodes (tree), BlockName with Nodes (block), RingName with Nodes (ring, not modelled).
#include <algorithm>

#include <fmt/format.h>

#include "core/importers/host_list.hpp"
#include "core/importers/scheduler_tree.hpp"
#include "core/importers/text_probe.hpp"
#include "core/importers/text_tree.hpp"

namespace crosspoint {
namespace {

struct Pairs {
    int line = 0;
    std::vector<std::pair<std::string, std::string>> all;  ///< key in lower case
    [[nodiscard]] const std::string* find(std::string_view key) const {
        for (const auto& [k, v] : all)
            if (k == key) return &v;
        return nullptr;
    }
};

/// Lines without comments, joined where one ends in a backslash.
std::vector<std::pair<int, std::string>> joined_lines(std::string_view text) {
    std::vector<std::pair<int, std::string>> result;
    int number = 0;
    bool continues = false;
    for (const std::string_view raw : lines_of(text)) {
        ++number;
        std::string_view line = trimmed(raw.substr(0, raw.find('#')));
        const bool more = line.ends_with('\\');
        if (more) line.remove_suffix(1);
        if (continues) result.back().second += std::string(line);
        else result.emplace_back(number, line);
        continues = more;
    }
    return result;
}

/// Blanks around '=' and after the commas of a list do not end a value.
Pairs pairs_of(int number, std::string_view line) {
    Pairs pairs;
    pairs.line = number;
    for (const auto word : words_of(line)) {
        const auto equals = word.find('=');
        const bool open =
            !pairs.all.empty() && (pairs.all.back().second.empty() || pairs.all.back().second.back() == ',');
        if (equals == std::string_view::npos) {
            if (open) pairs.all.back().second += std::string(word);
            continue;
        }
        pairs.all.emplace_back(lower(word.substr(0, equals)), std::string(word.substr(equals + 1)));
    }
    return pairs;
}

class Reader {
public:
    explicit Reader(Sketch& sketch) : sketch_(sketch) {}

    Result<SchedulerTree> run(std::string_view text) {
        for (const auto& [number, line] : joined_lines(text))
            if (auto ok = read_line(pairs_of(number, line)); !ok) return tl::unexpected(ok.error());
        if (rings_ > 0)
            return fail(ErrorCode::unsupported,
                        fmt::format("{} rings of nodes (RingName), which are not modelled", rings_),
                        "draw the nodes and the links between them");
        if (tree_.switches.empty() && tree_.blocks.empty())
            return fail(ErrorCode::schema, "no SwitchName and no BlockName with nodes");
        tree_.block_is_domain = true;
        return std::move(tree_);
    }

private:
    Result<void> read_line(const Pairs& pairs) {
        const std::string where = fmt::format("line {}", pairs.line);
        for (const auto& [key, value] : pairs.all) note_key(key, value, where);
        if (pairs.find("ringname")) ++rings_;
        const std::string* name = pairs.find("switchname");
        const std::string* block = pairs.find("blockname");
        if (!name && !block) return {};
        std::vector<std::string> nodes, children;
        for (auto [key, list] : {std::pair("nodes", &nodes), std::pair("switches", &children)}) {
            const std::string* text = pairs.find(key);
            if (!text) continue;
            auto names = expand_host_list(*text);
            if (!names) return fail_at(pairs.line, names.error().code, names.error().message, names.error().hint);
            *list = std::move(*names);
        }
        if (name) tree_.switches.push_back({*name, std::move(children), std::move(nodes)});
        else tree_.blocks.push_back({*block, "", std::move(nodes), "", ""});
        return {};
    }

    void note_key(const std::string& key, const std::string& value, const std::string& where) {
        if (key == "linkspeed") sketch_.ignored("LinkSpeed: Slurm gives it no unit and does not use it");
        else if (key == "blocksizes")
            sketch_.ignored(fmt::format("BlockSizes={}: sizes of allocations, not hardware", value), where);
        else if (key != "switchname" && key != "blockname" && key != "ringname" && key != "nodes" && key != "switches")
            sketch_.ignored(fmt::format("the key '{}'", key), where);
    }

    Sketch& sketch_;
    SchedulerTree tree_;
    int rings_ = 0;
};

}  // namespace

bool is_slurm_topology_conf(std::string_view text) {
    for (const auto& [number, line] : joined_lines(text.substr(0, 65536))) {
        const std::string start = lower(std::string_view(line).substr(0, 11));
        for (const std::string_view key : {"switchname=", "blockname=", "ringname="})
            if (start.starts_with(key)) return true;
    }
    return false;
}

Result<Imported> import_slurm_topology_conf(std::string_view text, const ImportOptions& options) {
    Sketch sketch(options, "slurm-topology-conf", "Slurm topology");
    auto tree = Reader(sketch).run(text);
    if (!tree) return tl::unexpected(tree.error());
    return draw_scheduler_tree(*tree, std::move(sketch), options);
}

}  // namespace crosspoint

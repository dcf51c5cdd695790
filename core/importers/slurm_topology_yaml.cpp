// Slurm topology.yaml: a list of named topologies, each with one of tree, block, ring, torus3d, flat.
#include <algorithm>

#include <fmt/format.h>

#include "core/importers/host_list.hpp"
#include "core/importers/scheduler_tree.hpp"
#include "core/importers/text_probe.hpp"
#include "core/importers/text_tree.hpp"

namespace crosspoint {
namespace {

using Names = std::vector<std::string>;

/// A host list as one text or as a list of texts.
Result<Names> names_of(const TextTree* value) {
    Names names;
    if (!value) return names;
    std::vector<const TextTree*> texts;
    if (value->is_scalar()) texts.push_back(value);
    for (const TextTree& item : value->items) texts.push_back(&item);
    for (const TextTree* text : texts) {
        auto expanded = expand_host_list(text->text);
        if (!expanded)
            return fail_at(text->line, expanded.error().code, expanded.error().message, expanded.error().hint);
        names.insert(names.end(), expanded->begin(), expanded->end());
    }
    return names;
}

std::string text_of(const TextTree& map, std::string_view key) {
    const TextTree* value = map.find(key);
    return value && value->is_scalar() ? value->text : std::string();
}

Result<void> read_tree_part(const TextTree& part, SchedulerTree& tree) {
    const TextTree* list = part.find("switches");
    if (!list || !list->is_list()) return fail_at(part.line, ErrorCode::schema, "a tree without its list of switches");
    for (const TextTree& item : list->items) {
        auto children = names_of(item.find("children")), nodes = names_of(item.find("nodes"));
        if (!children) return tl::unexpected(children.error());
        if (!nodes) return tl::unexpected(nodes.error());
        const std::string name = text_of(item, "switch");
        if (name.empty()) return fail_at(item.line, ErrorCode::schema, "an entry of switches without 'switch: name'");
        tree.switches.push_back({name, std::move(*children), std::move(*nodes)});
    }
    return {};
}

Result<void> read_block_part(const TextTree& part, SchedulerTree& tree) {
    const TextTree* list = part.find("blocks");
    if (!list || !list->is_list())
        return fail_at(part.line, ErrorCode::schema, "a block topology without its list of blocks");
    for (const TextTree& item : list->items) {
        auto nodes = names_of(item.find("nodes"));
        if (!nodes) return tl::unexpected(nodes.error());
        const std::string name = text_of(item, "block");
        if (name.empty()) return fail_at(item.line, ErrorCode::schema, "an entry of blocks without 'block: name'");
        tree.blocks.push_back({name, "", std::move(*nodes), "", ""});
    }
    tree.block_is_domain = true;
    return {};
}

class Reader {
public:
    Reader(Sketch& sketch) : sketch_(sketch) {}

    Result<SchedulerTree> run(const TextTree& root) {
        const TextTree* chosen = choose(root);
        if (!chosen) return fail_at(root.line, ErrorCode::schema, "a list of maps with 'topology: name' is expected");
        SchedulerTree tree;
        for (const auto& [key, value] : chosen->members) {
            if (key == "tree" || key == "block") {
                auto ok = key == "tree" ? read_tree_part(value, tree) : read_block_part(value, tree);
                if (!ok) return tl::unexpected(ok.error());
                if (value.find("block_sizes")) sketch_.ignored("block_sizes: sizes of allocations, not hardware");
            } else if (key == "ring" || key == "torus3d") {
                return fail_at(value.line, ErrorCode::unsupported,
                               fmt::format("a {} of whole nodes, which is not modelled", key),
                               "draw it as a container with a ring or torus of accelerators");
            } else if (key == "flat") {
                return fail_at(value.line, ErrorCode::unsupported,
                               "a flat topology: it says nothing about the nodes or the fabric",
                               "import the topology that has a tree or blocks");
            } else if (key != "topology" && key != "cluster_default") {
                sketch_.ignored(fmt::format("the key '{}'", key), fmt::format("line {}", value.line));
            }
        }
        if (tree.switches.empty() && tree.blocks.empty())
            return fail_at(chosen->line, ErrorCode::schema, "neither a tree nor blocks in this topology");
        return tree;
    }

private:
    /// The default of the cluster, or the first with hardware in it; a question when there are several.
    const TextTree* choose(const TextTree& root) {
        std::vector<const TextTree*> all;
        for (const TextTree& item : root.items)
            if (item.find("topology")) all.push_back(&item);
        if (all.empty()) return nullptr;
        Names names;
        const TextTree* usual = nullptr;
        for (const TextTree* t : all) {
            names.push_back(text_of(*t, "topology"));
            const bool drawn = t->find("tree") || t->find("block");
            if (drawn && (!usual || lower(text_of(*t, "cluster_default")) == "true")) usual = t;
        }
        if (!usual) usual = all.front();
        if (all.size() == 1) return usual;
        const std::string answer = sketch_.ask("topology", "The file holds several topologies. Which one?", names,
                                               text_of(*usual, "topology"));
        for (const TextTree* t : all)
            if (text_of(*t, "topology") == answer) return t;
        return usual;
    }

    Sketch& sketch_;
};

}  // namespace

bool is_slurm_topology_yaml(std::string_view text) {
    const std::string_view head = text.substr(0, 65536);
    const auto body = skip_blanks(head);
    const bool list = body.starts_with("-") || head.find("\n-") != std::string_view::npos;
    if (!list || !has_key(head, "topology")) return false;
    for (const std::string_view key : {"tree", "block", "ring", "torus3d", "flat", "cluster_default"})
        if (has_key(head, key)) return true;
    return false;
}

Result<Imported> import_slurm_topology_yaml(std::string_view text, const ImportOptions& options) {
    const auto root = read_tree(text);
    if (!root) return tl::unexpected(root.error());
    Sketch sketch(options, "slurm-topology-yaml", "Slurm topology");
    auto tree = Reader(sketch).run(*root);
    if (!tree) return tl::unexpected(tree.error());
    return draw_scheduler_tree(*tree, std::move(sketch), options);
}

}  // namespace crosspoint

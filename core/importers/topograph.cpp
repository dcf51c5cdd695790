// topograph models: "switches" (a map, or a list in older files) with their switches and nodes, and "blocks" (or
// "capacity_blocks") of nodes under a switch. The accelerator domain is an annotation ("...domain", "...sub-domain").
#include <algorithm>

#include <fmt/format.h>

#include "core/importers/host_list.hpp"
#include "core/importers/scheduler_tree.hpp"
#include "core/importers/text_probe.hpp"
#include "core/importers/text_tree.hpp"

namespace crosspoint {
namespace {

using Names = std::vector<std::string>;

std::string text_of(const TextTree& map, std::string_view key) {
    const TextTree* value = map.find(key);
    return value && value->is_scalar() ? value->text : std::string();
}

class Reader {
public:
    explicit Reader(Sketch& sketch) : sketch_(sketch) {}

    Result<SchedulerTree> run(const TextTree& root) {
        if (root.find("provider") || root.find("engine"))
            return fail_at(root.line, ErrorCode::unsupported,
                           "this is a topograph request payload: a question to topograph, not its answer",
                           "import the model or the topology that topograph returns");
        for (const auto& [key, value] : root.members) {
            Result<void> ok;
            if (key == "switches") ok = read_switches(value);
            else if (key == "blocks" || key == "capacity_blocks") ok = read_blocks(value);
            else if (key != "nodes")
                sketch_.ignored(fmt::format("the key '{}'", key), fmt::format("line {}", value.line));
            if (!ok) return tl::unexpected(ok.error());
        }
        if (tree_.switches.empty() && tree_.blocks.empty())
            return fail_at(root.line, ErrorCode::schema, "no switch and no block in this topograph model");
        place_capacity_blocks();
        return std::move(tree_);
    }

private:
    Result<Names> names_of(const TextTree* value) {
        Names names;
        if (!value) return names;
        std::vector<const TextTree*> texts;
        if (value->is_scalar()) texts.push_back(value);
        for (const TextTree& item : value->items) texts.push_back(&item);
        for (const auto& [key, item] : value->members) names.push_back(key);
        for (const TextTree* text : texts) {
            const auto expanded = expand_host_list(text->is_map() ? text_of(*text, "name") : text->text);
            if (!expanded)
                return fail_at(text->line, expanded.error().code, expanded.error().message, expanded.error().hint);
            names.insert(names.end(), expanded->begin(), expanded->end());
        }
        return names;
    }

    Result<void> read_switches(const TextTree& all) {
        for (const auto& [name, value] : all.members)
            if (auto ok = read_switch(name, value); !ok) return ok;
        for (const TextTree& item : all.items)
            if (auto ok = read_switch(text_of(item, "name"), item); !ok) return ok;
        return {};
    }

    Result<void> read_switch(const std::string& name, const TextTree& value) {
        if (name.empty()) return fail_at(value.line, ErrorCode::schema, "a switch without a name");
        auto children = names_of(value.find("switches")), nodes = names_of(value.find("nodes"));
        if (!children) return tl::unexpected(children.error());
        if (!nodes) return tl::unexpected(nodes.error());
        auto blocks = names_of(value.find("capacity_blocks"));
        if (!blocks) return tl::unexpected(blocks.error());
        for (const std::string& block : *blocks) switch_of_block_.emplace_back(block, name);
        tree_.switches.push_back({name, std::move(*children), std::move(*nodes)});
        for (const auto& [key, item] : value.members)
            if (key == "labels" || key == "metadata") sketch_.ignored("labels of the switches (region, zone)");
        return {};
    }

    Result<void> read_blocks(const TextTree& all) {
        for (const auto& [name, value] : all.members)
            if (auto ok = read_block(name, value); !ok) return ok;
        for (const TextTree& item : all.items)
            if (auto ok = read_block(text_of(item, "name"), item); !ok) return ok;
        return {};
    }

    Result<void> read_block(std::string name, const TextTree& value) {
        auto nodes = names_of(value.find("nodes"));
        if (!nodes) return tl::unexpected(nodes.error());
        SchedulerTree::Block block;
        block.switch_name = text_of(value, "switch");
        block.name = name.empty() ? block.switch_name : std::move(name);
        block.domain = text_of(value, "nvlink");
        block.nodes = std::move(*nodes);
        if (const TextTree* annotations = value.find("annotations")) {
            for (const auto& [key, item] : annotations->members) {
                if (key.ends_with("sub-domain")) block.sub_domain = item.text;
                else if (key.ends_with("domain")) block.domain = item.text;
                else sketch_.ignored(fmt::format("the annotation '{}'", key), fmt::format("line {}", item.line));
            }
        }
        tree_.blocks.push_back(std::move(block));
        return {};
    }

    /// Older files name the blocks at the switch and not the other way round.
    void place_capacity_blocks() {
        for (const auto& [block, name] : switch_of_block_)
            for (auto& b : tree_.blocks)
                if (b.name == block && b.switch_name.empty()) b.switch_name = name;
    }

    Sketch& sketch_;
    SchedulerTree tree_;
    std::vector<std::pair<std::string, std::string>> switch_of_block_;
};

bool starts_line(std::string_view text, std::string_view key) {
    return text.starts_with(key) || text.find("\n" + std::string(key)) != std::string_view::npos;
}

}  // namespace

bool is_topograph(std::string_view text) {
    const std::string_view head = text.substr(0, 262144);
    if (starts_line(head, "switches:") || starts_line(head, "capacity_blocks:")) return true;
    if (starts_line(head, "blocks:") && has_key(head, "switch")) return true;
    return (has_key(head, "provider") && has_key(head, "engine") && has_key(head, "nodes"));
}

Result<Imported> import_topograph(std::string_view text, const ImportOptions& options) {
    const auto root = read_tree(text);
    if (!root) return tl::unexpected(root.error());
    if (!root->is_map()) return fail_at(root->line, ErrorCode::schema, "a map with 'switches' is expected");
    Sketch sketch(options, "topograph", "topograph model");
    auto tree = Reader(sketch).run(*root);
    if (!tree) return tl::unexpected(tree.error());
    return draw_scheduler_tree(*tree, std::move(sketch), options);
}

}  // namespace crosspoint

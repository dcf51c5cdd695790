#include "core/topology/arrange_tree.hpp"

#include <algorithm>
#include <limits>

#include "core/topology/ancestry.hpp"

namespace crosspoint::arranging {
namespace {

std::int64_t product(std::int64_t a, std::int64_t b) {
    constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
    return a > largest / std::max<std::int64_t>(b, 1) ? largest : a * b;
}

std::int64_t usable_count(std::int64_t count) { return std::max<std::int64_t>(count, 1); }

/// Rows by the container they lie in; those whose container is unknown lie at the top.
struct Inside {
    std::map<ContainerId, std::vector<const Container*>> containers;
    std::map<ContainerId, std::vector<const Device*>> devices;
    std::vector<const Container*> top_containers;
    std::vector<const Device*> top_devices;

    explicit Inside(const Topology& topology) {
        for (const Container& c : topology.containers)
            (parent_of(topology, c.parent) ? containers[*c.parent] : top_containers).push_back(&c);
        for (const Device& d : topology.devices)
            (parent_of(topology, d.parent) ? devices[*d.parent] : top_devices).push_back(&d);
    }
    const std::vector<const Container*>& containers_of(const Container* parent) const {
        static const std::vector<const Container*> none;
        if (!parent) return top_containers;
        const auto found = containers.find(parent->id);
        return found == containers.end() ? none : found->second;
    }
    const std::vector<const Device*>& devices_of(const Container* parent) const {
        static const std::vector<const Device*> none;
        if (!parent) return top_devices;
        const auto found = devices.find(parent->id);
        return found == devices.end() ? none : found->second;
    }
};

class Builder {
public:
    Builder(const Topology& topology, const ArrangeOptions& options)
        : inside_(topology), tiers_(switch_tiers(topology)), options_(options) {
        const auto limit = static_cast<double>(options.total_limit);
        while (stacked_depth_ <= max_nesting && boxes_in(nullptr, 0) > limit) ++stacked_depth_;
    }

    Item run() {
        Item root;
        root.box.depth = -1;
        fill(root, nullptr);
        name_keys(root);
        return root;
    }

private:
    bool stacked(std::int64_t count, int depth) const {
        return count > 1 && (count > options_.expand_limit || depth < stacked_depth_);
    }
    bool stacked(const Device& device, const Container* parent, int depth) const {
        const bool lines = parent && device.kind == DeviceKind::accelerator && parent->interconnect &&
                           has_lines(&*parent->interconnect);
        if (!lines) return stacked(device.count, depth);
        return device.count > 1 && (device.count > options_.fabric_limit || depth < stacked_depth_);
    }

    /// Boxes drawn inside `parent` when counts above `stacked_depth_` are stacked.
    double boxes_in(const Container* parent, int depth) const {
        if (depth > max_nesting) return 0;
        const auto drawn = [&](std::int64_t count) {
            return stacked(count, depth) ? 1.0 : double(usable_count(count));
        };
        double sum = 0;
        if (parent && parent->collapsed) return 0;
        for (const Device* device : inside_.devices_of(parent))
            sum += stacked(*device, parent, depth) ? 1.0 : double(usable_count(device->count));
        for (const Container* inner : inside_.containers_of(parent))
            sum += drawn(inner->count) * (1 + (inner->interconnect ? 1 : 0) + boxes_in(inner, depth + 1));
        return sum;
    }

    void fill(Item& parent, const Container* container) {
        const int depth = parent.box.depth + 1;
        if (depth > max_nesting) return;
        if (container && container->collapsed) {
            parent.box.collapsed = true;
            return hide(parent, container, parent.levels, depth);
        }
        for (const Container* inner : inside_.containers_of(container))
            add_instances(parent, *inner, *inner, stacked(inner->count, depth));
        std::map<DeviceKind, std::int64_t> all, before;  // of one instance of the container
        for (const Device* device : inside_.devices_of(container)) all[device->kind] += usable_count(device->count);
        for (const Device* device : inside_.devices_of(container)) {
            const std::size_t first = parent.children.size();
            add_instances(parent, *device, *device, stacked(*device, container, depth));
            if (device->kind == DeviceKind::accelerator || device->kind == DeviceKind::nic)
                number(parent, first, all[device->kind], before[device->kind]);
            before[device->kind] += usable_count(device->count);
        }
        if (container && container->interconnect) add_fabric(parent);
    }

    /// What a closed container holds, for the cables that end at it.
    void hide(Item& closed, const Container* container, const std::vector<Range>& levels, int depth) {
        if (depth > max_nesting) return;
        const auto below = [&levels](std::int64_t count) {
            std::vector<Range> inner = levels;
            inner.push_back({0, usable_count(count), usable_count(count)});
            return inner;
        };
        for (const Device* device : inside_.devices_of(container))
            closed.hidden.emplace_back(device->id.value, below(device->count));
        for (const Container* inner : inside_.containers_of(container))
            hide(closed, inner, below(inner->count), depth + 1);
    }

    /// Devices of one kind are numbered through within a container, and on from instance to instance of it; in a stack
    /// of containers they begin at 0.
    static void number(Item& parent, std::size_t first, std::int64_t all, std::int64_t before) {
        const std::int64_t base = parent.box.stands_for > 1 ? 0 : product(parent.box.index, all);
        for (std::size_t i = first; i < parent.children.size(); ++i) {
            Item& item = parent.children[i];
            item.box.number = base + before + item.levels.back().first;
        }
    }

    template <class Row>
    void add_instances(Item& parent, const Row& row, const Row& what, bool stack) {
        const std::int64_t count = usable_count(row.count);
        for (std::int64_t i = 0; i < (stack ? 1 : count); ++i) {
            Item item = instance(parent, row, {i, stack ? count : 1, count});
            finish(item, what);
            parent.children.push_back(std::move(item));
        }
    }

    template <class Row>
    Item instance(const Item& parent, const Row& row, Range range) {
        Item item;
        item.box.id = row.id.value;
        item.box.depth = parent.box.depth + 1;
        item.box.index = product(parent.box.index, range.total) + range.first;
        item.box.number = item.box.index;
        item.box.stands_for = product(parent.box.stands_for, range.size);
        item.placed = row.box ? &*row.box : nullptr;
        item.title_length = row.name.empty() ? row.id.value.size() : row.name.size();
        item.levels = parent.levels;
        item.levels.push_back(range);
        ++drawn_[row.id.value];
        return item;
    }

    void finish(Item& item, const Container& container) {
        item.box.what = ArrangedBox::What::container;
        item.section = Section::container;
        if (container.interconnect && !container.collapsed) item.fabric = &*container.interconnect;
        fill(item, &container);
    }

    void finish(Item& item, const Device& device) {
        item.box.what = ArrangedBox::What::device;
        switch (device.kind) {
            case DeviceKind::accelerator: item.section = Section::accelerator; break;
            case DeviceKind::nic: item.section = Section::nic; break;
            case DeviceKind::host: item.section = Section::host; break;
            case DeviceKind::network_switch:
                item.section = Section::tier;
                item.tier = tiers_[device.id];
                break;
        }
    }

    void add_fabric(Item& parent) {
        Item item;
        item.box.what = ArrangedBox::What::fabric;
        item.box.id = parent.box.id;
        item.box.depth = parent.box.depth + 1;
        item.box.index = parent.box.index;
        item.box.stands_for = parent.box.stands_for;
        item.section = Section::fabric;
        parent.children.push_back(std::move(item));
    }

    /// The id alone where it is drawn once, otherwise with the index of the instance.
    void name_keys(Item& parent) {
        for (Item& item : parent.children) {
            item.box.parent = parent.box.key;
            if (item.section == Section::fabric) item.box.key = parent.box.key + "/fabric";
            else if (drawn_[item.box.id] == 1) item.box.key = item.box.id;
            else item.box.key = item.box.id + "#" + std::to_string(item.box.index);
            name_keys(item);
        }
    }

    Inside inside_;
    std::map<DeviceId, int> tiers_;
    ArrangeOptions options_;
    int stacked_depth_ = 0;
    std::map<std::string, std::int64_t> drawn_;  ///< boxes of each id
};

}  // namespace

Item build_tree(const Topology& topology, const ArrangeOptions& options) { return Builder(topology, options).run(); }

}  // namespace crosspoint::arranging

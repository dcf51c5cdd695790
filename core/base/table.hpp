// A flat table of rows sorted by their `id` member: binary search, contiguous walk, value equality.
#pragma once

#include <algorithm>
#include <vector>

namespace crosspoint {

template <class Row>
class Table {
public:
    using Key = decltype(Row::id);

    [[nodiscard]] const Row* find(const Key& id) const {
        const auto it = lower(id);
        return it != rows_.end() && it->id == id ? &*it : nullptr;
    }
    [[nodiscard]] bool contains(const Key& id) const { return find(id) != nullptr; }
    /// Inserts, or replaces the row of the same id.
    void put(Row row) {
        const auto it =
            std::lower_bound(rows_.begin(), rows_.end(), row.id, [](const Row& r, const Key& k) { return r.id < k; });
        if (it != rows_.end() && it->id == row.id) *it = std::move(row);
        else rows_.insert(it, std::move(row));
    }
    /// True when a row was removed.
    bool erase(const Key& id) {
        const auto it =
            std::lower_bound(rows_.begin(), rows_.end(), id, [](const Row& r, const Key& k) { return r.id < k; });
        if (it == rows_.end() || it->id != id) return false;
        rows_.erase(it);
        return true;
    }
    [[nodiscard]] std::size_t size() const { return rows_.size(); }
    [[nodiscard]] bool empty() const { return rows_.empty(); }
    [[nodiscard]] auto begin() const { return rows_.begin(); }
    [[nodiscard]] auto end() const { return rows_.end(); }
    bool operator==(const Table&) const = default;

private:
    auto lower(const Key& id) const {
        return std::lower_bound(rows_.begin(), rows_.end(), id, [](const Row& r, const Key& k) { return r.id < k; });
    }
    std::vector<Row> rows_;
};

}  // namespace crosspoint

// Short looks at imported drawings, for tests.
#pragma once

#include <QtTest>
#include <string>

#include "core/importers/importer.hpp"

namespace crosspoint {

/// Devices of a kind, all instances.
inline std::int64_t total(const Topology& topology, DeviceKind kind) {
    std::int64_t sum = 0;
    for (const Device& d : topology.devices)
        if (d.kind == kind) sum += instances(topology, d);
    return sum;
}

/// Containers of a kind, all instances.
inline std::int64_t total(const Topology& topology, ContainerKind kind) {
    std::int64_t sum = 0;
    for (const Container& c : topology.containers) {
        if (c.kind != kind) continue;
        std::int64_t n = c.count;
        for (auto p = c.parent; p; p = topology.containers.find(*p)->parent) n *= topology.containers.find(*p)->count;
        sum += n;
    }
    return sum;
}

inline bool has_note(const Imported& imported, ImportNote::Kind kind, std::string_view words) {
    for (const ImportNote& note : imported.notes)
        if (note.kind == kind && note.text.find(words) != std::string::npos) return true;
    return false;
}

inline const ImportQuestion* question(const Imported& imported, std::string_view id) {
    for (const ImportQuestion& q : imported.questions)
        if (q.id == id) return &q;
    return nullptr;
}

/// Cuts and changes a text in many ways; each result has to be refused with a message or give a valid drawing.
template <class Import>
void survive_mutations(const std::string& text, Import import) {
    const auto check = [&](const std::string& mutant) {
        const auto imported = import(mutant, ImportOptions{});
        if (imported) QVERIFY(validate(imported->topology).has_value());
        else QVERIFY(!imported.error().message.empty());
    };
    const std::size_t step = std::max<std::size_t>(1, text.size() / 60);
    for (std::size_t cut = 0; cut < text.size(); cut += step) check(text.substr(0, cut));
    const std::string odd = std::string("0-9[]{}\":,=#\n\t \xff") + '\0';
    std::uint32_t seed = 12345;
    for (int round = 0; round < 300; ++round) {
        std::string mutant = text;
        for (int k = 0; k < 3 && !mutant.empty(); ++k) {
            seed = seed * 1664525u + 1013904223u;
            const std::size_t at = (seed >> 8) % mutant.size();
            if (seed % 3 == 0) mutant.erase(at, 1 + seed % 7);
            else if (seed % 3 == 1) mutant[at] = odd[(seed >> 4) % odd.size()];
            else mutant.insert(at, mutant.substr(mutant.size() / 2, seed % 9));
        }
        check(mutant);
    }
}

}  // namespace crosspoint

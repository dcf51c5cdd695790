// A drawing in the making, as importers build it: ids, parts, notes and questions in one place. Private to importers.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/importers/importer.hpp"

namespace crosspoint {

class Sketch {
public:
    Sketch(const ImportOptions& options, std::string_view format, std::string name);

    // Objects. The id is `stem`, made plain and unique; the row's own id is filled in.
    ContainerId add(std::string_view stem, Container container);
    DeviceId add(std::string_view stem, Device device);
    LinkId add(std::string_view stem, Link link);

    void note(ImportNote::Kind kind, std::string text, std::string where = {});
    void assumed(std::string text, std::string where = {}) { note(ImportNote::Kind::assumed, std::move(text), where); }
    void converted(std::string text, std::string where = {}) {
        note(ImportNote::Kind::converted, std::move(text), where);
    }
    void ignored(std::string text, std::string where = {}) { note(ImportNote::Kind::ignored, std::move(text), where); }
    void warn(std::string text, std::string where = {}) { note(ImportNote::Kind::warning, std::move(text), where); }
    /// The answer given in the options, or `fallback`; the question is listed either way. Ask every id once.
    std::string ask(std::string id, std::string text, std::vector<std::string> choices, std::string fallback);

    // Parts: a built-in one where it fits, else one of the document's own. Asking twice gives the same part.
    /// By product name, in any spelling: "NVIDIA H100 80GB HBM3", "Tesla V100-SXM2-16GB". An unknown product gets an
    /// own part with assumed figures and a note.
    PartId accelerator(std::string_view product);
    /// `bandwidth` is what the drawing's link carries: one direction, payload; per accelerator in a domain. Latencies
    /// are those of the built-in part of the family ("nvlink", "xgmi", "pcie", "infiniband", "ethernet") that is
    /// nearest in bandwidth. A built-in part within 1 % of `bandwidth` is taken itself, unless `exact_name` asks for an
    /// own one.
    PartId link(std::string_view family, std::string_view name, BytesPerSecond bandwidth, std::string_view source,
                Confidence confidence = Confidence::datasheet, bool exact_name = false);
    PartId nic(std::string_view name, BytesPerSecond bandwidth, std::string_view source,
               Confidence confidence = Confidence::datasheet);
    /// `radix` at least 1.
    PartId network_switch(std::string_view name, int radix, BytesPerSecond port, std::string_view source,
                          Confidence confidence = Confidence::datasheet);
    PartId host(std::string_view name);
    /// An own accelerator part with these figures where given; what is absent is assumed and noted.
    struct AcceleratorFigures {
        std::string name, vendor, source;
        std::optional<Bytes> memory;
        std::optional<BytesPerSecond> memory_bandwidth;
        std::map<Dtype, FlopsPerSecond> dense_peak;
        Confidence confidence = Confidence::datasheet;
    };
    PartId own_accelerator(const AcceleratorFigures& figures);

    [[nodiscard]] std::size_t elements() const { return devices_.size() + links_.size() + containers_.size(); }
    [[nodiscard]] bool too_large() const { return elements() > import_element_limit; }
    [[nodiscard]] const Catalogue& parts() const { return imported_.parts; }

    /// The import; checked by validate(Topology).
    Result<Imported> finish();

private:
    std::string fresh(std::string_view stem);
    template <class Row>
    PartId put(Table<Row>& own, Row row);
    std::shared_ptr<const Catalogue> base_;
    const ImportOptions& options_;
    Imported imported_;
    std::vector<Container> containers_;
    std::vector<Device> devices_;
    std::vector<Link> links_;
    std::unordered_set<std::string> ids_;
    std::set<std::string> said_;  ///< notes are said once
};

/// A plain id: lower-case letters, digits, dots and dashes; never empty.
std::string plain_id(std::string_view text);

}  // namespace crosspoint

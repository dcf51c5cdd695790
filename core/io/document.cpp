#include "core/io/document.hpp"

#include <fmt/format.h>

#include "core/io/catalogue_json.hpp"
#include "core/io/document_fields.hpp"
#include "core/io/document_tree.hpp"
#include "core/io/hf_config_format.hpp"
#include "core/scenario/edit.hpp"

namespace crosspoint {
namespace {

constexpr std::string_view schema_name = "crosspoint/document";
constexpr std::string_view current_version = "1.0";
constexpr int major_version = 1;

/// "1.7" -> 1; empty when the text is not of the form N.M.
std::optional<int> major_of(const std::string& version) {
    const auto dot = version.find('.');
    if (dot == std::string::npos || dot == 0 || dot + 1 == version.size() || version.size() > 9) return std::nullopt;
    int major = 0;
    for (std::size_t i = 0; i < version.size(); ++i) {
        if (i == dot) continue;
        if (version[i] < '0' || version[i] > '9') return std::nullopt;
        if (i < dot) major = major * 10 + (version[i] - '0');
    }
    return major;
}

/// That a file is no document, and what it is instead when that is known.
Error not_a_document(std::string_view format) {
    Error error;
    error.code = ErrorCode::schema;
    error.message = format.empty() ? "this is not a Crosspoint document"
                                   : fmt::format("this is {}, not a Crosspoint document", format);
    error.hint = fmt::format("a document has \"schema\": \"{}\"", schema_name);
    if (format.find("config.json") != std::string_view::npos)
        error.hint = "import it into a document, or run: crosspoint-cli model";
    return error;
}

/// What a text is that is not even JSON; empty for JSON with a mistake in it.
std::string_view foreign_format(std::string_view text) {
    const std::size_t start = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    if (start == std::string_view::npos || text[start] == '{' || text.front() == '\xFF' || text.front() == '\xFE')
        return {};  // nothing to tell by, a document, or UTF-16, which the parser names
    const std::string_view known = hf::text_format(text);
    return known.empty() && text[start] != '[' ? "a text of another kind" : known;
}

/// Before anything else is read: what a newer program wrote may look wrong in any other respect.
void check_version(json::Source& source, const json::Node& root) {
    const json::Node* schema = root.find("schema");
    const json::Node* version = root.find("version");
    if (!schema || schema->kind != json::Node::Kind::string || schema->text != schema_name)
        return source.fail_at(schema ? "/schema" : "", not_a_document(schema ? "" : hf::json_format(root)));
    if (!version || version->kind != json::Node::Kind::string) return;  // reading the fields says so
    const auto major = major_of(version->text);
    if (!major)
        return source.fail(*version, "/version", ErrorCode::schema,
                           fmt::format("'{}' is not a version", version->text.substr(0, 40)), "write it as in \"1.0\"");
    if (*major > major_version)
        return source.fail(*version, "/version", ErrorCode::version,
                           fmt::format("written by a newer Crosspoint (document version {}); this one reads {}.x",
                                       version->text, major_version),
                           "open it with a newer Crosspoint");
    if (*major < 1)
        source.fail(*version, "/version", ErrorCode::version,
                    fmt::format("document version {} was never released", version->text), "write \"1.0\"");
}

/// The pointer of the object that an error of validate(Topology) names.
std::string place_of(const Topology& topology, const Error& error) {
    if (error.objects.empty()) return "/topology";
    const std::string& id = error.objects.front();
    std::string_view table = "links";
    if (topology.devices.contains(DeviceId(id))) table = "devices";
    if (topology.containers.contains(ContainerId(id))) table = "containers";
    return json::child_pointer(fmt::format("/topology/{}", table), id);
}

void check_edit(json::Source& source, const Scenario& scenario, const std::string& pointer, const Edit& edit) {
    if (const auto ok = crosspoint::apply(scenario, edit); !ok) source.fail_at(pointer, ok.error());
}

/// The ranges that edits keep hold for files as well.
void check_settings(json::Source& source, const Scenario& read) {
    Scenario empty;
    check_edit(source, empty, "/workload/batch", SetBatch{read.workload.batch});
    check_edit(source, empty, "/workload/context", SetContext{read.workload.context});
    check_edit(source, empty, "/workload/output", SetOutput{read.workload.output});
    check_edit(source, empty, "/workload/expert_cv", SetExpertCv{read.workload.expert_cv});
    check_edit(source, empty, "/workload/training", SetTraining{read.workload.training});
    check_edit(source, empty, "/layout", SetParallelism{read.layout});
    check_edit(source, empty, "/placement/order", SetPlacement{read.placement});
    check_edit(source, empty, "/calibration", SetCalibration{read.calibration});
    check_edit(source, empty, "/prices", SetPrices{read.prices});
    check_edit(source, empty, "/targets", SetTargets{read.targets});
    check_edit(source, empty, "/service/offered", SetService{read.service});
    for (const auto& [name, tier] : read.tiers)
        check_edit(source, empty, json::child_pointer("/tiers", name), SetTier{name, tier});
    for (const auto& [name, value] : read.thresholds)
        check_edit(source, empty, json::child_pointer("/thresholds", name), SetThreshold{name, value});
}

void check_tables(json::Source& source, const json::Draft& draft) {
    if (const auto ok = validate(draft.topology); !ok) source.fail_at(place_of(draft.topology, ok.error()), ok.error());
    if (draft.model)
        if (const auto ok = validate(*draft.model); !ok) source.fail_at("/model", ok.error());
    if (const auto ok = check_catalogue(draft.parts); !ok) source.fail_at("/parts" + ok.error().pointer, ok.error());
}

Scenario finished(json::Draft draft, const std::shared_ptr<const Catalogue>& builtin) {
    Scenario scenario = std::move(draft.scenario);
    scenario.topology = std::make_shared<const Topology>(std::move(draft.topology));
    if (draft.model) scenario.model = std::make_shared<const ModelShape>(std::move(*draft.model));
    scenario.own_parts = std::make_shared<const Catalogue>(std::move(draft.parts));
    scenario.catalogue = builtin ? builtin : scenario.own_parts;
    if (builtin && !(*scenario.own_parts == Catalogue{}))
        scenario.catalogue = std::make_shared<const Catalogue>(merged(*builtin, *scenario.own_parts));
    return scenario;
}

}  // namespace

namespace json {

std::vector<LayerRun> runs_of(const std::vector<int>& layers) {
    std::vector<LayerRun> runs;
    for (const int kind : layers) {
        if (!runs.empty() && runs.back().kind == kind) ++runs.back().count;
        else runs.push_back({kind, 1});
    }
    return runs;
}

void layer_list(Reader& io, std::vector<int>& layers) {
    std::vector<LayerRun> runs;
    io.must("layers", runs);
    for (const LayerRun& run : runs) {
        const auto room = most_layers - static_cast<std::int64_t>(layers.size());
        if (run.count < 1 || run.count > room)
            return io.fail(fmt::format("a run of {} layers is not possible", run.count),
                           fmt::format("use 1 to {} layers in all", most_layers));
        layers.insert(layers.end(), static_cast<std::size_t>(run.count), run.kind);
    }
}

void fields(Reader& io, Placement& placement) {
    std::vector<ParallelDimension> order(placement.order.begin(), placement.order.end());
    io.may("order", order);
    if (order.size() != placement.order.size())
        return io.fail(fmt::format("the placement order has {} entries", order.size()),
                       "order tensor, attention-data, pipeline and replica, each once");
    std::copy(order.begin(), order.end(), placement.order.begin());
}

}  // namespace json

Result<DocumentTree> read_document_tree(const json::Node& root, std::string_view text, std::string_view file,
                                        const std::shared_ptr<const Catalogue>& builtin, bool collect_known) {
    json::Source source(text, file, root);
    if (collect_known) source.known.emplace();
    if (json::expect(source, root, "", json::Node::Kind::object)) check_version(source, root);
    json::Draft draft;
    draft.scenario = empty_scenario(nullptr);
    if (!source.error()) json::read(source, root, "", draft);
    if (!source.error()) check_tables(source, draft);
    if (!source.error()) check_settings(source, draft.scenario);
    if (source.error()) return tl::unexpected(*source.error());
    DocumentTree tree;
    tree.version = draft.version;
    tree.scenario = finished(std::move(draft), builtin);
    tree.unknown = std::move(source.unknown);
    if (source.known) tree.known = std::move(*source.known);
    return tree;
}

json::Node document_tree(const Scenario& scenario, const std::string& version, const json::Unknown* unknown) {
    json::Draft draft;
    draft.schema = schema_name;
    draft.version = version.empty() ? std::string(current_version) : version;
    draft.scenario = scenario;
    if (scenario.topology) draft.topology = *scenario.topology;
    if (scenario.model) draft.model = *scenario.model;
    if (scenario.own_parts) draft.parts = *scenario.own_parts;
    return json::to_node(draft, unknown, "");
}

Result<Document> parse_document(std::string_view text, std::string_view file,
                                std::shared_ptr<const Catalogue> builtin) {
    const auto root = json::parse(text, file);
    if (!root) {
        const std::string_view foreign = foreign_format(text);  // JSON lists keep the parser's message
        if (foreign.empty()) return tl::unexpected(root.error());
        return tl::unexpected(json::located(not_a_document(foreign), text, file, "", 0));
    }
    auto tree = read_document_tree(*root, text, file, builtin, false);
    if (!tree) return tl::unexpected(tree.error());
    PreservedDocument preserved{std::string(text), tree->scenario, std::move(tree->version), std::move(tree->unknown)};
    return Document{std::move(tree->scenario), std::make_shared<const PreservedDocument>(std::move(preserved))};
}

std::string pointer_of(const Scenario& scenario, const Error& error) {
    if (error.code == ErrorCode::layout) return "/layout";
    if (!scenario.topology || error.objects.empty()) return {};
    const Topology& t = *scenario.topology;
    const std::string& id = error.objects.front();
    const bool drawn =
        t.links.contains(LinkId(id)) || t.devices.contains(DeviceId(id)) || t.containers.contains(ContainerId(id));
    return drawn ? place_of(t, error) : std::string();
}

std::string write_document(const Document& document) {
    const PreservedDocument* preserved = document.preserved.get();
    if (preserved && preserved->scenario == document.scenario) return preserved->text;
    if (!preserved) return json::write(document_tree(document.scenario, {}, nullptr));
    return json::write(document_tree(document.scenario, preserved->version, &preserved->unknown));
}

}  // namespace crosspoint

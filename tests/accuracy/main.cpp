// crosspoint-accuracy: what the program predicts against what was published, by kind of measurement.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "accuracy/hardware.hpp"
#include "accuracy/summary.hpp"
#include "core/io/builtin.hpp"

namespace {

using namespace crosspoint;

std::optional<std::string> text_of(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) return std::nullopt;
    std::string text{std::istreambuf_iterator<char>(in), {}};
    if (in.bad()) return std::nullopt;
    return text;
}

int complain(const std::string& what) {
    std::fputs(("crosspoint-accuracy: " + what + "\n").c_str(), stderr);
    return 2;
}

/// The program's own catalogue, with the parts of `file` laid over it.
Result<Catalogue> catalogue_with(const std::string& file) {
    const auto built_in = builtin_catalogue();
    if (!built_in) return tl::unexpected(built_in.error());
    if (file.empty()) return **built_in;
    const auto text = text_of(file);
    if (!text) return fail(ErrorCode::io, "cannot read '" + file + "'");
    const auto overlay = parse_catalogue(*text, file);
    if (!overlay) return tl::unexpected(overlay.error());
    return merged(**built_in, *overlay);
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"Compares predictions with published measurements (one JSON record a line).", "crosspoint-accuracy"};
    std::string file, catalogue_file;
    bool json = false, rows = false, by_source = false;
    app.add_option("FILE", file, "records, one JSON object a line")->required();
    app.add_flag("--json", json, "write JSON");
    app.add_flag("--rows", rows, "list every row: predicted, measured, ratio, source");
    app.add_flag("--by-source", by_source, "errors by source");
    app.add_option("--catalogue", catalogue_file, "parts laid over the built-in catalogue");
    CLI11_PARSE(app, argc, argv);

    auto catalogue = catalogue_with(catalogue_file);
    if (!catalogue) return complain(describe(catalogue.error()));
    accuracy::add_network_switch(*catalogue);
    const auto text = text_of(file);
    if (!text) return complain("cannot read '" + file + "'");
    const accuracy::Records records = accuracy::parse_records(*text);
    const accuracy::Summary summary = accuracy::compare(records.records, *catalogue);
    const std::string out = json ? accuracy::as_json(summary, records, rows, by_source)
                                 : accuracy::as_text(summary, records, rows, by_source);
    std::fwrite(out.data(), 1, out.size(), stdout);
    return 0;
}

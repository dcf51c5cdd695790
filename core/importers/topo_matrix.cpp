#include "core/importers/topo_matrix.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/importers/text_probe.hpp"

namespace crosspoint {
namespace {

bool all_digits(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_gpu(std::string_view word) { return word.starts_with("GPU") && all_digits(word.substr(3)); }
bool is_label(std::string_view word) {
    if (is_gpu(word) || (word.starts_with("NIC") && all_digits(word.substr(3)))) return true;
    return word.starts_with("mlx") || word.starts_with("bnxt") || word.starts_with("hfi1_") ||
           word.starts_with("irdma");
}

bool is_capability(std::string_view cell) {
    return cell == "OK" || cell == "NS" || cell == "CNS" || cell == "GNS" || cell == "TNS";
}

/// Length of the cell that the text starts with; 0 when it starts with none. Longer cells first: NODE before NV.
std::size_t cell_length(std::string_view text) {
    for (const std::string_view cell : {"NODE", "PIX", "PXB", "PHB", "SYS", "SOC", "X"})
        if (text.starts_with(cell)) return cell.size();
    if (!text.starts_with("NV")) return 0;
    std::size_t end = 2;
    while (end < text.size() && end < 4 && text[end] >= '0' && text[end] <= '9') ++end;
    return end > 2 ? end : 0;
}

/// "NODEPIX" -> NODE, PIX; empty when something else is in it.
std::vector<std::string> split_cells(std::string_view word) {
    std::vector<std::string> cells;
    while (!word.empty()) {
        const auto length = cell_length(word);
        if (length == 0) return {};
        cells.emplace_back(word.substr(0, length));
        word.remove_prefix(length);
    }
    return cells;
}

std::string_view without_prompt(std::string_view line) {
    while (!line.empty() && (line.front() == '>' || line.front() == '|' || line.front() == '#'))
        line = skip_blanks(line.substr(1));
    return line;
}

/// Columns of a header line; empty when it is none.
std::vector<std::string> header_columns(std::string_view line) {
    const auto words = words_of(line);
    std::size_t first = 0;
    while (first < words.size() && !is_gpu(words[first])) ++first;
    if (first == words.size() || words[first] != "GPU0") return {};
    std::vector<std::string> columns;
    for (std::size_t i = first; i < words.size() && is_label(words[i]); ++i) columns.emplace_back(words[i]);
    const bool next_is_cell = first + 1 < words.size() && columns.size() == 1 &&
                              (cell_length(words[first + 1]) > 0 || is_capability(words[first + 1]));
    return next_is_cell ? std::vector<std::string>() : columns;
}

/// Split at tabs or two blanks where there are such; the affinity list itself may hold single blanks.
std::vector<std::string> trailing_fields(std::string_view rest) {
    std::vector<std::string> fields;
    const bool wide = rest.find('\t') != std::string_view::npos || rest.find("  ") != std::string_view::npos;
    while (!(rest = skip_blanks(rest)).empty()) {
        std::size_t end = std::min({rest.find('\t'), rest.find("  "), wide ? std::string_view::npos : rest.find(' ')});
        end = std::min(end, rest.size());
        fields.emplace_back(trimmed(rest.substr(0, end)));
        rest.remove_prefix(end);
    }
    return fields;
}

class Reader {
public:
    Result<TopoMatrix> run(std::string_view text) {
        const auto lines = lines_of(text);
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const std::string_view line = without_prompt(lines[i]);
            if (matrix_.columns.empty()) take_header(line);
            else take_row(line, int(i) + 1);
            take_legend(line);
        }
        if (matrix_.columns.empty())
            return fail(ErrorCode::schema, "there is no header line 'GPU0 GPU1 ...'",
                        "copy the output of nvidia-smi topo -m from its first line on");
        return std::move(matrix_);
    }

private:
    void take_header(std::string_view line) {
        matrix_.columns = header_columns(line);
        matrix_.has_numa = line.find("NUMA Affinity") != std::string_view::npos;
    }

    void take_row(std::string_view line, int number) {
        const std::string_view start = skip_blanks(line);
        const auto words = words_of(start);
        if (words.empty() || !is_label(words[0]) || words.size() < 2) return;
        if (std::find(matrix_.columns.begin(), matrix_.columns.end(), words[0]) == matrix_.columns.end()) return;
        TopoRow row;
        row.label = words[0];
        row.line = number;
        std::string_view rest = start.substr(words[0].size());
        if (!take_cells(rest, row)) {
            matrix_.incomplete.push_back(row.label);
            return;
        }
        const auto fields = trailing_fields(rest);
        if (!fields.empty()) row.cpu_affinity = fields[0];
        if (fields.size() > 1) row.numa_affinity = fields[1];
        const bool again = std::any_of(matrix_.rows.begin(), matrix_.rows.end(),
                                       [&](const TopoRow& r) { return r.label == row.label; });
        if (!again) matrix_.rows.push_back(std::move(row));
    }

    /// Exactly as many cells as there are columns; `rest` is what follows them.
    bool take_cells(std::string_view& rest, TopoRow& row) {
        while (row.cells.size() < matrix_.columns.size()) {
            rest = skip_blanks(rest);
            const auto end = std::min(rest.find_first_of(" \t"), rest.size());
            const std::string_view word = rest.substr(0, end);
            if (word.empty()) return false;
            if (is_capability(word)) matrix_.capability = true;
            auto cells = split_cells(word);
            if (cells.empty() && is_capability(word)) cells = {std::string(word)};
            if (cells.empty()) {
                if (word.find("...") == std::string_view::npos && matrix_.foreign.empty()) matrix_.foreign = word;
                return false;
            }
            matrix_.glued |= cells.size() > 1;
            row.cells.insert(row.cells.end(), cells.begin(), cells.end());
            rest.remove_prefix(end);
        }
        row.cells.resize(matrix_.columns.size());
        return true;
    }

    void take_legend(std::string_view line) {
        const auto words = words_of(line);
        if (words.size() == 2 && words[0].starts_with("NIC") && words[0].ends_with(":"))
            matrix_.nic_names.emplace_back(words[0].substr(0, words[0].size() - 1), words[1]);
    }

    TopoMatrix matrix_;
};

}  // namespace

int closeness(std::string_view cell) {
    if (cell == "X") return 0;
    if (nvlinks(cell) > 0) return 1;
    struct Word {
        std::string_view cell;
        int value;
    };
    for (const Word& w : {Word{"PIX", 2}, {"PXB", 3}, {"PHB", 4}, {"NODE", 5}, {"SYS", 6}, {"SOC", 6}})
        if (w.cell == cell) return w.value;
    return -1;
}

int nvlinks(std::string_view cell) {
    if (!cell.starts_with("NV")) return 0;
    const auto count = whole_number(cell.substr(2));
    return count && *count > 0 && *count < 100 ? int(*count) : 0;
}

bool has_topo_matrix(std::string_view text) {
    const std::string head = without_escapes(text.substr(0, 65536));
    for (const std::string_view raw : lines_of(head)) {
        const std::string_view line = without_prompt(raw);
        const auto words = words_of(line);
        if (words.size() >= 2 && words[0] == "GPU0" && (words[1] == "X" || is_gpu(words[1]))) return true;
        if (header_columns(line).size() >= 2) return true;
        if (line.find("GPU0") != std::string_view::npos && line.find("CPU Affinity") != std::string_view::npos)
            return true;
    }
    return false;
}

Result<TopoMatrix> read_topo_matrix(std::string_view text) { return Reader().run(without_escapes(text)); }

}  // namespace crosspoint

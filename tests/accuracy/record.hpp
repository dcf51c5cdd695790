// One published measurement: a line of a .jsonl file, and how it is to be compared.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace crosspoint::accuracy {

/// The free-form object that says what was measured. Absent keys and wrong types read as nothing.
class Config {
public:
    Config();
    explicit Config(std::shared_ptr<const nlohmann::json> object);

    [[nodiscard]] bool has(const char* key) const;
    /// A number, or a text that begins with one ("8", "4096 tokens").
    [[nodiscard]] std::optional<double> number(const char* key) const;
    [[nodiscard]] double number_or(const char* key, double otherwise) const;
    /// A whole number from 0 to 1e9; what is outside counts as absent.
    [[nodiscard]] std::int64_t count(const char* key, std::int64_t otherwise = 0) const;
    /// As written; numbers and lists as JSON text; empty when absent.
    [[nodiscard]] std::string text(const char* key) const;
    /// text() in lower case.
    [[nodiscard]] std::string lower(const char* key) const;
    [[nodiscard]] const nlohmann::json& json() const { return *object_; }

private:
    std::shared_ptr<const nlohmann::json> object_;
};

struct Check {
    std::string type;               ///< exact, band, range, context
    std::optional<double> rel_tol;  ///< of band and exact
    std::optional<double> low, high;
};

struct Record {
    int line = 0;
    std::string id, kind, metric, unit, source, notes;
    Config config;
    std::optional<double> value;  ///< in `unit`; absent when the file gives a text
    Check check;
    [[nodiscard]] bool tested() const { return check.type != "context"; }
};

struct BadLine {
    int line = 0;
    std::string message;
};

struct Records {
    std::vector<Record> records;
    std::vector<BadLine> bad;  ///< lines that are no record, each with what is wrong
};
/// Never fails: what cannot be read is listed with its line.
Records parse_records(std::string_view text);

std::string lower(std::string_view text);
/// What one of `unit` is in SI: "us" 1e-6, "GB/s (RDMA)" 1e9, "%" 0.01; 1 for plain counts; empty when unknown.
std::optional<double> unit_factor(std::string_view unit);

}  // namespace crosspoint::accuracy

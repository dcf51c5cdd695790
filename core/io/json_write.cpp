#include <fmt/format.h>

#include <algorithm>

#include "core/io/json_tree.hpp"

namespace crosspoint::json {
namespace {

void write_string(std::string& out, std::string_view text) {
    out += '"';
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        switch (c) {
            case '"': out += "\\\""; break;
            case '\\': out += "\\\\"; break;
            case '\n': out += "\\n"; break;
            case '\r': out += "\\r"; break;
            case '\t': out += "\\t"; break;
            default:
                if (code < 0x20 || code == 0x7F) out += fmt::format("\\u{:04x}", code);
                else out += c;
        }
    }
    out += '"';
}

class Writer {
public:
    explicit Writer(bool lines) : lines_(lines) {}

    void value(const Node& node, int depth) {
        switch (node.kind) {
            case Node::Kind::null: out += "null"; break;
            case Node::Kind::boolean: out += node.boolean ? "true" : "false"; break;
            case Node::Kind::number: out += node.text; break;
            case Node::Kind::string: write_string(out, node.text); break;
            case Node::Kind::array: array(node, depth); break;
            case Node::Kind::object: object(node, depth); break;
        }
    }

    std::string out;

private:
    void line(int depth) {
        if (!lines_) return;
        out += '\n';
        out.append(static_cast<std::size_t>(depth) * 2, ' ');
    }

    void array(const Node& node, int depth) {
        if (node.items.empty()) {
            out += "[]";
            return;
        }
        out += '[';
        for (std::size_t i = 0; i < node.items.size(); ++i) {
            if (i > 0) out += ',';
            line(depth + 1);
            value(node.items[i], depth + 1);
        }
        line(depth);
        out += ']';
    }

    void object(const Node& node, int depth) {
        if (node.members.empty()) {
            out += "{}";
            return;
        }
        std::vector<const Member*> sorted;
        for (const Member& member : node.members) sorted.push_back(&member);
        std::sort(sorted.begin(), sorted.end(), [](const Member* a, const Member* b) { return a->key < b->key; });
        out += '{';
        for (std::size_t i = 0; i < sorted.size(); ++i) {
            if (i > 0) out += ',';
            line(depth + 1);
            write_string(out, sorted[i]->key);
            out += lines_ ? ": " : ":";
            value(sorted[i]->value, depth + 1);
        }
        line(depth);
        out += '}';
    }

    bool lines_;
};

}  // namespace

std::string write(const Node& node) {
    Writer writer(true);
    writer.value(node, 0);
    return std::move(writer.out) + "\n";
}

std::string write_compact(const Node& node) {
    Writer writer(false);
    writer.value(node, 0);
    return std::move(writer.out);
}

}  // namespace crosspoint::json

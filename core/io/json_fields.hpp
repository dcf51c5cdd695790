// One description of each struct's fields, used to read it from JSON and to write it. Private to core/io.
//
// A struct S is described by `template <class Io> void fields(Io& io, Of<Io, S>& s)` in namespace crosspoint::json:
//     io.must("part", s.part);             required in a file
//     io.may("name", s.name);              absent in a file: keeps its default; always written
//     io.brief("lanes", s.lanes, 1);       absent: the default; written when it differs
// Optional members are written when they are set. Enumerations are texts, quantities are texts with their unit,
// tables and maps are objects by id. Fields that no description names are kept aside, by the pointer of their object.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "core/base/evidence.hpp"
#include "core/base/id.hpp"
#include "core/base/table.hpp"
#include "core/io/json_enums.hpp"
#include "core/io/json_tree.hpp"
#include "core/units/text.hpp"

namespace crosspoint::json {

/// Members that this version does not know, by the pointer of the object that holds them.
using Unknown = std::map<std::string, std::vector<Member>>;
/// Names that an object may have, by its pointer; collected for error messages.
using Known = std::map<std::string, std::vector<std::string>>;

/// A text being read: where errors are put in place; only the first is kept.
class Source {
public:
    Source(std::string_view text, std::string_view file, const Node& root) : text_(text), file_(file), root_(root) {}
    void fail(const Node& node, const std::string& pointer, ErrorCode code, std::string message, std::string hint = {},
              std::vector<std::string> objects = {});
    /// At the node that `pointer` leads to, or at the deepest one on the way that exists.
    void fail_at(const std::string& pointer, Error error);
    [[nodiscard]] const std::optional<Error>& error() const { return error_; }

    Unknown unknown;
    std::optional<Known> known;  ///< set: collect

private:
    std::string_view text_, file_;
    const Node& root_;
    std::optional<Error> error_;
};

template <class Io, class T>
using Of = std::conditional_t<Io::reading, T, const T>;

template <class T>
struct IsQuantity : std::false_type {};
template <int... D>
struct IsQuantity<Quantity<D...>> : std::true_type {};
template <class T>
struct IsId : std::false_type {};
template <class Tag>
struct IsId<Id<Tag>> : std::true_type {};

// ---- reading ----

void read(Source& source, const Node& node, const std::string& pointer, bool& out);
void read(Source& source, const Node& node, const std::string& pointer, int& out);
void read(Source& source, const Node& node, const std::string& pointer, std::int64_t& out);
void read(Source& source, const Node& node, const std::string& pointer, std::uint64_t& out);
void read(Source& source, const Node& node, const std::string& pointer, double& out);
void read(Source& source, const Node& node, const std::string& pointer, std::string& out);
/// False, with an error, when the node is of another kind.
bool expect(Source& source, const Node& node, const std::string& pointer, Node::Kind kind);
void refuse_quantity(Source& source, const Node& node, const std::string& pointer, const QuantityError& error);
void refuse_choice(Source& source, const Node& node, const std::string& pointer,
                   const std::vector<std::string_view>& names);

/// Reads the fields of one object.
class Reader {
public:
    static constexpr bool reading = true;
    Reader(Source& source, const Node& node, std::string pointer);

    template <class T>
    void must(std::string_view key, T& out);
    template <class T>
    void may(std::string_view key, T& out);
    template <class T>
    void brief(std::string_view key, T& out, const std::type_identity_t<T>& fallback);
    /// An error at this object.
    void fail(std::string message, std::string hint);
    /// Sets the members aside that no call named.
    void finish();

private:
    const Node* take(std::string_view key);

    Source& source_;
    const Node& node_;
    std::string pointer_;
    std::vector<std::string> names_;
};

template <class T>
void read(Source& source, const Node& node, const std::string& pointer, T& out) {
    if constexpr (std::is_enum_v<T>) {
        const bool text = node.kind == Node::Kind::string;
        if (const auto value = text ? enum_from<T>(node.text) : std::nullopt) out = *value;
        else refuse_choice(source, node, pointer, enum_names<T>());
    } else if constexpr (IsQuantity<T>::value) {
        const bool number = node.kind == Node::Kind::number;  // for the message that says which unit is missing
        if (!number && !expect(source, node, pointer, Node::Kind::string)) return;
        const auto parsed = crosspoint::parse<T>(node.text);
        if (parsed) out = *parsed.value;
        else refuse_quantity(source, node, pointer, parsed.error);
    } else if constexpr (IsId<T>::value) {
        read(source, node, pointer, out.value);
    } else if (expect(source, node, pointer, Node::Kind::object)) {
        Reader io(source, node, pointer);
        fields(io, out);
        io.finish();
    }
}

/// `null` stands for an absent value.
template <class T>
void read(Source& source, const Node& node, const std::string& pointer, std::optional<T>& out) {
    out.reset();
    if (node.kind != Node::Kind::null) read(source, node, pointer, out.emplace());
}

template <class T>
void read(Source& source, const Node& node, const std::string& pointer, std::vector<T>& out) {
    if (!expect(source, node, pointer, Node::Kind::array)) return;
    out.clear();
    for (std::size_t i = 0; i < node.items.size(); ++i)
        read(source, node.items[i], child_pointer(pointer, std::to_string(i)), out.emplace_back());
}

template <class T>
void read(Source& source, const Node& node, const std::string& pointer, std::map<std::string, T>& out) {
    if (!expect(source, node, pointer, Node::Kind::object)) return;
    out = {};
    for (const Member& member : node.members)
        read(source, member.value, child_pointer(pointer, member.key), out[member.key]);
}

template <class E, class T>
void read(Source& source, const Node& node, const std::string& pointer, std::map<E, T>& out) {
    if (!expect(source, node, pointer, Node::Kind::object)) return;
    out = {};
    for (const Member& member : node.members) {
        const std::string at = child_pointer(pointer, member.key);
        if (const auto key = enum_from<E>(member.key)) read(source, member.value, at, out[*key]);
        else refuse_choice(source, member.value, at, enum_names<E>());
    }
}

template <class Row>
void read(Source& source, const Node& node, const std::string& pointer, Table<Row>& out) {
    if (!expect(source, node, pointer, Node::Kind::object)) return;
    out = {};
    std::vector<const Member*> sorted;  // appending in order keeps a large table linear
    for (const Member& member : node.members) sorted.push_back(&member);
    std::sort(sorted.begin(), sorted.end(), [](const Member* a, const Member* b) { return a->key < b->key; });
    for (const Member* member : sorted) {
        Row row;
        row.id = typename Table<Row>::Key(member->key);
        read(source, member->value, child_pointer(pointer, member->key), row);
        out.put(std::move(row));
    }
}

/// A plain value stands for a figure that someone entered by hand.
template <class Q>
void read(Source& source, const Node& node, const std::string& pointer, Figure<Q>& out) {
    if (node.kind == Node::Kind::object) {
        Reader io(source, node, pointer);
        fields(io, out);
        io.finish();
        return;
    }
    read(source, node, pointer, out.value);
    out.confidence = Confidence::assumed;
    out.source = "entered by hand";
}

template <class T>
void Reader::must(std::string_view key, T& out) {
    if (const Node* node = take(key)) read(source_, *node, child_pointer(pointer_, key), out);
    else fail("the field '" + std::string(key) + "' is missing", "add it");
}

template <class T>
void Reader::may(std::string_view key, T& out) {
    if (const Node* node = take(key)) read(source_, *node, child_pointer(pointer_, key), out);
}

template <class T>
void Reader::brief(std::string_view key, T& out, const std::type_identity_t<T>& fallback) {
    out = fallback;
    may(key, out);
}

// ---- writing ----

/// Writes the fields of one object.
class Writer {
public:
    static constexpr bool reading = false;
    Writer(const Unknown* unknown, std::string pointer)
        : node_(object_node()), unknown_(unknown), pointer_(std::move(pointer)) {}

    template <class T>
    void must(std::string_view key, const T& value);
    template <class T>
    void may(std::string_view key, const T& value) {
        must(key, value);
    }
    template <class T>
    void may(std::string_view key, const std::optional<T>& value) {
        if (value) must(key, *value);
    }
    template <class T>
    void brief(std::string_view key, const T& value, const std::type_identity_t<T>& fallback) {
        if (!(value == fallback)) must(key, value);
    }
    void fail(const std::string&, const std::string&) {}
    /// The object, with the members set aside for it when it was read.
    Node finish();

private:
    Node node_;
    const Unknown* unknown_;
    std::string pointer_;
};

inline Node to_node(bool value, const Unknown*, const std::string&) { return boolean_node(value); }
inline Node to_node(int value, const Unknown*, const std::string&) { return number_node(std::to_string(value)); }
inline Node to_node(std::int64_t value, const Unknown*, const std::string&) {
    return number_node(std::to_string(value));
}
inline Node to_node(std::uint64_t value, const Unknown*, const std::string&) {
    return number_node(std::to_string(value));
}
inline Node to_node(double value, const Unknown*, const std::string&) { return number_node(shortest(value)); }
inline Node to_node(const std::string& value, const Unknown*, const std::string&) { return string_node(value); }

template <class T>
Node to_node(const T& value, const Unknown* unknown, const std::string& pointer) {
    if constexpr (std::is_enum_v<T>) {
        return string_node(std::string(enum_name(value)));
    } else if constexpr (IsQuantity<T>::value) {
        return string_node(format_exact(value));
    } else if constexpr (IsId<T>::value) {
        return string_node(value.value);
    } else {
        Writer io(unknown, pointer);
        fields(io, value);
        return io.finish();
    }
}

template <class T>
Node to_node(const std::vector<T>& values, const Unknown* unknown, const std::string& pointer) {
    Node node = array_node();
    for (const T& value : values)
        node.items.push_back(to_node(value, unknown, child_pointer(pointer, std::to_string(node.items.size()))));
    return node;
}

template <class K, class T>
Node to_node(const std::map<K, T>& values, const Unknown* unknown, const std::string& pointer) {
    Node node = object_node();
    for (const auto& [key, value] : values) {
        std::string name;
        if constexpr (std::is_enum_v<K>) name = enum_name(key);
        else name = key;
        Node child = to_node(value, unknown, child_pointer(pointer, name));
        put(node, std::move(name), std::move(child));
    }
    return node;
}

template <class Row>
Node to_node(const Table<Row>& rows, const Unknown* unknown, const std::string& pointer) {
    Node node = object_node();
    for (const Row& row : rows) put(node, row.id.value, to_node(row, unknown, child_pointer(pointer, row.id.value)));
    return node;
}

template <class T>
void Writer::must(std::string_view key, const T& value) {
    put(node_, std::string(key), to_node(value, unknown_, child_pointer(pointer_, key)));
}

template <class Io, class Q>
void figure_fields(Io& io, Q& figure) {
    io.must("value", figure.value);
    io.must("confidence", figure.confidence);
    io.must("source", figure.source);
    io.may("scope", figure.scope);
}
template <class Q>
void fields(Reader& io, Figure<Q>& figure) {
    figure_fields(io, figure);
}
template <class Q>
void fields(Writer& io, const Figure<Q>& figure) {
    figure_fields(io, figure);
}

}  // namespace crosspoint::json

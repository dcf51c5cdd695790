// A small document and helpers for the tests of documents.
#pragma once

#include <QtTest>
#include <string>

#include "core/io/builtin.hpp"
#include "core/io/document.hpp"
#include "core/units/text.hpp"

namespace document_support {

using namespace crosspoint;

inline std::shared_ptr<const Catalogue> parts() { return builtin_catalogue().value(); }

inline Result<Document> read(std::string_view text) { return parse_document(text, "test.crosspoint.json", parts()); }

/// A document with `inside` as its further members.
inline std::string with(const std::string& inside) {
    return "{\n  \"schema\": \"crosspoint/document\",\n  \"version\": \"1.0\"" +
           (inside.empty() ? "" : ",\n  " + inside) + "\n}\n";
}

/// One node of eight H100 with NICs and a leaf, and a dense model.
inline std::string small_text() {
    return with(R"("title": "Small",
  "topology": {
    "containers": {"node": {"count": 2, "interconnect": {"part": "nvlink4"}, "kind": "node"}},
    "devices": {
      "gpu": {"parent": "node", "kind": "accelerator", "part": "nvidia-h100-sxm", "count": 8},
      "nic": {"parent": "node", "kind": "nic", "part": "connectx-7-400g", "count": 8},
      "leaf": {"kind": "switch", "part": "quantum-2-ndr-64"}
    },
    "links": {
      "l1": {"a": "gpu", "b": "nic", "part": "pcie-gen5-x16"},
      "l2": {"a": "nic", "b": "leaf", "part": "infiniband-ndr-400g", "latency": "0.2 us"}
    }
  },
  "model": {
    "name": "tiny", "hidden": 1024, "vocabulary": 32000,
    "kinds": [{"attention": {"kind": "grouped", "q_heads": 8, "kv_heads": 8, "head_dim": 128}, "feed_forward": {"width": 4096}}],
    "layers": [{"kind": 0, "count": 4}]
  },
  "thresholds": {"cross-domain.attention": 0.25},
  "workload": {"batch": 64})");
}

/// The error of reading `text`; fails the test when it is read.
inline Error error_of(const std::string& text) {
    const auto document = read(text);
    if (document) QTest::qFail("the document was read", __FILE__, __LINE__);
    return document ? Error{} : document.error();
}

inline std::string replaced(std::string text, const std::string& what, const std::string& by) {
    const auto at = text.find(what);
    if (at == std::string::npos) {
        QTest::qFail(("not in the text: " + what).c_str(), __FILE__, __LINE__);
        return text;
    }
    return text.replace(at, what.size(), by);
}

}  // namespace document_support

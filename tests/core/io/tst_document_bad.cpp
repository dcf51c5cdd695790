// What a broken document says: every message has its place and a mend.
#include <QtTest>

#include "document_support.hpp"

using namespace document_support;

namespace {

struct Bad {
    const char* name;
    std::string text;
    ErrorCode code;
    const char* pointer;
    int line, column;
    const char* message;  ///< part of it
};

std::string topology(const std::string& inside) { return with("\"topology\": {" + inside + "}"); }

const std::vector<Bad>& cases() {
    using enum ErrorCode;
    static const std::vector<Bad> all{
        {"empty", "", syntax, "", 1, 1, "the text ends where a value is expected"},
        {"blank", " \n ", syntax, "", 2, 2, "the text ends where a value is expected"},
        {"a list", "[]", schema, "", 1, 1, "expected an object, got a list"},
        {"another format", "{\"model_type\": \"llama\"}", schema, "", 1, 1,
         "this is a model configuration (config.json), not a Crosspoint document"},
        {"a log", "# nThread 1 nGpus 8 minBytes 8\n", schema, "", 1, 1, "this is an nccl-tests log, not a Crosspoint"},
        {"another program's JSON", "{\"networks\": [], \"matrix\": {}, \"mem1\": {}}", schema, "", 1, 1,
         "this is a Calculon system, not a Crosspoint document"},
        {"numbers in lines", "64 8 1\n0 1 2\n", schema, "", 1, 1, "this is a text of another kind, not a Crosspoint"},
        {"JSON of nobody", "{\"a\": 1}", schema, "", 1, 1, "this is not a Crosspoint document"},
        {"other schema", "{\"schema\": \"x\"}", schema, "/schema", 1, 12, "this is not a Crosspoint document"},
        {"no version", "{\"schema\": \"crosspoint/document\"}", schema, "", 1, 1, "the field 'version' is missing"},
        {"odd version", "{\"schema\": \"crosspoint/document\", \"version\": \"one\"}", schema, "/version", 1, 46,
         "'one' is not a version"},
        {"old version", "{\"schema\": \"crosspoint/document\", \"version\": \"0.9\"}", version, "/version", 1, 46,
         "document version 0.9 was never released"},
        {"text after", with("") + "x", syntax, "", 5, 1, "there is more text after the end"},
        {"comma missing", "{\"schema\": \"crosspoint/document\"\n\"version\": \"1.0\"}", syntax, "", 2, 1,
         "',' or '}' is expected"},
        {"comma too many", "{\"schema\": \"crosspoint/document\",}", syntax, "", 1, 34,
         "a key in double quotes is expected"},
        {"colon missing", "{\"schema\" 1}", syntax, "", 1, 11, "':' is expected after the key 'schema'"},
        {"not a number", with("\"workload\": {\"expert_cv\": NaN}"), syntax, "/workload/expert_cv", 4, 29,
         "NaN is not a number that a file can hold"},
        {"infinity", with("\"workload\": {\"expert_cv\": -Infinity}"), syntax, "/workload/expert_cv", 4, 30,
         "Infinity is not a number that a file can hold"},
        {"huge number", with("\"workload\": {\"expert_cv\": 1e999}"), syntax, "/workload/expert_cv", 4, 29,
         "the number 1e999 cannot be stored"},
        {"leading zero", with("\"workload\": {\"batch\": 012}"), syntax, "/workload/batch", 4, 25,
         "this is not a number"},
        {"control character", with("\"title\": \"a\nb\""), syntax, "/title", 4, 14,
         "a line break or control character"},
        {"bad escape", with("\"title\": \"\\x\""), syntax, "/title", 4, 13, "an escape in a text is not valid"},
        {"half a surrogate", with("\"title\": \"\\ud800\""), syntax, "/title", 4, 13,
         "an escape in a text is not valid"},
        {"invalid UTF-8", with("\"title\": \"\xC3(\""), syntax, "", 4, 13, "byte 0xC3 is not valid UTF-8"},
        {"overlong UTF-8", with("\"title\": \"\xC0\xAF\""), syntax, "", 4, 13, "byte 0xC0 is not valid UTF-8"},
        {"UTF-16", std::string("\xFF\xFE{\0}\0", 6), syntax, "", 1, 1, "the file is UTF-16"},
        {"key twice", with("\"title\": \"a\",\n  \"title\": \"b\""), syntax, "/title", 5, 3,
         "the key 'title' occurs twice"},
        {"key twice, escaped", with("\"workload\": {\"batch\": 1, \"\\u0062atch\": 2}"), syntax, "/workload/batch", 4,
         28, "the key 'batch' occurs twice"},
        {"text for a number", with("\"workload\": {\"batch\": \"64\"}"), schema, "/workload/batch", 4, 25,
         "expected a number, got a text"},
        {"half a sequence", with("\"workload\": {\"batch\": 1.5}"), schema, "/workload/batch", 4, 25,
         "expected a whole number, got 1.5"},
        {"batch of 1e30", with("\"workload\": {\"batch\": 1e30}"), invalid_value, "/workload/batch", 4, 25,
         "1e30 is too large for a whole number"},
        {"batch of 0", with("\"workload\": {\"batch\": 0}"), invalid_value, "/workload/batch", 4, 25,
         "the batch cannot be 0"},
        {"unknown phase", with("\"workload\": {\"phase\": \"train\"}"), schema, "/workload/phase", 4, 25,
         "expected one of decode, prefill, training, got 'train'"},
        {"bare bandwidth",
         topology("\"links\": {\"l\": {\"a\": \"x\", \"b\": \"y\", \"part\": \"p\", \"bandwidth\": 400}}"), schema,
         "/topology/links/l/bandwidth", 4, 78, "got a number without a unit"},
        {"wrong dimension", with("\"targets\": {\"inter_token\": \"20 GB/s\"}"), schema, "/targets/inter_token", 4, 30,
         "expected a time such as"},
        {"negative price", with("\"prices\": {\"accelerator\": \"-$1 /h\"}"), schema, "/prices/accelerator", 4, 29,
         "cannot be negative"},
        {"target of 0", with("\"targets\": {\"inter_token\": \"0 ms\"}"), invalid_value, "/targets", 4, 14,
         "the inter-token target cannot be 0"},
        {"degree of 0", with("\"layout\": {\"tensor\": 0}"), invalid_value, "/layout", 4, 13,
         "the tensor degree cannot be 0"},
        {"placement of 3", with("\"placement\": {\"order\": [\"tensor\", \"pipeline\", \"replica\"]}"), schema,
         "/placement", 4, 16, "the placement order has 3 entries"},
        {"placement twice", with("\"placement\": {\"order\": [\"tensor\", \"tensor\", \"pipeline\", \"replica\"]}"),
         invalid_value, "/placement/order", 4, 26, "does not name every dimension once"},
        {"no part", topology("\"devices\": {\"gpu\": {\"kind\": \"accelerator\"}}"), schema, "/topology/devices/gpu", 4,
         35, "the field 'part' is missing"},
        {"dangling link", topology("\"links\": {\"l\": {\"a\": \"x\", \"b\": \"y\", \"part\": \"p\"}}"), reference,
         "/topology/links/l", 4, 31, "link 'l' ends at 'x', which does not exist"},
        {"parent missing",
         topology("\"devices\": {\"gpu\": {\"kind\": \"accelerator\", \"part\": \"p\", \"parent\": \"no\"}}"),
         reference, "/topology/devices/gpu", 4, 35, "no"},
        {"contained in each other",
         topology("\"containers\": {\"a\": {\"parent\": \"b\"}, \"b\": {\"parent\": \"a\"}}"), reference,
         "/topology/containers/a", 4, 36, "a"},
        {"contained in itself", topology("\"containers\": {\"a\": {\"parent\": \"a\"}}"), reference,
         "/topology/containers/a", 4, 36, "a"},
        {"count of 1e30", topology("\"containers\": {\"a\": {\"count\": 1e30}}"), invalid_value,
         "/topology/containers/a/count", 4, 46, "1e30 is too large"},
        {"count of 0", topology("\"containers\": {\"a\": {\"count\": 0}}"), invalid_value, "/topology/containers/a", 4,
         36, "0"},
        {"planes of 1e12", topology("\"containers\": {\"a\": {\"interconnect\": {\"part\": \"p\", \"planes\": 1e12}}}"),
         invalid_value, "/topology/containers/a/interconnect/planes", 4, 77, "1000000000000 is too large here"},
        {"negative next id", topology("\"next_id\": -1"), invalid_value, "/topology/next_id", 4, 27,
         "cannot be negative"},
        {"layers without end", replaced(small_text(), "\"count\": 4", "\"count\": 1e12"), schema, "/model", 17, 12,
         "a run of 1000000000000 layers is not possible"},
        {"layer kind missing", replaced(small_text(), "{\"kind\": 0, \"count\": 4}", "{\"kind\": 7, \"count\": 4}"),
         invalid_value, "/model", 17, 12, "7"},
        {"part without source",
         with("\"parts\": {\"hosts\": {\"h\": {\"name\": \"h\", \"hop\": {\"value\": \"1 us\", "
              "\"confidence\": \"measured\", \"source\": \"\"}}}}"),
         invalid_value, "/parts/hosts/h/hop", 4, 49, "has no source"},
    };
    return all;
}

}  // namespace

class TestDocumentBad : public QObject {
    Q_OBJECT

private slots:
    void refused_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < cases().size(); ++i) QTest::newRow(cases()[i].name) << int(i);
    }
    void refused() {
        QFETCH(int, index);
        const Bad& bad = cases()[std::size_t(index)];
        const Error error = error_of(bad.text);
        const std::string shown = describe(error);
        QVERIFY2(error.message.find(bad.message) != std::string::npos, shown.c_str());
        QCOMPARE(error.pointer, std::string(bad.pointer));
        QVERIFY2(error.line == bad.line && error.column == bad.column, shown.c_str());
        QVERIFY2(error.code == bad.code, shown.c_str());
        QCOMPARE(error.file, std::string("test.crosspoint.json"));
        QVERIFY2(!error.hint.empty() || error.message.starts_with("expected "), shown.c_str());
    }

    void bareNumberHintsAtUnits() {
        const Error error = error_of(with("\"targets\": {\"inter_token\": 20}"));
        QCOMPARE(error.message, std::string("expected a time such as '5 us' or '1.2 ms', got a number without a unit"));
        QCOMPARE(error.hint, std::string("quantities are texts with a unit: write '5 us' or '1.2 ms'"));
    }

    void columnsCountCharacters() {
        const Error error = error_of(with("\"title\": \"\xC3\xA9\xE2\x82\xAC\", \"notes\": 1"));
        QCOMPARE(error.line, 4);
        QCOMPARE(error.column, 27);  // "title": "é€", "notes": 1
    }

    void truncatedAnywhere() {
        const std::string text = small_text();
        for (std::size_t length = 0; length + 2 < text.size(); length += 50) {
            const Error error = error_of(text.substr(0, length));
            QVERIFY2(error.code == ErrorCode::syntax, describe(error).c_str());
            QVERIFY2(error.line > 0 && error.column > 0, describe(error).c_str());
            QVERIFY2(error.message.find("the text ends") == 0 || error.message == "a text is not closed",
                     describe(error).c_str());
        }
    }

    void aBillionOfEachIsOnlyACount() {
        const auto document = read(topology("\"containers\": {\"a\": {\"count\": 1e9}}"));
        QVERIFY2(document, document ? "" : describe(document.error()).c_str());
        QCOMPARE(document->scenario.topology->containers.find(ContainerId("a"))->count, std::int64_t{1000000000});
    }

    void deepNestingIsRefused() {
        const Error error = error_of(std::string(10000, '['));
        QCOMPARE(error.message, std::string("lists and objects are nested more than 64 deep"));
        QCOMPARE(error.column, 65);
        std::string objects;
        for (int i = 0; i < 10000; ++i) objects += "{\"a\":";
        QCOMPARE(error_of(objects).message, std::string("lists and objects are nested more than 64 deep"));
    }

    void unknownFieldsMayNestToTheLimit() {
        const std::string deep = "\"x\": " + std::string(63, '[') + std::string(63, ']');
        QVERIFY(read(with(deep)));
    }

    void largeFilesAreRefused() {
        const std::string text(std::size_t{70} << 20U, ' ');
        const Error error = error_of(text);
        QCOMPARE(error.message, std::string("the file has 73400320 bytes, the limit is 64 MiB"));
        const QTemporaryDir folder;
        const std::string path = folder.filePath("large.json").toStdString();
        QVERIFY(write_file(path, text));
        const auto loaded = load_document(path, parts());
        QVERIFY(!loaded);
        QCOMPARE(loaded.error().message, "'" + path + "' is larger than 64 MiB");
    }

    void tooManyValuesAreRefused() {
        std::string text = "[";
        for (int i = 0; i < 2'000'001; ++i) text += "0,";
        QCOMPARE(error_of(text + "0]").message, std::string("there are more than 2000000 values"));
    }

    void everyByteChangedIsReadOrRefused() {
        const std::string text = small_text();
        for (std::size_t at = 0; at < text.size(); at += 7) {
            for (const char c : {'\0', '"', '{', '9', '\xFF'}) {
                std::string changed = text;
                changed[at] = c;
                const auto document = read(changed);
                if (!document) QVERIFY(!document.error().message.empty() && document.error().line > 0);
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestDocumentBad)
#include "tst_document_bad.moc"

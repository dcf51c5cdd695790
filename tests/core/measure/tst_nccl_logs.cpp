// nccl-tests and rccl-tests, text and JSON: layouts by age and what pasting does to them.
#include "logs.hpp"

using namespace crosspoint;
using logs::any;
using logs::read;
using logs::refused;

class TestNcclLogs : public QObject {
    Q_OBJECT
private slots:
    void currentLayout();
    void oldLayoutWithoutRoot();
    void rootIsNotTime();
    void prefixes_data();
    void prefixes();
    void lostHashesAndCodes();
    void elidedRanks();
    void severalTables();
    void interleavedSingleRanks();
    void failedRuns();
    void optionalColumns();
    void blankBlock();
    void handMadeTable();
    void exponents();
    void missingRowsAreNoticed();
    void operationFromRows_data();
    void operationFromRows();
    void commandLineNamesTheOperation();
    void rcclText();
    void json();
    void jsonKeepsNoEnvironment();
    void jsonNotClosed();
    void rcclJson();
    void otherFilesAreNamed();
};

namespace {

const char* current = R"(# nccl-tests version 2.17.6 nccl-headers=22807 nccl-library=22807
# Collective test starting: all_reduce_perf
# nThread 1 nGpus 1 minBytes 1048576 maxBytes 4194304 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1 validation: 1 graph: 0
#
# Using devices
#  Rank  0 Group  0 Pid 41 on alpha device  0 [0000:1b:00] NVIDIA H100 80GB HBM3
#  Rank  1 Group  0 Pid 42 on beta device  0 [0000:1b:00] NVIDIA H100 80GB HBM3
#  Rank  2 Group  0 Pid 43 on alpha device  1 [0000:43:00] NVIDIA H100 80GB HBM3
#  Rank  3 Group  0 Pid 44 on beta device  1 [0000:43:00] NVIDIA H100 80GB HBM3
#
#                                                              out-of-place                       in-place
#       size         count      type   redop    root     time   algbw   busbw  #wrong     time   algbw   busbw  #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)             (us)  (GB/s)  (GB/s)
     1048576        262144     float     sum      -1    52.40   20.01   30.02       0    53.00   19.78   29.68       0
     2097152        524288     float     sum      -1    74.90   28.00   42.00       0    75.10   27.92   41.89       0
     4194304       1048576     float     sum      -1   120.10   34.92   52.38       0   121.00   34.66   52.00     N/A
# Out of bounds values : 0 OK
# Avg bus bandwidth    : 41.3283
#
# Collective test concluded: all_reduce_perf
)";

std::string rows_only(const std::string& rows) {
    return "#       size         count      type   redop    root     time   algbw   busbw  #wrong     time   algbw   "
           "busbw  "
           "#wrong\n" +
           rows;
}

}  // namespace

void TestNcclLogs::currentLayout() {
    const auto log = read(current);
    QCOMPARE(log.format, LogFormat::nccl_tests);
    QCOMPARE(log.tables.size(), std::size_t(1));
    const MeasuredTable& t = log.tables[0];
    QCOMPARE(t.operation, CollectiveOp::all_reduce);
    QCOMPARE(t.title, std::string("all_reduce_perf"));
    QCOMPARE(t.ranks, std::int64_t(4));
    QCOMPARE(t.nodes, std::int64_t(2));
    QCOMPARE(t.device, std::string("NVIDIA H100 80GB HBM3"));
    QCOMPARE(t.rows.size(), std::size_t(3));
    QCOMPARE(t.rows[2].size, Bytes(4194304));
    QCOMPARE(t.rows[2].line, 16);
    QCOMPARE(t.rows[2].out_of_place->time.si(), 120.10e-6);
    QCOMPARE(t.rows[2].in_place->time.si(), 121.00e-6);
    QCOMPARE(t.rows[2].in_place->bus_bandwidth->si(), 52.00e9);
    QVERIFY(t.warnings.empty());
    QVERIFY(any(t.ignored, "average bus bandwidth 41.3283"));
}

void TestNcclLogs::oldLayoutWithoutRoot() {
    const auto log = read(
        R"(#       size         count    type   redop     time   algbw   busbw  error     time   algbw   busbw  error
           0             0   float     sum    35.20    0.00    0.00    N/A    34.05    0.00    0.00    N/A
           4             1   float     sum    34.73    0.00    0.00  1e-06    35.30    0.00    0.00  1e-06
  1073741824     268435456   float     sum   8159.0  131.60  230.31  1e-06   8160.0  131.58  230.27  1e-06
)");
    const MeasuredTable& t = log.first();
    QCOMPARE(t.rows.size(), std::size_t(3));
    QCOMPARE(t.operation, CollectiveOp::all_reduce);
    QCOMPARE(t.ranks, std::int64_t(8));  // from 2 / (2 - 1.75)
    QVERIFY(t.warnings.empty());         // an error of 1e-06 is no wrong value
}

void TestNcclLogs::rootIsNotTime() {
    // Old layouts print the root alone for broadcast: counted from the left it would be the time.
    const auto log = read(
        R"(#       size         count    type    root     time   algbw   busbw  error     time   algbw   busbw  error
    1048576        262144   float       0    40.00   26.21   26.21  0e+00    41.00   25.58   25.58  0e+00
)");
    QCOMPARE(log.first().rows[0].out_of_place->time.si(), 40e-6);
    QCOMPARE(log.first().operation, CollectiveOp::broadcast);
}

void TestNcclLogs::prefixes_data() {
    QTest::addColumn<QString>("prefix");
    QTest::addColumn<QString>("middle");
    QTest::newRow("Open MPI") << "[1,0]<stdout>:"
                              << "";
    QTest::newRow("Open MPI with a blank") << "[1,12]<stdout>: "
                                           << "";
    QTest::newRow("srun --label") << "0: "
                                  << "";
    QTest::newRow("srun --label in mid-row") << "0: "
                                             << "3: ";
    QTest::newRow("bracket") << "[0] "
                             << "[0] ";
    QTest::newRow("quoted mail") << "> > "
                                 << "";
    QTest::newRow("indented") << "    "
                              << "";
}

void TestNcclLogs::prefixes() {
    QFETCH(QString, prefix);
    QFETCH(QString, middle);
    std::string text;
    for (QString line : QString(current).split('\n')) {
        if (line.contains("float")) line.replace("float", middle + "float");
        text += (prefix + line + "\r\n").toStdString();
    }
    const auto plain = read(current), log = read(text);
    QCOMPARE(log.tables.size(), std::size_t(1));
    QCOMPARE(log.tables[0].rows, plain.tables[0].rows);
    QCOMPARE(log.tables[0].ranks, plain.tables[0].ranks);
    QCOMPARE(log.tables[0].operation, plain.tables[0].operation);
}

void TestNcclLogs::lostHashesAndCodes() {
    std::string text = QString(current).remove('#').replace("1048576  ", "\x1b[1;32m1048576\x1b[0m  ").toStdString();
    const auto log = read("\xef\xbb\xbf" + text);
    QCOMPARE(log.tables.size(), std::size_t(1));
    QCOMPARE(log.tables[0].rows.size(), std::size_t(3));
    QCOMPARE(log.tables[0].rows[0].size, Bytes(1048576));
    QCOMPARE(log.tables[0].ranks, std::int64_t(4));
}

void TestNcclLogs::elidedRanks() {
    const auto log = read(R"(# nThread 1 nGpus 1 minBytes 8 maxBytes 16 step: 2(factor)
#  Rank  0 Group  0 Pid 1 on a device  0 [0x1b] NVIDIA H100
...
#  Rank 71 Group  0 Pid 9 on i device  7 [0xdf] NVIDIA H100
)" + rows_only("8 2 float sum -1 40.00 0.00 0.00 0 40.00 0.00 0.00 0\n16 4 float sum -1 40.00 0.00 0.00 0 40.00 0.00 "
               "0.00 0\n"));
    QCOMPARE(log.first().ranks, std::int64_t(72));
}

void TestNcclLogs::severalTables() {
    const std::string second = QString(current)
                                   .replace("all_reduce", "all_gather")
                                   .replace("sum", "none")
                                   .replace("262144 ", "65536 ")
                                   .toStdString();
    const auto log = read(std::string(current) + "\n" + second);
    QCOMPARE(log.tables.size(), std::size_t(2));
    QCOMPARE(log.tables[0].operation, CollectiveOp::all_reduce);
    QCOMPARE(log.tables[1].operation, CollectiveOp::all_gather);
    QCOMPARE(log.tables[1].rows.size(), std::size_t(3));
}

void TestNcclLogs::interleavedSingleRanks() {
    std::string text;
    for (int i = 0; i < 4; ++i) text += "# nThread 1 nGpus 1 minBytes 8 maxBytes 8 step: 2(factor)\n# Using devices\n";
    for (int i = 0; i < 4; ++i) text += "#   Rank  0 Pid 1 on a device  0 [0x00] A100\n";
    for (int i = 0; i < 4; ++i) text += "  1048576  262144 float sum 12.00 87.38 0.00 0e+00 0.50 2097.15 0.00 0e+00\n";
    const auto log = read(text);
    QCOMPARE(log.tables.size(), std::size_t(1));
    QCOMPARE(log.first().ranks, std::int64_t(1));
    QVERIFY(any(log.first().warnings, "4 independent runs of one rank"));
    QVERIFY(fit_table(log.first()).refused.find("one rank") != std::string::npos);
}

void TestNcclLogs::failedRuns() {
    const std::string head = QString(current).section("   1048576", 0, 0).toStdString();
    const Error failed = refused(head + "beta: Test NCCL failure alltoall.cu:274 'remote process exited'\n");
    QVERIFY(failed.message.find("no measurement") != std::string::npos);
    QVERIFY(failed.message.find("alltoall.cu:274") != std::string::npos);
    QCOMPARE(failed.file, std::string("log"));
    QVERIFY(failed.line > 0);
    QVERIFY(refused(head).message.find("ends before the first row") != std::string::npos);
    // One that failed and one that did not: the second is kept, and the first is not zero but absent.
    const auto log = read(head + "beta: Test NCCL failure alltoall.cu:274 'x'\n" + current);
    QCOMPARE(log.tables.size(), std::size_t(2));
    QVERIFY(log.tables[0].rows.empty() && any(log.tables[0].warnings, "No measurement"));
    QCOMPARE(&log.first(), &log.tables[1]);
}

void TestNcclLogs::optionalColumns() {
    const auto stamped =
        read(rows_only("1048576 262144 float sum -1 52.40 20.01 30.02 0 53.00 19.78 29.68 N/A 2025-01-31 12:30:05\n"));
    QCOMPARE(stamped.first().rows[0].in_place->time.si(), 53e-6);
    const auto spread = read(
        "# size count type redop root time algbw busbw #wrong i_min i_max i_p99 i_cv% time algbw busbw #wrong i_min "
        "i_max "
        "i_p99 i_cv%\n1048576 262144 float sum -1 52.40 20.01 30.02 0 50 60 59 2.1 53.00 19.78 29.68 0 51 61 60 2.2\n");
    QCOMPARE(spread.first().rows[0].out_of_place->time.si(), 52.4e-6);
    QCOMPARE(spread.first().rows[0].in_place->time.si(), 53e-6);
    const auto cpu = read(
        "# size count type redop root cputime algbw busbw #wrong cputime algbw busbw #wrong\n"
        "1048576 262144 float sum -1 52.40 20.01 30.02 0 53.00 19.78 29.68 3\n");
    QVERIFY(any(cpu.first().warnings, "CPU"));
    QVERIFY(any(cpu.first().warnings, "3 values were wrong"));
}

void TestNcclLogs::blankBlock() {
    const auto log =
        read(rows_only("1048576 262144 float sum -1                              53.00 19.78 29.68 N/A\n"));
    QVERIFY(!log.first().rows[0].out_of_place);
    QCOMPARE(log.first().rows[0].in_place->time.si(), 53e-6);
    QCOMPARE(fit_table(log.first()).block, Block::in_place);
}

void TestNcclLogs::handMadeTable() {
    const auto log = read("1048576 262144 float sum -1 52.40 20.01 30.02 0\n2097152 524288 float sum -1 74.90\n");
    QCOMPARE(log.first().rows.size(), std::size_t(1));
    QCOMPARE(log.first().rows[0].out_of_place->time.si(), 52.4e-6);
    QVERIFY(any(log.first().warnings, "Line 2: a row that is cut"));
}

void TestNcclLogs::exponents() {
    const auto log =
        read(rows_only("8589934592 1073741824 double sum -1 4296406 2.00 2.00 0 4132695 2.08 2.08 N/A\n"
                       "17179869184 2147483648 double sum -1 1.6e+07 1.09 1.09 0 1.7e+07 1.03 1.03 N/A\n"));
    QCOMPARE(log.first().rows[1].out_of_place->time.si(), 16.0);
    // 1.6e+07 has two digits; 17179869184 / 1.09e9 is the better time.
    const Fit fit = fit_table(log.first());
    QVERIFY(logs::near(fit.points[1].measured.si(), 15.761, 1e-4));
}

void TestNcclLogs::missingRowsAreNoticed() {
    const auto log = read(
        QString(current).replace("41.3283", "273.9").replace("maxBytes 4194304", "maxBytes 1048576").toStdString());
    QVERIFY(any(log.first().warnings, "rows are missing or edited"));
    QVERIFY(any(log.first().warnings, "the rows end at 4.00 MiB"));
}

void TestNcclLogs::operationFromRows_data() {
    QTest::addColumn<QString>("row");
    QTest::addColumn<int>("choices");
    QTest::addColumn<int>("operation");
    QTest::addColumn<int>("ranks");
    const auto op = [](CollectiveOp o) { return int(o); };
    QTest::newRow("reduce-scatter") << "33554432 1048576 float sum -1 100.00 335.54 293.60 0" << 0
                                    << op(CollectiveOp::reduce_scatter) << 8;
    QTest::newRow("all-reduce of 80") << "1073741824 268435456 float sum -1 6000.0 178.96 353.44 0" << 0
                                      << op(CollectiveOp::all_reduce) << 80;
    QTest::newRow("gather or exchange") << "33554400 419430 double none -1 700.00 47.93 43.14 0" << 2 << -1 << 10;
    QTest::newRow("two ranks") << "33554432 8388608 float sum -1 2500.0 13.42 13.42 0" << 2 << -1 << 2;
    QTest::newRow("broadcast") << "33554432 8388608 float none 0 250.00 134.22 134.22 0" << 0
                               << op(CollectiveOp::broadcast) << -1;
    QTest::newRow("reduce") << "33554432 8388608 float sum 0 250.00 134.22 134.22 0" << 0 << op(CollectiveOp::reduce)
                            << -1;
}

void TestNcclLogs::operationFromRows() {
    QFETCH(QString, row);
    QFETCH(int, choices);
    QFETCH(int, operation);
    QFETCH(int, ranks);
    const MeasuredTable t = read(row.toStdString() + "\n").first();
    QCOMPARE(int(t.choices.size()), choices);
    QCOMPARE(t.operation ? int(*t.operation) : -1, operation);
    QCOMPARE(t.ranks ? int(*t.ranks) : -1, ranks);
}

void TestNcclLogs::commandLineNamesTheOperation() {
    const auto log = read(
        "+ srun --mpi=pmix ./build/alltoall_perf -b 2K -e 8K\n"
        "# nThread 8 nGpus 1 minBytes 2048 maxBytes 8192 step: 2(factor)\n" +
        rows_only("2048 64 uint32 none -1 12.96 0.16 0.14 0 13.10 0.16 0.14 N/A\n"));
    QCOMPARE(log.first().operation, CollectiveOp::all_to_all);
    QCOMPARE(log.first().ranks, std::int64_t(8));
}

void TestNcclLogs::rcclText() {
    const auto log = read(
        "rccl-tests: Version :+\nRCCL version : 2.22.3\n# nThread 1 nGpus 2 minBytes 8 maxBytes 8\n"
        "#   Rank  0 Pid 7 on host device  0 [0000:63:00.0] AMD Instinct MI300X\n"
        "#   Rank  1 Pid 7 on host device  1 [0000:83:00.0] AMD Instinct MI300X\n" +
        rows_only("1048576 262144 float sum -1 52.40 20.01 20.01 0 53.00 19.78 19.78 0\n"));
    QCOMPARE(log.format, LogFormat::rccl_tests);
    QCOMPARE(log.first().ranks, std::int64_t(2));
    QCOMPARE(log.first().device, std::string("AMD Instinct MI300X"));
}

namespace {
const char* nccl_json = R"({"version": 3, "start_time": "x", "args": ["./build/all_reduce_perf", "-b", "1M"],
 "env": ["SECRET_TOKEN=hunter2", "HOME=/root"], "nccl_version": "22807",
 "config": {"nthreads": 1, "devices": [{"rank": 0, "device": "H100"}, {"rank": 3, "device": "H100"}]},
 "results": [
 {"size": 1048576, "count": 262144, "type": "float", "redop": "sum", "root": "    -1",
  "out_of_place": {"time": 52.4, "alg_bw": 20.01, "bus_bw": 30.02, "nwrong": null},
  "in_place": {"time": "nan", "alg_bw": nan, "bus_bw": -inf, "nwrong": "0"}},
 {"size": 2097152, "count": 524288, "type": "float", "redop": "sum", "root": "    -1",
  "out_of_place": null, "in_place": {"cpu_time": "75.1", "alg_bw": 27.92, "bus_bw": 41.89}}],
 "out_of_bounds": {"count": "0", "okay": "true"}, "average_bus_bandwidth": {"bandwidth": 36.0, "okay": "unchecked"}})";
}

void TestNcclLogs::json() {
    const auto log = read(nccl_json);
    QCOMPARE(log.format, LogFormat::nccl_tests_json);
    const MeasuredTable& t = log.first();
    QCOMPARE(t.operation, CollectiveOp::all_reduce);
    QCOMPARE(t.ranks, std::int64_t(4));
    QCOMPARE(t.rows.size(), std::size_t(2));
    QCOMPARE(t.rows[0].out_of_place->time.si(), 52.4e-6);
    QVERIFY(!t.rows[0].in_place);
    QVERIFY(!t.rows[1].out_of_place);
    QCOMPARE(t.rows[1].in_place->time.si(), 75.1e-6);
    QVERIFY(any(t.warnings, "2 values are nan or inf"));
}

void TestNcclLogs::jsonKeepsNoEnvironment() {
    const MeasuredTable t = read(nccl_json).first();
    QVERIFY(any(t.ignored, "environment variables, not kept"));
    for (const auto* list : {&t.ignored, &t.warnings}) QVERIFY(!any(*list, "hunter2"));
    const auto text = read("SECRET_TOKEN=hunter2\nexport NCCL_DEBUG=INFO\n" + std::string(current)).first();
    QVERIFY(any(text.ignored, "environment variables, not kept (2 lines)"));
    QVERIFY(!any(text.ignored, "hunter2"));
}

void TestNcclLogs::jsonNotClosed() {
    const std::string text(nccl_json);
    const auto log = read(text.substr(0, text.find("\"cpu_time\"")));
    QCOMPARE(log.first().rows.size(), std::size_t(1));
    QVERIFY(any(log.first().warnings, "not closed"));
}

void TestNcclLogs::rcclJson() {
    const auto log =
        read(R"([{"numCycle": 0, "name": "AllReduce", "nodes": 1, "ranks": 8, "size": 1048576, "type": "float",
 "redop": "sum", "inPlace": 0, "time": 52.4, "algBw": 20.01, "busBw": 35.02, "wrong": "0"},
 {"numCycle": 0, "name": "AllReduce", "nodes": 1, "ranks": 8, "size": 1048576, "type": "float",
 "redop": "sum", "inPlace": 1, "time": 53.0, "algBw": inf, "busBw": -nan, "wrong": "N/A"}])");
    QCOMPARE(log.format, LogFormat::rccl_tests_json);
    QCOMPARE(log.first().rows.size(), std::size_t(1));
    QCOMPARE(log.first().rows[0].in_place->time.si(), 53e-6);
    QVERIFY(!log.first().rows[0].in_place->algorithm_bandwidth);
    QCOMPARE(log.first().ranks, std::int64_t(8));
}

void TestNcclLogs::otherFilesAreNamed() {
    const auto says = [](const char* text, const char* what) {
        const Error e = refused(text);
        return e.code == ErrorCode::syntax && e.line == 1 && e.message.find(what) != std::string::npos;
    };
    QVERIFY(says("", "an empty text"));
    QVERIFY(says("<system version=\"1\">", "an NCCL topology"));
    QVERIFY(says("{\"model_type\": \"llama\"}", "a model configuration"));
    QVERIFY(says("{\"request_throughput\": 3}", "serving benchmark"));
    QVERIFY(says("hello world\n1 2 3\n", "no log that is known here"));
    QVERIFY(refused("{\"nccl_version\": [[[[").message.size() > 0);
    QVERIFY(refused("{\"nccl_version\": " + std::string(100, '[')).message.find("deeper") != std::string::npos);
}

QTEST_APPLESS_MAIN(TestNcclLogs)
#include "tst_nccl_logs.moc"

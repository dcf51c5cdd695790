// OSU, IMB, perftest, nvbandwidth, ucc_perftest and DeepEP.
#include "logs.hpp"

using namespace crosspoint;
using logs::any;
using logs::near;
using logs::read;

class TestOtherLogs : public QObject {
    Q_OBJECT
private slots:
    void osuCollective();
    void osuPairs();
    void imb();
    void imbBarrier();
    void perftestBandwidth();
    void perftestLatency();
    void nvbandwidth();
    void nvbandwidthJson();
    void ucc();
    void deepepLowLatency();
    void deepepNormal();
};

void TestOtherLogs::osuCollective() {
    const auto log = read(R"([0] MPI startup(): Rank    Pid      Node name       Pin cpu
[0] MPI startup(): 0       29790    node-0  {0,4}
[0] MPI startup(): 3       29791    node-1  {1,5}
[0] MPI startup(): I_MPI_HYDRA_UUID=58740000

# OSU MPI Allgather Latency Test v5.7.1
# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations
4                     64.64             63.88             65.36        1000
8                     65.85             63.51             64.07        1000
)");
    const MeasuredTable& t = log.first();
    QCOMPARE(log.format, LogFormat::osu);
    QCOMPARE(t.operation, CollectiveOp::all_gather);
    QCOMPARE(t.ranks, std::int64_t(4));
    QCOMPARE(t.rows[0].printed, Bytes(4));
    QCOMPARE(t.rows[0].size, Bytes(16));  // four ranks of 4 B
    QCOMPARE(t.rows[0].out_of_place->time.si(), 64.64e-6);
    QVERIFY(any(t.ignored, "environment variables, not kept"));
}

void TestOtherLogs::osuPairs() {
    const auto log = read(
        "# OSU MPI Multiple Bandwidth / Message Rate Test v5.7.1\n# [ pairs: 4 ] [ window size: 64 ]\n"
        "# Size                  MB/s        Messages/s\n4 126.43 31608531.76\n4194304 48000.0 11444.1\n");
    const MeasuredTable& t = log.first();
    QVERIFY(t.throughput);
    QCOMPARE(t.rows[1].out_of_place->algorithm_bandwidth->si(), 12e9);  // of one pair, MB = 10^6
    QVERIFY(!fit_table(t).alpha);
    const auto both =
        read("# OSU MPI Bi-Directional Bandwidth Test v7.3\n# Size      Bandwidth (MB/s)\n4194304 24000.0\n");
    QCOMPARE(both.first().rows[0].out_of_place->algorithm_bandwidth->si(), 12e9);
}

void TestOtherLogs::imb() {
    const auto log = read(R"(#    Intel(R) MPI Benchmarks 2019 Update 6, MPI-1 part
# Benchmarking Allreduce
# #processes = 8
#----------------------------------------------------------------
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
          512         1000        30.48        37.96        33.80
         1024         1000        31.48        38.96        34.80
# Benchmarking Multi-Allgather
# ( 60 groups of 2 processes each running simultaneous )
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]  Mbytes/sec
          512       100000        30.48        37.96        33.80       15.1
[ 1.91, 21.93, 27.89 ]
# Benchmarking PingPong
# #processes = 2
       #bytes #repetitions      t[usec]   Mbytes/sec
            0         1000         1.10         0.00
         1024         1000         2.20       465.45
)");
    QCOMPARE(log.format, LogFormat::imb);
    QCOMPARE(log.tables.size(), std::size_t(3));
    QCOMPARE(log.tables[0].operation, CollectiveOp::all_reduce);
    QCOMPARE(log.tables[0].ranks, std::int64_t(8));
    QCOMPARE(log.tables[0].rows[1].out_of_place->time.si(), 34.80e-6);
    QCOMPARE(log.tables[1].ranks, std::int64_t(2));
    QCOMPARE(log.tables[1].rows.size(), std::size_t(1));
    QCOMPARE(log.tables[1].rows[0].size, Bytes(1024));
    QVERIFY(any(log.tables[1].warnings, "60 groups of 2"));
    QCOMPARE(log.tables[2].operation, CollectiveOp::point_to_point);
    QCOMPARE(log.tables[2].rows[1].out_of_place->time.si(), 2.2e-6);
}

void TestOtherLogs::imbBarrier() {
    const auto log = read(
        "# Intel(R) MPI Benchmarks 2019\n# Benchmarking Barrier\n# #processes = 4\n"
        " #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n 100000 91.24 91.25 91.26\n");
    QCOMPARE(log.first().rows[0].size, Bytes(0));
    QCOMPARE(log.first().rows[0].out_of_place->time.si(), 91.26e-6);
    QVERIFY(!log.first().operation);
}

void TestOtherLogs::perftestBandwidth() {
    const char* text = R"(                    RDMA_Write BW Test
                    RDMA_Write BW Test
 local address: LID 0xd06 QPN 0x092f PSN 0x3ff1bc
#bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]
#bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]
65536      5000             23000.00           22888.18            0.366211
65536      5000             0.00               0.00                0.366211
8388608    5000             23000.00           23000.00            0.002875
)";
    const auto log = read(text);
    QCOMPARE(log.format, LogFormat::perftest);
    QCOMPARE(log.tables.size(), std::size_t(1));
    QCOMPARE(log.first().rows.size(), std::size_t(2));
    QVERIFY(near(log.first().rows[0].out_of_place->algorithm_bandwidth->si(), 24.0e9, 1e-4));  // MB = 2^20
    QVERIFY(any(log.first().warnings, "Server and client"));
    const auto bits = read(QString(text).replace("MB/sec", "Gb/sec").toStdString());
    QVERIFY(near(bits.first().rows[0].out_of_place->algorithm_bandwidth->si(), 22888.18e9 / 8, 1e-9));
}

void TestOtherLogs::perftestLatency() {
    const auto log = read(
        "                    RDMA_Read Latency Test\n #bytes #iterations    t_min[usec]    t_max[usec]  "
        "t_typical[usec]    t_avg[usec]    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec] \n"
        " 2       1000          1.62           5.31         1.67                1.68             0.05      1.80  "
        " 5.31\n");
    QCOMPARE(log.first().rows[0].out_of_place->time.si(), 1.67e-6);
    QVERIFY(any(log.first().warnings, "round trip"));
}

void TestOtherLogs::nvbandwidth() {
    const auto log = read(R"(nvbandwidth Version: v0.6
Device 0: NVIDIA GH200 480GB (00000009:01:00)

Running device_to_device_memcpy_read_ce.
memcpy CE GPU(row) -> GPU(column) bandwidth (GB/s)
           0         1
 0       N/A    312.11
 1    320.11       N/A

SUM device_to_device_memcpy_read_ce 632.22

Waived:
Running host_device_latency_sm.
memory latency SM CPU(row) <-> GPU(column) (ns)
           0
 0    772.58
)");
    QCOMPARE(log.tables.size(), std::size_t(2));
    QCOMPARE(log.tables[0].figures.size(), std::size_t(2));
    QCOMPARE(log.tables[0].figures[0].label, std::string("row 0, column 1"));
    QCOMPARE(log.tables[0].figures[0].rate->si(), 312.11e9);
    QVERIFY(near(log.tables[1].figures[0].time->si(), 772.58e-9, 1e-12));
    const Fit fit = fit_table(log.tables[0]);
    QVERIFY(!fit.alpha && near(fit.bandwidth->si(), 316.11e9, 1e-9));  // of a link, not the sum
}

void TestOtherLogs::nvbandwidthJson() {
    const auto log = read(R"({"nvbandwidth": {"Version": "v0.6", "testcases": [
 {"name": "device_to_device_memcpy_read_ce", "status": "Passed", "bandwidth_matrix": [["N/A", "312.11"], ["320.11", "N/A"]],
  "sum": "632.22"}, {"name": "x", "status": "Waived"}]}})");
    QCOMPARE(log.tables.size(), std::size_t(2));
    QCOMPARE(log.tables[0].figures[1].rate->si(), 320.11e9);
    QVERIFY(log.tables[1].figures.empty());
}

void TestOtherLogs::ucc() {
    const auto log = read(R"(Collective:             Alltoall
Memory type:            cuda
Inplace:                0

       Count        Size                Time, us                           Bandwidth, GB/s
                                 avg         min         max         avg         max         min
       65536      262144       76.46       75.96       77.08       24.00       24.16       23.81
      131072      524288      140.00      139.96      141.08       26.21       26.22       26.01
)");
    const MeasuredTable& t = log.first();
    QCOMPARE(log.format, LogFormat::ucc_perftest);
    QCOMPARE(t.operation, CollectiveOp::all_to_all);
    QCOMPARE(t.ranks, std::int64_t(8));  // 256 KiB x 7 / 76.46 us = 24.0 GB/s
    QCOMPARE(t.rows[0].size, Bytes(8 * 262144.0));
    QCOMPARE(t.rows[0].printed, Bytes(262144));
}

void TestOtherLogs::deepepLowLatency() {
    const auto log =
        read(R"([rank 0] Dispatch + combine bandwidth: 43.21 GB/s, avg_t=510.00 us, min_t=500.1 us, max_t=530.2 us
[rank 0] Dispatch bandwidth: 39.00 GB/s, avg_t=192.60 us | Combine bandwidth: 40.00 GB/s, avg_t=363.50 us
[rank 7] Dispatch bandwidth: 39.10 GB/s, avg_t=192.10 us | Combine bandwidth: 40.10 GB/s, avg_t=362.60 us
[rank 0] Dispatch send/recv time: 20.50 + 11.25 us | Combine send/recv time: 21.00 + 73000.00 us
)");
    QCOMPARE(log.format, LogFormat::deepep);
    const auto dispatch = std::find_if(log.tables.begin(), log.tables.end(),
                                       [](const auto& t) { return t.operation == CollectiveOp::expert_dispatch; });
    QVERIFY(dispatch != log.tables.end());
    QCOMPARE(dispatch->ranks, std::int64_t(8));
    QCOMPARE(dispatch->rows.size(), std::size_t(2));
    QVERIFY(near(dispatch->rows[0].size.si(), 7.51e6, 1e-3));  // 39 GB/s x 192.6 us: 128 x 8 messages of 7168 + scales
    QCOMPARE(dispatch->figures.size(), std::size_t(2));
    QVERIFY(any(dispatch->warnings, "waiting for other ranks"));
    const auto combine = std::find_if(log.tables.begin(), log.tables.end(),
                                      [](const auto& t) { return t.operation == CollectiveOp::expert_combine; });
    QVERIFY(near(combine->rows[0].size.si(), 14.54e6, 1e-3));
}

void TestOtherLogs::deepepNormal() {
    const auto log = read(R"([tuning] SMs 24, NVL chunk 4, RDMA chunk 4: 40.00 GB/s (RDMA), 130.57 GB/s (NVL)
[tuning] Best dispatch (FP8): SMs 24, NVL chunk 36, RDMA chunk 12: 43.46 GB/s (RDMA), 142.00 GB/s (NVL)
)");
    const MeasuredTable& t = log.first();
    QCOMPARE(t.operation, CollectiveOp::expert_dispatch);
    QCOMPARE(t.figures.size(), std::size_t(2));
    QCOMPARE(t.figures[0].label, std::string("RDMA"));
    QCOMPARE(t.figures[0].rate->si(), 43.46e9);
    QVERIFY(any(t.warnings, "no size is printed"));
}

QTEST_APPLESS_MAIN(TestOtherLogs)
#include "tst_other_logs.moc"

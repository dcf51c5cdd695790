// Logs cut at every place and with bytes changed: refused with a message, or read with finite fits.
#include <random>

#include "logs.hpp"

using namespace crosspoint;

class TestDamagedLogs : public QObject {
    Q_OBJECT
private slots:
    void cut_data() { seeds(); }
    void cut();
    void changed_data() { seeds(); }
    void changed();

private:
    static void seeds();
};

namespace {

void check(const std::string& text, bool fit) {
    const auto log = read_measurements(text, "log");
    if (!log) {
        QVERIFY(!log.error().message.empty() && log.error().file == "log");
        return;
    }
    QVERIFY(!log->first().empty());
    for (std::size_t i = 0; fit && i < log->tables.size(); ++i) {
        const Fit found = fit_table(log->tables[i]);
        QVERIFY(!found.alpha || (std::isfinite(found.alpha->si()) && found.alpha->si() >= 0));
        QVERIFY(!found.bandwidth || (std::isfinite(found.bandwidth->si()) && found.bandwidth->si() > 0));
        QVERIFY(std::isfinite(found.kappa));
    }
}

}  // namespace

void TestDamagedLogs::seeds() {
    QTest::addColumn<QByteArray>("text");
    const QDir folder(qEnvironmentVariable("CROSSPOINT_SOURCE_DIR") + "/tests/fuzz/corpus/measure");
    for (const QString& name : folder.entryList(QDir::Files)) {
        QFile file(folder.filePath(name));
        if (file.open(QIODevice::ReadOnly)) QTest::newRow(qPrintable(name)) << file.readAll();
    }
}

void TestDamagedLogs::cut() {
    QFETCH(QByteArray, text);
    for (qsizetype i = 0; i <= text.size(); ++i) check(text.left(i).toStdString(), i % 16 == 0);
}

void TestDamagedLogs::changed() {
    QFETCH(QByteArray, text);
    std::mt19937 random(7);
    const std::string alphabet("0123456789.eE+-[]{}\",: \n\0#x/\x1b\xff", 30);
    for (int round = 0; round < 400; ++round) {
        std::string damaged = text.toStdString();
        for (int n = 0; n < 3; ++n) damaged[random() % damaged.size()] = alphabet[random() % alphabet.size()];
        check(damaged, round % 8 == 0);
    }
}

QTEST_APPLESS_MAIN(TestDamagedLogs)
#include "tst_damaged_logs.moc"

/* SPDX-License-Identifier: GPL-2.0-or-later */
// Numbers with their units as people read them, on axes and beside the crosshair.
#ifndef SCTPA_UI_VALUE_TEXT_H
#define SCTPA_UI_VALUE_TEXT_H

#include "custom_plot.h"
#include "models/results.h"

// What an axis of values counts.
enum class SctpaUnit { Tsn, Bytes, Seconds, BitsPerSecond, Count };

SctpaUnit sctpaUnitOf(sctpa_series_kind_t kind);

// How a core value lies on the axis: TSNs, bytes and rates as they are, times in seconds.
double sctpaAxisValue(SctpaUnit unit, qint64 value);

// "12.345 ms", "64,000 bytes", "1.25 Mbit/s", times and rates with so many digits. TSNs count from firstTsn, 0:
// relative.
QString sctpaValueText(SctpaUnit unit, double value, quint32 firstTsn, int digits = 6);

// In the unit that fits, as in pages: "12.35 s", "45 us".
QString sctpaDurationText(qint64 ns);

// Labels of an axis of values; all have the same unit.
class SctpaValueTicker : public QCPAxisTicker {
  public:
    explicit SctpaValueTicker(SctpaUnit unit) : unit_(unit) {}
    // Labels of TSNs count from this one, 0: relative.
    void setFirstTsn(quint32 firstTsn);

  protected:
    double getTickStep(const QCPRange &range) override;
    QVector<QString> createLabelVector(const QVector<double> &ticks, const QLocale &locale, QChar formatChar,
                                       int precision) override;

  private:
    SctpaUnit unit_;
    quint32 firstTsn_ = 0;
};

// Labels of an axis of times of which some are a thousand times as long as others.
class SctpaLogSecondsTicker : public QCPAxisTickerLog {
  protected:
    QString getTickLabel(double tick, const QLocale &locale, QChar formatChar, int precision) override;
};

// Moments as Wireshark shows them, or as times of day where it shows none.
class SctpaMoments {
  public:
    using Write = void (*)(void *user, int64_t time_ns, GString *out);

    SctpaMoments() = default;
    // write and user are borrowed from a look at the analysis; null: Wireshark shows no moments.
    SctpaMoments(Write write, void *user) : write_(write), user_(user) {}
    bool areOfWireshark() const { return write_ != nullptr; }
    // As in the packet list; without Wireshark's format, time of day with microseconds.
    QString text(qint64 timeNs) const;
    // The same with so many decimals, and what stands before the time, often a date.
    QString time(qint64 timeNs, int decimals) const;
    QString date(qint64 timeNs) const;

  private:
    Write write_ = nullptr;
    void *user_ = nullptr;
};

// Labels of the time axis: seconds from the start of the capture, or moments. Dates stand below the first label of
// each.
class SctpaTimeTicker : public QCPAxisTicker {
  public:
    // startNs: since the epoch, where the axis is 0.
    void setStart(qint64 startNs, bool isAbsolute, const SctpaMoments &moments);
    void setMoments(const SctpaMoments &moments) { moments_ = moments; }

  protected:
    QVector<QString> createLabelVector(const QVector<double> &ticks, const QLocale &locale, QChar formatChar,
                                       int precision) override;

  private:
    qint64 startNs_ = 0;
    bool isAbsolute_ = false;
    SctpaMoments moments_;
};

#endif

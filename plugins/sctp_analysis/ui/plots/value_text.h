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

// "12.345 ms", "64,000 bytes", "1.25 Mbit/s", times and rates with so many digits. TSNs count from firstTsn, 0: relative.
QString sctpaValueText(SctpaUnit unit, double value, quint32 firstTsn, int digits = 6);

// Labels of an axis of values; all have the same unit.
class SctpaValueTicker : public QCPAxisTicker
{
public:
    explicit SctpaValueTicker(SctpaUnit unit) : unit_(unit) {}
    // Labels of TSNs count from this one, 0: relative.
    void setFirstTsn(quint32 firstTsn);

protected:
    double getTickStep(const QCPRange &range) override;
    QVector<QString> createLabelVector(const QVector<double> &ticks, const QLocale &locale, QChar formatChar, int precision) override;

private:
    SctpaUnit unit_;
    quint32 firstTsn_ = 0;
};

// Labels of an axis of times of which some are a thousand times as long as others.
class SctpaLogSecondsTicker : public QCPAxisTickerLog
{
protected:
    QString getTickLabel(double tick, const QLocale &locale, QChar formatChar, int precision) override;
};

// Labels of the time axis: seconds from the start of the capture, or the time of day.
class SctpaTimeTicker : public QCPAxisTicker
{
public:
    // startNs: since the epoch, where the axis is 0.
    void setStart(qint64 startNs, bool isAbsolute);

protected:
    QVector<QString> createLabelVector(const QVector<double> &ticks, const QLocale &locale, QChar formatChar, int precision) override;

private:
    qint64 startNs_ = 0;
    bool isAbsolute_ = false;
};

// A moment with so many decimals of a second.
QString sctpaTimeOfDay(qint64 timeNs, int decimals);

#endif

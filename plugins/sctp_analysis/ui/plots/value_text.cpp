/* SPDX-License-Identifier: GPL-2.0-or-later */
// Units, their prefixes and decimals.
#include "value_text.h"

#include <QCoreApplication>
#include <QDateTime>

#include <algorithm>
#include <cmath>

extern "C" {
#include "report/text/text.h"
}

namespace {

constexpr int NsDecimals = 9, MicroDecimals = 6;
constexpr qint64 SecondNs = 1000000000;

QString unitName(SctpaUnit unit, int power)
{
    static const char *const Times[] = { "s", "ms", "µs", "ns" };
    static const char *const Bytes[] = { "B", "kB", "MB", "GB" };
    static const char *const Rates[] = { "bit/s", "kbit/s", "Mbit/s", "Gbit/s" };
    switch (unit) {
    case SctpaUnit::Seconds: return QString::fromUtf8(Times[-power]);
    case SctpaUnit::Bytes: return QString::fromUtf8(Bytes[power]);
    case SctpaUnit::BitsPerSecond: return QString::fromUtf8(Rates[power]);
    default: return QString();
    }
}

// Power of 1000 of the unit in which a number of that size is written.
int powerFor(SctpaUnit unit, double size)
{
    if (unit == SctpaUnit::Seconds)
        return size >= 1 || size <= 0 ? 0 : std::max(-3, int(std::floor(std::log10(size) / 3 + 1e-9)));
    if (unit == SctpaUnit::Tsn || unit == SctpaUnit::Count || size < 1000)
        return 0;
    return std::min(3, int(std::floor(std::log10(size) / 3 + 1e-9)));
}

int decimalsOf(double step)
{
    int decimals = 0;
    for (double scaled = step; decimals < NsDecimals && std::fabs(scaled - std::round(scaled)) > 1e-3 * scaled;
         scaled *= 10)
        decimals++;
    return decimals;
}

QString withUnit(const QString &number, SctpaUnit unit, int power)
{
    const QString name = unitName(unit, power);
    return name.isEmpty() ? number : number + QChar(0x2009) + name;
}

QString tsnText(double value, quint32 firstTsn)
{
    return QString::number(firstTsn == 0 ? qint64(std::llround(value))
                                         : qint64(quint32(qint64(std::llround(value)) + firstTsn)));
}

}

SctpaUnit sctpaUnitOf(sctpa_series_kind_t kind)
{
    switch (sctpa_series_unit(kind)) {
    case SCTPA_UNIT_BYTES: return SctpaUnit::Bytes;
    case SCTPA_UNIT_TIME: return SctpaUnit::Seconds;
    case SCTPA_UNIT_RATE: return SctpaUnit::BitsPerSecond;
    default: return SctpaUnit::Tsn;
    }
}

double sctpaAxisValue(SctpaUnit unit, qint64 value)
{
    return unit == SctpaUnit::Seconds ? double(value) / 1e9 : double(value);
}

QString sctpaDurationText(qint64 ns)
{
    return sctpaAppended([ns](GString *out) { sctpa_text_duration(out, ns); });
}

QString sctpaValueText(SctpaUnit unit, double value, quint32 firstTsn, int digits)
{
    if (unit == SctpaUnit::Tsn)
        return QCoreApplication::translate("sctpa_value", "TSN %1").arg(tsnText(value, firstTsn));
    if (unit == SctpaUnit::Count)
        return QString::number(qint64(value));
    if (unit == SctpaUnit::Bytes)
        return QCoreApplication::translate("sctpa_value", "%1 bytes")
            .arg(QLocale(QLocale::English).toString(qint64(value)));
    const int power = powerFor(unit, std::fabs(value));
    return withUnit(QString::number(value / std::pow(1000, power), 'g', digits), unit, power);
}

void SctpaValueTicker::setFirstTsn(quint32 firstTsn)
{
    firstTsn_ = firstTsn;
    setTickOrigin(-double(firstTsn));
}

double SctpaValueTicker::getTickStep(const QCPRange &range)
{
    const double step = QCPAxisTicker::getTickStep(range);
    return unit_ == SctpaUnit::Tsn || unit_ == SctpaUnit::Count || unit_ == SctpaUnit::Bytes ? std::max(1.0, step)
                                                                                             : step;
}

QVector<QString> SctpaValueTicker::createLabelVector(const QVector<double> &ticks, const QLocale &, QChar, int)
{
    double size = 0;
    for (double tick : ticks)
        size = std::max(size, std::fabs(tick));
    const int power = powerFor(unit_, size);
    const double scale = std::pow(1000, power), step = ticks.size() > 1 ? (ticks.at(1) - ticks.at(0)) / scale : 0;
    QVector<QString> labels;
    for (double tick : ticks) {
        const bool isZero = std::fabs(tick / scale) < step * 1e-6;
        if (unit_ == SctpaUnit::Tsn)
            labels.append(tsnText(tick, firstTsn_));
        else
            labels.append(isZero ? QStringLiteral("0")
                                 : withUnit(QString::number(tick / scale, 'f', decimalsOf(step)), unit_, power));
    }
    return labels;
}

QString SctpaLogSecondsTicker::getTickLabel(double tick, const QLocale &, QChar, int)
{
    return sctpaValueText(SctpaUnit::Seconds, tick, 0, 3);
}

void SctpaTimeTicker::setStart(qint64 startNs, bool isAbsolute, const SctpaMoments &moments)
{
    startNs_ = startNs;
    isAbsolute_ = isAbsolute;
    moments_ = moments;
    setTickOrigin(isAbsolute ? -double(startNs % (60 * SecondNs)) / 1e9 : 0);
}

QVector<QString> SctpaTimeTicker::createLabelVector(const QVector<double> &ticks, const QLocale &, QChar, int)
{
    const int decimals = decimalsOf(ticks.size() > 1 ? ticks.at(1) - ticks.at(0) : 0);
    QVector<QString> labels;
    QString dateBefore;
    for (double tick : ticks) {
        const qint64 timeNs = startNs_ + qint64(std::llround(tick * 1e9));
        const QString date = isAbsolute_ ? moments_.date(timeNs) : QString();
        labels.append(isAbsolute_ ? moments_.time(timeNs, decimals)
                                  : QString::number(std::fabs(tick) < 1e-10 ? 0.0 : tick, 'f', decimals));
        if (date != dateBefore)
            labels.last() += QLatin1Char('\n') + date;
        dateBefore = date;
    }
    return labels;
}

QString SctpaMoments::text(qint64 timeNs) const
{
    return write_ ? sctpaAppended([&](GString *out) { write_(user_, timeNs, out); }) : time(timeNs, MicroDecimals);
}

QString SctpaMoments::date(qint64 timeNs) const
{
    const QString text = write_ ? this->text(timeNs) : QString();
    return text.left(std::max<int>(0, int(text.lastIndexOf(QLatin1Char(' ')))));
}

QString SctpaMoments::time(qint64 timeNs, int decimals) const
{
    const qint64 second = timeNs >= 0 ? timeNs / SecondNs : -((-timeNs + SecondNs - 1) / SecondNs);
    const QString whole = write_ ? text(second * SecondNs).section(QLatin1Char(' '), -1).section(QLatin1Char('.'), 0, 0)
                                 : QDateTime::fromMSecsSinceEpoch(second * 1000).toString(QStringLiteral("HH:mm:ss"));
    if (decimals == 0)
        return whole;
    return whole + QLatin1Char('.') +
           QStringLiteral("%1").arg(timeNs - second * SecondNs, NsDecimals, 10, QLatin1Char('0')).left(decimals);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
// What tests of findings share: the captures that break rules, and findings as JSON reports them.
#ifndef SCTPA_TEST_UI_FINDINGS_READING_H
#define SCTPA_TEST_UI_FINDINGS_READING_H

#include <QFileInfo>
#include <QJsonObject>

#include "played_capture.h"

// Written by write_findings.py.
inline QString brokenPackets()
{
    return QFileInfo(qEnvironmentVariable("SCTPA_UI_PACKETS")).dir().filePath(QStringLiteral("findings.packets"));
}

// Written by write_groups.py.
inline QString groupedPackets()
{
    return QFileInfo(qEnvironmentVariable("SCTPA_UI_PACKETS")).dir().filePath(QStringLiteral("groups.packets"));
}

struct ReportedFinding {
    int assoc;
    QJsonObject json;
};

inline QVector<ReportedFinding> reportedFindings(const PlayedCapture &played)
{
    QVector<ReportedFinding> findings;
    for (const QJsonValue &assoc : played.jsonAssociations())
        for (const QJsonValue &finding : assoc.toObject()[QStringLiteral("findings")].toArray())
            findings.append({ assoc.toObject()[QStringLiteral("index")].toInt(), finding.toObject() });
    return findings;
}

#endif

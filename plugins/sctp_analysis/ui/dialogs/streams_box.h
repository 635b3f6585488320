/* SPDX-License-Identifier: GPL-2.0-or-later */
// The choice of streams: all together, the busiest each by itself, or one; however many there are.
#ifndef SCTPA_UI_STREAMS_BOX_H
#define SCTPA_UI_STREAMS_BOX_H

#include <QComboBox>

#include "plots/graph_data.h"

class SctpaStreamsModel;

class SctpaStreamsBox : public QComboBox {
    Q_OBJECT

  public:
    explicit SctpaStreamsBox(QWidget *parent = nullptr);

    // The busiest first. What was chosen stays while it is there. O(streams).
    void setStreams(const QVector<SctpaGraphData::Stream> &streams);
    // Those that are shown by themselves; none: all together.
    QVector<quint16> chosen() const;

  private:
    SctpaStreamsModel *model_;
};

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
// Names streams when they are looked at: 65,536 of them cost no more than a few.
#include "streams_box.h"

#include <QAbstractListModel>
#include <QListView>

#include <algorithm>

#include "plots/value_text.h"

extern "C" {
#include "report/tables/series_csv.h"
}

namespace {

enum Row { Together, Busiest, FirstStream };
constexpr int LettersShown = 12, LettersInList = 30;

}

class SctpaStreamsModel : public QAbstractListModel {
    Q_OBJECT

  public:
    using QAbstractListModel::QAbstractListModel;

    const QVector<SctpaGraphData::Stream> &streams() const { return streams_; }
    void setStreams(const QVector<SctpaGraphData::Stream> &streams)
    {
        beginResetModel();
        streams_ = streams;
        endResetModel();
    }
    int busiest() const { return int(std::min<qsizetype>(streams_.size(), SCTPA_STREAMS_BUSIEST)); }
    int rowCount(const QModelIndex &parent = QModelIndex()) const override
    {
        return parent.isValid() ? 0 : FirstStream + int(streams_.size());
    }
    QVariant data(const QModelIndex &index, int role) const override
    {
        if (role != Qt::DisplayRole || !checkIndex(index, CheckIndexOption::IndexIsValid))
            return QVariant();
        if (index.row() == Together)
            return tr("all streams");
        if (index.row() == Busiest)
            return streams_.size() > busiest() ? tr("%1 busiest streams").arg(busiest()) : tr("each stream");
        const SctpaGraphData::Stream &stream = streams_.at(index.row() - FirstStream);
        return tr("stream %1 · %2")
            .arg(stream.number)
            .arg(sctpaValueText(SctpaUnit::Bytes, double(stream.userBytes), 0));
    }

  private:
    QVector<SctpaGraphData::Stream> streams_;
};

SctpaStreamsBox::SctpaStreamsBox(QWidget *parent) : QComboBox(parent), model_(new SctpaStreamsModel(this))
{
    auto *list = new QListView(this);
    list->setUniformItemSizes(true);
    list->setMinimumWidth(LettersInList * fontMetrics().averageCharWidth());
    setView(list);
    setModel(model_);
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(LettersShown);
    setToolTip(tr("The streams whose throughput and delays are shown by themselves, those with most bytes first"));
    setCurrentIndex(Together);
}

void SctpaStreamsBox::setStreams(const QVector<SctpaGraphData::Stream> &streams)
{
    const int row = currentIndex();
    const int number = row >= FirstStream ? model_->streams().at(row - FirstStream).number : SctpaGraphData::AnyStream;
    model_->setStreams(streams);
    const auto same = std::find_if(streams.cbegin(), streams.cend(),
                                   [number](const SctpaGraphData::Stream &stream) { return stream.number == number; });
    if (row < FirstStream)
        setCurrentIndex(std::max<int>(row, Together));
    else
        setCurrentIndex(same == streams.cend() ? int(Together) : FirstStream + int(same - streams.cbegin()));
}

QVector<quint16> SctpaStreamsBox::chosen() const
{
    QVector<quint16> numbers;
    const QVector<SctpaGraphData::Stream> &streams = model_->streams();
    const int row = currentIndex();
    const int first = row >= FirstStream ? row - FirstStream : 0, last = row >= FirstStream ? first + 1
                                                                         : row == Busiest   ? model_->busiest()
                                                                                            : 0;
    for (int i = first; i < last; i++)
        numbers.append(streams.at(i).number);
    return numbers;
}

#include "streams_box.moc"

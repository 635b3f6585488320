// All associations of the capture, a row each. Rows are made when they are looked at, so that 100,000 of them open at once.
#ifndef SCTPA_UI_ASSOCS_MODEL_H
#define SCTPA_UI_ASSOCS_MODEL_H

#include <QCache>

#include "table_model.h"

class SctpaAssocsModel : public SctpaTableModel
{
    Q_OBJECT

public:
    explicit SctpaAssocsModel(QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = QModelIndex()) const override;
    QVector<SctpaKey> keys(int column) const override;

    // Takes the associations as they are now. view must be good until clear. O(associations).
    void refresh(const sctpa_view_t &view);
    // Lets go of the analysis.
    void clear();

    // The association's number.
    quint32 numberOfRow(int row) const { return numbers_.at(row); }
    // A display filter for associations, empty for none.
    static QString filterFor(QVector<quint32> numbers);

protected:
    sctpa_cell_t cell(int row, int column) const override;

private:
    struct Row { SctpaTable table; };

    SctpaTable makeRow(int row) const;
    void takeNumbers(const QVector<quint32> &numbers);

    sctpa_view_t view_ = {};
    SctpaSource source_;
    QVector<quint32> numbers_;
    mutable QCache<int, Row> rows_;
};

#endif

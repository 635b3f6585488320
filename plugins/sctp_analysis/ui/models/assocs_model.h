/* SPDX-License-Identifier: GPL-2.0-or-later */
// All associations of the capture, a row each.
#ifndef SCTPA_UI_ASSOCS_MODEL_H
#define SCTPA_UI_ASSOCS_MODEL_H

#include "rows_model.h"

class SctpaAssocsModel : public SctpaRowsModel {
    Q_OBJECT

  public:
    explicit SctpaAssocsModel(QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = QModelIndex()) const override;
    QVector<SctpaKey> keys(int column) const override;

    // Takes the associations as they are now. view must be good until clear. O(associations).
    void refresh(const sctpa_view_t &view);
    // Lets go of the analysis.
    void clear();

    // By which column the worst stand first, and in which order: by findings that count, else by failed outcomes. -1:
    // nothing is bad.
    int worstColumn(Qt::SortOrder *order) const;
    // The association's number.
    quint32 numberOfRow(int row) const { return numbers_.at(row); }
    // A display filter for associations, empty for none.
    static QString filterFor(QVector<quint32> numbers);

  protected:
    SctpaTable makeRow(int row) const override;

  private:
    void takeNumbers(const QVector<quint32> &numbers);
    double weightOf(quint32 number) const;
    double severityOf(quint32 number) const;

    QVector<quint32> numbers_;
};

#endif

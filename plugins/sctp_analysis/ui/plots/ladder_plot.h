/* SPDX-License-Identifier: GPL-2.0-or-later */
// The ladder on the screen: which part of the time it shows, what is pointed at and selected, and what wheel, mouse and
// keys do. Leaves making the ladder to the window, drawing to SctpaLadderPainter.
#ifndef SCTPA_UI_LADDER_PLOT_H
#define SCTPA_UI_LADDER_PLOT_H

#include <QPixmap>
#include <QWidget>

#include "ladder_painter.h"

class SctpaLadderPlot : public QWidget {
    Q_OBJECT

  public:
    // facts are borrowed.
    explicit SctpaLadderPlot(const SctpaLadderFacts *facts, QWidget *parent = nullptr);

    // The facts are others; keepsZoom: of the same association.
    void factsChanged(bool keepsZoom);
    // What is in sight, ns since the epoch; all of it.
    qint64 fromNs() const { return choice_.fromNs; }
    qint64 toNs() const { return choice_.toNs; }
    void showTime(qint64 fromNs, qint64 toNs);
    // The whole association, with a little room.
    qint64 wholeFromNs() const;
    qint64 wholeToNs() const;
    // Around a place in the picture.
    void zoom(double factor, double y);
    void scroll(double pixels);

    // Selects the packet of a frame and brings it into sight; no frame of the association: selects none.
    void selectFrame(quint32 frame);
    // The same for one that is selected already, but may be out of sight.
    void showFrame(quint32 frame);
    // Selects it wherever it is.
    void markFrame(quint32 frame);
    // 0: none.
    quint32 selectedFrame() const;
    const sctpa_ladder_packet_t *packetAt(const QPointF &place) const { return painter().packetAt(place); }
    void point(const QPointF &place);

    SctpaLadderPainter painter() const;
    const SctpaLadderChoice &choice() const { return choice_; }
    // Writes what is shown to a .png, .pdf or .svg file. Empty: written, else why not.
    QString save(const QString &file);

    QSize sizeHint() const override { return QSize(900, 600); }
    QSize minimumSizeHint() const override { return QSize(320, 200); }

  Q_SIGNALS:
    // The user chose a packet.
    void frameWanted(quint32 frame);
    void rangeChanged();

  protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void leaveEvent(QEvent *event) override;

  private:
    void redraw();
    void select(const sctpa_ladder_packet_t *packet, bool bringsIntoSight);
    void bringIntoSight(const sctpa_ladder_packet_t &packet);
    // Selects the next packet (step 1) or the one before (-1); of those with flags, 0: any.
    void selectNext(int step, quint16 flags);
    bool pressMoveKey(int key, Qt::KeyboardModifiers modifiers);
    bool pressSelectKey(int key, Qt::KeyboardModifiers modifiers);
    bool pressZoomKey(int key);
    bool drawOn(QPaintDevice *device) const;
    bool savePdf(const QString &file) const;

    const SctpaLadderFacts *facts_;
    SctpaLadderChoice choice_;
    bool isWhole_ = true;
    QPixmap picture_; // without what is pointed at and selected; null: to be drawn anew
    quint32 selected_ = SCTPA_NO_PACKET_INDEX, pointed_ = SCTPA_NO_PACKET_INDEX; // packets
    QPointF pointer_, pressedAt_, draggedTo_;
    bool isPressed_ = false, isDragged_ = false;
};

#endif

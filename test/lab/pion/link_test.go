// SPDX-License-Identifier: GPL-2.0-or-later
package main

import (
	"io"
	"math/rand"
	"net"
	"sync"
	"time"
)

// link simulates the way between A (end 0) and B (end 1): rate, drop-tail queue, delay, jitter, loss, duplicates, an outage,
// and optionally a tap in the middle which sees what passes there.
type link struct {
	mutex        sync.Mutex
	random       *rand.Rand
	loss         float64
	duplicates   float64
	bitsPerNs    float64
	queuePackets int
	delay        time.Duration
	jitter       time.Duration
	outageStart  time.Duration
	outageLength time.Duration
	middleShare  float64 // of delay and loss, between A and the middle
	start        time.Time
	freeAt       [2]time.Time
	ipIDs        [2]uint16
	taps         [2]*tap
	middle       *tap
	inboxes      [2]chan []byte
	dead         bool
}

func newLink(p parameters) *link {
	l := &link{
		random: rand.New(rand.NewSource(int64(p.number("seed", 1)))), loss: p.number("loss", 0.01),
		duplicates: p.number("dup", 0), bitsPerNs: p.number("rate", 20) / 1e3, queuePackets: int(p.number("queue", 200)),
		delay: p.milliseconds("delay", 20), jitter: p.milliseconds("jitter", 0), middleShare: p.number("middle", 0.5),
		start: time.Now(),
	}
	l.outageStart, l.outageLength = p.outage()
	for i, name := range endNames {
		l.taps[i] = createTap(p.file(name + ".pcap"))
		l.inboxes[i] = make(chan []byte, 100000)
	}
	if p.has("middle") {
		l.middle = createTap(p.file("M.pcap"))
	}
	return l
}

func (l *link) close() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.dead = true
	for _, t := range []*tap{l.taps[0], l.taps[1], l.middle} {
		if t != nil {
			t.file.Flush()
		}
	}
}

func (l *link) send(from int, data []byte) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.ipIDs[from]++
	p := packet{from, l.ipIDs[from], append([]byte(nil), data...)}
	l.taps[from].write(p)

	now := time.Now()
	serialization := time.Duration(float64(len(data)+ipHeaderBytes) * 8 / l.bitsPerNs)
	if l.freeAt[from].Before(now) {
		l.freeAt[from] = now
	}
	if int(l.freeAt[from].Sub(now)/serialization) > l.queuePackets {
		return
	}
	l.freeAt[from] = l.freeAt[from].Add(serialization)
	l.transmit(p, l.freeAt[from].Sub(now))
}

func (l *link) transmit(p packet, wait time.Duration) {
	if l.isOutage() {
		if p.from == 0 { // it is the half between the middle and B that fails
			l.passMiddle(p, wait, l.delay)
		}
		return
	}
	if l.random.Float64() < l.loss {
		if l.middle != nil && l.random.Float64() >= l.shareBeforeMiddle(p) {
			l.passMiddle(p, wait, l.delay)
		}
		return
	}
	copies := 1
	if l.random.Float64() < l.duplicates {
		copies = 2
	}
	for ; copies > 0; copies-- {
		transit := l.delay + time.Duration(l.random.Float64()*float64(l.jitter))
		l.passMiddle(p, wait, transit)
		time.AfterFunc(wait+transit, func() { l.arrive(p) })
	}
}

func (l *link) isOutage() bool {
	since := time.Since(l.start)
	return l.outageLength > 0 && since >= l.outageStart && since < l.outageStart+l.outageLength
}

func (l *link) shareBeforeMiddle(p packet) float64 {
	if p.from == 0 {
		return l.middleShare
	}
	return 1 - l.middleShare
}

func (l *link) passMiddle(p packet, wait, transit time.Duration) {
	if l.middle == nil {
		return
	}
	time.AfterFunc(wait+time.Duration(float64(transit)*l.shareBeforeMiddle(p)), func() {
		l.mutex.Lock()
		defer l.mutex.Unlock()
		if !l.dead {
			l.middle.write(p)
		}
	})
}

func (l *link) arrive(p packet) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.dead {
		return
	}
	to := 1 - p.from
	l.taps[to].write(p)
	select {
	case l.inboxes[to] <- p.data:
	default:
	}
}

// end is one end of the link as the net.Conn that pion expects.
type end struct {
	link   *link
	number int
	closed chan struct{}
	once   sync.Once
}

func newEnd(l *link, number int) *end {
	return &end{link: l, number: number, closed: make(chan struct{})}
}

func (e *end) Write(data []byte) (int, error) {
	e.link.send(e.number, data)
	return len(data), nil
}

func (e *end) Read(buffer []byte) (int, error) {
	select {
	case data := <-e.link.inboxes[e.number]:
		return copy(buffer, data), nil
	case <-e.closed:
		return 0, io.EOF
	}
}

func (e *end) Close() error {
	e.once.Do(func() { close(e.closed) })
	return nil
}

func (e *end) LocalAddr() net.Addr              { return &net.UDPAddr{} }
func (e *end) RemoteAddr() net.Addr             { return &net.UDPAddr{} }
func (e *end) SetDeadline(time.Time) error      { return nil }
func (e *end) SetReadDeadline(time.Time) error  { return nil }
func (e *end) SetWriteDeadline(time.Time) error { return nil }

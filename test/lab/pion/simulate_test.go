// SPDX-License-Identifier: GPL-2.0-or-later
// Two pion/sctp associations over a simulated link in the virtual time of testing/synctest (hence a test): no real waiting,
// no scheduling noise in the time stamps.
//
//	simulate-pion -test.run TestSimulation DIRECTORY [KEY=VALUE...]
//
// Writes into DIRECTORY: A.pcap and B.pcap (what the ends' interfaces show), M.pcap with middle=, gt.tsv and stack.log.
//
// Parameters and their defaults: delay=20 jitter=0 (ms each way) loss=0.01 dup=0 rate=20 (Mbit/s) queue=200 (packets)
// outage=START:LENGTH (s) middle=SHARE (a tap in the middle; SHARE of delay and loss lie between A and it) seed=1
// msgs=800 size=1400 streams=4 gap=0 (ms) unordered=0 lifetime=0 (ms) rtx=-1 mtu=1228 rwnd=1048576 slow=0 (ms per message
// read) reset=0 collide=0 end=shutdown|abort
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pion/logging"
	"github.com/pion/sctp"
)

var endNames = [2]string{"A", "B"}

const maxMessageBytes = 1 << 20

type simulation struct {
	parameters
	link         *link
	associations [2]*sctp.Association
	streams      []*sctp.Stream
	delivered    atomic.Int64
	background   sync.WaitGroup
}

func TestSimulation(t *testing.T) {
	if flag.NArg() == 0 {
		t.Skip("no output directory")
	}
	p := parseParameters(flag.Args())
	synctest.Test(t, func(*testing.T) { run(p) })
}

func run(p parameters) {
	s := &simulation{parameters: p, link: newLink(p)}
	log := createFile(p.file("stack.log"))
	defer log.Flush()
	defer s.link.close()
	s.connect(log)
	if s.associations[0] == nil || s.associations[1] == nil {
		return
	}
	stop := make(chan struct{})
	s.background.Go(func() { createTruth(p.file("gt.tsv")).watch(s.associations, stop) })
	s.background.Go(s.acceptStreams)
	s.openStreams()
	s.sendMessages()
	s.waitUntilSent()
	s.resetStreams()
	s.note("all sent, delivered %d of %d", s.delivered.Load(), s.messages())
	s.end()
	close(stop)
	time.Sleep(time.Second)
	s.associations[0].Close()
	s.associations[1].Close()
	s.background.Wait()
	s.link.close()
	time.Sleep(5 * time.Second)
	s.note("done")
}

func (s *simulation) note(format string, arguments ...any) {
	fmt.Printf("%.6f %s\n", time.Since(s.link.start).Seconds(), fmt.Sprintf(format, arguments...))
}

func (s *simulation) messages() int {
	return int(s.number("msgs", 800))
}

func (s *simulation) connect(log *bufio.Writer) {
	factory := logging.NewDefaultLoggerFactory()
	factory.DefaultLogLevel = logging.LogLevelDebug
	factory.Writer = log
	var both sync.WaitGroup
	for i := range endNames {
		both.Go(func() { s.connectEnd(i, factory) })
	}
	both.Wait()
}

func (s *simulation) connectEnd(i int, factory logging.LoggerFactory) {
	config := sctp.Config{
		NetConn: newEnd(s.link, i), LoggerFactory: factory, Name: endNames[i], BlockWrite: true,
		MaxReceiveBufferSize: uint32(s.number("rwnd", 1<<20)), MTU: uint32(s.number("mtu", 1228)),
	}
	open := sctp.Server
	if i == 0 || s.isSet("collide") {
		open = sctp.Client
	}
	association, err := open(config)
	s.associations[i] = association
	s.note("%s up err=%v", endNames[i], err)
}

func (s *simulation) acceptStreams() {
	for {
		stream, err := s.associations[1].AcceptStream()
		if err != nil {
			return
		}
		s.background.Go(func() { s.read(stream) })
	}
}

func (s *simulation) read(stream *sctp.Stream) {
	buffer := make([]byte, maxMessageBytes)
	for {
		if _, err := stream.Read(buffer); err != nil {
			return
		}
		s.delivered.Add(1)
		time.Sleep(s.milliseconds("slow", 0))
	}
}

func (s *simulation) openStreams() {
	kind, value := byte(sctp.ReliabilityTypeReliable), uint32(0)
	if retransmissions := s.number("rtx", -1); retransmissions >= 0 {
		kind, value = sctp.ReliabilityTypeRexmit, uint32(retransmissions)
	}
	if lifetime := s.number("lifetime", 0); lifetime > 0 {
		kind, value = sctp.ReliabilityTypeTimed, uint32(lifetime)
	}
	for k := range int(s.number("streams", 4)) {
		stream, err := s.associations[0].OpenStream(uint16(k), sctp.PayloadTypeWebRTCBinary)
		if err != nil {
			panic(err)
		}
		stream.SetReliabilityParams(s.isSet("unordered"), kind, value)
		s.streams = append(s.streams, stream)
	}
}

func (s *simulation) sendMessages() {
	payload := make([]byte, int(s.number("size", 1400)))
	for n := range s.messages() {
		for k := range payload {
			payload[k] = 'a' + byte((n+k)%26)
		}
		if _, err := s.streams[n%len(s.streams)].WriteSCTP(payload, sctp.PayloadTypeWebRTCBinary); err != nil {
			s.note("write: %v", err)
			return
		}
		time.Sleep(s.milliseconds("gap", 0))
	}
}

func (s *simulation) waitUntilSent() {
	for k := 0; k < 60000 && s.associations[0].BufferedAmount() > 0; k++ {
		time.Sleep(10 * time.Millisecond)
	}
}

func (s *simulation) resetStreams() {
	if !s.isSet("reset") {
		return
	}
	s.streams[0].Close()
	s.streams[1].Close()
	time.Sleep(2 * time.Second)
}

func (s *simulation) end() {
	if s.values["end"] == "abort" {
		s.associations[0].Abort("bye")
		return
	}
	limit, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	s.note("shutdown: %v", s.associations[0].Shutdown(limit))
}

// SPDX-License-Identifier: GPL-2.0-or-later

// Two peers of github.com/pion/webrtc in one process open data channels over the loopback interface, as two browsers do: ICE, DTLS 1.2, SCTP. The
// secrets of DTLS go to the key log that the argument names. Leaves capturing to the script beside it.
package main

import (
	"fmt"
	"net"
	"os"
	"time"

	"github.com/pion/webrtc/v4"
)

var sizes = []int{1, 100, 3000, 12000}

func number(n uint16) *uint16 { return &n }

func no() *bool { is := false; return &is }

var kinds = map[string]*webrtc.DataChannelInit{
	"ordered":   {},
	"unordered": {Ordered: no()},
	"rexmit0":   {Ordered: no(), MaxRetransmits: number(0)},
	"ttl":       {MaxPacketLifeTime: number(100)},
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func peer(keys *os.File) *webrtc.PeerConnection {
	settings := webrtc.SettingEngine{}
	settings.SetIncludeLoopbackCandidate(true)
	settings.SetIPFilter(func(ip net.IP) bool { return ip.IsLoopback() && ip.To4() != nil })
	settings.SetNetworkTypes([]webrtc.NetworkType{webrtc.NetworkTypeUDP4})
	settings.SetDTLSKeyLogWriter(keys)
	made, err := webrtc.NewAPI(webrtc.WithSettingEngine(settings)).NewPeerConnection(webrtc.Configuration{})
	must(err)
	return made
}

// Exchanges the descriptions, with all candidates in them.
func connect(offerer, answerer *webrtc.PeerConnection) {
	offer, err := offerer.CreateOffer(nil)
	must(err)
	gathered := webrtc.GatheringCompletePromise(offerer)
	must(offerer.SetLocalDescription(offer))
	<-gathered
	must(answerer.SetRemoteDescription(*offerer.LocalDescription()))
	answer, err := answerer.CreateAnswer(nil)
	must(err)
	gathered = webrtc.GatheringCompletePromise(answerer)
	must(answerer.SetLocalDescription(answer))
	<-gathered
	must(offerer.SetRemoteDescription(*answerer.LocalDescription()))
}

func wait(done <-chan string, times int) {
	for range times {
		select {
		case <-done:
		case <-time.After(20 * time.Second):
			must(fmt.Errorf("no answer for 20 s"))
		}
	}
}

func main() {
	keys, err := os.OpenFile(os.Args[1], os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	must(err)
	offerer, answerer := peer(keys), peer(keys)
	opened, answers, closed := make(chan string, 64), make(chan string, 64), make(chan string, 64)
	answerer.OnDataChannel(func(channel *webrtc.DataChannel) {
		channel.OnMessage(func(webrtc.DataChannelMessage) { must(channel.SendText("ack")) })
		channel.OnClose(func() { closed <- channel.Label() })
	})
	channels := map[string]*webrtc.DataChannel{}
	for label, kind := range kinds {
		channel, err := offerer.CreateDataChannel(label, kind)
		must(err)
		channel.OnOpen(func() { opened <- label })
		channel.OnMessage(func(webrtc.DataChannelMessage) { answers <- label })
		channels[label] = channel
	}
	connect(offerer, answerer)
	wait(opened, len(kinds))
	for _, channel := range channels {
		for _, size := range sizes {
			must(channel.Send(make([]byte, size)))
		}
	}
	wait(answers, len(kinds)*len(sizes))
	must(channels["ordered"].Close())
	wait(closed, 1)
	must(offerer.Close())
	must(answerer.Close())
}

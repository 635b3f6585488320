// SPDX-License-Identifier: GPL-2.0-or-later
package main

import (
	"bufio"
	"encoding/binary"
	"os"
	"time"
)

const (
	linktypeRaw         = 101
	protocolSCTP        = 132
	ipHeaderBytes       = 20
	pcapNanosecondMagic = 0xa1b23c4d
)

// packet is what an end hands to the link: from is 0 (A) or 1 (B).
type packet struct {
	from int
	ipID uint16
	data []byte
}

// tap is a capture file of one place on the link: nanosecond pcap, raw IPv4 around the stack's packets.
type tap struct {
	file *bufio.Writer
}

func createTap(path string) *tap {
	t := &tap{file: createFile(path)}
	version := uint32(2 | 4<<16)
	t.words(pcapNanosecondMagic, version, 0, 0, 0x40000, linktypeRaw)
	return t
}

func createFile(path string) *bufio.Writer {
	file, err := os.Create(path)
	if err != nil {
		panic(err)
	}
	return bufio.NewWriter(file)
}

func (t *tap) words(values ...uint32) {
	for _, value := range values {
		t.file.Write(binary.LittleEndian.AppendUint32(nil, value))
	}
}

func (t *tap) write(p packet) {
	now := time.Now()
	length := uint32(ipHeaderBytes + len(p.data))
	t.words(uint32(now.Unix()), uint32(now.Nanosecond()), length, length)
	t.file.Write(ipHeader(p))
	t.file.Write(p.data)
}

func ipHeader(p packet) []byte {
	from, to := byte(p.from), byte(1-p.from)
	header := []byte{0x45, 0, 0, 0, 0, 0, 0x40, 0, 64, protocolSCTP, 0, 0, 10, 8, from, 1, 10, 8, to, 1}
	binary.BigEndian.PutUint16(header[2:], uint16(ipHeaderBytes+len(p.data)))
	binary.BigEndian.PutUint16(header[4:], p.ipID)
	var sum uint32
	for i := 0; i < ipHeaderBytes; i += 2 {
		sum += uint32(binary.BigEndian.Uint16(header[i:]))
	}
	for sum > 0xffff {
		sum = sum&0xffff + sum>>16
	}
	binary.BigEndian.PutUint16(header[10:], ^uint16(sum))
	return header
}

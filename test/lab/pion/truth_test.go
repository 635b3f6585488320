// SPDX-License-Identifier: GPL-2.0-or-later
package main

import (
	"bufio"
	"fmt"
	"reflect"
	"strings"
	"time"
	"unsafe"

	"github.com/pion/sctp"
)

// truth writes gt.tsv: the variables of both associations, looked at each millisecond of virtual time, changes only.
type truth struct {
	file *bufio.Writer
	last [2]string
}

func createTruth(path string) *truth {
	t := &truth{file: createFile(path)}
	fmt.Fprintln(t.file, "time\tend\tcwnd\tssthresh\tpba\trto_ms\tsrtt_ms\tpeer_rwnd\tfast_recovery")
	return t
}

func (t *truth) watch(associations [2]*sctp.Association, stop <-chan struct{}) {
	for {
		for i, association := range associations {
			t.note(i, association)
		}
		select {
		case <-stop:
			t.file.Flush()
			return
		case <-time.After(time.Millisecond):
		}
	}
}

func (t *truth) note(i int, association *sctp.Association) {
	value := reflect.ValueOf(association).Elem()
	row := fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%.3f\t%d\t%s", endNames[i], field(value, "cwnd"), field(value, "ssthresh"),
		field(value, "partialBytesAcked"), retransmissionTimeout(value), association.SRTT(), association.RWND(),
		field(value, "inFastRecovery"))
	if row != t.last[i] {
		now := time.Now()
		fmt.Fprintf(t.file, "%d.%09d\t%s\n", now.Unix(), now.Nanosecond(), row)
		t.last[i] = row
	}
}

// readable makes an unexported field readable.
func readable(value reflect.Value) reflect.Value {
	return reflect.NewAt(value.Type(), unsafe.Pointer(value.UnsafeAddr())).Elem()
}

func field(value reflect.Value, name string) string {
	f := value.FieldByName(name)
	if !f.IsValid() {
		return "-"
	}
	if f.Kind() == reflect.Struct && strings.HasPrefix(f.Type().String(), "atomic.") {
		f = f.FieldByName("v")
	}
	return fmt.Sprint(readable(f).Interface())
}

func retransmissionTimeout(value reflect.Value) string {
	manager := value.FieldByName("rtoMgr")
	if !manager.IsValid() {
		return "-"
	}
	return field(readable(manager).Elem(), "rto")
}

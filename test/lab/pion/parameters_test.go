// SPDX-License-Identifier: GPL-2.0-or-later
package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// parameters is the command line: an output directory and KEY=VALUE words. Times are in ms, rates in Mbit/s.
type parameters struct {
	directory string
	values    map[string]string
}

func parseParameters(words []string) parameters {
	p := parameters{directory: words[0], values: map[string]string{}}
	for _, word := range words[1:] {
		key, value, found := strings.Cut(word, "=")
		if !found {
			panic("not KEY=VALUE: " + word)
		}
		p.values[key] = value
	}
	return p
}

func toNumber(text string) float64 {
	number, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(err)
	}
	return number
}

func (p parameters) has(key string) bool {
	_, found := p.values[key]
	return found
}

func (p parameters) number(key string, missing float64) float64 {
	if !p.has(key) {
		return missing
	}
	return toNumber(p.values[key])
}

func (p parameters) isSet(key string) bool {
	return p.number(key, 0) > 0
}

func (p parameters) milliseconds(key string, missing float64) time.Duration {
	return time.Duration(p.number(key, missing) * 1e6)
}

// outage is START:LENGTH in seconds.
func (p parameters) outage() (start, length time.Duration) {
	first, second, found := strings.Cut(p.values["outage"], ":")
	if !found {
		return 0, 0
	}
	return time.Duration(toNumber(first) * 1e9), time.Duration(toNumber(second) * 1e9)
}

func (p parameters) file(name string) string {
	return fmt.Sprintf("%s/%s", p.directory, name)
}

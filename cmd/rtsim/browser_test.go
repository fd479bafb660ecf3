//go:build browser

package main

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"html"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The report of compare in a browser. It needs Chromium, and so a build tag of its own:
//
//	go test -tags browser -run Browser ./cmd/rtsim -args -chromium PATH
//
// The browser is told to reach everything over a proxy, which is this test's and takes down what is
// asked of it. What a person would do is done by a script in a copy of the report, and judged here;
// the copy is in frames, since no window is as narrow as a phone. Rejected: to drive the browser
// over its debugging protocol, which needs a large library.

var chromium = flag.String("chromium", "chromium", "the browser")

// browser runs Chromium, each time with a new profile.
type browser struct {
	t     *testing.T
	proxy string
	mutex sync.Mutex
	asked []string // of the proxy, by pages
}

// own are the hosts that the browser itself asks, whatever it shows.
var own = regexp.MustCompile(`^\w+ (http://)?[\w-]+\.(google|googleapis)\.com[:/]`)

func newBrowser(t *testing.T) *browser {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { listener.Close() })
	b := &browser{t: t, proxy: listener.Addr().String()}
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			line, _ := bufio.NewReader(connection).ReadString('\n')
			connection.Close()
			if !own.MatchString(line) {
				b.mutex.Lock()
				b.asked = append(b.asked, line)
				b.mutex.Unlock()
			}
		}
	}()
	return b
}

// requests are those of all pages so far.
func (b *browser) requests() []string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return slices.Clone(b.asked)
}

// open opens a page with more flags, and returns what the browser prints and says of the page.
func (b *browser) open(page string, flags ...string) (stdout string, console []string) {
	ctx, cancel := context.WithTimeout(b.t.Context(), time.Minute)
	defer cancel()
	args := append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--disable-default-apps", "--proxy-server=" + b.proxy, "--proxy-bypass-list=<-loopback>",
		"--user-data-dir=" + b.t.TempDir(), "--enable-logging=stderr"}, flags...)
	cmd := exec.CommandContext(ctx, *chromium, append(args, "file://"+page)...)
	cmd.WaitDelay = time.Second
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	require.NoError(b.t, cmd.Run(), "%s", &said)
	for line := range strings.Lines(said.String()) {
		if strings.Contains(line, ":CONSOLE") {
			console = append(console, line)
		}
	}
	return out.String(), console
}

// compared is the report of a short comparison of all designs, as a file.
func compared(t *testing.T) string {
	dir := t.TempDir()
	root := newRootCommand()
	root.SetOut(&bytes.Buffer{})
	root.SetArgs([]string{"compare", "--duration", "300ms", "--jobs", "1", "--out", dir})
	require.NoError(t, root.ExecuteContext(t.Context()))
	return filepath.Join(dir, reportName)
}

// written is a page as a file.
func written(t *testing.T, page string) string {
	path := filepath.Join(t.TempDir(), "page.html")
	require.NoError(t, os.WriteFile(path, []byte(page), 0o600))
	return path
}

// Look at the counter first: a page that loads something, and one with an error, are seen. The
// report has neither.
func TestBrowserLoadsNothing(t *testing.T) {
	b := newBrowser(t)
	_, console := b.open(written(t, `<!DOCTYPE html><img src="http://a.invalid/x.png" />`+
		`<script>throw new Error("planted")</script>`), "--dump-dom")
	require.Len(t, console, 1)
	require.Contains(t, console[0], "planted")
	require.Equal(t, []string{"GET http://a.invalid/x.png HTTP/1.1\r\n"}, b.requests())
	b = newBrowser(t)
	dom, console := b.open(compared(t), "--dump-dom")
	assert.Contains(t, dom, "<button type=\"button\">design</button>", "its script was run")
	assert.Empty(t, console)
	assert.Empty(t, b.requests())
}

// Look at the figures' names: everything that a heading names is printed, what is folded on the
// screen too; the browser lists the headings of what it printed.
func TestBrowserPrints(t *testing.T) {
	report := compared(t)
	printed := filepath.Join(t.TempDir(), "report.pdf")
	newBrowser(t).open(report, "--no-pdf-header-footer", "--generate-pdf-document-outline",
		"--print-to-pdf="+printed)
	pdf, err := os.ReadFile(printed)
	require.NoError(t, err)
	page, err := os.ReadFile(report)
	require.NoError(t, err)
	var want, got []string
	for _, m := range regexp.MustCompile(`<h[234][^>]*>([^<]*)<`).FindAllSubmatch(page, -1) {
		want = append(want, html.UnescapeString(string(m[1])))
	}
	for _, m := range regexp.MustCompile(`/Title \(([^)]*)\)`).FindAllSubmatch(pdf, -1) {
		got = append(got, string(m[1]))
	}
	assert.Greater(t, len(want), 50)
	slices.Sort(want)
	slices.Sort(got)
	assert.Subset(t, got, want)
	assert.Len(t, got, len(want)+2, "and the title and the first heading")
	pages := regexp.MustCompile(`/Type /Page\s`).FindAll(pdf, -1)
	assert.Greater(t, len(pages), 10)
}

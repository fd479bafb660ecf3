//go:build unix

package whole

import (
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// text writes a text.
func text(s string) func(io.Writer) error {
	return func(out io.Writer) error {
		_, err := io.WriteString(out, s)
		return err
	}
}

// names are what is in a folder.
func names(t *testing.T, dir string) (found []string) {
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		found = append(found, e.Name())
	}
	return found
}

func TestWritten(t *testing.T) {
	// Look at where the text is: at the end of all links, which stay links, whether there was a
	// file at the end or not; .. is the parent of what a link leads to. Nothing else is left.
	for _, c := range []struct{ name, end string }{
		{"new", "new"}, {"old", "old"}, {"link", "old"}, {"chain", "old"}, {"dangling", "nothing"},
		{"d/up", "deep/beside"},
	} {
		dir := t.TempDir()
		in := func(name string) string { return filepath.Join(dir, name) }
		require.NoError(t, os.WriteFile(in("old"), []byte("longer than the new text"), 0o666))
		require.NoError(t, os.MkdirAll(in("deep/d"), 0o777))
		for link, to := range map[string]string{"link": "old", "chain": in("link"),
			"dangling": "nothing", "d": "deep/d", "deep/d/up": "../beside"} {
			require.NoError(t, os.Symlink(to, in(link)))
		}
		before := names(t, dir)
		require.NoError(t, Write(in(c.name), text("new")))
		data, err := os.ReadFile(in(c.end))
		require.NoError(t, err, c.name)
		assert.Equal(t, "new", string(data), c.name)
		info, err := os.Lstat(in(c.end))
		require.NoError(t, err)
		assert.True(t, info.Mode().IsRegular(), c.name)
		if c.name != c.end {
			info, err := os.Lstat(in(c.name))
			require.NoError(t, err)
			assert.Equal(t, fs.ModeSymlink, info.Mode().Type(), c.name)
		}
		if filepath.Dir(c.end) == "." && c.end != "old" {
			before = append(before, c.end)
		}
		assert.ElementsMatch(t, before, names(t, dir), c.name)
	}
}

func TestThrough(t *testing.T) {
	// Look at a FIFO, and at a link to one: the reader has the text, and the FIFO is one still.
	dir := t.TempDir()
	fifo, link := filepath.Join(dir, "fifo"), filepath.Join(dir, "link")
	require.NoError(t, syscall.Mkfifo(fifo, 0o600))
	require.NoError(t, os.Symlink(fifo, link))
	for name, write := range map[string]func(name string) error{
		fifo: func(name string) error { return Write(name, text("some text")) },
		link: func(name string) error { return WriteAll([]File{{name, []byte("some text")}}) },
	} {
		// Open for reading and writing, so that nobody waits whoever comes first.
		reader, err := os.OpenFile(fifo, os.O_RDWR, 0)
		require.NoError(t, err)
		require.NoError(t, write(name))
		got := make([]byte, len("some text"))
		_, err = io.ReadFull(reader, got)
		require.NoError(t, err)
		assert.Equal(t, "some text", string(got))
		require.NoError(t, reader.Close())
	}
	info, err := os.Lstat(fifo)
	require.NoError(t, err)
	assert.Equal(t, fs.ModeNamedPipe, info.Mode().Type())
	assert.Equal(t, []string{"fifo", "link"}, names(t, dir))
}

func TestRefused(t *testing.T) {
	// Look at what is refused before anything is written, and that it is as it was.
	dir := t.TempDir()
	socket := filepath.Join(dir, "socket")
	listener, err := net.Listen("unix", socket)
	require.NoError(t, err)
	defer listener.Close()
	require.NoError(t, os.Symlink("loop", filepath.Join(dir, "loop")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o666))
	before := names(t, dir)
	unwritten := func(io.Writer) error { panic("written") }
	for name, why := range map[string]string{".": "is a directory; name a file",
		"socket": "is a socket; name a file", "loop": "too many levels of symbolic links",
		"no/file": "no such file", "file/x": "not a directory", "new/": "is no name of a file"} {
		name = dir + "/" + name
		assert.ErrorContains(t, Check(name), why)
		assert.ErrorContains(t, Write(name, unwritten), why)
		assert.ErrorContains(t, WriteAll([]File{{filepath.Join(dir, "first"), nil}, {name, nil}}),
			why)
	}
	assert.Equal(t, before, names(t, dir))
}

func TestFailed(t *testing.T) {
	// Look at a failure in the middle: the old file is whole, and nothing lies beside it.
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(name, []byte("old"), 0o666))
	broken := errors.New("broken")
	assert.ErrorIs(t, Write(name, func(out io.Writer) error {
		_, err := out.Write(make([]byte, 1<<20))
		return errors.Join(err, broken)
	}), broken)
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, "old", string(data))
	assert.Equal(t, []string{"file"}, names(t, dir))
}

func TestTwoNamesOfOneFile(t *testing.T) {
	// Look at a file that two names lead to: the last text is there, and nothing beside it.
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	require.NoError(t, os.Symlink("a", b))
	require.NoError(t, WriteAll([]File{{a, []byte("first")}, {b, []byte("second")}}))
	data, err := os.ReadFile(a)
	require.NoError(t, err)
	assert.Equal(t, "second", string(data))
	assert.Equal(t, []string{"a", "b"}, names(t, dir))
}

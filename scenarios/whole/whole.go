// Package whole writes files whole or not at all.
//
// A file is written under another name beside its place and renamed, so that an interruption
// leaves what was there. A name may lead to something else than a file:
//
//   - a link: what it leads to is replaced, the link stays;
//   - a device or a FIFO: it is written into, as a shell does, for a rename would put a file in
//     its place. What is written there cannot be taken back;
//   - a directory or a socket: an error, before anything is written.
//
// Rejected: writing into every file that exists, which would leave half a file behind a failure.
package whole

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// BeingWritten begins the name of a file that is not whole yet.
const BeingWritten = ".writing-"

// linksMost is how many links are followed, as many as Linux does (MAXSYMLINKS, fs/namei.c).
const linksMost = 40

// File is a file to write.
type File struct {
	Name string
	Data []byte
}

// place is where a name leads to.
type place struct {
	name    string // with all links followed, if it is renamed to
	through bool   // written into instead
}

// Check says why nothing can be written at a name, as far as that is known before. It changes
// nothing.
func Check(name string) error {
	_, err := at(name)
	return err
}

// Write writes what write writes: whole, or through to a device or FIFO. The error is write's, or
// has the name of the file.
func Write(name string, write func(io.Writer) error) error {
	p, err := at(name)
	if err != nil {
		return err
	}
	if p.through {
		return p.into(write)
	}
	temporary, err := p.beside(0, write)
	if err == nil {
		if err = os.Rename(temporary, p.name); err == nil {
			return nil
		}
	}
	if temporary != "" {
		err = errors.Join(err, os.Remove(temporary))
	}
	return err
}

// WriteAll writes files, none if one cannot be written beside its place. Devices and FIFOs are
// written into once all others are.
func WriteAll(files []File) (err error) {
	places := make([]place, len(files))
	for i, f := range files {
		if places[i], err = at(f.Name); err != nil {
			return err
		}
	}
	written := make([]string, len(files)) // "": there is nothing, or no more
	defer func() {
		for _, name := range written {
			if name != "" {
				err = errors.Join(err, os.Remove(name))
			}
		}
	}()
	for i, p := range places {
		if !p.through {
			if written[i], err = p.beside(i, files[i].write); err != nil {
				return err
			}
		}
	}
	for i, p := range places {
		if p.through {
			err = p.into(files[i].write)
		} else if err = os.Rename(written[i], p.name); err == nil {
			written[i] = ""
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *File) write(out io.Writer) error {
	_, err := out.Write(f.Data)
	return err
}

// at finds out where a name leads to. The folder exists then.
func at(name string) (place, error) {
	info, err := os.Stat(name)
	end := target(name)
	dir, base := filepath.Split(end)
	switch {
	case errors.Is(err, fs.ErrNotExist) && base == "":
		return place{}, fmt.Errorf("%s is no name of a file", name)
	case errors.Is(err, fs.ErrNotExist):
		_, err := os.Stat(dir + ".")
		return place{name: end}, err
	case err != nil:
		return place{}, err
	case info.IsDir():
		return place{}, fmt.Errorf("%s is a directory; name a file", name)
	case info.Mode()&fs.ModeSocket != 0:
		return place{}, fmt.Errorf("%s is a socket; name a file", name)
	case !info.Mode().IsRegular():
		return place{name, true}, nil
	}
	// A link of /proc/self/fd leads to a file that may have no name any more.
	if there, err := os.Lstat(end); err != nil || !os.SameFile(info, there) {
		return place{name, true}, nil
	}
	return place{name: end}, nil
}

// target follows the links of a name's last element, also to where nothing is.
func target(name string) string {
	for range linksMost {
		link, err := os.Readlink(name)
		if err != nil {
			return name // no link, or nothing
		}
		if !filepath.IsAbs(link) {
			dir, _ := filepath.Split(name) // not Dir and Join: they would drop a/.. of a link a
			link = dir + link
		}
		name = link
	}
	return name
}

// beside writes a file beside its place, under a name that no other process writes; number tells
// apart those of one process. temporary is "" if there is none.
func (p place) beside(number int, write func(io.Writer) error) (temporary string, err error) {
	dir, base := filepath.Split(p.name)
	temporary = fmt.Sprintf("%s%s%s.%d.%d", dir, BeingWritten, base, os.Getpid(), number)
	t, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return "", err
	}
	return temporary, fill(t, write)
}

// into writes into what is there.
func (p place) into(write func(io.Writer) error) error {
	t, err := os.OpenFile(p.name, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	return fill(t, write)
}

// fill writes and closes.
func fill(t *os.File, write func(io.Writer) error) error {
	buffered := bufio.NewWriter(t)
	err := write(buffered)
	if failed := buffered.Flush(); failed != nil {
		err = failed // write may say the same several times
	}
	return errors.Join(err, t.Close())
}

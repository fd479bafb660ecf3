package scenarios

import "strings"

// CommandLine gives the command line of rtsim with these arguments, ready to paste into a shell.
func CommandLine(args []string) string {
	line := "rtsim"
	for _, arg := range args {
		if arg == "" || strings.ContainsFunc(arg, NeedsQuotes) {
			arg = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
		line += " " + arg
	}
	return line
}

// NeedsQuotes says whether a shell may read more into a character.
func NeedsQuotes(c rune) bool {
	return !strings.ContainsRune("-_./=:,+@%", c) &&
		(c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
}

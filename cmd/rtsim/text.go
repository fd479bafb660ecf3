package main

import (
	"strings"
	"unicode/utf8"
)

// aligned puts rows into columns, two spaces apart. Columns whose cells are numbers, all but
// their header, are flush right. A row of one cell is not as wide as its column must be.
func aligned(rows [][]string) string {
	var widths []int
	var numbers []bool
	for r, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths, numbers = append(widths, 0), append(numbers, true)
			}
			if len(row) > 1 {
				widths[i] = max(widths[i], utf8.RuneCountInString(cell))
				numbers[i] = numbers[i] && (r == 0 || cell == "" || isNumber(cell))
			}
		}
	}
	var b strings.Builder
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			pad := strings.Repeat(" ", max(widths[i]-utf8.RuneCountInString(cell), 0))
			if i > 0 {
				line += "  "
			}
			if numbers[i] {
				line += pad + cell
			} else {
				line += cell + pad
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// isNumber says whether a cell is flush right: it begins with a digit and has no blank.
func isNumber(cell string) bool {
	return cell[0] >= '0' && cell[0] <= '9' && !strings.Contains(cell, " ")
}

// wrapped breaks a text into lines that fit a terminal; lines after the first have its indent and
// two columns more.
func wrapped(text string) string {
	const columns = 100
	indent := text[:len(text)-len(strings.TrimLeft(text, " "))]
	lines := strings.Split(wrap(strings.TrimSpace(text), columns-len(indent)-2), "\n")
	return indent + strings.TrimSuffix(strings.Join(lines, "\n"+indent+"  "), indent+"  ")
}

// wrap breaks a text into lines of at most so many columns, but for longer words.
func wrap(text string, columns int) string {
	var b strings.Builder
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > columns {
			b.WriteString(line + "\n")
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return b.String() + line + "\n"
}

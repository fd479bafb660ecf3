# What a contributor types.

# Packages whose tests read datadriven files, and so know the flag -rewrite.
DRAWN = $(shell grep -rl --include='*_test.go' cockroachdb/datadriven model designs scenarios \
	| xargs -r -n1 dirname | sort -u | sed 's|^|./|')

# Where figures and results go; of these make figures commits the README's.
OUT = out

.PHONY: check golden bench figures

# check does all that must pass before a commit lands.
check:
	.ci/run

# golden writes the expected pictures anew; read the diff: each changed line needs a sentence.
golden:
	go test $(DRAWN) -rewrite

bench:
	go test -run '^$$' -bench . -benchmem ./...

figures:
	go run ./cmd/rtsim compare --out $(OUT)
	cp $(OUT)/send.svg docs/figures/

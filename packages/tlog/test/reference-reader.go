// Reads a log with the reference implementation of Go (golang.org/x/mod/sumdb): verifies the checkpoint, reads
// tiles as a client does, and checks a proof of each kind for every leaf that is named.
package main

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func fail(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func get(url string) []byte {
	response, err := http.Get(url)
	fail(err)
	defer response.Body.Close()
	if response.StatusCode != 200 {
		fail(fmt.Errorf("%s: %s", url, response.Status))
	}
	bytes, err := io.ReadAll(response.Body)
	fail(err)
	return bytes
}

// Paths of the checksum database begin with the height of tiles, which tlog-tiles leaves out.
func path(tile tlog.Tile) string {
	parts := strings.SplitN(tile.Path(), "/", 3)
	return "tile/" + parts[2]
}

type reader struct{ url string }

func (r reader) Height() int { return 8 }

func (r reader) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, tile := range tiles {
		all = append(all, get(r.url+"/"+path(tile)))
	}
	return all, nil
}

func (r reader) SaveTiles([]tlog.Tile, [][]byte) {}

func tree(text string) tlog.Tree {
	lines := strings.Split(text, "\n")
	size, err := strconv.ParseInt(lines[1], 10, 64)
	fail(err)
	bytes, err := base64.StdEncoding.DecodeString(lines[2])
	fail(err)
	var hash tlog.Hash
	copy(hash[:], bytes)
	return tlog.Tree{N: size, Hash: hash}
}

func entry(url string, index int64, size int64) []byte {
	tile := tlog.Tile{H: 8, L: 0, N: index / 256, W: 256}
	if rest := size - tile.N*256; rest < 256 {
		tile.W = int(rest)
	}
	bundle := get(url + "/" + strings.Replace(path(tile), "tile/0/", "tile/entries/", 1))
	for at := tile.N * 256; ; at++ {
		length := int(binary.BigEndian.Uint16(bundle))
		if at == index {
			return bundle[2 : 2+length]
		}
		bundle = bundle[2+length:]
	}
}

func main() {
	url := os.Args[1]
	verifier, err := note.NewVerifier(os.Args[2])
	fail(err)
	opened, err := note.Open(get(url+"/checkpoint"), note.VerifierList(verifier))
	fail(err)
	newest := tree(opened.Text)
	hashes := tlog.TileHashReader(newest, reader{url})
	for _, word := range os.Args[3:] {
		index, err := strconv.ParseInt(word, 10, 64)
		fail(err)
		record, err := tlog.ProveRecord(newest.N, index, hashes)
		fail(err)
		fail(tlog.CheckRecord(record, newest.N, newest.Hash, index, tlog.RecordHash(entry(url, index, newest.N))))
		older, err := tlog.TreeHash(index+1, hashes)
		fail(err)
		proof, err := tlog.ProveTree(newest.N, index+1, hashes)
		fail(err)
		fail(tlog.CheckTree(proof, newest.N, newest.Hash, index+1, older))
	}
	fmt.Printf("%d leaves, %d proofs\n", newest.N, 2*(len(os.Args)-3))
}

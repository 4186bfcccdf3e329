#!/usr/bin/env python3
"""Asks SQLite's FTS5, with its trigram tokenizer, what THRESHER_SEARCH_OUT=DIR go test ./focus/index -run QualityOver has
written into DIR: pages, then queries with the pages that answer them. Prints MRR and nDCG@10 for each list of queries."""

import json, math, pathlib, re, sqlite3, sys


def trigrams(words):
    """What FTS5 is asked: every word of three characters or more; of a script without spaces each three characters."""
    parts = []
    for word in re.findall(r"\w+", words):
        if word.isascii():
            parts += [word] if len(word) > 2 else []
        else:
            parts += [word[i : i + 3] for i in range(len(word) - 2)]
    return " OR ".join(f'"{p}"' for p in dict.fromkeys(parts))


def gains(grades):
    return sum(g / math.log2(i + 2) for i, g in enumerate(grades[:10]))


def main(folder):
    for file in sorted(pathlib.Path(folder).glob("*.jsonl")):
        base = sqlite3.connect(":memory:")
        base.execute("CREATE VIRTUAL TABLE pages USING fts5(title, text, tokenize='trigram')")
        figures, number = {}, 0
        for line in file.open(encoding="utf-8"):
            one = json.loads(line)
            if "title" in one:
                base.execute("INSERT INTO pages(rowid, title, text) VALUES (?, ?, ?)", (number, one["title"], one["text"]))
                number += 1
                continue
            right, asked, found = set(one["right"]), trigrams(one["query"]), []
            if asked:
                found = [row for row, in base.execute("SELECT rowid FROM pages WHERE pages MATCH ? ORDER BY bm25(pages, 5, 1) LIMIT 10", (asked,))]
            grades = [row in right for row in found]
            best = gains([1] * len(right))
            reciprocal = 1 / (grades.index(True) + 1) if True in grades else 0
            figures.setdefault(one["list"], []).append((reciprocal, gains(grades) / best if best else 0))
        for name, all_ in figures.items():
            mrr, ndcg = (sum(column) / len(all_) for column in zip(*all_))
            print(f"{file.stem:12} {name:22} {len(all_):3} queries   FTS5 trigram: MRR {mrr:.3f}  nDCG@10 {ndcg:.3f}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: fts5.py DIR")
    main(sys.argv[1])

"""Reads what thresher has written with other people's programs: python3 readback.py RUN FOLDER

RUN is a run folder with an archive, FOLDER has its export: pages.jsonl, pages.parquet, README.md. Every row must come back as it was.
"""
import datetime, glob, json, os, sys, tempfile

import datasets
import pyarrow.parquet
from warcio.archiveiterator import ArchiveIterator

run, folder = sys.argv[1:]
with open(os.path.join(folder, "pages.jsonl"), encoding="utf-8") as lines:
    want = [json.loads(line) for line in lines]
assert want, "nothing was exported"


def same(row, page, reader):
    for name, value in page.items():
        got = row[name]
        if name in ("terms", "why", "trail", "data") and isinstance(got, str):
            got = json.loads(got)
        if isinstance(got, datetime.datetime):
            got, value = got.strftime("%Y-%m-%dT%H:%M:%S.%f")[:23], (value.rstrip("Z").split("+")[0] + ("" if "." in value else ".")).ljust(23, "0")[:23]
        assert got == value, f"{reader}: {name} of {page['url']} is {got!r}, want {value!r}"


table = pyarrow.parquet.read_table(os.path.join(folder, "pages.parquet"))
rows = table.to_pylist()
assert len(rows) == len(want), f"pyarrow: {len(rows)} rows of {len(want)}"
for row, page in zip(rows, want):
    same(row, page, "pyarrow")
chinese = sum(any("一" <= c <= "鿿" for c in page["title"]) for page in want)
print(f"pyarrow {pyarrow.__version__}: {len(rows)} rows, {chinese} with Chinese titles, {len(table.column_names)} columns")

os.environ["HF_HUB_OFFLINE"] = "1"
with tempfile.TemporaryDirectory() as cache:
    for kind, name in (("parquet", "pages.parquet"), ("json", "pages.jsonl")):
        loaded = datasets.load_dataset(kind, data_files=os.path.join(folder, name), split="train", cache_dir=cache)
        assert loaded.num_rows == len(want), f"datasets, {kind}: {loaded.num_rows} rows of {len(want)}"
        assert loaded["text"][:] == [page["text"] for page in want] if hasattr(loaded["text"], "__getitem__") else True
    print(f"datasets {datasets.__version__}: {loaded.num_rows} rows of both files")

from huggingface_hub import DatasetCard  # noqa: E402

card = DatasetCard.load(os.path.join(folder, "README.md"))
assert card.data.to_dict().get("pretty_name"), "the card has no head that a hub reads"
print("huggingface_hub: the card says", sorted(card.data.to_dict()))

with open(os.path.join(run, "harvest.jsonl"), encoding="utf-8") as lines:  # what a second look takes in was not archived
    kept = {json.loads(line)["final_url"] for line in lines}
records = {}
for path in sorted(glob.glob(os.path.join(run, "*.warc.gz"))):
    with open(path, "rb") as stream:
        for record in ArchiveIterator(stream, check_digests="raise"):
            records[record.rec_type] = records.get(record.rec_type, 0) + 1
            record.content_stream().read()
            if record.rec_type == "response":
                kept.discard(record.rec_headers.get_header("WARC-Target-URI"))
assert records.get("response"), "warcio: no response in the archive"
assert not kept, f"warcio: no response of {sorted(kept)[:3]}"
print("warcio:", records)

clusters, told = {page["final_url"]: page["cluster"] for page in want}, {}
with open(os.path.join(folder, "pages.warc.gz"), "rb") as stream:
    for record in ArchiveIterator(stream, check_digests="raise"):
        block = record.content_stream().read()
        if record.rec_type == "metadata":
            fields = dict(line.split(": ", 1) for line in block.decode("utf-8").splitlines())
            told[record.rec_headers.get_header("WARC-Target-URI")] = int(fields["cluster"])
assert told and all(clusters[address] == cluster for address, cluster in told.items()), "warcio: the exported archive tells other clusters"
print("warcio:", len(told), "pages of the exported archive, each with its cluster")

"""Keeps all agreements and item prices in a SQLite file. Run it as often as you like: ASSIZE_URL=… ASSIZE_KEY=… python3 sync.py"""
import json
import sqlite3
import sys

from assize import Assize

with sqlite3.connect(sys.argv[1] if len(sys.argv) > 1 else "assize.db") as db, Assize() as client:
    db.execute("create table if not exists copy (place integer primary key check (place = 1), content text)")
    db.execute("create table if not exists agreement (slug text primary key, status text, period text, price text)")
    db.execute("create table if not exists price (agreement text, item text, from_quantity text, price text, currency text)")
    kept = db.execute("select content from copy").fetchone()
    copy = client.sync(json.loads(kept[0]) if kept else None)
    for slug in copy["changed"]:
        db.execute("delete from agreement where slug = ?", [slug])
        db.execute("delete from price where agreement = ?", [slug])
        for row in filter(None, [copy["agreements"].get(slug)]):
            db.execute("insert into agreement values (?, ?, ?, ?)", [slug, row["status"], row["period"], str(row["price"])])
        for line in copy["prices"].get(slug, []):
            cells = [slug, line["item"], str(line["fromQuantity"]), str(line["price"]), line["currency"]]
            db.execute("insert into price values (?, ?, ?, ?, ?)", cells)
    db.execute("insert or replace into copy values (1, ?)", [json.dumps(copy, default=str)])
print("%d agreements, %d changed" % (len(copy["agreements"]), len(copy["changed"])))

"""The client as a program that is told what to do, a line at a time, and answers a line at a time: for tests in another language."""

import json
import sys

import assize
from scripted import VirtualClock

clients = {}


def client(told):
    options = {"clock": VirtualClock()} if told["isHasty"] else {}
    place = (told["url"], told["key"])
    if place not in clients:
        clients[place] = assize.Assize(*place, retries=30, **options)
    return clients[place]


def walk(told):
    """Every series, listed and searched, and the values of one."""
    asked, limit = client(told), told["limit"]
    return {
        "listed": [row["id"] for row in asked.series.list(limit=limit)],
        "found": [row["id"] for row in asked.series.find(limit=limit)],
        "values": [row["value"] for row in asked.series.values(told["series"], limit=limit)],
    }


def sync(told):
    return client(told).sync(told["before"])


for line in sys.stdin:
    told = json.loads(line)
    try:
        answer = {"done": {"walk": walk, "sync": sync}[told["what"]](told)}
    except Exception as why:
        answer = {"failed": "%s: %s" % (type(why).__name__, why)}
    print(json.dumps(answer, default=str), flush=True)

"""What pysdmx, an independent reader of SDMX for Python, reads from a server: SDMX-CSV 2.0."""
import os
import sys
import urllib.request

# This file has the name of the module that it tries.
sys.path.pop(0)
from pysdmx.io import get_datasets, read_sdmx  # noqa: E402,F401

BASE, KEY = os.environ["SDMX_BASE"], os.environ["SDMX_KEY"]


def show(name, path):
    headers = {"Authorization": "Bearer " + KEY, "Accept": "application/vnd.sdmx.data+csv;version=2.0.0"}
    with urllib.request.urlopen(urllib.request.Request(BASE + path, headers=headers)) as answer:
        message = read_sdmx(answer.read().decode(), validate=False)
    for data in message.data:
        for _, row in data.data.iterrows():
            print(name, row["SERIES"], row["FREQ"], row["TIME_PERIOD"], row["OBS_VALUE"], row["VERSION_TAG"])


show("now", "/data/dataflow/ASSIZE/CUSTOM")
show("then", "/data/dataflow/ASSIZE/CUSTOM/1.0/metal.M?asOf=2024-04-14")

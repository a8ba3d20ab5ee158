"""What sdmx1, an independent reader of SDMX for Python, reads from a server: SDMX-ML 2.1 and SDMX-ML 3.0."""
import io
import os
import urllib.request

import sdmx

BASE, KEY = os.environ["SDMX_BASE"], os.environ["SDMX_KEY"]


def read(path, accept="application/xml"):
    request = urllib.request.Request(BASE + path, headers={"Authorization": "Bearer " + KEY, "Accept": accept})
    with urllib.request.urlopen(request) as answer:
        return sdmx.read_sdmx(io.BytesIO(answer.read()), format="XML")


flows = read("/structure/dataflow/ASSIZE")
print("flows", *sorted(flows.dataflow))
message = read("/structure/datastructure/ASSIZE/CUSTOM?references=children")
print("codes", *sorted(code.id for code in message.codelist["CL_CUSTOM_SERIES"]))
structure = message.structure["CUSTOM"]
print("dimensions", *(each.id for each in structure.dimensions if each.id != "TIME_PERIOD"))


def show(name, path):
    for data in read(path).data:
        for each in data.obs:
            key = {k: v.value for k, v in each.key.values.items()}
            tag = each.attached_attribute["VERSION_TAG"].value
            print(name, key["SERIES"], key["FREQ"], key["TIME_PERIOD"], each.value, tag)


show("now", "/data/dataflow/ASSIZE/CUSTOM")
show("then", "/data/dataflow/ASSIZE/CUSTOM/1.0/metal.M?asOf=2024-04-14")

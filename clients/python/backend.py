"""Builds the package, as PEP 517 asks for it, with the standard library alone: a wheel and a source archive are two small
archives, and whoever builds them needs no connection. By hand:

    python3 backend.py FOLDER
"""

import base64
import hashlib
import io
import os
import re
import sys
import tarfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
NAME = "assize"
#: The same bytes from the same sources.
MOMENT = (1980, 1, 1, 0, 0, 0)


def read(*path):
    with open(os.path.join(HERE, *path), "rb") as file:
        return file.read()


def version():
    return re.search(r'VERSION = "(.+)"', read(NAME, "version.py").decode("utf-8")).group(1)


def field(name):
    """Of the table [project]."""
    return re.search(r'(?m)^%s = "(.+)"$' % name, read("pyproject.toml").decode("utf-8")).group(1)


def metadata():
    lines = [
        "Metadata-Version: 2.1",
        "Name: " + NAME,
        "Version: " + version(),
        "Summary: " + field("description"),
        "License: Apache-2.0",
        "Requires-Python: " + field("requires-python"),
        "Provides-Extra: pandas",
        'Requires-Dist: pandas; extra == "pandas"',
        "Description-Content-Type: text/markdown",
        "",
        read("README.md").decode("utf-8"),
    ]
    return "\n".join(lines).encode("utf-8")


def sources():
    """The files of the package. The verifier is the project's own: here a link, in archives a file."""
    names = sorted(name for name in os.listdir(os.path.join(HERE, NAME)) if name.endswith((".py", ".typed")))
    return {"%s/%s" % (NAME, name): read(NAME, name) for name in names}


def information():
    folder = "%s-%s.dist-info" % (NAME, version())
    wheel = b"Wheel-Version: 1.0\nGenerator: assize\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    return {folder + "/METADATA": metadata(), folder + "/WHEEL": wheel}, folder


def record(files, place):
    def line(name, content):
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode("ascii")
        return "%s,sha256=%s,%d\n" % (name, digest, len(content))

    return ("".join(line(*each) for each in files.items()) + place + ",,\n").encode("utf-8")


def write_wheel(folder, files):
    about, information_folder = information()
    whole = {**files, **about}
    place = information_folder + "/RECORD"
    whole[place] = record(whole, place)
    name = "%s-%s-py3-none-any.whl" % (NAME, version())
    with zipfile.ZipFile(os.path.join(folder, name), "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in whole.items():
            entry = zipfile.ZipInfo(path, MOMENT)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return write_wheel(wheel_directory, sources())


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return write_wheel(wheel_directory, {NAME + ".pth": (HERE + "\n").encode("utf-8")})


def build_sdist(sdist_directory, config_settings=None):
    root = "%s-%s" % (NAME, version())
    kept = {name: read(name) for name in ("README.md", "backend.py", "pyproject.toml")}
    with tarfile.open(os.path.join(sdist_directory, root + ".tar.gz"), "w:gz") as archive:
        for path, content in {"PKG-INFO": metadata(), **kept, **sources()}.items():
            entry = tarfile.TarInfo("%s/%s" % (root, path))
            entry.size = len(content)
            entry.mode = 0o644
            archive.addfile(entry, io.BytesIO(content))
    return root + ".tar.gz"


if __name__ == "__main__":
    os.makedirs(sys.argv[1], exist_ok=True)
    print(build_wheel(sys.argv[1]), build_sdist(sys.argv[1]), sep="\n")

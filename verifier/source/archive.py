"""Archives: the one grammar of ZIP that every program unpacks alike (receipt/package.md, section 1).

Whatever two programs could read differently is refused: other names, links, hidden sizes, bytes that belong to no file.
"""

import re
import struct
import unicodedata
import zlib

from text import Unreadable, decode_utf8, visible

MOST_BYTES, MOST_FILES, LONGEST_PATH = 200_000_000, 20_000, 400
ENCRYPTED, SIZES_FOLLOW, UTF8_NAME, EFFORT = 0x1, 0x8, 0x800, 0x6
NEWEST_VERSION = 20
STORED, DEFLATED = 0, 8
# Times and owners; any other field can give a file another name, size or kind.
HARMLESS_FIELDS = (0x5455, 0x7875, 0x5855, 0x000A)
FILE_KINDS, FOLDER_KINDS = (0, 0x8), (0, 0x4)
DISK_NAME, FOLDER_BIT = 0x8, 0x10


def refuse(why):
    raise Unreadable("the archive cannot be relied on: " + why)


def check(is_so, why):
    if not is_so:
        refuse(why)


def path_in(raw):
    """A name that no system changes when it unpacks it."""
    path = decode_utf8(raw)
    check(path is not None and len(raw) <= LONGEST_PATH, "a path is too long, or not UTF-8")
    steps = (path[:-1] if path.endswith("/") else path).split("/")
    is_plain = all(step and not re.search(r'[\\:*?"<>|]|[. ]\Z', step) for step in steps)
    check(is_plain and visible(path) == path and unicodedata.normalize("NFC", path) == path, "%s is no plain path" % path)
    return path


def check_fields(raw):
    at = 0
    while at + 4 <= len(raw):
        kind, length = struct.unpack_from("<HH", raw, at)
        check(kind in HARMLESS_FIELDS, "a field is there that not every program reads")
        at += 4 + length
    check(at == len(raw), "a field is cut off")


class Entry:
    """A file as the directory lists it."""

    def __init__(self, data, at, end):
        check(at + 46 <= end and data[at : at + 4] == b"PK\x01\x02", "its directory is damaged")
        head = struct.unpack_from("<HHHHHHIIIHHHHHII", data, at + 4)
        _, version, self.flags, self.method, _, _, self.crc, self.packed, self.size = head[:9]
        name, fields, remark, disk, internal, attributes, self.at = head[9:]
        self.end = at + 46 + name + fields + remark
        check(self.end <= end, "its directory is damaged")
        self.path = path_in(data[at + 46 : at + 46 + name])
        self.is_folder = self.path.endswith("/")
        self.check_described(version)
        kind = attributes >> 28
        check(kind in (FOLDER_KINDS if self.is_folder else FILE_KINDS), "%s is neither a file nor a folder" % self.path)
        is_odd = attributes & DISK_NAME or (attributes & FOLDER_BIT and not self.is_folder)
        check(not is_odd and disk == 0, "%s is neither a file nor a folder" % self.path)
        check(remark == 0 and internal <= 1, "%s has something beside it" % self.path)
        check(self.method == DEFLATED or self.packed == self.size, "%s has two sizes" % self.path)
        check_fields(data[at + 46 + name : at + 46 + name + fields])

    def check_described(self, version):
        known = SIZES_FOLLOW | UTF8_NAME | (EFFORT if self.method == DEFLATED else 0)
        check(self.method in (STORED, DEFLATED), "%s is packed in another way" % self.path)
        check(self.flags & ~known == 0 and version & 0xFF <= NEWEST_VERSION, "%s needs something more" % self.path)
        check(0xFFFFFFFF not in (self.packed, self.size), "%s is too large" % self.path)
        check(self.flags & UTF8_NAME or re.fullmatch("[ -~]*", self.path), "the letters of %s are not said" % self.path)
        check(not (self.is_folder and self.size), "%s is a folder with something in it" % self.path)

    def check_place(self, data, expected, directory):
        """What stands in front of the file says the same; returns where the file ends."""
        check(self.at == expected and self.at + 30 <= directory, "bytes belong to no file")
        check(data[self.at : self.at + 4] == b"PK\x03\x04", "%s is not where it should be" % self.path)
        head = struct.unpack_from("<HHHHHIIIHH", data, self.at + 4)
        version, flags, method, sizes, name, fields = head[0], head[1], head[2], head[5:8], head[8], head[9]
        begin = self.at + 30 + name
        self.begin = begin + fields
        check(self.begin <= directory, "%s is cut off" % self.path)
        own = (self.crc, self.packed, self.size)
        # Whoever unpacks while it arrives would not know where a stored file ends.
        may_follow = self.flags & SIZES_FOLLOW and (self.method == DEFLATED or self.size == 0)
        is_same = (flags, method) == (self.flags, self.method) and path_in(data[self.at + 30 : begin]) == self.path
        check(is_same and (sizes == own or (may_follow and sizes == (0, 0, 0))), "%s is described twice" % self.path)
        self.check_described(version)
        check_fields(data[begin : self.begin])
        return self.begin + self.packed

    def check_sizes_behind(self, data, end, following):
        """Checksum and sizes once more, with a mark or without; returns where the next file begins."""
        if not self.flags & SIZES_FOLLOW or end == following:
            return end
        own = struct.pack("<III", self.crc, self.packed, self.size)
        check(data[end:following] in (own, b"PK\x07\x08" + own), "%s is described twice" % self.path)
        return following


class Archive:
    """The files of an archive in their order; each is unpacked when it is asked for."""

    def __init__(self, data):
        self.data = data
        directory, end, count = self.find_directory()
        entries, at, total = [], directory, 0
        for _ in range(count):
            entry = Entry(data, at, end)
            at, total = entry.end, total + entry.size
            check(total <= MOST_BYTES, "its files are too large")
            entries.append(entry)
        check(at == end, "its directory is damaged")
        self.check_paths([entry.path for entry in entries])
        entries.sort(key=lambda entry: entry.at)
        at = 0
        for entry, following in zip(entries, [entry.at for entry in entries[1:]] + [directory]):
            over = entry.check_place(data, at, directory)
            check(over <= directory, "%s is cut off" % entry.path)
            at = entry.check_sizes_behind(data, over, following)
        check(at == directory, "bytes belong to no file")
        self.files = {entry.path: entry for entry in entries if not entry.is_folder}

    def find_directory(self):
        """Where it begins and ends, and how many files it lists: by the one end record, behind which nothing follows."""
        data = self.data
        at = data.rfind(b"PK\x05\x06", max(0, len(data) - 22 - 0xFFFF))
        while at >= 0 and (at + 22 > len(data) or at + 22 + struct.unpack_from("<H", data, at + 20)[0] != len(data)):
            at = data.rfind(b"PK\x05\x06", max(0, len(data) - 22 - 0xFFFF), at + 3)
        if at < 0:
            raise Unreadable("this is not a whole ZIP archive: its directory is missing")
        parts, here, count, size, start = struct.unpack_from("<IHHII", data, at + 4)
        check(parts == 0 and here == count, "it is one of several parts")
        check(start + size == at, "its directory is not where it should be")
        check(at < 20 or data[at - 20 : at - 16] != b"PK\x06\x07", "it has a second directory")
        check(data.find(b"PK\x05\x06", at + 4) < 0, "it has two ends")
        check(count <= MOST_FILES, "it has too many files")
        return start, at, count

    @staticmethod
    def check_paths(paths):
        """Some systems make one path of two that differ in letter case."""
        lowered = [re.sub("[A-Z]", lambda letter: letter.group().lower(), path) for path in paths]
        folders = {path[: at.start() + 1] for path in lowered for at in re.finditer("/", path)}
        check(len(set(lowered)) == len(lowered), "a path is in it twice")
        check(not any(path + "/" in folders for path in lowered), "a path is a file and a folder")

    def unpacked(self, path):
        """Never more than the archive says, with its checksum compared."""
        entry = self.files[path]
        content = self.data[entry.begin : entry.begin + entry.packed]
        is_whole = True
        if entry.method == DEFLATED:
            reader = zlib.decompressobj(-15)
            try:
                content = reader.decompress(content, entry.size + 1)
                is_whole = reader.eof and not reader.unused_data
            except zlib.error:
                is_whole = False
        if not is_whole or len(content) != entry.size or zlib.crc32(content) != entry.crc:
            raise Unreadable("%s in the archive is damaged" % path)
        return content

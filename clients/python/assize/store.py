"""Answers that are kept with their tags, so that the server can say "still the same" instead of sending them again."""

import hashlib
import os
import tempfile
import threading
from collections import OrderedDict
from typing import NamedTuple, Optional, Protocol, Union


class KeptAnswer(NamedTuple):
    etag: str
    #: The header ``Link``, which belongs to the answer as its body does; empty where there is none.
    link: str
    body: bytes


class Store(Protocol):
    """Where answers are kept. A name says which answer it is, and for which key; it is not the key."""

    def get(self, name: str) -> Optional[KeptAnswer]: ...

    def set(self, name: str, kept: KeptAnswer) -> None: ...


class MemoryStore:
    """Keeps the answers that were used last, up to a number of bytes."""

    def __init__(self, most_bytes: int = 32 * 1024 * 1024) -> None:
        self._most = most_bytes
        self._held: "OrderedDict[str, KeptAnswer]" = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def get(self, name: str) -> Optional[KeptAnswer]:
        with self._lock:
            kept = self._held.get(name)
            if kept is not None:
                self._held.move_to_end(name)
            return kept

    def set(self, name: str, kept: KeptAnswer) -> None:
        with self._lock:
            before = self._held.pop(name, None)
            if before is not None:
                self._bytes -= len(before.body)
            self._held[name] = kept
            self._bytes += len(kept.body)
            while self._bytes > self._most:
                _, oldest = self._held.popitem(last=False)
                self._bytes -= len(oldest.body)


class FileStore:
    """Keeps answers in a folder, for scripts that begin anew every night. What is damaged is asked for again."""

    def __init__(self, folder: Union[str, "os.PathLike[str]"]) -> None:
        self._folder = os.fspath(folder)
        os.makedirs(self._folder, mode=0o700, exist_ok=True)

    def get(self, name: str) -> Optional[KeptAnswer]:
        try:
            with open(self._path(name), "rb") as file:
                head, etag, link, body = file.read().split(b"\n", 3)
        except (OSError, ValueError):
            return None
        if head.decode("ascii", "replace") != _digest(etag, link, body):
            return None
        return KeptAnswer(etag.decode("utf-8"), link.decode("utf-8"), body)

    def set(self, name: str, kept: KeptAnswer) -> None:
        etag, link = kept.etag.encode("utf-8"), kept.link.encode("utf-8")
        # Written beside and moved into place, so that nobody ever reads half of it.
        handle, path = tempfile.mkstemp(dir=self._folder)
        with os.fdopen(handle, "wb") as file:
            file.write(b"\n".join([_digest(etag, link, kept.body).encode("ascii"), etag, link, kept.body]))
        os.replace(path, self._path(name))

    def _path(self, name: str) -> str:
        return os.path.join(self._folder, hashlib.sha256(name.encode("utf-8")).hexdigest())


def _digest(*parts: bytes) -> str:
    return hashlib.sha256(b"\n".join(parts)).hexdigest()

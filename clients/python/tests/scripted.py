"""The other side as a script: a server that sends given bytes, one script for each request, and a clock that nobody waits for."""

import json
import socket
import threading
from typing import Dict, List, Optional, Union


class VirtualClock:
    """Who sleeps is woken at once, and the clock says that the time has passed."""

    def __init__(self) -> None:
        self.slept: List[float] = []
        self.time = 0.0

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += seconds

    def random(self) -> float:
        return 0.5


def answer(value: object, status: int = 200, headers: Optional[Dict[str, str]] = None, cut: int = 0) -> bytes:
    """The bytes of an answer, of which the last few may be missing."""
    body = value if isinstance(value, bytes) else json.dumps(value).encode("utf-8")
    head = ["HTTP/1.1 %d Status" % status, "content-length: %d" % len(body)]
    head += ["%s: %s" % each for each in (headers or {}).items()]
    whole = "\r\n".join(head).encode("utf-8") + b"\r\n\r\n" + body
    return whole[: len(whole) - cut]


class Script:
    """Answers requests with what is given, in order; what is None closes the connection without a word, and what is cut off too."""

    def __init__(self, steps: List[Optional[bytes]]) -> None:
        self.sent: List[str] = []
        self._steps = list(steps)
        self._listening = socket.socket()
        self._listening.bind(("127.0.0.1", 0))
        self._listening.listen(16)
        self.url = "http://127.0.0.1:%d" % self._listening.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._listening.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            threading.Thread(target=self._talk, args=[connection], daemon=True).start()

    def _talk(self, connection: socket.socket) -> None:
        with connection, connection.makefile("rb") as reader:
            while True:
                request = _request(reader)
                if request is None:
                    return
                self.sent.append(request)
                step = self._steps.pop(0) if self._steps else None
                if step is None:
                    return
                connection.sendall(step)
                if not _is_whole(step):
                    return


def _request(reader: "Union[object, socket.SocketIO]") -> Optional[str]:
    lines = []
    while True:
        line = reader.readline().decode("utf-8")  # type: ignore[union-attr]
        if line == "":
            return None
        if line == "\r\n":
            break
        lines.append(line.rstrip())
    length = next((int(line.split(":")[1]) for line in lines if line.lower().startswith("content-length:")), 0)
    body = reader.read(length).decode("utf-8")  # type: ignore[union-attr]
    return "\n".join(lines + ([body] if body else []))


def _is_whole(step: bytes) -> bool:
    head, _, body = step.partition(b"\r\n\r\n")
    return any(line == b"content-length: %d" % len(body) for line in head.split(b"\r\n")) and b"connection: close" not in head

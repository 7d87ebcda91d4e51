"""Attempts on the virtual machine that a server makes as a program before it serves anyone.

Each is a program, ungated. What it must end with is said beside it; a level is what these measured.
"""

from __future__ import annotations

from typing import NamedTuple

from verifiers.zygote import wire

_REACH = """
def reach(name):
    for kind in ().__class__.__base__.__subclasses__():
        if kind.__name__ == '_wrap_close':
            return kind.__init__.__globals__['sys'].modules[name]
def refused(*attempts):
    for attempt in attempts:
        try:
            attempt()
        except (OSError, ImportError, AttributeError, LookupError, NotImplementedError):
            continue
        return False
    return True
"""


class Probe(NamedTuple):
    """`end`: how the input must end; where that is `FINISHED`, its record must be of kind `record` and hold `value`."""

    name: str
    code: str
    record: int = wire.OK
    value: bytes = b"T"
    end: int = wire.FINISHED


def _refused(name: str, *attempts: str) -> Probe:
    tried = ", ".join(f"lambda: {attempt}" for attempt in attempts)
    return Probe(name, f"{_REACH}def f():\n    os = reach('posix')\n    return refused({tried})")


_PATHS = ("/", ".", "/etc/passwd", "/proc/self/environ", "/tmp", "../..")

PROBES = (
    Probe("compute", "def f(): return 6 * 7", value=b"i2a;"),
    _refused("open_file", *(f"os.open({path!r}, 0)" for path in _PATHS)),
    _refused("make_file", *(f"os.open({path!r} + '/escaped', 0o102)" for path in _PATHS)),
    _refused("list_files", *(f"os.listdir({path!r})" for path in _PATHS)),
    _refused("use_open_files", *(f"{call}" for n in range(9) for call in (f"os.read({n}, 1)", f"os.write({n}, b'x')"))),
    _refused("open_socket", "__import__('_socket').socket()", "reach('_socket').socket()"),
    _refused("fork", "os.fork()"),
    _refused("execute", "os.execv('/bin/true', ['true'])"),
    _refused("draw_random", "os.urandom(8)"),
    Probe("hog_memory", "def f(): return len(bytearray(1 << 29))", wire.MEMORY, b""),
    Probe("loop", "def f():\n    while True: pass", end=wire.CPU),
)

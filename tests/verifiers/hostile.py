# ruff: noqa: E501
"""Programs that try to break free, and the exact status each must end with. Standard library and `verifiers` only: the table
also runs by itself, as `python -m tests.verifiers.hostile [walls to leave out]`, to be tried as another user.

Programs run ungated. `reach` walks from `object` to any loaded module, ctypes among them, so that it is the kernel's walls
that are tried and not the builtins.
"""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import dataclass

from verifiers.sandbox import Job, Limits, Outcome, Sandbox, Status, open_sandbox
from verifiers.values import encode

REACH = """
def reach(name):
    for kind in ().__class__.__base__.__subclasses__():
        if kind.__name__ == '_wrap_close':
            return kind.__init__.__globals__['sys'].modules[name]
def syscall(number, *arguments):
    ctypes = reach('ctypes')
    call = ctypes.CDLL(None, use_errno=True).syscall
    return call(ctypes.c_long(number), *map(ctypes.c_long, arguments)), ctypes.get_errno()
def page():
    frame = reach('sys')._getframe()
    while 'page' not in frame.f_locals:
        frame = frame.f_back
    return frame.f_locals['page']
"""

LIMITS = Limits(cpu_s=0.2, wall_s=10.0, memory_mb=128)
ROOMY = Limits(cpu_s=3.0, wall_s=30.0, memory_mb=128)
WAITING = Limits(cpu_s=0.2, wall_s=0.5, memory_mb=128)


@dataclass(frozen=True)
class Attack:
    """`row` is a label; `gated` says whether the static gate refuses the program as well."""

    row: str
    code: str
    status: Status
    error: str | None = None
    gated: bool = True
    limits: Limits = LIMITS


def _f(body: str) -> str:
    return "def f(x):\n" + "".join(f"    {line}\n" for line in body.strip().split("\n"))


def _reach(body: str) -> str:
    return REACH + _f(body)


def _call(number: int, *arguments: int) -> str:
    return _reach(f"return syscall({', '.join(map(str, (number, *arguments)))})")


_CPU, _MEM, _VIOLATION, _RAISED = Status.CPU, Status.MEMORY, Status.VIOLATION, Status.RAISED
_BAD, _CRASH, _OK, _NONE, _PROTOCOL = Status.BAD_VALUE, Status.CRASH, Status.OK, Status.NO_RESULT, Status.PROTOCOL

ATTACKS = [
    Attack("01 endless loop", _f("while True: pass"), _CPU, gated=False),
    Attack("01 endless loop outside f", "while True: pass\ndef f(x): return x", _CPU, gated=False),
    Attack("02 loop that catches everything", _f("while True:\n    try:\n        while True: pass\n    except BaseException: pass"), _CPU, gated=False),
    Attack("03 sleep", _reach("reach('time').sleep(100)"), _RAISED, "PermissionError"),
    Attack("03 wait on a lock", _reach("lock = reach('_thread').allocate_lock()\nlock.acquire()\nlock.acquire()"), Status.WALL, limits=WAITING),
    Attack("04 fork", _reach("return reach('os').fork()"), _VIOLATION),
    Attack("04 fork bomb", _reach("while True:\n    try: reach('os').fork()\n    except Exception: pass"), _VIOLATION),
    Attack("04 raw fork", _call(57), _VIOLATION),
    Attack("04 vfork", _call(58), _VIOLATION),
    Attack("04 clone3", _call(435, 0, 0), _VIOLATION),
    Attack("05 thread", _reach("return reach('_thread').start_new_thread(print, ())"), _VIOLATION),
    Attack("06 setsid", _reach("return reach('os').setsid()"), _VIOLATION),
    Attack("07 a long string", _f("return len('a' * 10**10)"), _MEM, gated=False, limits=ROOMY),
    Attack("08 a growing list", _f("a = []\nwhile True: a.append('x' * 100000)"), _MEM, gated=False, limits=ROOMY),
    Attack("08 a growing list that catches", _f("a = []\nwhile True:\n    try: a.append('x' * 100000)\n    except MemoryError: pass"), _CPU),
    Attack("09 a shifted int", _f("return 1 << 10**12"), _MEM, gated=False, limits=ROOMY),
    Attack("10 a power in C", _f("return (10 ** 10**8) % 7"), _CPU, gated=False, limits=Limits(0.2, 10.0, 512)),
    Attack("11 nested comprehension", _f("return sum(1 for a in range(10**5) for b in range(10**5))"), _CPU, gated=False),
    Attack("12 regex that backtracks", "import re\n" + _f("return re.match('(a+)+$', 'a' * 40 + 'b')"), _CPU, gated=False),
    Attack("13 digits of a long int", _f("return str(10 ** 5000)"), _RAISED, "ValueError", gated=False),
    Attack("13 a long int", _f("return 10 ** 5000"), _BAD, gated=False),
    Attack("14 recursion", _f("return f(x)"), _RAISED, "RecursionError", gated=False),
    Attack("15 C stack", _reach("reach('sys').setrecursionlimit(10**9)\ndef g(n): return max([n], key=g)\nreturn g(1)"), _CRASH if sys.version_info < (3, 12) else _RAISED),
    Attack("16 a deep result", _f("a = []\nfor _ in range(10000): a = [a]\nreturn a"), _BAD, gated=False),
    Attack("17 a cyclic result", _f("a = []\na.append(a)\nreturn a"), _BAD, gated=False),
    Attack("17 a cyclic dict", _f("a = {}\na[1] = a\nreturn a"), _BAD, gated=False),
    Attack("18 a result of 100 MB", _f("return 'a' * (100 << 20)"), _BAD, gated=False, limits=ROOMY),
    Attack("19 a result of a million members", _f("return [0] * 10**6"), _BAD, gated=False, limits=ROOMY),
    Attack("19 a result that unfolds", _f("a = []\nfor _ in range(39): a = [a, a]\nreturn a"), _BAD, gated=False, limits=ROOMY),
    Attack("20 print flood", _f("while True: print('a' * 10000)"), _MEM, gated=False, limits=ROOMY),
    Attack("21 finalizer that loops", "class A:\n    def __del__(self):\n        while True: pass\n" + _f("A()\nreturn 1"), _CPU),
    Attack("22 open", _reach("return reach('io').open('/etc/passwd').read()"), _RAISED, "PermissionError"),
    Attack("22 os.open", _reach("return reach('os').open('/', 0)"), _RAISED, "PermissionError"),
    Attack("22 open, plainly", _f("return open('/etc/passwd').read()"), _RAISED, "NameError"),
    Attack("23 listdir", _reach("return reach('os').listdir('/')"), _RAISED, "PermissionError"),
    Attack("23 make a file", _reach("return reach('os').open('/tmp/escaped', 0o102)"), _RAISED, "PermissionError"),
    Attack("23 openat2", _call(437, -100, 0, 0, 0), _VIOLATION),
    Attack("23 open_by_handle_at", _call(304, 0, 0, 0), _VIOLATION),
    Attack("24 socket", _call(41, 2, 1, 0), _VIOLATION),
    Attack("24 socketpair", _call(53, 1, 1, 0, 0), _VIOLATION),
    Attack("24 the socket module", _reach("return reach('_socket')"), _RAISED, "KeyError"),
    Attack("25 system", _reach("return reach('posix').system('true')"), _VIOLATION),
    Attack("25 execve", _reach("reach('os').execve('/bin/true', ['true'], {})"), _VIOLATION),
    Attack("25 execveat", _call(322, -100, 0, 0, 0, 0), _VIOLATION),
    Attack("26 kill process 1", _reach("reach('os').kill(1, 9)"), _VIOLATION),
    Attack("26 kill all", _reach("reach('os').kill(-1, 9)"), _VIOLATION),
    Attack("26 tgkill", _call(234, 1, 1, 9), _VIOLATION),
    Attack("26 stop myself", _reach("os = reach('os')\nos.kill(os.getpid(), 19)"), _VIOLATION),
    Attack("27 ptrace", _call(101, 16, 1, 0, 0), _VIOLATION),
    Attack("27 process_vm_readv", _call(310, 1, 0, 0, 0, 0, 0), _VIOLATION),
    Attack("27 process_vm_writev", _call(311, 1, 0, 0, 0, 0, 0), _VIOLATION),
    Attack("27 pidfd_open", _call(434, 1, 0), _VIOLATION),
    Attack("27 pidfd_getfd", _call(438, 3, 0, 0), _VIOLATION),
    Attack("28 ignore a signal", _reach("signal = reach('signal')\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)"), _RAISED, "PermissionError"),
    Attack("28 block signals", _reach("signal = reach('signal')\nsignal.pthread_sigmask(0, {15, 24})"), _RAISED, "PermissionError"),
    Attack("29 raise a limit", _reach("resource = reach('resource')\nresource.setrlimit(9, (-1, -1))"), _RAISED, "ValueError"),
    Attack("30 io_uring_setup", _call(425, 1, 0), _VIOLATION),
    Attack("30 bpf", _call(321, 0, 0, 0), _VIOLATION),
    Attack("30 userfaultfd", _call(323, 0), _VIOLATION),
    Attack("30 keyctl", _call(250, 0), _VIOLATION),
    Attack("30 perf_event_open", _call(298, 0, 0, -1, -1, 0), _VIOLATION),
    Attack("30 unshare", _call(272, 0x10000000), _VIOLATION),
    Attack("30 mount", _call(165, 0, 0, 0, 0, 0), _VIOLATION),
    Attack("30 memfd_create", _call(319, 0, 0), _VIOLATION),
    Attack("30 memfd_secret", _call(447, 0), _VIOLATION),
    Attack("30 shmget", _call(29, 0, 4096, 0), _VIOLATION),
    Attack("30 prctl", _call(157, 38, 1, 0, 0, 0), _VIOLATION),
    Attack("30 seccomp", _call(317, 0, 0, 0), _VIOLATION),
    Attack("30 personality", _call(135, 0x0400000), _VIOLATION),
    Attack("30 pkey_mprotect", _call(329, 0, 4096, 7, -1), _VIOLATION),
    Attack("31 x32", _call(0x40000000 + 39), _VIOLATION),
    Attack("31 a call of the 32-bit kind", _reach("ctypes = reach('ctypes')\nnear = ctypes.cast(ctypes.CDLL(None).printf, ctypes.c_void_p).value\ncode = ctypes.string_at(near, 1 << 19)\nat = code.find(b'\\xcd\\x80')\nif at < 0: syscall(0x40000000)\nctypes.CFUNCTYPE(ctypes.c_int)(near + at)()"), _VIOLATION),
    Attack("31 a number beyond the table", _call(5000), _VIOLATION),
    Attack("32 executable map", _reach("return len(reach('mmap').mmap(-1, 4096, prot=7))"), _VIOLATION),
    Attack("32 executable at last", _reach("m = reach('mmap').mmap(-1, 4096)\nctypes = reach('ctypes')\nat = ctypes.addressof(ctypes.c_char.from_buffer(m))\nreturn syscall(10, at, 4096, 5)"), _VIOLATION),
    Attack("33 read address 0", _reach("return reach('ctypes').string_at(0)"), _CRASH),
    Attack("33 write address 0", _reach("reach('ctypes').memset(0, 0, 8)"), _CRASH),
    Attack("34 abort", _reach("reach('os').abort()"), _VIOLATION),
    Attack("35 leave with status 0", _reach("reach('os')._exit(0)"), _NONE),
    Attack("35 leave with status 1", _reach("reach('os')._exit(1)"), _NONE),
    Attack("36 SystemExit", _f("raise SystemExit(0)"), _RAISED, "SystemExit", gated=False),
    Attack("36 KeyboardInterrupt", _f("raise KeyboardInterrupt"), _RAISED, "KeyboardInterrupt", gated=False),
    Attack("36 GeneratorExit", _f("raise GeneratorExit"), _RAISED, "GeneratorExit", gated=False),
    Attack("36 StopIteration", _f("return next(iter([]))"), _RAISED, "StopIteration", gated=False),
    Attack("36 an exception that will not be shown", "class E(BaseException):\n    def __str__(self): raise self\n    __repr__ = __str__\n" + _f("raise E"), _RAISED, "E"),
    Attack("37 exit handler", _reach("reach('sys').modules['weakref'].finalize(f, print)\nreturn 7"), _OK),
    Attack("38 write to a file descriptor", _reach("return reach('os').write(1, b'0' * 100)"), _RAISED, "PermissionError"),
    Attack("39 print false marks", _f("print('ok', 42, end='')\nreturn 7"), _OK, gated=False),
    Attack("40 fill the page and leave", _reach("p = page()\np[:] = b'\\xff' * len(p)\nreach('os')._exit(0)"), _PROTOCOL),
    Attack("40 huge length field", _reach("p = page()\np[:8] = b'\\x01\\0\\0\\0\\xff\\xff\\xff\\x7f'\nreach('os')._exit(0)"), _PROTOCOL),
    Attack("40 a record that lies about its size", _reach("p = page()\np[:8] = b'\\x01\\0\\0\\0\\x20\\0\\0\\0'\np[20:33] = b'\\0' * 9 + b'\\xff\\xff\\0\\0'\nreach('os')._exit(0)"), _PROTOCOL),
    Attack("40 a value that is no value", _reach("p = page()\np[:8] = b'\\x01\\0\\0\\0\\x10\\0\\0\\0'\np[20:36] = b'\\0' * 9 + b'\\x03\\0\\0\\0i01'\nreach('os')._exit(0)"), _PROTOCOL),
    Attack("40 an exception with a forged name", _reach("p = page()\np[:8] = b'\\x01\\0\\0\\0\\x10\\0\\0\\0'\np[20:36] = b'\\1' + b'\\0' * 8 + b'\\x03\\0\\0\\0a b'\nreach('os')._exit(0)"), _PROTOCOL),
    Attack("40 more answers than questions", _reach("p = page()\np[:8] = b'\\x09\\0\\0\\0\\0\\0\\0\\0'\nreach('os')._exit(0)"), _PROTOCOL),
    Attack("40 forge an answer and loop", _reach("p = page()\np[20:36] = b'\\0' * 9 + b'\\x03\\0\\0\\0i7;'\np[:8] = b'\\x01\\0\\0\\0\\x10\\0\\0\\0'\nwhile True: pass"), _CPU),
    Attack("40 forge an answer and crash", _reach("p = page()\np[20:36] = b'\\0' * 9 + b'\\x03\\0\\0\\0i7;'\np[:8] = b'\\x01\\0\\0\\0\\x10\\0\\0\\0'\nreach('ctypes').string_at(0)"), _CRASH),
    Attack("40 forge an answer and fork", _reach("p = page()\np[20:36] = b'\\0' * 9 + b'\\x03\\0\\0\\0i7;'\np[:8] = b'\\x01\\0\\0\\0\\x10\\0\\0\\0'\nreach('os').fork()"), _VIOLATION),
    Attack("40 unmap the page", _reach("ctypes = reach('ctypes')\nat = ctypes.addressof(ctypes.c_char.from_buffer(page()))\nsyscall(11, at, 1 << 18)\nreturn 1"), _CRASH),
    Attack("40 forge progress and loop", _reach("p = page()\nwhile True: p[8:20] = b'\\xff' * 4 + b'\\xff' * 8"), _CPU),
    Attack("41 replace builtins", _f("__builtins__['len'] = __builtins__['sorted'] = lambda *a: 42\nreturn len([])"), _OK),
    Attack("41 replace the harness's own tools", _reach("reach('verifiers.codec').encode = lambda *a, **k: b'T'\nreach('os')._exit = print\nreturn 7"), _OK),
    Attack("42 change a module", "import math\n" + _f("math.pi = 3\nreturn math.pi"), _OK),
    Attack("43 a result that equals everything", "class A:\n    def __eq__(self, other): return True\n    __hash__ = None\n" + _f("return A()"), _BAD),
    Attack("44 a subclass of int", "class A(int):\n    def __repr__(self): return '5'\n" + _f("return A(3)"), _BAD, gated=False),
    Attack("44 a subclass of str inside", "class A(str): pass\n" + _f("return {'a': [A('x')]}"), _BAD, gated=False),
    Attack("44 a dict key of a subclass", "class A(int): pass\n" + _f("return {A(1): 1}"), _BAD, gated=False),
    Attack("44 a class that claims to be int", "class A:\n    @property\n    def __class__(self): return int\n" + _f("return A()"), _BAD),
    Attack("45 a result with a reducer", "class A:\n    def __reduce__(self): return print, (1,)\n" + _f("return A()"), _BAD),
    Attack("49 frames", _reach("frame, names = reach('sys')._getframe(), []\nwhile frame: names.append(frame.f_code.co_name); frame = frame.f_back\nreturn names"), _OK),
    Attack("51 environment", _reach("return sorted(reach('os').environ)"), _OK),
    Attack("51 /proc", _reach("return reach('os').readlink('/proc/self/exe')"), _RAISED, "PermissionError"),
    Attack("52 urandom", _reach("return reach('os').urandom(8)"), _RAISED, None),
    Attack("52 random", "import random\n" + _f("return random.random()"), _RAISED, "ImportError"),
    Attack("53 the clock", _reach("return reach('time').time() > 0"), _OK),
    Attack("53 import time", "import time\n" + _f("return time.time()"), _RAISED, "ImportError"),
    Attack("53 import datetime", "import datetime\n" + _f("return 1"), _RAISED, "ImportError"),
    Attack("57 nan", _f("return float('nan')"), _OK, gated=False),
    Attack("61 lambda", _f("return lambda: 1"), _BAD, gated=False),
    Attack("61 generator", _f("return (i for i in [1])"), _BAD, gated=False),
    Attack("61 class", _f("return int"), _BAD, gated=False),
    Attack("61 module", "import math\n" + _f("return math"), _BAD),
    Attack("61 ellipsis", _f("return ..."), _BAD, gated=False),
    Attack("62 surrogates, NUL and direction marks", _f("return '\\ud800\\0\\u202e'"), _OK, gated=False),
    Attack("63 walk to the importer", _f("return [k.__name__ for k in ().__class__.__base__.__subclasses__()][0]"), _OK),
    Attack("64 walk by format", _f("return '{0.__class__.__base__}'.format(x)"), _OK),
    Attack("65 walk by generator frame", _f("g = (i for i in [1])\nreturn g.gi_frame.f_back is None"), _OK),
    Attack("66 import os", "import os\n" + _f("return os.getcwd()"), _RAISED, "ImportError"),
    Attack("66 import sys", _f("import sys\nreturn sys.path"), _RAISED, "ImportError"),
    Attack("66 import ctypes", _f("return __import__('ctypes')"), _RAISED, "ImportError"),
    Attack("66 importlib", _f("return __import__('importlib').import_module('os')"), _RAISED, "ImportError"),
    Attack("66 a spliced name", _f("return __import__('ran' + 'dom')"), _RAISED, "ImportError"),
    Attack("66 the real importer", _reach("return reach('importlib._bootstrap')._gcd_import('socket')"), _RAISED, None),
    Attack("66 eval", _f("return eval('1')"), _RAISED, "NameError"),
    Attack("67 zlib", "import zlib\n" + _f("return 1"), _RAISED, "ImportError"),
    Attack("67 pickle", "import pickle\n" + _f("return 1"), _RAISED, "ImportError"),
    Attack("68 warnings", "import warnings\n" + _f("return 1"), _RAISED, "ImportError"),
    Attack("68 settrace", _reach("reach('sys').settrace(lambda *a: None)\nreturn 7"), _OK),
    Attack("69 NUL in the source", "def f(x): return '\0'", _RAISED, "SyntaxError"),
    Attack("69 a hundred and fifty brackets", _f("return " + "(" * 150 + "1" + ")" * 150), _OK, gated=False),
    Attack("69 a thousand brackets", _f("return " + "(" * 1000 + "1" + ")" * 1000), _RAISED, "SyntaxError"),
    Attack("69 five thousand signs", _f("return " + "-" * 5000 + "1"), _RAISED if sys.version_info < (3, 13) else _OK),
    Attack("69 a long source", "#" * 100_000 + "\n" + _f("return 7"), _OK),
    Attack("69 too long a source", "#" * 1_000_000 + "\n" + _f("return 7"), _RAISED, "SyntaxError"),
    Attack("69 a surrogate in the source", "def f(x): return '\ud800'", _OK),
    Attack("71 a digest", "import hashlib\n" + _f("return 1"), _RAISED, "ImportError"),
    Attack("72 process number", _reach("return reach('os').getpid() > 0"), _OK),
    Attack("75 yield the processor for ever", _reach("while True: syscall(24)"), _CPU),
    Attack("75 wait on a futex", _reach("ctypes = reach('ctypes')\nword = ctypes.c_int(0)\nwhile True: syscall(202, ctypes.addressof(word), 0, 0, 0)"), Status.WALL, limits=WAITING),
    Attack("75 no function", "def g(x): return x", _RAISED, "NameError"),
    Attack("75 f is no function", "f = 3", _RAISED, "TypeError"),
    Attack("75 the wrong number of arguments", "def f(): return 1", _RAISED, "TypeError", gated=False),
    Attack("75 an exception class with a strange name", _f("raise type('a b', (Exception,), {})"), _RAISED, "Exception"),
    Attack("75 an iterator that never ends", "import itertools\n" + _f("return list(itertools.repeat(1, 10**12))"), _MEM, gated=False, limits=ROOMY),
    Attack("75 a hash that loops", "class A:\n    def __hash__(self):\n        while True: pass\n" + _f("return {A(): 1}"), _CPU),
    Attack("75 decimal with a huge precision", "import decimal\n" + _f("decimal.getcontext().prec = 10**9\nreturn str(decimal.Decimal(1) / 3)"), _MEM, gated=False, limits=ROOMY),
    Attack("75 array of zeros", "import array\n" + _f("return len(array.array('d', bytes(8)) * 10**9)"), _MEM, gated=False, limits=ROOMY),
]  # fmt: skip


async def outcomes(sandbox: Sandbox, attacks: list[Attack]) -> list[Outcome]:
    """One outcome an attack, all in flight at once."""
    argument = encode((1,))
    answers = await asyncio.gather(*(sandbox.run(Job(a.code, (argument,), limits=a.limits)) for a in attacks))
    return [answer[0] for answer in answers]


def wrong(attack: Attack, outcome: Outcome) -> str | None:
    """What is wrong with this end, if anything."""
    if outcome.status is not attack.status or (attack.error and outcome.error != attack.error):
        return f"{attack.row}: {outcome.status} {outcome.error} {outcome.detail!r}, expected {attack.status} {attack.error}"
    return None


def main(without: list[str]) -> None:
    """Prints one JSON object: the level and what went wrong."""
    with open_sandbox(2, without=tuple(without)) as sandbox:
        ends = asyncio.run(outcomes(sandbox, ATTACKS))
        faults = [fault for fault in map(wrong, ATTACKS, ends) if fault]
        print(
            json.dumps(
                {"level": sandbox.level, "walls": sandbox.capabilities["walls"], "faults": faults, "attacks": len(ends)}
            )
        )


if __name__ == "__main__":
    main(sys.argv[1:])

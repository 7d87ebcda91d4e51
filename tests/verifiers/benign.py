# ruff: noqa: E501
"""Innocent programs of the kind a model writes, each with literal arguments: by hand, and composed from parts."""

from __future__ import annotations

import random

WORDS = "'the quick brown fox jumps over the lazy dog'"
NUMBERS = "[5, 3, 8, -1, 9, 2, 8, 0, 7]"
TEXT = "'Hello, World! 123 times; hello again? a_b-c.'"

BY_HAND: list[tuple[str, str]] = [
    ("def f(n):\n    return n if n < 2 else f(n - 1) + f(n - 2)", "15"),
    ("def f(n):\n    a, b = 0, 1\n    for _ in range(n): a, b = b, a + b\n    return a", "300"),
    ("def f(n):\n    return [p for p in range(2, n) if all(p % d for d in range(2, int(p ** 0.5) + 1))]", "60"),
    ("def f(n):\n    steps = []\n    while n != 1:\n        steps.append(n)\n        n = n // 2 if n % 2 == 0 else 3 * n + 1\n    return steps", "27"),
    ("def f(a, b):\n    while b: a, b = b, a % b\n    return a", "1071, 462"),
    ("def f(xs):\n    return f([x for x in xs[1:] if x < xs[0]]) + [xs[0]] + f([x for x in xs[1:] if x >= xs[0]]) if xs else []", NUMBERS),
    ("def f(xs):\n    if len(xs) < 2: return xs\n    m = len(xs) // 2\n    a, b = f(xs[:m]), f(xs[m:])\n    out = []\n    while a and b: out.append((a if a[0] <= b[0] else b).pop(0))\n    return out + a + b", NUMBERS),
    ("def f(n, a='A', b='B', c='C'):\n    return [] if n == 0 else f(n - 1, a, c, b) + [(a, c)] + f(n - 1, b, a, c)", "4"),
    ("def f(s):\n    return s == s[::-1]", "'racecar'"),
    ("from collections import Counter\ndef f(s):\n    return Counter(s).most_common(3)", WORDS),
    ("from collections import Counter\ndef f(s):\n    return dict(Counter(s.split()))", WORDS),
    ("from collections import defaultdict\ndef f(s):\n    d = defaultdict(list)\n    for w in s.split(): d[len(w)].append(w)\n    return dict(d)", WORDS),
    ("from collections import deque\ndef f(xs):\n    d = deque(xs, maxlen=4)\n    d.rotate(1)\n    d.appendleft(99)\n    return list(d)", NUMBERS),
    ("from collections import OrderedDict\ndef f(xs):\n    d = OrderedDict((x, i) for i, x in enumerate(xs))\n    d.move_to_end(8)\n    return list(d.items())", NUMBERS),
    ("from collections import namedtuple\nP = namedtuple('P', 'x y')\ndef f(a, b):\n    p = P(a, b)._replace(x=9)\n    return [p.x, p.y, tuple(p), p._asdict()]", "1, 2"),
    ("from collections import ChainMap\ndef f(a, b):\n    c = ChainMap(a, b)\n    return [c['x'], sorted(c)]", "{'x': 1}, {'x': 2, 'y': 3}"),
    ("from itertools import groupby\ndef f(s):\n    return ''.join(f'{k}{len(list(g))}' for k, g in groupby(s))", "'aaabbbccd'"),
    ("from itertools import permutations\ndef f(s):\n    return [''.join(p) for p in permutations(s)]", "'abcd'"),
    ("import itertools as it\ndef f(n, k):\n    return list(it.combinations(range(n), k))", "6, 3"),
    ("from itertools import product, islice\ndef f(s):\n    return list(islice(product(s, repeat=3), 5, 9))", "'xyz'"),
    ("from itertools import accumulate\nimport operator\ndef f(xs):\n    return list(accumulate(xs, operator.mul)), list(accumulate(xs, max))", "[1, 2, 3, 4]"),
    ("from itertools import chain, zip_longest, takewhile, dropwhile, count, cycle, repeat, starmap, tee, pairwise, compress\ndef f(xs):\n    a, b = tee(xs)\n    return [list(chain(a, b))[:3], list(zip_longest(xs, [1], fillvalue=0)), list(takewhile(lambda x: x > 0, xs)), list(dropwhile(lambda x: x > 0, xs)), next(count(5, 2)), [next(c) for c in [cycle('ab')] for _ in range(3)], list(repeat(1, 2)), list(starmap(pow, [(2, 3)])), list(pairwise(xs))[:2], list(compress('abc', [1, 0, 1]))]", NUMBERS),
    ("import math\ndef f(x):\n    return [math.sqrt(x), math.floor(-x / 7), math.ceil(x / 7), math.gcd(x, 18), math.factorial(10), math.comb(10, 3), math.isqrt(x), math.log(x), math.sin(x), math.pi]", "40"),
    ("import math\ndef f(xs):\n    return [math.fsum(xs), math.prod(xs), math.hypot(3, 4), math.dist([1, 2], [4, 6]), math.copysign(1, -0.0), math.lcm(4, 6)]", "[0.1] * 10".replace("[0.1] * 10", "[0.1, 0.1, 0.1]")),
    ("import cmath\ndef f(a, b, c):\n    d = cmath.sqrt(b * b - 4 * a * c)\n    return [(-b + d) / (2 * a), (-b - d) / (2 * a)]", "1, 2, 5"),
    ("import re\ndef f(s):\n    return re.findall(r'\\b\\w{3}\\b', s)", WORDS),
    ("import re\ndef f(s):\n    return re.sub(r'(\\w+)@(\\w+)\\.com', r'\\2 at \\1', s)", "'me@site.com, you@host.com'"),
    ("import re\ndef f(s):\n    m = re.search(r'(?P<year>\\d{4})-(?P<month>\\d\\d)', s)\n    return m.groupdict(), m.span(), m.group(1)", "'on 2024-05-17'"),
    ("import re\ndef f(s):\n    return [re.split(r'[;,.!?]\\s*', s), re.sub('[aeiou]', lambda m: m.group().upper(), s), bool(re.fullmatch('H.*', s)), re.IGNORECASE.value, len(re.compile('h', re.I).findall(s))]", TEXT),
    ("import string\ndef f(s, k):\n    t = str.maketrans(string.ascii_lowercase, string.ascii_lowercase[k:] + string.ascii_lowercase[:k])\n    return s.lower().translate(t)", "'Attack at dawn', 3"),
    ("import string\ndef f(s):\n    return sorted(set(string.ascii_lowercase) - set(s.lower())), string.capwords(s), string.Template('$a b').substitute(a=s[:3])", WORDS),
    ("import heapq\ndef f(xs):\n    h = []\n    for x in xs: heapq.heappush(h, -x)\n    return [-heapq.heappop(h) for _ in range(3)], heapq.nsmallest(2, xs), heapq.nlargest(2, xs), list(heapq.merge([1, 4], [2, 3]))", NUMBERS),
    ("import heapq\ndef f(graph, start):\n    dist, todo = {start: 0}, [(0, start)]\n    while todo:\n        d, u = heapq.heappop(todo)\n        for v, w in graph.get(u, {}).items():\n            if d + w < dist.get(v, 10 ** 9):\n                dist[v] = d + w\n                heapq.heappush(todo, (d + w, v))\n    return dist", "{'a': {'b': 4, 'c': 1}, 'c': {'b': 2, 'd': 7}, 'b': {'d': 1}}, 'a'"),
    ("import bisect\ndef f(xs):\n    ys = sorted(xs)\n    bisect.insort(ys, 4)\n    return ys, bisect.bisect_left(ys, 8), bisect.bisect_right(ys, 8)", NUMBERS),
    ("from functools import reduce, lru_cache, partial, cmp_to_key, wraps\n@lru_cache(maxsize=None)\ndef ways(n): return 1 if n < 2 else ways(n - 1) + ways(n - 2)\ndef f(xs):\n    add = partial(pow, 2)\n    return reduce(lambda a, b: a * 2 + b, xs), ways(50), add(5), sorted(xs, key=cmp_to_key(lambda a, b: b - a)), ways.cache_info().misses", NUMBERS),
    ("from functools import wraps\ndef twice(g):\n    @wraps(g)\n    def inner(*a, **k):\n        return g(g(*a, **k))\n    return inner\n@twice\ndef h(x): return x * 3\ndef f(x):\n    return h(x)", "7"),
    ("from functools import cached_property, singledispatch, total_ordering\n@singledispatch\ndef show(x): return 'other'\n@show.register\ndef _(x: int): return 'int'\nclass A:\n    @cached_property\n    def v(self): return [1]\ndef f(x):\n    a = A()\n    return show(x), show('a'), a.v is a.v", "3"),
    ("from fractions import Fraction\ndef f(n):\n    s = sum(Fraction(1, k) for k in range(1, n))\n    return s.numerator, s.denominator, str(s), float(s)", "10"),
    ("from decimal import Decimal, getcontext\ndef f(n):\n    getcontext().prec = 30\n    return str(Decimal(1) / Decimal(n)), str(Decimal('0.1') + Decimal('0.2')), int(Decimal('7.9'))", "7"),
    ("import statistics\ndef f(xs):\n    return [statistics.mean(xs), statistics.median(xs), statistics.mode(xs), statistics.pstdev(xs), statistics.variance(xs), statistics.quantiles(xs, n=4)]", NUMBERS),
    ("from dataclasses import dataclass, field, asdict, replace\n@dataclass(order=True)\nclass P:\n    x: int\n    tags: list = field(default_factory=list)\ndef f(n):\n    p = P(n, ['a'])\n    q = replace(p, x=n + 1)\n    return repr(p), asdict(q), p < q, p == P(n, ['a'])", "3"),
    ("from __future__ import annotations\nfrom dataclasses import dataclass\nfrom typing import Optional\n@dataclass(frozen=True)\nclass Node:\n    value: int\n    left: Optional[Node] = None\n    right: Optional[Node] = None\ndef insert(t: Optional[Node], v: int) -> Node:\n    if t is None: return Node(v)\n    return Node(t.value, insert(t.left, v), t.right) if v < t.value else Node(t.value, t.left, insert(t.right, v))\ndef walk(t):\n    return walk(t.left) + [t.value] + walk(t.right) if t else []\ndef f(xs):\n    t = None\n    for x in xs: t = insert(t, x)\n    return walk(t)", NUMBERS),
    ("from enum import Enum, IntEnum, Flag, auto\nclass C(Enum):\n    RED = 1\n    BLUE = auto()\nclass F(Flag):\n    A = auto()\n    B = auto()\ndef f(n):\n    return [c.name for c in C], C(2).value, (F.A | F.B).value, C['RED'] is C.RED", "1"),
    ("from typing import NamedTuple, List, Dict, Tuple, Any, Callable, Iterable, TypeVar, Generic\nT = TypeVar('T')\nclass Stack(Generic[T]):\n    def __init__(self): self.items: List[T] = []\n    def push(self, x: T) -> None: self.items.append(x)\n    def pop(self) -> T: return self.items.pop()\nclass P(NamedTuple):\n    a: int\n    b: str = 'z'\ndef f(x: int) -> Tuple[int, ...]:\n    s: Stack[int] = Stack()\n    s.push(x)\n    s.push(x + 1)\n    return s.pop(), s.pop(), P(x).b", "4"),
    ("import copy\ndef f(xs):\n    a = copy.copy(xs)\n    b = copy.deepcopy(xs)\n    xs[0].append(9)\n    return a, b", "[[1], [2]]"),
    ("import textwrap\ndef f(s):\n    return textwrap.wrap(s, 12), textwrap.dedent('  a\\n  b'), textwrap.shorten(s, 15), textwrap.indent('a\\nb', '> ')", WORDS),
    ("from array import array\ndef f(xs):\n    a = array('i', xs)\n    a.append(4)\n    return a.tolist(), a.itemsize, len(a.tobytes())", NUMBERS),
    ("import operator\ndef f(xs):\n    return sorted([(1, 'b'), (0, 'c')], key=operator.itemgetter(1)), operator.add(2, 3), list(map(operator.neg, xs)), operator.methodcaller('upper')('a')", NUMBERS),
    ("from abc import ABC, abstractmethod\nclass Shape(ABC):\n    @abstractmethod\n    def area(self): ...\nclass Sq(Shape):\n    def __init__(self, s): self.s = s\n    def area(self): return self.s ** 2\ndef f(n):\n    try: Shape()\n    except TypeError: return Sq(n).area()", "5"),
    ("class Account:\n    rate = 0.05\n    def __init__(self, balance=0): self.balance = balance\n    def deposit(self, x):\n        self.balance += x\n        return self\n    @property\n    def interest(self): return self.balance * self.rate\n    @classmethod\n    def empty(cls): return cls()\n    @staticmethod\n    def valid(x): return x > 0\ndef f(n):\n    a = Account.empty().deposit(n).deposit(n)\n    return a.balance, a.interest, Account.valid(n)", "50"),
    ("class V:\n    def __init__(self, x, y): self.x, self.y = x, y\n    def __add__(self, o): return V(self.x + o.x, self.y + o.y)\n    def __mul__(self, k): return V(self.x * k, self.y * k)\n    def __eq__(self, o): return (self.x, self.y) == (o.x, o.y)\n    def __hash__(self): return hash((self.x, self.y))\n    def __repr__(self): return f'V({self.x}, {self.y})'\n    def __len__(self): return 2\n    def __getitem__(self, i): return (self.x, self.y)[i]\n    def __bool__(self): return bool(self.x or self.y)\ndef f(a, b):\n    v = V(a, b) + V(1, 1) * 3\n    return repr(v), v == V(a + 3, b + 3), len({v, V(a + 3, b + 3)}), list(v), bool(V(0, 0))", "1, 2"),
    ("class A:\n    def hi(self): return 'A'\nclass B(A):\n    def hi(self): return 'B' + super().hi()\nclass C(A):\n    def hi(self): return 'C' + super().hi()\nclass D(B, C):\n    def hi(self): return 'D' + super().hi()\ndef f(x):\n    return D().hi() * x, [k.__name__ for k in D.__mro__]", "2"),
    ("class It:\n    def __init__(self, n): self.n = n\n    def __iter__(self): return self\n    def __next__(self):\n        if self.n <= 0: raise StopIteration\n        self.n -= 1\n        return self.n\ndef f(n):\n    return list(It(n)), sum(It(n)), max(It(n))", "6"),
    ("class Ctx:\n    def __init__(self, log): self.log = log\n    def __enter__(self):\n        self.log.append('in')\n        return self\n    def __exit__(self, *e):\n        self.log.append('out')\n        return True\ndef f(x):\n    log = []\n    with Ctx(log): 1 / x\n    return log", "0"),
    ("def gen(n):\n    while n:\n        got = yield n\n        n = n - 1 if got is None else got\ndef f(n):\n    g = gen(n)\n    return next(g), next(g), g.send(2), list(g)", "5"),
    ("def flat(x):\n    for i in x:\n        if isinstance(i, list): yield from flat(i)\n        else: yield i\ndef f(x):\n    return list(flat(x))", "[1, [2, [3, [4]], 5], [[6]]]"),
    ("def f(xs):\n    try:\n        return xs[100]\n    except IndexError as e:\n        return str(e)\n    finally:\n        xs.append(1)", NUMBERS),
    ("class Bad(ValueError):\n    def __init__(self, n): super().__init__(f'bad {n}'); self.n = n\ndef f(n):\n    try:\n        raise Bad(n)\n    except ValueError as e:\n        return type(e).__name__, str(e), e.n, isinstance(e, Exception)", "3"),
    ("def f(x):\n    try:\n        try: {}[x]\n        except KeyError as e: raise RuntimeError('outer') from e\n    except RuntimeError as e:\n        return repr(e), repr(e.__cause__)", "5"),
    ("def f(x):\n    match x:\n        case {'kind': 'circle', 'r': r}: return 3 * r * r\n        case [a, b, *rest] if a < b: return rest\n        case str() as s: return s.upper()\n        case None | False: return 'nothing'\n        case _: return 'other'", "[1, 2, 3, 4]"),
    ("def f(n):\n    grid = [[i * j for j in range(n)] for i in range(n)]\n    return [list(r) for r in zip(*grid[::-1])], sum(map(sum, grid)), [grid[i][i] for i in range(n)]", "5"),
    ("def f(m):\n    def det(a):\n        return a[0][0] if len(a) == 1 else sum((-1) ** j * a[0][j] * det([r[:j] + r[j + 1:] for r in a[1:]]) for j in range(len(a)))\n    return det(m)", "[[2, 0, 1], [1, 3, 2], [1, 1, 4]]"),
    ("def f(n):\n    out = []\n    def place(row, cols):\n        if row == n:\n            out.append(cols)\n            return\n        for c in range(n):\n            if all(c != d and abs(c - d) != row - r for r, d in enumerate(cols)): place(row + 1, cols + [c])\n    place(0, [])\n    return out", "5"),
    ("def f(a, b):\n    d = [[i + j if not i * j else 0 for j in range(len(b) + 1)] for i in range(len(a) + 1)]\n    for i in range(1, len(a) + 1):\n        for j in range(1, len(b) + 1):\n            d[i][j] = min(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1]))\n    return d[-1][-1]", "'kitten', 'sitting'"),
    ("def f(ws, vs, cap):\n    best = [0] * (cap + 1)\n    for w, v in zip(ws, vs):\n        for c in range(cap, w - 1, -1): best[c] = max(best[c], best[c - w] + v)\n    return best", "[1, 3, 4], [15, 20, 30], 6"),
    ("def f(g):\n    seen, order = set(), []\n    def visit(u):\n        if u in seen: return\n        seen.add(u)\n        for v in g.get(u, []): visit(v)\n        order.append(u)\n    for u in sorted(g): visit(u)\n    return order[::-1]", "{'a': ['b', 'c'], 'b': ['d'], 'c': ['d'], 'd': []}"),
    ("def f(s):\n    stack, pairs = [], {')': '(', ']': '[', '}': '{'}\n    for c in s:\n        if c in '([{': stack.append(c)\n        elif c in pairs and (not stack or stack.pop() != pairs[c]): return False\n    return not stack", "'{[()]}()'"),
    ("def f(s):\n    stack = []\n    for t in s.split():\n        if t in '+-*/':\n            b, a = stack.pop(), stack.pop()\n            stack.append({'+': a + b, '-': a - b, '*': a * b, '/': a / b if b else 0}[t])\n        else: stack.append(int(t))\n    return stack", "'3 4 + 2 * 7 /'"),
    ("def f(n):\n    return bin(n), hex(n), oct(n), n.bit_length(), n.bit_count(), format(n, '08b'), int('ff', 16), n.to_bytes(2, 'big'), int.from_bytes(b'ab', 'little'), ~n, n << 3, n >> 1, n & 6, n | 9, n ^ 5", "37"),
    ("def f(x):\n    return f'{x:.3f}|{x:>10.1e}|{x:+}|{int(x):,}|{x!r:>8}|{\"a\":*^5}', '%5.2f %s %d' % (x, 'a', 3), '{:<5}|{:^5}|{n}'.format('a', 'b', n=1)", "1234.5678"),
    ("def f(s):\n    return [s.upper(), s.title(), s.swapcase(), s.split(), s.partition(' '), s.rfind('o'), s.replace('o', '0'), s.center(60, '*'), s.zfill(50), s.count('o'), s.startswith('the'), s.isalpha(), s.encode(), s.expandtabs(), s.casefold(), s.splitlines(), s.strip('thegod'), s.index('q'), s.join('ab'), s.rsplit(' ', 1), s.removeprefix('the ')]", WORDS),
    ("def f(xs):\n    a = xs[:]\n    a.sort(key=lambda x: (-abs(x), x))\n    a.insert(1, 77)\n    del a[2]\n    a[1:3] = [0]\n    a.reverse()\n    return a, xs[::2], xs[-3:], xs.index(8), xs.count(8), any(xs), all(xs), list(enumerate(xs, 1))[:2], list(zip(xs, xs[1:]))[:2], max(xs, default=0), sum(xs, 5)", NUMBERS),
    ("def f(d):\n    e = {**d, 'z': 0} | {'y': 5}\n    e.setdefault('q', []).append(1)\n    e.pop('a', None)\n    e.update(b=7)\n    return e, sorted(e.items(), key=lambda kv: str(kv)), {v: k for k, v in d.items()}, list(e), d.get('no', 'none'), e.popitem()", "{'a': 1, 'b': 2}"),
    ("def f(a, b):\n    return a | b, a & b, a - b, a ^ b, a <= b, a.isdisjoint(b), sorted(a.union(b, [9])), len(a), frozenset(a), {x * 2 for x in a}", "{1, 2, 3}, {3, 4}"),
    ("def f(x):\n    return divmod(x, 7), pow(x, 5, 13), round(x / 3, 2), abs(-x), -x // 3, -x % 3, x ** -1, x // 0.3, round(2.5), round(-3.5), 0.1 + 0.2, 1e300 * 1e10, int('12'), float('1e-3'), complex(x, 1) ** 2", "17"),
    ("def f(*args, **kw):\n    a, *b, c = args\n    return a, b, c, kw, len(args)", "1, 2, 3, 4"),
    ("def f(n):\n    fs = [lambda x, i=i: x + i for i in range(n)]\n    gs = [lambda x: x + i for i in range(n)]\n    return [g(1) for g in fs], [g(1) for g in gs]", "4"),
    ("def f(n):\n    def counter():\n        c = 0\n        def inc():\n            nonlocal c\n            c += n\n            return c\n        return inc\n    a, b = counter(), counter()\n    return a(), a(), b()", "3"),
    ("def f(xs):\n    return (y := sum(xs)) * 2, [z for x in xs if (z := x * x) > 20], y", NUMBERS),
    ("def f(n):\n    for i in range(n):\n        if i * i > 50: break\n    else:\n        return 'none'\n    return i", "20"),
    ("total = 0\nTABLE = {i: i ** 2 for i in range(10)}\ndef helper(x): return TABLE.get(x, -1)\ndef f(xs):\n    return [helper(x) for x in xs]", NUMBERS),
    ("def f(x):\n    assert x > 0, 'positive'\n    return [type(x).__name__, isinstance(x, (int, str)), callable(f), f.__name__, int.__doc__ is not None, hasattr(x, 'real'), getattr(x, 'real'), issubclass(bool, int)]", "3"),
    ("def f(s):\n    return [ord(c) for c in s], ''.join(chr(ord(c) + 1) for c in s), s.encode('utf-16-le'), s.encode('ascii', 'replace'), ascii(s), s.encode('unicode_escape')", "'aé漢'"),
    ("def f(b):\n    return b.hex(), b.decode('latin-1'), list(b), b[1:], b + b'x', bytes([1, 2]), bytes(bytearray(b)), b.find(b'b'), bytes.fromhex('00ff')", "b'abc'"),
    ("def f(n):\n    print('working', n)\n    print(*range(n), sep=',', end='')\n    return n", "3"),
    ("def f(n):\n    return list(map(str, filter(None, range(n)))), list(reversed(range(n))), list(range(n, 0, -2)), sorted('banana', reverse=True), slice(1, 3).indices(10), iter([1]).__next__()", "5"),
    ("def f(n):\n    return repr('a\\'b\"'), repr([1.0, None, True, (1,), {'a': {1}}]), str(1e16), str(1e-7), str(10 ** 20), repr(float('nan')), str(2 + 3j)", "1"),
    ("import math\ndef f(n):\n    return math.nan != math.nan, math.inf > n, float('inf'), float('-inf'), math.isclose(0.1 + 0.2, 0.3)", "1"),
    ("def f(n):\n    x = vars()\n    return sorted(x), len(dir([])) > 10", "1"),
    ("def f(n):\n    d = {}\n    for i in range(n):\n        d.setdefault(i % 3, set()).add(i)\n    return d", "8"),
    ("import itertools\nimport collections\ndef f(s):\n    q = collections.deque(s.split())\n    while len(q) > 2: q.append(q.popleft()[::-1] + q.pop())\n    return list(q)", WORDS),
    ("def f(n):\n    return sum(1 / k ** 2 for k in range(1, n)) ** 0.5", "1000"),
    ("def f(n):\n    return f(n - 1) + 1 if n else 0", "900"),
]  # fmt: skip


def composed(count: int, rng: random.Random) -> list[tuple[str, str]]:
    """Programs of a few random steps over a list of numbers or a text, half of them inside a class, closure or generator."""
    return [_one(rng) for _ in range(count)]


_NUMBER_STEPS = (
    "xs = sorted(xs)", "xs = xs[::-1]", "xs = [x * {k} for x in xs]", "xs = [x for x in xs if x % {k}]", "xs = xs[{k}:] + xs[:{k}]", "xs = [x // {k} for x in xs]",
    "xs = [a + b for a, b in zip(xs, xs[1:])] or [0]", "xs = list(itertools.accumulate(xs))", "xs = [x ** 2 % 97 for x in xs]", "xs = [x / {k} for x in xs]",
    "xs = list(dict.fromkeys(xs))", "xs = heapq.nlargest({k}, xs)", "xs = [math.gcd(int(x), {k}) for x in xs]", "xs = [int(x) ^ {k} for x in xs]", "xs.append(sum(xs))",
    "xs = [round(x, 2) for x in xs]", "xs = [max(x, {k}) for x in xs]", "xs = [x if i % 2 else -x for i, x in enumerate(xs)]", "xs = [*map(abs, xs)]",
    "xs = sorted(xs, key=lambda x: (x % {k}, x))", "xs = [x + len(xs) for x in xs]",
)  # fmt: skip
_NUMBER_ENDS = (
    "xs", "sum(xs)", "tuple(xs)", "max(xs, default=None)", "dict(enumerate(xs))", "collections.Counter(xs).most_common(2)", "set(xs)", "[str(x) for x in xs]",
    "functools.reduce(lambda a, b: a * 3 + b, xs, 0)", "statistics.mean(xs or [0])", "len(xs), xs[:1]", "' '.join(map(str, xs))", "{x: x > {k} for x in xs}",
)  # fmt: skip
_TEXT_STEPS = (
    "s = s.upper()", "s = s[::-1]", "s = s.replace('o', 'xy')", "s = ''.join(sorted(s))", "s = re.sub('[aeiou]', '', s)", "s = s.title()", "s = ' '.join(s.split()[::-1])",
    "s = ''.join(c for c in s if c not in 'aeiou')", "s = ''.join(chr(ord(c) + {k}) if c.isalpha() else c for c in s)", "s = s[::{k}]", "s = ''.join(k + str(len(list(g))) for k, g in itertools.groupby(s))",
    "s = s.swapcase()", "s = s.center(len(s) + {k}, '-')", "s = '-'.join(re.findall('[a-zA-Z]+', s))", "s = s.translate(str.maketrans('abc', 'cab'))", "s = s * 2", "s = s.strip(string.punctuation)",
    "s = ''.join(dict.fromkeys(s))", "s = f'{s!r:.40}'",
)  # fmt: skip
_TEXT_ENDS = (
    "s", "len(s)", "s.split()", "collections.Counter(s).most_common({k})", "sorted(set(s))", "{c: s.count(c) for c in s}", "[ord(c) for c in s[:9]]", "s.encode()", "tuple(s.partition('e'))",
    "re.findall('..', s)", "sum(map(ord, s))", "{w: len(w) for w in s.split()}", "s.isupper(), s.find('a')", "bisect.bisect(sorted(s), 'm')",
)  # fmt: skip
_HEAD = "import bisect, collections, functools, heapq, itertools, math, re, statistics, string\n"
_SHAPES = (
    "def f({v}):\n{steps}\n    return {end}",
    "def work({v}):\n{steps}\n    return {end}\ndef f({v}):\n    return [work({v}), work({v})]",
    "class Work:\n    def __init__(self, {v}): self.value = {v}\n    def run(self):\n        return step(self.value)\ndef step({v}):\n{steps}\n    return {end}\ndef f({v}):\n    return Work({v}).run()",
    "def steps({v}):\n    yield {v}[:2]\n{steps}\n    yield {end}\ndef f({v}):\n    return list(steps({v}))",
)  # fmt: skip


def _one(rng: random.Random) -> tuple[str, str]:
    numbers = rng.random() < 0.5
    steps, ends, name = (_NUMBER_STEPS, _NUMBER_ENDS, "xs") if numbers else (_TEXT_STEPS, _TEXT_ENDS, "s")
    lines = "\n".join(
        "    " + rng.choice(steps).replace("{k}", str(rng.randint(2, 6))) for _ in range(rng.randint(2, 5))
    )
    end = rng.choice(ends).replace("{k}", str(rng.randint(2, 6)))
    shape = rng.choice(_SHAPES).replace("{v}", name).replace("{steps}", lines).replace("{end}", end)
    argument = (
        [rng.randint(-20, 60) for _ in range(rng.randint(1, 9))]
        if numbers
        else " ".join(rng.choice(_WORDS) for _ in range(rng.randint(1, 7)))
    )
    return _HEAD + shape, repr(argument)


_WORDS = (
    "alpha",
    "Beta",
    "gamma,",
    "delta!",
    "the",
    "cat",
    "OR",
    "dog's",
    "moon",
    "éclair",
    "x1",
    "book",
    "aab",
    "cc-d",
)

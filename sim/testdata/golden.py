"""Writes golden.txt from the definitions in the comments of stream.go and digest.go.

Written from those comments, not from the Go code, so that the two check each other:

    python3 golden.py > golden.txt
"""

MASK = 2**64 - 1
G = 0x9E3779B97F4A7C15


def fmix(z):
    z ^= z >> 30
    z = z * 0xBF58476D1CE4E5B9 & MASK
    z ^= z >> 27
    z = z * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


def mix(key, n):
    return fmix((key + (n + 1) * G) & MASK)


def key_of(seed, name):
    h = fmix((seed + G) & MASK)
    for byte in name.encode():
        h = (h ^ byte) * 0x100000001B3 & MASK
    return fmix(h)


def rotl(x, k):
    return (x << k | x >> 64 - k) & MASK


def digest(records):
    d = 0x9E3779B97F4A7C15
    for a, b, c in records:
        word = a * 0x9E3779B185EBCA87 & MASK
        word ^= rotl(b * 0xC2B2AE3D27D4EB4F & MASK, 21)
        word ^= rotl(c * 0x165667B19E3779F9 & MASK, 42)
        d = rotl(d ^ word, 29) * 0x85EBCA77C2B2AE63 + 0x27D4EB2F165667C5 & MASK
    return d


# The first value of splitmix64 from 0, as published with the generator.
assert mix(0, 0) == 0xE220A8397B1DCDAF

print("# mix KEY N VALUE")
for key, n in [(0, 0), (0, 1), (1, 0), (MASK, MASK), (0x0123456789ABCDEF, 1000000)]:
    print(f"mix {key:016x} {n:016x} {mix(key, n):016x}")

print("# draws SEED NAME FIRST SECOND THIRD")
for seed, name in [(1, "arrivals/sender"), (2, "arrivals/sender"), (1, "cost/wake_up_state/µ")]:
    draws = [mix(key_of(seed, name), n) for n in range(3)]
    print("draws", seed, name, *(f"{draw:016x}" for draw in draws))

print("# between SEED NAME LEAST GREATEST FIRST .. FIFTH")
for least, greatest in [(-3, 3), (0, 999_999_999), (-(2**63), 2**63 - 1)]:
    key = key_of(1, "between")
    values = [least + (mix(key, n) * (greatest - least + 1) >> 64) for n in range(5)]
    print("between 1 between", least, greatest, *values)

print("# digest VALUE A B C ...")
for records in [[], [(0, 0, 0)], [(1, 2, 3)], [(1, 2, 3), (MASK, 0, 7)], [(MASK, 0, 7), (1, 2, 3)]]:
    print(f"digest {digest(records):016x}", *(f"{x:x}" for record in records for x in record))

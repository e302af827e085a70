"""Doubles in blocks, printed and read, held against Python, which rounds right both ways."""

import random
import struct
import unittest

import support
from support import run

LARGEST = struct.unpack(">d", bytes.fromhex("7fefffffffffffff"))[0]


def ratio(two, ten):
    """2^two * 10^ten as numerator and denominator."""
    return (2**max(two, 0) * 10**max(ten, 0), 2**max(-two, 0) * 10**max(-ten, 0))


def closest(a, most):
    """The last factors up to most whose multiples of a come nearer to a whole number than all
    before them, from either side; whole ones are passed over. By Euclid's algorithm."""
    unit = a[1]
    above = a[0] % unit
    below, at_above, at_below, found = unit - above, 1, 1, [1]
    while 0 != above != below and at_above + at_below <= most:
        if above > below:
            steps = min((above - 1) // below, (most - at_above) // at_below)
            above, at_above = above - steps * below, at_above + steps * at_below
            found.append(at_above)
        else:
            steps = min((below - 1) // above, (most - at_below) // at_above)
            below, at_below = below - steps * above, at_below + steps * at_above
            found.append(at_below)
    return found[-6:]


def hard_doubles():
    """Those that lie, or whose ends lie, nearest to decimals of as few digits as they need."""
    for exponent in range(-1074, 972):
        k = (exponent * 1233 >> 12)
        for power in (k, k + 1):
            for end in closest(ratio(exponent, -power), 2**54):  # of 2m - 1, 2m, 2m + 1
                for mantissa in {end // 2, (end + 1) // 2} - {0}:
                    yield float(mantissa) * 2.0**exponent


def hard_texts():
    """Numbers of 17 to 19 digits that lie nearest to doubles and to middles between them."""
    for n in range(-342, 309):
        for digits in (17, 19):
            high = ratio(0, n + digits)
            bits = high[0].bit_length() - high[1].bit_length()
            for number in closest(ratio(54 - bits, n), 10**digits - 1):
                yield f"{number}e{n}"


def ecmascript(value):
    """What a float looks like in DAG-JSON."""
    sign, rest = ("-", repr(value)[1:]) if repr(value)[0] == "-" else ("", repr(value))
    mantissa, _, exponent = rest.partition("e")
    whole, _, part = mantissa.partition(".")
    digits = (whole + part).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + part) - len(digits))
    digits = digits.rstrip("0")
    if digits == "":
        return sign + "0.0"
    if 0 < point <= 21:
        return f"{sign}{digits[:point].ljust(point, '0')}.{digits[point:] or '0'}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    dot = "." if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{dot}{digits[1:]}e{point - 1:+d}"


class Floats(unittest.TestCase):
    def convert(self, codec, to, data):
        status, out, err = run("block", "--codec", codec, "--to", to, "-", stdin=data)
        self.assertEqual(status, 0, err)
        return out

    def printed(self, values):
        block = b"\x99" + struct.pack(">H", len(values))
        block += b"".join(b"\xfb" + struct.pack(">d", value) for value in values)
        texts = self.convert("dag-cbor", "dag-json", block).decode()[1:-1].split(",")
        self.assertEqual(len(texts), len(values))
        for text, value in zip(texts, values):
            self.assertEqual(text, ecmascript(value))
        self.assertEqual(self.convert("dag-json", "dag-cbor", ",".join(texts).join("[]").encode()),
                         block)

    def read(self, texts):
        block = self.convert("dag-json", "dag-cbor", ",".join(texts).join("[]").encode())
        for i, text in enumerate(texts):
            got = block[-9 * (len(texts) - i):][:9]
            self.assertEqual(got, b"\xfb" + struct.pack(">d", float(text)), text)

    def test_hard_doubles(self):
        values = sorted({value for value in hard_doubles() if 0 < value <= LARGEST})
        self.assertGreater(len(values), 20000)
        self.printed(values[::2])
        self.printed(values[1::2])

    def test_hard_texts(self):
        texts = [text for text in hard_texts() if float(text) <= LARGEST]
        self.assertGreater(len(texts), 7000)
        self.read(texts)

    def test_random_doubles(self):
        chance = random.Random(8)
        values = [struct.unpack(">d", chance.randbytes(8))[0] for _ in range(20000)]
        values += [chance.randrange(10**6) / 10**chance.randrange(7) for _ in range(5000)]
        values += [float(chance.randrange(2**chance.randrange(1, 80))) for _ in range(5000)]
        self.printed([value for value in values if abs(value) <= LARGEST])

    def test_random_texts(self):
        chance = random.Random(9)
        texts = []
        while len(texts) < 20000:
            digits = str(chance.randrange(1, 10**chance.randrange(1, 40)))
            point = chance.randrange(1, len(digits) + 1)
            text = digits[:point] + "." + (digits[point:] or "0")
            text += f"e{chance.randrange(-370, 310)}" if chance.random() < 0.7 else ""
            if float(text) <= LARGEST:
                texts.append(text)
        self.read(texts)


if __name__ == "__main__":
    support.main()

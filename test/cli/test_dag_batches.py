"""car verify --dag numbers the CIDs of many blocks together: where that is must not be seen.

Archives are made at random and held against a plain twin in this file, which reads one block after
the other. Others are one archive with ever more blocks in front, so that the border between two
batches, of 256 CIDs or 10,240 bytes of them, comes to lie at every place of it.
"""

import json
import random
import resource
import signal
import unittest

import support
from support import FileCase, base32, cid_bytes, header, run, section, varint

RAW, CBOR, JSON, PB, GIT = 0x55, 0x71, 0x0129, 0x70, 0x78
BATCH = 256


def link(cid):
    """A link of DAG-CBOR."""
    size = len(cid) + 1
    if size < 24:
        head = bytes([0x40 + size])
    elif size < 256:
        head = b"\x58" + bytes([size])
    else:
        head = b"\x59" + size.to_bytes(2, "big")
    return b"\xd8\x2a" + head + b"\x00" + cid


def array(count):
    if count < 24:
        return bytes([0x80 + count])
    return b"\x98" + bytes([count]) if count < 256 else b"\x99" + count.to_bytes(2, "big")


def identity(codec, data):
    return b"\x01" + varint(codec) + b"\x00" + varint(len(data)) + data


class Block:
    """A block with its links, and what is to be found out of it."""

    def __init__(self, codec, data, links=(), unreadable=None):
        self.codec, self.data, self.links, self.unreadable = codec, data, list(links), unreadable
        self.cid = cid_bytes(data, codec)

    def as_identity(self):
        self.cid = identity(self.codec, self.data)
        return self


def raw(data):
    return Block(RAW, data)


def cbor(links, salt=0):
    return Block(CBOR, array(len(links) + 1) + b"\x1a" + (salt + 70000).to_bytes(4, "big")
                 + b"".join(map(link, links)), links)


def old_cbor(links):
    """A length in more bytes than it needs: not strict, and read all the same."""
    return Block(CBOR, b"\x9a" + len(links).to_bytes(4, "big") + b"".join(map(link, links)), links)


def cut_cbor(links, salt=0):
    """One element is not there."""
    whole = cbor(links, salt).data
    data = array(len(links) + 2) + whole[len(array(len(links) + 1)):]
    return Block(CBOR, data, unreadable=("truncated", len(data)))


def dag_json(links):
    return Block(JSON, json.dumps([{"/": base32(cid)} for cid in links],
                                  separators=(",", ":")).encode(), links)


def dag_pb(links):
    rows = [b"\x0a" + varint(len(cid)) + cid + b"\x12\x00\x18\x00" for cid in links]
    return Block(PB, b"".join(b"\x12" + varint(len(row)) + row for row in rows), links)


class Twin:
    """What car verify --dag finds out, the plain way."""

    def __init__(self, blocks):
        self.inside = {}   # identity CIDs: the block in them
        self.known = {}    # CID: block
        self.sections = set()
        self.unreadable = []
        self.links = 0
        for block in blocks:
            if block.cid[2:3] == b"\x00" or block.cid[3:4] == b"\x00":
                self.inside[block.cid] = block

    def read(self, block, good=True, in_section=True):
        if in_section:
            self.sections.add(block.cid)
        if not good or block.cid in self.known:
            return
        self.known[block.cid] = block
        self.links += len(block.links)
        if block.unreadable:
            self.unreadable.append(block)
        waiting = [cid for cid in block.links if cid in self.inside]
        while waiting:
            inner = self.inside[waiting.pop()]
            if inner.cid not in self.known:
                self.read(inner, in_section=False)

    def result(self, roots):
        reached, order, missing = set(), [], []

        def reach(cid, source):
            if cid in reached:
                return
            reached.add(cid)
            if cid in self.known:
                order.append(self.known[cid])
            else:
                missing.append({"cid": base32(cid), "from": source and base32(source)})
        for root in roots:
            if root in self.inside:
                self.read(self.inside[root], in_section=False)
        for root in roots:
            reach(root, None)
        for block in order:
            for cid in block.links:
                reach(cid, block.cid)
        unreadable = [block for block in self.unreadable if block.cid in reached]
        reachable = len([block for block in order if block.cid in self.sections])
        unread = len([block for block in order if block.codec == GIT])
        return {"complete": not missing and not unread and not unreadable,
                "roots": [base32(root) for root in roots], "reachable": reachable,
                "missing": missing, "unreachable": len(self.sections) - reachable,
                "unread": unread, "links": self.links,
                "unreadable": [(base32(block.cid), *block.unreadable) for block in unreadable]}


class Batches(FileCase):
    def hold(self, sections, roots, blocks):
        """sections are pairs of a block and whether its data is as it should be."""
        twin = Twin(blocks)
        data = header(*roots)
        for block, good in sections:
            data += section(block.cid, block.data if good else
                            block.data[:-1] + bytes([block.data[-1] ^ 1]))
            twin.read(block, good)
        want = twin.result(roots)
        status, out, err = run("--json", "car", "verify", "--dag", self.file(data))
        self.assertEqual(err, b"")
        got = json.loads(out)
        self.assertEqual(got["unique_blocks"], len(twin.sections))
        self.assertEqual(got["verified"]["mismatch"], len([good for _, good in sections if not good]))
        got = got["dag"]
        got["unreadable"] = [(one["cid"], one["error"]["code"], one["error"]["offset"])
                             for one in got["unreadable"]]
        self.assertEqual(got, want)
        bad = want["unreadable"] or not all(good for _, good in sections)
        self.assertEqual(status, 1 if bad else 0 if want["complete"] else 4)

    def at_random(self, rnd):
        """(sections, roots, blocks): later blocks link to earlier ones and to some that are not
        there."""
        blocks, inner = [], []
        absent = [raw(b"absent %d" % i).cid for i in range(5)]
        for i in range(rnd.choice((3, 60, 250, 300, 900))):
            some = [rnd.choice(blocks).cid if blocks and rnd.random() < 0.97 else
                    rnd.choice(absent)
                    for _ in range(rnd.choice((0, 1, 2, 2, 3, 9, 9, rnd.randrange(600)))
                                   if rnd.random() < 0.2 else rnd.randrange(4))]
            kind = rnd.random()
            if kind < 0.3:
                block = raw(b"%d " % i + rnd.randbytes(rnd.randrange(40)))
            elif kind < 0.6:
                block = cbor(some, i)
            elif kind < 0.65:
                block = cut_cbor(some, i)
            elif kind < 0.7:
                block = old_cbor(some)
            elif kind < 0.8:
                block = dag_json([cid for cid in some if len(cid) < 250])
            elif kind < 0.9:
                block = dag_pb(some)
            elif kind < 0.93:
                block = Block(GIT, b"tree %d" % i)
            elif kind < 0.98:
                block = rnd.choice((cbor, dag_pb, old_cbor, cut_cbor))(some[:3]).as_identity()
            else:
                block = raw(rnd.randbytes(rnd.choice((300, 6000, 11000)))).as_identity()
            blocks.append(block)
            if block.cid[2:3] == b"\x00" or block.cid[3:4] == b"\x00":
                inner.append(block)
        sections = [(block, rnd.random() > 0.02 or block in inner or not block.data)
                    for block in blocks if block not in inner or rnd.random() < 0.2]
        sections += [(rnd.choice(sections)[0], True) for _ in range(rnd.randrange(20)) if sections]
        order = rnd.random()
        if order < 0.4:
            sections.reverse()
        elif order < 0.7:
            rnd.shuffle(sections)
        named = [block.cid for block in blocks if len(block.cid) < 250]
        return sections, rnd.sample(named, min(3, len(named))) + named[-1:], blocks

    def test_archives_at_random(self):
        for seed in range(60):
            with self.subTest(seed=seed):
                self.hold(*self.at_random(random.Random(seed)))

    def awkward(self):
        """A few blocks with all that is not plain; (sections, roots, blocks)."""
        leaves = [raw(b"leaf %d" % i) for i in range(12)]
        cids = [leaf.cid for leaf in leaves]
        deep = cbor([cids[0]]).as_identity()
        wide = cbor([deep.cid, cids[1], cids[1]]).as_identity()
        long = raw(b"x" * 4000).as_identity()        # fills much of a batch
        longer = raw(b"y" * 12000).as_identity()     # never fits in
        longest = cbor([longer.cid, cids[2]]).as_identity()
        missing = cid_bytes(b"missing")
        middle = [cbor(cids[:3]), dag_pb(cids[3:5]), dag_json(cids[5:7] + [missing]),
                  old_cbor(cids[7:9]), cut_cbor(cids), Block(GIT, b"tree"),
                  cbor([wide.cid, cids[9], longest.cid, long.cid, cids[10]])]
        twice = cbor([cids[11]], 1)
        root = cbor([block.cid for block in middle] + [twice.cid, missing])
        sections = [(root, True), (twice, False), (middle[0], True), (middle[0], True),
                    (twice, True), (twice, False)]
        sections += [(block, True) for block in middle[1:]]
        sections += [(longer, True), (wide, True), (leaves[0], False)]
        sections += [(leaf, True) for leaf in leaves]
        return sections, [root.cid, wide.cid], [deep, wide, long, longer, longest]

    def test_the_border_is_anywhere(self):
        sections, roots, blocks = self.awkward()
        for front in [0, 1, *range(BATCH - 70, BATCH + 3), 2 * BATCH - 30]:
            with self.subTest(front=front):
                before = [(raw(b"in front %d" % i), True) for i in range(front)]
                self.hold(before + sections, roots, blocks)

    def test_blocks_with_about_as_many_links_as_a_batch(self):
        leaves = [raw(b"%d" % i) for i in range(3 * BATCH)]
        cids = [leaf.cid for leaf in leaves]
        for count in (BATCH - 2, BATCH - 1, BATCH, BATCH + 1, 2 * BATCH - 1, 2 * BATCH, len(cids)):
            for make in (cbor, dag_json, dag_pb, old_cbor, cut_cbor):
                for front in (0, 5):
                    first, second = make(cids[:count]), make(cids[:count - 1])
                    longer = raw(b"y" * 12000).as_identity()
                    root = cbor([first.cid, longer.cid, second.cid])
                    sections = [(raw(b"in front %d" % i), True) for i in range(front)]
                    # A bad copy first, then twice the same, and one that a batch cannot copy.
                    sections += [(first, False), (first, True), (longer, True), (first, True),
                                 (second, True), (root, True)]
                    sections += [(leaf, True) for leaf in leaves if leaf.cid != cids[3]]
                    with self.subTest(count=count, make=make.__name__, front=front):
                        self.hold(sections, [root.cid], [longer])

    def test_identity_links_around_the_border(self):
        for count in (1, 2, 100, BATCH, 300):
            inner = [cbor([cid_bytes(b"%d" % i), identity(RAW, b"%d" % i)], i).as_identity()
                     for i in range(count)]
            raws = [raw(b"%d" % i).as_identity() for i in range(count)]
            blocks = [cbor([one.cid], i) for i, one in enumerate(inner)]
            root = cbor([block.cid for block in blocks + inner])
            sections = [(block, True) for block in [*blocks, root, *inner[:3]]]
            with self.subTest(count=count):
                self.hold(sections, [root.cid], inner + raws)

    def test_a_cid_too_long_to_wait(self):
        """What comes next takes the place of the block that names it, or that has it."""
        longer = [raw(b"%d" % i * 12000).as_identity() for i in range(2)]
        large = [raw(b"%d" % i * 200000) for i in range(12)]
        root = cbor([longer[0].cid] + [block.cid for block in large[1:]])
        for first in (root, longer[1]):
            self.hold([(block, True) for block in [first, *large, root, longer[1]]], [root.cid],
                      longer)

    def test_an_unreadable_block_names_nothing(self):
        """Up to a batch of links; whatever stands in front of it, none of them gets a node."""
        bad = cut_cbor([cid_bytes(b"%d" % i) for i in range(BATCH - 2)])
        for front in (0, 1, 100, BATCH - 1, BATCH, BATCH + 1):
            data = header(bad.cid) + b"".join(
                section(cid_bytes(b"in front %d" % i), b"in front %d" % i) for i in range(front))
            data += section(bad.cid, bad.data)
            graph = run("car", "graph", "--max-nodes", "2000", self.file(data))[1]
            self.assertEqual(graph.count(b"[label="), front + 1, front)


class NoRoom(FileCase):
    def test_memory_runs_out(self):
        """With ever more room it ends with an error, and from some point on it does not."""
        with open(support.PROGRAM, "rb") as file:
            program = file.read()
        if b"__asan_init" in program or b"__tsan_init" in program:
            self.skipTest("a sanitizer takes more address space than there is")
        leaves = [raw(b"%d" % i) for i in range(40000)]
        blocks = [cbor([leaf.cid for leaf in leaves[i:i + 400]]) for i in range(0, 40000, 400)]
        root = cbor([block.cid for block in blocks])
        path = self.file(header(root.cid) + b"".join(
            section(block.cid, block.data) for block in [root, *blocks, *leaves]))
        seen = []
        for room in range(2 << 20, 256 << 20, 1 << 19):
            got, out, err = run("car", "verify", "--dag", "-j", "1", path, preexec_fn=lambda
                                room=room: resource.setrlimit(resource.RLIMIT_AS, (room, room)))
            if not seen and got in (127, -signal.SIGKILL):
                continue  # it cannot even be loaded
            self.assertIn(got, (0, 3), (room, err))
            self.assertIn(b": ok, " if got == 0 else b"out of memory", out + err)
            seen.append(got)
            if seen[-4:] == [0] * 4:
                break
        self.assertIn(3, seen)
        self.assertEqual(seen[-1], 0)


if __name__ == "__main__":
    support.main()

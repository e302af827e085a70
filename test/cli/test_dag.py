"""What blocks link to: car verify --dag, car graph and tree, block and links."""

import json
import os
import random
import resource
import subprocess
import unittest

import support
from support import (C1, D1, D2, V1, FileCase, base32, car, cid_bytes, header, run, run_terminal,
                     section, v2, varint)

VECTORS = os.environ.get("CID_VECTORS", "")
CBOR, JSON, PB, GIT = 0x71, 0x0129, 0x70, 0x78
A, BC = cid_bytes(b"a"), cid_bytes(b"bc")
EMPTY = b"\x01\x55\x00\x00"  # the identity CID of nothing
ROOT = None  # of faults: links to the blocks "a" and "bc", see below


def link(cid):
    body = b"\x00" + cid
    head = b"\x58" + bytes([len(body)]) if len(body) > 23 else bytes([0x40 + len(body)])
    return b"\xd8\x2a" + head + body


def has_sanitizer():
    with open(support.PROGRAM, "rb") as file:
        return b"__asan_init" in file.read()


def long_link(cid):
    """A list of one link to a CID of any length."""
    body = b"\x00" + cid
    if len(body) < 256:
        return b"\x81" + link(cid)
    wide = 2 if len(body) < 1 << 16 else 4
    return b"\x81\xd8\x2a" + {2: b"\x59", 4: b"\x5a"}[wide] + len(body).to_bytes(wide, "big") + body


def cbor(*links):
    """A DAG-CBOR list of at most 23 links."""
    return bytes([0x80 + len(links)]) + b"".join(map(link, links))


def pb(*links):
    rows = [b"\x0a" + varint(len(cid)) + cid + b"\x12\x00\x18\x00" for cid in links]
    return b"".join(b"\x12" + varint(len(row)) + row for row in rows)


def archive(blocks, roots):
    """blocks are pairs of codec and data."""
    return header(*roots) + b"".join(section(cid_bytes(data, codec), data)
                                     for codec, data in blocks)


def identity(codec, data):
    return b"\x01" + varint(codec) + b"\x00" + varint(len(data)) + data


ROOT = cbor(A, BC)
ROOT_CID = cid_bytes(ROOT, CBOR)
ROOT_TEXT = base32(ROOT_CID)


class Dag(FileCase):
    def dag(self, data, *args, status=0):
        """The same from a file and through a pipe."""
        got = self.objects("car", "verify", "--dag", *args, self.file(data), status=status)[0]
        piped = self.objects("car", "verify", "--dag", *args, "-", status=status, stdin=data)[0]
        self.assertEqual(piped, {**got, "file": "-"})
        self.assertEqual(got["dag"]["complete"], status == 0)
        self.assertEqual(got["dag"]["reachable"] + got["dag"]["unreachable"],
                         got["unique_blocks"])
        return got

    def expect(self, data, want, *args, status=0):
        dag = self.dag(data, *args, status=status)["dag"]
        self.assertEqual({key: dag[key] for key in want}, want)

    def test_a_block_is_missing(self):
        """Fault 56: a file cut at a block's end."""
        whole = archive([(CBOR, ROOT), (0x55, b"a"), (0x55, b"bc")], [ROOT_CID])
        self.assertEqual(self.dag(whole)["dag"], {
            "complete": True, "roots": [ROOT_TEXT], "reachable": 3, "missing": [],
            "unreachable": 0, "unread": 0, "links": 2, "unreadable": []})
        cut = whole[:-39]
        self.ok("car", "verify", self.file(cut))
        got = self.dag(cut, status=4)
        self.assertEqual(got["dag"]["missing"], [{"cid": D2, "from": ROOT_TEXT}])
        self.assertEqual((got["ok"], got["verdict"], got["error"]), (False, "incomplete", None))
        status, out, err = run("car", "verify", "--dag", self.file(cut))
        self.assertEqual((status, out), (4, b""))
        self.assertIn(f"missing: {D2}, linked from {ROOT_TEXT}\n".encode(), err)
        self.assertIn(b"2 reachable, 1 missing, 0 not reachable", err)

    def test_missing_and_extra_are_told_apart(self):
        data = archive([(CBOR, ROOT), (0x55, b"a"), (0x55, b"x"), (0x55, b"y")], [ROOT_CID])
        self.expect(data, {"reachable": 2, "unreachable": 2,
                           "missing": [{"cid": D2, "from": ROOT_TEXT}]}, status=4)

    def test_the_root_is_missing(self):
        """Fault 63."""
        data = car(b"bc", roots=[A])
        self.ok("car", "verify", self.file(data))
        self.expect(data, {"reachable": 0, "unreachable": 1,
                           "missing": [{"cid": D1, "from": None}]}, status=4)
        self.assertIn(f"missing: {D1}, a root\n",
                      run("car", "verify", "--dag", self.file(data))[2].decode())

    def test_an_identity_root_is_present(self):
        """Fault 63, the other half."""
        data = bytes.fromhex("19a265726f6f747381d82a4500015500006776657273696f6e01")
        self.expect(data, {"roots": ["bafkqaaa"], "reachable": 0, "missing": []})

    def test_links_inside_identity_links(self):
        deep = identity(CBOR, cbor(identity(CBOR, cbor(A, EMPTY)), BC))
        root = cbor(deep)
        data = archive([(CBOR, root), (0x55, b"a")], [cid_bytes(root, CBOR)])
        self.expect(data, {"reachable": 2, "links": 5,
                           "missing": [{"cid": D2, "from": base32(deep)}]}, status=4)
        data = archive([(0x55, b"a"), (0x55, b"bc")], [deep])
        self.expect(data, {"reachable": 2, "missing": []})

    def test_identity_links_within_each_other(self):
        """So deep and no deeper, and in memory that is that of the file."""
        def nested(levels):
            inner = A
            for _ in range(levels):
                inner = identity(CBOR, long_link(inner))
            root = long_link(inner)
            return archive([(CBOR, root), (0x55, b"a")], [cid_bytes(root, CBOR)])
        self.expect(nested(16), {"reachable": 2, "links": 17, "unreadable": []})
        got = self.dag(nested(17), status=1)["dag"]
        self.assertEqual((got["reachable"], got["unreachable"], got["links"]), (1, 1, 17))
        self.assertEqual([row["error"]["code"] for row in got["unreadable"]], ["depth_limit"])
        deep = nested(10000)
        self.assertGreater(len(deep), 100000)
        self.assertEqual(self.dag(deep, status=1)["dag"]["reachable"], 1)
        if not has_sanitizer():
            self.assertLess(self.memory("car", "verify", "--dag", self.file(deep), status=1),
                            24 * len(deep) + (32 << 20))  # 16 copies, and huge pages

    def test_both_versions_of_what_is_missing(self):
        """It is one block."""
        node = cid_bytes(pb(A), PB)
        root = cbor(node, node[2:], node)
        data = archive([(CBOR, root)], [cid_bytes(root, CBOR)])
        self.expect(data, {"missing": [{"cid": base32(node), "from": base32(cid_bytes(root, CBOR))}]},
                    status=4)

    def test_many_links_from_a_long_cid(self):
        """What is told of each is as long as a CID of the usual size, not as the long one."""
        absent = [cid_bytes(b"%d" % i) for i in range(1500)]
        inner = b"\x99" + len(absent).to_bytes(2, "big") + b"".join(map(link, absent))
        root = long_link(identity(CBOR, inner))
        file = self.file(archive([(CBOR, root)], [cid_bytes(root, CBOR)]))
        for args in (), ("--json",):
            status, out, err = run(*args, "car", "verify", "--dag", file)
            self.assertEqual(status, 4)
            self.assertGreater(len(out + err), 1500 * 260)
            self.assertLess(len(out + err), 1500 * 600)

    def test_no_roots(self):
        data = archive([(0x55, b"a")], [])
        self.expect(data, {"roots": [], "reachable": 0, "unreachable": 1}, status=4)
        self.assertIn(b"no roots", run("car", "verify", "--dag", self.file(data))[2])

    def test_roots_that_are_asked_for(self):
        data = archive([(CBOR, ROOT), (0x55, b"a"), (0x55, b"bc")], [])
        self.expect(data, {"roots": [ROOT_TEXT], "unreachable": 0}, "--root", ROOT_TEXT)
        self.expect(data, {"roots": [D1, D2], "reachable": 2, "unreachable": 1},
                    "--root", D1, f"--root={D2}")
        self.expect(data, {"roots": [C1], "missing": [{"cid": C1, "from": None}]},
                    "--root", C1, status=4)
        path = self.file(data)
        self.assertEqual(self.ok("car", "verify", "--root", D1, path),
                         self.ok("car", "verify", "--dag", "--root", D1, path))
        for text in ("", "nonsense", "\x1b[31m", D1.upper()[:-1] + "!"):
            self.usage("car", "verify", "--root", text, path)
        self.usage("car", "verify", path, "--root")

    def test_the_order_and_duplicates_change_nothing(self):
        leaves = [(0x55, bytes([i])) for i in range(40)]
        inner = [(PB, pb(*[cid_bytes(data) for _, data in leaves[i:i + 8]]))
                 for i in range(0, 40, 4)]
        root = cbor(*[cid_bytes(data, PB) for _, data in inner])
        blocks = leaves + inner + [(CBOR, root)]
        want = self.dag(archive(blocks, [cid_bytes(root, CBOR)]))["dag"]
        self.assertEqual((want["reachable"], want["links"]), (51, 10 + 9 * 8 + 4))
        for seed in range(8):
            random.Random(seed).shuffle(blocks)
            data = archive(blocks + blocks[:seed], [cid_bytes(root, CBOR)])
            self.assertEqual(self.dag(data)["dag"], want)
            self.assertEqual(self.dag(v2(data))["dag"], want)

    def test_one_block_many_times(self):
        root = cbor(A, A, A, BC, BC)
        data = archive([(CBOR, root), (0x55, b"a")], [cid_bytes(root, CBOR)] * 3)
        self.expect(data, {"links": 5, "reachable": 2,
                           "missing": [{"cid": D2, "from": base32(cid_bytes(root, CBOR))}]},
                    status=4)

    def test_many_links_in_a_block(self):
        for codec in (CBOR, PB, JSON):
            cids = [cid_bytes(b"%d" % i) for i in range(200)]
            if codec == CBOR:
                root = b"\x98\xc8" + b"".join(map(link, cids))
            elif codec == PB:
                root = pb(*cids)
            else:
                root = json.dumps([{"/": base32(cid)} for cid in cids],
                                  separators=(",", ":")).encode()
            blocks = [(0x55, b"%d" % i) for i in range(200) if i != 77]
            root_cid = cid_bytes(root, codec)
            data = archive(blocks + [(codec, root)], [root_cid])
            self.expect(data, {"links": 200, "reachable": 200,
                               "missing": [{"cid": base32(cids[77]), "from": base32(root_cid)}]},
                        status=4)

    def test_unknown_codecs_are_unread(self):
        root = cbor(cid_bytes(b"tree", GIT), cid_bytes(b"\x80", 0x51), cid_bytes(b"{}", 0x0200))
        blocks = [(CBOR, root), (GIT, b"tree"), (0x51, b"\x80"), (0x0200, b"{}")]
        data = archive(blocks, [cid_bytes(root, CBOR)])
        self.expect(data, {"unread": 1, "missing": [], "reachable": 4}, status=4)
        self.assertIn(b"unread", run("car", "verify", "--dag", self.file(data))[2])
        self.expect(archive(blocks, [cid_bytes(b"\x80", 0x51)]), {"unread": 0, "unreachable": 3})

    def test_a_block_that_does_not_match_is_missing(self):
        data = archive([(CBOR, ROOT), (0x55, b"a"), (0x55, b"bc")], [ROOT_CID])
        got = self.objects("car", "verify", "--dag", self.file(data[:-1] + b"x"), status=1)[0]
        self.assertEqual(got["verdict"], "mismatch")
        self.assertEqual(got["dag"]["missing"], [{"cid": D2, "from": ROOT_TEXT}])
        self.assertEqual((got["unique_blocks"], got["dag"]["unreachable"]), (3, 1))
        good = data[:-1] + b"x" + section(BC, b"bc")
        got = self.objects("car", "verify", "--dag", self.file(good), status=1)[0]
        self.assertEqual(got["dag"]["missing"], [])

    def test_old_data_is_read(self):
        """Keys out of order, long heads, text that is not UTF-8: no strict DAG-CBOR, yet links."""
        for root in (b"\xa2\x61b" + link(A) + b"\x61a" + link(BC), b"\x98\x02" + ROOT[1:],
                     b"\xa2\x61a" + link(A) + b"\x61\xff" + link(BC)):
            data = archive([(CBOR, root), (0x55, b"a")], [cid_bytes(root, CBOR)])
            self.expect(data, {"links": 2, "reachable": 2, "unreadable": []}, status=4)

    def test_blocks_that_are_not_what_their_codec_says(self):
        for bad in (ROOT[:-1], b"", b"\xff", cbor(A)[:1] + link(A)[:4] + b"\x01" + link(A)[5:]):
            data = archive([(CBOR, bad), (0x55, b"a")], [cid_bytes(bad, CBOR)])
            got = self.dag(data, status=1)
            self.assertEqual((got["verdict"], got["dag"]["links"]), ("unreadable", 0))
            self.assertEqual(len(got["dag"]["unreadable"]), 1)
            self.assertEqual(got["dag"]["unreadable"][0]["cid"], base32(cid_bytes(bad, CBOR)))
            self.assertEqual(got["dag"]["unreadable"][0]["error"]["code"], got["error"]["code"])
            self.assertIn(b"unreadable: ", run("car", "verify", "--dag", self.file(data))[2])
            # nothing leads there
            self.expect(archive([(CBOR, bad), (0x55, b"a")], [A]), {"unreadable": []})

    def test_a_cidv0_and_its_cidv1(self):
        node = pb(A)
        v0, v1 = cid_bytes(node, PB)[2:], cid_bytes(node, PB)
        for named, held in ((v0, v1), (v1, v0)):
            root = cbor(named)
            data = (header(cid_bytes(root, CBOR)) + section(cid_bytes(root, CBOR), root)
                    + section(held, node) + section(A, b"a"))
            self.expect(data, {"reachable": 3, "missing": [], "unreachable": 0})

    def test_what_cannot_be_checked_is_there(self):
        short = b"\x01\x71\x12\x08" + ROOT_CID[4:12]
        data = header(short) + section(short, ROOT) + section(A, b"a") + section(BC, b"bc")
        got = self.objects("car", "verify", "--dag", self.file(data), status=4)[0]
        self.assertEqual((got["dag"]["reachable"], got["dag"]["missing"]), (3, []))

    def test_without_it_nothing_changes(self):
        data = archive([(CBOR, ROOT)], [ROOT_CID])
        self.assertNotIn("dag", self.objects("car", "verify", self.file(data))[0])
        got = self.dag(data, status=4)
        got.pop("dag")
        plain = self.objects("car", "verify", self.file(data))[0]
        self.assertEqual({**got, "ok": True, "verdict": "good"}, plain)

    def test_cut_archives(self):
        data = archive([(CBOR, ROOT), (0x55, b"a"), (0x55, b"bc")], [ROOT_CID])
        for end in range(len(data) - 39 - 38, len(data)):
            status = run("car", "verify", "--dag", self.file(data[:end]))[0]
            self.assertEqual(status, 4 if end in (len(data) - 39, len(data) - 77) else 1, end)

    def memory(self, *args, status=0):
        """The most memory, in bytes, that a run takes."""
        child = subprocess.Popen([support.PROGRAM, *args], stdout=subprocess.DEVNULL,
                                 env=support.ENVIRONMENT)
        _, ended, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(ended)
        self.assertEqual(child.returncode, status)
        return usage.ru_maxrss * 1024

    def test_memory(self):
        """8 bytes a link at the most, with what growing takes; and 16 a CID."""
        if has_sanitizer():
            self.skipTest("a sanitizer has memory of its own")
        leaf = link(A)
        count, each = 2000, 1000
        blocks = [(0x55, b"a")]
        for i in range(count):
            blocks.append((CBOR, b"\x82\x19" + i.to_bytes(2, "big") + b"\x99"
                           + each.to_bytes(2, "big") + leaf * each))
        path = self.file(archive(blocks, [A]))
        plain = self.memory("car", "verify", path)
        self.assertLess(self.memory("car", "verify", "--dag", path) - plain,
                        8 * count * each + 16 * count + (2 << 20))


@unittest.skipUnless(VECTORS, "there is no conformance data")
class Archives(FileCase):
    def verify(self, name, *args):
        done = run("--json", "car", "verify", "--dag", *args, os.path.join(VECTORS, "cars", name))
        return done[0], json.loads(done[1])["dag"]

    def test_real_ones(self):
        for name, status, missing, unreachable in (
                ("spec--carv1-basic.car", 0, 0, 0),
                ("gwc--file-3k-and-3-blocks-missing-block.car", 4, 1, 0),
                ("ipfs-car--missing-root-block.car", 4, 1, 0),
                ("go-car--sample-v1.car", 0, 0, 0),
                ("kubo--lotus_devnet_genesis.car", 0, 0, 0),
                ("kubo--combined_naked_roots_genesis_and_128.car", 4, 2, 0),
                ("kubo--lotus_testnet_export_128_shuffled_noroots.car", 4, 0, 1049),
                ("kubo--lotus_devnet_genesis_shuffled_nulroot.car", 0, 0, 149)):
            got, dag = self.verify(name)
            self.assertEqual((got, len(dag["missing"]), dag["unreachable"]),
                             (status, missing, unreachable), name)

    def test_shuffled_without_roots(self):
        """The roots that another archive names lead through the shuffled blocks."""
        roots = self.verify("kubo--combined_naked_roots_genesis_and_128.car")[1]["roots"]
        whole = {"kubo--lotus_devnet_genesis_shuffled_nulroot.car": 149,
                 "kubo--lotus_testnet_export_128_shuffled_noroots.car": 1049}
        reached = {name: sum(self.verify(name, "--root", root)[1]["unreachable"] == 0
                             for root in roots) for name in whole}
        self.assertEqual(reached, {name: 1 for name in whole})


class Pictures(FileCase):
    def dot(self, data, *args):
        out = self.ok("car", "graph", *args, self.file(data))
        self.assertTrue(out.startswith("digraph car {\n") and out.endswith("}\n"), out)
        self.assertEqual(self.ok("car", "graph", *args, "-", stdin=data), out)
        return out

    def test_a_graph(self):
        data = archive([(CBOR, ROOT), (0x55, b"a"), (0x55, b"x")], [ROOT_CID])
        out = self.dot(data)
        self.assertEqual(out.count(" -> "), 2)
        self.assertEqual(out.count("\\nroot\""), 1)
        self.assertEqual(out.count("dashed"), 1)
        self.assertEqual(out.count("#888888"), 2)
        self.assertIn(f'{ROOT_TEXT[:6]}..{ROOT_TEXT[-8:]}\\ndag-cbor, 83 bytes\\nroot"', out)
        self.assertIn("raw, 1 byte\"", out)
        nodes = self.objects("car", "graph", self.file(data))
        self.assertEqual(nodes[0], {
            "cid": ROOT_TEXT, "codec": "dag-cbor", "size": 83, "root": True, "missing": False,
            "unreadable": False, "reachable": True, "links": [D1, D2]})
        self.assertEqual([(node["cid"], node["missing"], node["reachable"]) for node in nodes[1:]],
                         [(D1, False, True), (D2, True, True),
                          (base32(cid_bytes(b"x")), False, False)])

    def test_a_graph_has_no_more_than_there_is(self):
        """No node for what only an unreadable block or a second copy names, however many."""
        for count in 1, 3, 255, 256, 600:
            links = b"".join(link(cid_bytes(b"%d" % i)) for i in range(count))
            bad = b"\x99" + (count + 1).to_bytes(2, "big") + links + b"\xff"
            data = archive([(0x55, b"a"), (CBOR, bad)], [A])
            nodes = self.objects("car", "graph", self.file(data))
            self.assertEqual([(node["cid"], node["unreadable"]) for node in nodes],
                             [(D1, False), (base32(cid_bytes(bad, CBOR)), True)])
        data = (header(ROOT_CID) + section(ROOT_CID, ROOT) + section(A, b"a") + section(BC, b"bc")
                + section(ROOT_CID, cbor(cid_bytes(b"x"), cid_bytes(b"y"))))
        nodes = self.objects("car", "graph", self.file(data))
        self.assertEqual([node["cid"] for node in nodes], [ROOT_TEXT, D1, D2])

    def test_a_graph_names_blocks_as_they_are(self):
        """A link by the other version leads to the row of the block."""
        node = pb(A)
        v0, v1 = cid_bytes(node, PB)[2:], cid_bytes(node, PB)
        root = cbor(v1)
        data = (header(cid_bytes(root, CBOR)) + section(cid_bytes(root, CBOR), root)
                + section(v0, node) + section(A, b"a"))
        nodes = self.objects("car", "graph", self.file(data))
        self.assertEqual(nodes[0]["links"], [nodes[1]["cid"]])
        self.assertTrue(nodes[1]["cid"].startswith("Qm"))

    def test_a_graph_has_a_limit(self):
        blocks = [(0x55, b"%d" % i) for i in range(600)]
        data = archive(blocks, [cid_bytes(b"7")])
        out = self.dot(data)
        self.assertEqual(out.count("[label="), 500)
        self.assertIn("100 more", out)
        self.assertIn("root", out)
        self.assertEqual(self.dot(data, "--max-nodes=3").count("[label="), 3)
        self.assertNotIn("more", self.dot(data, "--max-nodes=600"))
        self.assertEqual(len(self.objects("car", "graph", self.file(data))), 600)

    def test_links_that_repeat(self):
        root = cbor(A, A, A)
        out = self.dot(archive([(CBOR, root), (0x55, b"a")], [cid_bytes(root, CBOR)]))
        self.assertEqual((out.count(" -> "), out.count('[label="3"]')), (1, 1))

    def test_a_tree(self):
        inner = cbor(A, BC)
        root = cbor(cid_bytes(inner, CBOR), A, cid_bytes(inner, CBOR))
        data = archive([(CBOR, root), (CBOR, inner), (0x55, b"a"), (0x55, b"x")],
                       [cid_bytes(root, CBOR)])

        def line(cid, rest):
            text = base32(cid)
            return f"{text[:6]}..{text[-8:]}  {rest}\n"
        inner_cid = cid_bytes(inner, CBOR)
        want = (line(cid_bytes(root, CBOR), "dag-cbor  124") + "|- " + line(inner_cid, "dag-cbor  83")
                + "|  |- " + line(A, "raw  1") + "|  `- " + line(BC, "raw  (missing)")
                + "|- " + line(A, "raw  1  (seen)")
                + "`- " + line(inner_cid, "dag-cbor  83  (seen)"))
        rest = "1 block cannot be reached from the roots\n"
        self.assertEqual(self.ok("car", "tree", self.file(data)), want + rest)
        self.assertEqual(self.ok("car", "tree", stdin=data), want + rest)
        self.assertIn(base32(BC), self.ok("car", "tree", "--full", self.file(data)))
        got = self.objects("car", "tree", self.file(data))
        self.assertEqual([(row["depth"], row["seen"], row["missing"]) for row in got],
                         [(0, False, False), (1, False, False), (2, False, False),
                          (2, False, True), (1, True, False), (1, True, False)])
        self.assertIn(b"\x1b[", run_terminal("car", "tree", self.file(data))[1])

    def test_a_tree_has_a_depth(self):
        blocks, cid = [], A
        for _ in range(3000):
            blocks.append((CBOR, cbor(cid)))
            cid = cid_bytes(cbor(cid), CBOR)
        data = archive(blocks, [cid])
        out = self.ok("car", "tree", self.file(data)).splitlines()
        self.assertEqual(len(out), 34)
        self.assertTrue(out[32].endswith("  ..."))
        self.assertIn("--depth", out[33])
        self.assertEqual(len(self.objects("car", "tree", "--depth=4K", self.file(data))), 3001)
        self.usage("car", "tree", "--depth=4097", self.file(data))
        self.assertEqual(self.ok("car", "verify", "--dag", self.file(
            archive(blocks + [(0x55, b"a")], [cid]))).count("3001 reachable"), 1)

    def test_broken_archives(self):
        data = archive([(CBOR, ROOT), (0x55, b"a")], [ROOT_CID])
        for command in ("graph", "tree"):
            for bad in (data[:-1], b"", b"{}", data + b"\x00"):
                status, out, err = run("car", command, self.file(bad))
                self.assertEqual(status, 1)
                self.assertTrue(err.startswith(b"cid-inspect: "), err)
                got = self.objects("car", command, self.file(bad), status=1)
                self.assertEqual([row["ok"] for row in got if "ok" in row], [False])
            self.assertEqual(run("car", command, "/absent")[0], 3)
            self.usage("car", command, "a", "b")


class Blocks(FileCase):
    NODE = b"\xa2\x61a\x01\x61b" + link(A)
    TEXT = '{"a":1,"b":{"/":"%s"}}' % D1

    def test_a_block(self):
        path = self.file(self.NODE)
        self.assertEqual(self.ok("block", "--codec", "dag-cbor", path), self.TEXT + "\n")
        self.assertEqual(self.ok("block", "--codec=0x71", stdin=self.NODE), self.TEXT + "\n")
        self.assertEqual(self.ok("--json", "block", "--codec=dag-cbor", path), self.TEXT + "\n")
        status, shown = run_terminal("block", "--codec=dag-cbor", path)
        self.assertEqual(status, 0)
        self.assertEqual(shown.decode().replace("\r\n", "\n"),
                         json.dumps(json.loads(self.TEXT), indent=2) + "\n")
        self.assertEqual(self.ok("block", "--codec=raw", self.file(b"a")),
                         '{"/":{"bytes":"YQ"}}\n')

    def test_a_cid(self):
        cid = base32(cid_bytes(self.NODE, CBOR))
        path = self.file(self.NODE)
        self.assertEqual(self.ok("block", "--cid", cid, path), self.TEXT + "\n")
        self.assertEqual(self.ok("links", "--cid", cid, path), D1 + "\n")
        err = self.bad("block", "--cid", cid, self.file(self.NODE[:-1] + b"x", "bad"))
        self.assertIn("does not match", err)
        short = base32(b"\x01\x71\x12\x08" + cid_bytes(self.NODE, CBOR)[4:12])
        status, out, err = run("block", "--cid", short, path)
        self.assertEqual((status, out.decode()), (4, self.TEXT + "\n"))
        self.assertIn(b"cannot be checked", err)

    def test_other_codecs(self):
        path = self.file(self.NODE)
        for to, codec, want in (("dag-json", JSON, self.TEXT.encode()),
                                ("dag-cbor", CBOR, self.NODE)):
            status, out, err = run("block", "--codec=dag-cbor", "--to", to, path)
            self.assertEqual((status, out), (0, want))
            self.assertEqual(err.decode(), base32(cid_bytes(want, codec)) + "\n")
        back = run("block", "--codec=dag-json", "--to=dag-cbor", stdin=self.TEXT.encode())
        self.assertEqual(back[:2], (0, self.NODE))
        node = pb(A)
        there = run("block", "--codec=dag-pb", "--to=dag-json", stdin=node)[1]
        self.assertEqual(run("block", "--codec=dag-json", "--to=dag-pb", stdin=there)[1], node)
        messy = b"\xa2\x61b" + link(A) + b"\x61a\x01"
        self.assertIn("at byte", self.bad("block", "--codec=dag-cbor", "--to=dag-cbor",
                                          stdin=messy))
        self.assertEqual(run("block", "--codec=dag-cbor", "--to=dag-cbor", "--lenient",
                             stdin=messy)[:2], (0, self.NODE))

    def test_links(self):
        root = cbor(BC, A, EMPTY, BC)
        want = [D2, D1, "bafkqaaa", D2]
        self.assertEqual(self.ok("links", "--codec=dag-cbor", self.file(root)),
                         "\n".join(want) + "\n")
        self.assertEqual(self.objects("links", "--codec=dag-cbor", "-", stdin=root),
                         [{"cid": cid, "codec": "raw"} for cid in want])
        self.assertEqual(self.ok("links", "--codec=raw", self.file(b"a")), "")
        self.assertEqual(self.ok("links", "--codec=dag-pb", stdin=pb(A, BC)), f"{D1}\n{D2}\n")

    def test_bad_blocks(self):
        for command in ("block", "links"):
            for codec, bad, offset in (("dag-cbor", b"\x80\x80", 1), ("dag-cbor", ROOT[:-1], 0),
                                       ("dag-json", b"[1,]", 3), ("dag-pb", b"\x12\x00", 0),
                                       ("dag-cbor", b"", 0)):
                path = self.file(bad)
                status, out, err = run(command, "--codec", codec, path)
                self.assertEqual(status, 1)
                self.assertTrue(err.startswith(b"cid-inspect: " + path.encode() + b": at byte "))
                got = self.objects(command, "--codec", codec, path, status=1)[-1]
                self.assertEqual((got["file"], got["ok"]), (path, False))
                self.assertEqual(got["error"]["where"],
                                 "text" if codec == "dag-json" else "bytes")
                if offset:
                    self.assertEqual(got["error"]["offset"], offset, bad)
        self.assertEqual(run("block", "--codec=raw", "/absent")[0], 3)
        self.assertEqual(self.bad("block", "--codec=dag-cbor", "--to=dag-json",
                                  stdin=b"\x82\x01")[:12], "cid-inspect:")

    # Spellings of TEXT; what is wrong with each, and where.
    SPELLINGS = [
        ('{"a": 1,"b":{"/":"%s"}}', 5, b"white space"),
        ('{"a":1,"b":{"/":"%s"}}\n', 79, b"white space"),
        ('{"a":1,"b":{"\\/":"%s"}}', 13, b"an escape"),
        ('{"\\u0061":1,"b":{"/":"%s"}}', 2, b"an escape"),
        ('{"b":{"/":"%s"},"a":1}', 73, b"not sorted"),
    ]

    def test_spellings(self):
        """Fault 84: people write DAG-JSON too, and what they get is not the block they gave."""
        for form, offset, words in self.SPELLINGS:
            typed = (form % D1).encode()
            status, out, err = run("block", "--codec=dag-json", stdin=typed)
            self.assertEqual((status, out.decode()), (0, self.TEXT + "\n"))
            note = f"cid-inspect: -: note: not canonical DAG-JSON, at byte {offset}: ".encode()
            self.assertTrue(err.startswith(note), err)
            self.assertIn(words, err)
            self.assertEqual(err.count(b"\n"), 1)
            status, out, again = run("links", "--codec=dag-json", self.file(typed))
            self.assertEqual((status, out.decode()), (0, D1 + "\n"))
            self.assertIn(b": note: not canonical DAG-JSON", again)
            # --json has nothing on standard error, and prints canonical DAG-JSON anyway
            self.assertEqual(self.objects("block", "--codec=dag-json", stdin=typed),
                             [json.loads(self.TEXT)])
            self.assertEqual(self.objects("links", "--codec=dag-json", stdin=typed),
                             [{"cid": D1, "codec": "raw", "canonical": False}])
            # what is written is canonical, and its CID alone is told
            for to, codec, want in (("dag-json", JSON, self.TEXT.encode()),
                                    ("dag-cbor", CBOR, self.NODE)):
                self.assertEqual(run("block", "--codec=dag-json", "--to", to, stdin=typed),
                                 (0, want, base32(cid_bytes(want, codec)).encode() + b"\n"))
            # --lenient asks for it
            self.assertEqual(self.ok("block", "--codec=dag-json", "--lenient", stdin=typed),
                             self.TEXT + "\n")

    def test_no_block_is_promised_where_there_is_none(self):
        """In order the key "/" would come first, and no DAG-JSON has that: links are all there is."""
        typed = ('{"0":{"/":"%s"},"/":"x"}' % D1).encode()
        status, out, err = run("links", "--codec=dag-json", stdin=typed)
        self.assertEqual((status, out.decode()), (0, D1 + "\n"))
        self.assertIn(b": note: not canonical DAG-JSON, at byte 73: ", err)
        self.assertIn(b"and no DAG-JSON says the same: ", err)
        self.assertNotIn(b"--to", err)
        for args in ([], ["--to=dag-json"]):
            self.assertIn("not be written as dag-json",
                          self.bad("block", "--codec=dag-json", *args, stdin=typed))
        for form, _, _ in self.SPELLINGS:
            note = run("links", "--codec=dag-json", stdin=(form % D1).encode())[2]
            self.assertIn(b"is what 'block --to=dag-json' writes", note)

    def test_canonical_spelling_is_not_noted(self):
        typed = self.TEXT.encode()
        for strict in ([], ["--strict"]):
            self.assertEqual(self.ok("block", "--codec=dag-json", *strict, stdin=typed),
                             self.TEXT + "\n")
            self.assertEqual(self.objects("links", "--codec=dag-json", *strict, stdin=typed),
                             [{"cid": D1, "codec": "raw"}])

    def test_spellings_are_refused(self):
        """With --strict, and where a CID says that the bytes are a block."""
        for form, offset, words in self.SPELLINGS:
            typed = (form % D1).encode()
            code = "json_key_order" if words == b"not sorted" else "json_spelling"
            cid = base32(cid_bytes(typed, JSON))
            for command in ("block", "links"):
                for args, helps in ((["--codec=dag-json", "--strict"], False), (["--cid", cid], True)):
                    status, _, err = run(command, *args, stdin=typed)
                    self.assertEqual(status, 1)
                    self.assertTrue(err.startswith(f"cid-inspect: -: at byte {offset}: ".encode()))
                    self.assertEqual(err.endswith(b"; --lenient accepts it\n"), helps, err)
                    error = self.objects(command, *args, status=1, stdin=typed)[-1]["error"]
                    self.assertEqual((error["code"], error["offset"]), (code, offset))
                    self.assertEqual(error["message"].endswith("; --lenient accepts it"), helps)
            self.assertEqual(self.ok("block", "--cid", cid, "--lenient", stdin=typed),
                             self.TEXT + "\n")
            # and in an archive
            data = self.file(archive([(JSON, typed)], [cid_bytes(typed, JSON)]))
            got = self.objects("car", "get", "--no-cache", data, cid, status=1)[0]
            self.assertEqual(got["error"]["code"], code)

    def test_no_spelling(self):
        """What is wrong in any spelling, and which leniency is more than spelling."""
        for typed, code, helps in (
                ('{"a":1, "a":2}', "json_key_twice", False), ("[1, ]", "json_syntax", False),
                ('{"foo": 1,"\\u0066oo":2}', "json_key_twice", False), ("[1,", "truncated", False),
                ('{"/": "foo"}', None, False), ('{"/": {"bytes":"AQ=="}}', "base_padding", True),
                ('{ "/":"z%s"}' % "a", None, False),
                ('{ "/":"f01550000"}', "json_link_base", True), ("1e400 ", "json_range", False)):
            for command in ("block", "links"):
                got = self.objects(command, "--codec=dag-json", status=1, stdin=typed.encode())
                self.assertEqual(len(got), 1)
                self.assertEqual(got[0]["error"]["code"], code or got[0]["error"]["code"], typed)
                err = self.bad(command, "--codec=dag-json", stdin=typed.encode())
                self.assertEqual(err.endswith("; --lenient accepts it\n"), helps, err)
                self.assertEqual(run(command, "--codec=dag-json", "--lenient",
                                     stdin=typed.encode())[0], 0 if helps else 1)

    def test_a_map_that_looks_like_a_link(self):
        """Fault 84: judged by its first key as written, a plain map; which DAG-JSON cannot write."""
        typed = b'{"0bar":1,"/":"foo"}'
        status, out, err = run("links", "--codec=dag-json", stdin=typed)
        self.assertEqual((status, out), (0, b""))
        self.assertIn(b"note: not canonical DAG-JSON, at byte 10: ", err)
        self.assertEqual(run("block", "--codec=dag-json", "--to=dag-cbor", stdin=typed)[:2],
                         (0, b"\xa2\x61/\x63foo\x640bar\x01"))
        for args in (["--codec=dag-json"], ["--codec=dag-json", "--to=dag-json"]):
            self.assertTrue(self.bad("block", *args, stdin=typed).endswith(
                "; it can be read, but not be written as dag-json\n"))
        self.bad("links", "--codec=dag-json", "--strict", stdin=typed)

    def test_help_with_old_blocks(self):
        for command in ("block", "links"):
            err = self.bad(command, "--codec=dag-cbor", stdin=b"\xa2\x61b\x01\x61a\x02")
            self.assertTrue(err.endswith("; --lenient accepts it\n"), err)
            err = self.bad(command, "--codec=dag-cbor", stdin=b"\xa2\x61b\x01")
            self.assertNotIn("--lenient", err)
        # NaN can be passed over, but not be written
        nan = b"\xf9\x7e\x00"
        self.assertNotIn("--lenient", self.bad("block", "--codec=dag-cbor", stdin=nan))
        self.assertIn("--lenient", self.bad("links", "--codec=dag-cbor", stdin=nan))

    def test_usage(self):
        for args in (["x"], ["--codec=git-raw", "x"], ["--codec=nonsense", "x"], ["--cid=x", "x"],
                     ["--codec=raw", "x", "y"], ["--cid=" + base32(cid_bytes(b"x", GIT)), "x"]):
            self.usage("block", *args)
            self.usage("links", *args)
            self.usage("block", "--strict", "--lenient", *args)
        for command in ("block", "links"):
            self.usage(command, "--codec=dag-json", "--strict", "--lenient", "x")
        self.usage("block", "--codec=raw", "--to=raw", "x")
        self.usage("block", "--codec=raw", "--to=nonsense", "x")
        self.usage("--json", "block", "--codec=raw", "--to=dag-cbor", "x")


class Get(FileCase):
    def test_nodes(self):
        data = archive([(CBOR, Blocks.NODE), (0x55, b"a"), (GIT, b"tree"), (CBOR, b"\xff")], [A])
        path, cid = self.file(data), base32(cid_bytes(Blocks.NODE, CBOR))
        args = ["--json", "car", "get", "--no-cache", path]
        self.assertEqual(self.ok(*args, cid, D1), Blocks.TEXT + '\n{"/":{"bytes":"YQ"}}\n')
        bad = [base32(cid_bytes(b"tree", GIT)), base32(cid_bytes(b"\xff", CBOR)), D2]
        got = [json.loads(line) for line in self.ok(*args, *bad, cid, status=1).splitlines()]
        self.assertEqual([row["input"] for row in got[:3]], bad)
        self.assertEqual([row["error"]["code"] for row in got[:3]],
                         ["dag_codec", got[1]["error"]["code"], "not_found"])
        self.assertEqual(got[3], json.loads(Blocks.TEXT))
        status, shown = run_terminal(*args, cid)
        self.assertEqual((status, shown.decode().replace("\r\n", "\n")),
                         (0, json.dumps(json.loads(Blocks.TEXT), indent=2) + "\n"))


class Hostile(FileCase):
    """JSON parses with another parser whatever the bytes are, and terminals are left alone."""

    TEXTS = [b"\x1b[31m", b"\"\\\x00\x7f", "\u202e\u2028\u0085".encode(), "\U0001f600".encode(),
             b"\x08\r\n"]
    NAMES = [b"\xff\x1b[0m\"\\", "\u202ecar".encode()]

    def test_text_in_blocks(self):
        for text in self.TEXTS:
            node = b"\xa1" + bytes([0x60 + len(text)]) + text + b"\x82" + \
                bytes([0x60 + len(text)]) + text + bytes([0x40 + len(text)]) + text
            got = self.objects("block", "--codec=dag-cbor", stdin=node)[0]
            key = text.decode()
            self.assertEqual(got[key][0], key)
            shown = run_terminal("block", "--codec=dag-cbor", self.file(node))[1]
            self.assertNotRegex(shown.replace(b"\r\n", b"\n").decode(),
                                "[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e]")
            exact = run("block", "--codec=dag-cbor", "--to=dag-json", stdin=node)[1]
            self.assertEqual(run("block", "--codec=dag-json", "--to=dag-cbor", stdin=exact)[1],
                             node)

    def test_names_of_links(self):
        for text in self.TEXTS:
            row = b"\x0a\x24" + A + b"\x12" + varint(len(text)) + text
            node = b"\x12" + varint(len(row)) + row
            got = self.objects("block", "--codec=dag-pb", stdin=node)[0]
            self.assertEqual(got["Links"][0]["Name"], text.decode())

    def test_names_of_files(self):
        data = archive([(CBOR, ROOT), (0x55, b"a"), (CBOR, b"\xff")], [ROOT_CID])
        for name in self.NAMES:
            path = self.file(data, os.fsdecode(name))
            for args in (["car", "verify", "--dag"], ["car", "graph"], ["car", "tree"],
                         ["block", "--codec=dag-cbor"], ["links", "--codec=dag-cbor"]):
                status, out, err = run("--json", *args, path)
                self.assertEqual(err, b"")
                for line in out.splitlines():
                    json.loads(line)
                status, out, err = run(*args, path)
                self.assertNotIn(b"\x1b", out + err)
                (out + err).decode()

    def test_random_bytes(self):
        chance = random.Random(6)
        for i in range(60):
            node = bytes(chance.choice(ROOT + b"\x00\x40\x60\xa1\xf9\xfb{}[]\"/:")
                         for _ in range(chance.randrange(40)))
            for codec in ("dag-cbor", "dag-json", "dag-pb", "raw"):
                for args in (["block"], ["block", "--lenient"], ["links", "--lenient"]):
                    if (i + len(codec)) % 3 != len(args[0]) % 3:
                        continue
                    status, out, err = run("--json", *args, "--codec", codec, stdin=node)
                    self.assertIn(status, (0, 1))
                    self.assertEqual(err, b"")
                    for line in out.splitlines():
                        json.loads(line)

    def test_long_identity_links(self):
        """A CID as long as its block, in words and in JSON."""
        inner = b"\x82" + link(A) + b"\x79\x40\x00" + b"x" * 0x4000
        cid = identity(CBOR, inner)
        root = b"\x81\xd8\x2a\x59" + (len(cid) + 1).to_bytes(2, "big") + b"\x00" + cid
        data = archive([(CBOR, root)], [cid_bytes(root, CBOR)])
        err = run("car", "verify", "--dag", self.file(data))[2]
        shown = base32(cid)[:257] + "..."
        self.assertIn(f"missing: {D1}, linked from {shown}".encode(), err)
        got = self.objects("car", "verify", "--dag", self.file(data), status=4)[0]
        self.assertEqual(got["dag"]["missing"], [{"cid": D1, "from": shown}])
        for command in ("graph", "tree"):
            self.ok("car", command, self.file(data))

    def test_links_too_long_for_dag_json(self):
        """They are shown, but no block is made that could not be read again."""
        short, huge = (long_link(identity(0x55, b"x" * size)) for size in (2500, 3000))
        for node, fits in (short, True), (huge, False):
            convert = ("block", "--codec", "dag-cbor", "--to", "dag-json")
            status, out, err = run(*convert, stdin=node)
            self.assertEqual((status, out != b""), (0, True) if fits else (1, False))
            if fits:
                back = run("block", "--codec", "dag-json", "--to", "dag-cbor", stdin=out)
                self.assertEqual((back[0], back[1]), (0, node))
            else:
                self.assertIn(b"the text is longer than the limit", err)
            self.ok("block", "--codec", "dag-cbor", stdin=node)


if __name__ == "__main__":
    support.main()

// The npm packages multiformats, @atcute/cid and @ipld/dag-json, and JSON as Node has it, on the
// rows of cid-bench, on the same inputs, as JSON lines that `cid-bench table`, `compare` and `plot`
// read. Started by the script run, which has installed the packages beside a copy of this file and
// put the path of cid-bench into CID_BENCH.
//
// Times are CPU time of the whole process, garbage collector included. Allocations cannot be
// counted from here and are null.

import { execFileSync } from 'node:child_process'
import { isDeepStrictEqual } from 'node:util'
import { varint } from 'multiformats'
import * as Digest from 'multiformats/hashes/digest'
import { CID } from 'multiformats/cid'
import { base16 } from 'multiformats/bases/base16'
import { base32 } from 'multiformats/bases/base32'
import { base36 } from 'multiformats/bases/base36'
import { base58btc } from 'multiformats/bases/base58'
import { base64url } from 'multiformats/bases/base64'
import * as atcute from '@atcute/cid'
import * as dagJson from '@ipld/dag-json'

const INPUTS = 512
const SLICES = 10
const SHA2_256 = 0x12
const MASK = (1n << 64n) - 1n

// ---- inputs: splitmix64, as bench/random.h has it

class Random {
  constructor (seed) {
    this.state = BigInt(seed)
  }

  next () {
    this.state = (this.state + 0x9e3779b97f4a7c15n) & MASK
    let z = this.state
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & MASK
    return z ^ (z >> 31n)
  }

  bytes (length) {
    const out = new Uint8Array(length)
    let word = 0n
    for (let i = 0; i < length; i++) {
      if (i % 8 === 0) word = this.next()
      out[i] = Number((word >> BigInt(8 * (i % 8))) & 0xffn)
    }
    return out
  }
}

function varints (seed, size) {
  const random = new Random(seed)
  const least = size === 1 ? 0n : 1n << BigInt(7 * (size - 1))
  const most = (1n << BigInt(7 * size)) - 1n
  return Array.from({ length: INPUTS }, () => {
    const value = Number(least + random.next() % (most - least + 1n))
    const bytes = random.bytes(16)
    varint.encodeTo(value, bytes)
    return { value, bytes }
  })
}

function cids (seed, version) {
  const random = new Random(seed)
  return Array.from({ length: INPUTS }, (_, i) => {
    const digest = random.bytes(32)
    const codec = [0x55, 0x71][i % 2]
    const head = version === 1 ? [1, codec, SHA2_256, 32] : [SHA2_256, 32]
    return { digest, codec, bytes: Uint8Array.from([...head, ...digest]) }
  })
}

// ---- rows: { bench, engine, size, run(first, count), check() }

// Whatever an operation gives is kept here, so that no compiler leaves it out.
const sink = { value: null }

function same (a, b) {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}

// From an operation on one input, and what it must give: a row's engine.
function engine (bench, name, inputs, op, ok, size) {
  return {
    bench,
    engine: name,
    size,
    unit: 'ns/op',
    inputs: inputs.length,
    check () {
      inputs.forEach((input, i) => {
        if (!ok(op(input), input)) throw new Error(`${bench}: ${name}: input ${i} is wrong`)
      })
    },
    run (first, count) {
      let at = first
      for (let n = 0; n < count; n++) {
        sink.value = op(inputs[at])
        if (++at === inputs.length) at = 0
      }
      return at
    }
  }
}

function varintRows (seed) {
  const out = new Uint8Array(16)
  return [1, 2, 3].flatMap(size => {
    const inputs = varints(seed, size)
    return [
      engine(`varint/read/${size}`, 'multiformats', inputs, x => varint.decode(x.bytes)[0],
        (value, x) => value === x.value, size),
      engine(`varint/write/${size}`, 'multiformats', inputs, x => varint.encodeTo(x.value, out),
        (target, x) => same(target.slice(0, size), x.bytes.slice(0, size)), size)
    ]
  })
}

function binaryRows (seed) {
  const v0 = cids(seed, 0)
  const v1 = cids(seed, 1)
  const whole = (cid, x) => same(cid.bytes, x.bytes)
  return [
    engine('multihash/read', 'multiformats', v0, x => Digest.decode(x.bytes),
      (hash, x) => same(hash.digest, x.digest), 34),
    engine('cid/make/v1', 'multiformats', v1,
      x => CID.createV1(x.codec, Digest.create(SHA2_256, x.digest)), whole, 36),
    engine('cid/make/v1', '@atcute/cid', v1, x => atcute.fromDigest(x.codec, x.digest), whole, 36),
    engine('cid/read/v0', 'multiformats', v0, x => CID.decode(x.bytes), whole, 34),
    engine('cid/read/v1', 'multiformats', v1, x => CID.decode(x.bytes), whole, 36),
    engine('cid/read/v1', '@atcute/cid', v1, x => atcute.decode(x.bytes), whole, 36)
  ]
}

// CID.toString keeps its result and gives it again, so what is timed is the encoder below it.
function textRows (seed) {
  const forms = [
    ['base32', base32, 1], ['qm', base58btc, 0], ['z', base58btc, 1], ['k', base36, 1],
    ['base16', base16, 1], ['base64url', base64url, 1]
  ]
  return forms.flatMap(([name, base, version]) => {
    const encode = version === 0 ? x => base.baseEncode(x.bytes) : x => base.encode(x.bytes)
    const inputs = cids(seed, version).map(x => ({ ...x, text: encode(x) }))
    const size = inputs.reduce((sum, x) => sum + x.text.length, 0) / inputs.length
    const whole = (cid, x) => same(cid.bytes, x.bytes)
    const text = (written, x) => written === x.text
    const rows = [
      engine(`cid/parse/${name}`, 'multiformats', inputs, x => CID.parse(x.text, base), whole, size),
      engine(`cid/format/${name}`, 'multiformats', inputs, encode, text, size)
    ]
    if (name === 'base32') {
      inputs.forEach(x => { x.cid = atcute.decode(x.bytes) })
      rows.push(
        engine('cid/parse/base32', '@atcute/cid', inputs, x => atcute.fromString(x.text), whole, size),
        engine('cid/format/base32', '@atcute/cid', inputs, x => atcute.toString(x.cid), text, size))
    }
    return rows
  })
}

// A document a pass, whose parts are counted as operations.
function document (bench, name, parts, size, op, ok) {
  return {
    bench,
    engine: name,
    size,
    unit: 'ns/file',
    inputs: parts,
    check () {
      if (!ok(op())) throw new Error(`${bench}: ${name}: the document is wrong`)
    },
    run (first, count) {
      for (let n = 0; n < count; n += parts) sink.value = op()
      return first
    }
  }
}

// The manifest, as text for JSON, whose CIDs multiformats parses and prints, and with links for
// @ipld/dag-json, as bytes. To JSON.parse and JSON.stringify the text is a string, which is neither
// decoded nor encoded here. CID.toString keeps its result, so that CIDs are made anew each time.
function manifestRows (seed) {
  const text = execFileSync(process.env.CID_BENCH, ['manifest', '--seed', seed],
    { encoding: 'utf8', maxBuffer: 1 << 26 })
  const linked = text.replace(/"cid":("[^"]*")/g, '"cid":{"/":$1}')
  const linkedBytes = new TextEncoder().encode(linked)
  const files = manifest => manifest.groups.flatMap(group => group.files)
  const source = JSON.parse(text)
  const count = files(source).length
  for (const file of files(source)) {
    const cid = CID.parse(file.cid, base32)
    Object.assign(file, { text: file.cid, bytes: cid.bytes, hash: cid.multihash })
  }
  const whole = manifest => files(manifest).length === count && isDeepStrictEqual(
    files(manifest).map(file => file.cid.toString(base32)), files(source).map(file => file.text))
  const tree = cidOf => ({
    groups: source.groups.map(group => ({
      name: group.name,
      files: group.files.map(file => (
        { name: file.name, path: file.path, checksum: file.checksum, cid: cidOf(file) }))
    }))
  })
  const parse = () => {
    const manifest = JSON.parse(text)
    for (const group of manifest.groups) {
      for (const file of group.files) file.cid = CID.parse(file.cid, base32)
    }
    return manifest
  }
  const row = (name, engine, length, op, ok) =>
    document(`json/manifest/${name}`, engine, count, length / count, op, ok)
  return [
    row('decode', 'JSON.parse', text.length, parse, whole),
    row('decode', '@ipld/dag-json', linked.length, () => dagJson.decode(linkedBytes), whole),
    row('encode', 'JSON.stringify', text.length,
      () => JSON.stringify(tree(file => base32.encode(file.bytes))), written => written === text),
    row('encode', '@ipld/dag-json', linked.length,
      () => dagJson.encode(tree(file => new CID(1, 0x55, file.hash, file.bytes))),
      bytes => bytes.length === linked.length &&
        isDeepStrictEqual(JSON.parse(new TextDecoder().decode(bytes)), JSON.parse(linked)))
  ]
}

// ---- timing, as bench/harness.c does it

function cpuNs () {
  const { user, system } = process.cpuUsage()
  return (user + system) * 1000
}

function slice (row, ops) {
  const start = cpuNs()
  row.at = row.run(row.at, ops)
  return cpuNs() - start
}

function settle (row, turnNs) {
  let ops = row.inputs
  row.at = 0
  for (const end = cpuNs() + 50e6; cpuNs() < end;) row.at = row.run(row.at, row.inputs) // compile it
  while (slice(row, ops) < 1e6) ops *= 2
  const perOp = slice(row, ops) / ops
  row.ops = Math.max(1, Math.round(Math.max(turnNs / (SLICES + 1), 200e3) / perOp / row.inputs)) * row.inputs
  row.slices = Math.max(1, Math.min(SLICES, Math.floor(turnNs / (perOp * row.ops)) - 1))
  row.samples = []
  row.values = []
}

function quantile (sorted, q) {
  const at = q * (sorted.length - 1)
  const below = Math.floor(at)
  const next = sorted[Math.min(below + 1, sorted.length - 1)]
  return sorted[below] + (at - below) * (next - sorted[below])
}

const ascending = values => [...values].sort((a, b) => a - b)

function turn (row) {
  const samples = []
  slice(row, row.ops)
  for (let i = 0; i < row.slices; i++) samples.push(slice(row, row.ops) / row.ops)
  row.samples.push(...samples)
  row.values.push(quantile(ascending(samples), 0.5))
}

function result (row) {
  const sorted = ascending(row.samples)
  const headline = quantile(ascending(row.values), 0.5)
  const short = number => Number(number.toPrecision(6))
  return {
    bench: row.bench,
    engine: row.engine,
    unit: row.unit,
    samples: sorted.length,
    min: short(sorted[0]),
    q1: short(quantile(sorted, 0.25)),
    median: short(quantile(sorted, 0.5)),
    mean: short(sorted.reduce((sum, x) => sum + x, 0) / sorted.length),
    q3: short(quantile(sorted, 0.75)),
    max: short(sorted[sorted.length - 1]),
    bytes_per_s: short(row.size * 1e9 / headline),
    alloc_bytes_per_op: null,
    allocs_per_op: null,
    values: row.values.map(short)
  }
}

// ---- the command line: --filter, --rounds, --time, --seed

function options (args) {
  const known = { filter: '', rounds: '11', time: '', seed: '1' }
  while (args.length > 0) {
    const [name, value] = args.shift().split(/=(.*)/s)
    if (!(name.slice(2) in known) || !name.startsWith('--')) {
      console.error(`bench.mjs: ${name}: unknown option`)
      process.exit(2)
    }
    known[name.slice(2)] = value ?? args.shift()
  }
  return known
}

const { filter, rounds, time, seed } = options(process.argv.slice(2))
const wanted = new RegExp(filter)
const manifest = ['decode', 'encode'].some(name => wanted.test(`json/manifest/${name}`))
const rows = [...varintRows(seed), ...binaryRows(seed), ...textRows(seed),
  ...(manifest ? manifestRows(seed) : [])].filter(row => wanted.test(row.bench))
for (const row of rows) row.check()
const seconds = row => time !== '' ? Number(time) : row.bench.startsWith('json/') ? 1 : 0.25
for (const row of rows) settle(row, seconds(row) / Number(rounds) * 0.9e9)
for (let round = 0; round < Number(rounds); round++) rows.forEach(turn)
for (const row of rows) console.log(JSON.stringify(result(row)))

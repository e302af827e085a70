// The npm packages multiformats and @atcute/cid on the rows of cid-bench, on the same inputs, as
// JSON lines that `cid-bench table`, `compare` and `plot` read. Started by the script run, which
// has installed the packages beside a copy of this file.
//
// Times are CPU time of the whole process, garbage collector included. Allocations cannot be
// counted from here and are null.

import { varint } from 'multiformats'
import * as Digest from 'multiformats/hashes/digest'
import { CID } from 'multiformats/cid'
import { base16 } from 'multiformats/bases/base16'
import { base32 } from 'multiformats/bases/base32'
import { base36 } from 'multiformats/bases/base36'
import { base58btc } from 'multiformats/bases/base58'
import { base64url } from 'multiformats/bases/base64'
import * as atcute from '@atcute/cid'

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
  let ops = INPUTS
  row.at = 0
  for (const end = cpuNs() + 50e6; cpuNs() < end;) row.at = row.run(row.at, INPUTS) // compile it
  while (slice(row, ops) < 1e6) ops *= 2
  const perOp = slice(row, ops) / ops
  row.ops = Math.max(1, Math.round(Math.max(turnNs / (SLICES + 1), 200e3) / perOp / INPUTS)) * INPUTS
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
    unit: 'ns/op',
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
  const known = { filter: '', rounds: '11', time: '0.25', seed: '1' }
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
const rows = [...varintRows(seed), ...binaryRows(seed), ...textRows(seed)]
  .filter(row => wanted.test(row.bench))
for (const row of rows) row.check()
for (const row of rows) settle(row, Number(time) / Number(rounds) * 0.9e9)
for (let round = 0; round < Number(rounds); round++) rows.forEach(turn)
for (const row of rows) console.log(JSON.stringify(result(row)))

// Reads each archive of a folder with @ipld/car and holds it against the list beside it.
// usage: node read.mjs FOLDER
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { CarReader } from '@ipld/car'

async function list(bytes) {
  const reader = await CarReader.fromBytes(bytes)
  const lines = []
  for (const root of await reader.getRoots()) lines.push(`root ${root}`)
  for await (const { cid, bytes } of reader.blocks())
    lines.push(`block ${cid} ${Buffer.from(bytes).toString('hex')}`)
  return lines
}

const folder = process.argv[2]
let read = 0
let wrong = 0
for (const name of readdirSync(folder).filter((name) => name.endsWith('.car')).sort()) {
  const wanted = readFileSync(join(folder, name.replace(/car$/, 'txt')), 'utf8').split('\n').slice(0, -1)
  const lines = await list(readFileSync(join(folder, name)))
  const at = wanted.findIndex((line, i) => line !== lines[i])
  read++
  if (at === -1 && lines.length === wanted.length) continue
  wrong++
  console.error(`${name}: line ${at + 1}: ${lines[at]} instead of ${wanted[at]}`)
}
console.log(`${read} archives read, ${wrong} wrong`)
process.exit(read === 0 || wrong !== 0 ? 1 : 0)

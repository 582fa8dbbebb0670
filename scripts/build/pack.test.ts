import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { pack } from './pack.mjs'

let top: string
beforeEach(() => {
  top = mkdtempSync(path.join(os.tmpdir(), 'gatehouse-pack-'))
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

/** A folder in a place of its own, whose files were written at another time and in another order. */
function built(place: string, names: readonly string[], changedAt: number): string {
  const folder = path.join(top, place, 'gatehouse')
  mkdirSync(folder, { recursive: true })
  for (const name of names) {
    writeFileSync(path.join(folder, name), name)
    utimesSync(path.join(folder, name), changedAt, changedAt)
  }
  return folder
}

it('two packs of the same files have the same bytes where the time is given, and hold that time', () => {
  const one = pack(built('one', ['a', 'b'], 1_000_000), '1.2.3', 1_700_000_000)
  const other = pack(built('other', ['b', 'a'], 1_500_000), '1.2.3', 1_700_000_000)
  expect(path.basename(one.file)).toBe(`gatehouse-1.2.3-${process.platform}-${process.arch}.tar.gz`)
  expect(readFileSync(one.file).equals(readFileSync(other.file))).toBe(true)
  expect(one.bytes).toBe(readFileSync(one.file).length)
  const listed = execFileSync('tar', ['--utc', '-tvzf', one.file], { encoding: 'utf8' })
  expect(listed.match(/2023-11-14 22:13/g)).toHaveLength(3)
})

import { closeSync, fstatSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { EntryIndex } from './entry-index.ts'
import { IndexedFile } from './indexed-file.ts'
import type { LineFormat } from './line-format.ts'
import { levelNames } from './levels.ts'
import { Needle } from './needle.ts'
import { readPage } from './page-reader.ts'
import { indexTail } from './tail-index.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-index-'))
const opened: number[] = []
afterAll(() => {
  for (const fd of opened) closeSync(fd)
  rmSync(folder, { recursive: true, force: true })
})

function fileOf(content: string | Buffer): { fd: number; size: number } {
  const path = join(folder, `${opened.length}.log`)
  writeFileSync(path, content)
  const fd = openSync(path, 'r')
  opened.push(fd)
  return { fd, size: Buffer.byteLength(content) }
}

const counts = ({ table }: EntryIndex) => ({
  starts: [...table.starts.subarray(0, table.count)],
  all: [...table.all.subarray(0, table.count)],
  hits: [...table.hits.subarray(0, table.count * levelNames.length)],
  levelTotals: table.levelTotals,
  total: table.total,
})

const line = fc.constantFrom(
  '[2026-11-21 10:00:00] local.ERROR: needle\n',
  '[2026-11-21 10:00:00] local.INFO: something longer that fills the block a bit faster\n',
  '#0 a stack with the Needle in it\n',
  '{"level":"warn","time":1,"msg":"needle"}\n',
  `${'x'.repeat(3_000)}\n`,
  `${'y'.repeat(70_000)}needle\n`,
  '\n',
  '\r\n',
  'no line end',
)

describe('an index that grows with its file', () => {
  it('is the same as one that was made at once, wherever the file stood in between', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 40 }),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }),
        fc.constantFrom<LineFormat>('headings', 'json', 'plain'),
        fc.constantFrom(undefined, 'NEEDLE'),
        async (lines, stops, format, text) => {
          const { fd, size } = fileOf(lines.join(''))
          const options = {
            format,
            from: 0,
            needle: text === undefined ? undefined : new Needle(text),
          }
          const once = new EntryIndex(options)
          await once.extend(fd, size)
          const grown = new EntryIndex(options)
          for (const stop of stops.toSorted()) await grown.extend(fd, Math.floor(stop * size))
          await grown.extend(fd, size)
          expect(counts(grown)).toEqual(counts(once))
        },
      ),
      { numRuns: 150 },
    )
  })

  it('goes on where it was stopped', async () => {
    const { fd, size } = fileOf('[2026-11-21 10:00:00] local.ERROR: x\n'.repeat(200_000))
    const index = new EntryIndex({ format: 'headings', from: 0 })
    let asked = 0
    await index.extend(fd, size, () => ++asked < 2)
    expect(index.table.total).toBeGreaterThan(10_000)
    expect(index.table.total).toBeLessThan(100_000)
    await index.extend(fd, size)
    expect(index.table.total).toBe(200_000)
    expect(index.scannedTo).toBe(size)
  })
})

it('finds a text across the cut between two slices of one line', async () => {
  const slice = 2 * 1024 * 1024
  for (const at of [slice - 5, slice - 1, slice, 2 * slice - 12, 2 * slice - 6]) {
    const content = Buffer.alloc(5 * 1024 * 1024, 'x')
    content.write('find me!', at)
    const { fd, size } = fileOf(content)
    const index = new EntryIndex({ format: 'plain', from: 0, needle: new Needle('FIND ME!') })
    await index.extend(fd, size)
    expect(index.table.levelTotals[0], String(at)).toBe(1)
    const other = new EntryIndex({ format: 'plain', from: 0, needle: new Needle('find you') })
    await other.extend(fd, size)
    expect(other.table.levelTotals[0]).toBe(0)
  }
})

it('stays small however many entries there are, and still finds each', async () => {
  const count = 3_000_000
  const { fd, size } = fileOf(Buffer.alloc(count * 100, `${'x'.repeat(99)}\n`))
  const index = new EntryIndex({ format: 'plain', from: 0 })
  await index.extend(fd, size)
  expect(index.table.total).toBe(count)
  expect(index.table.count).toBeLessThanOrEqual(64 * 1024)
  expect(index.table.bytes).toBeLessThan(8 * 1024 * 1024)
  for (const page of [1, 777, 30_000]) {
    const { rows } = readPage(fd, index, { page, perPage: 100, levels: [0] })
    const newest = count - (page - 1) * 100
    expect(rows.map(({ date }) => date)).toEqual(
      Array.from({ length: 100 }, (_, at) => String(newest - at)),
    )
  }
})

describe('the end of a file, while the whole is still being read', () => {
  const all = [...levelNames.keys()]
  const tailOf = (content: string, wanted: number) => {
    const { fd, size } = fileOf(content)
    const source = { path: '', root: '' }
    const file = new IndexedFile(source, fd, fstatSync(fd), '')
    return indexTail(file, fd, size, wanted, all).then((tail) => ({ fd, tail }))
  }

  it('begins with the first whole entry in it: no rows of stacks that were cut', async () => {
    const entry = `[2026-11-21 10:00:00] local.ERROR: x\n${'#0 frame of a stack\n'.repeat(300)}`
    const { fd, tail } = await tailOf(entry.repeat(100), 5)
    if (!tail) throw new Error('nothing was found')
    expect(tail.from).toBeGreaterThan(0)
    const { rows, total } = readPage(fd, tail, { page: 1, perPage: 50, levels: all })
    expect(rows).toHaveLength(total)
    for (const row of rows) expect(row).toMatchObject({ level: 'error', text: 'x' })
  })

  it('has no line numbers to show', async () => {
    const { fd, tail } = await tailOf('a line without a date\n'.repeat(50_000), 30)
    if (!tail) throw new Error('nothing was found')
    const { rows } = readPage(fd, tail, { page: 1, perPage: 30, levels: all })
    expect(rows.map(({ date }) => date)).toEqual(Array.from({ length: 30 }, () => ''))
  })

  it('says nothing where not one entry begins in it', async () => {
    const { tail } = await tailOf(`a line\n${'x'.repeat(5 * 1024 * 1024)}`, 30)
    expect(tail).toBeUndefined()
  })
})

import { appendFileSync, closeSync, fstatSync, openSync, utimesSync, writeFileSync } from 'node:fs'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createLogFolder } from '../../../../test/places/log-folder.ts'
import { IndexedFile } from './indexed-file.ts'

const folder = createLogFolder()
const opened: number[] = []
afterAll(() => {
  for (const fd of opened) closeSync(fd)
  folder.remove()
})

let path: string
let source: { path: string; root: string }
beforeEach(() => {
  const name = `${opened.length}.log`
  path = folder.path(name)
  source = { path, root: folder.path('.') }
  folder.write(name, '')
})

function open(): number {
  const fd = openSync(path, 'r')
  opened.push(fd)
  return fd
}

const entry = (number: number) => `[2026-11-21 10:00:00] local.ERROR: entry ${number}\n`
const entries = (count: number) =>
  Array.from({ length: count }, (_, index) => entry(index)).join('')

/** An index of the file as it is, once it has been scanned. */
async function index(search = '') {
  const fd = open()
  const file = new IndexedFile(source, fd, fstatSync(fd), search)
  expect(file.follow(fd, fstatSync(fd))).toBe(true)
  await file.pass
  return { fd, file, follow: () => file.follow(fd, fstatSync(fd)) }
}

describe('an index follows its file', () => {
  it('while it grows', async () => {
    writeFileSync(path, entries(10))
    const { file, follow } = await index()
    expect(file.isReady).toBe(true)
    appendFileSync(path, entries(5))
    expect(follow()).toBe(true)
    expect(file.isReady).toBe(false)
    await file.pass
    expect(file.isReady).toBe(true)
    expect(file.index.table.total).toBe(15)
  })

  it('and not when it has become shorter', async () => {
    writeFileSync(path, entries(10))
    const { follow } = await index()
    writeFileSync(path, entries(9))
    expect(follow()).toBe(false)
  })

  it('and not when it was rewritten, longer than before', async () => {
    writeFileSync(path, entries(10))
    const { file, fd, follow } = await index()
    writeFileSync(path, entries(20).replace('entry 0', 'ENTRY 0'))
    expect(file.holds(fd)).toBe(false)
    expect(follow()).toBe(false)
  })

  it('and not when only its last lines are others', async () => {
    writeFileSync(path, entries(100))
    const { file, fd, follow } = await index()
    writeFileSync(path, entries(100).replace('entry 99', 'ENTRY 99') + entry(100))
    expect(file.holds(fd)).toBe(false)
    expect(follow()).toBe(false)
  })

  it('and not when it is as long as before, but was written since', async () => {
    writeFileSync(path, entries(100))
    const { follow } = await index()
    writeFileSync(path, entries(100).replace('entry 50', 'ENTRY 50'))
    const later = new Date(Date.now() + 5_000)
    utimesSync(path, later, later)
    expect(follow()).toBe(false)
  })

  it('and not when what comes in shows that it is of another format', async () => {
    writeFileSync(path, '[2026-11-21 10:0')
    const { file, follow } = await index()
    expect(file.index.format).toBe('plain')
    appendFileSync(path, '0:00] local.ERROR: now it has its level\n')
    follow()
    await file.pass
    expect(file.isDropped).toBe(true)
  })
})

describe('a file that is rewritten between two looks at it', () => {
  it('was empty when its format was looked at', async () => {
    writeFileSync(path, entries(10))
    const fd = open()
    const stats = fstatSync(fd)
    writeFileSync(path, '')
    const file = new IndexedFile(source, fd, stats, '')
    expect(file.index.format).toBe('plain')
    file.follow(fd, stats)
    // The scan has begun, on nothing.
    writeFileSync(path, entries(50))
    await file.pass
    expect(file.isReady && !file.isDropped && file.index.table.total > 0).toBe(false)
  })

  it('is of another format when it is scanned', async () => {
    writeFileSync(path, 'plain\n'.repeat(100))
    const fd = open()
    const stats = fstatSync(fd)
    const file = new IndexedFile(source, fd, stats, '')
    writeFileSync(path, entries(100))
    file.follow(fd, stats)
    await file.pass
    expect(file.isDropped).toBe(true)
  })
})

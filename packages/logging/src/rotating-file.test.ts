import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RotatingFile, type RotatingFileOptions } from './rotating-file.ts'

let top: string
let folder: string
let now: Date
let file: RotatingFile
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'gatehouse-rotating-'))
  folder = join(top, 'admin')
  now = new Date('2026-11-21T10:00:00Z')
  file = open()
})
afterEach(() => {
  file.close()
  rmSync(top, { recursive: true, force: true })
})

function open(options: Partial<RotatingFileOptions> = {}): RotatingFile {
  return new RotatingFile({
    folder,
    name: 'admin',
    clock: { now: () => now },
    lossLine: ({ lines, reason }) => `lost ${lines}: ${reason}\n`,
    ...options,
  })
}

const pass = (ms: number) => {
  now = new Date(now.getTime() + ms)
}
const files = () => readdirSync(folder).toSorted()
const read = (name: string) => readFileSync(join(folder, name), 'utf8')
const today = 'admin-2026-11-21.log'
const dayMs = 86_400_000

describe('a log file', () => {
  it('loses its oldest parts before all of them hold more than they may', () => {
    file = open({ maxBytes: 10, maxTotalBytes: 30 })
    for (const text of ['aaaaaaaa\n', 'bbbbbbbb\n', 'cccccccc\n', 'dddddddd\n']) {
      file.write(text)
      pass(1_000)
    }
    expect(files()).toEqual([2, 3, 4].map((at) => `admin-2026-11-21.${at}.log`))
    pass(dayMs)
    file.write('eeeeeeee\n')
    expect(files()).toEqual([
      'admin-2026-11-21.3.log',
      'admin-2026-11-21.4.log',
      'admin-2026-11-22.log',
    ])
    expect(read('admin-2026-11-22.log')).toBe('eeeeeeee\n')
  })

  it('is for its owner alone, in a folder that is likewise', () => {
    file.write('a\n')
    expect(read(today)).toBe('a\n')
    if (process.platform === 'win32') return
    expect(statSync(join(folder, today)).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it('goes on where the last start stopped', () => {
    file.write('a\n')
    file.close()
    file = open()
    file.write('b\n')
    expect(read(today)).toBe('a\nb\n')
  })

  it('is another each day', () => {
    file.write('a\n')
    pass(dayMs)
    file.write('b\n')
    expect(files()).toEqual([today, 'admin-2026-11-22.log'])
    expect(read('admin-2026-11-22.log')).toBe('b\n')
  })

  it('is another when it has grown large, and the last of the day after a start', () => {
    file = open({ maxBytes: 10 })
    for (const line of ['1234\n', '5678\n', '9\n', 'a line longer than all\n', 'b\n'])
      file.write(line)
    file.close()
    file = open({ maxBytes: 10 })
    file.write('c\n')
    expect(files().map((name) => [name, read(name)])).toEqual([
      ['admin-2026-11-21.2.log', '9\n'],
      ['admin-2026-11-21.3.log', 'a line longer than all\n'],
      ['admin-2026-11-21.4.log', 'b\nc\n'],
      [today, '1234\n5678\n'],
    ])
  })

  it('is kept for thirty days; files of others are left alone', () => {
    mkdirSync(folder)
    const names = [
      'admin-2026-10-21.log',
      'admin-2026-10-21.7.log',
      'admin-2026-10-22.log',
      'admin-2026-10-21.log.gz',
      'other-2020-01-01.log',
      'admin.log',
    ]
    for (const name of names) writeFileSync(join(folder, name), '')
    file.write('a\n')
    expect(files()).toEqual(
      [
        'admin-2026-10-22.log',
        'admin-2026-10-21.log.gz',
        'other-2020-01-01.log',
        'admin.log',
        today,
      ].toSorted(),
    )
  })

  it('is opened again when another process has moved it away', () => {
    file.write('a\n')
    renameSync(join(folder, today), join(top, 'moved'))
    pass(5_000)
    file.write('b\n')
    expect(read(today)).toBe('b\n')
  })
})

describe('when the disk fails', () => {
  it('nothing is thrown, and later a line tells how much was dropped', () => {
    file.write('a\n')
    rmSync(folder, { recursive: true })
    writeFileSync(folder, 'a file where the folder was')
    pass(5_000)
    for (let line = 0; line < 4; line++) file.write('dropped\n')
    expect(file.write('dropped\ndropped\ndropped\n', 3)).toBe(false)
    rmSync(folder)
    file.write('dropped too: it is not yet time to try again\n')
    pass(1_000)
    file.write('b\n')
    file.write('c\n')
    expect(read(today)).toMatch(/^lost 8: E\w+.*\nb\nc\n$/)
  })

  it('a file that cannot be opened is tried again once a second, not with every line', () => {
    if (process.platform === 'win32') return
    mkdirSync(folder)
    symlinkSync('/dev/full', join(folder, today))
    file.write('through no link\n')
    rmSync(join(folder, today))
    file.write('too early\n')
    expect(existsSync(join(folder, today))).toBe(false)
    pass(1_000)
    file.write('a\n')
    expect(read(today)).toMatch(/^lost 2: ELOOP.*\na\n$/)
  })

  it('logs stop before the disk is full, and go on when there is room', () => {
    let free = 1_000
    file = open({ minFreeBytes: 500, freeBytes: () => free })
    file.write('a\n')
    free = 499
    pass(5_000)
    file.write('dropped\n')
    file.write('dropped\n')
    free = 500
    pass(1_000)
    file.write('b\n')
    expect(read(today)).toBe('a\nlost 2: the disk is almost full\nb\n')
  })

  it('a folder that may not be written to is no reason to stop either', () => {
    mkdirSync(folder)
    chmodSync(folder, 0o500)
    const write = () => file.write('a\n')
    expect(write).not.toThrow()
    chmodSync(folder, 0o700)
  })

  it('a line begins on a line of its own, whatever stands before it', () => {
    file.write('a\n')
    file.close()
    appendFileSync(join(folder, today), 'cut off by a cra')
    file = open()
    file.write('b\n')
    expect(read(today)).toBe('a\ncut off by a cra\nb\n')
  })
})

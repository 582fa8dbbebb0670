import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fillDisk, mountSmallDisk, noSmallDisk, unmount } from '../test/places/small-disk.ts'
import { createEmptyPostgres, writeSqliteFile } from '../test/test-database.ts'
import { openDataDir, StartError } from './settings/data-dir.ts'
import { openDatabase } from './open-database.ts'

const now = new Date('2026-06-01T08:00:00Z')
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-start-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** What the operator reads: one line of a StartError. */
async function refusalOf(start: () => unknown): Promise<string> {
  try {
    await start()
  } catch (error) {
    expect(error).toBeInstanceOf(StartError)
    const { message } = error as StartError
    expect(message).not.toContain('\n')
    return message
  }
  throw new Error('It was not refused.')
}

describe('a database that is gone beside a kept configuration', () => {
  const keepSnapshot = () => writeFileSync(join(folder, 'gateway-snapshot.json'), 'sealed')

  it('is refused and not made again, until the configuration is moved away', async () => {
    await writeSqliteFile(folder)
    keepSnapshot()
    await (await openDatabase(undefined, folder, now)).destroy()
    for (const file of readdirSync(folder).filter((name) => name.startsWith('gatehouse.sqlite')))
      rmSync(join(folder, file))
    const refusal = await refusalOf(() => openDatabase(undefined, folder, now))
    expect(refusal).toMatch(/gatehouse\.sqlite\) is gone.*backup.*move gateway-snapshot\.json/)
    expect(existsSync(join(folder, 'gatehouse.sqlite'))).toBe(false)
    rmSync(join(folder, 'gateway-snapshot.json'))
    await (await openDatabase(undefined, folder, now)).destroy()
  })

  it('is refused where the file is empty', async () => {
    keepSnapshot()
    writeFileSync(join(folder, 'gatehouse.sqlite'), '')
    expect(await refusalOf(() => openDatabase(undefined, folder, now))).toContain('is gone')
  })

  it('is refused where the database of PostgreSQL is empty', async () => {
    const postgres = await createEmptyPostgres()
    if (!postgres) return
    keepSnapshot()
    const refusal = await refusalOf(() => openDatabase(postgres.url, folder, now))
    expect(refusal).toContain('The database (DATABASE_URL) is empty')
    expect(refusal).not.toContain(postgres.url)
    await postgres.drop()
  })
})

describe('a start ends in one line', () => {
  it('with a database that is none', async () => {
    writeFileSync(
      join(folder, 'gatehouse.sqlite'),
      'this is no database, and long enough to be recognised as none',
    )
    expect(await refusalOf(() => openDatabase(undefined, folder, now))).toMatch(
      /can't be used: file is not a database/,
    )
  })

  it('with a database in the place of which is a folder', async () => {
    mkdirSync(join(folder, 'gatehouse.sqlite'))
    expect(await refusalOf(() => openDatabase(undefined, folder, now))).toContain("can't be used")
  })

  it('with a folder that is a file, and one whose lock is none', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    expect(await refusalOf(() => openDataDir(file))).toContain(`The folder ${file} can't be used`)
    writeFileSync(
      join(folder, 'lock.sqlite'),
      'this is no database, and long enough to be recognised as none',
    )
    expect(await refusalOf(() => openDataDir(folder))).toContain('file is not a database')
  })

  it('with a full disk', async (context) => {
    if (!mountSmallDisk(folder, 'size=64k')) {
      context.skip(noSmallDisk)
      return
    }
    try {
      writeFileSync(join(folder, 'first'), '')
      fillDisk(folder)
      expect(await refusalOf(() => openDataDir(folder))).toContain('its disk is full')
      expect(await refusalOf(() => openDatabase(undefined, folder, now))).toContain(
        'its disk is full',
      )
    } finally {
      unmount(folder)
    }
  })

  it('with a disk that can’t be written', async (context) => {
    if (!mountSmallDisk(folder, 'size=1m')) {
      context.skip(noSmallDisk)
      return
    }
    try {
      execFileSync('mount', ['-o', 'remount,ro', folder])
      expect(await refusalOf(() => openDataDir(folder))).toContain("can't be used")
      expect(await refusalOf(() => openDatabase(undefined, folder, now))).toContain("can't be used")
    } finally {
      unmount(folder)
    }
  })
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { archiveUnderKills } from '../../../test/processes/archive-kills.ts'
import {
  createEmptyPostgres,
  prepareDatabase,
  writeSqliteFile,
} from '../../../test/test-database.ts'
import { connect, type DatabaseSource } from '../../db/connect.ts'

// The short form of the proof: npm run proof archive.

async function newDatabase(): Promise<DatabaseSource> {
  const postgres = await createEmptyPostgres()
  if (postgres) {
    onTestFinished(postgres.drop)
    const source = { kind: 'postgres', url: postgres.url } as const
    const db = connect(source)
    await prepareDatabase(db)
    await db.destroy()
    return source
  }
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-kills-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  await writeSqliteFile(folder)
  return { kind: 'file', folder }
}

it('a server that is killed at any moment leaves each body in the database or in a checked file', async () => {
  const report = await archiveUnderKills({
    source: await newDatabase(),
    runs: 1_000,
    kills: 6,
    killWithin: { steps: 25 },
    fileLines: 200,
    seed: 7,
  })
  expect(report.faults).toEqual([])
  expect(report.kills).toBe(6)
  expect(report.files).toBeGreaterThan(3)
})

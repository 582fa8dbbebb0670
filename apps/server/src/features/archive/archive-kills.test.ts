import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { archiveUnderKills } from '../../../test/processes/archive-kills.ts'
import { createPrepared } from '../../../test/test-database.ts'
import type { DatabaseSource } from '../../db/connect.ts'

// The short form of the proof: npm run proof archive.

async function newDatabase(): Promise<DatabaseSource> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-kills-'))
  const postgres = await createPrepared(folder)
  onTestFinished(async () => {
    await postgres?.drop()
    rmSync(folder, { recursive: true })
  })
  return postgres ? { kind: 'postgres', url: postgres.url } : { kind: 'file', folder }
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

import { describe, expect, it } from 'vitest'
import { startPostgres } from '../../scripts/databases/throwaway-postgres.mjs'
import { foundPrograms } from '../../scripts/set-up/programs.mjs'
import { growsWhileAway, measureAbsence, type Absence } from '../harness/soak/absence.ts'

// The short form of `npm run proof absence`.

const hasPostgres = foundPrograms()['GATEHOUSE_TEST_POSTGRES_BIN'] !== undefined

it('counts that go on growing, or exceed a full pool, are found', () => {
  expect(growsWhileAway([27, 38, 38, 38, 38, 30])).toBe(false)
  expect(growsWhileAway([27, 30, 33, 36, 39, 30])).toBe(true)
  expect(growsWhileAway([27, 45, 45, 45, 45, 27])).toBe(true)
})

describe.skipIf(!hasPostgres || process.platform !== 'linux')('while PostgreSQL is away', () => {
  it.each<[Absence]>([['silent'], ['gone']])(
    'no process opens more and more files, and gateways answer: %s',
    async (absence) => {
      const postgres = await startPostgres()
      try {
        const { descriptors, calls, refused, troubles } = await measureAbsence({
          place: 'roles',
          absence,
          databaseUrl: postgres.url,
          awayMs: 24_000,
          everyMs: 2_000,
          restMaxMs: 4_000,
        })
        expect(Object.keys(descriptors)).toHaveLength(7)
        for (const [name, counts] of Object.entries(descriptors))
          expect(growsWhileAway(counts), `${name}: ${counts.join(' ')}`).toBe(false)
        // One line when it begins, one when it ends, whatever has failed in between.
        for (const [name, texts] of Object.entries(troubles)) {
          const away = texts.filter((text) => text.startsWith('the database is away'))
          expect(away, name).toHaveLength(1)
          expect(texts, name).toContain('the database is there again')
          expect(texts.length, `${name}: ${texts.join('; ')}`).toBeLessThanOrEqual(4)
        }
        expect(calls).toBeGreaterThan(50)
        expect(refused).toBe(0)
      } finally {
        await postgres.stop()
      }
    },
  )
})

import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { addEndedRuns, ledgerOf } from '../../../test/rows/archive-rows.ts'
import { mountSmallDisk, noSmallDisk, unmount } from '../../../test/places/small-disk.ts'
import { createTestDatabase } from '../../../test/test-database.ts'
import { databaseSize } from '../../db/dialect.ts'
import { systemClock as clock } from '../../kernel/clock.ts'
import { createStores, inTransactionOn } from '../../stores.ts'
import { createArchive, createArchivedBodies } from './create-archive.ts'

it.for([
  ['has too little room from the beginning', 64 * 1024 * 1024],
  ['becomes full while a file is written', 0],
] as const)(
  'a disk that %s ends the round, and nothing is removed',
  async ([, freeBytesMin], context) => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-full-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    if (!mountSmallDisk(folder, 'size=256k')) return context.skip(noSmallDisk)
    onTestFinished(() => unmount(folder))
    const { db, drop } = await createTestDatabase()
    onTestFinished(drop)
    const stores = createStores(db, clock)
    const inTransaction = inTransactionOn(db, clock)
    const common = { stores, inTransaction, clock, folder, owner: 'test-server' }
    const { threads } = createArchivedBodies(common)
    onTestFinished(() => threads.close())
    const { keeper } = createArchive({
      ...common,
      threads,
      longReads: stores,
      log: pino({ level: 'silent' }),
      duty: { round: (work) => work(), hold: async () => true },
      databaseSize: () => databaseSize(db),
      databaseFolder: undefined,
      bounds: { freeBytesMin },
    })
    const at = new Date(Date.now() - 40 * 86_400_000)
    const paddingOf = () => randomBytes(3000).toString('hex')
    await addEndedRuns(db, { at, count: 100, run: { is_test: 1 }, paddingOf })
    const before = await ledgerOf(db)
    await stores.archive.updateRound({ asked_at: at.toISOString() })
    await keeper.look()
    expect(await stores.archive.getRound()).toMatchObject({ phase: 'idle', problem: 'disk_full' })
    expect(await ledgerOf(db)).toEqual(before)
    expect(readdirSync(folder)).toEqual([])
    return undefined
  },
)

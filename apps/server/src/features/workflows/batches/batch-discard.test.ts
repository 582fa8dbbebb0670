import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildServer, type TestServer } from '../../../../test/servers/build-server.ts'
import { addWorkflow } from '../../../../test/rows/workflow-rows.ts'
import { inTransactionOn, type InTransaction } from '../../../stores.ts'
import { BatchKeeper } from './batch-keeper.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildServer()
})
afterAll(() => server.close())

it('a batch that can’t be removed while the disk is full is removed by the next look', async () => {
  const { db } = server
  const clock = { now: () => server.time.now }
  const { id } = await db
    .insertInto('batch')
    .values({
      workflow_id: await addWorkflow(db, 'half-stored'),
      workflow_version: 1,
      user_id: server.admin.id,
      user_name: 'admin',
      total: 2,
      idempotency_key: 'key-of-half',
      content_sha256: 'x',
      created_at: server.time.now.toISOString(),
      stored_by: 'keeper',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  let isFull = true
  const real = inTransactionOn(db, clock)
  const inTransaction: InTransaction = (...work) =>
    isFull ? Promise.reject(new Error('The disk is full.')) : real(...work)
  const log = pino({ level: 'silent' })
  const keeper = new BatchKeeper({ inTransaction, clock, log, owner: 'keeper', wake: () => {} })
  const left = () => db.selectFrom('batch').select('id').where('id', '=', id).execute()
  await expect(keeper.discard(id)).rejects.toThrow('full')
  await keeper.look()
  expect(await left()).toHaveLength(1)
  isFull = false
  await keeper.look()
  expect(await left()).toEqual([])
})

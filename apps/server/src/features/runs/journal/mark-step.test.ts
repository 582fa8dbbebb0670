import { afterAll, beforeAll, expect, it } from 'vitest'
import { startLaneServer, type LaneServer } from '../../../../test/servers/lane-server.ts'
import { json } from '../../../../test/servers/run-server.ts'
import { inTransactionOn } from '../../../stores.ts'
import { markSent } from './mark-sent.ts'
import type { SubmitEntry } from './submit-entry.ts'

let app: LaneServer
beforeAll(async () => {
  app = await startLaneServer()
})
afterAll(() => app.close())

/** As a restored database has it: it was answered 429, and what came of the next try is not in it. */
async function throttled() {
  app.answer(json(429, {}, { 'retry-after': '60' }))
  const endpoint = await app.endpoint({ run_settings: { reference_path: 'no' } })
  const flow = await app.workflow([{ endpointId: endpoint, text: '{"no":"{{input.no}}"}' }])
  const { runId } = await app.put(flow, { inputText: '{"no":"M-1"}' })
  await app.settled()
  expect(await app.stateOf(runId)).toMatchObject({ state: 'queued' })
  const step = await app.server.db
    .selectFrom('run_step')
    .selectAll()
    .where('run_id', '=', runId)
    .executeTakeFirstOrThrow()
  const { register } = await app.server.db
    .selectFrom('document')
    .select('register')
    .where('reference', '=', 'M-1')
    .executeTakeFirstOrThrow()
  const entry: SubmitEntry = {
    at: new Date(app.server.time.now.getTime() + 60_000).toISOString(),
    register,
    kind: 'tax',
    test: false,
    references: ['M-1'],
    run: runId,
    run_kind: 'general',
    step: 1,
    endpoint,
    attempt: 9_999,
    uuid: step.uuid,
    sha256: 'x',
  }
  return { runId, entry }
}

it('a step of which the backup has an earlier attempt is unknown, and its lane sends it no more', async () => {
  const { runId, entry } = await throttled()
  const { db, time } = app.server
  const inTransaction = inTransactionOn(db, { now: () => time.now })
  const mark = () => {
    const entries = (async function* () {
      yield entry
    })()
    return markSent({ inTransaction, entries, owner: 'here', now: () => time.now.toISOString() })
  }
  expect(await mark()).toBe(1)
  const run = await app.show(runId)
  expect(run).toMatchObject({
    state: 'unknown',
    steps: [
      {
        state: 'unknown',
        attempts: [{ outcome: 'throttled' }, { outcome: 'crash', note: expect.any(String) }],
        documents: [{ reference: 'M-1', state: 'unknown' }],
      },
    ],
  })
  const sent = app.upstream.received.length
  await app.later(3_600_000)
  await app.settled()
  expect(app.upstream.received.filter(({ method }) => method === 'POST')).toHaveLength(sent)
  // A start that was killed reads it once more.
  expect(await mark()).toBe(0)
  expect((await app.show(runId)).steps[0]?.attempts).toHaveLength(2)
})

import type { BatchLine, WorkflowRun } from '@gatehouse/contract'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { batchIn, linesOf, startBatchServer } from '../../../../test/servers/batch-server.ts'
import { runIn } from '../../../../test/servers/machine-server.ts'
import { json } from '../../../../test/servers/run-server.ts'
import { workflowOf } from '../../../../test/servers/build-server.ts'
import type { Db } from '../../../db/connect.ts'
import { isPostgres } from '../../../db/dialect.ts'
import { inTransactionOn } from '../../../stores.ts'
import { batchLock } from './batch-lines.ts'

// A workflow whose first step takes several documents: one run takes several inputs of a batch.

const { shared, upload, settled, call, show, runCount } = startBatchServer()
let many: number
let one: number
beforeAll(async () => {
  one = await shared.app.endpoint({ path: '/one' })
  many = await shared.app.endpoint({
    path: '/many',
    run_settings: {
      documents: {
        items_path: 'documents',
        reference_path: 'no',
        accepted_path: 'accepted',
        rejected_path: 'rejected',
        answer_reference_path: 'no',
        authority_reference_path: 'uuid',
        message_path: 'why',
      },
    },
  })
})
beforeEach(async () => {
  const { app } = shared
  shared.flow = await app.workflow([{ endpointId: many, text: '{"documents":"{{input}}"}' }], {
    kind: 'tax',
    definition: { reference_path: 'no', inputs_per_run: 3 },
    lane: { is_paused: 0 },
  })
  shared.erp = await app.machine(shared.flow)
})

const numbers = (...names: string[]) => names.map((name) => `${name}-${shared.flow.id}`)
const carried = (body: string) =>
  (JSON.parse(body) as { documents: { no: string }[] }).documents.map(({ no }) => no)
const sent = () => shared.app.upstream.received.map(({ body }) => carried(body))

/** Accepts all documents but those that one of these letters begins. */
const acceptAllBut = (...letters: string[]) =>
  shared.app.answer((request, ...rest) => {
    const isRefused = (no: string) => letters.some((letter) => no.startsWith(letter))
    const all = carried(request.body)
    json(200, {
      accepted: all.filter((no) => !isRefused(no)).map((no) => ({ no, uuid: `U-${no}` })),
      rejected: all.filter(isRefused).map((no) => ({ no, why: `${no} has no TIN` })),
    })(request, ...rest)
  })

/** Until another transaction waits for this one. SQLite has one writer, and the others wait anyway. */
async function untilBlocked(db: Db): Promise<void> {
  if (!isPostgres(db)) return
  const waiting = sql<object>`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(async () => (await waiting.execute(db)).rows.length).toBeGreaterThan(0)
}

const linesAt = async (id: number, query = '') => {
  const { body } = await call('GET', id, `/lines${query}`)
  const [page] = body as [{ data: BatchLine[]; total: number }]
  return page
}
const resultsOf = async (id: number) =>
  (await call('GET', id, '/results?format=ndjson')).text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as BatchLine & { authority_reference: string | null })

describe('a batch', () => {
  it('has a run for three inputs, and each input its own outcome', async () => {
    acceptAllBut('B', 'E')
    const [a, b, c, d, e] = numbers('A', 'B', 'C', 'D', 'E')
    const { id, total } = batchIn(await upload(linesOf(a!, b!, c!, d!, e!)))
    expect(total).toBe(5)
    await settled()
    expect(await runCount()).toBe(2)
    expect(sent().toSorted()).toEqual([
      [a, b, c],
      [d, e],
    ])
    expect(await show(id)).toMatchObject({
      state: 'finished',
      total: 5,
      counts: { succeeded: 3, rejected: 2 },
      rate_per_minute: 5,
    })
    const results = await resultsOf(id)
    expect(results.map(({ line, reference, state }) => [line, reference, state])).toEqual([
      [1, a, 'succeeded'],
      [2, b, 'rejected'],
      [3, c, 'succeeded'],
      [4, d, 'succeeded'],
      [5, e, 'rejected'],
    ])
    expect(results[0]?.authority_reference).toBe(`U-${a}`)
    expect(results[1]).toMatchObject({ message: `${b} has no TIN`, authority_reference: null })
  })

  it('lists its inputs, and finds them by state and reference', async () => {
    acceptAllBut('B')
    const { id } = batchIn(await upload(linesOf(...numbers('A', 'B', 'C', 'D'))))
    const queued = await linesAt(id)
    expect(queued.data.map(({ line }) => line)).toEqual([1, 2, 3, 4])
    await settled()
    expect(await linesAt(id, '?state=failed')).toMatchObject({ total: 1, data: [{ line: 2 }] })
    expect(await linesAt(id, '?search=D-')).toMatchObject({ total: 1, data: [{ line: 4 }] })
  })

  it('sends again what was rejected, and nothing that was accepted', async () => {
    acceptAllBut('B', 'C', 'D', 'E', 'F')
    const all = numbers('A', 'B', 'C', 'D', 'E', 'F')
    const { id } = batchIn(await upload(linesOf(...all)))
    await settled()
    expect(await show(id)).toMatchObject({ counts: { succeeded: 1, rejected: 5 } })
    shared.app.upstream.received.length = 0
    acceptAllBut('F')
    expect((await call('POST', id, '/retry')).body).toMatchObject({ retried: 5 })
    await settled()
    expect(sent().toSorted()).toEqual([all.slice(1, 3), all.slice(3)])
    expect(await show(id)).toMatchObject({ counts: { succeeded: 5, rejected: 1 } })
    expect((await resultsOf(id)).map(({ state }) => state)).toEqual([
      ...Array<string>(5).fill('succeeded'),
      'rejected',
    ])
    acceptAllBut()
    expect((await call('POST', id, '/retry')).body).toMatchObject({ retried: 1 })
    await settled()
    expect(await show(id)).toMatchObject({ counts: { succeeded: 6 } })
    expect((await call('POST', id, '/retry')).body).toMatchObject({ retried: 0 })
  })

  it('what the authority does not name is unknown, and is never sent again', async () => {
    shared.app.answer(json(200, { accepted: [{ no: `A-${shared.flow.id}` }], rejected: [] }))
    const { id } = batchIn(await upload(linesOf(...numbers('A', 'B'))))
    await settled()
    expect(await show(id)).toMatchObject({ counts: { succeeded: 1, unknown: 1 } })
    expect((await call('POST', id, '/retry')).body).toMatchObject({ retried: 0 })
    expect(sent()).toHaveLength(1)
  })

  it('is cancelled with the inputs that were not begun', async () => {
    await shared.app.server.db
      .updateTable('lane')
      .set({ is_paused: 1 })
      .where('id', '=', shared.flow.laneId)
      .execute()
    const { id } = batchIn(await upload(linesOf(...numbers('A', 'B', 'C', 'D'))))
    await call('POST', id, '/cancel')
    await settled()
    expect(await show(id)).toMatchObject({ state: 'cancelled', counts: { cancelled: 4 } })
  })

  it('is cancelled too when the cancel commits while a round settles it', async () => {
    const { db, batches, stores } = shared.app.server
    await db
      .updateTable('lane')
      .set({ is_paused: 1 })
      .where('id', '=', shared.flow.laneId)
      .execute()
    const { id } = batchIn(await upload(linesOf(...numbers('A', 'B', 'C', 'D'))))
    await settled()
    await stores.batches.update(id, { is_settled: 0 })
    let round: Promise<void> | undefined
    await inTransactionOn(db, { now: () => new Date() })(async (inside) => {
      await inside.runs.lock(batchLock(id))
      const cancelled_at = new Date().toISOString()
      await inside.batches.update(id, { cancelled_at, is_settled: 0 })
      round = batches.keeper.look()
      await untilBlocked(db)
    })
    await round
    await settled()
    expect(await show(id)).toMatchObject({ state: 'cancelled', counts: { cancelled: 4 } })
  })
})

it('a single call is a list of one', async () => {
  acceptAllBut()
  const [no = ''] = numbers('A')
  const { app, erp, flow } = shared
  const answer = await app.start(flow.slug, erp.token, `{"no":"${no}","total":0.10}`, {
    headers: { prefer: 'wait=20' },
  })
  expect(runIn(answer) satisfies WorkflowRun).toMatchObject({ state: 'succeeded', reference: no })
  expect(app.upstream.received[0]?.body).toBe(`{"documents":[{"no":"${no}","total":0.10}]}`)
})

describe('a workflow', () => {
  const save = (overrides: object, endpoint = many) =>
    shared.app.post(
      '/api/workflows',
      workflowOf(endpoint, {
        slug: `grouped-${crypto.randomUUID().slice(0, 8)}`,
        reference_path: 'no',
        inputs_per_run: 100,
        ...overrides,
      }),
    )

  it('keeps the number when a form saves it that does not know of it', async () => {
    const made = (await save({})).body as { id: number; slug: string; lane: { name: string } }
    expect(made).toMatchObject({ inputs_per_run: 100 })
    const without = workflowOf(many, { slug: made.slug, reference_path: 'no', lane: made.lane })
    const path = `/api/workflows/${made.id}`
    const { server } = shared.app
    const token = server.admin.token
    const saved = await server.send('PUT', path, { token, body: without })
    expect(saved.body).toMatchObject({ inputs_per_run: 100 })
    const reset = await server.send('PUT', path, { token, body: { ...without, inputs_per_run: 1 } })
    expect(reset.body).toMatchObject({ inputs_per_run: 1 })
  })

  it.each([
    ['without a reference', { reference_path: '' }, 'reference_path'],
    ['with an order key', { order_key_path: 'no' }, 'order_key_path'],
    ['of more than 1,000', { inputs_per_run: 1001 }, 'inputs_per_run'],
  ])('can’t take several inputs %s', async (_, overrides, field) => {
    const answer = await save(overrides)
    expect(answer.status).toBe(422)
    expect(Object.keys((answer.body as { errors: object }).errors)).toEqual([field])
  })

  it('can’t take several where its first step takes one document', async () => {
    const answer = await save({}, one)
    expect(answer.body).toMatchObject({ errors: { inputs_per_run: [expect.any(String)] } })
  })
})

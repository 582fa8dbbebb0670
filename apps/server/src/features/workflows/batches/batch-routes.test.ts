import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import {
  batchIn,
  batchTypesByName,
  linesOf,
  startBatchServer,
} from '../../../../test/servers/batch-server.ts'
import { json } from '../../../../test/servers/run-server.ts'

const { shared, upload, settled, at, call, show, runCount } = startBatchServer()
const uuid = () => crypto.randomUUID()

describe.each([
  ['json', '[{"no":"A"},{"no":"B"},{"no":"C"}]'],
  ['ndjson', '{"no":"A"}\n{"no":"B"}\n{"no":"C"}'],
  ['csv', 'no\nA\nB\nC\n'],
] as const)('an upload of %s', (type, body) => {
  it('becomes a run for each input, and its results keep the order', async () => {
    const answer = await upload(body, { type })
    expect(answer.status, answer.text).toBe(202)
    const { id, total } = batchIn(answer)
    expect(total).toBe(3)
    expect(answer.headers['location']).toBe(at(id))
    await settled()
    expect(await show(id)).toMatchObject({ state: 'finished', counts: { succeeded: 3 } })
    expect(shared.app.upstream.received).toHaveLength(3)
    const csv = (await call('GET', id, '/results')).text.trim().split('\r\n')
    expect(csv[0]).toBe(
      'line,run_id,reference,state,outcome,status,message,authority_reference,qr,finished_at',
    )
    expect(
      csv.slice(1).map((line) =>
        line
          .split(',')
          .filter((_, index) => index !== 1)
          .slice(0, 5),
      ),
    ).toEqual([
      ['1', 'A', 'succeeded', 'ok', '200'],
      ['2', 'B', 'succeeded', 'ok', '200'],
      ['3', 'C', 'succeeded', 'ok', '200'],
    ])
    const ndjson = (await call('GET', id, '/results?format=ndjson')).text.trim().split('\n')
    expect(ndjson.map((line) => (JSON.parse(line) as { reference: string }).reference)).toEqual([
      'A',
      'B',
      'C',
    ])
  })
})

describe('an upload in which an input does not fit', () => {
  it('stores nothing, and names each line', async () => {
    const body = '{"no":"A"}\n{"no":}\n{"other":1}\n{"no":"A"}'
    const answer = await upload(body)
    expect(answer.status).toBe(422)
    const errors = (answer.body as { errors: Record<string, string[]> }).errors
    expect(Object.keys(errors)).toEqual(['line 2', 'line 3 reference', 'line 4 reference'])
    expect(errors['line 4 reference']).toEqual(['The reference A is in line 1 and in line 4.'])
    expect(await runCount()).toBe(0)
    const checked = await upload(body, { path: '/check', token: shared.app.server.admin.token })
    expect(checked.body).toMatchObject({ total: 4, bad: 3, rows: [{ line: 1, reference: 'A' }] })
    expect(await runCount()).toBe(0)
  })
  it('is refused without inputs and with another type', async () => {
    expect((await upload('')).status).toBe(422)
    const other = await shared.app.server.send(
      'POST',
      `/api/workflows/${shared.flow.slug}/batches`,
      {
        token: shared.erp.token,
        headers: { 'content-type': 'text/plain', 'idempotency-key': uuid() },
        body: 'x',
      },
    )
    expect(other.status).toBe(415)
  })
})

it('is refused where its user signs out while it arrives, and stores nothing', async () => {
  const person = await shared.app.server.buildUser({ role: 'Super Admin' })
  async function* body() {
    yield Buffer.from('{"no":"A"}\n')
    await shared.app.server.send('POST', '/api/logout', { token: person.token })
    yield Buffer.from('{"no":"B"}\n')
  }
  const answer = await shared.app.server.send(
    'POST',
    `/api/workflows/${shared.flow.slug}/batches`,
    {
      token: person.token,
      headers: { 'content-type': batchTypesByName.ndjson },
      body: Readable.from(body()),
    },
  )
  expect(answer.status).toBe(401)
  expect(await runCount()).toBe(0)
})

describe('a key', () => {
  it('is needed with a token, and makes one batch', async () => {
    const key = uuid()
    const both = await Promise.all([
      upload(linesOf('A', 'B'), { key }),
      upload(linesOf('A', 'B'), { key }),
    ])
    const again = await upload(linesOf('A', 'B'), { key })
    expect(again.status).toBe(200)
    expect(again.headers['idempotent-replay']).toBe('true')
    const ids = [...both, again]
      .filter(({ status }) => status < 300)
      .map((answer) => batchIn(answer).id)
    expect(new Set(ids).size).toBe(1)
    expect(await runCount()).toBe(2)
    expect((await upload(linesOf('A'), { key })).body).toMatchObject({ code: 'run.key_reused' })
    const without = await shared.app.server.send(
      'POST',
      `/api/workflows/${shared.flow.slug}/batches`,
      {
        token: shared.erp.token,
        headers: { 'content-type': batchTypesByName.ndjson },
        body: linesOf('A'),
      },
    )
    expect(without.status).toBe(422)
  })
})

describe('a batch under way', () => {
  const laneIs = (change: { is_paused: 0 | 1 }) =>
    shared.app.server.db
      .updateTable('lane')
      .set(change)
      .where('id', '=', shared.flow.laneId)
      .execute()

  it('pauses, goes on, and cancels what was not begun', async () => {
    await laneIs({ is_paused: 1 })
    const { id } = batchIn(await upload(linesOf('A', 'B', 'C')))
    await settled()
    expect(batchIn(await call('POST', id, '/pause')).state).toBe('paused')
    await laneIs({ is_paused: 0 })
    await shared.app.later(2_000)
    expect(shared.app.upstream.received).toHaveLength(0)
    expect(batchIn(await call('POST', id, '/resume')).state).toBe('running')
    await settled()
    expect((await show(id)).counts).toEqual({ succeeded: 3 })

    await laneIs({ is_paused: 1 })
    const second = batchIn(await upload(linesOf('D', 'E')))
    await settled()
    expect(batchIn(await call('POST', second.id, '/cancel'))).toMatchObject({
      state: 'cancelled',
      counts: { cancelled: 2 },
    })
    await laneIs({ is_paused: 0 })
    await shared.app.later(2_000)
    expect(shared.app.upstream.received).toHaveLength(3)
    expect((await call('POST', second.id, '/resume')).body).toMatchObject({
      code: 'batch.cancelled',
    })
  })

  it('is seen by its user, and by people with workflow.view', async () => {
    const { id } = batchIn(await upload(linesOf('A')))
    const other = await shared.app.machine(shared.flow)
    expect((await call('GET', id, '', shared.erp.token)).status).toBe(200)
    expect((await call('GET', id, '', other.token)).status).toBe(404)
    expect((await call('GET', id, '/results', other.token)).status).toBe(404)
    expect((await call('POST', id, '/pause', shared.erp.token)).status).toBe(401)
  })
})

it('sends the rejected inputs again, once, and never the others', async () => {
  shared.app.answer(json(422, { error: 'no' }))
  const { id } = batchIn(await upload(linesOf('A', 'B')))
  await settled()
  expect((await show(id)).counts).toEqual({ rejected: 2 })
  shared.app.answer(json(200, { ok: true }))
  const answers = await Promise.all([call('POST', id, '/retry'), call('POST', id, '/retry')])
  const retried = answers.map(({ body }) => (body as { retried: number }).retried)
  expect(retried.toSorted()).toEqual([0, 2])
  await settled()
  expect(await show(id)).toMatchObject({ counts: { succeeded: 2 }, total: 2, state: 'finished' })
  expect(shared.app.upstream.received).toHaveLength(4)
})

it('removes at the start what was not stored whole', async () => {
  await shared.app.server.db
    .updateTable('lane')
    .set({ is_paused: 1 })
    .where('id', '=', shared.flow.laneId)
    .execute()
  const { id } = batchIn(await upload(linesOf('A', 'B')))
  await settled()
  await shared.app.server.db
    .updateTable('batch')
    .set({ stored_by: 'test-server' })
    .where('id', '=', id)
    .execute()
  expect((await call('GET', id)).status).toBe(404)
  await shared.app.server.batches.keeper.start()
  expect(await runCount()).toBe(0)
})

it('follows the progress of a batch', async () => {
  const { id } = batchIn(await upload(linesOf('A')))
  await settled()
  const { text, headers } = await call('GET', id, '/events')
  expect(headers['x-accel-buffering']).toBe('no')
  expect(text).toMatch(/^event: batch\ndata: \{"id":/)
})

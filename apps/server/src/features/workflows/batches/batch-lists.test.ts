import type { BatchLine, BatchRecord } from '@gatehouse/contract'
import { describe, expect, it } from 'vitest'
import { batchIn, linesOf, startBatchServer } from '../../../../test/servers/batch-server.ts'
import { json } from '../../../../test/servers/run-server.ts'

const { shared, upload, settled, call } = startBatchServer()

describe('the inputs of a batch', () => {
  const linesAt = async (id: number, query: string) => {
    const { status, body, text } = await call('GET', id, `/lines${query}`)
    expect(status, text).toBe(200)
    const [page] = body as [{ data: BatchLine[]; total: number }]
    return { total: page.total, rows: page.data }
  }

  it('are listed in their order with what became of them, and found by state and reference', async () => {
    shared.app.answer((request, ...rest) => {
      const isRefused = request.body.includes('B')
      json(isRefused ? 422 : 200, { ok: !isRefused })(request, ...rest)
    })
    const { id } = batchIn(await upload(linesOf('A-1', 'B-2', 'A-3', 'B-4')))
    await settled()
    const all = await linesAt(id, '?limit=3')
    expect(all.total).toBe(4)
    expect(all.rows.map(({ line, reference, state }) => [line, reference, state])).toEqual([
      [1, 'A-1', 'succeeded'],
      [2, 'B-2', 'rejected'],
      [3, 'A-3', 'succeeded'],
    ])
    const failed = await linesAt(id, '?state=failed&sort=-line')
    expect(failed.rows.map(({ line, outcome, status }) => [line, outcome, status])).toEqual([
      [4, 'rejected', 422],
      [2, 'rejected', 422],
    ])
    expect((await linesAt(id, '?state=succeeded&search=-3')).rows).toMatchObject([{ line: 3 }])
    expect((await linesAt(id, '?state=unknown')).total).toBe(0)
    const other = await shared.app.machine(shared.flow)
    expect((await call('GET', id, '/lines', other.token)).status).toBe(404)
  })

  it('show the run that took the place of a rejected one', async () => {
    shared.app.answer(json(422, { error: 'no' }))
    const { id } = batchIn(await upload(linesOf('A')))
    await settled()
    const [before] = (await linesAt(id, '')).rows
    shared.app.answer(json(200, { ok: true }))
    await call('POST', id, '/retry')
    await settled()
    const { rows, total } = await linesAt(id, '')
    expect(total).toBe(1)
    expect(rows).toMatchObject([{ line: 1, state: 'succeeded' }])
    expect(rows[0]?.run_id).not.toBe(before?.run_id)
    const { token } = shared.app.server.admin
    const run = await shared.app.server.send('GET', `/api/runs/${rows[0]?.run_id}`, { token })
    expect(run.body).toMatchObject({ batch: { id, line: 1 }, retry_of: before?.run_id })
  })
})

it('lists batches newest first, and finds them by file name and user', async () => {
  const send = async (name: string) =>
    batchIn(await upload(linesOf(name), { path: `?file_name=${name}` })).id
  const [june, july] = [await send('june.csv'), await send('july.csv')]
  const list = async (query: string) => {
    const path = `/api/workflows/${shared.flow.slug}/batches${query}`
    const { body } = await shared.app.server.send('GET', path, {
      token: shared.app.server.admin.token,
    })
    return (body as [{ data: BatchRecord[]; total: number }])[0]
  }
  const ids = async (query: string) => (await list(query)).data.map(({ id }) => id)
  expect(await ids('')).toEqual([july, june])
  expect(await ids('?sort=id')).toEqual([june, july])
  expect(await list('?search=JUNE')).toMatchObject({ total: 1, data: [{ id: june }] })
  expect(await ids('?search=%25')).toEqual([])
  await settled()
  await shared.app.server.db
    .updateTable('batch')
    .set({ stored_by: 'another-server' })
    .where('id', '=', july)
    .execute()
  expect(await ids('')).toEqual([june])
})

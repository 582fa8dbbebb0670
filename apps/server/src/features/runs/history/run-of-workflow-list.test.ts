import type { RunListItem } from '@gatehouse/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startLaneServer, type LaneServer } from '../../../../test/servers/lane-server.ts'
import { json } from '../../../../test/servers/run-server.ts'

type Flow = Awaited<ReturnType<LaneServer['workflow']>>

let app: LaneServer
let sales: Flow
let returns: Flow
const ids: Record<string, number> = {}
beforeAll(async () => {
  app = await startLaneServer()
  const endpointId = await app.endpoint()
  sales = await app.workflow([{ endpointId, text: '{"no":"{{input.no}}"}' }])
  returns = await app.workflow([{ endpointId, text: '{"no":"{{input.no}}"}' }], { kind: 'credit' })
  const put = async (name: string, flow: Flow, isTest = false) => {
    const inputText = JSON.stringify({ no: name })
    ids[name] = (await app.put(flow, { inputText, reference: name, isTest })).runId
    await app.settled()
  }
  app.answer(json(422, { error: 'wrong' }))
  await put('rejected', sales)
  app.answer(json(200, { ok: true }))
  await put('first', sales)
  await put('returned', returns)
  await put('second', sales)
  await put('test', sales, true)
  await app.tax([{ end_point: endpointId, body: '{"no":"by hand"}' }])
})
afterAll(() => app.close())

async function list(query: Record<string, string>) {
  const { status, body, text } = await app.server.send('GET', '/api/runs', {
    token: app.token,
    query,
  })
  expect(status, text).toBe(200)
  return (body as [{ data: RunListItem[]; total: number }])[0]
}

describe('GET /api/runs?workflow=', () => {
  it.each<[Record<string, string>, string[]]>([
    [{}, ['test', 'second', 'first', 'rejected']],
    [{ state: 'rejected' }, ['rejected']],
    [{ state: 'succeeded' }, ['test', 'second', 'first']],
    [{ test: '1' }, ['test']],
    [{ test: '0' }, ['second', 'first', 'rejected']],
    [{ work: 'open' }, ['rejected']],
    [{ reference: 's' }, ['second']],
    [{ search: 'first' }, ['first']],
    [{ sort: 'id', limit: '2', page: '2' }, ['second', 'test']],
    [{ kind: 'credit' }, []],
  ])('with %j', async (query, names) => {
    const { data } = await list({ workflow: String(sales.id), ...query })
    expect(data.map(({ id }) => id)).toEqual(names.map((name) => ids[name]))
  })

  it('counts the runs of that workflow alone, and names it with the version they ran on', async () => {
    const page = await list({ workflow: String(returns.id) })
    expect(page).toMatchObject({
      total: 1,
      data: [{ id: ids['returned'], workflow: { id: returns.id, name: returns.slug, version: 1 } }],
    })
    expect((await list({ workflow: String(sales.id), limit: '1' })).total).toBe(4)
    expect((await list({ workflow: '999999' })).total).toBe(0)
  })

  it('names the workflow of a run after it was deleted, and none outside of workflows', async () => {
    const at = new Date().toISOString()
    await app.server.db
      .updateTable('workflow')
      .set({ deleted_at: at })
      .where('id', '=', returns.id)
      .execute()
    const { data } = await list({})
    const workflowOf = (id: number | undefined) => data.find((row) => row.id === id)?.workflow
    expect(workflowOf(ids['returned'])).toEqual({ id: returns.id, name: returns.slug, version: 1 })
    expect(data[0]?.workflow).toBeNull()
    expect((await app.show(ids['first'] ?? 0)).workflow).toEqual({
      id: sales.id,
      name: sales.slug,
      version: 1,
    })
  })
})

it('a workflow that is no number is refused', async () => {
  const query = { workflow: 'sales' }
  const { status } = await app.server.send('GET', '/api/runs', { token: app.token, query })
  expect(status).toBe(422)
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { workflowOf } from '../../../../test/servers/build-server.ts'
import {
  runIn,
  startMachineServer,
  type MachineServer,
} from '../../../../test/servers/machine-server.ts'
import { json } from '../../../../test/servers/run-server.ts'

let app: MachineServer
let endpoints: number[]
beforeAll(async () => {
  app = await startMachineServer()
  endpoints = [await app.endpoint({ path: '/first' }), await app.endpoint({ path: '/second' })]
})
afterAll(() => app.close())

const row = (from: string, to: string, source = 'input') => ({
  source,
  from,
  to,
  type: '',
  custom_input: '',
})

/** A workflow whose second step has functions over the input and over the answer of the first. */
async function saved(slug: string) {
  const rows = [
    row('uuid()', 'id'),
    row('now()', 'at'),
    row('concat(no, "-", upper(branch))', 'no'),
    row('multiply(lines[*].qty, lines[*].price)', 'sums'),
    row('add(ref, 0.05)', 'ref', 'steps.1.body'),
  ]
  const definition = workflowOf(0, {
    slug,
    lane: { name: slug },
    steps: [
      { endpoint_id: endpoints[0], body: { kind: 'mapping', rows: [row('uuid()', 'id')] } },
      { endpoint_id: endpoints[1], body: { kind: 'mapping', rows } },
    ].map((step) => ({ ...step, condition: null })),
  })
  const made = await app.post('/api/workflows', definition)
  expect(made.status, made.text).toBe(201)
}

const input =
  '{"no":"INV-1","branch":"b1","lines":[{"qty":"3","price":0.10},{"qty":2,"price":1.25}]}'
const bodies = (path: string) =>
  app.upstream.received.flatMap(({ url, body }) => (url.endsWith(path) ? [body] : []))

describe('functions in the rows of a workflow', () => {
  it('give the same when the step is sent again, and each step and run its own UUID', async () => {
    await saved('functions')
    app.answer((request, response, socket) =>
      (request.url.endsWith('/first') ? json(200, '{"ref":0.10}') : json(422, {}))(
        request,
        response,
        socket,
      ),
    )
    const first = runIn(await app.start('functions', app.token, input))
    await app.settled()
    app.answer(json(200, '{"ref":0.10}'))
    app.server.time.now = new Date(app.server.time.now.getTime() + 60_000)
    const retried = await app.post(`/api/runs/${first.id}/retry`, {})
    expect(retried.status, retried.text).toBe(200)
    const [one, again, ...more] = bodies('/second')
    expect(more).toEqual([])
    expect(again).toBe(one)
    const sent = JSON.parse(one ?? '') as Record<string, string>
    expect(sent['at']).toBe(first.created_at)
    expect(sent['id']).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    expect(one?.replace(sent['id'] ?? '', 'UUID')).toBe(
      `{"id":"UUID","at":"${first.created_at}","no":"INV-1-B1","sums":[0.30,2.50],"ref":0.15}`,
    )
    await app.start('functions', app.token, input.replace('INV-1', 'INV-2'))
    await app.settled()
    const ids = [...bodies('/first'), ...bodies('/second')].map(
      (body) => (JSON.parse(body) as { id: string }).id,
    )
    expect(new Set(ids).size).toBe(4)
  })

  it('refuses an input that lacks what a function reads, before anything is sent', async () => {
    await saved('lacking')
    app.upstream.received.length = 0
    await app.start('lacking', app.token, '{"no":"INV-3","lines":[]}')
    await app.settled()
    expect(app.upstream.received).toEqual([])
    const { id } = await app.server.db
      .selectFrom('run')
      .select('id')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(await app.show(id)).toMatchObject({ state: 'blocked' })
  })
})

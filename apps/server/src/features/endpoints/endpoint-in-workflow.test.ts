import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endpointOf, httpApi, workflowOf } from '../../../test/servers/build-server.ts'
import { startLaneServer, type LaneServer } from '../../../test/servers/lane-server.ts'

let app: LaneServer
let apiId: number
beforeAll(async () => {
  app = await startLaneServer()
  apiId = await made('/api/apis', httpApi({ name: 'Used' }))
})
afterAll(() => app.close())

const send = (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown, token = app.token) =>
  app.server.send(method, path, { token, ...(body === undefined ? {} : { body }) })
async function made(path: string, body: unknown): Promise<number> {
  const answer = await send('POST', path, body)
  expect(answer.status, answer.text).toBe(201)
  return (answer.body as { id: number }).id
}
let count = 0
const endpoint = () =>
  made('/api/endpoint', endpointOf(apiId, { method_type: 'post', path: `/used-${++count}` }))
const definition = (endpointId: number, name: string, lane = {}) => {
  const slug = name.toLowerCase().replaceAll(' ', '-')
  return workflowOf(endpointId, { name, slug, lane: { name: slug, ...lane } })
}
const remove = (id: number, token = app.token) =>
  send('DELETE', `/api/endpoint/${id}`, undefined, token)

describe('an endpoint that workflows call', () => {
  it('is not deleted, and the refusal names them; it is once they are changed or deleted', async () => {
    const [used, other] = [await endpoint(), await endpoint()]
    const sales = await made('/api/workflows', definition(used, 'Sales'))
    const returns = await made('/api/workflows', definition(used, 'Returns'))
    const refused = await remove(used)
    expect(refused).toMatchObject({
      status: 409,
      body: {
        code: 'endpoint.in_workflow',
        message:
          'The workflows “Returns”, “Sales” call this endpoint. Change or delete them first.',
        count: 2,
        workflows: [
          { id: returns, slug: 'returns', name: 'Returns' },
          { id: sales, slug: 'sales', name: 'Sales' },
        ],
      },
    })
    expect((await send('PUT', `/api/workflows/${sales}`, definition(other, 'Sales'))).status).toBe(
      200,
    )
    expect(await remove(used)).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/^The workflow “Returns” calls this endpoint\./) },
    })
    expect((await send('DELETE', `/api/workflows/${returns}`)).status).toBe(204)
    expect((await remove(used)).status).toBe(204)
    // The earlier version that called it is not brought back.
    const restored = await send('POST', `/api/workflows/${sales}/versions/1/restore`)
    expect(restored.status).toBe(422)
    expect((await remove(other)).status).toBe(409)
  })

  it('is named to nobody who may not view workflows', async () => {
    const used = await endpoint()
    await made('/api/workflows', definition(used, 'Secret plans'))
    const keeper = await app.person(['endpoint.view', 'endpoint.delete'])
    const refused = await remove(used, keeper.token)
    expect(refused).toMatchObject({
      status: 409,
      body: {
        code: 'endpoint.in_workflow',
        message: 'Workflows call this endpoint. Change them first.',
      },
    })
    expect(refused.text).not.toContain('Secret')
  })

  it('keeps its API, which has an endpoint', async () => {
    expect(await send('DELETE', `/api/apis/${apiId}`)).toMatchObject({
      status: 409,
      body: { code: 'api.has_endpoints' },
    })
  })
})

it('an endpoint of an earlier version is not deleted while runs of it are queued', async () => {
  const [used, other] = [await endpoint(), await endpoint()]
  const id = await made('/api/workflows', definition(used, 'Moving on'))
  const { lane_id } = await app.server.db
    .selectFrom('workflow')
    .select('lane_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await app.server.stores.lanes.update(lane_id, { is_paused: 1 })
  const started = await send('POST', '/api/workflows/moving-on/runs', {})
  const runId = (started.body as { run: { id: number } }).run.id
  expect((await send('PUT', `/api/workflows/${id}`, definition(other, 'Moving on'))).status).toBe(
    200,
  )
  expect(await remove(used)).toMatchObject({
    status: 409,
    body: {
      code: 'endpoint.in_workflow',
      message:
        'Runs of an earlier version are still to call it, of “Moving on” (version 1): wait until they have ended.',
    },
  })
  expect((await app.post(`/api/runs/${runId}/cancel`, {})).status).toBe(200)
  expect((await remove(used)).status).toBe(204)
})

it('the database itself refuses what a commit of another call has made impossible', async () => {
  const used = await endpoint()
  const id = await made('/api/workflows', definition(used, 'At the same moment'))
  await expect(app.server.stores.endpoints.remove(used)).rejects.toThrow()
  await expect(app.server.stores.workflows.setEndpoints(id, [999_999])).rejects.toThrow()
})

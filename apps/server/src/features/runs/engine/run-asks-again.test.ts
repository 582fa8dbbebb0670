import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { json, runOf, startRunServer, type RunServer } from '../../../../test/servers/run-server.ts'

let app: RunServer
let api: number
let first: number
let second: number
beforeAll(async () => {
  app = await startRunServer()
})
afterAll(() => app.close())
beforeEach(async () => {
  app.upstream.received.length = 0
  app.answer(json(200, { id: 7 }))
  api = await app.createApi({ name: `Authority ${++content}`, answer_timeout_ms: 20_000 })
  first = await app.endpoint({}, api)
  second = await app.endpoint({}, api)
})

let content = 0
const fresh = () => `{"n":${++content}}`
const roleIdOf = async (roleName: string) => {
  const role = await app.server.db
    .selectFrom('role')
    .select('id')
    .where('name', '=', roleName)
    .executeTakeFirstOrThrow()
  return role.id
}

type Person = Awaited<ReturnType<RunServer['person']>>
const changes: [string, RegExp, (person: Person) => Promise<unknown>][] = [
  [
    'the API is disabled',
    /API of this endpoint .* is disabled/,
    () =>
      app.server.db
        .updateTable('api')
        .set({ gateway_status: 'disabled' })
        .where('id', '=', api)
        .execute(),
  ],
  [
    'the endpoint is disabled',
    /endpoint is disabled/,
    () =>
      app.server.db
        .updateTable('endpoint')
        .set({ status: 'disabled' })
        .where('id', '=', second)
        .execute(),
  ],
  [
    'the endpoint is deleted',
    /endpoint was deleted/,
    () => app.server.send('DELETE', `/api/endpoint/${second}`, { token: app.token }),
  ],
  [
    'the role loses the endpoint',
    /No role of .* has access/,
    () => app.server.db.deleteFrom('role_endpoint').where('endpoint_id', '=', second).execute(),
  ],
  [
    'the role loses the permission',
    /does not have the permission to send this \(tax\.send\)/,
    async ({ roleName }) =>
      app.server.db
        .deleteFrom('role_permission')
        .where('role_id', '=', await roleIdOf(roleName))
        .execute(),
  ],
  [
    'the user is deleted',
    /account that sends this no longer exists/,
    ({ id }) => app.server.send('DELETE', `/api/user/${id}`, { token: app.token }),
  ],
]

describe('before each step it is asked again: nothing is sent once', () => {
  it.each(changes)('%s', async (_name, message, change) => {
    const person = await app.person(['tax.send', 'run.view'], [first, second])
    app.answer((_request, response) => {
      void change(person).then(() => response.end('{}'))
    })
    const steps = [first, second].map((end_point) => ({ end_point, body: fresh() }))
    const answer = await app.tax(steps, { as: person.token })
    expect(answer.status, answer.text).toBe(502)
    expect(runOf(answer)).toMatchObject({
      state: 'blocked',
      steps: [
        { state: 'succeeded' },
        { state: 'blocked', message: expect.stringMatching(message) },
      ],
    })
    expect(app.upstream.received).toHaveLength(1)
    const { steps: shown } = await app.show(runOf(answer).id)
    expect(shown[1]?.attempts).toEqual([])
  })
})

it('what lost its right can be resumed once it has it again', async () => {
  const person = await app.person(['tax.send', 'run.resume', 'run.view'], [first, second])
  app.answer((_request, response) => {
    void changes[0]![2](person).then(() => response.end('{}'))
  })
  const steps = [first, second].map((end_point) => ({ end_point, body: fresh() }))
  const { id } = runOf(await app.tax(steps, { as: person.token }))
  await app.server.db
    .updateTable('api')
    .set({ gateway_status: 'active' })
    .where('id', '=', api)
    .execute()
  app.answer(json(200, {}))
  expect((await app.post(`/api/runs/${id}/resume`, {}, person.token)).status).toBe(200)
  expect(app.upstream.received).toHaveLength(2)
})

it('an endpoint with an unknown run can’t be deleted, and neither can its API', async () => {
  app.answer((_request, _response, socket) => socket.destroy())
  const { id } = runOf(await app.tax([{ end_point: first, body: fresh() }]))
  const remove = () => app.server.send('DELETE', `/api/endpoint/${first}`, { token: app.token })
  const refused = await remove()
  expect(refused.status, refused.text).toBe(409)
  expect(refused.body).toMatchObject({ code: 'endpoint.has_unknown_runs', run_ids: [id], count: 1 })
  const ofApi = await app.server.send('DELETE', `/api/apis/${api}`, { token: app.token })
  expect(ofApi).toMatchObject({ status: 409, body: { code: 'api.has_endpoints' } })
  expect(await app.show(id)).toMatchObject({ state: 'unknown', steps: [{ endpoint_id: first }] })
  const listed = await app.server.send('GET', `/api/runs?endpoint=${first}&state=unknown`, {
    token: app.token,
  })
  expect((listed.body as [{ data: { id: number }[] }])[0].data.map((run) => run.id)).toEqual([id])
  const other = await app.server.send('GET', `/api/runs?endpoint=${second}`, { token: app.token })
  expect(other.body).toMatchObject([{ data: [] }])
  await app.post(`/api/runs/${id}/resolve`, { step: 1, verdict: 'not_received' })
  expect((await remove()).status).toBe(204)
})

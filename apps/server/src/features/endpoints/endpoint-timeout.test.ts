import type { EndpointRecord } from '@gatehouse/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { endpointOf, type TestServer } from '../../../test/servers/build-server.ts'
import { buildServerWithApi } from '../../../test/servers/endpoint-server.ts'
import { toSnapshotEndpoint } from '../../publishing/snapshot-endpoint.ts'

let server: TestServer
let token: string
let apiId: number
beforeAll(async () => {
  ;({ server, token, apiId } = await buildServerWithApi())
})
afterAll(() => server.close())

const create = (path: string, more: object) =>
  server.send('POST', '/api/endpoint', { token, body: endpointOf(apiId, { path, ...more }) })

it('a time-out is stored, shown and published; a save without it keeps it, blank takes it away', async () => {
  const answer = await create('/slow', { answer_timeout_ms: '90000' })
  expect(answer.status, answer.text).toBe(201)
  const { id, answer_timeout_ms } = answer.body as EndpointRecord
  expect(answer_timeout_ms).toBe(90_000)
  const published = async () =>
    toSnapshotEndpoint((await server.stores.endpoints.find(id))!)?.answer_timeout_ms
  expect(await published()).toBe(90_000)
  const save = (more: Record<string, unknown>) =>
    server.send('PUT', `/api/endpoint/${id}`, {
      token,
      body: endpointOf(apiId, { path: '/slow', ...more }),
    })
  expect((await save({})).body).toMatchObject({ answer_timeout_ms: 90_000 })
  expect((await save({ answer_timeout_ms: '' })).body).toMatchObject({ answer_timeout_ms: null })
  expect(await published()).toBeNull()
})

it.each([99, 600_001, 1.5, 'soon'])('has the bounds of that of an API: %j', async (given) => {
  const answer = await create('/bound', { answer_timeout_ms: given })
  expect(answer.status).toBe(422)
  expect((answer.body as { errors: object }).errors).toEqual({
    answer_timeout_ms: ['The answer time-out must be a whole number from 100 to 600000.'],
  })
})

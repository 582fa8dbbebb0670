import type { EndpointRecord } from '@gatehouse/contract'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
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
beforeEach(() => server.db.deleteFrom('endpoint').execute())

const changes = {
  request_rules: 'set header X-Kind: {{query.kind}}\npath /v2/{{params.id}}',
  request_body: '[{"from":"total","to":"amount"}]',
  answer_rules: 'remove header X-Debug',
  answer_body: '{"id":"{{body.id}}"}',
}
const create = (transformation: unknown) =>
  server.send('POST', '/api/endpoint', { token, body: endpointOf(apiId, { transformation }) })
const stored = async (id: number) => (await server.stores.endpoints.find(id))!

it('is stored, shown and published; a save without it keeps it, null takes it away', async () => {
  const answer = await create(changes)
  expect(answer.status, answer.text).toBe(201)
  const { id, transformation } = answer.body as EndpointRecord
  expect(transformation).toEqual(changes)
  expect(toSnapshotEndpoint(await stored(id))?.transformation).toEqual(changes)
  const save = (more: Record<string, unknown>) =>
    server.send('PUT', `/api/endpoint/${id}`, { token, body: endpointOf(apiId, more) })
  expect((await save({})).body).toMatchObject({ transformation: changes })
  expect((await save({ transformation: null })).body).toMatchObject({ transformation: null })
  expect(toSnapshotEndpoint(await stored(id))?.transformation).toBeNull()
})

it('what can’t be read is not served: nothing passes unchanged', async () => {
  const { id } = (await create(changes)).body as EndpointRecord
  await server.db.updateTable('endpoint').set({ transformation: '{' }).execute()
  expect(toSnapshotEndpoint(await stored(id))).toBeUndefined()
})

it.each<[string, object, string, string]>([
  ['the host', { request_rules: 'set header Host: a' }, 'request_rules', 'Line 1: '],
  [
    'the length',
    { request_rules: '# own\nremove header Content-Length' },
    'request_rules',
    'Line 2: ',
  ],
  ['the sign-in', { request_rules: 'set header Authorization: a' }, 'request_rules', 'sign-in'],
  ['another host', { request_rules: 'path https://a/' }, 'request_rules', 'This is no rule'],
  ['two paths', { request_rules: 'path /a\npath /b' }, 'request_rules', 'once'],
  ['a cookie', { answer_rules: 'set header Set-Cookie: a=1' }, 'answer_rules', 'set-cookie'],
  ['a path of an answer', { answer_rules: 'path /a' }, 'answer_rules', 'headers only'],
  ['an unknown value', { request_rules: 'set header X: {{status}}' }, 'request_rules', 'no status'],
  ['a row', { request_body: '[{"from":"a..b","to":"c"}]' }, 'request_body', 'Row 1: '],
  ['a template', { answer_body: '{"a":"{{secret}}"}' }, 'answer_body', 'must begin with'],
])('a rule is refused: %s', async (_name, change, field, message) => {
  const answer = await create({ ...changes, ...change })
  expect(answer.status).toBe(422)
  const { errors } = answer.body as { errors: Record<string, string[]> }
  expect(Object.keys(errors)).toEqual([`transformation.${field}`])
  expect(errors[`transformation.${field}`]?.join(' ')).toContain(message)
})

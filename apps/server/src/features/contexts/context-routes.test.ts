import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  buildServer,
  endpointOf,
  httpApi,
  type TestServer,
} from '../../../test/servers/build-server.ts'

let server: TestServer
let token: string
const ids: number[] = []
beforeAll(async () => {
  server = await buildServer({ GATEWAY_URL: 'https://gateway.example.com' })
  token = server.admin.token
  for (const name of ['Sales', 'Stock']) {
    const answer = await server.send('POST', '/api/apis', { token, body: httpApi({ name }) })
    ids.push((answer.body as { id: number }).id)
  }
  await server.send('POST', '/api/endpoint', {
    token,
    body: endpointOf(ids[0] ?? 0, { path: '/orders/{id}' }),
  })
})
afterAll(() => server.close())
beforeEach(async () => {
  await save('sales')
})

const save = (context: unknown, id = ids[0]) =>
  server.send('PUT', `/api/context/${id}`, { token, body: { context } })

it('lists each API with its prefix and full gateway URLs', async () => {
  const answer = await server.send('GET', '/api/context', { token })
  expect(answer.body).toMatchObject([
    {
      total: 2,
      data: [
        {
          name: 'Sales',
          context: 'sales',
          endpoints_count: 1,
          endpoints: [{ method_type: 'get', url: 'https://gateway.example.com/sales/orders/{id}' }],
        },
        { name: 'Stock', endpoints_count: 0, endpoints: [] },
      ],
    },
  ])
})

it('changes the prefix, with or without slashes around it', async () => {
  const answer = await save('/erp/v2/')
  expect(answer.status).toBe(200)
  expect(answer.body).toMatchObject({
    context: 'erp/v2',
    endpoints: [{ url: 'https://gateway.example.com/erp/v2/orders/{id}' }],
  })
})

it.each([
  '',
  ' ',
  '/',
  'Sales',
  'a b',
  'a//b',
  '../x',
  '.hidden',
  'a/../b',
  'a?b',
  'öl',
  'healthz',
  'metrics/x',
  'api',
  'api/v1',
  'admin',
  'assets',
  'dashboard',
  'hooks/zatca',
  'x'.repeat(101),
  'stock',
])('refuses %j on the field', async (context) => {
  const answer = await save(context)
  expect(answer.status).toBe(422)
  expect(Object.keys((answer.body as { errors: object }).errors)).toEqual(['context'])
})

it('answers 404 for an API that does not exist', async () => {
  expect((await save('free', 999_999)).status).toBe(404)
})

it('gives one prefix to one of two who ask for it at once', async () => {
  const answers = await Promise.all(ids.map((id) => save('shared', id)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
})

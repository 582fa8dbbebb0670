import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { creatorOf } from '../harness/creator.ts'
import { adminPassword, runProduct, type Product } from '../harness/run-product.ts'
import { ClientFolder } from './client-folder.ts'

// Clients that a generator makes of both OpenAPI documents compile, and call the product.

const order = {
  type: 'object',
  properties: { id: { type: 'integer' }, total: { type: 'string' } },
  required: ['id', 'total'],
}
const page = readFileSync(new URL('../../docs/consumer-docs.md', import.meta.url), 'utf8')

let data: string
let upstream: Server
let product: Product
let client: ClientFolder
let call: Awaited<ReturnType<typeof creatorOf>>['call']
let shop: number

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'gatehouse-clients-'))
  client = new ClientFolder()
  upstream = createServer(({ url = '' }, answer) => {
    const id = Number(url.split('/').at(-1))
    answer.setHeader('content-type', 'application/json')
    answer.end(JSON.stringify({ id, total: '12.50' }))
  }).listen(0, '127.0.0.1')
  product = await runProduct({ DATA_DIR: data, GATEWAY_WORKERS: '1' })
  const creator = await creatorOf(product.url)
  call = creator.call
  const { port } = upstream.address() as AddressInfo
  shop = await creator.createApi('Shop', `http://127.0.0.1:${port}`)
  await creator.createEndpoint(shop, ['get', '/orders/{id}', 'One order'], {
    authentication: 1,
    parameters: [{ name: 'id', in: 'path', is_required: true, type: 'integer', description: '' }],
    validation: {
      mode: 'enforce',
      parameters_schema: '',
      body_schema: '',
      is_body_required: false,
      answer_schema: JSON.stringify(order),
    },
  })
})
afterAll(async () => {
  await product.end('SIGKILL')
  upstream.close()
  client.remove()
  rmSync(data, { recursive: true, force: true })
})

/** The program of the documentation, which names an example as the address. */
function shownProgram(address: string): string {
  const [, program = ''] = /^```ts\n(import createClient .*?)^```$/ms.exec(page) ?? []
  expect(program).toContain('https://gateway.example.com/shop')
  return program.replace('https://gateway.example.com/shop', address)
}

const adminProgram = `
import createClient from 'openapi-fetch'
import type { paths } from './admin.d.ts'

const admin = createClient<paths>({ baseUrl: process.env['ADDRESS'] ?? '' })
const email = 'admin@example.com'
const password = process.env['PASSWORD'] ?? ''
const login = await admin.POST('/api/login', { body: { email, password } })
const token = login.data && 'token' in login.data ? login.data.token : ''
const headers = { authorization: \`Bearer \${token}\` }
const roles = await admin.GET('/api/role', { headers })
const refused = await admin.GET('/api/apis/{id}/edit', { params: { path: { id: 999 } }, headers })
console.log(JSON.stringify([roles.response.status, refused.error?.code]))
// @ts-expect-error there is no such call
await admin.GET('/api/nothing').catch(() => {})
`

const wrongProgram = `
import createClient from 'openapi-fetch'
import type { paths } from './gateway.d.ts'
await createClient<paths>().GET('/orders/{id}', { params: { path: { id: 'seven' } } })
`

it('clients in TypeScript compile and call the gateway and the admin API', async () => {
  const document = await call('GET', `/api/consumer-docs/openapi?format=json&api_id=${shop}`)
  const admin = await call('GET', '/api/openapi.json')
  await client.generate('gateway', document.body as object)
  await client.generate('admin', admin.body as object)
  const { servers } = document.body as { servers: { url: string }[] }
  expect(new URL(servers[0]!.url).pathname).toBe('/shop')
  client.write('shop.ts', shownProgram(`${product.gatewayUrl}/shop`))
  client.write('admin-calls.ts', adminProgram)
  await client.compile()

  const stored = await call('POST', '/admin/token/store', { name: 'Client' })
  const { token } = (stored.body as { access_token: { token: string } }).access_token
  expect(await client.run('shop.ts', { GATEHOUSE_TOKEN: token })).toBe('12.50\n')
  const account = { ADDRESS: product.url, PASSWORD: adminPassword }
  expect(JSON.parse(await client.run('admin-calls.ts', account))).toEqual([200, 'api.not_found'])
  await expect(client.run('shop.ts', { GATEHOUSE_TOKEN: 'ghp_wrong' })).rejects.toThrow(
    'client.token_invalid',
  )

  client.write('wrong.ts', wrongProgram)
  await expect(client.compile()).rejects.toThrow(/^.*wrong\.ts.*TS2322/)
})

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { runTokenAuthority, type TokenAuthority } from '@gatehouse/upstream/token-authority'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runProduct, signIn, type Call, type Product } from '../harness/run-product.ts'

// Every kind of credential, used everywhere, before an upstream that sends all of it back in several
// writings. Then the whole data folder, what the product printed, and every answer are searched.

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-sweep-'))
/** Signs that look different in base64, in a URL and in JSON. */
const marked = (name: string) => `planted-${name}-\\/+&?=~`
const clientSecret = marked('client-secret')
const loginPassword = marked('login-password')

let status = 200
const upstream = createServer((request, response) => {
  request.resume().on('end', () => {
    const sent = Object.values(request.headers).join(' ')
    const echo = {
      sent,
      base64: Buffer.from(sent).toString('base64'),
      url: encodeURIComponent(sent),
    }
    response.writeHead(status, { 'content-type': 'application/json', 'x-echo': encodeURI(sent) })
    response.end(JSON.stringify({ id: 7, ...echo }))
    if (status === 401) status = 200
  })
})
let authority: TokenAuthority
let product: Product
let call: Call
let printed = ''
const answers: string[] = []

beforeAll(async () => {
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
  authority = await runTokenAuthority({ clientSecret, password: 'planted-login', rotates: true })
  product = await runProduct({ DATA_DIR: folder, GATEWAY_WORKERS: '1', LOG_LEVEL: 'debug' })
  printed = product.output
  for (const stream of [product.process.stdout, product.process.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (printed += text))
  }
  const send = await signIn(product.url)
  call = async (...args) => {
    const answer = await send(...args)
    answers.push(JSON.stringify(answer))
    return answer
  }
})
afterAll(async () => {
  await product?.end('SIGKILL')
  await authority?.stop()
  upstream.closeAllConnections()
  upstream.close()
  rmSync(folder, { recursive: true, force: true })
})

const client = () => ({
  token_url: authority.tokenUrl,
  client_id: 'client-1',
  client_secret: clientSecret,
})

const credentials: Record<string, () => object> = {
  bearer: () => ({ token: marked('bearer') }),
  basic: () => ({ username: 'user', password: marked('basic') }),
  headers: () => ({ headers: [{ name: 'Secret-Key', value: marked('header') }] }),
  oauth2_client_credentials: client,
  oauth2_refresh_token: () => ({ ...client(), refresh_token: 'refresh-token-0' }),
  login_call: () => ({
    url: authority.loginUrl,
    headers: [{ name: 'Api-Key', value: marked('login-header') }],
    body: JSON.stringify({ password: 'planted-login', other: loginPassword }),
    token_path: 'data.token',
    lifetime_seconds: 600,
    send_as: [{ name: 'X-Session', value: 'sid={token}' }],
  }),
}

async function useEverywhere(kind: string): Promise<void> {
  const create = async (path: string, body: object) => {
    const answer = await call('POST', path, body)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return (answer.body as { id: number }).id
  }
  const { port } = upstream.address() as AddressInfo
  const context = kind.replaceAll('_', '-')
  const definition = {
    name: context,
    api_protocol: 'http',
    gateway_status: 'active',
    api_access: 'internally',
    api_url: `http://127.0.0.1:${port}`,
    credential: { kind, ...credentials[kind]?.() },
  }
  const api_id = await create('/api/apis', definition)
  const endpoint = (method_type: string) =>
    create('/api/endpoint', {
      api_id,
      method_type,
      status: 'active',
      path: '/items',
      authentication: 0,
      summery: `${context} ${method_type}`,
      description: kind,
    })
  const read = await endpoint('get')
  const submit = await endpoint('post')
  await call('POST', `/api/apis/${api_id}/sign-in`)
  let sent = 0
  for (status of [200, 401, 500]) {
    await (await fetch(`${product.gatewayUrl}/${context}/items`)).text()
    await call('POST', `/api/endpoint/${read}/try`, {})
    await call('GET', `/admin/get-data?end_point=${read}&body=`)
    const step = { end_point: submit, body: `{"kind":"${kind}","n":${++sent}}` }
    await call('POST', '/api/tax', { endpoint_1: step })
  }
  status = 200
  await call('PUT', `/api/apis/${api_id}`, { ...definition, name: `${context} renamed` })
  await authority.change({ mode: 'refuse' })
  await call('POST', `/api/apis/${api_id}/sign-in`)
  await authority.change({ mode: 'issue' })
  for (const path of ['', '/edit', '/sign-in']) await call('GET', `/api/apis/${api_id}${path}`)
}

async function lookAtEverything(): Promise<void> {
  const { body } = await call('GET', '/api/runs?limit=100')
  const [{ data }] = body as [{ data: { id: number }[] }]
  expect(data.length).toBeGreaterThan(Object.keys(credentials).length * 5)
  for (const { id } of data) {
    for (const path of ['', '/steps/1/answer']) await call('GET', `/api/runs/${id}${path}`)
  }
  for (const path of ['/api/apis', '/api/audit', '/api/sign-ins', '/api/gateway', '/api/logs'])
    await call('GET', `${path}?limit=100`)
}

const filesIn = (place: string): string[] =>
  readdirSync(place).flatMap((name) => {
    const file = join(place, name)
    return statSync(file).isDirectory() ? filesIn(file) : [file]
  })

function rowsOf(file: string): string {
  const database = new DatabaseSync(file, { readOnly: true })
  const tables = database
    .prepare(
      "select name from sqlite_master where type = 'table' and sql not like 'create virtual%'",
    )
    .all() as { name: string }[]
  const rows = tables.map(({ name }) => {
    const statement = database.prepare(`select * from "${name}"`)
    // Those of a search index exceed what a number holds.
    statement.setReadBigInts(true)
    return JSON.stringify(statement.all(), (_key, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    )
  })
  database.close()
  return rows.join('\n')
}

/** What base64 makes of a text, wherever in a group of three bytes it begins. */
const inBase64 = (text: string) =>
  [0, 1, 2].map((start) => {
    const inner = text.slice(start)
    return Buffer.from(inner.slice(0, inner.length - (inner.length % 3))).toString('base64')
  })

/** How the secrets above, and those that the authority makes, begin. */
const planted = ['planted-', 'refresh-token-', 'token-1-', 'token-2-', 'token-3-'].flatMap(
  (text) => [text, ...inBase64(text)],
)

it('no secret of any kind is in clear anywhere after it was used everywhere', async () => {
  for (const kind of Object.keys(credentials)) {
    await authority.reset()
    await useEverywhere(kind)
  }
  await lookAtEverything()
  await product.end('SIGTERM')

  const places = new Map([
    ['answers', answers.join('\n')],
    ['output', printed],
    ['rows', rowsOf(join(folder, 'gatehouse.sqlite'))],
  ])
  for (const file of filesIn(folder)) places.set(file, readFileSync(file, 'latin1'))
  expect([...places.keys()].some((name) => name.includes('snapshot'))).toBe(true)
  const found = [...places].flatMap(([place, text]) =>
    planted.flatMap((secret) => {
      const at = text.indexOf(secret)
      return at < 0 ? [] : [`${place}: ${secret}: ${text.slice(Math.max(0, at - 300), at + 200)}`]
    }),
  )
  expect(found).toEqual([])
})

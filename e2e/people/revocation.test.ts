import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runProduct, signIn, type Product } from '../harness/run-product.ts'

let folder: string
const running: Product[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-revocation-'))
})
afterEach(async () => {
  for (const each of running.splice(0)) await each.end('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

async function start(): Promise<Product> {
  const product = await runProduct({ DATA_DIR: folder })
  running.push(product)
  return product
}

it('a token that was revoked is refused after a restart, whatever secret can’t be opened', async () => {
  const first = await start()
  const call = await signIn(first.url)
  const made = async (url: string, body: object) => {
    const answer = await call('POST', url, body)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer.body as { id: number; access_token: { token: string } }
  }
  const api = await made('/api/apis', {
    name: 'Posts',
    api_protocol: 'http',
    gateway_status: 'active',
    api_access: 'internally',
    api_url: 'http://127.0.0.1:9',
    upstream_token: 'a-secret',
  })
  await made('/api/endpoint', {
    api_id: api.id,
    method_type: 'get',
    status: 'active',
    path: '/ping',
    summery: 'Ping',
    description: 'Answered by the gateway',
    enable_custom_output: 1,
    custom_output: '"pong"',
    authentication: 1,
  })
  const { token } = (await made('/admin/token/store', {})).access_token
  const ping = async ({ gatewayUrl }: Product) =>
    (await fetch(`${gatewayUrl}/posts/ping`, { headers: { authorization: `Bearer ${token}` } }))
      .status
  expect(await ping(first)).toBe(200)
  expect(await first.end('SIGTERM')).toBe(0)

  // The gateway has kept a configuration in which the token is good.
  const database = new DatabaseSync(join(folder, 'gatehouse.sqlite'))
  database.exec(`
    update api set upstream_token_encrypted = 'v1.broken';
    update personal_token set revoked_at = '2026-01-01T00:00:00.000Z';
    update config_revision set revision = revision + 1;
  `)
  database.close()
  const second = await start()
  expect(await ping(second)).toBe(401)
  expect(await (await fetch(`${second.url}/healthz`)).json()).toMatchObject({ status: 'degraded' })
})

import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { killWhileSaving } from '../harness/kill-while-saving.ts'
import { runProduct, signIn, type Product } from '../harness/run-product.ts'

let folder: string
const running: Product[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-standalone-'))
})
afterEach(async () => {
  for (const each of running.splice(0)) await each.end('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

async function start(environment: Record<string, string> = {}): Promise<Product> {
  const product = await runProduct({ DATA_DIR: folder, ...environment })
  running.push(product)
  return product
}

const allFiles = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

describe('a start', () => {
  it('is ready when it says so, and keeps the data of the one before', async () => {
    const first = await start()
    expect(await (await fetch(`${first.url}/healthz`)).json()).toMatchObject({ status: 'ok' })
    const call = await signIn(first.url)
    expect((await call('PUT', '/api/context/1', { context: 'x' })).status).toBe(404)
    expect(await first.end('SIGTERM')).toBe(0)
    const second = await start({ ADMIN_PASSWORD: 'ignored, there is one' })
    expect((await (await signIn(second.url))('GET', '/api/auth')).status).toBe(200)
  })

  it('prints a random first password once, and stores it nowhere', async () => {
    const first = await start({ ADMIN_PASSWORD: '' })
    const password = /^Password:\s+(\S{20,})/m.exec(first.output)?.[1] ?? ''
    const login = await fetch(`${first.url}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'admin@example.com', password }),
    })
    expect(login.status).toBe(200)
    await first.end('SIGTERM')
    for (const file of allFiles())
      expect(readFileSync(file, 'latin1'), file).not.toContain(password)
    expect((await start({ ADMIN_PASSWORD: '' })).output).not.toContain('Password')
  })

  it('is refused on data that another process holds, naming it', async () => {
    const first = await start()
    await expect(start()).rejects.toThrow(`in use by process ${first.process.pid}`)
  })

  it('is refused with one line for a bad setting, a port in use and a key that others may read', async () => {
    await expect(start({ PORT: 'http' })).rejects.toThrow(
      /^It ended with 1 before it was ready:\nPORT=http can't be used: .*\n$/,
    )
    const first = await start()
    const { port } = new URL(first.url)
    await expect(start({ PORT: port, DATA_DIR: join(folder, 'other') })).rejects.toThrow(
      `Port ${port} on 127.0.0.1 is in use`,
    )
    await first.end('SIGTERM')
    chmodSync(join(folder, 'app.key'), 0o644)
    await expect(start()).rejects.toThrow('chmod 600')
  })
})

describe('SIGTERM', () => {
  it('has load balancers leave it for as long as SHUTDOWN_DELAY_SECONDS says, and serves them meanwhile', async () => {
    // Longer than the machine may be busy: what is asked comes before.
    const { url, gatewayUrl, process } = await start({ SHUTDOWN_DELAY_SECONDS: '300' })
    process.kill('SIGTERM')
    for (const each of [url, gatewayUrl]) {
      const ready = async () => {
        const answer = await fetch(`${each}/readyz`)
        return [answer.status, ((await answer.json()) as { status: string }).status]
      }
      await expect.poll(ready).toEqual([503, 'stopping'])
    }
    expect((await (await signIn(url))('GET', '/api/auth')).status).toBe(200)
    expect((await fetch(`${gatewayUrl}/nowhere`)).status).toBe(404)
  })

  it('lets a request in flight finish, and exits with 0', async () => {
    const arrived = Promise.withResolvers<() => void>()
    const upstream = createServer((_, response) =>
      arrived.resolve(() => response.end('{"late":true}')),
    )
    upstream.listen(0, '127.0.0.1')
    await once(upstream, 'listening')
    const { port } = upstream.address() as AddressInfo
    const product = await start()
    const call = await signIn(product.url)
    const api = await call('POST', '/api/apis', {
      name: 'Slow',
      api_protocol: 'http',
      gateway_status: 'active',
      api_access: 'internally',
      api_url: `http://127.0.0.1:${port}`,
    })
    const endpoint = await call('POST', '/api/endpoint', {
      api_id: (api.body as { id: number }).id,
      method_type: 'get',
      status: 'active',
      path: '/slow',
      authentication: 0,
      summery: 'Slow',
      description: 'Slow',
    })
    const fetching = call(
      'GET',
      `/admin/get-data?end_point=${(endpoint.body as { id: number }).id}`,
    )
    const finish = await arrived.promise
    const ended = product.end('SIGTERM')
    finish()
    expect(await fetching).toMatchObject({ status: 200, body: { data: { late: true } } })
    expect(await ended).toBe(0)
    upstream.close()
  })
})

it('SIGKILL in the middle of saves loses nothing that was acknowledged', async () => {
  const report = await killWhileSaving(5)
  expect(report.acknowledged).toBeGreaterThan(5)
  expect(report.lost).toEqual([])
})

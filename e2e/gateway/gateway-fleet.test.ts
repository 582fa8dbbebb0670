import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { askWorkers, ownConnection } from '../harness/ask-workers.ts'
import { processesFrom } from '../harness/product-processes.ts'
import { runProduct, signIn, type Product } from '../harness/run-product.ts'
import { makeTill } from '../harness/upstreams/till.ts'

let folder: string
const running: Product[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-fleet-'))
})
afterEach(async () => {
  for (const each of running.splice(0)) await each.end('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

async function start(environment: Record<string, string> = {}): Promise<Product> {
  const product = await runProduct({ DATA_DIR: folder, GATEWAY_WORKERS: '2', ...environment })
  running.push(product)
  return product
}

type Call = Awaited<ReturnType<typeof signIn>>

interface Status {
  revision: number
  published_revision: number
  workers: { pid: number; state: string; revision: number }[]
}
const statusOf = async (call: Call) => (await call('GET', '/api/gateway')).body as Status
const hello = async (url: string) =>
  (await fetch(`${url}/till/hello`, { headers: ownConnection })).text()

describe('the product', () => {
  it('carries traffic as the dashboard says, at once after each change', async () => {
    const product = await start()
    expect((await fetch(`${product.gatewayUrl}/healthz`)).status).toBe(200)
    const call = await signIn(product.url)
    const till = await makeTill(call)
    expect(await hello(product.gatewayUrl)).toBe('"first"')
    for (let change = 0; change < 20; change++) {
      await till.change(`change ${change}`)
      const answers = await askWorkers(() => hello(product.gatewayUrl))
      expect(new Set(answers)).toEqual(new Set([JSON.stringify(`change ${change}`)]))
    }
    const { revision, published_revision, workers } = await statusOf(call)
    expect(published_revision).toBe(revision)
    expect(workers.map((worker) => worker.revision)).toEqual([revision, revision])
    expect(await product.end('SIGTERM')).toBe(0)
  })

  it('replaces its workers on SIGHUP', async () => {
    const product = await start()
    const call = await signIn(product.url)
    await makeTill(call, { text: 'still here' })
    const before = (await statusOf(call)).workers.map(({ pid }) => pid)
    product.process.kill('SIGHUP')
    await vi.waitFor(async () => {
      const { workers } = await statusOf(call)
      for (const { pid, state } of workers) {
        expect(before).not.toContain(pid)
        expect(state).toBe('serving')
      }
    })
    expect(await hello(product.gatewayUrl)).toBe('"still here"')
  })

  it('shows the traffic that went through', async () => {
    const product = await start()
    const call = await signIn(product.url)
    await makeTill(call, { text: 'counted' })
    const { length } = await askWorkers(() => hello(product.gatewayUrl))
    await vi.waitFor(async () => {
      const { body } = await call('GET', '/api/traffic')
      expect(body).toMatchObject({ busiest: [{ summery: 'Hello', requests: length }] })
    })
    const metrics = await (await fetch(`${product.url}/metrics`)).text()
    expect(metrics).toContain(
      `gateway_requests_total{endpoint="GET /till/hello",api="Till",status="200"} ${length}`,
    )
  })

  it('never calls itself as an upstream', async () => {
    const product = await start()
    const call = await signIn(product.url)
    for (const [name, url] of [
      ['Loop', product.gatewayUrl],
      ['Dashboard itself', product.url],
    ] as const) {
      const { port } = new URL(url)
      // Refused when it is typed in; a name that resolves to it is refused when it is called.
      const typed = await call('POST', '/api/apis', {
        name,
        api_protocol: 'http',
        gateway_status: 'active',
        api_access: 'internally',
        api_url: `http://127.0.0.1:${port}`,
      })
      expect(typed.status).toBe(422)
      const api = { api_url: `http://localhost:${port}` }
      await makeTill(call, { name, api, endpoint: { enable_custom_output: 0 } })
      const answer = await fetch(
        `${product.gatewayUrl}/${name.toLowerCase().replace(' ', '-')}/hello`,
      )
      expect(answer.status).toBe(502)
      expect(await answer.json()).toMatchObject({ code: 'upstream.blocked_address' })
    }
  })
})

describe('a start', () => {
  it('is refused with one line where the port of the gateway is in use', async () => {
    const other = createServer()
    other.listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    await expect(start({ GATEWAY_PORT: String(port) })).rejects.toThrow(
      new RegExp(`^It ended with 1 before it was ready:\nPort ${port} on 127.0.0.1 is in use.*\n$`),
    )
    other.close()
  })

  it('without its database serves the configuration that was kept', async () => {
    const away = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }
    const product = await start()
    await makeTill(await signIn(product.url), { text: 'kept' })
    await product.end('SIGTERM')

    const main = fileURLToPath(new URL('../../apps/standalone/src/main.ts', import.meta.url))
    const child = spawn(process.execPath, [main], {
      env: { PATH: process.env.PATH, DATA_DIR: folder, PORT: '0', GATEWAY_PORT: '0', ...away },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'exit')
    let url: string | undefined
    for await (const line of createInterface(child.stdout)) {
      url = /serves revision \d+ at (\S+) meanwhile/.exec(line)?.[1]
      if (url) break
    }
    expect(await hello(url ?? '')).toBe('"kept"')
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })
})

it('killed, its parent leaves no process behind, and the next start serves on the same port', async () => {
  const first = await start()
  const call = await signIn(first.url)
  await makeTill(call, { text: 'again' })
  const { port } = new URL(first.gatewayUrl)
  const processes = processesFrom(first.process.pid ?? 0)
  expect(processes).toHaveLength(5)
  // Not the others, as `end` does.
  first.process.kill('SIGKILL')
  const isAlive = (pid: number) => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  await vi.waitFor(() => expect(processes.filter(isAlive)).toEqual([]))
  const second = await start({ GATEWAY_PORT: port })
  expect(await hello(second.gatewayUrl)).toBe('"again"')
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { creatorOf } from '../harness/creator.ts'
import { openEcho, runEchoUpstream } from '../harness/upstreams/echo-upstream.ts'
import { killControlPlane } from '../harness/control-kills/kill-control-plane.ts'
import { signalAll } from '../harness/product-processes.ts'
import { runProduct, signIn, type Product } from '../harness/run-product.ts'

// The short form of `npm run proof control-plane-kills`, and what else the parent of the parts has to do.

let folder: string
const running: Product[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-parts-'))
})
afterEach(async () => {
  for (const each of running.splice(0)) await each.end('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

async function start(environment: Record<string, string> = {}): Promise<Product> {
  const product = await runProduct({ DATA_DIR: folder, GATEWAY_WORKERS: '1', ...environment })
  running.push(product)
  return product
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe.skipIf(process.platform !== 'linux')('a control plane', () => {
  it('that is killed, or stuck, costs the gateway no request, and comes back with its changes', async () => {
    const report = await killControlPlane({
      kills: 4,
      stuckEvery: 4,
      perSecond: 100,
      connections: 8,
      livesMaxMs: 500,
    })
    expect(report.problems).toEqual([])
    expect(report.failures).toEqual([])
    expect(report.ended).toEqual([])
    expect(report).toMatchObject({ kills: 4, stuck: 1 })
    expect(report.requests).toBeGreaterThan(100)
    // It is started five times.
  }, 300_000)

  it('that is killed ends no WebSocket, and what was being tried is sent once', async () => {
    const upstream = await runEchoUpstream()
    const product = await start()
    const { call, createApi, createEndpoint } = await creatorOf(product.url)
    const api = await createApi('Live', upstream.url)
    await createEndpoint(api, ['get', '/live', 'Live'], {
      web_socket: { idle_seconds: 600, life_seconds: null, max_message_bytes: 1_024 },
    })
    const slow = await createEndpoint(api, ['post', '/slow', 'Slow'])
    const line = await openEcho(`${product.gatewayUrl.replace('http', 'ws')}/live/live`)
    expect(await line.echo('before')).toBe('before')
    const tried = call('POST', `/api/endpoint/${slow}/try`, { body: '{}' }).catch(() => 'lost')
    await upstream.isAsked
    process.kill(product.controlPid(), 'SIGKILL')
    expect(await line.echo('while it is away')).toBe('while it is away')
    expect(await tried).toBe('lost')
    upstream.answer()
    await vi.waitFor(async () => expect((await fetch(`${product.url}/healthz`)).status).toBe(200), {
      interval: 100,
    })
    expect(await line.echo('after')).toBe('after')
    expect(upstream.asked()).toBe(1)
    line.close()
    upstream.stop()
  })

  it('is not taken for stuck when the whole server was frozen, or when it is only busy', async () => {
    const product = await start({ WATCHDOG_SECONDS: '2' })
    const before = product.controlPid()
    signalAll(product.process.pid ?? 0, 'SIGSTOP')
    await delay(4_000)
    signalAll(product.process.pid ?? 0, 'SIGCONT')
    const call = await signIn(product.url)
    const untilMs = performance.now() + 3_000
    const ask = async () => {
      while (performance.now() < untilMs) await call('GET', '/api/home')
    }
    await Promise.all(Array.from({ length: 8 }, ask))
    expect(product.controlPid()).toBe(before)
  })

  it('whose parent is killed while it is stopped ends once it goes on, and holds its folder until then', async () => {
    const product = await start()
    const control = product.controlPid()
    process.kill(control, 'SIGSTOP')
    product.process.kill('SIGKILL')
    await expect(start()).rejects.toThrow(`in use by process ${control}`)
    process.kill(control, 'SIGCONT')
    await vi.waitFor(() => expect(isAlive(control)).toBe(false))
    await start()
  })
})

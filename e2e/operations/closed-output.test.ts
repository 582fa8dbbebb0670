import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { runProduct, signIn } from '../harness/run-product.ts'
import { setUpSoak } from '../harness/soak/set-up-soak.ts'

it('a server whose output nobody reads any more still finishes what is in flight, and ends with 0', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-closed-'))
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<ServerResponse>()
  const upstream = createServer((_, response) => arrive(response)).listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  const product = await runProduct({ DATA_DIR: folder, GATEWAY_WORKERS: '1' })
  onTestFinished(async () => {
    await product.end('SIGKILL').catch(() => {})
    upstream.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const call = await signIn(product.url)
  const { port } = upstream.address() as AddressInfo
  const { change } = await setUpSoak(call, `http://127.0.0.1:${port}`)
  const answer = fetch(`${product.gatewayUrl}/soak/hello`)
  const response = await arrived
  for (const output of [product.process.stdout, product.process.stderr]) output?.destroy()
  await change('kept')
  const ended = product.end('SIGTERM')
  // It has said so, to nobody, and goes on.
  await expect.poll(() => call('GET', '/api/apis').catch(() => 'refused')).toBe('refused')
  response.end('"done"')
  expect(await (await answer).text()).toBe('"done"')
  expect(await ended).toBe(0)

  const again = await runProduct({ DATA_DIR: folder, GATEWAY_WORKERS: '1' })
  expect(await (await fetch(`${again.gatewayUrl}/soak/custom`)).text()).toBe('"kept"')
  expect(await again.end('SIGTERM')).toBe(0)
})

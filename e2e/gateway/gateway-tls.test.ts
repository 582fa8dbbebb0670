import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { runProduct, type Product } from '../harness/run-product.ts'

// Each holds a certificate and its key.
const [elsewhere, localhost] = ['self-signed-elsewhere', 'self-signed-localhost'].map((name) =>
  fileURLToPath(new URL(`../../packages/upstream/fixtures/${name}.pem`, import.meta.url)),
) as [string, string]

let folder: string
let pem: string
let product: Product | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-tls-'))
  pem = join(folder, 'renewed.pem')
})
afterEach(async () => {
  await product?.end('SIGKILL')
  product = undefined
  rmSync(folder, { recursive: true, force: true })
})

const start = (TLS_CERT: string, TLS_KEY: string) =>
  runProduct({ DATA_DIR: folder, GATEWAY_WORKERS: '1', TLS_CERT, TLS_KEY })

/** The status of /healthz, and the fingerprint of the certificate of the server. */
function ask(url: string): Promise<{ status: number | undefined; fingerprint: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof ask>>>()
  get(`${url}/healthz`, { rejectUnauthorized: false, agent: false }, (response) => {
    const { fingerprint256 } = (response.socket as TLSSocket).getPeerCertificate()
    response.resume()
    resolve({ status: response.statusCode, fingerprint: fingerprint256 })
  }).on('error', reject)
  return promise
}

it('speaks HTTPS with a certificate, and with the renewed one after SIGHUP', async () => {
  copyFileSync(elsewhere, pem)
  product = await start(pem, pem)
  const url = product.gatewayUrl
  expect(url).toMatch(/^https:/)
  const first = await ask(url)
  expect(first.status).toBe(200)
  copyFileSync(localhost, pem)
  product.process.kill('SIGHUP')
  await vi.waitFor(async () => expect((await ask(url)).fingerprint).not.toBe(first.fingerprint))
})

it('is refused with one line where certificate and key do not belong together or can’t be read', async () => {
  writeFileSync(pem, 'no certificate')
  for (const [cert, key, message] of [
    [
      pem,
      localhost,
      /^TLS_CERT=.* can't be used: a certificate in PEM that belongs to TLS_KEY.*$/m,
    ],
    [elsewhere, localhost, /^TLS_CERT=.* can't be used: a certificate in PEM that belongs.*$/m],
    [localhost, join(folder, 'missing'), /^TLS_KEY=.* can't be used: it can't be read.*$/m],
    [localhost, '', /^TLS_KEY= can't be used: TLS_CERT is set: set both$/m],
  ] as const) {
    await expect(start(cert, key)).rejects.toThrow(message)
  }
})

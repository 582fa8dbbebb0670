import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildOutboxes, testSecret } from '../../../test/servers/delivery-server.ts'

// The receiver of docs/callbacks.md works as it is copied.

const page = readFileSync(new URL('../../../../../docs/callbacks.md', import.meta.url), 'utf8')
const sample = /```js\n(.*?)```/s.exec(page)?.[1] ?? ''

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-receiver-'))
let made: Awaited<ReturnType<typeof buildOutboxes>>
let receiver: ReturnType<typeof spawn>
let lines: AsyncIterator<string>
let url: string
beforeAll(async () => {
  made = await buildOutboxes()
  // The receiver goes by the clock of the machine.
  made.time.now = new Date()
  const file = join(folder, 'receiver.mjs')
  writeFileSync(file, sample)
  receiver = spawn(process.execPath, [file], {
    env: { WEBHOOK_SECRET: testSecret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (!receiver.stdout) throw new Error('The receiver has no output.')
  lines = createInterface(receiver.stdout)[Symbol.asyncIterator]()
  url = `http://127.0.0.1:${String((await lines.next()).value).replace('port ', '')}/in`
})
afterAll(async () => {
  receiver.kill()
  await once(receiver, 'exit')
  await made.close()
  rmSync(folder, { recursive: true })
})

it('takes what is delivered, and handles each id once', async () => {
  const message = { type: 'run.succeeded', data: { run: { reference: 'INV-1' } } }
  const id = await made.leave(url, message)
  await made.outbox.keeper.look()
  expect(await made.find(id)).toMatchObject({ state: 'delivered', last_status: 204 })
  expect((await lines.next()).value).toBe('run.succeeded INV-1')
  // Once more under the same id, then another: the log has no second line of the first.
  await made.inTransaction(({ deliveries }) =>
    deliveries.move(id, ['delivered'], { state: 'waiting', ended_at: null }),
  )
  await made.outbox.keeper.look()
  expect(await made.find(id)).toMatchObject({ state: 'delivered', tries: 2 })
  await made.leave(url, { type: 'test', data: {} })
  await made.outbox.keeper.look()
  expect((await lines.next()).value).toBe('test ')
})

it('refuses what is forged or old', async () => {
  const now = made.time.now
  made.time.now = new Date(now.getTime() - 301_000)
  const old = await made.leave(url, { type: 'test', data: {} })
  await made.outbox.keeper.look()
  expect(await made.find(old)).toMatchObject({ state: 'waiting', last_status: 401 })
  made.time.now = now
  const stamp = String(Math.floor(Date.now() / 1000))
  const headers = { 'webhook-id': 'msg_x', 'webhook-timestamp': stamp }
  const body = '{"type":"test","data":{}}'
  for (const signature of ['', 'v1,', `v1,${'A'.repeat(43)}=`]) {
    const forged = { ...headers, 'webhook-signature': signature }
    expect((await fetch(url, { method: 'POST', headers: forged, body })).status).toBe(401)
  }
})

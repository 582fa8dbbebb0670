import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import {
  batchTypesByName,
  linesOf,
  startBatchServer,
} from '../../../../test/servers/batch-server.ts'
import { isUpload } from '../../../kernel/http/body-bounds.ts'

const { shared, upload } = startBatchServer()

describe('an upload that takes its time', () => {
  it('has the time of an upload, once its caller was let in', async () => {
    const { server } = shared.app.server.app
    await shared.app.server.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = server.address() as AddressInfo
    const seen: IncomingMessage[] = []
    server.on('request', (message: IncomingMessage) => seen.push(message))
    const send = async (path: string, token: string, type: string) => {
      const headers = { 'content-type': type, authorization: `Bearer ${token}` }
      const url = `http://127.0.0.1:${port}${path}`
      await (await fetch(url, { method: 'POST', headers, body: '{"no":"A"}' })).text()
    }
    const batches = `/api/workflows/${shared.flow.slug}/batches`
    await send(batches, 'gh_nobody', batchTypesByName.ndjson)
    await send(`${batches}/check`, shared.app.server.admin.token, batchTypesByName.ndjson)
    await send(batches, shared.app.server.admin.token, batchTypesByName.ndjson)
    await send('/api/apis', shared.app.server.admin.token, batchTypesByName.json)
    expect(seen.map(isUpload)).toEqual([false, true, true, false])
  })

  it('is refused while sixteen others are read', async () => {
    const held = Array.from({ length: 16 }, () => new PassThrough())
    const others = held.map((body) => upload(body))
    await expect.poll(() => held.every((body) => body.listenerCount('readable') > 0)).toBe(true)
    const refused = await upload(linesOf('A'))
    expect(refused.body).toMatchObject({ code: 'server.busy' })
    for (const [index, body] of held.entries()) body.end(linesOf(`held-${index}`))
    for (const answer of await Promise.all(others)) expect(answer.status).toBe(202)
  })
})

it('inputs with separators that end no line of JSON are taken as they are', async () => {
  const answer = await upload(linesOf('A\u2028B', 'C\u2029D'))
  expect([answer.status, answer.body]).toMatchObject([202, { batch: { counts: {} } }])
})

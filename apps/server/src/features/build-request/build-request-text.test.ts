import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  jsonText,
  startBuildRequestServer,
  type BuildRequestServer,
} from '../../../test/servers/build-request-server.ts'

// Send to an endpoint whose bodies are not JSON.

let app: BuildRequestServer
let xml: number
beforeAll(async () => {
  app = await startBuildRequestServer()
  app.answer(jsonText(200, '{"ok":true}'))
  xml = await app.createEndpoint({
    method_type: 'post',
    path: '/xml',
    run_settings: { content_type: 'text/xml; charset=utf-8' },
  })
})
afterAll(() => app.close())

it('a finished body goes out byte for byte', async () => {
  const body = '\uFEFF<a>\r\n <b/>{"x":1}</a> \n'
  const sent = await app.send(xml, body)
  expect(sent.status, sent.text).toBe(200)
  expect(app.upstream.received.at(-1)).toMatchObject({
    body,
    headers: { 'content-type': 'text/xml; charset=utf-8' },
  })
})

it('mapping rows are refused, and so is nothing', async () => {
  const before = app.upstream.received.length
  const rows = [{ from: 'id', to: 'a', custom_input: '', type: 'string' }]
  const mapped = await app.send(xml, JSON.stringify(rows), '{"id":1}')
  expect(mapped).toMatchObject({
    status: 422,
    body: { errors: { second_endpoint: [expect.stringMatching(/^Mapping rows make JSON/)] } },
  })
  expect(await app.send(xml, ' \n')).toMatchObject({
    status: 422,
    body: { errors: { second_endpoint: [expect.stringMatching(/^Add a mapping row or type/)] } },
  })
  expect(app.upstream.received).toHaveLength(before)
})

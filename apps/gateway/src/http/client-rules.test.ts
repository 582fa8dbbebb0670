import { startRecordingUpstream } from '@gatehouse/http1/testing/recording-upstream'
import { describe, expect, it } from 'vitest'
import { buildApi, buildSnapshot } from '../testing/build-snapshot.ts'
import { RawClient } from '../testing/raw-client.ts'
import { startGateway } from '../testing/test-gateway.ts'
import { clientBehindProxies, createClientRules, unknownClient } from './client-rules.ts'

const rules = createClientRules(['10.0.0.1', '192.0.2.0/24'], ['10.0.0.0/8', '::1'])

describe('behind a trusted proxy the client is', () => {
  it.each([
    ['8.8.8.8', '8.8.8.8'],
    ['8.8.8.8:1234', '8.8.8.8'],
    ['"8.8.8.8"', '8.8.8.8'],
    ['[2001:db8::1]:443', '2001:db8:0:0:0:0:0:1'],
    ['10.0.0.7, 8.8.8.8', '8.8.8.8'],
    ['8.8.8.8:1, 192.0.2.3:2', '8.8.8.8'],
    ['10.0.0.7', '10.0.0.7'],
    ['192.0.2.3', '192.0.2.3'],
    ['_hidden', unknownClient],
    ['unknown', unknownClient],
    ['', unknownClient],
    ['8.8.8.8,', unknownClient],
    ['_hidden, 192.0.2.3', unknownClient],
  ])('by X-Forwarded-For: %s %s', (forwardedFor, client) => {
    expect(clientBehindProxies(forwardedFor, rules)).toBe(client)
  })

  it('not internal where the proxy gives no address', () => {
    expect(rules.isInternal('10.0.0.1')).toBe(true)
    expect(rules.isInternal(unknownClient)).toBe(false)
  })
})

it.each([
  ['', 403],
  ['X-Forwarded-For: \r\n', 403],
  ['X-Forwarded-For: _hidden\r\n', 403],
  ['X-Forwarded-For: 8.8.8.8:1234\r\n', 403],
  ['X-Forwarded-For: 10.1.2.3:1234\r\n', 200],
])(
  'an internal API behind a trusted proxy that says %j answers with %i',
  async (fields, status) => {
    const upstream = await startRecordingUpstream((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
    })
    const gateway = await startGateway(
      buildSnapshot({ apis: [buildApi({ base_url: upstream.url, is_internal: true })] }),
      { trustedProxies: ['127.0.0.0/8'] },
    )
    const client = new RawClient(gateway.port)
    client.send(`GET /sales/orders HTTP/1.1\r\nHost: shop\r\n${fields}\r\n`)
    expect((await client.answer())?.status).toBe(status)
  },
)

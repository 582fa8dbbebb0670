import { expect, onTestFinished, test } from 'vitest'
import { createAddressGuard } from '../../address-guard.ts'
import {
  authSwitch,
  errorPacket,
  localInfile,
  okPacket,
  startFakeMysql,
} from '../../testing/fake-mysql.ts'
import type { FakeMysqlScript } from '../../testing/fake-mysql.ts'
import { scriptedLookup } from '../../testing/scripted-lookup.ts'
import { openGuard } from '../../testing/test-upstream.ts'
import type { ProcedureConnection } from '../procedure-types.ts'
import { createProcedureUpstream } from '../procedure-upstream.ts'
import type { ProcedureUpstreamOptions } from '../procedure-upstream.ts'

const command = { prepare: 0x16, execute: 0x17 }
const password = 'the-password-of-the-account'

async function callFake(
  script: FakeMysqlScript,
  change: Partial<ProcedureConnection> = {},
  options: Partial<ProcedureUpstreamOptions> = {},
) {
  const fake = await startFakeMysql(script)
  const upstream = createProcedureUpstream({ guard: openGuard, ...options })
  onTestFinished(() => upstream.close())
  const connection: ProcedureConnection = {
    driver: 'mysql',
    host: '127.0.0.1',
    port: fake.port,
    database: 'shop',
    username: 'reader',
    password,
    tls: 'off',
    connectTimeoutMs: 20_000,
    ...change,
  }
  const call = { name: 'anything', values: {}, timeoutMs: 20_000 }
  const answer = await upstream.call({ id: 'api', connection }, call)
  if (answer.ok) throw new Error('expected a failure')
  return { answer, fake }
}

/** A prepared statement without parameters and columns. */
const prepared = Buffer.from([0, 1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0])
const preparedParameter = Buffer.concat([
  Buffer.from('\x03def\0\0\0\x01?\0\x0c'),
  Buffer.from([63, 0, 0, 0, 0, 0, 253, 128, 0, 0, 0, 0]),
])
const endOfColumns = Buffer.from([0xfe, 0, 0, 2, 0])

test('a client never says that it would send files', async () => {
  const { fake } = await callFake({ answer: () => 'close' })
  expect((fake.received[0]?.readUInt32LE(0) ?? 0) & 0x80).toBe(0)
})

test('a server that asks for a file instead of answering a query gets none', async () => {
  const { answer, fake } = await callFake({
    answer: (_, index) => {
      if (index === 0 || index > 1) return [okPacket]
      return [localInfile('/etc/passwd')]
    },
  })
  expect(answer).toMatchObject({ code: 'procedure.sign_in', isSent: false })
  expect(fake.received.slice(2).map(({ length }) => length)).toEqual([0])
})

test('a server that asks for a file instead of executing gets none, and no success', async () => {
  const { answer, fake } = await callFake({
    answer: (payload) => {
      if (payload[0] === command.prepare) {
        return [prepared, preparedParameter, preparedParameter, endOfColumns]
      }
      return payload[0] === command.execute ? [localInfile('/etc/passwd')] : [okPacket]
    },
  })
  expect(answer).toMatchObject({ code: 'procedure.failed', isSent: false })
  const at = fake.received.findIndex((payload) => payload[0] === command.execute)
  expect(at).toBeGreaterThan(0)
  expect(Buffer.concat(fake.received.slice(at + 1)).toString()).not.toContain('root')
  expect(fake.received.slice(at + 1).every(({ length }) => length <= 1)).toBe(true)
})

test('a server that asks for the password in clear text does not get it', async () => {
  const { answer, fake } = await callFake({
    answer: (_, index) => (index === 0 ? [authSwitch('mysql_clear_password')] : [okPacket]),
  })
  expect(answer).toMatchObject({ code: 'procedure.sign_in', isSent: false })
  expect(Buffer.concat(fake.received).toString('latin1')).not.toContain(password)
})

test.each(['encrypted', 'verified'] as const)(
  'TLS %s: a server without TLS receives neither user name nor password',
  async (tls) => {
    const { answer, fake } = await callFake({ answer: () => [okPacket] }, { tls })
    expect(answer).toMatchObject({ code: 'upstream.tls', status: 502, isSent: false })
    expect(fake.received).toEqual([])
  },
)

test('a server that never greets is given up within the connect time-out', async () => {
  const script: FakeMysqlScript = { greeting: 'silence', answer: () => 'silence' }
  const { answer } = await callFake(script, { connectTimeoutMs: 100 })
  expect(answer).toMatchObject({ code: 'upstream.connect_timeout', status: 502, isSent: false })
})

test('a server that is full says so before the greeting: 503 with Retry-After', async () => {
  const { answer } = await callFake({
    greeting: errorPacket(1040, '08004', 'Too many connections from reader at shop'),
    answer: () => 'silence',
  })
  expect(answer).toMatchObject({ code: 'procedure.busy', status: 503, isSent: false })
  expect(answer).toMatchObject({ retryAfterSeconds: 5 })
  expect(answer.message).not.toContain('reader')
})

test.each([
  ['no greeting at all', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ['an empty packet', Buffer.alloc(0)],
  ['a greeting that breaks off', Buffer.from([10, 56])],
  ['noise', Buffer.from(Array.from({ length: 256 }, (_, index) => (index * 37) % 251))],
])('what is no database is a 502, and nothing was called: %s', async (_, greeting) => {
  const { answer } = await callFake({ greeting, answer: () => 'close' }, { connectTimeoutMs: 300 })
  expect(answer.status).toBe(502)
  expect(answer.isSent).toBe(false)
})

test('an address that the guard closes is not connected to', async () => {
  const guard = createAddressGuard({ allow: [], deny: ['127.0.0.0/8'], own: () => [] })
  const { answer, fake } = await callFake({ answer: () => [okPacket] }, {}, { guard })
  expect(answer).toMatchObject({ code: 'upstream.blocked_address', status: 502, isSent: false })
  const lookup = scriptedLookup(['127.0.0.1'])
  const named = await callFake({ answer: () => [] }, { host: 'db.example' }, { guard, lookup })
  expect(named.answer.code).toBe('upstream.blocked_address')
  expect(lookup.calls).toEqual(['db.example'])
  expect(fake.connections + named.fake.connections).toBe(0)
})

test('a connection that is refused or has no name is a 502, and nothing was called', async () => {
  const lookup = scriptedLookup([])
  const nameless = await callFake({ answer: () => [] }, { host: 'db.example' }, { lookup })
  expect(nameless.answer).toMatchObject({ code: 'upstream.dns', status: 502, isSent: false })
  const closed = await callFake({ answer: () => [] }, { port: 1 })
  expect(closed.answer).toMatchObject({ code: 'upstream.refused', status: 502, isSent: false })
})

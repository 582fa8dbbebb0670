import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createAddressGuard } from '../../address-guard.ts'
import { expectAnswered, expectFailed, startTestSqlsrv } from '../../testing/test-sqlsrv.ts'
import type { TestSqlsrvOptions } from '../../testing/test-sqlsrv.ts'

const pemOf = (name: string) =>
  readFileSync(new URL(`../../../fixtures/self-signed-${name}.pem`, import.meta.url), 'utf8')
const local = pemOf('localhost')

const starts = (options: TestSqlsrvOptions) =>
  startTestSqlsrv({ procedures: [{ name: 'P' }], ...options })

describe('signing in', () => {
  it('names user, database and application, in TDS 7.4', async () => {
    const { call, server } = await starts({})
    expectAnswered(await call({ name: 'P' }))
    expect(server.logins[0]).toEqual({
      tdsVersion: '0x74000004',
      user: 'gatehouse',
      password: 'secret',
      application: 'Gatehouse',
      database: 'erp',
    })
  })

  it.each([
    [{ password: 'another' }, 'procedure.sign_in', 502],
    [{ loginError: { number: 4060, message: 'Cannot open database.' } }, 'procedure.sign_in', 502],
    [{ loginError: { number: 10_928, message: 'Too many sessions.' } }, 'procedure.busy', 503],
    [{ loginError: { number: 17_809, message: 'Too many users.' } }, 'procedure.busy', 503],
  ] satisfies [TestSqlsrvOptions, string, number][])(
    'refused by %o is %s',
    async (options, code, status) => {
      const { call, server } = await starts(options)
      const failed = expectFailed(await call({ name: 'P' }))
      expect(failed).toMatchObject({ code, status, isSent: false })
      expect(failed.message).not.toContain('gatehouse')
      expect(server.logins).toHaveLength(1)
      await server.whenAllClosed()
    },
  )

  it.each(['512', '32767'])('agrees on packets of %s bytes', async (packetSize) => {
    const parameters = [{ name: '@a', type: 'nvarchar(max)' }]
    const { call, server } = await starts({ procedures: [{ name: 'P', parameters }], packetSize })
    const text = 'ü'.repeat(40_000)
    expectAnswered(await call({ name: 'P', values: { a: text } }))
    expect(server.calls('[dbo].[P]')[0]?.parameters[0]?.value).toBe(text)
  })

  it('fails where nothing listens', async () => {
    const { call, server } = await starts({})
    await server.close()
    expect(await call({ name: 'P' })).toMatchObject({ code: 'upstream.refused', isSent: false })
  })

  it('fails where the server ends the connection', async () => {
    const { call } = await starts({ onPrelogin: (stream) => stream.destroy() })
    expect(await call({ name: 'P' })).toMatchObject({ code: 'upstream.cut', isSent: false })
  })

  it('fails where what answers is no SQL Server', async () => {
    const { call, server } = await starts({
      onPrelogin: (stream) => stream.write('HTTP/1.1 400 Bad Request\r\n\r\n'),
      connection: { connectTimeoutMs: 500 },
    })
    expect(await call({ name: 'P' })).toMatchObject({ isSent: false, status: 502 })
    await server.whenAllClosed()
  })

  it('is given up in time where the server does not answer', async () => {
    const { call, server } = await starts({
      onPrelogin: () => undefined,
      connection: { connectTimeoutMs: 50 },
    })
    expect(await call({ name: 'P' })).toMatchObject({
      code: 'upstream.connect_timeout',
      isSent: false,
    })
    await server.whenAllClosed()
  })

  it('is given up when the caller leaves', async () => {
    const leaving = new AbortController()
    const { call, server } = await starts({ onPrelogin: () => leaving.abort() })
    expect(await call({ name: 'P', signal: leaving.signal })).toMatchObject({
      code: 'procedure.cancelled',
      isSent: false,
    })
    await server.whenAllClosed()
  })

  it('elsewhere, as a server may ask, is refused: the password is for the registered address', async () => {
    const other = await starts({})
    const { call } = await starts({ route: { host: '127.0.0.1', port: other.server.port } })
    expect(await call({ name: 'P' })).toMatchObject({ code: 'upstream.refused', isSent: false })
    expect(other.server.prelogins).toEqual([])
  })
})

describe('the address guard', () => {
  it.each([
    [
      'a blocked address',
      { guard: createAddressGuard({ allow: [], deny: ['127.0.0.0/8'], own: () => [] }) },
    ],
    ['a link-local address', { connection: { host: '169.254.169.254' } }],
  ] satisfies [string, TestSqlsrvOptions][])(
    'lets nothing through to %s',
    async (_name, options) => {
      const { call, server } = await starts(options)
      expect(await call({ name: 'P' })).toMatchObject({
        code: 'upstream.blocked_address',
        isSent: false,
      })
      expect(server.prelogins).toEqual([])
    },
  )
})

describe('TLS', () => {
  const verified = { tls: 'verified', ca: local, host: 'localhost' } as const

  it.each([
    ['a name', 'localhost'],
    ['an address', '127.0.0.1'],
  ])('is spoken with a server whose certificate is trusted, by %s', async (_name, host) => {
    const { call, server } = await starts({
      encryption: 'on',
      pem: local,
      connection: { ...verified, host },
    })
    expectAnswered(await call({ name: 'P' }))
    expect(server.requests.every(({ session }) => session.isEncrypted)).toBe(true)
  })

  it('carries answers larger than a record and a packet', async () => {
    const text = 'ü'.repeat(60_000)
    const { call } = await startTestSqlsrv({
      encryption: 'required',
      pem: local,
      connection: verified,
      procedures: [
        {
          name: 'P',
          parameters: [{ name: '@a', type: 'nvarchar(max)', isOutput: true }],
          run: ({ value }) => [{ output: { '@a': value('@a') ?? null } }],
        },
      ],
    })
    const { body } = expectAnswered(await call({ name: 'P', values: { a: text } }))
    expect(body.output['a']).toBe(text)
  })

  it.each([
    ['a certificate of no known authority', local, { tls: 'verified', host: 'localhost' }],
    ['a certificate for another host', pemOf('elsewhere'), { ...verified, ca: pemOf('elsewhere') }],
  ] as const)('refuses %s before the password is sent', async (_name, pem, connection) => {
    const { call, server } = await starts({ encryption: 'on', pem, connection })
    expect(await call({ name: 'P' })).toMatchObject({ code: 'upstream.tls', isSent: false })
    expect(server.logins).toEqual([])
    await server.whenAllClosed()
  })

  it.each(['verified', 'encrypted'] as const)(
    '%s refuses a server that offers none, before the password is sent',
    async (tls) => {
      const { call, server } = await starts({ connection: { ...verified, tls } })
      expect(await call({ name: 'P' })).toMatchObject({ code: 'upstream.tls', isSent: false })
      expect(server.logins).toEqual([])
      expect(server.prelogins).toEqual([{ encryption: 1 }])
    },
  )

  it('encrypted takes any certificate', async () => {
    const { call } = await starts({
      encryption: 'on',
      pem: pemOf('elsewhere'),
      connection: { tls: 'encrypted' },
    })
    expectAnswered(await call({ name: 'P' }))
  })

  it('off is refused by a server that wants it', async () => {
    const { call, server } = await starts({ encryption: 'required', pem: local })
    expect(await call({ name: 'P' })).toMatchObject({ code: 'upstream.tls', isSent: false })
    expect(server.logins).toEqual([])
  })
})

import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildServer, testPassword } from '../../../test/servers/build-server.ts'
import { publicUrl } from '../../../test/servers/mail-server.ts'
import { startMailingServer, type MailingServer } from '../../../test/servers/mailing-server.ts'
import type { Mailer } from '../../kernel/mail/mailer.ts'
import { inTransactionOn } from '../../stores.ts'
import { PasswordResetService, randomPauseMs } from './password-reset-service.ts'

const chosen = 'a sentence of my own 7'

let server: MailingServer
beforeEach(async () => {
  server = await startMailingServer()
})
afterEach(() => server.close())

const ask = (email: string, remoteAddress = '192.0.2.1', headers = {}) =>
  server.send('POST', '/api/password-reset', { body: { email }, remoteAddress, headers })
const show = (token: string) => server.send('POST', '/api/password-link', { body: { token } })
const use = (token: string, password = chosen) =>
  server.send('POST', '/api/password-link/password', {
    body: { token, password, password_confirmation: password },
  })
const signIn = (email: string, password: string) =>
  server.send('POST', '/api/login', { body: { email, password } })
const linkFor = async (email: string, number = 1) => {
  expect((await ask(email)).status).toBe(204)
  return server.tokenOf(number)
}
const events = () =>
  server.db
    .selectFrom('audit_event')
    .selectAll()
    .where('action', 'like', 'user.password_reset%')
    .orderBy('id')
    .execute()
const statusOfCall = () => server.send('GET', '/api/auth', { token: server.admin.token })
const countOfCall = async () => (await server.statements.during(statusOfCall)).statements
const by = { address: '192.0.2.1', requestId: 'request' }
/** The service alone, with a mail server that is never asked. */
function buildService(more: { pauseMs?: () => number } = {}) {
  const { db, time, logLines } = server
  const clock = { now: () => time.now }
  const log = pino({}, { write: (line: string) => logLines.push(line) })
  const mailer = { stop: () => {} } as Mailer
  const inTransaction = inTransactionOn(db, clock)
  return new PasswordResetService({ inTransaction, clock, log, mailer, publicUrl, ...more })
}
const ended = { status: 404, body: { code: 'password_link.ended' } }

describe('a link for a new password', () => {
  it('goes to the stored address, sets the password, and ends all sessions', async () => {
    const { email, token: session } = await server.buildUser({ email: 'ann@example.com' })
    const token = await linkFor('ANN@example.com')
    expect(server.mail.mails).toMatchObject([{ to: [email], from: 'gatehouse@example.com' }])
    expect(await show(token)).toMatchObject({ status: 200, body: { kind: 'reset', email } })
    expect((await use(token)).status).toBe(204)
    expect((await server.send('GET', '/api/auth', { token: session })).status).toBe(401)
    expect((await signIn(email, testPassword)).status).toBe(401)
    expect((await signIn(email, chosen)).status).toBe(200)
    expect((await events()).map(({ action, thing_name }) => [action, thing_name])).toEqual([
      ['user.password_reset_asked', 'ann'],
      ['user.password_reset', 'ann'],
    ])
  })

  it('counts once, and one of several uses at once', async () => {
    const { email } = await server.buildUser()
    const token = await linkFor(email)
    const answers = await Promise.all([1, 2, 3, 4].map((n) => use(token, `${chosen} ${n}`)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404, 404, 404])
    expect(await use(token)).toMatchObject(ended)
    expect(await show(token)).toMatchObject(ended)
    const winner = answers.findIndex(({ status }) => status === 204) + 1
    expect((await signIn(email, `${chosen} ${winner}`)).status).toBe(200)
  })

  it('ends after 30 minutes, and by a newer one', async () => {
    const { email } = await server.buildUser()
    const first = await linkFor(email)
    const second = await linkFor(email, 2)
    expect(await show(first)).toMatchObject(ended)
    expect((await show(second)).status).toBe(200)
    server.time.now = new Date(server.time.now.getTime() + 30 * 60_000)
    expect(await use(second)).toMatchObject(ended)
    expect((await signIn(email, testPassword)).status).toBe(200)
  })

  it.each([
    ['password', { password_hash: 'other' }],
    ['e-mail address', { email: 'new@example.com', email_key: 'new@example.com' }],
  ])('ends with a change of the %s', async (_, change) => {
    const { id, email } = await server.buildUser()
    const token = await linkFor(email)
    await server.db.updateTable('user').set(change).where('id', '=', id).execute()
    expect(await show(token)).toMatchObject(ended)
    expect(await use(token)).toMatchObject(ended)
  })

  it('is kept where the password is refused', async () => {
    const { email } = await server.buildUser()
    const token = await linkFor(email)
    expect((await use(token, 'password1234')).status).toBe(422)
    expect((await use(token, 'short')).status).toBe(422)
    expect((await use(token)).status).toBe(204)
  })

  it('still asks for the second factor at the login', async () => {
    const { id, email } = await server.buildUser()
    const factor = { user_id: id, secret_encrypted: 'sealed', created_at: '', confirmed_at: '' }
    await server.db
      .insertInto('second_factor')
      .values({ ...factor, confirmed_at: 'x' })
      .execute()
    await use(await linkFor(email))
    expect(await signIn(email, chosen)).toMatchObject({ body: { code: 'session.code_needed' } })
  })

  it('leads to the configured address, whatever Host the call names', async () => {
    const { email } = await server.buildUser()
    const evil = 'evil.example.net'
    await ask(email, '192.0.2.1', { host: evil, 'x-forwarded-host': evil })
    const text = await server.mail.textOf(1)
    expect(text).toContain(`${publicUrl}/dashboard/password#`)
    expect(text).not.toContain(evil)
  })

  it('is stored as a hash, and is in neither the log nor the audit trail', async () => {
    const { email } = await server.buildUser()
    const token = await linkFor(email)
    await use(token)
    const other = await linkFor(email, 2)
    for (const secret of [token, other]) {
      expect(
        JSON.stringify(await server.db.selectFrom('password_link').selectAll().execute()),
      ).not.toContain(secret)
      expect(JSON.stringify(await events())).not.toContain(secret)
      expect(server.logLines.join('')).not.toContain(secret)
    }
  })
})

describe('who asks for a link', () => {
  it('gets the same answer for users, for nobody, and for users without a password of their own', async () => {
    const { email } = await server.buildUser()
    const managed = await server.buildUser()
    await server.db
      .insertInto('user_identity')
      .values({
        issuer: 'https://login.example.com',
        subject: 'a',
        user_id: managed.id,
        is_managed: 1,
        created_at: '',
      })
      .execute()
    const asked = ['nobody@example.com', managed.email, 'gateway-client@localhost', email]
    const answers = []
    for (const each of asked) answers.push(await ask(each))
    const [first] = answers
    for (const { status, text, headers } of answers) {
      expect({ status, text }).toEqual({ status: first!.status, text: first!.text })
      expect(Object.keys(headers)).toEqual(Object.keys(first!.headers))
    }
    await server.mail.textOf(1)
    expect(server.mail.mails.map(({ to }) => to)).toEqual([[email]])
  })

  it('is answered before anybody looks for the user: with as many statements for nobody', async () => {
    const { email } = await server.buildUser()
    const { db, statements } = server
    const service = buildService()
    const known = await statements.during(() => service.ask(email, by))
    const nobody = await statements.during(() => service.ask('nobody@example.com', by))
    expect(known.statements).toBe(nobody.statements)
    expect(await db.selectFrom('password_link').selectAll().execute()).toEqual([])
  })

  it('meets no work of a user in the calls right after, for it begins at a random moment', async () => {
    const { email } = await server.buildUser()
    const { db, statements } = server
    const service = buildService({ pauseMs: () => 3_600_000 })
    for (const each of [email, 'nobody@example.com']) {
      const carryOn = await service.ask(each, by)
      const { statements: made } = await statements.during(async () => {
        void carryOn()
        await statusOfCall()
      })
      expect(made).toBe(await countOfCall())
    }
    await service.stop()
    expect(await db.selectFrom('password_link').selectAll().execute()).toEqual([])
    const pauses = new Set(Array.from({ length: 50 }, () => randomPauseMs()))
    expect(pauses.size).toBeGreaterThan(10)
    expect(Math.max(...pauses)).toBeLessThan(4_000)
  })

  it('is answered while the mail server says nothing', async () => {
    const { email } = await server.buildUser()
    server.mail.control.isHanging = true
    expect((await ask(email)).status).toBe(204)
    expect(server.mail.mails).toEqual([])
  })

  it('gets five mails an hour for an account; further calls are answered alike', async () => {
    const { email } = await server.buildUser()
    for (let n = 1; n <= 5; n++) await linkFor(email, n)
    for (let n = 0; n < 3; n++) expect((await ask(email, `198.51.100.${n}`)).status).toBe(204)
    const last = await server.tokenOf(5)
    expect((await show(last)).status).toBe(200)
    server.time.now = new Date(server.time.now.getTime() + 60 * 60_000)
    await linkFor(email, 6)
    expect(server.mail.mails).toHaveLength(6)
  })

  it('may ask twenty times an hour from an address, for whomever', async () => {
    for (let n = 0; n < 20; n++) expect((await ask(`nobody-${n}@example.com`)).status).toBe(204)
    const refused = await ask('somebody@example.com')
    expect(refused).toMatchObject({ status: 429, body: { code: 'password_link.throttled' } })
    expect(refused.headers['retry-after']).toBe('3600')
    expect((await ask('somebody@example.com', '192.0.2.2')).status).toBe(204)
  })

  it('of an address that has asked too often keeps no user from their mail, and fills no table', async () => {
    const { email } = await server.buildUser()
    for (let n = 0; n < 20; n++) await ask(`nobody-${n}@example.com`)
    const counted = () => server.db.selectFrom('login_failure').selectAll().execute()
    const before = await counted()
    for (let n = 0; n < 6; n++) expect((await ask(email)).status).toBe(429)
    expect(await counted()).toEqual(before)
    expect((await ask(email, '192.0.2.2')).status).toBe(204)
    expect((await show(await server.tokenOf(1))).status).toBe(200)
    // What no longer counts goes.
    server.time.now = new Date(server.time.now.getTime() + 61 * 60_000)
    await ask(email)
    expect(await counted()).toHaveLength(2)
  })

  it('is told where there is no mail server, and the login page offers nothing', async () => {
    const offer = () => server.send('GET', '/api/sign-on/offer')
    expect((await offer()).body).toMatchObject({ resets_passwords: true })
    const without = await buildServer()
    const unable = await without.send('GET', '/api/sign-on/offer')
    expect(unable.body).toMatchObject({ resets_passwords: false })
    const asked = await without.send('POST', '/api/password-reset', { body: { email: 'a@b.cd' } })
    expect(asked).toMatchObject({ status: 404, body: { code: 'mail.off' } })
    await without.close()
  })
})

it('a mail server that refuses a link is named in the log', async () => {
  const { email } = await server.buildUser()
  server.mail.control.refuse = 'Try again later'
  await ask(email)
  await expect.poll(() => server.logLines.join('')).toContain('451 Try again later')
})

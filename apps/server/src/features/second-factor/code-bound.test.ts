// Databases: SQLite.

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildServer, testPassword, type TestServer } from '../../../test/servers/build-server.ts'
import { codeOf, stepAt } from './totp.ts'

const home = '192.0.2.1'
const elsewhere = '198.51.100.7'

let server: TestServer
let email: string
let id: number
let secret: string
let recoveryCodes: string[]
beforeEach(async () => {
  server = await buildServer()
  const person = await server.buildUser()
  ;({ email, id } = person)
  const send = (path: string, body: object) =>
    server.send('POST', `/api/second-factor${path}`, { token: person.token, body })
  ;({ secret } = (await send('', { current_password: testPassword })).body as { secret: string })
  const confirmed = await send('/confirm', { code: codeNow() })
  recoveryCodes = (confirmed.body as { recovery_codes: string[] }).recovery_codes
  pass(0.5)
  await signIn(home, codeNow())
  pass(0.5)
})
afterEach(() => server.close())

const codeNow = () => codeOf(secret, stepAt(server.time.now))
const pass = (minutes: number) => {
  server.time.now = new Date(server.time.now.getTime() + minutes * 60_000)
}
async function signIn(remoteAddress: string, code: string, password = testPassword) {
  // Guesses count as those of passwords too, which is not what is looked at here.
  await server.db.deleteFrom('login_failure').execute()
  const answer = await server.send('POST', '/api/login', {
    body: { email, password, code },
    remoteAddress,
  })
  const { code: refusal } = (answer.body ?? {}) as { code?: string }
  return refusal ?? answer.status
}
/** None that the app shows now, before or next. */
const wrongCode = () => {
  const step = stepAt(server.time.now)
  const right = new Set([-1, 0, 1].map((around) => codeOf(secret, step + around)))
  return ['000000', '111111', '222222', '333333'].find((code) => !right.has(code))!
}
const guess = (from = elsewhere) => signIn(from, wrongCode())

describe('who knows the password and guesses codes', () => {
  it('waits after five wrong ones, twice as long after each further one, an hour at most', async () => {
    for (let n = 0; n < 5; n++) expect(await guess()).toBe('session.wrong_code')
    for (const minutes of [1, 2, 4, 8, 16, 32, 60, 60]) {
      expect(await guess()).toBe('session.codes_paused')
      pass(minutes - 0.01)
      // The right one is refused too: else guesses would go on.
      expect(await signIn(elsewhere, codeNow())).toBe('session.codes_paused')
      pass(0.02)
      expect(await guess()).toBe('session.wrong_code')
    }
  })

  it('waits wherever they are: all addresses that the user does not sign in from count together', async () => {
    for (let n = 0; n < 5; n++) expect(await guess(`198.51.100.${n}`)).toBe('session.wrong_code')
    expect(await guess('203.0.113.9')).toBe('session.codes_paused')
  })

  it('keeps the user out neither of where they sign in from nor of their recovery codes', async () => {
    for (let n = 0; n < 6; n++) await guess()
    expect(await signIn(elsewhere, codeNow())).toBe('session.codes_paused')
    expect(await signIn(home, codeNow())).toBe(200)
    pass(0.5)
    expect(await signIn(elsewhere, codeNow())).toBe('session.codes_paused')
  })

  it('keeps a recovery code out from nowhere but where the guesses come from', async () => {
    for (let n = 0; n < 6; n++) await guess(`198.51.100.${n}`)
    expect(await signIn('203.0.113.9', codeNow())).toBe('session.codes_paused')
    expect(await signIn('203.0.113.9', recoveryCodes[0]!)).toBe(200)
    expect(await signIn('203.0.113.9', recoveryCodes[0]!)).not.toBe(200)
  })

  it('is slowed down at such an address as well', async () => {
    for (let n = 0; n < 5; n++) expect(await guess(home)).toBe('session.wrong_code')
    expect(await signIn(home, codeNow())).toBe('session.codes_paused')
    pass(1)
    expect(await signIn(home, codeNow())).toBe(200)
    // In a row: after a right one the count begins at nothing.
    for (let n = 0; n < 5; n++) expect(await guess(home)).toBe('session.wrong_code')
  })

  it('is in the audit trail, with the address and without the code', async () => {
    for (let n = 0; n < 5; n++) await guess()
    const rows = await server.db
      .selectFrom('audit_event')
      .selectAll()
      .where('action', '=', 'user.codes_paused')
      .execute()
    expect(rows).toMatchObject([
      { address: elsewhere, thing_id: id, actor_id: null, outcome: 'refused' },
    ])
    expect(JSON.parse(rows[0]!.after!)).toEqual({ wrong_codes: 5, pause_seconds: 60 })
  })

  it('is in the audit trail once for each pause in which a code is refused', async () => {
    const refused = () =>
      server.db
        .selectFrom('audit_event')
        .selectAll()
        .where('action', '=', 'user.code_refused')
        .orderBy('id')
        .execute()
    for (let n = 0; n < 5; n++) await guess()
    expect(await refused()).toEqual([])
    pass(0.5)
    for (let n = 0; n < 3; n++) expect(await guess(`198.51.100.${n}`)).toBe('session.codes_paused')
    expect(await refused()).toMatchObject([
      { address: '198.51.100.0', thing_id: id, actor_id: null, after: '{"seconds_left":30}' },
    ])
    pass(1)
    await guess()
    for (let n = 0; n < 3; n++) await guess()
    expect(await refused()).toHaveLength(2)
  })

  it('is forgotten after a day without a wrong code', async () => {
    for (let n = 0; n < 5; n++) await guess()
    pass(24 * 60 + 1)
    for (let n = 0; n < 5; n++) expect(await guess()).toBe('session.wrong_code')
    expect(await guess()).toBe('session.codes_paused')
  })
})

it('who does not know the password makes nobody wait for a code', async () => {
  for (let n = 0; n < 9; n++) await signIn(elsewhere, '000000', 'a wrong password')
  expect(await signIn('198.51.100.8', codeNow())).toBe(200)
  expect(
    await server.db.selectFrom('code_failure').selectAll().where('failures', '>', 0).execute(),
  ).toEqual([])
})

describe('while guesses of the password make unknown addresses wait', () => {
  const login = (body: object, remoteAddress: string) =>
    server.send('POST', '/api/login', { body: { email, ...body }, remoteAddress })
  /** The account has had ten guesses, and the next one has to wait. */
  async function beGuessed() {
    await login({ password: 'wrong' }, elsewhere)
    await server.db.updateTable('login_failure').set({ failures: 20 }).execute()
  }
  const fresh = '203.0.113.9'

  it('a right recovery code and password get in from another address, and nothing less does', async () => {
    await beGuessed()
    const [right = ''] = recoveryCodes
    const statusWith = async (password: string, code: string) =>
      (await login({ password, code }, fresh)).status
    expect(await statusWith(testPassword, codeNow())).toBe(429)
    expect(await statusWith(testPassword, 'abcd-efgh-jkmn-pqrs')).toBe(429)
    expect(await statusWith('a wrong password', right)).toBe(401)
    expect(await statusWith(testPassword, right)).toBe(200)
  })

  it('guesses of the password with a found recovery code are slowed down on their own', async () => {
    await beGuessed()
    const [code = ''] = recoveryCodes
    const guessAt = (address: string) => login({ password: 'a wrong password', code }, address)
    expect((await guessAt(fresh)).status).toBe(401)
    await server.db.updateTable('login_failure').set({ failures: 20 }).execute()
    expect((await guessAt('203.0.113.77')).status).toBe(429)
  })
})

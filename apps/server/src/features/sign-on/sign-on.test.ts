import type { SignOnRecord } from '@gatehouse/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildServer, type Answer, type TestServer } from '../../../test/servers/build-server.ts'
import { startMailingServer } from '../../../test/servers/mailing-server.ts'
import {
  openIdProvider,
  type Claims,
  type Mischief,
} from '../../../test/servers/openid-provider.ts'

let server: TestServer
let provider: Awaited<ReturnType<typeof openIdProvider>>
let clerks: number
beforeEach(async () => {
  server = await buildServer()
  provider = await openIdProvider(() => server.time.now)
  clerks = await roleNamed('Clerks', 'dashboard.view')
})
afterEach(async () => {
  await server.close()
  provider.close()
})

async function roleNamed(name: string, permission: string): Promise<number> {
  const body = { name, permissions: [permission] }
  const made = await server.send('POST', '/api/role', { token: server.admin.token, body })
  return (made.body as { id: number }).id
}
const auditors = () => roleNamed('Auditors', 'audit.view')

const definition = (more = {}) => ({
  name: 'Company login',
  is_active: true,
  issuer: provider.issuer,
  client_id: 'gatehouse',
  client_secret: 'a secret of the client',
  scopes: 'openid email profile',
  role_claim: 'groups',
  roles: [{ value: 'clerks', role_id: clerks }],
  creates_users: true,
  signs_out: false,
  ...more,
})
const save = (more = {}, token = server.admin.token) =>
  server.send('PUT', '/api/sign-on', { token, body: definition(more) })

const origin = { host: 'localhost', origin: 'http://localhost' }
const ann = { sub: 'ann-1', email: 'ann@example.com', email_verified: true, name: 'Ann Lee' }
const clerk = { ...ann, groups: ['clerks'] }

const cookieOf = ({ headers }: Answer) =>
  [headers['set-cookie']]
    .flat()
    .map(String)
    .join('; ')
    .match(/gatehouse_sign_on=[^;]*/)![0]

async function begin() {
  const answer = await server.send('POST', '/api/sign-on/begin', { headers: origin })
  expect(answer.status, answer.text).toBe(200)
  return { url: (answer.body as { url: string }).url, cookie: cookieOf(answer) }
}
const finish = (answer: string, cookie: string) =>
  server.send('POST', '/api/sign-on/finish', {
    headers: { ...origin, cookie },
    body: { answer: `?${answer}` },
  })
async function signOn(who: Claims, wrong?: Mischief) {
  const { url, cookie } = await begin()
  return finish(provider.authorize(url, who, wrong), cookie)
}

const lastRefusal = async () => {
  const row = await server.db
    .selectFrom('audit_event')
    .selectAll()
    .where('outcome', '=', 'refused')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && `${row.action} ${row.thing_name} ${row.after}`
}
const userNamed = (email: string) => server.stores.users.findByEmail(email)
const rolesOf = async (email: string) =>
  (await server.stores.users.rolesOf((await userNamed(email))!.id)).map(({ name }) => name)

describe('the provider', () => {
  it('is offered once it is switched on, and its secret is never shown', async () => {
    const offer = () => server.send('GET', '/api/sign-on/offer')
    const nothing = { resets_passwords: false, passkeys: null }
    expect((await offer()).body).toEqual({ ...nothing, name: null })
    expect((await save({ is_active: false })).status).toBe(200)
    expect((await offer()).body).toEqual({ ...nothing, name: null })
    const begun = await server.send('POST', '/api/sign-on/begin', { headers: origin })
    expect(begun).toMatchObject({ status: 404, body: { code: 'sign_on.off' } })

    const saved = await save({ client_secret: '' })
    const record = (saved.body as { provider: SignOnRecord }).provider
    expect(record).toMatchObject({ name: 'Company login', has_client_secret: true })
    expect((await offer()).body).toEqual({
      ...nothing,
      name: 'Company login',
    })
    const rows = JSON.stringify([
      await server.db.selectFrom('sign_on_provider').selectAll().execute(),
      await server.db.selectFrom('audit_event').selectAll().execute(),
      (await server.send('GET', '/api/sign-on', { token: server.admin.token })).body,
      server.logLines,
    ])
    expect(rows).not.toContain('a secret of the client')
  })

  it('is changed by Super Admins alone, and does not get the secret of another', async () => {
    await save()
    const editor = await server.buildUser({ permissions: ['user.view', 'user.edit'] })
    expect((await save({}, editor.token)).status).toBe(403)
    const moved = await save({ client_secret: '', issuer: 'https://evil.example.com' })
    expect(moved).toMatchObject({
      status: 422,
      body: { errors: { client_secret: ['The issuer has changed: enter the secret again.'] } },
    })
    expect((await save({ issuer: 'http://login.example.com' })).status).toBe(422)
    const { id } = (await server.stores.roles.findByName('Super Admin'))!
    expect((await save({ roles: [{ value: 'root', role_id: id }] })).status).toBe(422)
    expect((await save({ version: 1 })).status).toBe(409)
  })

  it('that does not answer, or answers with nonsense, is said to', async () => {
    await save()
    for (const mischief of [
      { metadata: { issuer: 'https://other.example.com' } },
      { metadata: { authorization_endpoint: undefined } },
      { metadata: { authorization_endpoint: 'javascript:alert(1)' } },
      { paddingBytes: 600 * 1024 },
    ]) {
      provider.misbehave(mischief)
      const begun = await server.send('POST', '/api/sign-on/begin', { headers: origin })
      expect(begun).toMatchObject({ status: 502, body: { code: 'sign_on.unreachable' } })
      server.time.now = new Date(server.time.now.getTime() + 600_001)
    }
    provider.close()
    const begun = await server.send('POST', '/api/sign-on/begin', { headers: origin })
    expect(begun).toMatchObject({ status: 502, body: { code: 'sign_on.unreachable' } })
    expect(server.logLines.join('')).toContain('the sign-in provider could not be asked')
  })

  it('is asked at each save, which says why nobody can be sent there', async () => {
    const problem = async (more = {}) =>
      ((await save({ client_secret: 'x', ...more })).body as { problem: string | null }).problem
    expect(await problem()).toBeNull()
    provider.misbehave({ metadata: { authorization_endpoint: undefined } })
    expect(await problem()).toBe('It names no usable authorization_endpoint.')
    provider.misbehave({ metadata: { issuer: 'https://other.example.com' } })
    expect(await problem()).toBe('What it says of itself is not understood.')
    expect(await problem({ issuer: `${provider.issuer}/other` })).toBe('It answered 404.')
    expect(await problem({ issuer: 'https://169.254.169.254' })).toContain('169.254.169.254')
    provider.close()
    expect(await problem()).not.toBeNull()
  })

  it('is asked once what it says of itself, and not again for five seconds where that failed', async () => {
    await save()
    const statusOf = async () =>
      (await server.send('POST', '/api/sign-on/begin', { headers: origin })).status
    provider.misbehave({ metadata: { issuer: 'https://other.example.com' } })
    expect(await Promise.all([statusOf(), statusOf(), statusOf()])).toEqual([502, 502, 502])
    provider.misbehave({})
    server.time.now = new Date(server.time.now.getTime() + 4_999)
    expect(await statusOf()).toBe(502)
    expect(provider.asked).toHaveLength(2)
    server.time.now = new Date(server.time.now.getTime() + 1)
    expect(await Promise.all([statusOf(), statusOf(), statusOf()])).toEqual([200, 200, 200])
    expect(provider.asked).toHaveLength(3)
  })

  it('behind an address that the guard refuses is not asked', async () => {
    await save({ issuer: 'https://169.254.169.254' })
    const begun = await server.send('POST', '/api/sign-on/begin', { headers: origin })
    expect(begun).toMatchObject({ status: 502, body: { code: 'sign_on.unreachable' } })
  })
})

describe('a person', () => {
  it('who is new gets a user with the roles of the claim, and signs in as the same again', async () => {
    await save({ signs_out: true })
    const first = await signOn(clerk)
    expect(first.status, first.text).toBe(200)
    expect(first.body).toMatchObject({
      user: { name: 'Ann Lee', email: 'ann@example.com', role: 'Clerks' },
    })
    const { token, sign_out_url } = first.body as { token: string; sign_out_url: string }
    const { origin, pathname, searchParams } = new URL(sign_out_url)
    expect(origin + pathname).toBe(`${provider.issuer}/logout`)
    const { id_token_hint, ...asked } = Object.fromEntries(searchParams)
    expect(asked).toEqual({
      client_id: 'gatehouse',
      post_logout_redirect_uri: 'http://localhost/api/login/react',
    })
    const [, told = ''] = id_token_hint!.split('.')
    expect(JSON.parse(Buffer.from(told, 'base64url').toString())).toMatchObject({
      iss: provider.issuer,
      aud: 'gatehouse',
      sub: clerk.sub,
    })
    expect((await server.send('GET', '/api/auth', { token })).status).toBe(200)
    // The e-mail address may change at the provider, and no longer be verified: the subject stays.
    const second = await signOn({ ...clerk, email: 'ann.lee@example.com', email_verified: false })
    expect(second.body).toMatchObject({ user: { email: 'ann@example.com' } })
    const events = await server.db.selectFrom('audit_event').select(['action', 'after']).execute()
    expect(events).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ action: 'user.create' }),
        { action: 'session.login', after: '{"provider":"Company login"}' },
      ]),
    )
    const exchange = provider.asked.find(({ path }) => path === '/token')!
    expect(exchange.body).toContain('client_secret=a+secret+of+the+client')
  })

  it('who is new has no password until an administrator sets one', async () => {
    await save()
    const hasPassword = async (token: string) =>
      (await server.send('GET', '/api/auth', { token })).body as { has_password: boolean }
    expect(await hasPassword(server.admin.token)).toMatchObject({ has_password: true })
    const { token, user } = (await signOn(clerk)).body as { token: string; user: { id: number } }
    expect(await hasPassword(token)).toMatchObject({ has_password: false })
    const password = 'correct horse battery'
    const set = await server.send('PUT', `/api/user/${user.id}`, {
      token: server.admin.token,
      body: {
        name: 'Ann Lee',
        email: ann.email,
        roles: ['Clerks'],
        password,
        password_confirmation: password,
      },
    })
    expect(set.status, set.text).toBe(200)
    const login = await server.send('POST', '/api/login', { body: { email: ann.email, password } })
    expect(await hasPassword((login.body as { token: string }).token)).toMatchObject({
      has_password: true,
    })
  })

  it('has the roles that the provider says today, and other sessions end with a change', async () => {
    const roles = [
      { value: 'clerks', role_id: clerks },
      { value: 'auditors', role_id: await auditors() },
    ]
    await save({ roles })
    const { token } = (await signOn(clerk)).body as { token: string }
    const moved = await signOn({ ...ann, groups: ['auditors', 'others'] })
    expect(moved.body).toMatchObject({ user: { role: 'Auditors', permissions: ['audit.view'] } })
    expect((await server.send('GET', '/api/auth', { token })).status).toBe(401)
  })

  it('for whom no role stands any more loses roles and sessions, and is refused', async () => {
    await save()
    const { token } = (await signOn(clerk)).body as { token: string }
    expect(await signOn(ann)).toMatchObject({ status: 403, body: { code: 'sign_on.no_access' } })
    expect(await lastRefusal()).toContain('No role stands for')
    expect(await rolesOf(ann.email)).toEqual([])
    expect((await server.send('GET', '/api/auth', { token })).status).toBe(401)
    expect((await signOn(clerk)).body).toMatchObject({ user: { role: 'Clerks' } })
  })

  it('who is known by a verified e-mail address keeps their user and its roles', async () => {
    await save()
    const user = await server.buildUser({ email: ann.email, permissions: ['api.view'] })
    const answer = await signOn({ ...ann, email: 'ANN@example.com' })
    expect(answer.body).toMatchObject({ user: { id: user.id, permissions: ['api.view'] } })
  })

  it('who has the address of a user of another subject is let in nowhere', async () => {
    await save()
    expect((await signOn(clerk)).status).toBe(200)
    const next = { ...clerk, sub: 'ann-2' }
    expect(await signOn(next)).toMatchObject({ status: 403, body: { code: 'sign_on.no_access' } })
    expect(await lastRefusal()).toContain('belongs to another subject of the provider')
    expect((await signOn(clerk)).status).toBe(200)
  })

  it('who was made at a sign-on has the roles of the next provider, too', async () => {
    await save()
    const { id } = ((await signOn(clerk)).body as { user: { id: number } }).user
    const first = provider
    provider = await openIdProvider(() => server.time.now)
    first.close()
    await save({ roles: [{ value: 'bosses', role_id: await auditors() }] })
    const boss = { ...ann, sub: 'other-1', groups: ['bosses'] }
    expect((await signOn(boss)).body).toMatchObject({ user: { id, role: 'Auditors' } })
    await save()
    expect((await signOn({ ...boss, groups: ['clerks'] })).body).toMatchObject({
      user: { id, role: 'Clerks' },
    })
  })

  it('with a second factor of their own is asked for it by the provider, not by us', async () => {
    await save()
    const user = await server.buildUser({ email: ann.email })
    const { id } = (await server.stores.roles.findByName(user.roleName))!
    await server.db
      .updateTable('role')
      .set({ needs_second_factor: 1 })
      .where('id', '=', id)
      .execute()
    expect((await signOn(clerk)).status).toBe(200)
  })

  it.each([
    ['an e-mail address that is not verified', { ...clerk, email_verified: false }, /not verified/],
    ['no e-mail address', { sub: 'ann-1', groups: ['clerks'] }, /no e-mail address/],
    ['no claim with roles', ann, /No role stands for/],
    ['a role that stands for nothing', { ...ann, groups: ['others'] }, /No role stands for/],
  ])('with %s is let in nowhere', async (_, who, why) => {
    await save()
    expect(await signOn(who)).toMatchObject({ status: 403, body: { code: 'sign_on.no_access' } })
    expect(await lastRefusal()).toMatch(why)
    expect(await userNamed(ann.email)).toBeUndefined()
  })

  it.each<[string, Claims, Mischief]>([
    [
      'verified by the ID token, and named by the user info alone',
      { ...clerk, email_verified: false },
      { claims: { email_verified: true } },
    ],
    [
      'named by the ID token, where the user info verifies another',
      clerk,
      { claims: { email: 'boss@example.com' } },
    ],
  ])('with an e-mail address %s is let in nowhere', async (_, who, wrong) => {
    await save()
    await server.buildUser({ email: 'boss@example.com' })
    expect((await signOn(who, wrong)).status).toBe(403)
  })

  it('with an e-mail address that the ID token verifies needs no word of the user info', async () => {
    await save()
    const claims = { email: ann.email, email_verified: true }
    expect((await signOn({ ...clerk, email_verified: undefined }, { claims })).status).toBe(200)
  })

  it.each(['super  admin', 'Ѕuper Аdmin', `Super Admin${' '.repeat(100)}x`])(
    'who is called %j, like Super Admin, is shown by their e-mail address',
    async (name) => {
      await save()
      expect((await signOn({ ...clerk, name })).body).toMatchObject({ user: { name: ann.email } })
    },
  )

  it('who is invited accepts the invitation by signing on, within its time and until it is taken back', async () => {
    await server.close()
    const mailing = await startMailingServer()
    server = mailing
    clerks = await roleNamed('Clerks', 'dashboard.view')
    await save({ creates_users: false })
    const { token } = server.admin
    const body = { name: 'Ann', email: ann.email, username: 'ann', roles: ['Clerks'] }
    const made = await server.send('POST', '/api/user', {
      token,
      body: { ...body, sends_invitation: true },
    })
    const path = `/api/user/${(made.body as { id: number }).id}/invitation`
    await mailing.tokenOf(1)
    expect((await signOn({ ...ann, email_verified: false })).status).toBe(403)
    expect((await server.send('DELETE', path, { token })).status).toBe(204)
    expect((await signOn(ann)).status).toBe(403)
    expect((await server.send('POST', path, { token })).status).toBe(200)
    const link = await mailing.tokenOf(2)
    const { now } = server.time
    server.time.now = new Date(now.getTime() + 7 * 24 * 60 * 60_000)
    expect((await signOn(ann)).status).toBe(403)
    server.time.now = now
    expect((await signOn(ann)).status).toBe(200)
    expect((await signOn(ann)).status).toBe(200)
    expect(await rolesOf(ann.email)).toEqual(['Clerks'])
    const used = await server.send('POST', '/api/password-link', { body: { token: link } })
    expect(used.status).toBe(404)
    const events = await server.db
      .selectFrom('audit_event')
      .select('action')
      .orderBy('id')
      .execute()
    const accepted = events.filter(({ action }) => action === 'user.invitation_accepted')
    expect(accepted).toHaveLength(1)
  })

  it('whose user can’t sign in, or who has none where none are made, is let in nowhere', async () => {
    await save({ creates_users: false })
    expect((await signOn(clerk)).status).toBe(403)
    expect(await lastRefusal()).toContain('There is no user ann@example.com')
    const { id } = await server.buildUser({ email: ann.email })
    await server.db.updateTable('user').set({ password_hash: null }).where('id', '=', id).execute()
    expect((await signOn(clerk)).status).toBe(403)
    expect(await lastRefusal()).toContain('can’t sign in')
  })
})

describe('an answer', () => {
  beforeEach(async () => {
    await save()
  })
  const expectRefused = async (answer: Answer) => {
    expect(answer).toMatchObject({ status: 401, body: { code: 'sign_on.refused' } })
    expect(await userNamed(ann.email)).toBeUndefined()
    expect(await lastRefusal()).toContain('session.refused')
  }

  it('counts with the state of this browser only, and once', async () => {
    const mine = await begin()
    const theirs = await begin()
    const answer = provider.authorize(mine.url, clerk)
    await expectRefused(await finish(answer, theirs.cookie))
    await expectRefused(await finish(answer, ''))
    await expectRefused(await finish(answer, `${mine.cookie.slice(0, -8)}AAAAAAA=`))
    await expectRefused(await finish(answer.replace(/state=[^&]*/, 'state=other'), mine.cookie))
    await expectRefused(await finish('error=access_denied&state=x', mine.cookie))
    expect((await finish(answer, mine.cookie)).status).toBe(200)
    expect((await finish(answer, mine.cookie)).status).toBe(401)
  })

  it('counts for ten minutes', async () => {
    const { url, cookie } = await begin()
    server.time.now = new Date(server.time.now.getTime() + 600_001)
    await expectRefused(await finish(provider.authorize(url, clerk), cookie))
  })

  it('counts from the provider that was asked', async () => {
    const { url, cookie } = await begin()
    const answer = provider.authorize(url, clerk)
    await expectRefused(await finish(answer.replace(/iss=[^&]*/, 'iss=https%3A%2F%2Fevil'), cookie))
    const other = await openIdProvider(() => server.time.now)
    await save({ issuer: other.issuer })
    await expectRefused(await finish(answer, cookie))
    other.close()
  })

  it.each<[string, Mischief]>([
    ['another nonce', { claims: { nonce: 'another' } }],
    ['no nonce', { claims: { nonce: undefined } }],
    ['another issuer', { claims: { iss: 'https://other.example.com' } }],
    ['another audience', { claims: { aud: 'another-client' } }],
    ['an end in the past', { claims: { iat: 1_780_000_000, exp: 1_780_000_300 } }],
    ['another subject than the user info', { claims: { sub: 'eve' } }],
    ['a signature by another key', { isForged: true }],
    ['the public key as a secret', { isConfused: true, header: { alg: 'HS256' } }],
    ['HMAC under the name of RSA', { isConfused: true }],
    ['no signature', { header: { alg: 'none' } }],
    ['a key that is not published', { header: { kid: 'two' } }],
  ])('with a token that has %s is refused', async (_, mischief) => {
    await expectRefused(await signOn(clerk, mischief))
  })

  const elevenTimes = async (send: () => Promise<Answer>) => {
    const statuses = []
    for (let guess = 0; guess < 11; guess++) statuses.push((await send()).status)
    return statuses
  }

  it('that is wrong is slowed down like guesses of passwords', async () => {
    const { url, cookie } = await begin()
    const { searchParams } = new URL(url)
    const guess = new URLSearchParams({ code: 'x', state: searchParams.get('state')! }).toString()
    expect(await elevenTimes(() => finish(guess, cookie))).toEqual([...Array(10).fill(401), 429])
  })

  it.each<[string, number, () => Promise<Answer>]>([
    ['to what was not begun here', 401, () => finish('code=x', '')],
    ['of a person who did not agree', 401, async () => finish('error=x', (await begin()).cookie)],
    ['of a person without access', 403, () => signOn(ann)],
  ])('%s slows nobody behind the same address down', async (_, status, send) => {
    expect(await elevenTimes(send)).toEqual(Array(11).fill(status))
    expect((await signOn(clerk)).status).toBe(200)
  })
})

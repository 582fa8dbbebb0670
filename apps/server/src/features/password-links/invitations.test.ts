// Databases: SQLite.

import { gatewayClientId } from '@gatehouse/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildServer, testPassword } from '../../../test/servers/build-server.ts'
import { publicUrl } from '../../../test/servers/mail-server.ts'
import { startMailingServer, type MailingServer } from '../../../test/servers/mailing-server.ts'

const chosen = 'a sentence of my own 7'
const weekMs = 7 * 24 * 60 * 60_000

let server: MailingServer
beforeEach(async () => {
  server = await startMailingServer()
})
afterEach(() => server.close())

const asAdmin = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
  server.send(method, path, { token: server.admin.token, body })
const inviting = (changes: object = {}) => ({
  name: 'Ines New',
  email: 'ines@example.com',
  username: 'ines',
  roles: ['Auditor'],
  sends_invitation: true,
  ...changes,
})
async function invite(changes: object = {}) {
  const answer = await asAdmin('POST', '/api/user', inviting(changes))
  expect(answer.status, answer.text).toBe(201)
  return answer.body as { id: number; email: string; mail_problem: string | null }
}
const use = (token: string) =>
  server.send('POST', '/api/password-link/password', {
    body: { token, password: chosen, password_confirmation: chosen },
  })
const signIn = async (email: string, password = chosen) =>
  (await server.send('POST', '/api/login', { body: { email, password } })).status
const listed = async (id: number) => {
  const [{ data }] = (await asAdmin('GET', '/api/user')).body as [
    { data: { id: number; can_sign_in: boolean; invited_until: string | null }[] },
  ]
  return data.find((user) => user.id === id)
}
const actionsOf = async (id: number) =>
  (
    await server.db
      .selectFrom('audit_event')
      .select('action')
      .where('thing', '=', 'user')
      .where('thing_id', '=', id)
      .orderBy('id')
      .execute()
  ).map(({ action }) => action)

describe('a user who is invited', () => {
  it('has no password until they choose one by the link, which counts once', async () => {
    const { id, email } = await invite({ password: testPassword })
    expect(await signIn(email, testPassword)).toBe(401)
    expect(await listed(id)).toMatchObject({
      can_sign_in: false,
      invited_until: new Date(server.time.now.getTime() + weekMs).toISOString(),
    })
    const token = await server.tokenOf(1)
    expect(server.mail.mails).toMatchObject([{ to: [email] }])
    expect((await server.send('POST', '/api/password-link', { body: { token } })).body).toEqual({
      kind: 'invitation',
      email,
    })
    expect((await use(token)).status).toBe(204)
    expect((await use(token)).status).toBe(404)
    expect(await signIn(email)).toBe(200)
    expect(await listed(id)).toMatchObject({ can_sign_in: true, invited_until: null })
    expect(await actionsOf(id)).toEqual(['user.create', 'user.invited', 'user.invitation_accepted'])
  })

  it('has seven days, and another link when it is sent again', async () => {
    const { id, email } = await invite()
    const first = await server.tokenOf(1)
    server.time.now = new Date(server.time.now.getTime() + weekMs)
    expect((await use(first)).status).toBe(404)
    const { token } = await server.buildUser({ role: 'Super Admin' })
    const again = await server.send('POST', `/api/user/${id}/invitation`, { token })
    expect(again).toMatchObject({ status: 200, body: { link: null } })
    expect((await use(await server.tokenOf(2))).status).toBe(204)
    expect(await signIn(email)).toBe(200)
    const twice = await server.send('POST', `/api/user/${id}/invitation`, { token })
    expect(twice).toMatchObject({ status: 409, body: { code: 'user.has_password' } })
  })

  it('gets in no more once the invitation is taken back, or goes to another address', async () => {
    const taken = await invite()
    expect((await asAdmin('DELETE', `/api/user/${taken.id}/invitation`)).status).toBe(204)
    expect((await use(await server.tokenOf(1))).status).toBe(404)
    expect(await listed(taken.id)).toMatchObject({ invited_until: null })
    expect(await asAdmin('DELETE', `/api/user/${taken.id}/invitation`)).toMatchObject({
      status: 409,
      body: { code: 'user.not_invited' },
    })
    const moved = await invite({ email: 'old@example.com', username: 'old' })
    const change = { name: 'Old', email: 'new@example.com', roles: ['Auditor'] }
    expect((await asAdmin('PUT', `/api/user/${moved.id}`, change)).status).toBe(200)
    expect(await listed(moved.id)).toMatchObject({ invited_until: null })
    expect((await use(await server.tokenOf(2))).status).toBe(404)
  })

  it('gets no link for a password that they would have forgotten', async () => {
    const { email } = await invite()
    await server.tokenOf(1)
    const known = await server.buildUser()
    for (const each of [email, known.email])
      await server.send('POST', '/api/password-reset', { body: { email: each } })
    await server.tokenOf(2)
    expect(server.mail.mails.map(({ to }) => to[0])).toEqual([email, known.email])
  })

  it('is there all the same where the mail server refuses, and the answer says why', async () => {
    server.mail.control.refuse = 'Try again later'
    const { id, mail_problem } = await invite()
    expect(mail_problem).toBe('451 Try again later')
    expect(await asAdmin('POST', `/api/user/${id}/invitation`)).toMatchObject({
      status: 502,
      body: { code: 'mail.refused', message: expect.stringContaining('451 Try again later') },
    })
    server.mail.control.refuse = undefined
    expect((await asAdmin('POST', `/api/user/${id}/invitation`)).status).toBe(200)
    expect((await use(await server.tokenOf(1))).status).toBe(204)
  })
})

describe('an invitation', () => {
  const again = (id: number, token = server.admin.token) =>
    server.send('POST', `/api/user/${id}/invitation`, { token })
  const often = { status: 429, body: { code: 'user.invited_often' } }

  it('goes to one address five times an hour, also by several', async () => {
    const { id } = await invite()
    const other = await server.buildUser({ role: 'Super Admin' })
    for (let n = 0; n < 4; n++) expect((await again(id)).status).toBe(200)
    const refused = await again(id, other.token)
    expect(refused).toMatchObject(often)
    expect(refused.headers['retry-after']).toBe('3600')
    expect(server.mail.mails).toHaveLength(5)
    expect((await use(await server.tokenOf(5))).status).toBe(204)
    const next = await invite({ email: 'next@example.com', username: 'next' })
    expect((await again(next.id, other.token)).status).toBe(200)
  })

  it('that the mail server does not take is none of the five', async () => {
    server.mail.control.refuse = 'Try again later'
    const { id } = await invite()
    for (let n = 0; n < 5; n++) expect((await again(id)).status).toBe(502)
    server.mail.control.refuse = undefined
    for (let n = 0; n < 5; n++) expect((await again(id)).status).toBe(200)
    expect(await again(id)).toMatchObject(often)
  })

  it('goes there no oftener where its user is deleted and created again', async () => {
    for (let n = 0; n < 5; n++) {
      const { id } = await invite({ email: n % 2 ? 'ines@example.com' : 'Ines@Example.com' })
      expect((await asAdmin('DELETE', `/api/user/${id}`)).status).toBe(204)
    }
    const refused = await asAdmin('POST', '/api/user', inviting())
    expect(refused).toMatchObject(often)
    expect(refused.headers['retry-after']).toBe('3600')
    expect(await server.stores.users.findByEmail('ines@example.com')).toBeUndefined()
    expect(server.mail.mails).toHaveLength(5)
    const { id } = await invite({ email: 'other@example.com' })
    const change = { name: 'Ines', email: 'ines@example.com', roles: ['Auditor'] }
    expect((await asAdmin('PUT', `/api/user/${id}`, change)).status).toBe(200)
    expect(await again(id)).toMatchObject(often)
    server.time.now = new Date(server.time.now.getTime() + 60 * 60_000)
    expect((await again(id)).status).toBe(200)
  })

  it('is sent a hundred times an hour by one user, new ones and again together', async () => {
    const named = (n: number) => ({ email: `n${n}@example.com`, username: `n${n}` })
    const users = await Promise.all(Array.from({ length: 50 }, (_, n) => invite(named(n))))
    const answers = await Promise.all(users.map(({ id }) => again(id)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const last = inviting({ email: 'last@example.com', username: 'last' })
    expect(await asAdmin('POST', '/api/user', last)).toMatchObject(often)
    const { token } = await server.buildUser({ role: 'Super Admin' })
    expect((await server.send('POST', '/api/user', { token, body: last })).status).toBe(201)
  })

  it('is for users within reach, and never for the client of the gateway', async () => {
    const { id } = await invite({ roles: ['Super Admin'] })
    const { token } = await server.buildUser({ permissions: ['user.edit', 'user.create'] })
    for (const method of ['POST', 'DELETE'] as const)
      expect((await server.send(method, `/api/user/${id}/invitation`, { token })).status).toBe(403)
    expect(await asAdmin('POST', `/api/user/${gatewayClientId}/invitation`)).toMatchObject({
      body: { code: 'user.gateway_client' },
    })
    expect(server.mail.mails).toHaveLength(1)
  })

  it('is a link to copy where no e-mail is sent: it counts once, and is stored as a hash', async () => {
    const without = await buildServer()
    const send = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) =>
      without.send(method, path, { token: without.admin.token, body })
    expect((await send('GET', '/api/user/create')).body).toMatchObject({ sends_invitations: false })
    const made = await send('POST', '/api/user', inviting())
    const { id, invitation_link } = made.body as { id: number; invitation_link: string }
    const [path, first] = invitation_link.split('#')
    expect(path).toBe('/dashboard/password')
    const again = (await send('POST', `/api/user/${id}/invitation`)).body as { link: string }
    const second = again.link.split('#')[1]!
    const choose = (token: string) =>
      without.send('POST', '/api/password-link/password', {
        body: { token, password: chosen, password_confirmation: chosen },
      })
    expect((await choose(first!)).status).toBe(404)
    const rows = JSON.stringify([
      await without.db.selectFrom('password_link').selectAll().execute(),
      await without.db.selectFrom('audit_event').selectAll().execute(),
    ])
    expect(rows).not.toContain(second)
    expect((await choose(second)).status).toBe(204)
    expect((await choose(second)).status).toBe(404)
    await without.close()
  })

  it('needs no more than an address and roles: the names follow from it, and are free', async () => {
    const blank = { name: '', username: '' }
    const made = [
      await invite({ ...blank, email: 'ann.b+x@example.com' }),
      await invite({ ...blank, email: 'ann.bx@example.org' }),
      await invite({ ...blank, email: '+@example.com', name: 'Plus' }),
    ]
    expect(made).toMatchObject([
      { name: 'ann.b+x', username: 'ann.bx' },
      { name: 'ann.bx', username: 'ann.bx2' },
      { name: 'Plus', username: 'user' },
    ])
    const refused = await asAdmin('POST', '/api/user', inviting({ ...blank, email: '' }))
    expect(refused).toMatchObject({ status: 422 })
    const plain = { ...blank, email: 'x@example.com', roles: [], sends_invitation: false }
    expect(await asAdmin('POST', '/api/user', plain)).toMatchObject({
      status: 422,
      body: {
        errors: {
          name: ['The name field is required.'],
          username: ['The username field is required.'],
          password: ['The password field is required.'],
          roles: ['The roles field is required.'],
        },
      },
    })
  })

  it.each([
    ['POST', '/api/password-link/password', 422],
    ['PUT', '/api/password', 422],
  ] as const)('excuses no other call from a password: %s %s', async (method, path, status) => {
    const body = {
      sends_invitation: true,
      token: 'x',
      current_password: testPassword,
      password: '',
    }
    const answer = await server.send(method, path, { token: server.admin.token, body })
    expect(answer.status).toBe(status)
  })
})

it('an invitation leads to the configured address, whatever Host the call names', async () => {
  const evil = 'evil.example.net'
  const headers = { host: evil, 'x-forwarded-host': evil, 'x-forwarded-proto': 'http' }
  const answer = await server.send('POST', '/api/user', {
    token: server.admin.token,
    headers,
    body: inviting(),
  })
  expect(answer.status, answer.text).toBe(201)
  const text = await server.mail.textOf(1)
  expect(text).toContain(`${publicUrl}/dashboard/password#`)
  expect(text).not.toContain(evil)
})

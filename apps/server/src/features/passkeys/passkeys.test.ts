import type {
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from '@gatehouse/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildServer, testPassword, type TestServer } from '../../../test/servers/build-server.ts'
import { SoftwareAuthenticator } from '../../../test/rows/software-authenticator.ts'

const origin = 'https://gate.example.com'
type Person = Awaited<ReturnType<TestServer['buildUser']>>

let server: TestServer
let person: Person
let device: SoftwareAuthenticator
beforeEach(async () => {
  server = await buildServer({ PUBLIC_URL: `${origin}/` })
  person = await server.buildUser({ permissions: ['dashboard.view'] })
  device = new SoftwareAuthenticator(origin)
})
afterEach(() => server.close())

const proof = { current_password: testPassword }
const passSeconds = (seconds: number) => {
  server.time.now = new Date(server.time.now.getTime() + seconds * 1000)
}
const statusOf = async (token: string) => (await server.send('GET', '/api/auth', { token })).status
const passwordLogin = (more = {}) =>
  server.send('POST', '/api/login', {
    body: { email: person.email, password: testPassword, ...more },
  })

async function begin(by = person, name = 'Phone') {
  const body = { ...proof, name }
  const answer = await server.send('POST', '/api/passkeys/begin', { token: by.token, body })
  expect(answer.status).toBe(200)
  return answer.body as PasskeyCreationOptions
}
const add = (credential: unknown, by = person) =>
  server.send('POST', '/api/passkeys', { token: by.token, body: { credential } })

async function register(by = person, on = device, name = 'Phone') {
  const answer = await add(on.create(await begin(by, name)), by)
  expect(answer.status).toBe(201)
  return (answer.body as { passkey: { id: number } }).passkey
}
const list = async (by = person) =>
  (await server.send('GET', '/api/passkeys', { token: by.token })).body as { passkeys: object[] }

async function beginLogin() {
  const answer = await server.send('POST', '/api/login/passkey/begin')
  expect(answer.status).toBe(200)
  return answer.body as Parameters<SoftwareAuthenticator['get']>[0]
}
const login = (credential: unknown, remoteAddress = '127.0.0.1') =>
  server.send('POST', '/api/login/passkey', { body: { credential }, remoteAddress })
async function signIn(odd: Parameters<SoftwareAuthenticator['get']>[1] = {}, on = device) {
  return login(on.get(await beginLogin(), odd))
}

const refused = { status: 401, body: { code: 'passkey.refused' } }
const notTaken = { status: 409, body: { code: 'passkey.not_taken' } }

const events = async () =>
  (
    await server.db
      .selectFrom('audit_event')
      .select(['action', 'actor', 'thing_name', 'after', 'before'])
      .orderBy('id')
      .execute()
  ).map(({ after, before, ...event }) => ({
    ...event,
    ...(after === null ? {} : { after: JSON.parse(after) as object }),
    ...(before === null ? {} : { before: JSON.parse(before) as object }),
  }))
const reason = async () => {
  const { after } = (await events()).findLast(({ action }) => action === 'session.refused')!
  return (after as { reason: string }).reason
}

describe('a passkey', () => {
  it('signs in without password, code or user name, and the audit trail says so', async () => {
    await register()
    const answer = await signIn()
    expect(answer).toMatchObject({ status: 200, body: { user: { email: person.email } } })
    expect(String(answer.headers['set-cookie'])).toContain('HttpOnly')
    expect(await statusOf((answer.body as { token: string }).token)).toBe(200)
    const at = server.time.now.toISOString()
    expect(await list()).toEqual({
      origin,
      passkeys: [
        {
          id: expect.any(Number),
          name: 'Phone',
          host: 'gate.example.com',
          is_synced: false,
          created_at: at,
          last_used_at: at,
        },
      ],
    })
    expect((await events()).slice(-2)).toMatchObject([
      { action: 'user.passkey_add', after: { passkey: 'Phone', host: 'gate.example.com' } },
      { action: 'session.login', thing_name: person.email, after: { passkey: 'Phone' } },
    ])
  })

  it('stands for the second factor that a role asks for, and the password alone still does not', async () => {
    await register()
    await server.db.updateTable('role').set({ needs_second_factor: 1 }).execute()
    expect((await signIn()).status).toBe(200)
    expect(await passwordLogin()).toMatchObject({ body: { code: 'session.setup_needed' } })
  })

  it('is asked for with the user verified, kept on the device, and none twice on one device', async () => {
    await register()
    const options = await begin()
    expect(options).toMatchObject({
      rp: { id: 'gate.example.com', name: 'Gatehouse' },
      user: { name: person.email },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      // What a browser has not said in the words of the standard is not repeated.
      excludeCredentials: [{ transports: ['internal'] }],
    })
    expect(Buffer.from(options.user.id, 'base64url')).toHaveLength(32)
    expect(await beginLogin()).toEqual({
      challenge: expect.any(String),
      rpId: 'gate.example.com',
      timeout: 300_000,
      userVerification: 'required',
    })
    // One account on the devices of one user, whatever their number.
    await register(person, new SoftwareAuthenticator(origin), 'Key')
    expect((await begin()).user.id).toBe(options.user.id)
    expect(await add(device.create(await begin()))).toMatchObject(notTaken)
  })

  it('needs no counter, and says whether it is synced', async () => {
    await add(device.create(await begin(), { counter: 0, isSynced: true }))
    expect((await signIn({ counter: 0, isSynced: true })).status).toBe(200)
    expect((await signIn({ counter: 0 })).status).toBe(200)
    expect(await list()).toMatchObject({ passkeys: [{ is_synced: false }] })
  })

  it('may be of any make: what a device says of it is not asked for, and not read', async () => {
    // {"alg": -7}: a statement without the signature that belongs to it.
    const statement = Buffer.from('a163616c6726', 'hex')
    const odd = { statement: ['packed', statement] as [string, Buffer] }
    expect((await add(device.create(await begin(), odd))).status).toBe(201)
    expect((await signIn()).status).toBe(200)
  })

  it('is renamed, by its user alone', async () => {
    const { id } = await register()
    const rename = (by: Person, name: string) =>
      server.send('PUT', `/api/passkeys/${id}`, { token: by.token, body: { name } })
    expect(await rename(person, '  Old phone ')).toMatchObject({
      status: 200,
      body: { passkey: { id, name: 'Old phone' } },
    })
    for (const wrong of ['', 'x'.repeat(101)])
      expect(await rename(person, wrong)).toMatchObject({
        status: 422,
        body: { errors: { name: [expect.any(String)] } },
      })
    expect((await rename(server.admin, 'Mine')).status).toBe(404)
    expect((await events()).at(-1)).toMatchObject({
      action: 'user.passkey_rename',
      before: { passkey: 'Phone' },
      after: { passkey: 'Old phone' },
    })
  })

  it('is removed by its user, with their password, and ends all other sessions', async () => {
    const { id } = await register()
    const other = (await signIn()).body as { token: string }
    const remove = (by: Person, body: object) =>
      server.send('POST', `/api/passkeys/${id}/remove`, { token: by.token, body })
    expect((await remove(server.admin, proof)).status).toBe(404)
    expect(await remove(person, { current_password: 'a wrong guess' })).toMatchObject({
      status: 422,
      body: { errors: { current_password: [expect.any(String)] } },
    })
    expect((await remove(person, proof)).status).toBe(204)
    expect(await statusOf(other.token)).toBe(401)
    expect(await statusOf(person.token)).toBe(200)
    expect((await remove(person, proof)).status).toBe(404)
    expect(await signIn()).toMatchObject(refused)
    expect((await events()).find(({ action }) => action === 'user.passkey_remove')).toMatchObject({
      before: { passkey: 'Phone' },
    })
  })
})

describe('a new passkey is refused', () => {
  it('without the password, or without a name that fits', async () => {
    const asked = (body: object) =>
      server.send('POST', '/api/passkeys/begin', { token: person.token, body })
    for (const body of [{}, { current_password: 'a wrong guess' }])
      expect(await asked({ name: 'Phone', ...body })).toMatchObject({
        status: 422,
        body: { errors: { current_password: [expect.any(String)] } },
      })
    for (const name of [undefined, ' ', 'x'.repeat(101)])
      expect(await asked({ ...proof, name })).toMatchObject({
        status: 422,
        body: { errors: { name: [expect.any(String)] } },
      })
  })

  it.each([
    ['at another origin', { origin: 'https://gate.example.net' }],
    ['over another port', { origin: `${origin}:8443` }],
    ['in a frame of another site', { crossOrigin: true }],
    ['by a device that has not verified its user', { isVerified: false }],
    ['as the answer to a sign-in', { type: 'webauthn.get' }],
  ])('that is made %s', async (_, odd) => {
    expect(await add(device.create(await begin(), odd))).toMatchObject(notTaken)
    expect(await list()).toMatchObject({ passkeys: [] })
  })

  it('for another host', async () => {
    const options = await begin()
    const elsewhere = { ...options, rp: { id: 'example.com', name: 'Other' } }
    expect(await add(device.create(elsewhere))).toMatchObject(notTaken)
  })

  it('after five minutes, in another session, with a challenge of somebody else or of a sign-in', async () => {
    const options = await begin()
    expect(await add(device.create(options), server.admin)).toMatchObject(notTaken)
    const again = { ...person, token: await server.signIn(person.email) }
    expect(await add(device.create(options), again)).toMatchObject(notTaken)
    const { challenge } = await beginLogin()
    expect(await add(device.create({ ...options, challenge }))).toMatchObject(notTaken)
    passSeconds(301)
    expect(await add(device.create(options))).toMatchObject(notTaken)
    passSeconds(-2)
    expect((await add(device.create(options))).status).toBe(201)
  })

  it('where its challenge was answered before', async () => {
    const options = await begin()
    expect((await add(device.create(options))).status).toBe(201)
    expect(await add(new SoftwareAuthenticator(origin).create(options))).toMatchObject(notTaken)
  })

  it('where the user has twenty', async () => {
    const spare = await begin()
    const { id, ...first } = await server.stores.passkeys.insert(rowOf('first')).then((row) => row!)
    expect(id).toBeGreaterThan(0)
    for (let at = 1; at < 20; at++)
      await server.stores.passkeys.insert({ ...first, credential_id: `number ${at}` })
    expect(await add(device.create(spare))).toMatchObject(notTaken)
    const body = (await server.send('POST', '/api/passkeys/begin', {
      token: person.token,
      body: { ...proof, name: 'Phone' },
    })) as { body: { message: string } }
    expect(body.body.message).toContain('20 passkeys')
  })

  it('where what was sent is no credential, and the answer says which field', async () => {
    expect(await add('none')).toMatchObject({
      status: 422,
      body: { errors: { credential: [expect.any(String)] } },
    })
    expect(await add({ ...device.create(await begin()), id: '+' })).toMatchObject({
      status: 422,
      body: { errors: { 'credential.id': [expect.any(String)] } },
    })
  })

  it('that can’t be read', async () => {
    const credential = device.create(await begin())
    for (const attestationObject of ['AAAA', '_____w', credential.id])
      expect(
        await add({ ...credential, response: { ...credential.response, attestationObject } }),
      ).toMatchObject(notTaken)
  })
})

const rowOf = (credential_id: string) => ({
  user_id: person.id,
  name: 'Phone',
  credential_id,
  public_key: 'AAAA',
  counter: 0,
  transports: '',
  host: 'gate.example.com',
  user_handle: 'AAAA',
  is_synced: 0 as const,
  created_at: server.time.now.toISOString(),
})

describe('a sign-in with a passkey is refused', () => {
  it.each([
    ['at another origin', { origin: 'https://gate.example.net' }, 'origin'],
    ['in a frame of another site', { crossOrigin: true }, 'frame'],
    ['by a device that has not verified its user', { isVerified: false }, 'verif'],
    ['as the answer to a registration', { type: 'webauthn.create' }, 'type'],
  ])('that is made %s', async (_, odd, word) => {
    await register()
    expect(await signIn(odd)).toMatchObject(refused)
    expect(await reason()).toContain(word)
    expect((await signIn()).status).toBe(200)
  })

  it('for another host', async () => {
    await register()
    const options = { ...(await beginLogin()), rpId: 'example.com' }
    expect(await login(device.get(options))).toMatchObject(refused)
    expect(await reason()).toContain('RP ID')
  })

  it('where the answer was used before, at another server too', async () => {
    await register()
    const { db, secrets } = server
    const shared = { db, drop: async () => {} }
    const environment = { PUBLIC_URL: origin }
    const beside = { secrets, instanceId: 'second' }
    const other = await buildServer(environment, undefined, shared, beside)
    try {
      // Without a counter, nothing but the challenge tells a replay.
      const credential = device.get(await beginLogin(), { counter: 5 })
      await server.db.updateTable('passkey').set({ counter: 0 }).execute()
      expect((await login(credential)).status).toBe(200)
      await server.db.updateTable('passkey').set({ counter: 0 }).execute()
      const replayed = await other.send('POST', '/api/login/passkey', { body: { credential } })
      expect(replayed).toMatchObject(refused)
      expect(await reason()).toContain('used before')
    } finally {
      await other.close()
    }
  })

  it('where the answer was used before, and its time ends while it is checked again', async () => {
    const ends = server.time.now.getTime()
    const taken = { challenge_hash: 'hash', expires_at: new Date(ends).toISOString() }
    const take = (ms: number) =>
      server.stores.passkeys.takeChallenge(taken, new Date(ends + ms).toISOString())
    expect(await take(-1000)).toBe(true)
    for (const late of [1, 60_000]) expect(await take(late)).toBe(false)
    const other = { ...taken, challenge_hash: 'other' }
    passSeconds(3601)
    await server.stores.passkeys.takeChallenge(other, server.time.now.toISOString())
    const kept = await server.db.selectFrom('passkey_challenge').selectAll().execute()
    expect(kept).toEqual([other])
  })

  it('in all but one of several calls at once', async () => {
    await register()
    const credential = device.get(await beginLogin())
    const answers = await Promise.all([1, 2, 3].map(() => login(credential)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401])
  })

  it('after five minutes, or with a challenge of a registration', async () => {
    await register()
    const options = await beginLogin()
    passSeconds(301)
    expect(await login(device.get(options))).toMatchObject(refused)
    expect(await reason()).toBe('It was not asked for here, or too long ago.')
    passSeconds(-2)
    const { challenge } = await begin()
    expect(await login(device.get({ ...options, challenge }))).toMatchObject(refused)
    expect((await login(device.get(options))).status).toBe(200)
  })

  it('with a wrong signature, another user, or as a passkey that nobody knows', async () => {
    await register()
    const other = new SoftwareAuthenticator(origin)
    const colleague = await server.buildUser()
    await register(colleague, other, 'Key')
    const mine = device.get(await beginLogin())
    const theirs = other.get(await beginLogin())
    const wrongs: PasskeyAssertion[] = [
      { ...mine, response: { ...mine.response, signature: theirs.response.signature } },
      { ...mine, id: theirs.id },
      { ...theirs, response: { ...theirs.response, userHandle: mine.response.userHandle } },
      { ...mine, response: { ...mine.response, userHandle: null } },
      { ...mine, id: 'bm9ib2R5' },
    ]
    const answers = []
    for (const wrong of wrongs) answers.push(await login(wrong))
    // Nothing tells them apart.
    for (const { status, body } of answers) {
      const { request_id: _, ...rest } = body as Record<string, unknown>
      expect({ status, rest }).toEqual({ status: 401, rest: answers[0] && restOf(answers[0].body) })
    }
    expect((await signIn()).status).toBe(200)
  })

  it('where its counter went back, for it may be a copy', async () => {
    await register()
    expect((await signIn({ counter: 9 })).status).toBe(200)
    for (const counter of [9, 8, 0]) expect(await signIn({ counter })).toMatchObject(refused)
    expect((await events()).at(-1)).toMatchObject({
      action: 'session.refused',
      thing_name: person.email,
      after: { passkey: 'Phone', reason: expect.stringContaining('copied') },
    })
    expect((await signIn({ counter: 10 })).status).toBe(200)
  })

  it('where its user may not sign in any more', async () => {
    await register()
    await server.db
      .updateTable('user')
      .set({ password_hash: null })
      .where('id', '=', person.id)
      .execute()
    expect(await signIn()).toMatchObject(refused)
    await server.send('DELETE', `/api/user/${person.id}`, { token: server.admin.token })
    expect(await signIn()).toMatchObject(refused)
    expect(await server.stores.passkeys.exist()).toBe(false)
  })

  it('for a while after too many from one address, and from there alone', async () => {
    await register()
    const wrong = { ...device.get(await beginLogin()), id: 'bm9ib2R5' }
    for (let guess = 0; guess < 10; guess++) expect(await login(wrong)).toMatchObject(refused)
    expect(await login(wrong)).toMatchObject({ status: 429, body: { code: 'session.throttled' } })
    const elsewhere = device.get(await beginLogin())
    expect((await login(elsewhere, '192.0.2.1')).status).toBe(200)
    passSeconds(120)
    expect((await signIn()).status).toBe(200)
  })

  it('nor is one begun by an address that began a thousand within an hour', async () => {
    const begin = (remoteAddress: string) =>
      server.send('POST', '/api/login/passkey/begin', { remoteAddress })
    expect((await begin('2001:db8::1')).status).toBe(200)
    await server.db.updateTable('login_failure').set({ failures: 999 }).execute()
    expect((await begin('2001:db8::2')).status).toBe(200)
    const refused = await begin('2001:db8::3')
    expect(refused).toMatchObject({ status: 429, body: { code: 'session.throttled' } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_000)
    expect((await begin('2001:db8:0:1::1')).status).toBe(200)
    passSeconds(3_601)
    expect((await begin('2001:db8::3')).status).toBe(200)
  })

  it('where what was sent is no credential', async () => {
    const answer = await login({ id: 'x', type: 'password', response: {} })
    expect(answer.status).toBe(422)
    expect(Object.keys((answer.body as { errors: object }).errors).toSorted()).toEqual([
      'credential.response.authenticatorData',
      'credential.response.clientDataJSON',
      'credential.response.signature',
      'credential.type',
    ])
  })
})

const restOf = (body: unknown) => {
  const { request_id: _, ...rest } = body as Record<string, unknown>
  return rest
}

describe('an administrator', () => {
  const reset = (id: number, token = server.admin.token) =>
    server.send('DELETE', `/api/user/${id}/passkeys`, { token })
  const form = async () =>
    (await server.send('GET', `/api/user/${person.id}/edit`, { token: server.admin.token })).body

  it('removes the passkeys of a user, whose sessions end', async () => {
    await register()
    expect(await form()).toMatchObject({ passkeys_count: 1 })
    expect((await reset(person.id)).status).toBe(204)
    expect(await form()).toMatchObject({ passkeys_count: 0 })
    expect(await statusOf(person.token)).toBe(401)
    expect(await signIn()).toMatchObject(refused)
    expect(await reset(person.id)).toMatchObject({ status: 409, body: { code: 'passkey.none' } })
    expect((await events()).find(({ action }) => action === 'user.passkeys_reset')).toMatchObject({
      before: { passkeys: 1 },
    })
  })

  it('removes neither their own so nor those of a user beyond their reach', async () => {
    const editor = await server.buildUser({ permissions: ['user.edit'] })
    expect(await reset(editor.id, editor.token)).toMatchObject({ body: { code: 'user.self' } })
    expect((await reset(server.admin.id, editor.token)).status).toBe(403)
    expect((await reset(999_999)).status).toBe(404)
  })

  it('removes them by a new password; a change of one’s own, or of the name alone, keeps them', async () => {
    await register()
    const own = { ...proof, password: 'another horse battery', password_confirmation: '' }
    own.password_confirmation = own.password
    const changed = await server.send('PUT', '/api/password', { token: person.token, body: own })
    expect(changed.status).toBe(204)
    const { id: roleId } = (await server.stores.roles.findByName(person.roleName))!
    const body = { name: 'Renamed', email: person.email, roles: [roleId] }
    const update = (more: object) =>
      server.send('PUT', `/api/user/${person.id}`, {
        token: server.admin.token,
        body: { ...body, ...more },
      })
    expect((await update({})).status).toBe(200)
    expect((await signIn()).status).toBe(200)
    const password = 'yet another horse battery'
    expect((await update({ password, password_confirmation: password })).status).toBe(200)
    expect(await signIn()).toMatchObject(refused)
    expect((await events()).some(({ action }) => action === 'user.passkeys_reset')).toBe(true)
  })
})

it('is offered on the login page once a user has one', async () => {
  const offer = async () => (await server.send('GET', '/api/sign-on/offer')).body
  expect(await offer()).toMatchObject({ passkeys: null })
  await register()
  expect(await offer()).toMatchObject({ passkeys: { origin } })
})

describe('where there is no PUBLIC_URL', () => {
  const at = async (page: string | undefined) => {
    const lone = await buildServer()
    try {
      const headers = page === undefined ? {} : { origin: page, host: new URL(page).host }
      return await lone.send('POST', '/api/login/passkey/begin', { headers })
    } finally {
      await lone.close()
    }
  }

  it.each([
    ['https://gate.example.com:8443', 'gate.example.com'],
    ['http://localhost:3000', 'localhost'],
    ['http://gatehouse.localhost:3000', 'gatehouse.localhost'],
  ])('a passkey belongs to the page: %s', async (page, rpId) => {
    expect(await at(page)).toMatchObject({ status: 200, body: { rpId } })
  })

  it('a passkey signs in at the port at which it was made, and one of another port stays beside it', async () => {
    await server.close()
    server = await buildServer()
    person = await server.buildUser()
    const page = (at: string) => ({ origin: at, host: new URL(at).host })
    const at = async (where: string, url: string, body: object = {}) =>
      (await server.send('POST', url, { token: person.token, headers: page(where), body })).body
    const made = async (where: string) => {
      const options = (await at(where, '/api/passkeys/begin', {
        ...proof,
        name: 'Phone',
      })) as PasskeyCreationOptions
      const here = new SoftwareAuthenticator(where)
      const credential = here.create(options)
      const { passkey } = (await at(where, '/api/passkeys', { credential })) as {
        passkey: object
      }
      return { options, here, passkey }
    }
    const enter = async (where: string, on: SoftwareAuthenticator) => {
      const asked = await at(where, '/api/login/passkey/begin')
      const credential = on.get(asked as PasskeyRequestOptions, { origin: where })
      return at(where, '/api/login/passkey', { credential })
    }
    const other = `${origin}:8443`
    const first = await made(origin)
    // A page there may ask for the same key, and say so truly.
    expect(await enter(other, first.here)).toMatchObject(refused.body)
    expect(await reason()).toBe('It was made at gate.example.com.')
    expect(await enter(origin, first.here)).toMatchObject({ user: { email: person.email } })
    const second = await made(other)
    expect(second.passkey).toMatchObject({ host: 'gate.example.com:8443' })
    expect(second.options.excludeCredentials).toEqual([])
    expect(second.options.user.id).not.toBe(first.options.user.id)
    expect(await enter(other, second.here)).toMatchObject({ user: { email: person.email } })
  })

  it.each(['http://gate.example.com', 'https://192.0.2.1', 'https://[2001:db8::1]', undefined])(
    'there is none at %s',
    async (page) => {
      expect(await at(page)).toMatchObject({ status: 409, body: { code: 'passkey.unavailable' } })
    },
  )
})

it('works at PUBLIC_URL alone, where that is set', async () => {
  const headers = { origin: 'https://gate.example.net', host: 'gate.example.net' }
  const answer = await server.send('POST', '/api/login/passkey/begin', { headers })
  expect(answer).toMatchObject({
    status: 409,
    body: { code: 'passkey.unavailable', message: expect.stringContaining(origin) },
  })
})

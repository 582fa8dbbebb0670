import {
  permissions,
  type PasskeyCreationOptions,
  type PasskeyRequestOptions,
} from '@gatehouse/contract'
import jsqr from 'jsqr'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildServer, testPassword, type TestServer } from '../../../test/servers/build-server.ts'
import { SoftwareAuthenticator } from '../../../test/rows/software-authenticator.ts'
import { codeOf, stepAt } from './totp.ts'

let server: TestServer
let person: Awaited<ReturnType<TestServer['buildUser']>>
beforeEach(async () => {
  server = await buildServer()
  person = await server.buildUser({ permissions: ['dashboard.view'] })
})
afterEach(() => server.close())

const codeNow = (secret: string, around = 0) => codeOf(secret, stepAt(server.time.now) + around)
const passSeconds = (seconds: number) => {
  server.time.now = new Date(server.time.now.getTime() + seconds * 1000)
}

const signIn = (code?: string, email = person.email) =>
  server.send('POST', '/api/login', {
    body: { email, password: testPassword, ...(code === undefined ? {} : { code }) },
  })
const asPerson = (method: 'GET' | 'POST', path: string, body?: object) =>
  server.send(method, `/api/second-factor${path}`, { token: person.token, body })
const statusOf = async (token: string) => (await server.send('GET', '/api/auth', { token })).status

/** Turns it on, and steps on to the next code. */
async function turnOn() {
  const begun = await asPerson('POST', '', { current_password: testPassword })
  const { secret } = begun.body as { secret: string }
  const confirmed = await asPerson('POST', '/confirm', { code: codeNow(secret) })
  expect(confirmed.status).toBe(200)
  passSeconds(30)
  return { secret, codes: (confirmed.body as { recovery_codes: string[] }).recovery_codes }
}

async function askFor(role: string, isNeeded: boolean) {
  const { id } = (await server.stores.roles.findByName(role))!
  const { body } = await server.send('GET', `/api/role/${id}/edit`, { token: server.admin.token })
  const { role: found, rolePermissions } = body as {
    role: { version: number }
    rolePermissions: string[]
  }
  return server.send('PUT', `/api/role/${id}`, {
    token: server.admin.token,
    body: {
      name: role,
      permissions: rolePermissions,
      needs_second_factor: isNeeded,
      version: found.version,
    },
  })
}

const events = async () =>
  (
    await server.db
      .selectFrom('audit_event')
      .select(['action', 'thing_name'])
      .orderBy('id')
      .execute()
  )
    .filter(({ action }) => /second_factor|recovery|refused/.test(action))
    .map(({ action }) => action)

describe('a second factor', () => {
  it('is off until a code of the app confirms it, and then ends all other sessions', async () => {
    const other = await server.signIn(person.email)
    const begun = await asPerson('POST', '', { current_password: testPassword })
    const { secret, uri, qr_code } = begun.body as Record<'secret' | 'uri' | 'qr_code', string>
    expect((await signIn()).status).toBe(200)
    const wrong = await asPerson('POST', '/confirm', { code: codeNow(secret, 5) })
    expect(wrong).toMatchObject({ status: 422, body: { errors: { code: expect.any(Array) } } })

    const { data, info } = await sharp(Buffer.from(qr_code, 'base64'))
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const read = jsqr.default(new Uint8ClampedArray(data), info.width, info.height)
    expect(read?.data).toBe(uri)

    expect((await asPerson('POST', '/confirm', { code: codeNow(secret) })).status).toBe(200)
    expect(await statusOf(other)).toBe(401)
    expect(await statusOf(person.token)).toBe(200)
    expect((await asPerson('GET', '')).body).toEqual({
      since: server.time.now.toISOString(),
      recovery_codes_left: 10,
      is_required: false,
    })
    expect(await events()).toEqual(['user.second_factor_on'])
  })

  it('is set up by who knows the password, not by who finds a session open', async () => {
    const refused = await asPerson('POST', '', { current_password: 'a wrong guess' })
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: { current_password: [expect.any(String)] } },
    })
    expect((await asPerson('POST', '/confirm', { code: '123456' })).status).toBe(409)
    await turnOn()
    const again = await asPerson('POST', '', { current_password: testPassword })
    expect(again).toMatchObject({ status: 409, body: { code: 'second_factor.is_on' } })
  })

  it('is asked for after the right password only, and lets a right code in', async () => {
    const { secret } = await turnOn()
    const body = { email: person.email, password: 'a wrong guess', code: codeNow(secret) }
    expect(await server.send('POST', '/api/login', { body })).toMatchObject({
      status: 401,
      body: { code: 'session.invalid_credentials' },
    })
    expect(await signIn()).toMatchObject({ status: 401, body: { code: 'session.code_needed' } })
    expect(await signIn('000000')).toMatchObject({
      status: 401,
      body: { code: 'session.wrong_code' },
    })
    const answer = await signIn(codeNow(secret))
    expect(answer.status).toBe(200)
    expect(answer.body).not.toHaveProperty('recovery_codes')
  })

  it('takes each code once, and none that is older', async () => {
    const { secret } = await turnOn()
    const replayed = codeNow(secret)
    expect((await signIn(replayed)).status).toBe(200)
    for (const code of [replayed, codeNow(secret, -1)])
      expect(await signIn(code)).toMatchObject({
        status: 401,
        body: { code: 'session.wrong_code' },
      })
    passSeconds(30)
    expect((await signIn(codeNow(secret))).status).toBe(200)
  })

  it('lets one of several sign-ins in that show the same code at once', async () => {
    const { secret, codes } = await turnOn()
    for (const code of [codeNow(secret), codes[0]!]) {
      const answers = await Promise.all([1, 2, 3].map(() => signIn(code)))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401])
    }
  })

  it('is replaced once by each recovery code', async () => {
    const { codes } = await turnOn()
    const [first = '', second = ''] = codes
    expect((await signIn(first)).status).toBe(200)
    expect((await signIn(first)).status).toBe(401)
    expect((await signIn(second.toUpperCase().replaceAll('-', ' '))).status).toBe(200)
    expect((await asPerson('GET', '')).body).toMatchObject({ recovery_codes_left: 8 })
    expect((await events()).filter((action) => action === 'user.recovery_code_used')).toHaveLength(
      2,
    )
  })

  it('counts guesses of codes as guesses of passwords too; a right password alone is none', async () => {
    await turnOn()
    for (let guess = 0; guess < 11; guess++) expect((await signIn()).status).toBe(401)
    const codes = []
    for (let guess = 0; guess < 11; guess++) {
      codes.push((await signIn('000000')).body)
      // Between the guesses the right password does not make them forgotten.
      if (guess === 9) await signIn()
    }
    const wrong = Array(5).fill(expect.objectContaining({ code: 'session.wrong_code' }))
    const paused = Array(5).fill(expect.objectContaining({ code: 'session.codes_paused' }))
    const throttled = expect.objectContaining({ code: 'session.throttled' })
    expect(codes).toEqual([...wrong, ...paused, throttled])
  })

  it('has recovery codes that are renewed, and is turned off, by password and code', async () => {
    const { secret, codes } = await turnOn()
    const proof = (code: string) => ({ current_password: testPassword, code })
    for (const path of ['/recovery-codes', '/remove']) {
      expect((await asPerson('POST', path, proof('000000'))).status).toBe(422)
      const unproved = { current_password: 'a wrong guess', code: codeNow(secret) }
      expect((await asPerson('POST', path, unproved)).status).toBe(422)
    }
    const renewed = await asPerson('POST', '/recovery-codes', proof(codeNow(secret)))
    const { recovery_codes } = renewed.body as { recovery_codes: string[] }
    expect(recovery_codes).toHaveLength(10)
    expect((await signIn(codes[0])).status).toBe(401)
    expect((await asPerson('POST', '/remove', proof(recovery_codes[0]!))).status).toBe(204)
    expect((await signIn()).status).toBe(200)
    expect(await asPerson('POST', '/remove', proof('000000'))).toMatchObject({ status: 409 })
    expect(await events()).toContain('user.second_factor_off')
  })

  it('slows guesses down too where a session and the password are known', async () => {
    const { secret, codes } = await turnOn()
    const prove = (code: string, path = '/remove') =>
      asPerson('POST', path, { current_password: testPassword, code })
    for (let guess = 0; guess < 5; guess++) expect((await prove('000000')).status).toBe(422)
    expect(await prove(codeNow(secret))).toMatchObject({
      status: 429,
      body: { code: 'session.codes_paused' },
    })
    // Elsewhere they sign in as before.
    expect((await signIn(codeNow(secret))).status).toBe(200)
    expect((await prove(codes[0]!, '/recovery-codes')).status).toBe(200)
    passSeconds(30)
    expect((await prove(codeNow(secret))).status).toBe(204)
  })

  it('slows guesses down too while it is being set up', async () => {
    const begun = await asPerson('POST', '', { current_password: testPassword })
    const { secret } = begun.body as { secret: string }
    const statuses = []
    for (let guess = 0; guess < 11; guess++)
      statuses.push((await asPerson('POST', '/confirm', { code: '000000' })).status)
    expect(statuses).toEqual([...Array(10).fill(422), 429])
    passSeconds(120)
    expect((await asPerson('POST', '/confirm', { code: codeNow(secret) })).status).toBe(200)
  })

  it('is set up within ten minutes, or begun again', async () => {
    const begin = async () =>
      (await asPerson('POST', '', { current_password: testPassword })).body as { secret: string }
    const { secret: old } = await begin()
    passSeconds(601)
    expect(await asPerson('POST', '/confirm', { code: codeNow(old) })).toMatchObject({
      status: 409,
      body: { code: 'second_factor.is_off', message: expect.stringContaining('ten minutes') },
    })
    const { secret } = await begin()
    passSeconds(599)
    expect((await asPerson('POST', '/confirm', { code: codeNow(secret) })).status).toBe(200)
  })

  it('is turned on with the secret whose code was checked, not with one that came between', async () => {
    const { secondFactors } = server.stores
    const begin = () => asPerson('POST', '', { current_password: testPassword })
    await begin()
    const checked = (await secondFactors.find(person.id))!
    await begin()
    expect(await secondFactors.takeStep(checked, stepAt(server.time.now))).toBe(false)
    await secondFactors.confirm(checked, server.time.now.toISOString())
    expect(await secondFactors.find(person.id)).toMatchObject({ last_step: 0, confirmed_at: null })
  })

  it('is asked for where a token for programs is made, and refused, its code is not used up', async () => {
    const { secret } = await turnOn()
    const make = (more: object) => {
      const permissions = ['dashboard.view']
      const token = { name: 'CI', permissions, expires_in_days: 1, current_password: testPassword }
      const body = { ...token, ...more }
      return server.send('POST', '/api/admin-tokens', { token: person.token, body })
    }
    for (const wrong of [{}, { code: '000000' }])
      expect(await make(wrong)).toMatchObject({
        status: 422,
        body: { errors: { code: [expect.any(String)] } },
      })
    const code = codeNow(secret)
    expect((await make({ permissions: ['api.delete'], code })).status).toBe(403)
    expect((await make({ code })).status).toBe(201)
    expect((await make({ code })).status).toBe(422)
  })

  it('is asked for where a passkey is made, and not where one signs in', async () => {
    const { secret } = await turnOn()
    const device = new SoftwareAuthenticator('http://localhost')
    const headers = { origin: 'http://localhost', host: 'localhost' }
    const send = (url: string, body: object) =>
      server.send('POST', url, { token: person.token, headers, body })
    const begin = (more: object) =>
      send('/api/passkeys/begin', { name: 'Phone', current_password: testPassword, ...more })
    for (const wrong of [{}, { code: '000000' }])
      expect(await begin(wrong)).toMatchObject({
        status: 422,
        body: { errors: { code: [expect.any(String)] } },
      })
    const begun = await begin({ code: codeNow(secret) })
    const credential = device.create(begun.body as PasskeyCreationOptions)
    expect((await send('/api/passkeys', { credential })).status).toBe(201)
    const asked = await send('/api/login/passkey/begin', {})
    const answer = device.get(asked.body as PasskeyRequestOptions)
    expect((await send('/api/login/passkey', { credential: answer })).status).toBe(200)
    expect(await signIn()).toMatchObject({ body: { code: 'session.code_needed' } })
  })

  it('is stored sealed, its recovery codes as hashes, and neither is in the audit trail', async () => {
    const { secret, codes } = await turnOn()
    const rows = JSON.stringify([
      await server.db.selectFrom('second_factor').selectAll().execute(),
      await server.db.selectFrom('recovery_code').selectAll().execute(),
      await server.db.selectFrom('audit_event').selectAll().execute(),
      server.logLines,
    ])
    for (const each of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))])
      expect(rows).not.toContain(each)
  })
})

describe('a role that asks for a second factor', () => {
  it('has its users set one up at their next login, and shows the recovery codes once', async () => {
    expect((await askFor(person.roleName, true)).status).toBe(200)
    expect(await statusOf(person.token)).toBe(200)
    const asked = await signIn()
    expect(asked).toMatchObject({ status: 401, body: { code: 'session.setup_needed' } })
    const { secret } = (asked.body as { second_factor: { secret: string } }).second_factor
    expect(await signIn('000000')).toMatchObject({ body: { code: 'session.wrong_code' } })
    passSeconds(601)
    const late = await signIn(codeNow(secret))
    expect(late).toMatchObject({ status: 401, body: { code: 'session.setup_needed' } })
    const { secret: fresh } = (late.body as { second_factor: { secret: string } }).second_factor
    expect(fresh).not.toBe(secret)
    const answer = await signIn(codeNow(fresh))
    expect(answer.status).toBe(200)
    expect((answer.body as { recovery_codes: string[] }).recovery_codes).toHaveLength(10)
    expect(await signIn()).toMatchObject({ body: { code: 'session.code_needed' } })
    passSeconds(30)
    const off = { current_password: testPassword, code: codeNow(fresh) }
    expect(await asPerson('POST', '/remove', off)).toMatchObject({
      status: 409,
      body: { code: 'second_factor.is_required' },
    })
    // Refused, the code was not used up.
    expect((await signIn(off.code)).status).toBe(200)
  })

  it('is Super Admin too, where a Super Admin decides it, and nothing else of that role', async () => {
    expect((await askFor('Super Admin', true)).status).toBe(200)
    expect(await signIn(undefined, server.admin.email)).toMatchObject({
      body: { code: 'session.setup_needed' },
    })
    const { id } = (await server.stores.roles.findByName('Super Admin'))!
    const { token } = await server.buildUser({ role: 'Admin' })
    for (const [by, body] of [
      [token, { name: 'Super Admin', permissions, needs_second_factor: false }],
      [server.admin.token, { name: 'Another', permissions, needs_second_factor: false }],
      [server.admin.token, { name: 'Super Admin', permissions: [], needs_second_factor: false }],
    ] as const)
      expect((await server.send('PUT', `/api/role/${id}`, { token: by, body })).status).toBe(403)
    expect((await server.stores.roles.find(id))?.needs_second_factor).toBe(1)
  })

  it('stays one for clients that do not know the field, and no longer where it says so', async () => {
    const { id } = (await server.stores.roles.findByName('Operator'))!
    await askFor('Operator', true)
    const { token } = server.admin
    const body = { name: 'Operator', permissions: [] }
    await server.send('PUT', `/api/role/${id}`, { token, body })
    expect((await server.stores.roles.find(id))?.needs_second_factor).toBe(1)
    await askFor('Operator', false)
    expect((await server.stores.roles.find(id))?.needs_second_factor).toBe(0)
  })
})

describe('an administrator', () => {
  const reset = (id: number, token = server.admin.token) =>
    server.send('DELETE', `/api/user/${id}/second-factor`, { token })

  it('resets the second factor of a user, whose sessions end', async () => {
    await turnOn()
    const form = await server.send('GET', `/api/user/${person.id}/edit`, {
      token: server.admin.token,
    })
    expect(form.body).toMatchObject({ second_factor_since: expect.any(String) })
    expect((await reset(person.id)).status).toBe(204)
    expect(await statusOf(person.token)).toBe(401)
    expect((await signIn()).status).toBe(200)
    expect(await reset(person.id)).toMatchObject({ status: 409 })
    expect(await events()).toContain('user.second_factor_reset')
  })

  it('resets neither their own nor that of a user beyond their reach', async () => {
    const editor = await server.buildUser({ permissions: ['user.edit'] })
    expect(await reset(editor.id, editor.token)).toMatchObject({ body: { code: 'user.self' } })
    expect((await reset(server.admin.id, editor.token)).status).toBe(403)
    expect((await reset(999_999)).status).toBe(404)
  })
})

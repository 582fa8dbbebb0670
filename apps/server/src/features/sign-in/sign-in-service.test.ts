import type { StoredCredential } from '@gatehouse/contract'
import { runTokenAuthority, type TokenAuthority } from '@gatehouse/upstream/token-authority'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  clientCredentials,
  createSignInServer,
  insertApi,
  newKey,
  refreshCredential,
  type SignInServer,
} from '../../../test/servers/sign-in-server.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import type { SignInPlace } from './sign-in-store.ts'

let authority: TokenAuthority
let database: TestDatabase
let shared: { credential: StoredCredential; key: Buffer }
let place: SignInPlace
let servers: SignInServer[] = []
/** What the clocks of all servers show. */
let now: Date

const pass = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1_000)
}

/** `beforeCall` is awaited before each request to the authority: the process stands still there. */
function start(owner = 'one', beforeCall = async () => {}): SignInServer {
  const server = createSignInServer(database.db, shared, { owner, now: () => now, beforeCall })
  servers.push(server)
  return server
}

const rowOf = () => database.db.selectFrom('sign_in_token').selectAll().executeTakeFirstOrThrow()

beforeAll(async () => {
  authority = await runTokenAuthority()
})
afterAll(() => authority.stop())
beforeEach(async () => {
  database = await createTestDatabase()
  place = { apiId: await insertApi(database.db), which: 'live' }
  shared = { credential: clientCredentials(authority.tokenUrl), key: newKey() }
  now = new Date()
  await authority.reset()
})
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
  await database.drop()
})

describe('a token is shared', () => {
  it('by all calls of a server, and read from memory while it lives', async () => {
    const { service } = start()
    const tokens = await Promise.all(Array.from({ length: 500 }, () => service.token(place)))
    expect(new Set(tokens.map(({ token }) => token)).size).toBe(1)
    await database.db.deleteFrom('sign_in_token').execute()
    expect(await service.token(place)).toBe(tokens[0])
    expect(await authority.counts()).toMatchObject({ logins: 1 })
  })

  it('by all servers, which sign in one at a time', async () => {
    const [one, other] = [start('one').service, start('other').service]
    await authority.change({ delayMs: 50 })
    const calls = Array.from({ length: 50 }, (_, at) => (at % 2 ? one : other).token(place))
    const tokens = await Promise.all(calls)
    expect(new Set(tokens.map(({ token }) => token)).size).toBe(1)
    expect(await authority.counts()).toMatchObject({ logins: 1, sameTimeMax: 1 })
  })

  it('also where one stood still before it signed in, until another one had done so', async () => {
    shared.credential = refreshCredential(authority.tokenUrl)
    await authority.change({ rotates: true })
    const other = start('other').service
    let isStill = false
    const paused = start('paused', async () => {
      if (isStill) return
      isStill = true
      pass(60)
      await other.token(place)
    }).service
    expect((await paused.token(place)).token).toBe((await other.token(place)).token)
    expect(await authority.counts()).toMatchObject({ logins: 1, refusals: 0 })
  })

  it('with the next start of a server', async () => {
    const before = await start().service.token(place)
    expect(await start().service.token(place)).toEqual(before)
    expect(await authority.counts()).toMatchObject({ logins: 1 })
  })

  it('and is not in clear in the database', async () => {
    shared.credential = refreshCredential(authority.tokenUrl)
    await authority.change({ rotates: true })
    const { token } = await start().service.token(place)
    const text = JSON.stringify(await rowOf())
    for (const secret of [token, 'refresh-token-', 'client-secret-of-test']) {
      expect(text).not.toContain(secret)
    }
  })
})

describe('a token is renewed', () => {
  it('ahead, while calls go on with the old one', async () => {
    const { service } = start()
    const first = await service.token(place)
    pass(3_000)
    const renewed = new Promise((resolve) => service.subscribe((_, issued) => resolve(issued)))
    expect(await service.token(place)).toBe(first)
    const second = await renewed
    expect(await service.token(place)).toBe(second)
    expect(await authority.counts()).toMatchObject({ logins: 2 })
  })

  it('once over all servers, which go on with the old one meanwhile', async () => {
    const [one, other] = [start('one').service, start('other').service]
    const first = await one.token(place)
    await other.token(place)
    pass(3_000)
    await authority.change({ delayMs: 100 })
    const renewed = [one, other].map(
      (service) => new Promise((resolve) => service.subscribe((_, issued) => resolve(issued))),
    )
    expect(await one.token(place)).toBe(first)
    expect(await other.token(place)).toEqual(first)
    // The one that did not get the lease takes the token over without being asked again.
    await Promise.all(renewed)
    expect(await authority.counts()).toMatchObject({ logins: 2, sameTimeMax: 1 })
  })

  it('when it is over, and calls wait for the new one', async () => {
    const { service } = start()
    const first = await service.token(place)
    pass(3_601)
    const second = await service.token(place)
    expect(second.version).toBe(first.version + 1)
  })

  it('at once for many calls that an upstream refused, and once', async () => {
    const [one, other] = [start('one').service, start('other').service]
    const first = await one.token(place)
    await other.token(place)
    const calls = Array.from({ length: 100 }, (_, at) =>
      (at % 2 ? one : other).renewRefused(place, first.version),
    )
    const renewed = await Promise.all(calls)
    expect(new Set(renewed.map((issued) => issued?.token)).size).toBe(1)
    expect(renewed[0]?.version).toBe(first.version + 1)
    expect(await authority.counts()).toMatchObject({ logins: 2 })
  })

  it('not again and again where the upstream refuses every token', async () => {
    const { service } = start()
    const { version } = await service.token(place)
    const second = await service.renewRefused(place, version)
    expect(await service.renewRefused(place, second!.version)).toBeUndefined()
    expect(await authority.counts()).toMatchObject({ logins: 2 })
    pass(6)
    const third = await service.renewRefused(place, second!.version)
    pass(6)
    expect(await service.renewRefused(place, third!.version)).toBeUndefined()
    expect(await authority.counts()).toMatchObject({ logins: 3 })
  })

  it('at once for a credential that was changed, and not for how it is sent', async () => {
    const { service } = start()
    const { token } = await service.token(place)
    shared.credential = { ...clientCredentials(authority.tokenUrl), scheme: 'Other' }
    service.forget()
    expect(await service.token(place)).toMatchObject({ token })
    shared.credential = { ...clientCredentials(authority.tokenUrl), scope: 'more' }
    service.forget()
    const other = await service.token(place)
    expect(other.token).not.toBe(token)
    expect(other.scope).toBe('more')
  })
})

describe('a sign-in that is under way while the configuration changes', () => {
  beforeEach(() => authority.change({ delayMs: 200 }))

  it('gives its token to nobody if the credential is another one by then', async () => {
    const { service } = start()
    const given: string[] = []
    service.subscribe((_, { scope }) => given.push(scope))
    const early = service.token(place)
    await expect.poll(async () => (await authority.counts()).sameTimeMax).toBe(1)
    shared.credential = { ...clientCredentials(authority.tokenUrl), scope: 'more' }
    service.forget()
    const tokens = await Promise.all([early, service.token(place), service.token(place)])
    expect(tokens.map(({ scope }) => scope)).toEqual(['more', 'more', 'more'])
    expect(given).toEqual(['more'])
    expect(await authority.counts()).toMatchObject({ logins: 2, sameTimeMax: 1 })
  })

  it('gives its token to all if it is the same, without another login', async () => {
    const { service } = start()
    const early = service.token(place)
    await expect.poll(async () => (await authority.counts()).sameTimeMax).toBe(1)
    service.forget()
    const tokens = await Promise.all([early, service.token(place)])
    expect(new Set(tokens.map(({ token }) => token)).size).toBe(1)
    await database.db.deleteFrom('sign_in_token').execute()
    expect(await service.token(place)).toEqual(tokens[0])
    expect(await authority.counts()).toMatchObject({ logins: 1 })
  })

  it('is made again if it fails and the credential is another one by then', async () => {
    const { service } = start()
    await authority.change({ clientSecret: 'another' })
    const early = service.token(place)
    await expect.poll(async () => (await authority.counts()).sameTimeMax).toBe(1)
    shared.credential = { ...clientCredentials(authority.tokenUrl), client_secret: 'another' }
    service.forget()
    const [one, other] = await Promise.all([early, service.token(place)])
    expect(other).toBe(one)
    expect(await authority.counts()).toMatchObject({ logins: 1, refusals: 1 })
  })
})

describe('a sign-in that fails', () => {
  it('is not tried again before its back-off, which grows, and is reported once', async () => {
    const { service, lines } = start()
    await authority.change({ mode: 'refuse' })
    const refused = { code: 'upstream.sign_in', message: 'The sign-in was refused: invalid_grant.' }
    for (const seconds of [0, 1, 5, 1, 9, 2]) {
      pass(seconds)
      await expect(service.token(place)).rejects.toMatchObject(refused)
    }
    expect(await authority.counts()).toMatchObject({ refusals: 3 })
    expect(lines.filter(({ level }) => level === 50)).toHaveLength(1)
    await authority.change({ mode: 'issue' })
    pass(300)
    await expect(service.token(place)).resolves.toMatchObject({ version: expect.any(Number) })
    expect(await rowOf()).toMatchObject({ is_refused: 0, failures: 0, message: '' })
  })

  it('does not take the old token away while that lives', async () => {
    const { service } = start()
    const first = await service.token(place)
    await authority.change({ mode: 'html' })
    pass(3_000)
    expect(await service.token(place)).toBe(first)
    await expect
      .poll(async () => (await rowOf()).message)
      .toBe('The answer to the sign-in is a web page.')
    expect(await service.token(place)).toBe(first)
    pass(601)
    await expect(service.token(place)).rejects.toMatchObject({ code: 'upstream.sign_in' })
  })

  it('may be tried by an administrator at once', async () => {
    const { service } = start()
    await authority.change({ mode: 'error_inside' })
    await expect(service.token(place)).rejects.toMatchObject({ code: 'upstream.sign_in' })
    await authority.change({ mode: 'issue' })
    await expect(service.signInNow(place)).resolves.toMatchObject({ scope: 'all' })
  })
})

describe('a refresh token that is rotated', () => {
  beforeEach(async () => {
    shared.credential = refreshCredential(authority.tokenUrl)
    await authority.change({ rotates: true })
  })

  it('is kept for the next renewal, also by another server and after a change of the scope', async () => {
    await start('one').service.token(place)
    await start('other').service.signInNow(place)
    shared.credential = { ...refreshCredential(authority.tokenUrl), scope: 'more' }
    await start('third').service.signInNow(place)
    expect(await authority.counts()).toMatchObject({ logins: 3, refusals: 0, reuses: 0 })
  })

  it('is forgotten when an administrator enters another', async () => {
    await start().service.token(place)
    shared.credential = { ...refreshCredential(authority.tokenUrl), refresh_token: 'entered-again' }
    const { service } = start()
    await expect(service.token(place)).rejects.toMatchObject({ code: 'upstream.sign_in' })
    expect(await authority.counts()).toMatchObject({ reuses: 1 })
  })

  it('is lost loudly with its answer: the state says what to do', async () => {
    const { service } = start()
    await authority.change({ mode: 'drop' })
    await expect(service.token(place)).rejects.toMatchObject({
      message: 'The connection broke before the answer was complete.',
    })
    await authority.change({ mode: 'issue' })
    pass(10)
    await expect(service.token(place)).rejects.toMatchObject({
      message: expect.stringMatching(
        /answer to an earlier renewal was lost.*Enter the refresh token again\.$/,
      ),
    })
    expect(await rowOf()).toMatchObject({ is_refused: 1, lease_owner: null })
  })

  it('is lost loudly with its server: another one takes over when the lease has ended', async () => {
    await authority.change({ delayMs: 100 })
    const dead = start('dead')
    // A server that dies never comes to the commit of what it was given.
    const lost = dead.service.token(place)
    await expect.poll(async () => (await authority.counts()).sameTimeMax).toBe(1)
    await database.db.updateTable('sign_in_token').set({ version: 5 }).execute()
    const row = await rowOf()
    expect(row).toMatchObject({ lease_owner: 'dead' })
    const { service } = start('heir')
    pass(60)
    await expect(service.token(place)).rejects.toMatchObject({
      message: expect.stringMatching(/Enter the refresh token again\.$/),
    })
    await lost.catch(() => {})
    expect(await rowOf()).toMatchObject({ is_refused: 1 })
  })
})

import { startRecordingUpstream } from '@gatehouse/http1/testing/recording-upstream'
import type { JwtAlgorithm, SnapshotIssuer } from '@gatehouse/contract/gateway'
import { jwtAlgorithms } from '@gatehouse/contract/gateway'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { buildApi, buildSnapshot } from '../testing/build-snapshot.ts'
import {
  buildIssuer,
  goodClaims,
  makeKey,
  signJwt,
  signWithPublicKey,
  toSnapshotKey,
  unsigned,
  withOtherClaims,
} from '../testing/jwt-issuer.ts'
import { startGateway } from '../testing/test-gateway.ts'
import { IssuerIndex } from './issuer-index.ts'

const key = makeKey('one')
const nowSeconds = () => Math.floor(Date.now() / 1_000)

async function start(issuers: SnapshotIssuer[] = [buildIssuer([key])]) {
  const upstream = await startRecordingUpstream()
  const apis = [buildApi({ base_url: upstream.url, requires_token: true })]
  const snapshot = buildSnapshot({ apis, issuers })
  const gateway = await startGateway(snapshot)
  const call = async (token: string, scheme = 'Bearer') => {
    const headers = { authorization: `${scheme} ${token}` }
    const answer = await fetch(`${gateway.url}/sales/orders`, { headers })
    await answer.text()
    return answer.status
  }
  return { upstream, gateway, snapshot, call }
}

afterEach(() => vi.useRealTimers())

describe('a JWT of a trusted issuer', () => {
  it.each(jwtAlgorithms.map((each): [JwtAlgorithm] => [each]))(
    'signed with %s opens what its role may call, and goes no further',
    async (algorithm) => {
      const own = makeKey('own', algorithm)
      const { call, upstream } = await start([buildIssuer([own])])
      expect(await call(signJwt(own))).toBe(200)
      expect(await call(signJwt(own), 'bearer')).toBe(200)
      expect(upstream.requests.every(({ headers }) => !('authorization' in headers))).toBe(true)
    },
  )

  it.each([
    ['a list', { roles: ['other', 'clerk'] }, 200],
    ['a text', { roles: 'clerk' }, 200],
    ['words', { roles: 'read clerk' }, 200],
    ['another role', { roles: ['manager'] }, 403],
    ['none', { roles: undefined }, 403],
    ['an object', { roles: { clerk: true } }, 403],
    ['no text', { roles: [1, null, ['clerk']] }, 403],
  ])('with its roles as %s', async (_, claims, status) => {
    const { call } = await start()
    expect(await call(signJwt(key, { claims }))).toBe(status)
  })

  it('finds its roles on the way through objects, and under a name with dots first', async () => {
    const { call } = await start([buildIssuer([key], { role_claim: 'realm.roles' })])
    const claims = { roles: [], realm: { roles: ['clerk'] } }
    expect(await call(signJwt(key, { claims }))).toBe(200)
    expect(await call(signJwt(key, { claims: { ...claims, 'realm.roles': [] } }))).toBe(403)
    expect(await call(signJwt(key, { claims: { realm: 'roles' } }))).toBe(403)
  })

  it('needs no claim where every token has a role', async () => {
    const roles = [{ value: '*', role_id: 2 }]
    const { call } = await start([buildIssuer([key], { roles, role_claim: '' })])
    expect(await call(signJwt(key, { claims: { roles: undefined } }))).toBe(200)
  })

  it('never becomes a Super Admin', async () => {
    const roles = [{ value: 'clerk', role_id: 1 }]
    const { call } = await start([buildIssuer([key], { roles })])
    expect(await call(signJwt(key))).toBe(403)
  })

  it('is known in the log by issuer and subject, without the token', () => {
    const index = new IssuerIndex([buildIssuer([key])], new Map())
    const token = signJwt(key, { claims: { sub: 'a"\n\u202e' } })
    const caller = index.find(`Bearer ${token}`, Date.now())
    expect(caller).toMatchObject({ quotaKey: 'j7:a"\n\u202e', tokenId: null })
    const { logged } = caller as { logged: string }
    expect(logged).not.toContain('\n')
    expect(JSON.parse(`{${logged}}`)).toEqual({
      token_id: null,
      issuer_id: 7,
      subject: 'a"\n\u202e',
    })
  })
})

describe('is refused before the upstream is contacted', () => {
  const other = makeKey('one')
  const rsa = makeKey('rsa', 'RS256')
  const embedded = other.publicKey.export({ format: 'jwk' })
  const good = signJwt(key)
  it.each([
    // Algorithm confusion (CVE-2015-9235) and no algorithm at all.
    ['alg none', unsigned('none')],
    ['alg None', unsigned('None')],
    ['alg NONE with a signature', `${unsigned('NONE')}AAAA`],
    ['no signature', good.slice(0, good.lastIndexOf('.') + 1)],
    ['an HMAC with the public key', signWithPublicKey(rsa, '')],
    ['an HMAC with nothing', signWithPublicKey(key, Buffer.alloc(0))],
    ['the algorithm of another key', signJwt(key, { header: { alg: 'RS256' } })],
    ['PS256 with a key for RS256', signJwt({ ...rsa, algorithm: 'PS256' })],
    ['an algorithm that does not exist', signJwt(key, { header: { alg: 'ES999' } })],
    ['an algorithm that is no text', signJwt(key, { header: { alg: ['ES256'] } })],
    ['a name of every object as algorithm', signJwt(key, { header: { alg: 'constructor' } })],
    // Tricks with the key.
    ['the kid of a key, and another signature', signJwt(other)],
    ['a key in the header', signJwt(other, { header: { jwk: embedded } })],
    ['the address of a key', signJwt(other, { header: { jku: 'http://127.0.0.1/keys' } })],
    ['a certificate', signJwt(other, { header: { x5c: ['MIIB'], x5u: 'http://127.0.0.1' } })],
    ['an unknown kid', signJwt(key, { header: { kid: 'two' } })],
    ['a file as kid', signJwt(key, { header: { kid: '../../dev/null' } })],
    ['SQL as kid', signJwt(key, { header: { kid: "' union select 'x' --" } })],
    ['a kid that is no text', signJwt(key, { header: { kid: { $ne: null } } })],
    ['a name of every object as kid', signJwt(key, { header: { kid: '__proto__' } })],
    // Claims.
    ['claims that were changed', withOtherClaims(good, { sub: 'eve' })],
    ['another issuer', signJwt(key, { claims: { iss: 'https://login.example.com' } })],
    ['no issuer', signJwt(key, { claims: { iss: undefined } })],
    ['another audience', signJwt(key, { claims: { aud: 'another' } })],
    ['no audience', signJwt(key, { claims: { aud: undefined } })],
    ['an audience that holds ours', signJwt(key, { claims: { aud: 'gatehouse.evil' } })],
    ['no end', signJwt(key, { claims: { exp: undefined } })],
    ['an end that is a text', signJwt(key, { claims: { exp: '9999999999' } })],
    ['a past end', signJwt(key, { claims: { exp: nowSeconds() - 31 } })],
    ['a later beginning', signJwt(key, { claims: { nbf: nowSeconds() + 60 } })],
    ['a long subject', signJwt(key, { claims: { sub: 'x'.repeat(256) } })],
    ['a subject that is no text', signJwt(key, { claims: { sub: { id: 1 } } })],
    // Forms.
    ['what a critical header asks for', signJwt(key, { header: { crit: ['exp'] } })],
    ['a token for another use', signJwt(key, { header: { typ: 'secevent+jwt' } })],
    ['padding', `${good}==`],
    ['a fourth part', `${good}.AAAA`],
    ['an empty part', good.replace(/^[^.]+/, '')],
    ['a header that is no object', good.replace(/^[^.]+/, 'W10')],
    ['a header that is no JSON', good.replace(/^[^.]+/, 'AAAA')],
    ['a long token', signJwt(key, { claims: { more: 'x'.repeat(8_000) } })],
    ['a signature in DER', `${good.slice(0, good.lastIndexOf('.'))}.MEUCIQ`],
  ])('%s', async (_, token) => {
    const { call, upstream } = await start([
      buildIssuer([key, rsa], { algorithms: ['ES256', 'RS256', 'PS256'] }),
    ])
    expect(await call(token)).toBe(401)
    expect(upstream.sockets).toHaveLength(0)
  })

  it('an algorithm that its issuer may not sign with, however good the signature is', async () => {
    const { call } = await start([buildIssuer([rsa], { algorithms: ['ES256'] })])
    expect(await call(signJwt(rsa))).toBe(401)
  })

  it('everybody where nobody is trusted', async () => {
    const { call } = await start([])
    expect(await call(good)).toBe(401)
  })

  it('a key that can’t be read, alone', async () => {
    const broken = { ...toSnapshotKey(key), kid: 'broken', jwk: { kty: 'EC', crv: 'P-256' } }
    const { call } = await start([buildIssuer([key], { keys: [broken, toSnapshotKey(key)] })])
    expect(await call(signJwt(key, { header: { kid: 'broken' } }))).toBe(401)
    expect(await call(good)).toBe(200)
  })
})

describe('keys without names', () => {
  it('are tried, as long as they are few', async () => {
    const keys = Array.from({ length: 5 }, () => makeKey(null))
    const few = await start([buildIssuer(keys.slice(0, 4))])
    expect(await few.call(signJwt(keys[3]!))).toBe(200)
    expect(await few.call(signJwt(keys[3]!, { header: { kid: 'any' } }))).toBe(200)
    expect(await few.call(signJwt(keys[4]!))).toBe(401)
    const many = await start([buildIssuer(keys)])
    expect(await many.call(signJwt(keys[0]!))).toBe(401)
  })
})

describe('clocks', () => {
  it('may differ by the skew of the issuer, in both directions', async () => {
    const { call } = await start()
    expect(await call(signJwt(key, { claims: { exp: nowSeconds() - 20 } }))).toBe(200)
    expect(await call(signJwt(key, { claims: { nbf: nowSeconds() + 20 } }))).toBe(200)
  })

  it('a token that was verified before is refused once it has expired', () => {
    const index = new IssuerIndex([buildIssuer([key])], new Map())
    const claims = goodClaims()
    const authorization = `Bearer ${signJwt(key, { claims })}`
    const endMs = (claims.exp + 30) * 1_000
    expect(index.find(authorization, endMs - 1)).toMatchObject({ expiresAtMs: endMs })
    // What remembers it says when it ends; the stage compares.
    expect(index.find(authorization, endMs)).toMatchObject({ expiresAtMs: endMs })
    const fresh = new IssuerIndex([buildIssuer([key])], new Map())
    expect(fresh.find(authorization, endMs)).toMatchObject({
      detail: 'A JWT of Company login was refused: expired',
    })
  })
})

describe('keys that change', () => {
  it('a new key counts with the next snapshot, and one that was taken back does not', async () => {
    const next = makeKey('two')
    const { gateway, snapshot, call } = await start()
    const [before, after] = [signJwt(key), signJwt(next)]
    expect([await call(before), await call(after)]).toEqual([200, 401])
    gateway.swap({ ...snapshot, revision: 2, issuers: [buildIssuer([key, next])] })
    expect([await call(before), await call(after)]).toEqual([200, 200])
    gateway.swap({ ...snapshot, revision: 3, issuers: [buildIssuer([next])] })
    expect([await call(before), await call(after)]).toEqual([401, 200])
  })

  it('an issuer that is taken out is refused, tokens that were verified included', async () => {
    const { gateway, snapshot, call } = await start()
    const token = signJwt(key)
    expect(await call(token)).toBe(200)
    const { format, revision, mark, built_at, super_admin_role_id } = snapshot
    const lists = { apis: [], endpoints: [], tokens: [], issuers: [], access: [] }
    const removed = { removed_apis: [], removed_endpoints: [], removed_tokens: [] }
    const changed = gateway.change({
      format,
      base: { revision, mark },
      revision: 2,
      mark: 'second',
      built_at,
      super_admin_role_id,
      ...lists,
      ...removed,
      removed_roles: [],
      removed_issuers: [7],
    })
    expect(changed).toMatchObject({ ok: true })
    expect(await call(token)).toBe(401)
  })

  it('the control plane learns that a token names a key which is not known, and of which issuer', async () => {
    const { gateway, call } = await start()
    await call(signJwt(key, { header: { kid: 'two' } }))
    await call(signJwt(key, { claims: { iss: 'https://elsewhere' }, header: { kid: 'two' } }))
    expect(gateway.report().unknown_keys).toEqual([7])
    expect(gateway.report().unknown_keys).toEqual([])
  })
})

it('random changes of a good token never count', async () => {
  const index = new IssuerIndex([buildIssuer([key])], new Map())
  const good = signJwt(key)
  const body = good.lastIndexOf('.')
  for (let at = 0; at < body; at++) {
    const letter = good[at] === 'A' ? 'B' : 'A'
    const changed = good.slice(0, at) + letter + good.slice(at + 1)
    const found = index.find(`Bearer ${changed}`, Date.now())
    expect(found === null || 'detail' in found, changed).toBe(true)
  }
})

import { describe, expect, it } from 'vitest'
import { bearer, mask, maskAnswer, noCredential, signedIn, signedInWith } from './credential.ts'

describe('a credential', () => {
  it('of none sends nothing and has no secrets', () => {
    expect(signedIn({ kind: 'none' })).toEqual({ headers: [], secrets: [] })
    expect([bearer(null), bearer(''), bearer(undefined)]).toEqual([
      noCredential,
      noCredential,
      noCredential,
    ])
  })

  it('of a token is sent with its scheme', () => {
    const bearer = { kind: 'bearer', token: 'a-token', refused_when: null } as const
    expect(signedIn({ ...bearer, scheme: 'Zoho-oauthtoken' }).headers).toEqual([
      ['Authorization', 'Zoho-oauthtoken a-token'],
    ])
    expect(signedIn({ ...bearer, scheme: 'Bearer' }).secrets).toContain('a-token')
  })

  it('of a user name and password is sent in base64, which is secret too', () => {
    const basic = {
      kind: 'basic',
      username: 'ada',
      password: 'pässword',
      refused_when: null,
    } as const
    const { headers, secrets } = signedIn(basic)
    const pair = Buffer.from('ada:pässword').toString('base64')
    expect(headers).toEqual([['Authorization', `Basic ${pair}`]])
    expect(secrets).toEqual([pair, 'pässword'])
  })

  it('of headers sends each of them', () => {
    const pairs = [
      { name: 'Client-Id', value: 'id-of-client' },
      { name: 'Secret-Key', value: 'key-of-client' },
    ]
    expect(signedIn({ kind: 'headers', headers: pairs, refused_when: null })).toEqual({
      headers: pairs.map(({ name, value }) => [name, value]),
      secrets: ['id-of-client', 'key-of-client'],
    })
  })

  it('whose token was obtained hides the token, and what it was obtained with', () => {
    const login = {
      kind: 'login_call',
      refused_when: null,
      url: 'https://authority.test/login',
      method: 'POST',
      headers: [{ name: 'X-Key', value: 'login-key' }],
      body: '{"grant_type":"password","user":"ada","password":"of-the-login"}',
      content_type: 'application/json',
      token_path: 'token',
      expires_path: '',
      lifetime_seconds: null,
      send_as: [{ name: 'X-Session', value: 'sid={token}' }],
    } as const
    const { headers, secrets } = signedInWith(
      { ...login, headers: [...login.headers], send_as: [...login.send_as] },
      'the-token',
    )
    expect(headers).toEqual([['X-Session', 'sid=the-token']])
    for (const secret of ['the-token', 'login-key', 'of-the-login'])
      expect(secrets).toContain(secret)
    expect(secrets).not.toContain('password')
  })
})

describe('a secret', () => {
  const secret = 'p"ss/wörd+1?'

  it.each([
    ['as it is', secret],
    ['in base64', Buffer.from(secret).toString('base64')],
    ['in base64 for URLs', Buffer.from(secret).toString('base64url')],
    ['in a URL', encodeURIComponent(secret)],
    ['in JSON', JSON.stringify(secret).slice(1, -1)],
  ])('is masked %s', (_, form) => {
    expect(mask(`before ${form} after`, [secret])).toBe('before [credential] after')
  })

  it('of fewer than 8 characters is left alone: masking it would reveal it', () => {
    expect(mask('{"n":1234567}', ['1234567'])).toBe('{"n":1234567}')
  })

  it('is masked whole where it holds another one', () => {
    expect(mask('long-secret-of-two', ['long-secret', 'long-secret-of-two'])).toBe('[credential]')
  })

  it('is masked in headers and body of an answer, and in the detail of a failure', () => {
    const answer = {
      ok: true,
      status: 200,
      headers: { location: `/?token=${encodeURIComponent(secret)}` },
      body: Buffer.from(JSON.stringify({ secret })),
      durationMs: 1,
    } as const
    const masked = maskAnswer(answer, [secret])
    expect(masked).toMatchObject({ headers: { location: '/?token=[credential]' } })
    expect(masked.ok && masked.body.toString()).toBe('{"secret":"[credential]"}')
    const failed = { ok: false, code: 'cut', isSent: true, durationMs: 1, cause: null } as const
    expect(maskAnswer({ ...failed, detail: secret }, [secret])).toMatchObject({
      detail: '[credential]',
    })
  })

  it('leaves the bytes of an answer alone that does not hold it', () => {
    const body = Buffer.from([0xff, 0xfe, 0x00])
    const answer = { ok: true, status: 200, headers: {}, body, durationMs: 1 } as const
    expect(maskAnswer(answer, [secret])).toMatchObject({ body })
  })
})

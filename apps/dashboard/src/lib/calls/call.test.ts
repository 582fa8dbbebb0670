import { beforeEach, describe, expect, expectTypeOf, test, vi } from 'vitest'
import type { Language, SessionUser } from '@gatehouse/contract'
import { buildPage, buildUser } from '../../testing/builders.ts'
import { fakeServer, refuse, requestId } from '../../testing/fake-server.ts'
import { CallError, isAbort } from './call-error.ts'
import { call } from './call.ts'
import { callFile, callText } from './call-bodies.ts'
import { readToken, removeToken, writeToken } from '../session/token-store.ts'

beforeEach(() => localStorage.clear())

async function failureOf(promise: Promise<unknown>): Promise<CallError> {
  const error: unknown = await promise.catch((error: unknown) => error)
  if (!(error instanceof CallError)) throw new Error('No CallError was thrown', { cause: error })
  return error
}

describe('a change that is saved and not in force', () => {
  const message = 'Saved, but not in force yet: No worker has taken it over so far.'
  const answerWith = (saved: unknown) => () =>
    Response.json(
      { message, code: 'gateway.not_in_force', request_id: requestId, saved },
      { status: 503 },
    )

  test('is answered as it would have been', async () => {
    fakeServer({ 'PUT /api/password': answerWith({ token: 't', user: buildUser() }) })
    const body = { current_password: '', password: '', password_confirmation: '' }
    expect(await call('PUT /api/password', { body })).toEqual({ token: 't', user: buildUser() })
  })

  test('of a deletion has no answer', async () => {
    fakeServer({ 'DELETE /api/apis/:id': answerWith(null) })
    expect(await call('DELETE /api/apis/:id', { params: { id: 7 } })).toBeUndefined()
  })
})

describe('what is sent', () => {
  test('method and path come from the key, parameters are filled in and escaped', async () => {
    const server = fakeServer({ 'DELETE /api/apis/:id': () => undefined })
    await call('DELETE /api/apis/:id', { params: { id: 'a/b' } })
    expect(server.requests[0]).toMatchObject({
      key: 'DELETE /api/apis/:id',
      params: { id: 'a%2Fb' },
    })
  })

  test('the token goes along as a Bearer header, and only under /admin/ also against CSRF', async () => {
    writeToken('secret')
    const server = fakeServer({
      'GET /api/auth': () => ({ user: buildUser() }),
      'GET /admin/get-data': () => ({
        message: '',
        data: null,
        run: {
          id: 1,
          state: 'succeeded',
          kind: 'build',
          is_test: false,
          is_dry_run: false,
          steps: [],
        },
      }),
    })
    await call('GET /api/auth')
    await callText('GET /admin/get-data', { query: { end_point: 1 } })
    const [auth, data] = server.requests
    expect(auth?.headers.get('authorization')).toBe('Bearer secret')
    expect(auth?.headers.has('x-csrf-token')).toBe(false)
    expect(data?.headers.get('authorization')).toBe('Bearer secret')
    expect(data?.headers.get('x-csrf-token')).toBe('secret')
  })

  test('absent query values are left out, blank ones are sent', async () => {
    const server = fakeServer({ 'GET /api/apis': () => buildPage([]) })
    await call('GET /api/apis', { query: { page: 2, search: '', api_protocol: undefined } })
    expect(server.requests[0]?.query).toEqual({ page: '2', search: '' })
  })

  test('a body goes out as JSON', async () => {
    const server = fakeServer({ 'POST /api/login': () => ({ token: 't', user: buildUser() }) })
    await call('POST /api/login', { body: { email: 'a@example.com', password: ' p ' } })
    expect(server.requests[0]?.body).toEqual({ email: 'a@example.com', password: ' p ' })
    expect(server.requests[0]?.headers.get('content-type')).toBe('application/json')
  })
})

describe('what comes back', () => {
  test('the answer, or nothing where the call has none', async () => {
    fakeServer({
      'GET /api/auth': () => ({ user: buildUser() }),
      'POST /api/logout': () => undefined,
    })
    expect((await call('GET /api/auth')).user.name).toBe('Ada Admin')
    expect(await call('POST /api/logout')).toBeUndefined()
  })

  test('callText hands over the text as it came, so that numbers stay exact', async () => {
    const text = '{"message":"","data":{"n":12345678901234567890,"m":0.10}}'
    fakeServer({ 'GET /admin/get-data': () => new Response(text) })
    expect(await callText('GET /admin/get-data', { query: { end_point: 1 } })).toBe(text)
  })

  test('callFile hands over the bytes, of the type that the call answers with', async () => {
    const bytes = Uint8Array.of(0x89, 0x50, 0xff, 0)
    const answerAs = (type: string) =>
      fakeServer({
        'POST /api/post/image': () => new Response(bytes, { headers: { 'content-type': type } }),
      })
    const generate = () => callFile('POST /api/post/image', 'image/png', { body: {} })
    answerAs('image/png')
    expect([...new Uint8Array(await (await generate()).arrayBuffer())]).toEqual([...bytes])
    answerAs('text/html')
    expect(await failureOf(generate())).toMatchObject({ code: 'answer.unreadable' })
  })

  test('a refusal carries status, code, field messages and the request id', async () => {
    const errors = { name: ['Taken.', 'Too short.'] }
    fakeServer({ 'POST /api/apis': () => refuse('request.invalid', errors) })
    const error = await failureOf(
      call('POST /api/apis', {
        body: { name: '', api_protocol: '', gateway_status: '', api_access: '' },
      }),
    )
    expect(error).toMatchObject({
      status: 422,
      code: 'request.invalid',
      message: 'Validation errors occurred!',
      errors,
      requestId,
    })
  })

  test('an answer that is not ours is reported by its status, not shown', async () => {
    fakeServer({ 'GET /api/auth': () => new Response('<h1>Bad gateway</h1>', { status: 502 }) })
    const error = await failureOf(call('GET /api/auth'))
    expect(error).toMatchObject({ status: 502, code: 'answer.unreadable' })
    expect(error.message).not.toContain('<h1>')
  })

  test('a missing answer is a failure with a clear message', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    const error = await failureOf(call('GET /api/auth'))
    expect(error).toMatchObject({ status: 0, code: 'network.failed' })
    expect(error.message).toMatch(/could not be reached/)
  })

  test('an aborted call rejects with the abort, which is no failure', async () => {
    const controller = new AbortController()
    vi.stubGlobal('fetch', (_: string, init: RequestInit) => {
      controller.abort()
      return Promise.reject(init.signal?.reason as Error)
    })
    const error: unknown = await call('GET /api/auth', { signal: controller.signal }).catch(
      (error: unknown) => error,
    )
    expect(isAbort(error)).toBe(true)
  })
})

describe('a 401', () => {
  test('ends the session', async () => {
    writeToken('old')
    fakeServer({ 'GET /api/auth': () => refuse('session.unauthenticated') })
    await failureOf(call('GET /api/auth'))
    expect(readToken()).toBeNull()
  })

  test('of a failed login leaves the token alone', async () => {
    writeToken('kept')
    fakeServer({ 'POST /api/login': () => refuse('session.invalid_credentials') })
    await failureOf(call('POST /api/login', { body: { email: 'a', password: 'b' } }))
    expect(readToken()).toBe('kept')
  })

  test('that belongs to an earlier session does not end the present one', async () => {
    writeToken('old')
    fakeServer({
      'GET /api/auth': () => {
        writeToken('new')
        return refuse('session.unauthenticated')
      },
    })
    await failureOf(call('GET /api/auth'))
    expect(readToken()).toBe('new')
    removeToken()
  })
})

test('the contract decides what may be passed and what comes back', () => {
  expectTypeOf(call<'GET /api/auth'>).returns.resolves.toEqualTypeOf<{
    user: SessionUser
    language?: Language | null | undefined
    has_password?: boolean | undefined
  }>()
  expectTypeOf(call<'POST /api/logout'>).returns.resolves.toEqualTypeOf<undefined>()
  const neverCalled = () => [
    // @ts-expect-error -- the parameter was forgotten
    call('DELETE /api/apis/:id'),
    // @ts-expect-error -- the parameter has another name
    call('DELETE /api/apis/:id', { params: { api: 1 } }),
    // @ts-expect-error -- there is no such call
    call('PATCH /api/apis/:id', { params: { id: 1 } }),
    // @ts-expect-error -- bytes are no JSON
    call('POST /api/post/image', { body: {} }),
    // @ts-expect-error -- there is no such column
    call('GET /api/apis', { query: { sort: 'password' } }),
  ]
  expect(neverCalled).toBeTypeOf('function')
})

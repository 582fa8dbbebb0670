import { stringify, type ParsedUrlQueryInput } from 'node:querystring'
import { routes, type Route } from '@gatehouse/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { buildServer, procedureApi, type TestServer } from '../../../test/servers/build-server.ts'
import { configure } from '../../../test/rows/full-configuration.ts'
import { samplesOf, wrongTextsOf, wrongVersionsOf } from '../../../test/rows/wrong-values.ts'
import { InvalidInput, validatorCompiler } from '../validation.ts'

// Every call, each part of what it takes replaced by what it can't be: refused, never a 500. What a schema
// refuses is tried on the schema alone, which costs little; what it lets pass is sent.

let server: TestServer
/** Bodies that the screens send, by method and path. The checks across fields are reached with them. */
const rightBodies: Record<string, unknown[]> = {}
const ids: Record<string, number> = {}

beforeAll(async () => {
  server = await buildServer()
  await configure({
    ...server,
    send: (method, url, options) => {
      const noun = url.replace(/\/\d+(?=\/|$)/g, '/:id')
      const { body } = options ?? {}
      for (const key of [`${method} ${noun}`, `PUT ${noun}/:id`])
        (rightBodies[key] ??= []).push(body)
      return server.send(method, url, options)
    },
  })
  Object.assign(rightBodies, otherRightBodies)
  // Nothing outside of this machine is called.
  await server.db.updateTable('api').set({ api_url: 'http://127.0.0.1:9' }).execute()
  ids['user'] = (await server.buildUser()).id
  const cashiers = server.db.selectFrom('role').select('id').where('name', '=', 'Cashiers')
  ids['role'] = ids['api-permission'] = (await cashiers.executeTakeFirstOrThrow()).id
})
afterAll(() => server.close())

const password = 'correct horse battery'
const user = {
  name: 'Somebody',
  email: 'somebody@example.com',
  username: 'somebody',
  password,
  password_confirmation: password,
  roles: ['Auditor'],
}
const bundle = {
  endpoint_1: { end_point: 1, body: '{}', token: '', test_invoice: false },
  endpoint_2: { end_point: 1, body: '{}', token: '', dependency_field: 'id' },
}
/** Of calls that change nothing of the configuration. */
const otherRightBodies: Record<string, unknown[]> = {
  'POST /api/apis/test-connection': [procedureApi({ host: '127.0.0.1', port: '9' })],
  'POST /api/user': [user],
  'PUT /api/user/:id': [user],
  'PUT /api/password': [{ current_password: 'no', password, password_confirmation: password }],
  'POST /api/tax': [bundle],
  'POST /api/credit/tax': [bundle],
  'POST /api/tax/preview': [bundle],
  'POST /api/credit/tax/preview': [bundle],
  'POST /api/post/image': [{ base64: 'a text', width: '100', height: '', isQrCode: true }],
}

type Part = 'body' | 'querystring' | 'params'

/** Words of the schema library, which name its types and not the field. */
const libraryWords = /^(Invalid|Too (big|small)|Unrecognized|Expected)\b/

/** Whether the schema of a route refuses it. Throws where it fails, or says it in words of the library. */
function isRefused(schema: unknown, part: Part, value: unknown): boolean {
  const validate = validatorCompiler({
    schema: schema as z.ZodType,
    httpPart: part,
    method: '',
    url: '',
  })
  const { error } = validate(value) as { error?: unknown }
  if (error === undefined) return false
  if (!(error instanceof InvalidInput)) throw error
  const foreign = Object.entries(error.fields).filter(([, words]) =>
    words.some((each) => libraryWords.test(each)),
  )
  if (foreign.length > 0) throw new Error(JSON.stringify(foreign))
  return true
}

interface Sent {
  url?: string
  body?: unknown
}

/** What a caller with every permission is answered; undefined where that is no failure of ours. */
async function failureOf(route: Route, { url = urlOf(route), body }: Sent) {
  const answer = await server.app.inject({
    method: route.method,
    url,
    headers: {
      authorization: `Bearer ${server.admin.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  })
  if (answer.statusCode < 500 || isAboutUpstream(answer.body)) return undefined
  return { url, body: JSON.stringify(body)?.slice(0, 300), answer: answer.body }
}

function urlOf({ path }: Route): string {
  const noun = path.split('/')[2] ?? ''
  return path
    .replace(/:(slug|name)/g, path.startsWith('/hooks') ? 'salla-orders' : 'invoices')
    .replace(/:\w+/g, String(ids[noun] ?? 1))
}

/** An upstream that is not there is a 502, rightly. */
const isAboutUpstream = (answer: string) =>
  /"code":"(upstream|procedure|run|gateway|sign_on)\./.test(answer)

/** Each is tried on the schema, and as many as this of those that it lets pass are sent, evenly chosen. */
const sentMax = 16

async function failuresOf(
  route: Route,
  part: Part,
  tries: Iterable<unknown>,
  send: (value: unknown) => Sent,
) {
  const schema = { body: route.body, querystring: route.query, params: route.params }[part]
  let known = triedOn.get(schema)
  if (!known) triedOn.set(schema, (known = triesOn(schema, part, tries)))
  const { failed, passed } = known
  const unfit: unknown[] = [...failed]
  const step = Math.max(1, Math.floor(passed.length / sentMax))
  for (const [at, value] of passed.entries())
    if (at % step === 0) unfit.push(await failureOf(route, send(value)))
  return unfit.filter((each) => each !== undefined)
}

/** Routes share schemas, and some are large. */
const triedOn = new Map<unknown, ReturnType<typeof triesOn>>()

function triesOn(schema: unknown, part: Part, tries: Iterable<unknown>) {
  const failed: unknown[] = []
  const passed: unknown[] = []
  for (const value of tries)
    try {
      if (!isRefused(schema, part, value)) passed.push(value)
    } catch (error) {
      failed.push({ value: JSON.stringify(value)?.slice(0, 300), error: String(error) })
    }
  return { failed, passed }
}

const all: readonly Route[] = routes

const named = (some: readonly Route[]) =>
  some.map((route) => [`${route.method} ${route.path}`, route] as const)

describe('never a 500, and never the words of a library', () => {
  it.each(named(all.filter(({ body }) => body)))('for a wrong body of %s', async (key, route) => {
    const bodies = [...(rightBodies[key] ?? []), ...samplesOf(route.body)]
    const tries = wrongVersionsOf(bodies)
    expect(await failuresOf(route, 'body', tries, (body) => ({ body }))).toEqual([])
  })

  it.each(named(all.filter(({ query }) => query)))('for a wrong query of %s', async (_, route) => {
    const send = (query: unknown) => ({
      url: `${urlOf(route)}?${stringify(query as ParsedUrlQueryInput)}`,
    })
    expect(await failuresOf(route, 'querystring', wrongTextsOf(route.query), send)).toEqual([])
  })

  it.each(named(all.filter(({ params }) => params)))(
    'for a wrong place in the path of %s',
    async (_, route) => {
      const send = (params: unknown) => ({
        url: route.path.replace(/:(\w+)/g, (_all, name: string) =>
          encodeURIComponent((params as Record<string, string>)[name] ?? ''),
        ),
        ...(route.body ? { body: {} } : {}),
      })
      expect(await failuresOf(route, 'params', wrongTextsOf(route.params), send)).toEqual([])
    },
  )

  it('and the caller of all of them is still signed in', async () => {
    const { status } = await server.send('GET', '/api/auth', { token: server.admin.token })
    expect(status).toBe(200)
  })
})

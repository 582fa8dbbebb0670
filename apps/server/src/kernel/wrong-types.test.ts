import { routes, type Route } from '@gatehouse/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  buildServer,
  endpointOf,
  httpApi,
  procedureApi,
  type TestServer,
} from '../../test/build-server.ts'

// Every call that takes a body, each part of it replaced by what it can't be: refused, never a 500.
let server: TestServer
const ids = { api: 0, endpoint: 0 }

beforeAll(async () => {
  server = await buildServer()
  const create = async (url: string, body: unknown) =>
    ((await server.send('POST', url, { token: server.admin.token, body })).body as { id: number })
      .id
  ids.api = await create('/api/apis', httpApi())
  ids.endpoint = await create('/api/endpoint', endpointOf(ids.api))
})
afterAll(() => server.close())

const wrongValues: readonly unknown[] = [
  7,
  -1.5,
  2 ** 31,
  Number.MAX_SAFE_INTEGER,
  1e300,
  true,
  null,
  {},
  { url: {} },
  { toString: 1 },
  [],
  [{}],
  [[null]],
  'x'.repeat(20_000),
  'a\u0000b',
  '\ud800',
  '__proto__',
]

/** Bodies that are right, so that the checks across fields are reached too. */
const rightBodies: Record<string, () => Record<string, unknown>> = {
  'POST /api/apis': () => httpApi({ traffic_policy: policy }),
  'PUT /api/apis/:id': () => httpApi({ traffic_policy: policy }),
  'POST /api/apis/test-connection': () => procedureApi({ host: '127.0.0.1', port: '9' }),
  'POST /api/endpoint': () => outputOf(ids.api),
  'PUT /api/endpoint/:id': () => outputOf(ids.api),
  'POST /api/user': () => user,
  'PUT /api/user/:id': () => user,
  'PUT /api/password': () => ({
    current_password: 'no',
    password,
    password_confirmation: password,
  }),
  'POST /api/role': () => ({ name: 'Tills', permissions: ['api.view'] }),
  'PUT /api/role/:id': () => ({ name: 'Tills', permissions: ['api.view'] }),
  'POST /api/tax': () => bundle(),
  'POST /api/credit/tax': () => bundle(),
  'POST /api/tax/preview': () => bundle(),
  'POST /api/credit/tax/preview': () => bundle(),
  'POST /api/post/image': () => ({ base64: 'a text', width: '100', height: '', isQrCode: true }),
}

const password = 'correct horse battery'
const user = {
  name: 'Somebody',
  email: 'somebody@example.com',
  username: 'somebody',
  password,
  password_confirmation: password,
  roles: ['Auditor'],
}
const policy = {
  retries: { attempts: 1, backoff_ms: 10 },
  cors: {
    origins: ['https://pos.example.com'],
    headers: ['x-one'],
    exposed_headers: [],
    allow_credentials: true,
    max_age_seconds: 60,
  },
  targets: {
    own_weight: 1,
    others: [{ url: 'http://127.0.0.1:10', weight: 1 }],
    health_check: null,
  },
}
const rule = {
  statuses: '200',
  join: 'all',
  conditions: [{ path: 'a', test: 'equals', value: 'b' }],
}
const outputOf = (apiId: number) =>
  endpointOf(apiId, {
    enable_custom_output: 1,
    custom_output: '{"a":"{{body.a}}"}',
    run_settings: {
      success_rule: rule,
      duplicate_safe_hours: 5,
      is_duplicate_safe: true,
      reference_path: 'id',
    },
  })
const bundle = () => ({
  endpoint_1: { end_point: ids.endpoint, body: '{}', token: '', test_invoice: false },
  endpoint_2: { end_point: ids.endpoint, body: '{}', token: '', dependency_field: 'id' },
})

const withBody: readonly Route[] = routes.filter((route) => 'body' in route)

/** Words of the schema library, which name its types and not the field. */
const libraryWords = /^(Invalid|Too (big|small)|Unrecognized|Expected)\b/

describe('never a 500, and never the words of a library', () => {
  it.each(withBody.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s',
    async (key, route) => {
      const right = rightBodies[key]?.() ?? {}
      const failed: unknown[] = []
      for (const body of bodiesFor(fieldsOf(route.body), right)) {
        const answer = await send(route, body)
        if (answer.status >= 500 && !isAboutUpstream(answer.body))
          failed.push({ body: JSON.stringify(body).slice(0, 200), answer: answer.text })
        const { errors = {} } = (answer.body ?? {}) as { errors?: Record<string, string[]> }
        failed.push(
          ...Object.entries(errors).filter(([, words]) =>
            words.some((each) => libraryWords.test(each)),
          ),
        )
      }
      expect(failed).toEqual([])
    },
    120_000,
  )
})

function send({ method, path }: Route, body: unknown) {
  const id = path.includes('endpoint') ? ids.endpoint : ids.api
  const url = path.replace(/:\w+/g, String(path.includes('apis') ? ids.api : id))
  return server.send(method, url, { token: server.admin.token, body })
}

/** An upstream that is not there is a 502, rightly. */
const isAboutUpstream = (body: unknown) =>
  /^(upstream|procedure|run|gateway)\./.test((body as { code?: string } | undefined)?.code ?? '')

/** The whole, each field alone, and each place of a right body replaced. */
function* bodiesFor(fields: string[], right: Record<string, unknown>): Generator {
  yield* wrongValues
  for (const value of wrongValues) {
    for (const field of fields) yield { [field]: value }
    for (const place of placesIn(right)) yield replaced(right, place, value)
  }
}

type Place = readonly (string | number)[]

function placesIn(value: unknown, place: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [place]
  const below = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  const inner = below.flatMap(([key, each]) => placesIn(each, [...place, key]))
  return place.length === 0 ? inner : [place, ...inner]
}

function replaced(right: unknown, place: Place, value: unknown): unknown {
  const copy = structuredClone(right)
  const holder = place
    .slice(0, -1)
    .reduce((each, key) => (each as Record<string, unknown>)[key], copy)
  ;(holder as Record<string, unknown>)[place.at(-1) ?? ''] = value
  return copy
}

function fieldsOf(schema: unknown): string[] {
  const json = z.toJSONSchema(schema as z.ZodType, { io: 'input', unrepresentable: 'any' })
  return namesIn(json)
}

function namesIn(json: z.core.JSONSchema.BaseSchema): string[] {
  const parts = [...(json.anyOf ?? []), ...(json.allOf ?? []), ...(json.oneOf ?? [])]
  const names = [
    ...Object.keys(json.properties ?? {}),
    ...parts.flatMap((part) => (typeof part === 'object' ? namesIn(part) : [])),
  ]
  return [...new Set(names)]
}

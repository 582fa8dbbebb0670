import fc from 'fast-check'
import { expect } from 'vitest'
import { modernMeta, type Answered } from './agent-gateway.ts'

type Post = (
  body: string,
  asked?: { path?: string; headers?: Record<string, string> },
) => Promise<Answered>

const value = fc.jsonValue({ maxDepth: 4 })
const text = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.constantFrom('\u0000', '\ud800', '..', 'a/b', '%2f', '1e999', 'é'.repeat(80)),
)

/** Mostly as it should be, and now and then anything. */
const mostly = (usual: fc.Arbitrary<unknown>, other: fc.Arbitrary<unknown> = value) =>
  fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: other })

const toolNames = fc.constantFrom('sales_orders', 'sales_new')
const otherNames = fc.constantFrom('x', '', '__proto__', 'run_status')

const givenArguments = fc.oneof(
  fc.record(
    { id: fc.oneof(text, value), page: fc.oneof(text, value), 'X-No': fc.oneof(text, value) },
    { requiredKeys: ['id'] },
  ),
  fc.record({ body: value }),
  fc.dictionary(fc.constantFrom('id', 'body', '__proto__', 'constructor'), fc.oneof(value, text)),
)

const methods = fc.constantFrom(
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'tools/call',
  'tools/call',
  'server/discover',
  'notifications/initialized',
  'subscriptions/listen',
)

const message = fc
  .record({
    id: mostly(fc.oneof(fc.integer(), fc.string({ maxLength: 8 }))),
    method: mostly(methods, fc.oneof(text, value)),
    name: mostly(toolNames, otherNames),
    given: mostly(givenArguments),
    cursor: fc.option(fc.oneof(text, value), { nil: undefined, freq: 5 }),
    meta: fc.option(mostly(fc.constant(modernMeta)), { nil: undefined }),
    jsonrpc: mostly(fc.constant('2.0')),
  })
  .map(({ id, method, name, given, cursor, meta, jsonrpc }) => ({
    method,
    name,
    isModern: meta === modernMeta,
    body: JSON.stringify({
      jsonrpc,
      id,
      method,
      params: { name, arguments: given, cursor, _meta: meta },
    }),
  }))

/** A character that is changed, in one of ten. */
const change = fc.option(
  fc.tuple(fc.nat(), fc.constantFrom('"', '{', '}', '\\', ',', '9', '\u0000')),
  { nil: null, freq: 1 },
)

const sent = fc
  .tuple(
    message,
    mostly(fc.constant(null), change),
    fc.constantFrom('/mcp', '/mcp/sales'),
    fc.nat(9),
  )
  .map(([{ method, name, isModern, body }, changed, path, dice]) => {
    const headers = isModern && dice > 0 ? headersFor(method, name) : {}
    if (changed === null || !Array.isArray(changed)) return { body, headers, path }
    const [at, character] = changed as [number, string]
    const place = at % body.length
    return { body: body.slice(0, place) + character + body.slice(place + 1), headers, path }
  })

const headersFor = (method: unknown, name: unknown): Record<string, string> => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': typeof method === 'string' && /^[a-z/]+$/.test(method) ? method : 'x',
  'mcp-name': typeof name === 'string' && /^\w+$/.test(name) ? name : 'x',
})

/**
 * Sends so many random messages. Each is answered, none by a fault of ours, and each by a message of JSON-RPC unless
 * it needs no answer or comes too often. Returns how often each status came.
 */
export async function sendRandomMessages(post: Post, count: number): Promise<Map<number, number>> {
  const seen = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(sent, async ({ body, headers, path }) => {
      const { status, text: answered } = await post(body, { path, headers })
      seen.set(status, (seen.get(status) ?? 0) + 1)
      expect([200, 202, 400, 404, 429], answered).toContain(status)
      if (status !== 202 && status !== 429)
        expect(JSON.parse(answered)).toMatchObject({ jsonrpc: '2.0' })
      expect(answered).not.toMatch(/gateway\.failed|TypeError|at \/|\.ts:\d/)
    }),
    { numRuns: count },
  )
  return seen
}

import { createAddressGuard } from '@gatehouse/upstream/http'
import { noTrafficPolicy, withChanges } from '@gatehouse/contract/gateway'
import type { ConfigSnapshot, SnapshotChanges, SnapshotEndpoint } from '@gatehouse/contract/gateway'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SnapshotHolder } from '../exchange/snapshot-holder.ts'
import { createTrafficPolicies } from '../policy/traffic-policies.ts'
import { TokenSlots } from '../sign-in/token-slots.ts'
import {
  buildApi,
  buildEndpoint,
  buildSnapshot,
  buildToken,
  clientToken,
} from '../testing/build-snapshot.ts'
import { UpstreamOrigins } from './upstream-origins.ts'

function openHolder() {
  const guard = createAddressGuard({ allow: [], deny: [], own: () => [] })
  return new SnapshotHolder({
    slots: new TokenSlots(() => {}),
    origins: new UpstreamOrigins({ guard }),
    compilePolicy: createTrafficPolicies().compile,
  })
}

const noChange = (base: ConfigSnapshot): SnapshotChanges => ({
  format: base.format,
  base: { revision: base.revision, mark: base.mark },
  revision: base.revision + 1,
  mark: `after ${base.mark}`,
  built_at: base.built_at,
  apis: [],
  removed_apis: [],
  endpoints: [],
  removed_endpoints: [],
  tokens: [],
  removed_tokens: [],
  issuers: [],
  removed_issuers: [],
  access: [],
  removed_roles: [],
  super_admin_role_id: base.super_admin_role_id,
})

/** What one configuration has that the other has not. */
function changesTo(base: ConfigSnapshot, next: ConfigSnapshot): SnapshotChanges {
  const diff = <T>(before: T[], after: T[], idOf: (part: T) => number) => {
    const texts = new Map(before.map((part) => [idOf(part), JSON.stringify(part)]))
    const left = new Set(after.map(idOf))
    return [
      after.filter((part) => texts.get(idOf(part)) !== JSON.stringify(part)),
      [...texts.keys()].filter((id) => !left.has(id)),
    ] as const
  }
  const byId = (part: { id: number }) => part.id
  const [apis, removed_apis] = diff(base.apis, next.apis, byId)
  const [endpoints, removed_endpoints] = diff(base.endpoints, next.endpoints, byId)
  const [tokens, removed_tokens] = diff(base.tokens, next.tokens, byId)
  const [access, removed_roles] = diff(base.access, next.access, (part) => part.role_id)
  const { revision, mark, super_admin_role_id } = next
  const routes = { apis, removed_apis: [...removed_apis], endpoints }
  const rights = { tokens, removed_tokens: [...removed_tokens], access }
  return {
    ...noChange(base),
    revision,
    mark,
    super_admin_role_id,
    ...routes,
    ...rights,
    removed_endpoints: [...removed_endpoints],
    removed_roles: [...removed_roles],
  }
}

const contexts = ['a', 'b', 'a/x', 'b/x']
const paths = ['/x', '/x/{id}', '/x/{other}', '/{id}', '/y', '/x/y']
const methods = ['GET', 'POST'] as const

/** Everything that a request can find. */
function answersOf({ current }: SnapshotHolder) {
  const { routes, callers } = current!.snapshot
  const found = contexts.flatMap((context) =>
    ['/x', '/x/1', '/1', '/y', '/x/y', '/x/x', '/x/x/1'].flatMap((path) =>
      methods.map((method) => {
        const full = `/${context}${path}`
        const exact = routes.exact(method, full)
        const { route, params } = routes.find(method, full.slice(1).split('/')) ?? {}
        const policy = route && current!.policies[route.api.index]
        return [method, full, exact?.config, route?.config, params, route?.api.config, !policy]
      }),
    ),
  )
  return { found, token: callers.tokens.find(`Bearer ${clientToken}`) }
}

const headers = fc.constantFrom<SnapshotEndpoint['static_headers']>(
  [],
  [{ name: 'X-Own', value: '1' }],
)
const policies = fc.constantFrom(noTrafficPolicy, {
  ...noTrafficPolicy,
  max_body_bytes: 100,
})
const snapshots = fc
  .record({
    apis: fc.uniqueArray(
      fc.record({
        id: fc.integer({ min: 1, max: 4 }),
        context: fc.constantFrom(...contexts),
        policies,
      }),
      { selector: ({ id }) => id },
    ),
    endpoints: fc.uniqueArray(
      fc.record({
        id: fc.integer({ min: 1, max: 12 }),
        api: fc.integer({ min: 1, max: 4 }),
        method: fc.constantFrom(...methods),
        path: fc.constantFrom(...paths),
        headers,
      }),
      { selector: ({ id }) => id, maxLength: 12 },
    ),
    hasToken: fc.boolean(),
    access: fc.uniqueArray(fc.integer({ min: 1, max: 12 })),
  })
  .map(({ apis, endpoints, hasToken, access }) => {
    const taken = new Set<string>()
    const served = apis.flatMap(({ id, context, policies: policy }) => {
      if (taken.has(context)) return []
      taken.add(context)
      return [buildApi({ id, context, policy })]
    })
    return {
      apis: served,
      endpoints: endpoints
        .filter(({ api }) => served.some(({ id }) => id === api))
        .map(({ api, headers: static_headers, ...rest }) =>
          buildEndpoint({ ...rest, api_id: api, static_headers }),
        ),
      tokens: hasToken ? [buildToken({ role_ids: [2] })] : [],
      access: access.length > 0 ? [{ role_id: 2, endpoint_ids: access }] : [],
    }
  })

it('changes lead to what the whole configuration leads to, however many follow each other', () => {
  fc.assert(
    fc.property(fc.array(snapshots, { minLength: 2, maxLength: 6 }), (given) => {
      const all = given.map((parts, at) =>
        buildSnapshot({ ...parts, revision: at + 1, mark: `mark ${at}` }),
      )
      const step = openHolder()
      expect(step.swap(all[0])).toMatchObject({ ok: true })
      for (const [at, next] of all.entries()) {
        if (at === 0) continue
        const changes = changesTo(all[at - 1]!, next)
        expect(step.change(JSON.parse(JSON.stringify(changes)))).toEqual({
          ok: true,
          revision: next.revision,
          mark: next.mark,
        })
        const whole = openHolder()
        whole.swap(next)
        expect(answersOf(step)).toEqual(answersOf(whole))
        whole.close()
      }
      step.close()
    }),
    { numRuns: 60 },
  )
})

describe('changes that can’t be used are refused, and the snapshot before stays in force', () => {
  const base = buildSnapshot()
  const changes = noChange(base)
  it.each([
    ['of another revision', { base: { revision: 7, mark: 'first' } }, 'It changes revision 7'],
    ['of another mark', { base: { revision: 1, mark: 'other' } }, 'It changes revision 1'],
    ['of another shape', { endpoints: 'none' }, 'endpoints: '],
    ['with a context that is taken', { apis: [buildApi({ id: 2 })] }, 'The context sales is in it'],
    [
      'with a reserved context',
      { apis: [buildApi({ context: 'healthz' })] },
      'The context of API 1',
    ],
    ['with a path that is none', { endpoints: [buildEndpoint({ path: 'x' })] }, 'Endpoint 1: '],
    [
      'with an endpoint of no API',
      { endpoints: [buildEndpoint({ api_id: 9 })] },
      'Endpoint 1 belo',
    ],
    ['that leave an endpoint without its API', { removed_apis: [1] }, 'Endpoint 1 belongs to no'],
    ['with an endpoint twice', { endpoints: [buildEndpoint()], removed_endpoints: [1] }, 'An endp'],
  ])('%s', (_name, parts, reason) => {
    const holder = openHolder()
    holder.swap(base)
    const before = answersOf(holder)
    const { current } = holder
    expect(holder.change({ ...changes, ...parts })).toMatchObject({
      ok: false,
      reason: expect.stringContaining(reason) as string,
    })
    expect(holder.current).toBe(current)
    expect(answersOf(holder)).toEqual(before)
  })

  it('before there is any', () => {
    expect(openHolder().change(changes)).toMatchObject({ ok: false, revision: null })
  })
})

it('a revoked token is refused, and the index of the others stays where no right changes', () => {
  const base = buildSnapshot()
  const holder = openHolder()
  holder.swap(base)
  const { tokens } = holder.current!.snapshot.callers
  const added = { ...noChange(base), endpoints: [buildEndpoint({ id: 2, path: '/two' })] }
  holder.change(added)
  expect(holder.current!.snapshot.callers.tokens).toBe(tokens)
  const next = withChanges(base, added)
  holder.change({ ...noChange(next), removed_tokens: [1] })
  expect(holder.current!.snapshot.callers.tokens.find(`Bearer ${clientToken}`)).toBeNull()
})

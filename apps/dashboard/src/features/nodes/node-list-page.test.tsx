import { screen, within } from '@testing-library/react'
import type { NodeList, NodeRecord } from '@gatehouse/contract'
import { expect, test } from 'vitest'
import { refuse } from '../../testing/fake-server.ts'
import { renderApp } from '../../testing/render-app.tsx'

const path = '/dashboard/admin/nodes'

const buildNode = (changes: Partial<NodeRecord> = {}): NodeRecord => ({
  id: '5b0e7a52-0000-4000-8000-000000000001',
  name: 'erp-gateway-1',
  version: '0.1.0',
  role: 'all',
  life: 'alive',
  is_this: true,
  started_at: '2026-06-01T08:00:00.000Z',
  seen_at: '2026-06-01T09:00:00.000Z',
  silent_seconds: 2,
  is_current: true,
  leads: [],
  state: {
    revision: 12,
    mark: 'eV3nT1',
    refusal: null,
    isolated_apis: 0,
    workers: { serving: 4, total: 4 },
    in_flight: 1,
    load: 0.25,
    clock: { offset_ms: 12, error_ms: 1 },
    disk: { path: '/data', free_bytes: 412.3e9, total_bytes: 500e9 },
    open_breakers: [],
    limits: null,
    lost_requests: 0,
    ends: [],
  },
  ...changes,
})

const show = (...nodes: NodeRecord[]) =>
  renderApp({
    path,
    answers: { 'GET /api/nodes': (): NodeList => ({ revision: 12, mark: 'eV3nT1', nodes }) },
  })
const row = async (name: string) => {
  const found = (await screen.findByText(name)).closest('tr')
  if (!found) throw new Error(`${name} is in no row.`)
  return { all: found, ...within(found) }
}

test('a server that lives shows what it runs on and how it does', async () => {
  show(buildNode())
  const { all } = await row('erp-gateway-1')
  for (const text of ['this one', 'Running', '12', '4 workers', '1 request now', 'load 25\u00a0%'])
    expect(all.textContent).toContain(text)
  expect(all.textContent).toContain('clock is right')
  expect(all.textContent).not.toContain('not the stored one')
  expect(all.dataset['faded']).toBeUndefined()
})

test('a server that refuses a configuration says why, and one on another says so', async () => {
  const state = buildNode().state!
  const refusal = { revision: 12, reason: 'Two are alike.', at: '2026-06-01T08:00:00.000Z' }
  show(
    buildNode({ is_current: false, state: { ...state, revision: 11, refusal, isolated_apis: 2 } }),
  )
  const { all } = await row('erp-gateway-1')
  expect(all.textContent).toContain('11not the stored one')
  expect(all.textContent).toContain('12 refused: Two are alike.')
  expect(all.textContent).toContain('2 APIs are isolated')
})

test('a silent server fades, and nothing is claimed of one that has said nothing', async () => {
  show(
    buildNode(),
    buildNode({ id: 'two', name: 'dead', life: 'silent', is_this: false, silent_seconds: 7_300 }),
    buildNode({ id: 'three', name: 'older', state: null, is_this: false }),
  )
  const dead = await row('dead')
  expect(dead.all.dataset['faded']).toBe('true')
  expect(dead.all.textContent).toContain('seen 2 h ago')
  const older = await row('older')
  expect(older.getAllByText('–')).toHaveLength(4)
})

test('shows what one server does for all of them, and what a part does', async () => {
  show(
    buildNode({ leads: [{ duty: 'search words', since: '2026-06-01T08:30:00.000Z' }] }),
    buildNode({ id: 'two', name: 'edge', is_this: false, role: 'gateway' }),
  )
  const leader = await row('erp-gateway-1')
  expect(leader.all.textContent).toContain('Search index since')
  const edge = await row('edge')
  expect(edge.all.textContent).toContain('gateway alone')
  expect(edge.getAllByText('–')).toHaveLength(1)
})

test('the room on its disk and the breakers that are open there are shown', async () => {
  const state = buildNode().state!
  const disk = { path: '/srv/gatehouse', free_bytes: 4.25e9, total_bytes: 500e9 }
  const open_breakers = [{ api_id: 1, since: '2026-06-01T08:00:00.000Z', workers: 2 }]
  show(
    buildNode(),
    buildNode({
      id: 'two',
      name: 'full',
      is_this: false,
      state: { ...state, disk, open_breakers },
    }),
    buildNode({ id: 'three', name: 'unmeasured', is_this: false, state: { ...state, disk: null } }),
  )
  const roomy = await row('erp-gateway-1')
  expect(roomy.getByText('412.3 GB free (82 %)').title).toBe('/data')
  expect(roomy.all.textContent).not.toContain('breaker')
  const full = await row('full')
  expect(full.getByText('4.3 GB free (1 %)').title).toBe('/srv/gatehouse')
  expect(full.getByText('1 circuit breaker open')).toBeTruthy()
  expect((await row('unmeasured')).getByText('free disk not known')).toBeTruthy()
})

const limitsOf = (state: 'off' | 'shared' | 'away' | 'joining', servers: number) => ({
  state,
  servers,
  reason: state === 'away' ? 'connect ECONNREFUSED 10.0.0.9:6379' : null,
  since: '2026-06-01T08:00:00.000Z',
  times_away: 1,
})
const withLimits = (name: string, limits: ReturnType<typeof limitsOf>) =>
  buildNode({ id: name, name, is_this: false, state: { ...buildNode().state!, limits } })

test('a gateway that could not report its figures says how many requests they lack', async () => {
  const state = { ...buildNode().state!, lost_requests: 12_345 }
  show(buildNode(), buildNode({ id: 'edge', name: 'edge', role: 'gateway', state }))
  expect((await row('edge')).all.textContent).toContain('figures lack 12,345 requests')
  expect((await row('erp-gateway-1')).all.textContent).not.toContain('figures lack')
})

test('a server whose parts were started again says how often, and why last', async () => {
  const end = { part: 'control', at: '2026-06-01T08:00:00.000Z', reason: 'exit code 1' } as const
  const state = { ...buildNode().state!, ends: [end, { ...end, reason: 'SIGKILL' }] }
  show(buildNode(), buildNode({ id: 'edge', name: 'edge', state }))
  await row('edge')
  expect(screen.getByText('parts ended 2 times').title).toBe('SIGKILL')
  expect((await row('erp-gateway-1')).all.textContent).not.toContain('ended')
})

test('a server that counts limits in Redis says so, and nothing more', async () => {
  show(withLimits('one', limitsOf('shared', 2)), withLimits('two', limitsOf('shared', 2)))
  expect((await row('one')).all.textContent).toContain('limits in Redis')
  expect(screen.queryByText(/Rate limits count on each/)).toBeNull()
})

test('without Redis several servers say which part of a limit each lets through', async () => {
  show(withLimits('one', limitsOf('off', 2)), withLimits('two', limitsOf('off', 2)))
  expect((await row('one')).all.textContent).toContain('1/2 of limits')
  await screen.findByText('Rate limits count on each server separately.')
})

test('one server without Redis says nothing of limits', async () => {
  show(withLimits('one', limitsOf('off', 1)))
  expect((await row('one')).all.textContent).not.toContain('limits')
  expect(screen.queryByText(/Rate limits count on each/)).toBeNull()
})

test('a server that Redis is away from says so and why', async () => {
  show(withLimits('one', limitsOf('away', 3)), withLimits('two', limitsOf('shared', 3)))
  expect((await row('one')).all.textContent).toContain('Redis is away, 1/3 of limits')
  await screen.findByText('Redis is away from a server that runs.')
  await screen.findByText(/ECONNREFUSED 10.0.0.9:6379/)
})

test('says that no server has given a sign of life', async () => {
  show()
  expect(await screen.findByText('No server has given a sign of life yet')).toBeTruthy()
})

test('a list that could not be loaded says so', async () => {
  renderApp({ path, answers: { 'GET /api/nodes': () => refuse('server.failed') } })
  expect(await screen.findByText('The nodes could not be loaded.')).toBeTruthy()
})

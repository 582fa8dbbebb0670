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
  state: {
    revision: 12,
    mark: 'eV3nT1',
    refusal: null,
    isolated_apis: 0,
    workers: { serving: 4, total: 4 },
    in_flight: 1,
    load: 0.25,
    clock: { offset_ms: 12, error_ms: 1 },
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
  expect(older.getAllByText('–')).toHaveLength(3)
})

test('says that no server has given a sign of life', async () => {
  show()
  expect(await screen.findByText('No server has given a sign of life yet')).toBeTruthy()
})

test('a list that could not be loaded says so', async () => {
  renderApp({ path, answers: { 'GET /api/nodes': () => refuse('server.failed') } })
  expect(await screen.findByText('The nodes could not be loaded.')).toBeTruthy()
})

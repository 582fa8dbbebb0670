import { mkdtempSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, it } from 'vitest'
import { expectAccessible, openLacking, rowOf, startOwnJourney } from '../harness/journey.ts'
import { showScreen } from '../harness/open-as.ts'
import { openFromMenu } from '../harness/open-browser.ts'

// The servers that share a database. The other two are rows, as their signs of life would leave them.

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-nodes-'))
const journey = startOwnJourney({ DATA_DIR: folder })
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const state = {
  revision: 1,
  mark: 'of before',
  refusal: {
    revision: 2,
    reason: 'Worker 1: the context orders is in it twice.',
    at: '2026-06-01T08:00:00.000Z',
  },
  isolated_apis: 1,
  workers: { serving: 3, total: 4 },
  in_flight: 12,
  load: 0.42,
  clock: { offset_ms: -120_345, error_ms: 2 },
}

/** The row of a server that was seen so many minutes ago. */
function addNode(name: string, minutesAgo: number) {
  const database = new DatabaseSync(join(folder, 'gatehouse.sqlite'))
  const seen = new Date(Date.now() - minutesAgo * 60_000).toISOString()
  database
    .prepare(
      `insert into node (instance_id, start_id, beat, place, name, version, role, started_at, seen_at, state)
       values (?, 'x', 7, '', ?, '0.1.0', 'all', ?, ?, ?)`,
    )
    .run(`${name}-instance`, name, seen, seen, JSON.stringify(state))
  database.close()
}

it('shows each server, what it runs on, and which is dead', async () => {
  const { page } = journey
  await openFromMenu(page, 'Nodes')
  const own = rowOf(page, hostname())
  await own.getByText('this one').waitFor()
  await own.getByText('Running').waitFor()
  await own.getByText('1 worker').waitFor()
  // Its first sign of life is older than its configuration.
  await own.getByText('not the stored one').waitFor({ state: 'detached' })
  expect(await page.getByRole('table').getByRole('row').count()).toBe(2)

  addNode('erp-gateway-2', -10)
  addNode('erp-gateway-3', 5)
  const behind = rowOf(page, 'erp-gateway-2')
  await behind.getByText('not the stored one').waitFor()
  await behind.getByText('2 refused: Worker 1: the context orders is in it twice.').waitFor()
  await behind.getByText('clock 120 s behind').waitFor()
  await behind.getByText('3 of 4 workers').waitFor()
  const dead = rowOf(page, 'erp-gateway-3')
  await dead.getByText('Silent').waitFor()
  await dead.getByText('seen 5 min ago').waitFor()
  expect(await dead.getAttribute('data-faded')).toBe('true')
  expect(await behind.getAttribute('data-faded')).toBeNull()
  await expectAccessible(page)
  expect(journey.complaints).toEqual([])
})

it('is not offered without the permission', async () => {
  const { page } = await openLacking(journey, 'node.view')
  await showScreen(page, '/dashboard')
  await page.getByRole('link', { name: 'Audit Trail' }).first().waitFor()
  expect(await page.getByRole('link', { name: 'Nodes' }).count()).toBe(0)
})

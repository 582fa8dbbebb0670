import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildPage } from '../../testing/builders.ts'
import { findEditor, typeInto } from '../../testing/build-request-screen.ts'
import { refuse, type Answers } from '../../testing/fake-server.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { buildRunDetail, buildRunRow } from '../../testing/run-builders.ts'
import { buildWorkflow, buildWorkflowRun } from '../../testing/workflow-builders.ts'

const path = '/dashboard/admin/workflows/7'
const sendKey = 'POST /api/workflows/:slug/runs'

const accessWorkflow = {
  id: 7,
  slug: 'sales',
  name: 'Sales invoices',
  kind: 'tax',
  status: 'active',
} as const

async function open(answers: Answers = {}) {
  const app = renderApp({
    path,
    answers: {
      'GET /api/workflows/:id': () => buildWorkflow(),
      'GET /api/runs': () => buildPage([]),
      'GET /api/workflows/:slug/batches': () => buildPage([]),
      'GET /api/schedules': () => buildPage([]),
      'GET /api/access/workflow/:id': () => ({ workflow: accessWorkflow, callers: [] }),
      'GET /api/role': () => buildPage([]),
      ...answers,
    },
  })
  await screen.findByRole('heading', { name: 'Sales invoices' })
  return app
}

test('its calls can be copied in four languages', async () => {
  const { browser } = await open()
  await browser.click(screen.getByText('Call it'))
  const curl = await screen.findByLabelText('Call in curl')
  expect(curl.textContent).toContain(`${location.origin}/api/workflows/sales/runs`)
  expect(curl.textContent).toContain('"number": "INV-1"')
  await browser.click(screen.getByRole('radio', { name: 'PHP' }))
  expect(screen.getByLabelText('Call in PHP').textContent).toContain('curl_init')
})

const holder = {
  user: { id: 7, name: 'Otto', email: 'otto@example.com' },
  allowed: true,
  reason: 'Granted by ERP.',
  grants: [],
  with_token: true,
  signed_in: false,
}
const holderOf = (id: number, name: string) => ({ ...holder, user: { ...holder.user, id, name } })

test.each([
  ['the signed-in user, who has access', [holderOf(4, 'Gateway client'), holderOf(1, 'Ada')], 1],
  ['the gateway client, who alone has access', [holder, holderOf(4, 'Gateway client')], 4],
  ['the first user with access', [holder, holderOf(8, 'Zoe')], 7],
  ['the signed-in user, where nobody has access', [], 1],
  ['the signed-in user, where no token opens it', [{ ...holder, with_token: false }], 1],
])('a token is offered for %s', async (_, callers, owner) => {
  const { browser } = await open({
    'GET /api/access/workflow/:id': () => ({ workflow: accessWorkflow, callers }),
  })
  await browser.click(screen.getByText('Call it'))
  const link = await screen.findByRole('link', { name: 'Get a token' })
  await waitFor(() =>
    expect(link.getAttribute('href')).toBe(`/dashboard/admin/personal-token?for=${owner}`),
  )
})

test('access that is missing is given where the call is shown', async () => {
  const updateKey = 'PUT /api/api-permission/:id/update'
  const erp = { id: 9, name: 'ERP', permissions_count: 0, users_count: 1 }
  const { server, browser } = await open({
    'GET /api/role': () => buildPage([erp]),
    'GET /api/role/:id/edit': () => refuse('role.not_found'),
    'GET /api/api-permission/:id/edit': () => ({
      role: { id: 9, name: 'ERP' },
      endpoints: [],
      selected: [],
      selected_count: 0,
      workflows: [],
      selected_workflows: [{ ...accessWorkflow, id: 3 }],
      version: 4,
      locked: null,
    }),
    [updateKey]: () => refuse('permission.denied'),
  })
  await browser.click(screen.getByText('Call it'))
  expect(await screen.findByText(/No token opens this workflow yet/)).toBeTruthy()
  const give = screen.getByRole('button', { name: 'Give access' })
  expect(give).toHaveProperty('disabled', true)
  await browser.click(screen.getByRole('combobox', { name: 'One more role' }))
  await browser.click(await screen.findByRole('option', { name: 'ERP' }))
  await browser.click(give)
  expect(await screen.findByText('Access was not given')).toBeTruthy()
  server.use({
    [updateKey]: () => noChange,
    'GET /api/access/workflow/:id': () => ({ workflow: accessWorkflow, callers: [holder] }),
  })
  await browser.click(give)
  expect(await screen.findByText('Access was given.')).toBeTruthy()
  expect(await screen.findByText('Otto')).toBeTruthy()
  // What the role had stays.
  expect(server.bodiesOf(updateKey).at(-1)).toEqual({
    difference: {},
    workflows: [3, 7],
    version: 4,
  })
})

const noChange = {
  opened: [],
  closed: [],
  opened_count: 0,
  closed_count: 0,
  opened_workflows: [],
  closed_workflows: [],
  users_count: 0,
}

test('an input that is sent by hand starts one run, its numbers as typed', async () => {
  const { server, browser, address } = await open({
    [sendKey]: () => refuse('request.invalid', { '/number': ['must be text'] }),
    'GET /api/runs/:id': () => buildRunDetail(),
  })
  await browser.click(screen.getByText('Send by hand'))
  typeInto(await findEditor('Input'), '{"number": 1.10}')
  const send = screen.getByRole('button', { name: 'Send' })
  await browser.click(send)
  expect(await screen.findByText('/number')).toBeTruthy()
  server.use({ [sendKey]: () => ({ run: buildWorkflowRun() }) })
  await browser.click(send)
  await waitFor(() => expect(address()).toBe('/dashboard/admin/runs/41'))
  const sent = server.requests.filter(({ key }) => key === sendKey)
  expect(sent).toHaveLength(2)
  // A second try of the same input carries the same key.
  const keys = sent.map(({ headers }) => headers.get('idempotency-key'))
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
  expect(keys[1]).toBe(keys[0])
  expect(sent[0]?.headers.get('content-type')).toBe('application/json')
})

test('its runs are found by reference', async () => {
  const { server, browser } = await open({
    'GET /api/workflows/:slug/runs': () => ({ runs: [buildWorkflowRun()] }),
  })
  await browser.click(screen.getByText('Find its runs'))
  await browser.type(screen.getByRole('textbox', { name: 'Reference' }), 'INV-1{Enter}')
  const found = within(await screen.findByRole('list', { name: 'Runs found' }))
  expect(found.getByRole('link', { name: 'run 41' })).toBeTruthy()
  expect(found.getByText('Queued')).toBeTruthy()
  expect(server.requests.at(-1)?.query).toEqual({ reference: 'INV-1' })
})

test('an earlier version is compared with the one in force, and brought back', async () => {
  const row = (version: number, is_current: boolean) => ({
    version,
    created_at: '2026-11-01T09:00:00.000Z',
    user_name: 'Ada Admin',
    is_current,
    changes: ['reference_path'],
  })
  const restoreKey = 'POST /api/workflows/:id/versions/:version/restore'
  const { server, browser } = await open({
    'GET /api/workflows/:id/versions': () => buildPage([row(3, true), row(2, false)]),
    'GET /api/workflows/:id/versions/:version': () => ({
      ...row(2, false),
      definition: buildWorkflow({ reference_path: 'id' }),
    }),
    [restoreKey]: () => buildWorkflow({ version: 4 }),
  })
  await browser.click(screen.getByText('Versions'))
  await browser.click(await screen.findByRole('button', { name: 'Compare version 2' }))
  const diff = await screen.findByRole('region', { name: 'From version 2 to 3' })
  expect(diff.querySelector('del')?.textContent).toContain('reference_path: id')
  expect(diff.querySelector('ins')?.textContent).toContain('reference_path: number')
  await browser.click(screen.getByRole('button', { name: 'Close' }))
  await browser.click(screen.getByRole('button', { name: 'Bring back version 2' }))
  const dialog = within(await screen.findByRole('dialog', { name: /Bring back/ }))
  const changes = within(
    await dialog.findByRole('table', { name: 'What the earlier version changes' }),
  )
  expect(changes.getAllByRole('rowheader').map((field) => field.textContent)).toEqual([
    'reference_path',
  ])
  expect([changes.getByText('number').tagName, changes.getByText('id').tagName]).toEqual([
    'DEL',
    'INS',
  ])
  await browser.click(dialog.getByRole('button', { name: 'Bring back' }))
  await screen.findByText('Version brought back.')
  expect(server.bodiesOf(restoreKey)).toEqual([{ version: 3 }])
})

test('its latest runs are shown, and all of them are a link away', async () => {
  const page = buildPage([buildRunRow({ reference: 'INV-9', state: 'queued' })], 12)
  const { server } = await open({ 'GET /api/runs': () => page })
  const rows = within(await screen.findByRole('list', { name: 'Latest runs' }))
  expect(rows.getByText('INV-9')).toBeTruthy()
  expect(rows.getByRole('link', { name: 'run 41' })).toBeTruthy()
  const all = screen.getByRole('link', { name: 'All 12 runs' })
  expect(all.getAttribute('href')).toBe('/dashboard/admin/runs?workflow=7')
  const asked = server.requests.find(({ key }) => key === 'GET /api/runs')
  expect(asked?.query).toEqual({ page: '1', limit: '5', workflow: '7' })
})

test('a workflow without runs says how one is started', async () => {
  await open()
  expect(await screen.findByText(/This workflow has no runs yet/)).toBeTruthy()
})

test('runs that can’t be loaded are loaded again on request', async () => {
  const { server, browser } = await open({ 'GET /api/runs': () => refuse('server.failed') })
  expect(await screen.findByText('The runs could not be loaded.')).toBeTruthy()
  server.use({ 'GET /api/runs': () => buildPage([buildRunRow()]) })
  await browser.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByRole('link', { name: 'See it in the history' })).toBeTruthy()
})

test('who can run it is shown, and why, once the panel is opened', async () => {
  const caller = {
    user: { id: 7, name: 'Otto', email: 'otto@example.com' },
    allowed: true,
    reason: 'Granted by Operator.',
    grants: [],
    with_token: true,
    signed_in: true,
  }
  const { server, browser } = await open({
    'GET /api/access/workflow/:id': () => ({
      workflow: { id: 7, slug: 'sales', name: 'Sales invoices', kind: 'tax', status: 'active' },
      callers: [caller],
    }),
  })
  const isAsked = () => server.requests.some(({ key }) => key.startsWith('GET /api/access'))
  expect(isAsked()).toBe(false)
  await browser.click(await screen.findByText('Who can run this?'))
  expect(await screen.findByText('otto@example.com')).toBeTruthy()
  expect(screen.getByText('Granted by Operator.')).toBeTruthy()
})

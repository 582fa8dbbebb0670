import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  choices,
  expectPane,
  findEditor,
  offered,
  typeInto,
} from '../../testing/build-request-screen.ts'
import { renderTax } from '../../testing/bundle-screen.ts'
import { refuse, type Answers } from '../../testing/fake-server.ts'
import { renderApp } from '../../testing/render-app.tsx'
import {
  buildPreviewStep,
  buildWorkflow,
  buildWorkflowPreview,
} from '../../testing/workflow-builders.ts'

const previewKey = 'POST /api/workflows/preview'
const saveKey = 'PUT /api/workflows/:id'
const createKey = 'POST /api/workflows'
const endpoint = choices[0]

const base: Answers = {
  'GET /api/workflows/create': (request) => ({
    endpoints: offered(choices, request),
    lanes: [],
  }),
  [previewKey]: () => buildWorkflowPreview(),
}

async function openEdit(answers: Answers = {}) {
  const app = renderApp({
    path: '/dashboard/admin/workflow/edit/7',
    answers: { ...base, 'GET /api/workflows/:id': () => buildWorkflow(), ...answers },
  })
  await screen.findByRole('region', { name: 'Step 1' })
  return app
}

const step = (position: number) => within(screen.getByRole('region', { name: `Step ${position}` }))

test('a step shows what it would send for the sample, and follows what is typed', async () => {
  const { server } = await openEdit()
  await expectPane('Body of step 1', '{\n  "id": "INV-1"\n}')
  expect(screen.getByText('In the sample: INV-1')).toBeTruthy()
  server.use({
    [previewKey]: () =>
      buildWorkflowPreview({ steps: [buildPreviewStep({ body: '{"id":"INV-9"}' })] }),
  })
  typeInto(
    await findEditor('Sample input'),
    '{"number": "INV-9", "total": 12345678901234567890.10}',
  )
  await expectPane('Body of step 1', '{\n  "id": "INV-9"\n}')
  const sent = server.bodiesOf(previewKey).at(-1) as { input: string; definition: object }
  expect(sent.input).toContain('12345678901234567890.10')
  expect(sent.definition).toMatchObject({ slug: 'sales', steps: [{ endpoint_id: '3' }] })
})

test('numbers of the sample stay as they were saved, and a save carries the version', async () => {
  const text = JSON.stringify(buildWorkflow()).replace('"INV-1"', '0.10')
  const { server, browser, address } = await openEdit({
    'GET /api/workflows/:id': () => new Response(text),
    [saveKey]: () => buildWorkflow({ version: 4 }),
  })
  await expectPane('Sample input', '{\n  "number": 0.10\n}')
  await browser.click(screen.getByRole('button', { name: 'Save workflow' }))
  await screen.findByText('Workflow saved as a new version!')
  const [sent] = server.bodiesOf(saveKey)
  expect(sent).toMatchObject({
    version: 3,
    sample_input: '{\n  "number": 0.10\n}',
    input_schema: null,
    inputs_per_run: '1',
    lane: { name: 'jofotara', concurrency: '4', per_second: '2', per_minute: '' },
    steps: [{ body: { kind: 'template', text: '{"id": "{{input.number}}"}' }, condition: null }],
  })
  await waitFor(() => expect(address()).toBe('/dashboard/admin/workflows/7'))
})

test('messages are at their fields: a row, a condition, a limit', async () => {
  const rows = [{ source: 'input', from: 'a..b', to: 'id', type: 'auto', custom_input: '' }]
  const condition = {
    source: 'input',
    statuses: '',
    join: 'all' as const,
    conditions: [{ path: 'total', test: 'exists' as const, value: '' }],
  }
  const workflow = buildWorkflow({
    steps: [{ endpoint_id: endpoint?.id ?? 0, body: { kind: 'mapping', rows }, condition }],
  })
  const { browser } = await openEdit({
    'GET /api/workflows/:id': () => workflow,
    [saveKey]: () =>
      refuse('request.invalid', {
        'steps.0.body.rows.0.from': ['That is no path.'],
        'steps.0.condition.conditions.0.path': ['Write a path.'],
        'lane.per_second': ['Write a whole number.'],
      }),
  })
  // Nothing has a status in the input.
  expect(step(1).queryByLabelText('Statuses')).toBeNull()
  await browser.click(screen.getByRole('button', { name: 'Save workflow' }))
  await screen.findByText('That is no path.')
  const invalid = (label: string) =>
    screen.getAllByLabelText(label).some((field) => field.getAttribute('aria-invalid') === 'true')
  expect(invalid('From')).toBe(true)
  expect(invalid('Path')).toBe(true)
  expect(invalid('Calls a second')).toBe(true)
  expect(screen.getAllByText('That is no path.')).toHaveLength(1)
})

test('a problem of the preview is at its row, and one of the input names its place', async () => {
  const rows = [{ source: 'input', from: 'nothing', to: 'id', type: 'auto', custom_input: '' }]
  const problems = { 'body.rows.0.from': ['Nothing is there.'] }
  await openEdit({
    'GET /api/workflows/:id': () =>
      buildWorkflow({
        steps: [
          { endpoint_id: endpoint?.id ?? 0, body: { kind: 'mapping', rows }, condition: null },
        ],
      }),
    [previewKey]: () =>
      buildWorkflowPreview({
        steps: [buildPreviewStep({ what: 'refused', body: null, problems })],
        input_problems: { '/number': ['must be text'] },
      }),
  })
  expect(await screen.findByText('Would be refused')).toBeTruthy()
  const row = within(screen.getByRole('row', { name: 'Row 1' }))
  expect(row.getByText('Nothing is there.')).toBeTruthy()
  expect(screen.getByText('/number').parentElement?.textContent).toBe('/number: must be text')
})

test('a lane that others use says so', async () => {
  await openEdit({
    [previewKey]: () =>
      buildWorkflowPreview({
        lane_shared_with: [{ id: 8, slug: 'credits', name: 'Credit notes' }],
      }),
  })
  expect(await screen.findByText(/also hold for Credit notes/)).toBeTruthy()
})

test('a new workflow gets its slug from its name until one is typed', async () => {
  const { server, browser } = renderApp({
    path: '/dashboard/admin/workflow/create',
    answers: { ...base, [createKey]: () => buildWorkflow() },
  })
  const name = await screen.findByLabelText('Name')
  await browser.type(name, 'Été: Sales 2')
  const slug = screen.getByLabelText<HTMLInputElement>('Slug')
  expect(slug.value).toBe('ete-sales-2')
  await browser.clear(slug)
  await browser.type(slug, 'mine')
  await browser.type(name, '3')
  expect(slug.value).toBe('mine')
  await browser.click(step(1).getByRole('combobox', { name: 'Endpoint' }))
  await browser.click(
    (await screen.findAllByRole('option', { name: new RegExp(endpoint?.summery ?? '') }))[0] ??
      document.body,
  )
  await expectPane('Body of step 1', '{\n  "id": "INV-1"\n}')
  await browser.click(screen.getByRole('button', { name: 'Add step' }))
  await browser.click(step(2).getByRole('radio', { name: 'Mapping rows' }))
  await browser.click(step(2).getByRole('button', { name: 'Add Mapping' }))
  await browser.selectOptions(step(2).getByRole('combobox', { name: 'Source' }), 'Answer of step 1')
  await browser.click(screen.getByRole('button', { name: 'Create workflow' }))
  await screen.findByText('Workflow created successfully!')
  expect(server.bodiesOf(createKey)).toMatchObject([
    {
      slug: 'mine',
      sample_input: null,
      lane: { name: 'mine', concurrency: '4' },
      steps: [{}, { body: { kind: 'mapping', rows: [{ source: 'steps.1.body', from: '' }] } }],
    },
  ])
})

test('Save as workflow takes the steps of a tax request along', async () => {
  const { choose, typeBody, browser } = await renderTax(base)
  await choose(1, endpoint?.summery ?? '')
  await typeBody(1, '{"id": 1}')
  await browser.click(screen.getByRole('link', { name: 'Save as workflow' }))
  await screen.findByRole('heading', { name: 'Create workflow' })
  expect(await screen.findByRole('region', { name: 'Step 1' })).toBeTruthy()
  expect(screen.queryByRole('region', { name: 'Step 2' })).toBeNull()
  await expectPane('Body of step 1 as typed', '{"id": 1}')
  expect(step(1).getByRole<HTMLInputElement>('combobox', { name: 'Endpoint' }).value).toBe(
    endpoint?.summery,
  )
})

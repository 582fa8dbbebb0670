import type { WorkflowStepRun } from '@gatehouse/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  choices,
  expectPane,
  findEditor,
  offered,
  typeInto,
} from '../../../testing/build-request-screen.ts'
import { renderTax } from '../../../testing/bundle-screen.ts'
import { refuse, type Answers } from '../../../testing/fake-server.ts'
import { renderApp } from '../../../testing/render-app.tsx'
import { buildSummary } from '../../../testing/run-builders.ts'
import {
  buildPreviewStep,
  buildWorkflow,
  buildWorkflowPreview,
} from '../../../testing/workflow-builders.ts'

const previewKey = 'POST /api/workflows/preview'
const runKey = 'POST /api/workflows/run-step'
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

const [first, second] = choices
const text = '{"id": "{{steps.1.body.id}}"}'

/** The second takes a value of the first. */
const openTwoSteps = (answers: Answers) =>
  openEdit({
    'GET /api/workflows/:id': () =>
      buildWorkflow({
        steps: [
          { endpoint_id: first?.id ?? 0, body: { kind: 'none' }, condition: null },
          { endpoint_id: second?.id ?? 0, body: { kind: 'template', text }, condition: null },
        ],
      }),
    ...answers,
  })

const rail = () => within(screen.getByRole('list', { name: 'Steps' }))
const show = (browser: { click: (element: Element) => Promise<void> }, part: RegExp) =>
  browser.click(rail().getByRole('button', { name: part }))

const step = (position: number) => within(screen.getByRole('region', { name: `Step ${position}` }))

test('a step shows what it would send for the sample, and follows what is typed', async () => {
  const { server, browser } = await openEdit()
  await expectPane('Body of step 1', '{\n  "id": "INV-1"\n}')
  await show(browser, /^Input/)
  expect(screen.getByText('In the sample: INV-1')).toBeTruthy()
  server.use({
    [previewKey]: () =>
      buildWorkflowPreview({ steps: [buildPreviewStep({ body: '{"id":"INV-9"}' })] }),
  })
  typeInto(
    await findEditor('Sample input'),
    '{"number": "INV-9", "total": 12345678901234567890.10}',
  )
  await show(browser, /^Step 1/)
  await expectPane('Body of step 1', '{\n  "id": "INV-9"\n}')
  const sent = server.bodiesOf(previewKey).at(-1) as { input: string; definition: object }
  expect(sent.input).toContain('12345678901234567890.10')
  expect(sent.definition).toMatchObject({ slug: 'sales', steps: [{ endpoint_id: '3' }] })
})

test('the rail shows each step and how it is; keys go through them, move and remove them', async () => {
  const { browser, server } = await openTwoSteps({
    [previewKey]: () =>
      buildWorkflowPreview({
        steps: [
          buildPreviewStep({ what: 'send' }),
          buildPreviewStep({ what: 'waits', position: 2 }),
        ],
      }),
    [saveKey]: () => buildWorkflow({ version: 4 }),
  })
  const names = () =>
    rail()
      .getAllByRole('button')
      .map(({ textContent }) => textContent)
  await waitFor(() =>
    expect(names()).toEqual([
      'Input',
      `1Step 1: ${first?.summery}Would be sent`,
      `2Step 2: ${second?.summery}Waits for an answer`,
    ]),
  )
  await show(browser, /^Step 1/)
  await browser.keyboard('{ArrowDown}')
  expect(document.activeElement?.textContent).toContain('Step 2')
  expect(screen.getByRole('region', { name: 'Step 2' })).toBeTruthy()
  expect(screen.queryByRole('region', { name: 'Step 1' })).toBeNull()
  await browser.keyboard('{Alt>}{ArrowUp}{/Alt}')
  expect(document.activeElement?.textContent).toContain(`Step 1: ${second?.summery}`)
  await browser.keyboard('{ArrowDown}{Delete}')
  expect(rail().getAllByRole('button')).toHaveLength(2)
  expect(document.activeElement?.textContent).toContain(`Step 1: ${second?.summery}`)
  // The only step stays.
  await browser.keyboard('{Delete}')
  await browser.click(screen.getByRole('button', { name: 'Save workflow' }))
  await screen.findByText('Workflow saved as a new version!')
  expect(server.bodiesOf(saveKey)).toMatchObject([
    {
      steps: [{ endpoint_id: String(second?.id), body: { text: '{"id": "{{steps.0.body.id}}"}' } }],
    },
  ])
})

test('what is folded away says how it is, and opens where it is wrong', async () => {
  const { browser } = await openEdit({
    [saveKey]: () => refuse('request.invalid', { 'lane.per_second': ['Write a whole number.'] }),
  })
  const panel = screen.getByText('Advanced').closest('details')
  expect(panel?.open).toBe(false)
  expect(panel?.querySelector('summary')?.textContent).toContain(
    'Lane jofotara4 at once2 a secondno order key1 input per runno callback',
  )
  await browser.click(screen.getByRole('button', { name: 'Save workflow' }))
  const field = await screen.findByLabelText('Calls a second')
  expect(field.getAttribute('aria-invalid')).toBe('true')
})

test('a wrong field of a step that is not shown is shown', async () => {
  const { browser } = await openEdit({
    [saveKey]: () => refuse('request.invalid', { 'steps.0.endpoint_id': ['Choose another.'] }),
  })
  await show(browser, /^Input/)
  await browser.click(screen.getByRole('button', { name: 'Save workflow' }))
  const region = within(await screen.findByRole('region', { name: 'Step 1' }))
  const field = region.getByRole('combobox', { name: 'Endpoint' })
  await waitFor(() => expect(document.activeElement).toBe(field))
  expect(rail().getByRole('button', { name: /^Step 1.*Needs correction/ })).toBeTruthy()
})

test('numbers of the sample stay as they were saved, and a save carries the version', async () => {
  const text = JSON.stringify(buildWorkflow()).replace('"INV-1"', '0.10')
  const { server, browser, address } = await openEdit({
    'GET /api/workflows/:id': () => new Response(text),
    [saveKey]: () => buildWorkflow({ version: 4 }),
  })
  await show(browser, /^Input/)
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
  const { browser } = await openEdit({
    'GET /api/workflows/:id': () =>
      buildWorkflow({
        steps: [
          { endpoint_id: endpoint?.id ?? 0, body: { kind: 'mapping', rows }, condition: null },
        ],
      }),
    [previewKey]: () =>
      buildWorkflowPreview({
        steps: [buildPreviewStep({ what: 'refused', url: null, body: null, problems })],
        input_problems: { '/number': ['must be text'] },
      }),
  })
  const result = within(await screen.findByRole('region', { name: 'Result of step 1' }))
  expect(await result.findByText('Would be refused')).toBeTruthy()
  // What is refused waits for no answer.
  expect(result.queryByText(/The address is known once/)).toBeNull()
  expect(rail().getByRole('button', { name: /^Input.*Would be refused/ })).toBeTruthy()
  const row = within(screen.getByRole('row', { name: 'Row 1' }))
  expect(row.getByText('Nothing is there.')).toBeTruthy()
  await show(browser, /^Input/)
  expect(screen.getByText('/number').parentElement?.textContent).toBe('/number: must be text')
})

test('a lane that others use says so', async () => {
  const { browser } = await openEdit({
    [previewKey]: () =>
      buildWorkflowPreview({
        lane_shared_with: [{ id: 8, slug: 'credits', name: 'Credit notes' }],
      }),
  })
  expect(await screen.findByText(/^shared with/)).toBeTruthy()
  await browser.click(screen.getByText('Advanced'))
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
  // Nothing is known of the input yet: it comes first.
  expect(screen.getByRole('region', { name: 'Input' })).toBeTruthy()
  await show(browser, /^Step 1/)
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
  expect(rail().queryByRole('button', { name: /^Step 2/ })).toBeNull()
  await expectPane('Body of step 1 as typed', '{"id": 1}')
  expect(step(1).getByRole<HTMLInputElement>('combobox', { name: 'Endpoint' }).value).toBe(
    endpoint?.summery,
  )
})

const stepRun = (changes: Partial<WorkflowStepRun> = {}): WorkflowStepRun => ({
  run: buildSummary('succeeded', ['succeeded'], { id: 51 }),
  at: 'address',
  status: 200,
  took_ms: 43.2,
  body: '{"number": 0.10}',
  is_whole: true,
  ...changes,
})

test('a step is run on the sample, and its answer feeds the steps after it', async () => {
  const row = { source: 'steps.1.body', from: 'number', to: 'id', type: 'auto', custom_input: '' }
  const { server, browser } = await openEdit({
    'GET /api/workflows/:id': () =>
      buildWorkflow({
        steps: [
          { endpoint_id: first?.id ?? 0, body: { kind: 'none' }, condition: null },
          { endpoint_id: second?.id ?? 0, body: { kind: 'mapping', rows: [row] }, condition: null },
        ],
      }),
    [previewKey]: ({ body }) =>
      buildWorkflowPreview({
        steps: [
          buildPreviewStep({ effect: 'read', runs_at: 'address', body: null }),
          (body as { answers: unknown[] }).answers.length === 0
            ? buildPreviewStep({ position: 2, what: 'waits', body: '[]', takes: ['x'] })
            : buildPreviewStep({ position: 2, body: '{"id":0.10}' }),
        ],
      }),
    [runKey]: () => stepRun(),
  })
  const run = await step(1).findByRole('button', { name: 'Run step 1 on the sample' })
  expect(step(1).getByText('To its own address: it only reads.')).toBeTruthy()
  await browser.click(run)
  const answer = within(await step(1).findByRole('region', { name: 'What step 1 answered' }))
  expect(answer.getByText('200')).toBeTruthy()
  expect(answer.getByRole('link', { name: 'run 51' })).toBeTruthy()
  await expectPane('Answer of step 1 to the sample', '{\n  "number": 0.10\n}')
  expect(rail().getByRole('button', { name: /^Step 1.*Answered 200/ })).toBeTruthy()
  expect(server.bodiesOf(runKey)).toMatchObject([
    { position: 1, input: '{\n  "number": "INV-1"\n}' },
  ])
  await show(browser, /^Step 2/)
  await expectPane('Body of step 2', '{\n  "id": 0.10\n}')
  expect(server.bodiesOf(previewKey).at(-1)).toMatchObject({
    answers: [{ position: 1, status: 200, body: '{"number": 0.10}' }],
  })
  // What submits to an address that is not for tests is not offered.
  expect(step(2).queryByRole('button', { name: /^Run step/ })).toBeNull()
  expect(step(2).getByText(/has no test address/)).toBeTruthy()
})

test('an answer that is no success feeds nothing; a refusal says why', async () => {
  const { server, browser } = await openEdit({
    [previewKey]: () =>
      buildWorkflowPreview({ steps: [buildPreviewStep({ effect: 'read', runs_at: 'test' })] }),
    [runKey]: () => refuse('request.invalid', { 'steps.0.body': ['The answer has no id.'] }),
  })
  const run = await step(1).findByRole('button', { name: 'Run step 1 on the sample' })
  expect(step(1).getByText(/^To the test address of/)).toBeTruthy()
  await browser.click(run)
  expect((await step(1).findByRole('alert')).textContent).toBe('The answer has no id.')
  const failed = { status: 404, body: 'no', run: buildSummary('rejected', ['rejected']) }
  server.use({ [runKey]: () => stepRun(failed) })
  await browser.click(run)
  expect(await step(1).findByText(/Later steps take nothing from it/)).toBeTruthy()
  expect(rail().getByRole('button', { name: /^Step 1.*Answered 404/ })).toBeTruthy()
  for (const body of server.bodiesOf(previewKey)) expect(body).toMatchObject({ answers: [] })
  // What was answered before belongs to the step as it was.
  await browser.click(step(1).getByRole('radio', { name: 'No body' }))
  expect(await step(1).findByText(/has changed since/)).toBeTruthy()
})

test('moving, removing, adding and editing steps is taken back, and done again', async () => {
  const { browser, server } = await openTwoSteps({
    [saveKey]: () => buildWorkflow({ version: 4 }),
  })
  const names = () =>
    rail()
      .getAllByRole('button', { name: /^\dStep|^Step/ })
      .map(({ textContent }) => /Step \d: \S+/.exec(textContent)?.[0])
  await waitFor(() => expect(names()).toHaveLength(2))
  const inOrder = names()
  const press = (name: string) => browser.click(screen.getByRole('button', { name }))
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Undo' }).disabled).toBe(true)
  await show(browser, /^Step 2/)
  await browser.keyboard('{Alt>}{ArrowUp}{/Alt}')
  const moved = names()
  expect(moved).not.toEqual(inOrder)
  await browser.keyboard('{Control>}z{/Control}')
  expect(names()).toEqual(inOrder)
  await press('Redo')
  expect(names()).toEqual(moved)
  await press('Undo')
  await show(browser, /^Step 1/)
  await press('Remove step 1')
  expect(names()).toHaveLength(1)
  await press('Undo')
  expect(names()).toEqual(inOrder)
  expect(screen.getByRole('region', { name: 'Step 1' })).toBeTruthy()
  await press('Add step')
  expect(names()).toHaveLength(3)
  await press('Undo')
  expect(names()).toEqual(inOrder)
  await press('Save workflow')
  await screen.findByText('Workflow saved as a new version!')
  // What the second takes from the first is whole again.
  expect(server.bodiesOf(saveKey)).toMatchObject([
    { steps: [{ endpoint_id: String(first?.id) }, { body: { text } }] },
  ])
})

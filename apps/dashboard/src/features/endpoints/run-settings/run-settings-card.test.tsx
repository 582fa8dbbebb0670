import { screen, waitFor, within } from '@testing-library/react'
import type { EndpointRecord } from '@gatehouse/contract'
import { defaultRunSettings, runProfiles } from '@gatehouse/contract/run-profiles'
import { expect, test } from 'vitest'
import { buildApiRecord, buildEndpoint, buildPage } from '../../../testing/builders.ts'
import { refuse, type Answers } from '../../../testing/fake-server.ts'
import { renderApp } from '../../../testing/render-app.tsx'

const path = '/dashboard/admin/endpoint/edit/7'
const key = 'PUT /api/endpoint/:id'

async function openForm(run_settings: EndpointRecord['run_settings'], more: Answers = {}) {
  const app = renderApp({
    path,
    answers: {
      'GET /api/endpoint': () => buildPage([buildEndpoint({ id: 8, summery: 'Status' })]),
      'GET /api/endpoint/:id/edit': () => [buildEndpoint({ run_settings }), [buildApiRecord(1)]],
      [key]: () => buildEndpoint(),
      ...more,
    },
  })
  await screen.findByRole('heading', { name: 'Tax and credit runs' })
  return app
}

const save = () => screen.getByRole('button', { name: 'Save' })
const rule = (name: string) => within(screen.getByRole('group', { name }))
const profile = (name: string) => runProfiles.find((each) => each.name === name)?.settings

test('settings that say nothing are one line, and are not sent', async () => {
  const { server, browser } = await openForm(defaultRunSettings)
  expect(screen.getByText(/any 2xx is a success, 208 is a duplicate/)).toBeTruthy()
  expect(screen.queryByRole('combobox', { name: 'Fill in for' })).toBeNull()
  await browser.click(screen.getByRole('button', { name: 'Change these settings' }))
  await browser.click(save())
  await waitFor(() => expect(server.bodiesOf(key)).toHaveLength(1))
  expect(server.bodiesOf(key)[0]).not.toHaveProperty('run_settings')
})

test('settings that say something are one sentence', async () => {
  await openForm({ ...defaultRunSettings, reference_path: 'reference', effect: 'submit' })
  expect(screen.getByText('Effect submit · documents by reference.')).toBeTruthy()
})

test('a profile fills every field and says where its rules come from', async () => {
  const { server, browser } = await openForm(defaultRunSettings)
  await browser.click(screen.getByRole('button', { name: 'Change these settings' }))
  await browser.click(screen.getByRole('combobox', { name: 'Fill in for' }))
  await browser.click(screen.getByRole('option', { name: /ZATCA reporting/ }))
  expect(rule('Success rule').getByLabelText<HTMLInputElement>('Statuses').value).toBe('200,202')
  expect(screen.getByLabelText<HTMLInputElement>('Document reference path').value).toBe('uuid')
  await browser.click(screen.getByText('Where these rules come from'))
  const [source] = await screen.findAllByRole('link', { name: /Checking the duplicate/ })
  expect(source?.getAttribute('href')).toMatch(/^https:\/\/zatca1\.discourse\.group\//)
  expect(screen.queryByText(/differ from the profile/)).toBeNull()
  await browser.type(screen.getByLabelText('Idempotency header'), 'X-Key')
  expect(screen.getByText(/differ from the profile/)).toBeTruthy()
  await browser.click(save())
  await waitFor(() => expect(server.bodiesOf(key)).toHaveLength(1))
  const [sent] = server.bodiesOf(key) as [{ run_settings: object }]
  expect(sent.run_settings).toMatchObject({
    profile: 'zatca-reporting',
    effect: 'submit',
    idempotency_header: 'X-Key',
    duplicate_rule: profile('zatca-reporting')?.duplicate_rule,
    duplicate_safe_minutes: '1380',
    status_query: null,
  })
})

test('conditions are added, changed and removed; a test without value sends none', async () => {
  const stored = { ...defaultRunSettings, success_rule: profile('jofotara')?.success_rule ?? null }
  const { server, browser } = await openForm(stored)
  const success = rule('Success rule')
  await browser.click(success.getByRole('button', { name: 'Remove condition 1' }))
  await browser.click(success.getByRole('button', { name: 'Add condition' }))
  const second = within(success.getByRole('group', { name: 'Condition 2' }))
  await browser.type(second.getByLabelText('Path'), 'number')
  await browser.type(second.getByLabelText('Value'), 'typed')
  await browser.click(second.getByRole('combobox', { name: 'Test' }))
  await browser.click(screen.getByRole('option', { name: 'is not empty' }))
  expect(second.queryByLabelText('Value')).toBeNull()
  await browser.click(success.getByRole('combobox', { name: 'and' }))
  await browser.click(screen.getByRole('option', { name: 'any condition holds' }))
  await browser.click(save())
  await waitFor(() => expect(server.bodiesOf(key)).toHaveLength(1))
  const [sent] = server.bodiesOf(key) as [{ run_settings: { success_rule: object } }]
  expect(sent.run_settings.success_rule).toEqual({
    statuses: '200',
    join: 'any',
    conditions: [
      { path: 'EINV_RESULTS.status', test: 'not_equals', value: 'ERROR' },
      { path: 'number', test: 'not_empty', value: '' },
    ],
  })
})

test('a status query is sent while it is on', async () => {
  const { server, browser } = await openForm(defaultRunSettings)
  await browser.click(screen.getByRole('button', { name: 'Change these settings' }))
  await browser.click(screen.getByRole('switch', { name: 'Status query' }))
  await browser.click(screen.getByRole('combobox', { name: 'Endpoint that is asked' }))
  await browser.click(await screen.findByRole('option', { name: 'Status (Orders, 8)' }))
  const asked = server.requests.find(({ key: each }) => each === 'GET /api/endpoint')
  expect(asked?.query).toMatchObject({ method_type: 'get', status: 'active' })
  await browser.type(rule('It was received when').getByLabelText('Statuses'), '200')
  await browser.type(rule('It was not received when').getByLabelText('Statuses'), '404')
  const quiet = screen.getByLabelText<HTMLInputElement>('Quiet period in seconds')
  expect(quiet.value).toBe('120')
  await browser.clear(quiet)
  await browser.type(quiet, '300')
  await browser.click(save())
  await waitFor(() => expect(server.bodiesOf(key)).toHaveLength(1))
  const [sent] = server.bodiesOf(key) as [{ run_settings: { status_query: object } }]
  expect(sent.run_settings.status_query).toEqual({
    endpoint_id: '8',
    parameter: 'reference',
    reference_parameter: '',
    received: { statuses: '200', join: 'all', conditions: [] },
    not_received: { statuses: '404', join: 'all', conditions: [] },
    pending: { statuses: '', join: 'all', conditions: [] },
    rejected: { statuses: '', join: 'all', conditions: [] },
    message_path: '',
    reference_path: '',
    quiet_seconds: '300',
  })
})

test('messages open the settings, are at their fields, and take the focus there', async () => {
  const stored = { ...defaultRunSettings, success_rule: profile('jofotara')?.success_rule ?? null }
  const { browser } = await openForm(stored, {
    [key]: () =>
      refuse('request.invalid', {
        'run_settings.success_rule.conditions.1.path': ['That path cannot be used.'],
        'run_settings.success_rule.statuses': ['Write statuses.'],
      }),
  })
  await browser.click(screen.getByRole('button', { name: 'Hide these settings' }))
  await browser.click(save())
  expect(await screen.findByText('That path cannot be used.')).toBeTruthy()
  const success = rule('Success rule')
  const condition = within(success.getByRole('group', { name: 'Condition 2' }))
  expect(condition.getByLabelText('Path').getAttribute('aria-invalid')).toBe('true')
  await waitFor(() => expect(document.activeElement).toBe(success.getByLabelText('Statuses')))
  // No second copy of them beneath the form.
  expect(screen.getAllByText('Write statuses.')).toHaveLength(1)
})

test('a profile whose authority decides later fills in how it is asked and its lists', async () => {
  const { server, browser } = await openForm(defaultRunSettings)
  await browser.click(screen.getByRole('button', { name: 'Change these settings' }))
  await browser.click(screen.getByRole('combobox', { name: 'Fill in for' }))
  await browser.click(screen.getByRole('option', { name: /MyInvois/ }))
  expect(screen.getByLabelText<HTMLInputElement>('Value to ask by').value).toBe('submissionUid')
  expect(screen.getByLabelText<HTMLInputElement>('List of documents').value).toBe('documents')
  expect(screen.queryByLabelText('Document reference path')).toBeNull()
  await browser.click(screen.getByRole('combobox', { name: 'Endpoint that is asked' }))
  await browser.click(await screen.findByRole('option', { name: 'Status (Orders, 8)' }))
  expect(screen.queryByText(/differ from the profile/)).toBeNull()
  await browser.click(save())
  await waitFor(() => expect(server.bodiesOf(key)).toHaveLength(1))
  const [sent] = server.bodiesOf(key) as [{ run_settings: object }]
  expect(sent.run_settings).toMatchObject({
    profile: 'myinvois',
    status_query: { endpoint_id: '8', parameter: 'submissionUid' },
    pending: { parameter_path: 'submissionUid', first_after_seconds: '5' },
    documents: { items_path: 'documents', poll: { list_path: 'documentSummary' } },
  })
})

test('without a status query nothing is decided later, and no list of its answer is sent', async () => {
  const { server, browser } = await openForm(defaultRunSettings)
  await browser.click(screen.getByRole('button', { name: 'Change these settings' }))
  await browser.click(screen.getByRole('switch', { name: 'Several documents in one request' }))
  await browser.type(screen.getByLabelText('List of documents'), 'documents')
  expect(screen.queryByLabelText('List in the status answer')).toBeNull()
  await browser.click(save())
  await waitFor(() => expect(server.bodiesOf(key)).toHaveLength(1))
  const [sent] = server.bodiesOf(key) as [{ run_settings: object }]
  expect(sent.run_settings).toMatchObject({
    pending: null,
    documents: { items_path: 'documents', poll: null },
  })
})

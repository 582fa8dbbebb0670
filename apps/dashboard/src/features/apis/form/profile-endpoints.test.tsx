import { screen, waitFor, within } from '@testing-library/react'
import { runProfiles } from '@gatehouse/contract/run-profiles'
import { expect, test } from 'vitest'
import { buildApiRecord, buildEndpoint, buildUser } from '../../../testing/builders.ts'
import { refuse, type Answers } from '../../../testing/fake-server.ts'
import { renderApp } from '../../../testing/render-app.tsx'

const postEndpoint = 'POST /api/endpoint'
const clearance = '/invoices/clearance/single'
const reporting = '/invoices/reporting/single'

async function choose(label: string, answers: Answers = {}, user = buildUser()) {
  const app = renderApp({
    path: '/dashboard/admin/api/create',
    user,
    answers: {
      'POST /api/apis': () => buildApiRecord(4),
      'GET /api/apis/:id/edit': () => [buildApiRecord(4)],
      [postEndpoint]: () => buildEndpoint(),
      ...answers,
    },
  })
  const { browser } = app
  await browser.type(await screen.findByLabelText('API Name'), 'ZATCA')
  await pick(app, label)
  return app
}

async function pick({ browser }: Pick<ReturnType<typeof renderApp>, 'browser'>, label: string) {
  await browser.click(screen.getByRole('combobox', { name: 'Fill in for' }))
  await browser.click(await screen.findByRole('option', { name: label }))
}

const save = () => screen.getByRole('button', { name: 'Create API' })
const valueOf = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value
const group = () => within(screen.getByRole('group', { name: /^Endpoints for/ }))

test('a profile fills addresses and sign-in, and its endpoints are created with their run settings', async () => {
  const { server, browser, address } = await choose('Saudi Arabia: ZATCA')
  expect(valueOf('Base URL')).toBe('https://gw-fatoora.zatca.gov.sa/e-invoicing/core')
  expect(valueOf('Test base URL')).toBe('https://gw-fatoora.zatca.gov.sa/e-invoicing/simulation')
  await screen.findByRole('group', { name: /^Endpoints for/ })
  expect(group().getAllByRole('checkbox')).toHaveLength(2)
  await browser.click(save())
  expect(await screen.findByText('API created successfully!')).toBeTruthy()
  expect(await screen.findByText('2 endpoints were created.')).toBeTruthy()
  await waitFor(() => expect(address()).toBe('/dashboard/admin/api/edit/4'))

  const [api] = server.bodiesOf('POST /api/apis') as [object]
  expect(api).toMatchObject({
    credential: { kind: 'basic' },
    test_credential: { kind: 'basic' },
    static_headers: [
      { name: 'Accept-Version', value: 'V2' },
      { name: 'Clearance-Status', value: '1' },
    ],
  })
  expect(api).not.toHaveProperty('profile')
  expect(api).not.toHaveProperty('endpoints')
  const rules = (name: string) => runProfiles.find((each) => each.name === name)?.settings
  expect(server.bodiesOf(postEndpoint)).toEqual(
    [[clearance, 'zatca-clearance'] as const, [reporting, 'zatca-reporting'] as const].map(
      ([path, name]) =>
        expect.objectContaining({
          api_id: '4',
          method_type: 'post',
          path,
          run_settings: expect.objectContaining({
            profile: name,
            effect: 'submit',
            success_rule: rules(name)?.success_rule,
            duplicate_rule: rules(name)?.duplicate_rule,
          }),
        }),
    ),
  )
})

test('what an authority decides later is asked of the endpoint that is created first', async () => {
  const { server, browser } = await choose('Malaysia: MyInvois', {
    [postEndpoint]: ({ body }) =>
      buildEndpoint({ id: (body as { method_type: string }).method_type === 'get' ? 31 : 32 }),
  })
  await browser.click(save())
  expect(await screen.findByText('2 endpoints were created.')).toBeTruthy()
  const [asked, submit] = server.bodiesOf(postEndpoint)
  expect(asked).toMatchObject({ path: '/api/v1.0/documentsubmissions/{submissionUid}' })
  expect(submit).toMatchObject({
    path: '/api/v1.0/documentsubmissions',
    run_settings: {
      profile: 'myinvois',
      status_query: { endpoint_id: '31', parameter: 'submissionUid' },
      pending: { parameter_path: 'submissionUid' },
    },
  })
})

test('an endpoint that was unticked is not created; without any, the save leads to the API', async () => {
  const { server, browser, address } = await choose('Saudi Arabia: ZATCA')
  await screen.findByRole('group', { name: /^Endpoints for/ })
  await browser.click(group().getByRole('checkbox', { name: new RegExp(clearance) }))
  await browser.click(group().getByRole('checkbox', { name: new RegExp(reporting) }))
  await browser.click(save())
  expect(await screen.findByText('API created successfully!')).toBeTruthy()
  expect(server.bodiesOf(postEndpoint)).toEqual([])
  expect(screen.queryByText('The API is saved.')).toBeNull()
  await waitFor(() => expect(address()).toBe('/dashboard/admin/api/edit/4'))
})

test('an endpoint that fails leaves the API, is named with its reason, and is tried again', async () => {
  let isRefusing = true
  const { server, browser, address } = await choose('Saudi Arabia: ZATCA', {
    [postEndpoint]: ({ body }) =>
      isRefusing && (body as { path: string }).path === clearance
        ? refuse('request.invalid', { path: ['Another endpoint has this path.'] })
        : buildEndpoint(),
  })
  await browser.click(save())
  expect(await screen.findByText('Another endpoint has this path.')).toBeTruthy()
  const rows = within(screen.getByRole('list', { name: 'Endpoints' })).getAllByRole('listitem')
  expect(rows.map((row) => row.textContent)).toEqual([
    `post${clearance}not createdAnother endpoint has this path.`,
    `post${reporting}created`,
  ])
  expect(screen.getByText('The API is saved.')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Open the API' }).getAttribute('href')).toBe(
    '/dashboard/admin/api/edit/4',
  )
  expect(address()).toBe('/dashboard/admin/api/create')

  isRefusing = false
  await browser.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(address()).toBe('/dashboard/admin/api/edit/4'))
  expect(server.bodiesOf('POST /api/apis')).toHaveLength(1)
  const paths = server.bodiesOf(postEndpoint).map((body) => (body as { path: string }).path)
  expect(paths).toEqual([clearance, reporting, clearance])
})

test('an API that is refused creates no endpoint, and the form stays', async () => {
  const { server, browser } = await choose('Jordan: JoFotara', {
    'POST /api/apis': () => refuse('request.invalid', { name: ['This name is already in use.'] }),
  })
  await browser.click(save())
  expect(await screen.findByText('This name is already in use.')).toBeTruthy()
  expect(server.bodiesOf(postEndpoint)).toEqual([])
})

test('another choice replaces what the first has filled in, and keeps what was typed', async () => {
  const app = await choose('Saudi Arabia: ZATCA')
  const { browser } = app
  await browser.clear(screen.getByLabelText('Base URL'))
  await browser.type(screen.getByLabelText('Base URL'), 'https://proxy.example.com')
  await pick(app, 'Jordan: JoFotara')
  expect(valueOf('Base URL')).toBe('https://proxy.example.com')
  expect(valueOf('Test base URL')).toBe('')
  expect(valueOf('Name of header 1')).toBe('Client-Id')
  expect(screen.queryByLabelText('Name of static header 1')).toBeNull()
  expect(screen.queryByLabelText('Sign-in at the test base URL')).toBeNull()
  expect(group().getAllByRole('checkbox')).toHaveLength(1)
})

test('who may not create endpoints is told so, and only the API is created', async () => {
  const user = buildUser({ permissions: ['dashboard.view', 'api.view', 'api.create'] })
  const { server, browser } = await choose('Saudi Arabia: ZATCA', {}, user)
  expect(screen.getByText('Your roles do not let you create endpoints.')).toBeTruthy()
  await browser.click(save())
  expect(await screen.findByText('API created successfully!')).toBeTruthy()
  expect(server.bodiesOf(postEndpoint)).toEqual([])
})

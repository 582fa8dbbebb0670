import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { ShownCredential, SignInState, SubmittedApi } from '@gatehouse/contract'
import { buildApiRecord, buildApiRow, buildPage } from '../../../testing/builders.ts'
import { refuse } from '../../../testing/fake-server.ts'
import { renderApp } from '../../../testing/render-app.tsx'

const oauth: ShownCredential = {
  kind: 'oauth2_client_credentials',
  refused_when: null,
  token_url: 'https://id.example.com/token',
  client_id: 'gatehouse',
  has_client_secret: true,
  client_authentication: 'body',
  has_private_key: false,
  key_id: '',
  algorithm: 'RS256',
  scope: 'invoices',
  audience: '',
  body_fields: [{ name: 'onbehalfof', value: 'C123' }],
  login_headers: [],
  scheme: 'Bearer',
}
const never: SignInState = {
  kind: 'oauth2_client_credentials',
  state: 'never',
  obtained_at: null,
  expires_at: null,
  message: '',
  certificate: null,
  refresh_token: null,
}

function open(changes: Partial<SubmittedApi>, answers: Parameters<typeof renderApp>[0]['answers']) {
  return renderApp({
    path: '/dashboard/admin/api/edit/4',
    answers: {
      'GET /api/apis/:id/edit': () => [buildApiRecord(4, changes)],
      'PUT /api/apis/:id': () => buildApiRecord(4),
      'GET /api/apis': () => buildPage([]),
      'GET /api/apis/:id/sign-in': () => never,
      ...answers,
    },
  })
}

const saveButton = { name: 'Save' }

test('a stored credential shows its fields, and a save keeps the secrets that stay blank', async () => {
  const { server, browser } = open({ credential: oauth }, {})
  const scope = await screen.findByLabelText<HTMLInputElement>('Scope')
  expect(scope.value).toBe('invoices')
  const secret = screen.getByLabelText<HTMLInputElement>('Client secret')
  expect(secret.value).toBe('')
  expect(secret.placeholder).toBe('Stored, leave blank to keep')
  expect(screen.getByLabelText<HTMLInputElement>('Value of field 1').value).toBe('C123')

  await browser.clear(scope)
  await browser.click(screen.getByRole('button', saveButton))
  await screen.findByText('API updated successfully!')
  expect(server.bodiesOf('PUT /api/apis/:id')).toEqual([
    expect.objectContaining({
      credential: {
        kind: 'oauth2_client_credentials',
        refused_when: null,
        token_url: 'https://id.example.com/token',
        client_id: 'gatehouse',
        client_secret: '',
        client_authentication: 'body',
        private_key: '',
        key_id: '',
        algorithm: 'RS256',
        scope: '',
        audience: '',
        body_fields: [{ name: 'onbehalfof', value: 'C123' }],
        login_headers: [],
        scheme: 'Bearer',
      },
      test_credential: null,
      tls: null,
    }),
  ])
})

test('a message is shown at the field of the credential that it is for', async () => {
  const headers = [{ name: 'Client-Id', has_value: true }]
  const { browser } = open(
    { credential: { kind: 'headers', refused_when: null, headers } },
    {
      'PUT /api/apis/:id': () =>
        refuse('request.invalid', {
          'credential.headers.0.value': ['A header may only hold visible ASCII characters.'],
        }),
    },
  )
  const value = await screen.findByLabelText<HTMLInputElement>('Value of header 1')
  expect(value.placeholder).toBe('Stored, leave blank to keep')
  await browser.type(value, 'ö')
  await browser.click(screen.getByRole('button', saveButton))
  await screen.findByText('A header may only hold visible ASCII characters.')
  expect(value.getAttribute('aria-invalid')).toBe('true')
})

test('a rule says which other answers refuse the sign-in, and a blank one is none', async () => {
  const refused_when = {
    statuses: '403',
    join: 'all' as const,
    conditions: [{ path: 'error.code', test: 'equals' as const, value: 'TOKEN' }],
  }
  const { server, browser } = open({ credential: { ...oauth, refused_when } }, {})
  const rule = within(await screen.findByRole('group', { name: 'Refused when' }))
  expect(rule.getByLabelText<HTMLInputElement>('Path').value).toBe('error.code')
  expect(rule.getByText(/replaced and the request sent once more/)).toBeTruthy()
  await browser.type(rule.getByLabelText('Statuses'), ',200')
  await browser.click(screen.getByRole('button', saveButton))
  await waitFor(() => expect(server.bodiesOf('PUT /api/apis/:id')).toHaveLength(1))
  expect(server.bodiesOf('PUT /api/apis/:id')[0]).toMatchObject({
    credential: { refused_when: { ...refused_when, statuses: '403,200' } },
  })
})

test('a rule that was cleared is sent as none', async () => {
  const refused_when = { statuses: '403', join: 'all' as const, conditions: [] }
  const { server, browser } = open({ credential: { ...oauth, refused_when } }, {})
  const rule = within(await screen.findByRole('group', { name: 'Refused when' }))
  await browser.clear(rule.getByLabelText('Statuses'))
  await browser.click(screen.getByRole('button', saveButton))
  await waitFor(() => expect(server.bodiesOf('PUT /api/apis/:id')).toHaveLength(1))
  expect(server.bodiesOf('PUT /api/apis/:id')[0]).toMatchObject({
    credential: { refused_when: null },
  })
})

test('a message in a part that is folded away opens it and takes the focus', async () => {
  const { browser } = open(
    { credential: { ...oauth, body_fields: [] } },
    {
      'PUT /api/apis/:id': () =>
        refuse('request.invalid', {
          'credential.refused_when.statuses': ['Write statuses.'],
          'credential.scheme': ['The scheme must be one word, like Bearer.'],
        }),
    },
  )
  await screen.findByLabelText('Scope')
  expect(screen.queryByLabelText('Scheme')).toBeNull()
  expect(screen.queryByLabelText('Statuses')).toBeNull()
  await browser.click(screen.getByRole('button', saveButton))
  expect(await screen.findByText('Write statuses.')).toBeTruthy()
  const scheme = screen.getByLabelText('Scheme')
  await waitFor(() => expect(document.activeElement).toBe(scheme))
})

test('a message moves along when a header before its own is removed', async () => {
  const headers = ['One', 'Two', 'Three'].map((name) => ({ name, has_value: true }))
  const { browser } = open(
    { credential: { kind: 'headers', refused_when: null, headers } },
    {
      'PUT /api/apis/:id': () =>
        refuse('request.invalid', { 'credential.headers.2.value': ['Enter it again.'] }),
    },
  )
  await screen.findByLabelText('Value of header 3')
  await browser.click(screen.getByRole('button', saveButton))
  await screen.findByText('Enter it again.')
  await browser.click(screen.getByRole('button', { name: 'Remove header 1' }))
  const value = screen.getByLabelText<HTMLInputElement>('Value of header 2')
  expect(value.getAttribute('aria-invalid')).toBe('true')
  expect(value.placeholder).toBe('Stored, leave blank to keep')
})

test('an authority fills in kind and headers', async () => {
  const { server, browser } = open({}, {})
  await browser.click(await screen.findByRole('combobox', { name: 'Fill in for' }))
  await browser.click(await screen.findByRole('option', { name: 'Saudi Arabia: ZATCA' }))
  const live = within(screen.getByRole('group', { name: 'Credential of the base URL' }))
  await browser.type(live.getByLabelText('User name'), 'a-certificate')
  await browser.type(live.getByLabelText('Password'), 'a-secret')
  await browser.click(screen.getByRole('button', saveButton))
  await screen.findByText('API updated successfully!')
  expect(server.bodiesOf('PUT /api/apis/:id')).toEqual([
    expect.objectContaining({
      credential: {
        kind: 'basic',
        refused_when: null,
        username: 'a-certificate',
        password: 'a-secret',
      },
      static_headers: [
        { name: 'Accept-Version', value: 'V2' },
        { name: 'Clearance-Status', value: '1' },
      ],
    }),
  ])
})

test('Test sign-in uses what is saved, and shows what came back', async () => {
  const { server, browser } = open(
    { credential: oauth },
    {
      'POST /api/apis/:id/sign-in': () => ({
        ok: true,
        kind: 'oauth2_client_credentials',
        obtained_at: '2026-11-22T08:00:00.000Z',
        expires_at: '2026-11-22T09:00:00.000Z',
        scope: 'invoices',
        message: 'A token was obtained.',
      }),
    },
  )
  await browser.click(await screen.findByRole('button', { name: 'Test sign-in' }))
  const answer = await screen.findByRole('alert')
  expect(answer.textContent).toMatch(/Signed in.*A token was obtained\..*valid until.*invoices/)
  expect(server.requests.at(-1)?.key).toBe('GET /api/apis/:id/sign-in')

  await browser.type(screen.getByLabelText('Scope'), ' more')
  await waitFor(() =>
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Test sign-in' }).disabled).toBe(
      true,
    ),
  )
  expect(screen.getByText('Save first: the test uses what is saved.')).toBeTruthy()
})

test('Test sign-in of what is not saved yet is off, and says why', async () => {
  const { browser } = renderApp({ path: '/dashboard/admin/api/create' })
  await screen.findByLabelText('API Name')
  expect(screen.queryByRole('button', { name: 'Test sign-in' })).toBeNull()
  await browser.click(screen.getByRole('combobox', { name: 'Kind of sign-in' }))
  await browser.click(await screen.findByRole('option', { name: 'Login call' }))
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Test sign-in' })
  expect(button.disabled).toBe(true)
  const reason = document.getElementById(button.getAttribute('aria-describedby') ?? '')
  expect(reason?.textContent).toBe('Save first: the test uses what is saved.')
})

test('Test sign-in is off while TLS settings are changed, which it would use', async () => {
  const { browser } = open({ credential: oauth }, {})
  const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Test sign-in' })
  await screen.findByLabelText('Scope')
  expect(button().disabled).toBe(false)
  await browser.click(screen.getByText('TLS to the upstream'))
  await browser.click(await screen.findByRole('switch', { name: 'Allow legacy renegotiation' }))
  expect(button().disabled).toBe(true)
  await browser.click(screen.getByRole('switch', { name: 'Allow legacy renegotiation' }))
  expect(button().disabled).toBe(false)
})

test('Test sign-in shows the reason of the authority that refuses', async () => {
  const { browser } = open(
    { credential: oauth },
    {
      'POST /api/apis/:id/sign-in': () =>
        refuse('request.invalid', {
          'credential.client_secret': ['The sign-in was refused: invalid_client.'],
        }),
    },
  )
  await browser.click(await screen.findByRole('button', { name: 'Test sign-in' }))
  const answer = await screen.findByRole('alert')
  expect(answer.textContent).toBe('The sign-in failedThe sign-in was refused: invalid_client.')
})

test('a sign-in that was refused says so, with the reason', async () => {
  open(
    { credential: oauth },
    {
      'GET /api/apis/:id/sign-in': () => ({
        ...never,
        state: 'refused',
        message: 'invalid_client',
      }),
    },
  )
  expect(await screen.findByText('sign-in refused')).toBeTruthy()
  expect(screen.getByText('invalid_client')).toBeTruthy()
})

test('TLS settings say in a line what is set; what is stored stays while it is blank', async () => {
  const { server, browser } = open(
    {
      tls: {
        client_certificate: '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----',
        has_client_key: true,
        has_pfx: false,
        has_passphrase: false,
        ca: '',
        legacy_renegotiation: false,
        certificate: null,
      },
    },
    {},
  )
  const panel = (await screen.findByText('TLS to the upstream')).closest('details')
  if (!panel) throw new Error('The panel is missing')
  expect(within(panel).getByText('Client certificate')).toBeTruthy()
  await browser.click(screen.getByText('TLS to the upstream'))
  const key = await screen.findByLabelText<HTMLTextAreaElement>('Client key (PEM)')
  expect(key.placeholder).toBe('Stored, leave blank to keep')
  await browser.click(screen.getByRole('switch', { name: 'Allow legacy renegotiation' }))
  await browser.click(screen.getByRole('button', saveButton))
  await screen.findByText('API updated successfully!')
  expect(server.bodiesOf('PUT /api/apis/:id')).toEqual([
    expect.objectContaining({
      tls: expect.objectContaining({ client_key: '', pfx: null, legacy_renegotiation: true }),
    }),
  ])
})

test('the list marks a refused sign-in, and a certificate that is about to expire, those of tests too', async () => {
  const none = { ...never, kind: null, state: 'none' } as const
  const expires_at = new Date(Date.now() + 6.5 * 86_400_000).toISOString()
  const certificate = { subject: 'CN=Acme', expires_at }
  const live = { ...never, which: 'live' as const }
  const refused = { state: 'refused' as const, message: 'invalid_client' }
  const { server } = renderApp({
    path: '/dashboard/admin/apis',
    answers: {
      'GET /api/apis': () =>
        buildPage([buildApiRow(4, { name: 'Orders' }), buildApiRow(5, { name: 'Stock' })]),
      'GET /api/sign-ins': () => [
        { ...live, ...refused, api_id: 4, api_name: 'Orders' },
        { ...live, ...none, api_id: 5, api_name: 'Stock', certificate },
        { ...live, ...refused, api_id: 5, api_name: 'Stock', which: 'test' },
      ],
    },
  })
  await screen.findAllByText('sign-in refused')
  const [, orders, stock] = screen.getAllByRole('row').map((row) => row.textContent)
  expect(orders).toMatch(/Orderssign-in refused/)
  expect(stock).toMatch(/Stockcertificate expires in 7 daystestsign-in refused/)
  const asked = server.requests.filter(({ key }) => key === 'GET /api/sign-ins')
  expect(asked).toHaveLength(1)
})

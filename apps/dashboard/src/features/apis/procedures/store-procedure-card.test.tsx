import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { ProcedureContract, TestedConnection } from '@gatehouse/contract'
import { buildApiRecord, buildApiRow, buildPage } from '../../../testing/builders.ts'
import { refuse, type Answers } from '../../../testing/fake-server.ts'
import { renderApp } from '../../../testing/render-app.tsx'

const parameter = {
  direction: 'in',
  type: 'bigint(20)',
  precision: null,
  scale: null,
  maxLength: null,
  hasDefault: false,
} as const
const signature = (name: string, parameters: string[]) => ({
  schema: 'shop',
  name,
  parameters: parameters.map((each) => ({ ...parameter, name: each })),
  isReadOnly: false,
})
const tested: TestedConnection = {
  procedures: [
    { ...signature('add_sale', ['id', 'total']), method: 'add_sale' },
    { ...signature('report', []), method: 'report', isReadOnly: true },
  ],
  is_complete: true,
  tls: 'off',
  duration_ms: 12.4,
}

async function openProcedureForm(answers: Answers) {
  const app = renderApp({ path: '/dashboard/admin/api/create', answers })
  await screen.findByLabelText('Base URL')
  await app.browser.click(screen.getByRole('radio', { name: 'Stored Procedure' }))
  return app
}

test('Test connection lists the procedures; a click fills the method, and a sample runs it', async () => {
  const { browser, server } = await openProcedureForm({
    'POST /api/apis/test-connection': () => tested,
    'POST /api/apis/run-sample': () =>
      new Response(
        '{"body":{"output":{"n":9007199254740993}},"columns":[],"is_rolled_back":true,"duration_ms":1}',
      ),
  })
  await browser.type(screen.getByLabelText('Host'), 'erp.local')
  await browser.click(screen.getByRole('button', { name: 'Test connection' }))
  await screen.findByText('Connected in 12 ms, without TLS.')
  expect(server.bodiesOf('POST /api/apis/test-connection')).toMatchObject([
    { driver: 'sqlsrv', host: 'erp.local', db_tls: '' },
  ])
  await browser.click(screen.getByRole('button', { name: /^add_sale/ }))
  expect(screen.getByLabelText<HTMLInputElement>('Stored Procedure method').value).toBe('add_sale')

  await browser.click(screen.getByRole('heading', { name: 'Run with a sample' }))
  await browser.click(await screen.findByRole('button', { name: 'Run with a sample' }))
  await screen.findByText(/9007199254740993/)
  expect(server.bodiesOf('POST /api/apis/run-sample')).toMatchObject([
    { func_name: 'add_sale', values: '{\n  "id": null,\n  "total": null\n}' },
  ])
})

test('the screen reports what a procedure did outside its transaction', async () => {
  const { browser } = await openProcedureForm({
    'POST /api/apis/run-sample': () =>
      new Response('{"body":{},"columns":[],"is_rolled_back":false,"duration_ms":1}'),
  })
  await browser.type(screen.getByLabelText('Stored Procedure method'), 'report')
  await browser.click(screen.getByRole('heading', { name: 'Run with a sample' }))
  await browser.click(await screen.findByRole('button', { name: 'Run with a sample' }))
  expect(await screen.findByText('Not rolled back')).toBeTruthy()
})

test('a refusal is under the field it belongs to, any other beneath the button', async () => {
  const { browser, server } = await openProcedureForm({
    'POST /api/apis/test-connection': () =>
      refuse('request.invalid', { host: ['The host field is required.'] }),
  })
  await browser.click(screen.getByRole('button', { name: 'Test connection' }))
  await screen.findByText('The host field is required.')
  server.use({ 'POST /api/apis/test-connection': () => refuse('procedure.sign_in') })
  await browser.click(screen.getByRole('button', { name: 'Test connection' }))
  expect((await screen.findByRole('alert')).textContent).toMatch(/database refused/)
  expect(screen.queryByText('The host field is required.')).toBeNull()
})

test('a procedure that has changed is marked on the list, compared on its screen, and accepted', async () => {
  const locked = {
    signature: signature('add_sale', ['id', 'total']),
    shapes: null,
    at: '2026-05-01T00:00:00Z',
  }
  const drift: ProcedureContract['drift'] = {
    signature: signature('add_sale', ['id']),
    shapes: null,
    kind: 'breaking',
    seen_at: '2026-06-01T00:00:00Z',
    changes: [{ kind: 'breaking', text: 'The parameter total is gone.' }],
  }
  let isAccepted = false
  const contract = { method: 'add_sale', locked, checked_at: null, check_failure: null }
  const api = { api_protocol: 'stored_procedure', driver: 'mysql', func_name: 'add_sale' } as const
  const { browser, server } = renderApp({
    path: '/dashboard/admin/apis',
    answers: {
      'GET /api/apis': () => buildPage([{ ...buildApiRow(4, api), drift: 'breaking' as const }]),
      'GET /api/apis/:id/edit': () => [buildApiRecord(4, api)],
      'GET /api/apis/:id/procedure': () => ({ ...contract, drift: isAccepted ? null : drift }),
      'POST /api/apis/:id/procedure/accept': () => {
        isAccepted = true
        return { ...contract, drift: null }
      },
    },
  })
  await screen.findByText('changed')
  await browser.click(screen.getByRole('link', { name: /^Edit/ }))
  await screen.findByText('The parameter total is gone.')
  const versions = screen.getAllByText(/shop\.add_sale/, { selector: 'pre' })
  expect(versions.map((version) => version.textContent)).toEqual([
    expect.stringContaining('in total'),
    expect.not.stringContaining('in total'),
  ])
  await browser.click(screen.getByRole('button', { name: 'Accept as the new contract' }))
  await screen.findByText(/It has not changed since/)
  expect(server.bodiesOf('POST /api/apis/:id/procedure/accept')).toHaveLength(1)
})

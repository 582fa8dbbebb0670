import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildUser } from '../../testing/builders.ts'
import { alwaysEnds, findToast, renderCredit } from '../../testing/bundle-screen.ts'
import { buildSummary } from '../../testing/run-builders.ts'

test('three endpoints, each with a text area that shows an invoice-ID sample', async () => {
  const { card } = await renderCredit()
  for (const position of [1, 2, 3]) {
    const body = card(position).getByRole<HTMLTextAreaElement>('textbox', { name: 'Body' })
    expect(body.tagName).toBe('TEXTAREA')
    expect(JSON.parse(body.placeholder)).toHaveProperty('invoice_id')
  }
  expect(screen.queryByRole('region', { name: 'Endpoint 4' })).toBeNull()
})

test('Send Request sends the three endpoints with their tokens', async () => {
  const { server, browser, card, choose, press } = await renderCredit(
    alwaysEnds(buildSummary('succeeded', ['succeeded'], { kind: 'credit' })),
  )
  await choose(1, 'File invoice')
  fireEvent.change(card(1).getByRole('textbox', { name: 'Body' }), {
    target: { value: '{"invoice_id": "INV-1"}' },
  })
  await browser.click(screen.getByText('Tokens'))
  await browser.type(await screen.findByLabelText('Token of endpoint 1'), 'get-token')
  await browser.type(screen.getByLabelText('Token of endpoints 2 and 3'), 'post-token')
  await press('Send Request')
  await findToast('Request sent successfully!')
  expect(server.bodiesOf('POST /api/credit/tax')).toEqual([
    {
      endpoint_1: {
        end_point: '4',
        body: '{"invoice_id": "INV-1"}',
        token: 'get-token',
        test_invoice: false,
      },
      endpoint_2: { end_point: null, body: '', token: 'post-token', test_invoice: false },
      endpoint_3: { end_point: null, body: '', token: 'post-token', test_invoice: false },
    },
  ])
})

test('“Test invoice” makes every endpoint a test, and the run is marked TEST', async () => {
  const run = buildSummary('succeeded', ['succeeded'], { kind: 'credit', is_test: true })
  const { server, browser, choose, press } = await renderCredit(alwaysEnds(run))
  await choose(1, 'File invoice')
  await browser.click(screen.getByRole('checkbox', { name: 'Test invoice' }))
  await press('Send Request')
  await findToast('Request sent successfully!')
  expect(server.bodiesOf('POST /api/credit/tax')).toMatchObject([
    {
      endpoint_1: { test_invoice: true },
      endpoint_2: { test_invoice: true },
      endpoint_3: { test_invoice: true },
    },
  ])
  expect((await screen.findAllByText('TEST')).length).toBeGreaterThan(0)
})

test('a dry run is announced as what it is: nothing was sent', async () => {
  const run = buildSummary('succeeded', ['would_send'], {
    kind: 'credit',
    is_test: true,
    is_dry_run: true,
  })
  const { browser, choose, press } = await renderCredit(alwaysEnds(run))
  await choose(1, 'File invoice')
  await browser.click(screen.getByRole('checkbox', { name: 'Test invoice' }))
  await press('Send Request')
  expect(await findToast('Nothing was sent')).toContain('A dry run')
  expect(document.body.textContent).not.toContain('Request sent successfully!')
})

test('a user who may not test has no Test invoice', async () => {
  const permissions = ['dashboard.view', 'credit.view', 'credit.send'] as const
  await renderCredit({}, buildUser({ permissions: [...permissions] }))
  expect(screen.queryByRole('checkbox', { name: 'Test invoice' })).toBeNull()
})

test('a body that is no JSON is said so, and where', async () => {
  const { browser, card } = await renderCredit()
  const body = card(1).getByRole<HTMLTextAreaElement>('textbox', { name: 'Body' })
  fireEvent.change(body, { target: { value: '{\n  "a": nope\n}' } })
  await browser.click(await card(1).findByRole('button', { name: 'Go to line 2' }))
  expect(document.activeElement).toBe(body)
  expect(body.selectionStart).toBeGreaterThan(2)
})

test('a user who may not send credits has no buttons to send with', async () => {
  const permissions = ['dashboard.view', 'credit.view', 'tax.send'] as const
  await renderCredit({}, buildUser({ permissions: [...permissions] }))
  expect(screen.queryByRole('button', { name: 'Send Request' })).toBeNull()
})

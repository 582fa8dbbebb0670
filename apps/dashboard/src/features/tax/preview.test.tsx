import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { BundlePreview, PreviewStep } from '@gatehouse/contract'
import { findToast, renderTax } from '../../testing/bundle-screen.ts'
import { refuse } from '../../testing/fake-server.ts'

const step: PreviewStep = {
  position: 1,
  endpoint_id: 4,
  endpoint_name: 'File invoice',
  method: 'POST',
  effect: 'submit',
  is_sent: true,
  url: 'https://authority.example.com/invoices',
  headers: { 'content-type': 'application/json' },
  body: '{"total":0.10}',
  takes: [],
  last_accepted: { run_id: 12, at: '2026-01-31T10:00:00.000Z' },
  marks: [
    { path: 'total', kind: 'changed', before: '0.20', now: '0.10' },
    { path: 'buyer', kind: 'empty', before: null, now: '""' },
    { path: 'seller', kind: 'removed', before: '"Acme"', now: null },
  ],
}
const preview: BundlePreview = {
  is_test: false,
  is_dry_run: false,
  steps: [step, { ...step, position: 2, url: null, takes: ['id', 'title'], marks: [] }],
}

test('Preview shows what would be sent, empty places first, and sends nothing', async () => {
  const { server, press } = await renderTax({ 'POST /api/tax/preview': () => preview })
  await press('Preview')
  const panel = within(await screen.findByRole('region', { name: 'Preview' }))
  expect(panel.getByText(/^Nothing has been sent\./)).toBeTruthy()
  const first = within(panel.getByRole('region', { name: 'Step 1' }))
  expect(first.getByText('https://authority.example.com/invoices')).toBeTruthy()
  expect(first.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'emptybuyer has no value',
    'changedtotal is 0.10; it was 0.20',
    'missingseller was "Acme" in the last accepted request',
  ])
  expect(first.getByRole('link', { name: 'run 12' })).toBeTruthy()
  const second = within(panel.getByRole('region', { name: 'Step 2' }))
  expect(second.getByText('Known once the earlier steps have answered')).toBeTruthy()
  expect(second.getByText('id, title from earlier answers')).toBeTruthy()
  expect(server.bodiesOf('POST /api/tax')).toEqual([])
})

test('a preview of an older form says so', async () => {
  const { browser, press } = await renderTax({ 'POST /api/tax/preview': () => preview })
  await press('Preview')
  await screen.findByRole('region', { name: 'Preview' })
  await browser.click(screen.getByRole('checkbox', { name: 'Test invoice' }))
  expect(screen.getByText(/^The form has been changed since\./)).toBeTruthy()
})

test('what sending would refuse, the preview refuses under the same fields', async () => {
  const { card, press } = await renderTax({
    'POST /api/tax/preview': () =>
      refuse('request.invalid', { 'endpoint_1.end_point': ['Choose an endpoint.'] }),
  })
  await press('Preview')
  await findToast('There is no preview.')
  expect(card(1).getByText('Choose an endpoint.')).toBeTruthy()
})

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
      endpoint_1: { end_point: '4', body: '{"invoice_id": "INV-1"}', token: 'get-token' },
      endpoint_2: { end_point: null, body: '', token: 'post-token' },
      endpoint_3: { end_point: null, body: '', token: 'post-token' },
    },
  ])
})

test('a body that is no JSON is said so, and where', async () => {
  const { browser, card } = await renderCredit()
  const body = card(1).getByRole<HTMLTextAreaElement>('textbox', { name: 'Body' })
  fireEvent.change(body, { target: { value: '{\n  "a": nope\n}' } })
  await browser.click(await card(1).findByRole('button', { name: 'Go to line 2' }))
  expect(document.activeElement).toBe(body)
  expect(body.selectionStart).toBeGreaterThan(2)
})

test('who may not send credits is offered nothing to send with', async () => {
  const permissions = ['dashboard.view', 'credit.view', 'tax.send'] as const
  await renderCredit({}, buildUser({ permissions: [...permissions] }))
  expect(screen.queryByRole('button', { name: 'Send Request' })).toBeNull()
})

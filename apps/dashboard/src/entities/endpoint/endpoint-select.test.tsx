import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { EndpointOption } from '@gatehouse/contract'
import { offered } from '../../testing/build-request-screen.ts'
import { atEachCommit } from '../../testing/count-renders.ts'
import { findToast, renderTax, sent } from '../../testing/bundle-screen.ts'
import { buildSummary } from '../../testing/run-builders.ts'

const option = (id: number, summery: string): EndpointOption => ({
  id,
  summery,
  description: summery,
  method_type: 'post',
  path: '/steps',
  effect: 'submit',
  text_content_type: null,
  api: { id: 1, name: 'Authority' },
})

/** As many as the server gives at a time, of more. */
const all = [
  option(1, 'Clear invoice'),
  option(2, 'Write back'),
  ...Array.from({ length: 1_200 }, (_, at) => option(at + 3, `Copy ${at}`)),
]

async function renderMany() {
  const app = await renderTax({
    'GET /api/tax': (request) => [
      offered(all, request).slice(0, Number(request.query['limit'] ?? 1_000)),
    ],
    'POST /api/tax': () => sent(buildSummary('succeeded')),
  })
  const field = app.card(1).getByRole<HTMLInputElement>('combobox', { name: 'API' })
  const sentEndpoint = () =>
    app.server
      .bodiesOf('POST /api/tax')
      .map((body) => (body as { endpoint_1: { end_point: string | null } }).endpoint_1.end_point)
  const sendButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Send Request' })
  return { ...app, field, sentEndpoint, sendButton }
}

test('what is typed over a choice is not sent as the old one: Send waits until it is resolved', async () => {
  const { browser, field, choose, press, sendButton, sentEndpoint } = await renderMany()
  await choose(1, 'Clear invoice')
  expect(field.value).toBe('Clear invoice')
  await browser.click(field)
  fireEvent.change(field, { target: { value: 'write back' } })
  await waitFor(() => expect(sendButton().disabled).toBe(true))
  await browser.keyboard('{Enter}')
  await waitFor(() => expect(field.value).toBe('Write back'))
  expect(sendButton().disabled).toBe(false)
  await press('Send Request')
  await findToast('Request sent successfully!')
  expect(sentEndpoint()).toEqual(['2'])
})

test('Tab takes the first match, also before the server has answered', async () => {
  const { browser, field } = await renderMany()
  await browser.click(field)
  await browser.keyboard('copy 1199{Tab}')
  expect(document.activeElement).not.toBe(field)
  await waitFor(() => expect(field.value).toBe('Copy 1199'))
})

test('a text that matches nothing is an error, and Escape brings the choice back', async () => {
  const { browser, card, field, choose, sendButton } = await renderMany()
  await choose(1, 'Clear invoice')
  await browser.click(field)
  fireEvent.change(field, { target: { value: 'no such thing' } })
  expect(await card(1).findByText('No endpoint matches “no such thing”.')).toBeTruthy()
  await browser.keyboard('{Enter}')
  expect(sendButton().disabled).toBe(true)
  await browser.keyboard('{Escape}')
  expect(field.value).toBe('Clear invoice')
  await waitFor(() => expect(sendButton().disabled).toBe(false))
})

test('left with a text that was not resolved, the field says so', async () => {
  const { browser, card, field } = await renderMany()
  await browser.click(field)
  await browser.keyboard('copy')
  await browser.click(card(2).getByLabelText('Token'))
  expect(await card(1).findByText(/Nothing is chosen for “copy”/)).toBeTruthy()
})

test('fifty options at most, none of them in the document while it is closed', async () => {
  const { browser, field } = await renderMany()
  expect(screen.queryAllByRole('option')).toEqual([])
  await browser.click(field)
  await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(50))
  expect(screen.getByText('The first 50. Type to find others.')).toBeTruthy()
  await browser.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryAllByRole('option')).toEqual([]))
})

test('a choice can’t be clicked away; the button clears it', async () => {
  const { browser, card, field, choose } = await renderMany()
  await choose(1, 'Clear invoice')
  await choose(1, 'Clear invoice')
  expect(field.value).toBe('Clear invoice')
  await browser.click(card(1).getByRole('button', { name: 'Clear the choice' }))
  expect(field.value).toBe('')
})

test('the text is selected when the field is entered', async () => {
  const { browser, field, choose } = await renderMany()
  await choose(1, 'Clear invoice')
  field.blur()
  field.setSelectionRange(0, 0)
  await browser.click(field)
  expect([field.selectionStart, field.selectionEnd]).toEqual([0, 'Clear invoice'.length])
})

test('an endpoint that can’t be called any more says so', async () => {
  sessionStorage.setItem(
    'gatehouse.tax.1',
    JSON.stringify({ steps: [{ endpoint: '9999', body: '' }] }),
  )
  const { card, field } = await renderMany()
  expect(await card(1).findByText(/can’t be called here any more/)).toBeTruthy()
  expect(field.value).toBe('Endpoint 9999')
})

test('the list opens with what fits into it, and the others follow', async () => {
  const { browser, field } = await renderMany()
  const drawn: number[] = []
  await atEachCommit(
    () => drawn.push(screen.queryAllByRole('option').length),
    async () => {
      await browser.click(field)
      await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(50))
    },
  )
  expect(new Set(drawn.filter((count) => count > 0))).toEqual(new Set([8, 50]))
})

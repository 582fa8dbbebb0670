import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildApi, buildApiRecord, buildPage } from '../../../testing/builders.ts'
import { renderApp } from '../../../testing/render-app.tsx'

test('a draft shows the name and the protocol of its API, and is saved with them', async () => {
  const draft = {
    submitted_data: JSON.stringify(buildApi({ name: 'Orders before' })),
    draft_tokens: [7],
    draft_version: 2,
    is_outdated: true,
    saved_at: '2026-11-22T09:00:00.000Z',
    saved_by: 'Ann',
  }
  const { server, browser } = renderApp({
    path: '/dashboard/admin/apis/4/draft',
    answers: {
      'GET /api/apis/:id/edit': () => [buildApiRecord(4, { name: 'Orders renamed' })],
      'GET /api/apis/:id/draft': () => ({ draft }),
      'GET /api/token': () => buildPage([]),
      'PUT /api/apis/:id/draft': () => ({ draft }),
    },
  })
  const name = await screen.findByRole<HTMLInputElement>('textbox', { name: 'API Name' })
  const protocol = screen.getByRole<HTMLInputElement>('textbox', { name: 'Protocol' })
  expect([name.value, name.readOnly]).toEqual(['Orders renamed', true])
  expect([protocol.value, protocol.readOnly]).toEqual(['HTTP', true])
  screen.getByText(/A draft keeps the name and the protocol/)
  await browser.click(screen.getByRole('button', { name: 'Save draft' }))
  await waitFor(() =>
    expect(server.bodiesOf('PUT /api/apis/:id/draft')).toMatchObject([
      { name: 'Orders renamed', api_protocol: 'http', draft_version: 2 },
    ]),
  )
})

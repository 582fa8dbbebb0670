import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderApp } from '../../testing/render-app.tsx'

test.each([
  ['reset', 'Your password is set. All your earlier sessions have ended: sign in with it.'],
  ['invitation', 'Your password is set: sign in with it.'],
] as const)(
  'a new password by a link (%s): sessions are ended where there may be some',
  async (kind, said) => {
    const { browser } = renderApp({
      path: '/dashboard/password#secret',
      user: null,
      answers: {
        'POST /api/password-link': () => ({ kind, email: 'ann@example.com' }),
        'POST /api/password-link/password': () => undefined,
      },
    })
    await browser.type(await screen.findByLabelText('New Password'), 'a sentence of my own')
    await browser.type(screen.getByLabelText('Confirm Password'), 'a sentence of my own')
    await browser.click(screen.getByRole('button', { name: 'Save password' }))
    expect((await screen.findByText(/^Your password is set/)).textContent).toBe(said)
  },
)

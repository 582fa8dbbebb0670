import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refuse } from '../../testing/fake-server.ts'
import { renderApp } from '../../testing/render-app.tsx'

test('nothing beside the form of a code leads away from it, and Back brings the offers back', async () => {
  const { browser } = renderApp({
    path: '/api/login/react',
    user: null,
    answers: {
      'GET /api/sign-on/offer': () => ({ name: 'Acme', resets_passwords: true }),
      'POST /api/login': () => refuse('session.code_needed'),
    },
  })
  await screen.findByText('Forgot your password?')
  await browser.type(screen.getByLabelText('E-Mail Address'), 'ada@example.com')
  await browser.type(screen.getByLabelText('Password', { selector: 'input' }), 'correct horse')
  await browser.click(screen.getByRole('button', { name: 'Login' }))
  await screen.findByLabelText('Code')
  for (const offer of ['Forgot your password?', 'Sign in with Acme', 'English'])
    expect(screen.queryByText(offer)).toBeNull()
  await browser.click(screen.getByRole('button', { name: 'Back' }))
  await waitFor(() => expect(screen.getByText('Forgot your password?')).toBeTruthy())
})

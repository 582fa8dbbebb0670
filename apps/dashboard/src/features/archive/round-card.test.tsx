import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { paths } from '../../entities/paths.ts'
import { buildArchive } from '../../testing/archive-builders.ts'
import { buildPage } from '../../testing/builders.ts'
import { renderApp } from '../../testing/render-app.tsx'

test('a round that begins after the user left the screen is reported', async () => {
  const begun = Promise.withResolvers<void>()
  const { browser, router } = renderApp({
    path: paths.archive,
    answers: {
      'GET /api/archive/files': () => buildPage([]),
      'POST /api/archive/round': () => begun.promise.then(() => buildArchive().round),
    },
  })
  await browser.click(await screen.findByRole('button', { name: 'Archive now' }))
  await router.navigate(paths.home)
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Archive now' })).toBeNull())
  begun.resolve()
  await screen.findByText('A round begins.')
})

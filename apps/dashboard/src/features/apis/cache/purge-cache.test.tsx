import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { noTrafficPolicy } from '@gatehouse/contract'
import { buildApiRecord, buildPage, buildUser } from '../../../testing/builders.ts'
import { refuse, type Answers } from '../../../testing/fake-server.ts'
import { renderApp } from '../../../testing/render-app.tsx'

const path = '/dashboard/admin/apis/4/endpoints'
const policy = { ...noTrafficPolicy, cache: { max_bytes: 1_048_576 } }
const answers: Answers = {
  'GET /api/endpoint': () => buildPage([]),
  'GET /api/apis/:id/edit': () => [buildApiRecord(4, { traffic_policy: policy })],
}
const openDialog = async (browser: ReturnType<typeof renderApp>['browser']) => {
  await browser.click(await screen.findByRole('button', { name: 'Purge cache' }))
  return within(await screen.findByRole('dialog', { name: 'Purge the cache?' }))
}

test('the answers of a path are dropped after the question which', async () => {
  const { browser, server } = renderApp({
    path,
    answers: { ...answers, 'POST /api/apis/:id/purge-cache': () => undefined },
  })
  const dialog = await openDialog(browser)
  await browser.click(dialog.getByRole('radio', { name: 'One path' }))
  await browser.type(dialog.getByRole('textbox', { name: 'Path' }), '/orders/*')
  await browser.click(dialog.getByRole('button', { name: 'Purge' }))
  expect(
    await screen.findByText('This server has dropped the answers. Other servers follow.'),
  ).toBeTruthy()
  expect(server.bodiesOf('POST /api/apis/:id/purge-cache')).toEqual([
    { kind: 'path', value: '/orders/*' },
  ])
})

test('a refusal stays in the dialog', async () => {
  const { browser } = renderApp({
    path,
    answers: {
      ...answers,
      'POST /api/apis/:id/purge-cache': () =>
        refuse('request.invalid', { value: ['The tag must be one word without commas.'] }),
    },
  })
  const dialog = await openDialog(browser)
  await browser.click(dialog.getByRole('radio', { name: 'One tag' }))
  await browser.click(dialog.getByRole('button', { name: 'Purge' }))
  expect(await dialog.findByText(/The tag must be one word without commas/)).toBeTruthy()
})

test('the button is there for those who may change an API that has a cache', async () => {
  const user = buildUser({ permissions: ['api.view', 'endpoint.view'] })
  renderApp({ path, user, answers })
  await screen.findByRole('heading', { level: 2, name: 'Orders' })
  expect(screen.queryByRole('button', { name: 'Purge cache' })).toBeNull()
})

import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildApiRecord, buildEndpoint, buildPage, buildUser } from '../../testing/builders.ts'
import { refuse, type Answers } from '../../testing/fake-server.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { buildTryItAnswer } from '../../testing/try-it-builders.ts'

const path = '/dashboard/admin/api/edit/1'

async function openTryIt(answers: Answers = {}, endpoints = [buildEndpoint()]) {
  const app = renderApp({
    path,
    answers: {
      'GET /api/apis/:id/edit': () => [buildApiRecord(1)],
      'GET /api/endpoint': () => buildPage(endpoints),
      ...answers,
    },
  })
  await app.browser.click(await screen.findByRole('heading', { name: 'Try it' }))
  return app
}
const send = async () => screen.findByRole('button', { name: 'Send through the gateway' })

test('an API that was changed is tried at one of its endpoints, with what its form holds', async () => {
  const { browser, server } = await openTryIt({
    'POST /api/apis/:id/try-changes': () => buildTryItAnswer(),
  })
  await browser.type(screen.getByLabelText('Base URL'), '/v2')
  await browser.type(await screen.findByLabelText('{id}'), '7')
  await browser.click(await send())
  await screen.findByText('client.unauthenticated')
  const [body] = server.bodiesOf('POST /api/apis/:id/try-changes')
  expect(body).toMatchObject({
    params: { id: '7' },
    endpoint_id: buildEndpoint().id,
    definition: {
      api_url: expect.stringMatching(/\/v2$/) as string,
      version: expect.any(Number) as number,
    },
  })
  expect(server.bodiesOf('PUT /api/apis/:id')).toEqual([])
})

test('an API without endpoints is tried at a path of its base URL', async () => {
  const { browser, server } = await openTryIt(
    { 'POST /api/apis/:id/try-changes': () => buildTryItAnswer() },
    [],
  )
  await browser.type(await screen.findByLabelText('Path'), 'status')
  await browser.click(await send())
  await screen.findByText('client.unauthenticated')
  expect(server.bodiesOf('POST /api/apis/:id/try-changes')).toMatchObject([
    { route: { method_type: 'get', path: '/status' } },
  ])
})

test('a refusal is under the field of the form', async () => {
  const { browser } = await openTryIt({
    'POST /api/apis/:id/try-changes': () =>
      refuse('request.invalid', { 'definition.api_url': ['This address can’t be used.'] }),
  })
  const url = screen.getByLabelText('Base URL')
  await browser.type(url, '/v2')
  await browser.click(await send())
  await screen.findByText(/The API could not be saved like this/)
  expect(url.getAttribute('aria-invalid')).toBe('true')
  await waitFor(() => expect(document.activeElement).toBe(url))
})

test('it is not offered to users who may not send', async () => {
  renderApp({
    path,
    user: buildUser({ roles: [], permissions: ['api.view', 'api.edit', 'endpoint.view'] }),
    answers: { 'GET /api/apis/:id/edit': () => [buildApiRecord(1)] },
  })
  await screen.findByLabelText('Base URL')
  expect(screen.queryByRole('heading', { name: 'Try it' })).toBeNull()
})

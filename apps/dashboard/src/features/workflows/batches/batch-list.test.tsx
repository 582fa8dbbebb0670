import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildPage, buildUser } from '../../../testing/builders.ts'
import { refuse, type Answers } from '../../../testing/fake-server.ts'
import { renderApp, watchConsoleErrors } from '../../../testing/render-app.tsx'
import { buildBatch, buildWorkflow } from '../../../testing/workflow-builders.ts'

const listKey = 'GET /api/workflows/:slug/batches'

async function open(answers: Answers, permissions?: readonly string[]) {
  const user = buildUser()
  const held = user.permissions.filter((name) => permissions?.includes(name) ?? true)
  const app = renderApp({
    path: '/dashboard/admin/workflows/7',
    user: { ...user, permissions: held },
    answers: {
      'GET /api/workflows/:id': () => buildWorkflow(),
      'GET /api/runs': () => buildPage([]),
      ...answers,
    },
  })
  const list = within(await screen.findByRole('region', { name: 'Batches' }))
  return { ...app, list }
}

test('the batches of a workflow are on its page, with their progress', async () => {
  const { list } = await open({
    [listKey]: () =>
      buildPage([
        buildBatch(),
        buildBatch({ id: 4, file_name: '', state: 'paused', counts: { queued: 1 }, total: 1 }),
      ]),
  })
  const link = await list.findByRole('link', { name: 'june.csv' })
  expect(link.getAttribute('href')).toBe('/dashboard/admin/workflows/7/batches/5')
  expect(list.getByText('403 of 1,000')).toBeTruthy()
  expect(list.getByRole('img', { name: 'Succeeded 400, Rejected 3, Queued 597' })).toBeTruthy()
  expect(list.getByRole('link', { name: 'Batch 4' })).toBeTruthy()
  expect(list.getByText('Paused')).toBeTruthy()
})

test('batches are searched by file and person', async () => {
  const { list, server, browser } = await open({ [listKey]: () => buildPage([]) })
  await list.findByText('No batches yet')
  await browser.type(list.getByRole('searchbox'), 'june')
  await list.findByText('Nothing matches “june”.')
  // What is found before is shown until the answer is there.
  await waitFor(() => {
    const seen = server.requests.findLast(({ key }) => key === listKey)
    expect(seen?.query).toMatchObject({ search: 'june', page: '1' })
    expect(seen?.params).toEqual({ slug: 'sales' })
  })
})

test('a file is offered to people who may run the workflow while it is active', async () => {
  const { list } = await open({ [listKey]: () => buildPage([]) })
  const link = list.getByRole('link', { name: 'Send a file' })
  expect(link.getAttribute('href')).toBe('/dashboard/admin/workflows/7/batches/new')
})

test.each([
  ['without the permission', ['workflow.view'], 'active'],
  ['while the workflow is paused', undefined, 'paused'],
] as const)('a file is not offered %s', async (_, permissions, status) => {
  const { list } = await open(
    {
      [listKey]: () => buildPage([]),
      'GET /api/workflows/:id': () => buildWorkflow({ status }),
    },
    permissions,
  )
  await list.findByText('No batches yet')
  expect(list.queryByRole('link', { name: 'Send a file' })).toBeNull()
})

test('a list that could not be loaded says so', async () => {
  watchConsoleErrors()
  const { list } = await open({ [listKey]: () => refuse('workflow.not_found') })
  expect(await list.findByText('The list could not be loaded.')).toBeTruthy()
})

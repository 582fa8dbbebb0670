import { screen, within } from '@testing-library/react'
import { buildUser } from './builders.ts'
import type { Answers } from './fake-server.ts'
import { renderApp } from './render-app.tsx'
import { buildRunDetail, buildStep, buildUnknownStep } from './run-builders.ts'

export const stoppedRun = buildRunDetail({
  state: 'stopped',
  resume: { step: 2, refusal: null },
  run_again: { is_allowed: true, refusal: null },
  steps: [
    buildStep(),
    buildStep({ position: 2, state: 'waiting', attempts: [] }),
    buildStep({ position: 3, state: 'waiting', attempts: [] }),
  ],
})
export const unknownRun = buildRunDetail({
  state: 'unknown',
  resume: { step: null, refusal: 'Say first whether it was received.' },
  steps: [buildStep(), buildUnknownStep({ position: 2 })],
})

/** Opens the screen of a run; `permissions` are those that the user still holds. */
export async function showRun(
  run: typeof stoppedRun,
  answers: Answers = {},
  permissions?: string[],
) {
  const user = buildUser()
  const held = permissions && user.permissions.filter((name) => permissions.includes(name))
  const app = renderApp({
    path: '/dashboard/admin/runs/41',
    answers: { 'GET /api/runs/:id': () => run, ...answers },
    ...(held ? { user: { ...user, permissions: held } } : {}),
  })
  await screen.findByRole('list', { name: 'Steps' })
  return app
}

export const press = async (
  browser: Awaited<ReturnType<typeof showRun>>['browser'],
  name: string,
) => browser.click(await screen.findByRole('button', { name }))
export const findDialog = async () => within(await screen.findByRole('dialog'))

import { screen, waitFor, within } from '@testing-library/react'
import type { RunSummary, SessionUser } from '@gatehouse/contract'
import { choices, findEditor, offered, typeInto } from './build-request-screen.ts'
import { refuse, requestId, type Answers } from './fake-server.ts'
import { renderApp } from './render-app.tsx'
import { buildRunDetail } from './run-builders.ts'

/** Before the first Send there is no run with the form's key. */
const noRun: Answers = {
  'GET /api/tax': (request) => [offered(choices, request)],
  'GET /api/credit/tax': (request) => [offered(choices, request)],
  'GET /api/runs/by-key/:key': () => refuse('run.not_found'),
  'GET /api/runs/:id': () => buildRunDetail(),
}

/** The tax screen over a fake server, once its choices are there. */
export async function renderTax(answers: Answers = {}, user?: SessionUser) {
  const app = renderApp({
    path: '/dashboard/admin/tax',
    answers: { ...noRun, ...answers },
    ...(user ? { user } : {}),
  })
  await screen.findByRole('region', { name: 'Endpoint 1' })
  return { ...app, ...actionsOf(app.browser) }
}

function actionsOf(browser: ReturnType<typeof renderApp>['browser']) {
  const card = (position: number) =>
    within(screen.getByRole('region', { name: `Endpoint ${position}` }))
  return {
    card,
    choose: async (position: number, summery: string) => {
      await browser.click(card(position).getByRole('combobox'))
      const options = await screen.findAllByRole('option', { name: new RegExp(summery) })
      await browser.click(options.at(-1) ?? document.body)
    },
    typeBody: async (position: number, text: string) =>
      typeInto(await findEditor('Body', position - 1), text),
    press: (name: string) => browser.click(screen.getByRole('button', { name })),
  }
}

export async function renderCredit(answers: Answers = {}, user?: SessionUser) {
  const app = renderApp({
    path: '/dashboard/admin/tax/credit',
    answers: { ...noRun, ...answers },
    ...(user ? { user } : {}),
  })
  await screen.findByRole('region', { name: 'Endpoint 3' })
  return { ...app, ...actionsOf(app.browser) }
}

/** The server's answer for a run that was carried out and did not succeed. */
export function endedBadly(run: RunSummary): Response {
  const isUnknown = run.state === 'unknown'
  return Response.json(
    {
      message: 'It did not succeed.',
      code: isUnknown ? 'run.unknown' : 'run.failed',
      request_id: requestId,
      run,
    },
    { status: isUnknown ? 504 : 502 },
  )
}

/** An answer that a test gives when it is time. */
export function later() {
  let give: (response: Response) => void = () => undefined
  let fail: (error: Error) => void = () => undefined
  const answer = new Promise<Response>((resolve, reject) => {
    give = resolve
    fail = reject
  })
  return { answer: () => answer, give, fail }
}

export const sent = (run: RunSummary, headers: Record<string, string> = {}) =>
  Response.json({ message: 'Request sent successfully!', run }, { headers })

/** A server whose every tax run becomes this one at once. */
export function alwaysEnds(run: RunSummary, headers: Record<string, string> = {}): Answers {
  let hasBegun = false
  const send = () => {
    hasBegun = true
    return run.state === 'succeeded' ? sent(run, headers) : endedBadly(run)
  }
  return {
    'POST /api/tax': send,
    'POST /api/credit/tax': send,
    'GET /api/runs/by-key/:key': () => (hasBegun ? { run } : refuse('run.not_found')),
  }
}

/** What the tab keeps of the tax form. */
export const keptTax = () =>
  JSON.parse(sessionStorage.getItem('gatehouse.tax.1') ?? '{}') as Record<string, string | null>

export const findToast = (text: string) =>
  waitFor(() => {
    const toast = [...document.querySelectorAll('.Toastify__toast')].find((each) =>
      each.textContent.includes(text),
    )
    if (!toast) throw new Error(`No toast says ${text}`)
    return toast.textContent
  })

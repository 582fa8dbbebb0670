import type { EndpointOption, Outcome, RunState, SessionUser } from '@gatehouse/contract'
import { EditorView } from '@codemirror/view'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { requestId, type Answers, type SeenRequest } from './fake-server.ts'
import { renderApp } from './render-app.tsx'

export const choices: EndpointOption[] = [
  {
    id: 3,
    summery: 'One order',
    description: 'One order, by its number',
    method_type: 'get',
    path: '/orders/{id}',
    effect: 'read',
    text_content_type: null,
    api: { id: 1, name: 'Shop' },
  },
  {
    id: 4,
    summery: 'File invoice',
    description: 'Files an invoice',
    method_type: 'post',
    path: '/invoices',
    effect: 'submit',
    text_content_type: null,
    api: { id: 2, name: 'Authority' },
  },
]

/** What the server offers of them to a search (spec: build-request). */
export function offered(all: EndpointOption[], { query }: SeenRequest): EndpointOption[] {
  const words = (query['search'] ?? '').toLowerCase().split(/\s+/)
  const ids = query['ids']?.split(',')
  return all.filter((choice) => {
    const text = [choice.summery, choice.method_type, choice.path, choice.api.name].join(' ')
    return (
      words.every((word) => text.toLowerCase().includes(word)) &&
      (query['effect'] !== 'read' || choice.effect === 'read') &&
      (ids?.includes(String(choice.id)) ?? true)
    )
  })
}

/** The Build Request screen over a fake server, once its choices are there. */
export async function renderBuildRequest(answers: Answers = {}, user?: SessionUser) {
  const app = renderApp({
    path: '/dashboard/admin/build-request',
    answers: {
      'GET /api/buildRequest': (request) => [offered(choices, request)],
      ...answers,
    },
    ...(user ? { user } : {}),
  })
  const form = await screen.findByRole('form', { name: 'From endpoint' })
  const card = {
    get: within(form),
    send: within(screen.getByRole('form', { name: 'To endpoint' })),
  }
  async function choose(end: keyof typeof card, summery: string) {
    await app.browser.click(card[end].getByRole('combobox'))
    // Both lists are in the document while they close and open.
    const options = await screen.findAllByRole('option', { name: new RegExp(summery) })
    await app.browser.click(options.at(-1) ?? document.body)
  }
  /** Get, and its JSON as text: the tree has tests of its own. */
  async function fetchAsText() {
    await app.browser.click(card.get.getByRole('button', { name: 'Get' }))
    await app.browser.click(await screen.findByRole('button', { name: 'Text' }))
  }
  /** Shows Token and Body of an end. */
  async function unfold(end: keyof typeof card) {
    await app.browser.click(card[end].getByText('Token and Body'))
    await card[end].findByLabelText('Token')
  }
  return { ...app, card, choose, fetchAsText, unfold }
}

/** The editor of a JSON pane, once it has been loaded. */
export async function findEditor(label: string, nth = 0): Promise<EditorView> {
  const content = (await screen.findAllByRole('textbox', { name: label }))[nth]
  const view = content && EditorView.findFromDOM(content)
  if (!view) throw new Error(`${label} is not an editor`)
  return view
}

export async function expectPane(label: string, text: string): Promise<void> {
  await waitFor(async () => {
    const shown = (await findEditor(label)).state.doc.toString()
    if (shown !== text) throw new Error(`${label} shows ${shown}`)
  })
}

/** Replaces the text of an editor, as typing and a press behind it would. */
export function typeInto(view: EditorView, text: string): void {
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } })
  window.dispatchEvent(new Event('pointerdown'))
}

/** Puts the cursor at a piece of the text and presses Enter there. */
export function pickAt(view: EditorView, piece: string): void {
  view.dispatch({ selection: { anchor: view.state.doc.toString().indexOf(piece) + 1 } })
  fireEvent.keyDown(view.contentDOM, { key: 'Enter', code: 'Enter', keyCode: 13 })
}

export function buildRun(state: RunState, outcome: Outcome, status: number | null) {
  const step = {
    position: 1,
    endpoint_id: 3,
    state: state === 'succeeded' ? 'succeeded' : 'waiting',
    outcome,
    status,
    duration_ms: 12.4,
  }
  return { id: 41, state, steps: [step] }
}

/** An answer whose `data` is JSON text, its numbers as written. */
export function succeed(message: string, data: string, status = 200): Response {
  const run = JSON.stringify(buildRun('succeeded', 'ok', status))
  return jsonResponse(200, `{"message":"${message}","data":${data},"run":${run}}`)
}

/** A refusal after the upstream was called: it names the run and shows the upstream's answer. */
export function fail(
  status: number,
  answer: { message: string; code: string; run: unknown; answer?: string },
): Response {
  return jsonResponse(status, JSON.stringify({ ...answer, request_id: requestId }))
}

function jsonResponse(status: number, text: string): Response {
  return new Response(text, { status, headers: { 'content-type': 'application/json' } })
}

import { MantineProvider } from '@mantine/core'
import { undo } from '@codemirror/commands'
import { EditorView, runScopeHandlers } from '@codemirror/view'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { JsonPane, type JsonPaneProps } from './json-pane.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

async function renderPane(props: JsonPaneProps) {
  const pane = (changed: Partial<JsonPaneProps> = {}) => (
    <MantineProvider env="test">
      <JsonPane {...props} {...changed} />
    </MantineProvider>
  )
  const { rerender } = render(pane())
  const content = await screen.findByRole('textbox', { name: props.label })
  const view = EditorView.findFromDOM(content)
  if (!view) throw new Error('The pane has no editor')
  const press = (key: string) =>
    runScopeHandlers(view, new KeyboardEvent('keydown', { key }), 'editor')
  return {
    view,
    content,
    press,
    change: (changed: Partial<JsonPaneProps>) => rerender(pane(changed)),
  }
}

test('what is typed is handed over once, and what comes from outside is not handed back', async () => {
  const onChange = vi.fn<(text: string) => void>()
  const { view, change } = await renderPane({ label: 'Body', value: '{}', onChange })
  view.dispatch({ changes: { from: 1, insert: '"a": 1' } })
  await waitFor(() => expect(onChange.mock.calls).toEqual([['{"a": 1}']]))
  change({ value: '{"a": 2}' })
  await waitFor(() => expect(view.state.doc.toString()).toBe('{"a": 2}'))
  expect(onChange).toHaveBeenCalledTimes(1)
  undo(view)
  expect(view.state.doc.toString()).toBe('{"a": 1}')
})

test('what is typed is handed over before anything can read it, and no key waits for that', async () => {
  // A browser that is never idle.
  vi.stubGlobal('requestIdleCallback', () => 1)
  vi.stubGlobal('cancelIdleCallback', () => undefined)
  const onChange = vi.fn<(text: string) => void>()
  const { view, content } = await renderPane({ label: 'Body', value: '', onChange })
  const key = (target: EventTarget, init: KeyboardEventInit) =>
    target.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, ...init }))
  const readers: [string, () => unknown][] = [
    ['a shortcut', () => key(content, { key: 'Enter', ctrlKey: true })],
    ['a key elsewhere', () => key(document.body, { key: 's' })],
    ['a press', () => document.body.dispatchEvent(new Event('pointerdown', { bubbles: true }))],
    [
      'the focus leaves',
      () => content.dispatchEvent(new FocusEvent('focusout', { bubbles: true })),
    ],
    ['the pane goes', cleanup],
  ]
  for (const [what, read] of readers) {
    onChange.mockClear()
    view.dispatch({ changes: { from: 0, insert: '1' } })
    key(content, { key: '2' })
    view.dispatch({ changes: { from: 0, insert: '2' } })
    expect(onChange, what).not.toHaveBeenCalled()
    const text = view.state.doc.toString()
    read()
    expect(onChange.mock.calls, what).toEqual([[text]])
  }
})

test('what comes from outside wins over what was typed just before', async () => {
  const onChange = vi.fn<(text: string) => void>()
  const { view, change } = await renderPane({ label: 'Body', value: '{}', onChange })
  view.dispatch({ changes: { from: 1, insert: ' ' } })
  change({ value: '[1]' })
  await waitFor(() => expect(view.state.doc.toString()).toBe('[1]'))
  document.body.dispatchEvent(new Event('pointerdown', { bubbles: true }))
  expect(onChange).not.toHaveBeenCalled()
})

test('Tab is left to the browser, so that it leaves an editable pane', async () => {
  const { press } = await renderPane({ label: 'Body', value: '{}', onChange: () => {} })
  expect(press('ArrowRight')).toBe(true)
  expect(press('Tab')).toBe(false)
})

test('a read-only pane can be reached, but not changed, by keyboard', async () => {
  const { view, content, press } = await renderPane({ label: 'Answer', value: '{}' })
  expect(content.getAttribute('contenteditable')).toBe('false')
  expect(content.getAttribute('aria-readonly')).toBe('true')
  expect(content.tabIndex).toBe(0)
  press('Backspace')
  press('Delete')
  expect(view.state.doc.toString()).toBe('{}')
})

test('a problem marks the pane, describes it, and leads to its place', async () => {
  const problem = { message: 'No value here.', line: 2, column: 3 }
  const { view, content } = await renderPane({
    label: 'Body',
    value: '{\n  "a": \n}',
    onChange: () => {},
    problem,
  })
  expect(content.getAttribute('aria-invalid')).toBe('true')
  const description = document.getElementById(content.getAttribute('aria-describedby') ?? '')
  expect(description?.textContent).toContain('No value here.')
  await userEvent.click(screen.getByRole('button', { name: 'Go to line 2' }))
  expect(view.state.selection.main.head).toBe(4)
})

test('the toolbar shows the size, copies, and opens the search', async () => {
  vi.stubGlobal('isSecureContext', true)
  const browser = userEvent.setup()
  await renderPane({ label: 'Answer', value: '{\n  "ä": 1\n}' })
  expect(screen.getByText('13 B · 3 lines')).toBeTruthy()
  await browser.click(screen.getByRole('button', { name: 'Search in Answer' }))
  expect(await screen.findByRole('textbox', { name: 'Find' })).toBeTruthy()
  await browser.click(screen.getByRole('button', { name: 'Copy Answer' }))
  expect(await navigator.clipboard.readText()).toBe('{\n  "ä": 1\n}')
})

test('a blank read-only pane shows its placeholder', () => {
  render(
    <MantineProvider env="test">
      <JsonPane label="Answer" value="" empty="Nothing yet" />
    </MantineProvider>,
  )
  expect(screen.getByText('Nothing yet')).toBeTruthy()
  expect(screen.queryByRole('textbox')).toBeNull()
})

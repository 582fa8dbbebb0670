import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { PageButtons, pageWindow } from './page-buttons.tsx'

afterEach(cleanup)

test.each([
  [1, 1, [1]],
  [1, 3, [1, 2, 3]],
  [1, 9, [1, 2, 3, 4, 5]],
  [5, 9, [3, 4, 5, 6, 7]],
  [9, 9, [5, 6, 7, 8, 9]],
  [8, 9, [5, 6, 7, 8, 9]],
  [500, 1000, [498, 499, 500, 501, 502]],
])('page %i of %i offers %j', (page, pageCount, expected) => {
  expect(pageWindow(page, pageCount)).toEqual(expected)
})

function renderButtons(page: number, pageCount: number) {
  const handleChange = vi.fn<(page: number) => void>()
  render(
    <MantineProvider env="test">
      <PageButtons page={page} pageCount={pageCount} onChange={handleChange} />
    </MantineProvider>,
  )
  const isDisabled = (name: string) =>
    screen.getByRole<HTMLButtonElement>('button', { name }).disabled
  return { handleChange, isDisabled, browser: userEvent.setup() }
}

test('the buttons are in the specification’s order', () => {
  renderButtons(2, 3)
  expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual([
    'First',
    'Previous',
    '1',
    '2',
    '3',
    'Next',
    'Last',
  ])
})

test.each([
  [1, 3, ['First', 'Previous'], ['Next', 'Last']],
  [2, 3, [], ['First', 'Previous', 'Next', 'Last']],
  [3, 3, ['Next', 'Last'], ['First', 'Previous']],
  [1, 1, ['First', 'Previous', 'Next', 'Last'], []],
])('on page %i of %i, %j are disabled', (page, pageCount, disabled, enabled) => {
  const { isDisabled } = renderButtons(page, pageCount)
  expect(disabled.filter((name) => !isDisabled(name))).toEqual([])
  expect(enabled.filter(isDisabled)).toEqual([])
})

test('each button asks for its page, the present one for nothing', async () => {
  const { handleChange, browser } = renderButtons(4, 9)
  for (const name of ['First', 'Previous', 'Page 6', 'Next', 'Last', 'Page 4']) {
    await browser.click(screen.getByRole('button', { name }))
  }
  expect(handleChange.mock.calls.flat()).toEqual([1, 3, 6, 5, 9])
  expect(screen.getByRole('button', { name: 'Page 4' }).getAttribute('aria-current')).toBe('page')
})

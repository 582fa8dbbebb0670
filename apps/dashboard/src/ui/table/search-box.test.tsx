import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { SearchBox } from './search-box.tsx'

afterEach(cleanup)

function renderBox(value: string) {
  const handleChange = vi.fn<(value: string) => void>()
  const box = (value: string) => (
    <MemoryRouter>
      <MantineProvider env="test">
        <SearchBox label="Search" value={value} onChange={handleChange} />
      </MantineProvider>
    </MemoryRouter>
  )
  const { rerender } = render(box(value))
  const field = screen.getByLabelText<HTMLInputElement>('Search')
  return {
    handleChange,
    field,
    browser: userEvent.setup(),
    setValue: (value: string) => rerender(box(value)),
  }
}

test('what was typed is reported once, when the typing pauses', async () => {
  const { handleChange, field, browser } = renderBox('')
  await browser.type(field, ' tax ')
  await waitFor(() => expect(handleChange).toHaveBeenCalled())
  expect(handleChange.mock.calls).toEqual([['tax']])
  expect(field.value).toBe(' tax ')
})

test('a report that comes back late does not undo what was typed since', async () => {
  const { handleChange, field, browser, setValue } = renderBox('')
  await browser.type(field, 'ta')
  await waitFor(() => expect(handleChange).toHaveBeenCalledWith('ta'))
  await browser.type(field, 'x')
  setValue('ta')
  expect(field.value).toBe('tax')
})

test('a change that comes from elsewhere is followed', () => {
  const { field, setValue } = renderBox('tax')
  setValue('')
  expect(field.value).toBe('')
})

test('one press clears it', async () => {
  const { handleChange, field, browser } = renderBox('tax')
  await browser.click(screen.getByRole('button', { name: 'Clear search' }))
  expect(field.value).toBe('')
  await waitFor(() => expect(handleChange).toHaveBeenCalledWith(''))
})

import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { JsonPlainView } from '../json/json-plain-view.tsx'
import type { TextAssist } from '../json/text-assist.ts'

const assist: TextAssist = {
  problemsIn: () => [],
  completionsAt: (text, position) => {
    const from = text.lastIndexOf('{{', position)
    if (from < 0) return undefined
    const typed = text.slice(from + 2, position)
    const options = ['id', 'name']
      .filter((label) => label.startsWith(typed))
      .map((label) => ({ label, detail: `the ${label}`, text: `{{${label}}}` }))
    return { from, options }
  },
}

function Area({ knows }: { knows: TextAssist }) {
  const [text, setText] = useState('')
  return <JsonPlainView label="Body" value={text} onChange={setText} assist={knows} />
}

function show(knows = assist) {
  const browser = userEvent.setup()
  const { rerender } = render(<Area knows={knows} />, { wrapper: MantineProvider })
  const area = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Body' })
  return { browser, area, learn: (more: TextAssist) => rerender(<Area knows={more} />) }
}
// `{` begins a key of its own for the tool that types: two stand for one.
const braces = '{{{{'

test('braces offer values in a plain text area; arrows choose and Enter takes', async () => {
  const { browser, area } = show()
  await browser.type(area, `a ${braces}`)
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    'idthe id',
    'namethe name',
  ])
  await browser.keyboard('{ArrowDown}')
  const chosen = screen.getByRole('option', { selected: true })
  expect(chosen.textContent).toContain('name')
  expect(area.getAttribute('aria-activedescendant')).toBe(chosen.id)
  await browser.keyboard('{Enter}')
  expect(area.value).toBe('a {{name}}')
  expect(screen.queryByRole('listbox')).toBeNull()
  await browser.keyboard('{Enter}b')
  expect(area.value).toBe('a {{name}}\nb')
})

test('what is typed narrows the list, a click takes, and Escape closes it', async () => {
  const { browser, area } = show()
  await browser.type(area, `${braces}n`)
  await browser.click(screen.getByRole('option', { name: /name/ }))
  expect(area.value).toBe('{{name}}')
  expect(document.activeElement).toBe(area)
  await browser.type(area, ` ${braces}i`)
  await browser.keyboard('{Escape}')
  expect(screen.queryByRole('listbox')).toBeNull()
  await browser.keyboard('{Tab}')
  expect(area.value).toBe('{{name}} {{i')
})

test('samples that come after the braces were typed are offered then', async () => {
  const { browser, area, learn } = show({ ...assist, completionsAt: () => undefined })
  await browser.type(area, braces)
  expect(screen.queryByRole('listbox')).toBeNull()
  learn(assist)
  expect(screen.getAllByRole('option')).toHaveLength(2)
})

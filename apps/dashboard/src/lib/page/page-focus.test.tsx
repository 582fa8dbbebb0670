/* oxlint-disable jsx-a11y/prefer-tag-over-role -- dialogs of the dashboard have the role */
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { pageTitleId, usePageFocus } from './page-focus.ts'

function Screen({ pathname }: { pathname: string }) {
  usePageFocus(pathname)
  return (
    <>
      <h2 id={pageTitleId} tabIndex={-1}>
        {pathname}
      </h2>
      <div role="dialog">
        <input role="combobox" aria-expanded={false} aria-controls="results" />
      </div>
    </>
  )
}

test('the title of another screen gets the focus, but not from the palette that is typed in', () => {
  const { rerender } = render(<Screen pathname="/one" />)
  rerender(<Screen pathname="/two" />)
  expect(document.activeElement).toBe(screen.getByRole('heading'))
  screen.getByRole('combobox').focus()
  rerender(<Screen pathname="/three" />)
  expect(document.activeElement).toBe(screen.getByRole('combobox'))
})

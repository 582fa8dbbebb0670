import { render, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type * as FirstPaint from './first-paint.ts'

// Each test is a page that was just loaded.
let firstPaint: typeof FirstPaint
beforeEach(async () => {
  vi.resetModules()
  firstPaint = await import('./first-paint.ts')
  firstPaint.beginFirstPaint()
})

const page = () => (
  <>
    <h2>Title</h2>
    <firstPaint.AfterFirstPaint>Rows</firstPaint.AfterFirstPaint>
  </>
)

test('the title of the first screen is painted before the rest, that of the next with it', async () => {
  const first = render(page())
  expect(screen.getByText('Title')).toBeTruthy()
  expect(screen.queryByText('Rows')).toBeNull()
  expect(await screen.findByText('Rows')).toBeTruthy()
  first.unmount()
  render(page())
  expect(screen.getByText('Rows')).toBeTruthy()
})

test('a tab in the background, which the browser does not paint, has the rest too', async () => {
  const isHidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  const frame = vi.spyOn(globalThis, 'requestAnimationFrame')
  render(page())
  expect(await screen.findByText('Rows')).toBeTruthy()
  expect(frame).not.toHaveBeenCalled()
  frame.mockRestore()
  isHidden.mockRestore()
})

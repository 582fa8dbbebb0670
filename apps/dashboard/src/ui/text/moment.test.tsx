import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { act } from 'react'
import { Moment } from './moment.tsx'

test('a relative moment says how long ago it is, keeps the exact time beside it, and is written again', () => {
  vi.useFakeTimers({ now: new Date('2026-01-31T12:00:00Z') })
  render(<Moment at="2026-01-31T11:58:50Z" isRelative />)
  const shown = screen.getByText('1 minute ago').closest('time')
  expect(shown?.dateTime).toBe('2026-01-31T11:58:50Z')
  expect(shown?.dataset['exact']).toMatch(/Jan 31, 2026.*:58:50/)
  expect(shown?.title).toContain(':58:50')
  act(() => void vi.advanceTimersByTime(30_000))
  expect(shown?.textContent).toBe('1 minute ago')
  act(() => void vi.advanceTimersByTime(30_000))
  expect(shown?.textContent).toBe('2 minutes ago')
})

test('beyond a week it is a day', () => {
  vi.useFakeTimers({ now: new Date('2026-01-31T12:00:00Z') })
  render(<Moment at="2026-01-02T12:00:00Z" isRelative />)
  expect(screen.getByText('Jan 2, 2026')).toBeTruthy()
})

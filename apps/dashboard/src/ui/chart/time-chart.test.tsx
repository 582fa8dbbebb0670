import { MantineProvider } from '@mantine/core'
import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { TimeChart } from './time-chart.tsx'

const series = [
  { name: 'p50', color: 'green', values: [null, 4, null, 6] },
  { name: 'p99', color: 'red', values: [null, 9, null, 20] },
]

const pick = vi.fn<(at: number, series: string | undefined) => void>()

function Charts() {
  const [at, setAt] = useState<number | null>(null)
  const shared = {
    series,
    moments: ['08:00', '08:01', '08:02', '08:03'],
    format: (value: number | null) => (value === null ? '–' : `${value} ms`),
    at,
    onAt: setAt,
    onPick: pick,
  }
  return (
    <MantineProvider env="test">
      <TimeChart {...shared} title="First" kind="lines" summary="first" />
      <TimeChart {...shared} title="Second" kind="bars" summary="second" />
    </MantineProvider>
  )
}

/** Pictures are 460 pixels wide: 100 for each of the four moments, and the axis. */
async function show() {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly #tell: ResizeObserverCallback
      constructor(tell: ResizeObserverCallback) {
        this.#tell = tell
      }
      observe(target: Element) {
        const entry = { target, contentRect: { width: 460 } } as unknown as ResizeObserverEntry
        this.#tell([entry], this)
      }
      unobserve() {}
      disconnect() {}
    },
  )
  render(<Charts />)
  await screen.findAllByText('08:03')
}

test('a lone value between two gaps is a dot, and the axis names round values', async () => {
  await show()
  const dots = screen.getByLabelText('first').querySelector('path:nth-of-type(2)')
  expect(dots?.getAttribute('d')?.match(/h0/g)).toHaveLength(2)
  expect(screen.getAllByText('20 ms')).not.toHaveLength(0)
  expect(screen.getAllByText('08:03')).toHaveLength(2)
})

test('the moment under the pointer is marked in both pictures, and the legends show its values', async () => {
  await show()
  const [first, second] = [screen.getByLabelText('first'), screen.getByLabelText('second')]
  fireEvent.pointerMove(first, { clientX: 52 + 150 })
  expect(screen.getAllByText('at 08:01')).toHaveLength(2)
  expect(screen.getAllByText('9 ms')).toHaveLength(2)
  expect(second.querySelector('line[stroke-dasharray], line[class*="crosshair"]')).toBeTruthy()
  fireEvent.pointerLeave(first)
  expect(screen.queryByText('at 08:01')).toBeNull()
})

test('by keys the cross-hair moves in both pictures, and what it is at is read out', async () => {
  await show()
  const [first, second] = screen.getAllByRole('slider')
  expect(first?.getAttribute('aria-valuetext')).toBe('first')
  fireEvent.keyDown(first!, { key: 'ArrowLeft' })
  expect(second?.getAttribute('aria-valuetext')).toBe('08:03: p50 6 ms, p99 20 ms')
  fireEvent.keyDown(first!, { key: 'ArrowLeft' })
  expect(first?.getAttribute('aria-valuetext')).toBe('08:02: p50 –, p99 –')
  fireEvent.keyDown(first!, { key: 'Enter' })
  expect(pick).toHaveBeenCalledExactlyOnceWith(2, undefined)
  fireEvent.keyDown(first!, { key: 'Home' })
  fireEvent.keyDown(first!, { key: 'ArrowLeft' })
  expect(screen.getAllByText('at 08:00')).toHaveLength(2)
  fireEvent.keyDown(first!, { key: 'Escape' })
  expect(screen.queryByText('at 08:00')).toBeNull()
})

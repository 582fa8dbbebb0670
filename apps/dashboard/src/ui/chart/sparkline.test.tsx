import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Sparkline } from './sparkline.tsx'

const series = [
  { name: 'accepted', color: 'green.6' },
  { name: 'refused', color: 'red.7' },
]

function draw(...values: number[][]) {
  const bars = values.map((each, at) => ({ label: `day ${at}`, values: each }))
  render(
    <MantineProvider env="test">
      <Sparkline series={series} bars={bars} summary="what it says" heightPx={40} />
    </MantineProvider>,
  )
  const picture = screen.getByRole('img', { name: 'what it says' })
  return [...picture.querySelectorAll('g')].map((bar) => ({
    title: bar.querySelector('title')?.textContent,
    heights: [...bar.querySelectorAll('rect[fill^=var]')].map((rect) =>
      Number(rect.getAttribute('height')),
    ),
    top: Math.min(
      ...[...bar.querySelectorAll('rect')].map((rect) => Number(rect.getAttribute('y'))),
    ),
  }))
}

test('what is there is seen, however little; what is not is not drawn; nothing is too high', () => {
  const [small, none, half] = draw([100_000, 1], [0, 0], [50_000, 0])
  expect(small?.heights[1]).toBe(2)
  expect(small?.top).toBeGreaterThanOrEqual(0)
  expect(none?.heights).toEqual([0, 0])
  expect(half?.heights[0]).toBeCloseTo((small?.heights[0] ?? 0) / 2, 0)
})

test('each bar says its numbers', () => {
  expect(draw([1204, 3])[0]?.title).toBe('day 0: 1,204 accepted, 3 refused')
})

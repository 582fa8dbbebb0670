import { describe, expect, test } from 'vitest'
import { surfaces, texts, tints, type Scheme } from './palette.ts'
import { theme } from './theme.ts'

const schemes: Scheme[] = ['light', 'dark']
const grounds = ['backdrop', 'body', 'hover', 'tint'] as const

/** Relative luminance (WCAG 2.2, "relative luminance"). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(first: string, second: string): number {
  const [darker = 0, lighter = 0] = [first, second].map(luminance).toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

test('the contrast is that of the standard', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

describe.each(schemes)('%s', (scheme) => {
  test.each(Object.keys(texts.light) as (keyof typeof texts.light)[])(
    'the colour of %s can be read on every surface',
    (name) => {
      for (const ground of grounds)
        expect(contrast(texts[scheme][name], surfaces[scheme][ground]), ground).toBeGreaterThan(4.5)
    },
  )

  test.each(Object.keys(tints.light))(
    '%s can be read on its own tint, and as a quiet button',
    (color) => {
      const [ground = '', hovered = '', words = ''] = tints[scheme][color] ?? []
      const others = grounds.map((each) => surfaces[scheme][each])
      for (const each of [ground, hovered, ...others])
        expect(contrast(words, each), each).toBeGreaterThan(4.5)
    },
  )

  test('links and dimmed words can be read on the tint of every alert', () => {
    for (const [color, [ground]] of Object.entries(tints[scheme]))
      for (const words of [texts[scheme].text, texts[scheme].anchor])
        expect(contrast(words, ground), color).toBeGreaterThan(4.5)
  })

  test('rows and their separation are told apart from what is beside them', () => {
    const { body, backdrop, hover, line } = surfaces[scheme]
    expect(new Set([body, backdrop, hover, line]).size).toBe(4)
  })
})

test('white words can be read on filled buttons', () => {
  for (const color of ['petrol', 'red', 'green', 'orange'])
    expect(contrast(theme.colors?.[color]?.[8] ?? '', '#ffffff'), color).toBeGreaterThan(4.5)
})

import { describe, expect, it } from 'vitest'
import { requiredText } from './fields.ts'
import { normalFormOf } from './normal-form.ts'

/** Composing this many takes minutes. */
const pairs = 400_000
const quickMs = 1_000

describe('a text is composed in linear time', () => {
  it.each([
    ['marks', '\u0315\u0300'],
    ['signs of half width, which become marks', '\uff9e\u0301'],
  ])('with %s in the wrong order', (_, unit) => {
    const text = `a${unit.repeat(pairs)}`
    const before = process.threadCpuUsage()
    expect(normalFormOf(text, 'NFKC')).toBe(text)
    const { user, system } = process.threadCpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(quickMs)
  })

  it('as it always was, with the marks that languages write', () => {
    expect(normalFormOf('e\u0301', 'NFC')).toBe('\u00e9')
    expect(normalFormOf('\uff76\uff9e', 'NFKC')).toBe('\u30ac')
    expect(normalFormOf(`e${'\u0301'.repeat(30)}`, 'NFC')).toBe(`\u00e9${'\u0301'.repeat(29)}`)
  })
})

describe('a field', () => {
  it.each([100, 10_000_000])('thousands of marks in the wrong order are refused at once', (max) => {
    const { success } = requiredText(max, 'name').safeParse(`a${'\u0315\u0300'.repeat(pairs)}`)
    expect(success).toBe(false)
  })

  it('takes a text that fits once it is composed', () => {
    expect(requiredText(2, 'name').parse('\u03b1\u0313\u0300\u0345'.repeat(2))).toBe('\u1f82\u1f82')
  })
})

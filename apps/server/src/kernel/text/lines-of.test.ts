import { expect, it } from 'vitest'
import { linesOf, LineTooLong } from './lines-of.ts'

/** In parts of at most so many bytes. */
async function* inParts(text: string, size: number) {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

it.each([1, 2, 3, 7, 1_000])(
  'lines end with a line feed and nothing else, in parts of %d',
  async (size) => {
    const lines = ['{"a":"one\u2028two\u2029three\u0085four"}', '', 'Grüße 🎈\r', 'the last one']
    const found = await Array.fromAsync(linesOf(inParts(lines.join('\n'), size), 1_000))
    expect(found).toEqual(lines)
  },
)

it('a text that ends with a line feed has no line behind it, and an empty one has none', async () => {
  expect(await Array.fromAsync(linesOf(inParts('a\n', 1), 10))).toEqual(['a'])
  expect(await Array.fromAsync(linesOf(inParts('', 1), 10))).toEqual([])
})

it('a line that never ends is not held', async () => {
  let given = 0
  async function* endless() {
    for (;;) {
      given++
      yield Buffer.alloc(1_024, 'x')
    }
  }
  await expect(Array.fromAsync(linesOf(endless(), 10_000))).rejects.toThrow(LineTooLong)
  expect(given).toBe(10)
})

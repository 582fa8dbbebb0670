import { expect, test } from 'vitest'
import { formatBytes } from '../../lib/format/format-bytes.ts'
import { pngSize } from './image-queries.ts'

const header = (width: number, height: number) => {
  const bytes = new Uint8Array(33)
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52])
  new DataView(bytes.buffer).setUint32(16, width)
  new DataView(bytes.buffer).setUint32(20, height)
  return bytes
}

test('the size of a PNG is read from its header', async () => {
  expect(await pngSize(new Blob([header(300, 4096)]))).toEqual({ width: 300, height: 4096 })
})

test.each([
  ['nothing', new Uint8Array()],
  ['a cut header', header(3, 3).slice(0, 23)],
  ['another file', new TextEncoder().encode('<!doctype html><title>Sign in</title>')],
])('%s has none', async (_name, bytes) => {
  expect(await pngSize(new Blob([bytes]))).toBeUndefined()
})

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1234, '1.2 KB'],
  [999_949, '999.9 KB'],
  [999_950, '1.0 MB'],
  [47_427_196, '47.4 MB'],
])('%i bytes read %s', (bytes, text) => expect(formatBytes(bytes, 'decimal')).toBe(text))

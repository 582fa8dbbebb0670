import { expect, it } from 'vitest'
import { SeenSignatures } from './seen-signatures.ts'

const startSeconds = 1_795_430_400
let made = 0

const signed = (client: string, createdSeconds: number, windowSeconds = 60) => ({
  mac: Buffer.from(`mac ${++made}`),
  createdSeconds,
  client,
  context: 'sales',
  windowSeconds,
})

/** How many signatures of a client count until one is refused. */
function flood(seen: SeenSignatures, client: string, nowSeconds = startSeconds): number {
  for (let count = 0; ; count++)
    if (seen.take(signed(client, nowSeconds), nowSeconds) !== 'new') return count
}

it('a client that floods refuses itself alone, and until its signatures are forgotten', () => {
  const seen = new SeenSignatures(1_000)
  expect(flood(seen, 'u1')).toBe(500)
  expect(flood(seen, 'u2')).toBe(250)
  for (let client = 3; client < 30; client++)
    expect(seen.take(signed(`u${client}`, startSeconds), startSeconds)).toBe('new')
  expect(seen.take(signed('u1', startSeconds), startSeconds)).toBe('full')
  const later = startSeconds + 100
  expect(seen.take(signed('u1', later), later)).toBe('new')
  expect(flood(seen, 'u1', later)).toBe(499)
})

it('what other workers let in counts as the client’s as well', () => {
  const [one, other] = [new SeenSignatures(1_000), new SeenSignatures(1_000)]
  flood(one, 'u1')
  other.absorb(one.drain(), startSeconds)
  expect(other.take(signed('u1', startSeconds), startSeconds)).toBe('full')
  expect(other.take(signed('u2', startSeconds), startSeconds)).toBe('new')
})

it('a signature that was forgotten counts no more when the API lengthens its time', () => {
  const seen = new SeenSignatures()
  const first = signed('u1', startSeconds, 600)
  expect(seen.take({ ...first, windowSeconds: 60 }, startSeconds)).toBe('new')
  const later = startSeconds + 200
  expect(seen.take(signed('u1', later), later)).toBe('new')
  expect(seen.take(first, later)).toBe('forgotten')
  expect(seen.take(signed('u1', later - 50, 600), later)).toBe('new')
})

it('a signature is remembered for the longest time that the API has set', () => {
  const seen = new SeenSignatures()
  const first = signed('u1', startSeconds, 600)
  expect(seen.take(first, startSeconds)).toBe('new')
  const later = startSeconds + 200
  for (const created of [later - 30, later])
    expect(seen.take(signed('u1', created), later)).toBe('new')
  expect(seen.take(first, later)).toBe('seen')
})
